"""Puts the shards of a run together: every number is computed anew from all of its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results.run_file import read_run
from saber_mteb.results.store import SettingOutcome, read_model_meta, save_result
from saber_mteb.running.job import Outcome
from saber_mteb.running.shard_checks import check_alike, check_complete, check_one_split
from saber_mteb.running.shard_results import ShardResult, find_shards

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.results.tree import ResultFolder


def merge_shards(
    folder: ResultFolder, benchmark: Benchmark, settings: Sequence[Setting] | None = None
) -> Outcome:
    """Put the shards below a result folder together and write them as its result.

    The run files are byte for byte those of a run without shards where a score does not depend on
    which texts share a batch (lexical systems). A neural model may differ from it in the last bits,
    because each shard plans its batches over its own texts; the shards stay named in provenance.

    Args:
        folder: The default folder of the system; the shards lie in its experiments.
        benchmark: What was asked.
        settings: What to merge; every setting that some shard has by default.

    Raises:
        SaberError: If a shard is missing (naming the command that makes it), if the shards do not
            fit together or are not of this benchmark, or if a file cannot be read or written.
    """
    shards = find_shards(folder, benchmark.name)
    check_one_split(folder, shards)
    wanted = settings or [s for s in Setting if any(s.value in shard.blocks for shard in shards)]
    check_complete(shards, wanted, benchmark.name)
    runs = {}
    made = {}
    for setting in wanted:
        check_alike(shards, setting, benchmark)
        runs[setting] = _union([_read(shard, setting, benchmark) for shard in shards], setting)
        made[setting] = _provenance(shards, setting)
    evaluations = {setting: evaluate(run, benchmark) for setting, run in runs.items()}
    save_result(
        folder,
        benchmark,
        {s: SettingOutcome(run, evaluations[s], made[s]) for s, run in runs.items()},
        model_meta=read_model_meta(shards[0].folder),
        date=datetime.now(UTC),
        seconds=None,
    )
    return Outcome(benchmark, runs, evaluations, folder)


def _read(result: ShardResult, setting: Setting, benchmark: Benchmark) -> Run:
    rows = result.shard.rows(len(benchmark.queries))
    path = result.folder.run(benchmark.name, setting)
    run = read_run(path, pool_size=benchmark.pool_size, rows=rows)
    reasons = result.blocks[setting.value].get("failures", {})
    known = {row: reasons.get(str(row), reason) for row, reason in run.failures.items()}
    return replace(run, failures=known)


def _union(parts: Sequence[Run], setting: Setting) -> Run:
    import numpy as np

    rows = np.concatenate([run.rows for run in parts])
    order = np.argsort(rows)
    failures: dict[int, str] = {}
    for run in parts:
        failures.update(run.failures)
    return Run(
        setting=setting,
        rows=rows[order],
        scores=np.concatenate([run.scores for run in parts])[order],
        failures=dict(sorted(failures.items())),
    )


def _provenance(shards: Sequence[ShardResult], setting: Setting) -> dict[str, Any]:
    """Return what is the same in all shards once, and what is not by shard."""
    blocks = {str(result.shard): result.blocks[setting.value] for result in shards}
    first = next(iter(blocks.values()))
    counted = {"n_queries", "n_scored", "failures"}
    shared = {
        name: value
        for name, value in first.items()
        if name not in counted and all(block.get(name) == value for block in blocks.values())
    }
    return {
        **shared,
        "shards": {
            name: {k: v for k, v in block.items() if k not in shared and k not in counted}
            for name, block in blocks.items()
        },
    }
