"""The tasks ``SABERMath`` and ``SABERMathMini``."""

from __future__ import annotations

import logging
import os
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

# On its own, since only this form waits for another thread that is inside `import mteb`.
import mteb  # noqa: F401
from mteb.abstasks.retrieval import AbsTaskRetrieval

from saber_mteb._errors import UsageError, nearest
from saber_mteb._mteb._identity import require_identity, require_own_predictions
from saber_mteb._mteb._metadata import SABER_MATH, SABER_MATH_MINI, SaberMetadata
from saber_mteb._mteb._plugin import resume
from saber_mteb._mteb._scoring import run_from_answers
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.settings import Setting, document_text, query_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteb.models import MTEBModels

    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run

# Below mteb's own logger, so that `mteb run -v` governs it too.
logger = logging.getLogger("mteb.saber_mteb")

# A candidate counts as relevant in mteb's built-in measures (MAP, MRR, …) from this grade on: they
# know only integers, and nearly every candidate has a positive grade.
RELEVANT_FROM = 3.0
SUBSET = "default"


class SaberTask(AbsTaskRetrieval):
    """Asks one of our benchmarks; a setting is a split, so that each can be run on its own."""

    # At least the pool size: mteb cuts answers at the largest k before we see them.
    k_values: Sequence[int] = (1, 3, 5, 10, 20, 150)
    metadata: SaberMetadata
    _told_how_to_submit = False

    def load_data(self, num_proc: int | None = None, **kwargs: Any) -> None:  # noqa: ANN401
        """Fill the splits that will be asked and state the revision of the data.

        Raises:
            UsageError: If a split is not the name of a setting.
        """
        if self.data_loaded:
            return
        settings = [_setting(split) for split in self.eval_splits]
        benchmark = self.metadata.benchmark()
        self.metadata = self.metadata.resolved()
        self._top_k = max(*self.k_values, benchmark.pool_size)
        self.dataset = {SUBSET: {s.value: _split_data(benchmark, s) for s in settings}}
        self.data_loaded = True
        if benchmark.synthetic:
            logger.warning(
                "%s is synthetic, for trying things out, not comparable with SABER-Math.",
                self.metadata.name,
            )

    def evaluate(self, model: MTEBModels, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """Evaluate a model that has a name and a revision of its own on one split.

        Raises:
            SaberError: If it has not, or the prediction file belongs to another model.
        """
        require_identity(model)
        folder = kwargs.get("prediction_folder")
        if folder:
            require_own_predictions(Path(folder) / self.prediction_file_name, model)
        self._failures = getattr(model, "failures", {})
        scores = super().evaluate(model, *args, **kwargs)
        if not folder and not self._told_how_to_submit:
            self._told_how_to_submit = True
            logger.info(
                "No predictions were kept. To submit this result, run again with "
                "--prediction-folder DIR, then: saber-mteb results import-mteb DIR"
            )
        return scores

    def task_specific_scores(
        self,
        scores: dict[str, dict[str, float]],
        qrels: Mapping[str, Mapping[str, int]],
        results: dict[str, dict[str, float]],
        hf_split: str,
        hf_subset: str,
    ) -> dict[str, float]:
        """Return the benchmark's own measures, computed from the real-valued grades.

        Raises:
            SaberError: If no query has a usable answer.
        """
        benchmark = self.metadata.benchmark()
        run = run_from_answers(results, benchmark, Setting(hf_split), self._failures)
        _report_failures(self.metadata.name, run)
        evaluation = evaluate(run, benchmark)
        logger.info(
            "%s, %s: nDCG@10 %.4f over %d of %d queries",
            *(self.metadata.name, run.setting, evaluation.overall),
            *(evaluation.n_scored, evaluation.n_queries),
        )
        return evaluation.as_metrics()


def task_for(benchmark: Benchmark) -> SaberTask:
    """Return a task that asks the given benchmark, for `mteb.evaluate` from Python.

    It is not registered with mteb. The task has the name of the benchmark.
    """
    fields = SABER_MATH_MINI if benchmark.synthetic else SABER_MATH
    path = fields["dataset"]["path"] if benchmark.name == fields["name"] else benchmark.name
    own = {"name": benchmark.name, "dataset": {"path": path, "revision": benchmark.revision}}
    metadata = SaberMetadata.of(lambda: benchmark, fields | own)
    task: type[SaberTask] = type(benchmark.name, (SaberTask,), {"metadata": metadata})
    return task()


def _split_data(benchmark: Benchmark, setting: Setting) -> Any:  # noqa: ANN401
    """Return queries, documents that are candidates, integer grades and candidates."""
    import numpy as np
    from datasets import Dataset

    documents = np.unique(benchmark.candidates).tolist()
    texts = [document_text(benchmark.documents[row], setting) for row in documents]
    queries = [query_text(problem, setting) for problem in benchmark.queries]
    query_ids = [str(row) for row in range(len(queries))]
    candidates = [[str(row) for row in rows] for rows in benchmark.candidates.tolist()]
    relevant = (benchmark.grades >= RELEVANT_FROM).astype(int).tolist()
    return {
        "corpus": Dataset.from_dict({"id": [str(row) for row in documents], "text": texts}),
        "queries": Dataset.from_dict({"id": query_ids, "text": queries}),
        "relevant_docs": {
            query: dict(zip(ids, grades, strict=True))
            for query, ids, grades in zip(query_ids, candidates, relevant, strict=True)
        },
        "top_ranked": dict(zip(query_ids, candidates, strict=True)),
    }


def _report_failures(task: str, run: Run) -> None:
    for row, reason in list(run.failures.items())[:5]:
        logger.warning("%s, %s: query %d failed: %s", task, run.setting, row, reason)
    if run.failures:
        logger.warning(
            "%s, %s: %d of %d queries failed and have no score; the setting is partial.",
            *(task, run.setting, len(run.failures), len(run.rows)),
        )


def _setting(split: str) -> Setting:
    try:
        return Setting(split)
    except ValueError:
        known = [setting.value for setting in Setting]
        raise UsageError(
            f"There is no setting '{split}'.{nearest(split, known)} Choose from {', '.join(known)}."
        ) from None


@lru_cache(maxsize=2)
def _load(name: str, *revisions: str | None) -> Benchmark:
    from saber_mteb.benchmark import load_benchmark

    return load_benchmark(name)


def _load_once(name: str) -> Benchmark:
    """Load a benchmark by name, once for each pair of revisions the environment asks for."""
    wanted = ("SABER_MTEB_QUERIES_REVISION", "SABER_MTEB_DOCUMENTS_REVISION")
    return _load(name, *map(os.environ.get, wanted))


class SABERMath(SaberTask):
    """SABER-Math, from the two data sets on the hub."""

    metadata = SaberMetadata.of(partial(_load_once, "saber-math"), SABER_MATH)


class SABERMathMini(SaberTask):
    """The embedded mini benchmark: synthetic, for trying things out."""

    metadata = SaberMetadata.of(partial(_load_once, "mini"), SABER_MATH_MINI)


resume()
