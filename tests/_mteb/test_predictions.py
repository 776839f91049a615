"""Prediction files of mteb become our runs; bad ones are refused with one clear message."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import mteb
import numpy as np
import pytest

from saber_mteb._errors import SaberError
from saber_mteb._mteb.predictions import read_predictions
from saber_mteb._mteb.tasks import task_for
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from saber_mteb.benchmark.records import Benchmark

NAME = "SABERMathMini_predictions.json"


@pytest.mark.parametrize("model_name", ["mteb/baseline-random-encoder", None])
def test_the_runs_give_the_numbers_of_the_result(
    small: Benchmark, ranker: Callable, tmp_path: Path, model_name: str | None
) -> None:
    def spoiled(query: str, document: str) -> float:
        return float("nan") if query == "4" else int(document) * 0.3 - int(query)

    model = mteb.get_model(model_name) if model_name else ranker(spoiled)
    task = task_for(small).filter_eval_splits(["full-full", "statement-full"])
    result = mteb.evaluate(
        model, task, cache=None, prediction_folder=tmp_path, show_progress_bar=False
    )
    found = read_predictions(tmp_path, small)
    assert (found.model_name, found.revision) == (
        model.mteb_model_meta.name,
        model.mteb_model_meta.revision,
    )
    assert found.task == "SABERMathMini"
    assert list(found.runs) == [Setting.STATEMENT_FULL, Setting.FULL_FULL]
    for setting, run in found.runs.items():
        expected = result.task_results[0].scores[setting.value][0]
        metrics = evaluate(run, small).as_metrics()
        assert {name: expected[name] for name in metrics} == metrics
    failed = found.runs[Setting.FULL_FULL].failures
    assert list(failed) == ([] if model_name else [4])


def test_reading_needs_no_mteb() -> None:
    code = "import sys, saber_mteb._mteb.predictions as p; print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'mteb'" not in done.stdout
    assert "'numpy'" not in done.stdout


def content(small: Benchmark) -> dict[str, Any]:
    return {
        "mteb_model_meta": {"model_name": "org/model", "revision": "1"},
        "default": {
            "statement-full": {
                str(q): {str(d): float(d) for d in small.candidates[q].tolist()} for q in range(8)
            }
        },
    }


def meta(**fields: str | None) -> dict[str, Any]:
    return {"mteb_model_meta": {"model_name": "org/model", "revision": "1"} | fields}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"default": {}}, "holds no predictions"),
        ({"default": {"test": {}}}, "'test' is not a setting; expected statement-full"),
        ({"default": {"full-full": []}}, "full-full: expected an object of queries, found list"),
        ({"default": {"full-full": {"8": {}}}}, "query '8' is not one of the 8 rows"),
        ({"default": {"full-full": {"1": [1.0]}}}, "full-full, query 1: expected scores by"),
        ({"default": {"full-full": {"1": {"3": "x"}}}}, "the score of document '3' is 'x'"),
        ({"default": {"full-full": {"1": {"3": True}}}}, "the score of document '3' is True"),
        ({"mteb_model_meta": None}, "does not say which model wrote it"),
        (meta(revision="no_revision_available"), "the model has no revision"),
        (meta(model_name=None, revision=None), "the model has no name and no revision"),
    ],
)
def test_a_file_that_mteb_would_not_write_is_refused(
    small: Benchmark, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    (tmp_path / NAME).write_text(json.dumps(content(small) | change))
    with pytest.raises(SaberError, match=message) as caught:
        read_predictions(tmp_path, small)
    assert str(tmp_path) in str(caught.value)


def test_null_counts_as_nan(small: Benchmark, tmp_path: Path) -> None:
    spoiled = content(small)
    spoiled["default"]["statement-full"]["6"][str(small.candidates[6][0])] = None
    (tmp_path / NAME).write_text(json.dumps(spoiled))
    run = read_predictions(tmp_path / NAME, small).runs[Setting.STATEMENT_FULL]
    assert list(run.failures) == [6]
    assert np.isnan(run.scores[6]).all()


def test_unreadable_missing_and_ambiguous_files(small: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(SaberError, match="holds no SABERMath or SABERMathMini_predictions"):
        read_predictions(tmp_path)
    with pytest.raises(SaberError, match="no such file or folder"):
        read_predictions(tmp_path / "nowhere")
    (tmp_path / NAME).write_text(json.dumps(content(small))[:-40])
    with pytest.raises(SaberError, match=r"not readable as JSON .*--overwrite-strategy always"):
        read_predictions(tmp_path)
    (tmp_path / "SABERMath_predictions.json").write_text("{}")
    with pytest.raises(SaberError, match="predictions of 2 tasks; name one"):
        read_predictions(tmp_path)
    (tmp_path / "Other_predictions.json").write_text(json.dumps(content(small)))
    with pytest.raises(SaberError, match="'Other' is none of our tasks"):
        read_predictions(tmp_path / "Other_predictions.json")
    (tmp_path / "notes.json").write_text("[]")
    with pytest.raises(SaberError, match=r"is called <task>_predictions\.json"):
        read_predictions(tmp_path / "notes.json")
