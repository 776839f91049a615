"""Keeps the outcome of a run in a results tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError
from saber_mteb.results._writing import read_json, write_json
from saber_mteb.results.mteb_format import task_result
from saber_mteb.results.run_file import write_run

if TYPE_CHECKING:
    from saber_mteb.benchmark.evaluation import Evaluation
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.results.tree import ResultFolder


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
        SaberError: If a file cannot be written; no result file then names numbers without a run.
    """
    task = benchmark.name
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
    path = folder.task_result(task)
    write_json(path, _with_other_settings(path, fresh, earlier_wins=mteb_wins))
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
    kept = {
        setting: block
        for setting, block in read_blocks(folder, task).items()
        if block["benchmark"]["content_hash"] == benchmark.content_hash
    }
    fresh = {setting.value: block for setting, block in blocks.items()}
    write_json(folder.provenance(task), {"schema": 1, "settings": {**kept, **fresh}})


def _with_other_settings(
    path: Path, fresh: dict[str, Any], *, earlier_wins: bool
) -> dict[str, Any]:
    """Add the settings that an earlier run of the same data left, as mteb's own merge does."""
    if not path.exists():
        return fresh
    earlier = read_json(path)
    if earlier.get("dataset_revision") != fresh["dataset_revision"]:
        return fresh
    old, new = earlier.get("scores", {}), fresh["scores"]
    if earlier_wins:
        return {**earlier, "scores": {**new, **old}}
    return {**fresh, "scores": {**old, **new}}


def _block(outcome: SettingOutcome) -> dict[str, Any]:
    return {
        **outcome.provenance,
        "n_queries": outcome.evaluation.n_queries,
        "n_scored": outcome.evaluation.n_scored,
        "failures": {str(row): reason for row, reason in outcome.run.failures.items()},
    }
