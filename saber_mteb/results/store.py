"""Keeps the outcome of a run in a results tree."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results._writing import read_json, write_json
from saber_mteb.results.mteb_format import task_result
from saber_mteb.results.run_file import write_run

if TYPE_CHECKING:
    from saber_mteb.benchmark.evaluation import Evaluation
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run
    from saber_mteb.results.tree import ResultFolder

logger = logging.getLogger(__name__)

# mteb rounds measures to five digits and its file to six.
MTEB_ROUNDING = 1e-5


@dataclass(frozen=True)
class SettingOutcome:
    """One setting of a finished run.

    Attributes:
        run: The scores.
        evaluation: The numbers computed from them.
        provenance: What is needed to repeat it, JSON-ready.
    """

    run: Run
    evaluation: Evaluation
    provenance: Mapping[str, Any]


def save_result(
    folder: ResultFolder,
    benchmark: Benchmark,
    outcomes: Mapping[Setting, SettingOutcome],
    *,
    model_meta: dict[str, Any],
    date: datetime,
    seconds: float | None,
    mteb_wins: bool = False,
) -> None:
    """Write run files first, then provenance, then MTEB's result and model description.

    Settings that an earlier run of the same data left in the result file stay in it.

    Args:
        folder: Where.
        benchmark: What was asked.
        outcomes: By setting.
        model_meta: Content of ``model_meta.json``.
        date: When the run ended, with a time zone.
        seconds: Wall time of the run, if known.
        mteb_wins: Leave files and settings as they are where mteb has written them already.

    Raises:
        SaberError: If a file cannot be written; no result file then names numbers without a run. Or
            if what mteb has written contradicts the run; then nothing is written.
    """
    task = benchmark.name
    path = folder.task_result(task)
    earlier = _earlier_scores(path, benchmark)
    if mteb_wins:
        for setting, outcome in outcomes.items():
            _check_agreement(path, earlier.get(setting.value), setting, outcome.evaluation.overall)
    _save_runs(
        folder,
        benchmark,
        {setting: outcome.run for setting, outcome in outcomes.items()},
        {setting: _block(outcome) for setting, outcome in outcomes.items()},
    )
    fresh = task_result(
        benchmark,
        {setting: outcome.evaluation for setting, outcome in outcomes.items()},
        evaluation_time=seconds,
        date=date,
    )
    if not (mteb_wins and set(fresh["scores"]) <= set(earlier)):
        write_json(path, {**fresh, "scores": {**earlier, **fresh["scores"]}})
    if not (mteb_wins and folder.model_meta.exists()):
        write_json(folder.model_meta, model_meta)


def save_shard(
    folder: ResultFolder,
    benchmark: Benchmark,
    runs: Mapping[Setting, Run],
    provenance: Mapping[Setting, Mapping[str, Any]],
    *,
    model_meta: dict[str, Any],
) -> None:
    """Write what a merge needs: run files, provenance and model description.

    There is no result file: the mean over a shard is no result, and must not be read as one.

    Raises:
        SaberError: If a file cannot be written.
    """
    blocks = {
        setting: {
            **provenance[setting],
            "n_queries": len(run.rows),
            "n_scored": len(run.rows) - len(run.failures),
            "failures": {str(row): reason for row, reason in run.failures.items()},
        }
        for setting, run in runs.items()
    }
    _save_runs(folder, benchmark, runs, blocks)
    write_json(folder.model_meta, model_meta)


def read_blocks(folder: ResultFolder, task: str) -> dict[str, Any]:
    """Return how the runs of a task were made, by setting; empty if there are none.

    Raises:
        SaberError: If the file is damaged.
    """
    path = folder.provenance(task)
    if not path.exists():
        return {}
    settings = read_json(path).get("settings")
    if not isinstance(settings, dict) or not all(isinstance(b, dict) for b in settings.values()):
        raise SaberError(f"{path}: the field 'settings' is missing; delete the file and run again.")
    return settings


def read_model_meta(folder: ResultFolder) -> dict[str, Any]:
    """Return the model description that lies in a result folder.

    Raises:
        SaberError: If it is missing or damaged.
    """
    return read_json(folder.model_meta)


def _save_runs(
    folder: ResultFolder,
    benchmark: Benchmark,
    runs: Mapping[Setting, Run],
    blocks: Mapping[Setting, Mapping[str, Any]],
) -> None:
    task = benchmark.name
    for setting, run in runs.items():
        write_run(folder.run(task, setting), run)
    kept = {}
    for name, block in read_blocks(folder, task).items():
        if block["benchmark"]["content_hash"] == benchmark.content_hash:
            kept[name] = block
        elif name not in {setting.value for setting in runs}:
            # A run of other data beside the new ones would pass for one of them.
            folder.run(task, Setting(name)).unlink(missing_ok=True)
    fresh = {setting.value: block for setting, block in blocks.items()}
    write_json(folder.provenance(task), {"schema": 1, "settings": {**kept, **fresh}})


def _earlier_scores(path: Path, benchmark: Benchmark) -> dict[str, Any]:
    """Return the settings that an earlier run of the same data left, as mteb's own merge does."""
    if not path.exists():
        return {}
    earlier = read_json(path)
    if earlier.get("dataset_revision") != benchmark.revision:
        logger.warning("%s holds results of other data; they are replaced.", path)
        return {}
    scores: dict[str, Any] = earlier.get("scores", {})
    return scores


def _check_agreement(path: Path, stored: Any, setting: Setting, recomputed: float) -> None:  # noqa: ANN401
    """Demand that a stored score is that of the run; mteb rounds to six digits."""
    if stored and abs(stored[0]["main_score"] - recomputed) > MTEB_ROUNDING:
        raise SaberError(
            f"{path} says {stored[0]['main_score']:.6f} for {setting}, the run gives "
            f"{recomputed:.6f}: they are not of the same run. Nothing was written; move the file "
            "away or choose another --output."
        )


def _block(outcome: SettingOutcome) -> dict[str, Any]:
    return {
        **outcome.provenance,
        "n_queries": outcome.evaluation.n_queries,
        "n_scored": outcome.evaluation.n_scored,
        "failures": {str(row): reason for row, reason in outcome.run.failures.items()},
    }
