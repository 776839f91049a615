"""Our result files beside those that mteb writes: same shape, read by mteb's own cache."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.records import Benchmark, Problem
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results.mteb_format import model_meta, task_result

if TYPE_CHECKING:
    from pathlib import Path

WHEN = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def benchmark() -> Benchmark:
    return Benchmark(
        name="SABERMathMini",
        queries=(
            Problem(id="0", statement="a", solution="b", domains=(Domain.ALGEBRA,)),
            Problem(id="1", statement="c", solution="d", domains=(Domain.GEOMETRY,)),
        ),
        documents=tuple(Problem(id=str(i), statement=f"s{i}", solution="t") for i in range(4)),
        candidates=np.array([[0, 1, 2], [1, 2, 3]]),
        grades=np.array([[5.0, 2.3, 0.0], [0.0, 5.0, 1.7]]),
        synthetic=True,
    )


def ours(benchmark: Benchmark) -> dict[str, Any]:
    scores = np.array([[1, 2, 3], [3, 2, 1]], dtype=np.float32)
    evaluations = {
        setting: evaluate(Run(setting=setting, rows=np.arange(2), scores=scores), benchmark)
        for setting in Setting
    }
    return task_result(benchmark, evaluations, evaluation_time=1.5, date=WHEN)


def our_meta() -> dict[str, Any]:
    return model_meta(
        name="saber/bm25",
        revision="abc",
        release_date="1994-11-02",
        license="apache-2.0",
        reference=None,
    )


def test_writing_needs_no_mteb() -> None:
    code = "import sys, saber_mteb.results.mteb_format; print('mteb' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_cache_of_mteb_loads_ours_beside_foreign_results(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    """With full precision kept, which mteb's own files have not."""
    mteb = pytest.importorskip("mteb")
    folder = tmp_path / "results" / "saber__bm25" / "abc"
    (folder / "saber" / "run").mkdir(parents=True)
    (folder / "SABERMathMini.json").write_text(json.dumps(ours(benchmark)))
    (folder / "model_meta.json").write_text(json.dumps(our_meta()))
    # What is ours alone lies one level deeper, where mteb does not look.
    (folder / "saber" / "submission.json").write_text("{}")
    foreign = tmp_path / "results" / "other__model" / "1"
    foreign.mkdir(parents=True)
    score = {"main_score": 0.5, "hf_subset": "default", "languages": ["eng-Latn"]}
    foreign_result = {
        "dataset_revision": "x",
        "task_name": "SABERMathMini",
        "mteb_version": "2.20.0",
        "scores": {"statement-full": [score]},
        "evaluation_time": 1.0,
    }
    (foreign / "SABERMathMini.json").write_text(json.dumps(foreign_result))
    (foreign / "model_meta.json").write_text(json.dumps({"name": "other/model", "revision": "1"}))

    results = mteb.ResultCache(tmp_path).load_results(include_remote=False)
    found = {result.model_name: result for result in results.model_results}

    assert set(found) == {"saber/bm25", "other/model"}
    mine = found["saber/bm25"].task_results[0]
    exact = evaluate(
        Run(Setting.FULL_FULL, np.arange(2), np.array([[1, 2, 3], [3, 2, 1]], np.float32)),
        benchmark,
    ).overall
    assert mine.get_score(splits=["full-full"]) == exact
    assert mine.date == WHEN
    assert mine.dataset_revision == benchmark.content_hash
    table = results.to_dataframe(aggregation_level="split")
    assert set(table["split"]) == {setting.value for setting in Setting}
    assert {"saber/bm25", "other/model"} <= set(table.columns)


def test_same_fields_as_mteb_writes(benchmark: Benchmark, tmp_path: Path) -> None:
    mteb = pytest.importorskip("mteb")
    from mteb.models.model_meta import ModelMeta

    mteb.TaskResult.from_dict(ours(benchmark)).to_disk(tmp_path / "theirs.json")
    theirs = json.loads((tmp_path / "theirs.json").read_text())
    assert list(theirs) == list(ours(benchmark))
    assert list(our_meta()) == list(ModelMeta.create_empty().to_dict())


def test_the_main_score_is_the_headline_metric(benchmark: Benchmark) -> None:
    for (scores,) in ours(benchmark)["scores"].values():
        assert scores["main_score"] == scores["ndcg_exp_at_10"]
        assert scores["n_queries_algebra"] == 1
        assert "ndcg_exp_at_10_combinatorics" not in scores
