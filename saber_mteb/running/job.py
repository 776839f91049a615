"""One evaluation job: run, evaluate, and keep what is needed to check the numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from saber_mteb import __version__
from saber_mteb._errors import SaberError
from saber_mteb.benchmark.evaluation import Evaluation, evaluate
from saber_mteb.results.mteb_format import model_meta
from saber_mteb.results.run_file import read_run
from saber_mteb.results.store import SettingOutcome, read_blocks, save_result, save_shard
from saber_mteb.results.tree import ResultFolder
from saber_mteb.running.engine import run_system
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.provenance import effort, provenance
from saber_mteb.running.reporting import Silent
from saber_mteb.running.session import Session
from saber_mteb.running.stores.embeddings import EmbeddingStore
from saber_mteb.running.stores.scores import ScoreStore

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.running.ranking import Ranker
    from saber_mteb.running.reporting import Reporter
    from saber_mteb.running.shards import Shard
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card


@dataclass(frozen=True)
class Outcome:
    """What a job produced and where it lies."""

    benchmark: Benchmark
    runs: Mapping[Setting, Run]
    evaluations: Mapping[Setting, Evaluation]
    folder: ResultFolder


@dataclass(frozen=True)
class Job:
    """A system, a benchmark and the part of it that is asked.

    Attributes:
        card: Describes the system.
        system: What ranks.
        benchmark: What is asked.
        settings: The settings to run.
        limit: Ask only the first so many queries; such a trial is stored as an experiment.
        shard: Ask only these queries; stored as an experiment without a result, to be merged.
        experiment: Name of a recipe other than the card's own.
        policy: How large batches may be.
    """

    card: Card
    system: System | Ranker
    benchmark: Benchmark
    settings: tuple[Setting, ...]
    limit: int | None = None
    shard: Shard | None = None
    experiment: str | None = None
    policy: BatchPolicy = field(default_factory=BatchPolicy)

    @cached_property
    def rows(self) -> range:
        """The query rows that are asked."""
        n_queries = len(self.benchmark.queries)
        if self.shard is not None:
            return self.shard.rows(n_queries)
        return range(min(self.limit or n_queries, n_queries))

    def execute(
        self, output: Path, *, cache: Path | None = None, reporter: Reporter | None = None
    ) -> Outcome:
        """Run the system and write result file, run files and provenance under ``output``.

        Args:
            output: The results tree.
            cache: Folder of the stores, from which a stopped run goes on; None keeps nothing and
                takes nothing.
            reporter: Where progress goes.

        Raises:
            SaberError: If the system cannot go on, no query has a score, or the folder cannot be
                written.
        """
        folder = ResultFolder(
            root=output,
            name=self.card.name,
            revision=self.card.revision,
            experiment=self._experiment,
        )
        check_writable(folder.path)
        started = time.monotonic()
        with self._session(cache, reporter or Silent()) as session:
            runs = run_system(
                self.system, self.benchmark, self.settings, rows=self.rows, session=session
            )
        seconds = time.monotonic() - started
        made = {setting: self._provenance(setting, session, seconds) for setting in runs}
        if not session.tally.seconds:  # every answer was in the store
            made = {
                setting: self._earlier(folder, run, made[setting]) for setting, run in runs.items()
            }
        if self.shard is not None:
            save_shard(folder, self.benchmark, runs, made, model_meta=self._model_meta)
            return Outcome(self.benchmark, runs, {}, folder)
        evaluations = {setting: evaluate(run, self.benchmark) for setting, run in runs.items()}
        save_result(
            folder,
            self.benchmark,
            {
                setting: SettingOutcome(run, evaluations[setting], made[setting])
                for setting, run in runs.items()
            },
            model_meta=self._model_meta,
            date=datetime.now(UTC),
            seconds=max(block["seconds"] for block in made.values()),
        )
        return Outcome(self.benchmark, runs, evaluations, folder)

    @contextmanager
    def _session(self, cache: Path | None, reporter: Reporter) -> Iterator[Session]:
        with ExitStack() as stack:
            scores = stack.enter_context(ScoreStore.open(cache)) if cache else None
            embeddings = stack.enter_context(EmbeddingStore.open(cache)) if cache else None
            yield Session(
                # The version too: a corrected system must not find its old answers.
                recipe=f"{self.card.recipe_hash} {__version__}",
                policy=self.policy,
                scores=scores,
                embeddings=embeddings,
                reporter=reporter,
            )

    @property
    def _experiment(self) -> str | None:
        trial = len(self.rows) < len(self.benchmark.queries)
        part = f"limit-{len(self.rows)}" if trial else None
        if self.shard is not None:
            part = self.shard.slug
        return "-".join(filter(None, [self.experiment, part])) or None

    @property
    def _model_meta(self) -> dict[str, Any]:
        return model_meta(
            name=self.card.name,
            revision=self.card.revision,
            release_date=self.card.release_date,
            license=self.card.license,
            reference=self.card.reference,
        )

    def _provenance(self, setting: Setting, session: Session, seconds: float) -> dict[str, Any]:
        card, rows, limit = self.card, self.rows, self.limit
        return {
            **provenance(card, self.system, self.benchmark, setting, rows=rows, limit=limit),
            **effort(session, seconds),
        }

    def _earlier(self, folder: ResultFolder, run: Run, fresh: dict[str, Any]) -> dict[str, Any]:
        """Return how a run was made that lies there already and is the same; else the given."""
        import numpy as np

        task = self.benchmark.name
        try:
            block = read_blocks(folder, task).get(run.setting.value, {})
            there = read_run(
                folder.run(task, run.setting), pool_size=self.benchmark.pool_size, rows=self.rows
            )
        except SaberError:
            return fresh
        same = np.array_equal(there.scores, run.scores, equal_nan=True) and all(
            block.get(name) == fresh[name] for name in ("system", "benchmark", "rows")
        )
        return block if same and "seconds" in block else fresh


def check_writable(folder: Path) -> None:
    """Find out before hours of work whether a folder can be written, or made; leaves nothing.

    Raises:
        SaberError: If it cannot.
    """
    there = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    try:
        with TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise SaberError(
            f"{folder} could not be written ({error.strerror or error}); "
            "choose another folder with --output. Nothing has been computed yet."
        ) from error
