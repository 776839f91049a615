"""Puts predictions of mteb into a results tree, with the run files that make them evidence."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb._mteb.predictions import Predictions, read_predictions
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.results.mteb_format import model_meta
from saber_mteb.results.store import SettingOutcome, save_result
from saber_mteb.results.tree import ResultFolder
from saber_mteb.running.job import Outcome
from saber_mteb.running.provenance import data_provenance, environment_provenance

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark


def import_predictions(path: Path, benchmark: Benchmark | None, output: Path) -> Outcome:
    """Read a prediction file, recompute every number from it and write it under ``output``.

    Result and model description that mteb has already written there stay as they are.

    Args:
        path: The folder given to mteb as ``--prediction-folder``, or the file in it.
        benchmark: What was asked; found by the name of the task if not given.
        output: The results tree.

    Raises:
        SaberError: If the file is not what mteb writes for this benchmark, no query has a score,
            or the place cannot be written.
    """
    predictions = read_predictions(path, benchmark)
    benchmark = predictions.benchmark
    evaluations = {setting: evaluate(run, benchmark) for setting, run in predictions.runs.items()}
    folder = ResultFolder(root=output, name=predictions.model_name, revision=predictions.revision)
    made = _provenance(predictions, benchmark)
    save_result(
        folder,
        benchmark,
        {
            setting: SettingOutcome(run, evaluations[setting], made)
            for setting, run in predictions.runs.items()
        },
        model_meta=_unknown_model(predictions),
        date=datetime.now(UTC),
        seconds=None,
        mteb_wins=True,
    )
    return Outcome(benchmark, predictions.runs, evaluations, folder)


def _provenance(predictions: Predictions, benchmark: Benchmark) -> dict[str, Any]:
    return {
        **environment_provenance(),
        "command": ["saber-mteb", *sys.argv[1:]],
        "system": {
            "name": predictions.model_name,
            "revision": predictions.revision,
            "protocol": "mteb",
        },
        "benchmark": data_provenance(benchmark),
    }


def _unknown_model(predictions: Predictions) -> dict[str, Any]:
    """Describe a model of which the prediction file tells name and revision only."""
    described = model_meta(
        name=predictions.model_name,
        revision=predictions.revision,
        release_date=None,
        license=None,
        reference=None,
    )
    return dict.fromkeys(described) | {
        "name": predictions.model_name,
        "revision": predictions.revision,
        "languages": ["eng-Latn"],
        "modalities": ["text"],
        "framework": [],
    }
