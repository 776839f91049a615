"""Puts the shards of a run together: every number is computed anew from all of its scores."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results.run_file import read_run
from saber_mteb.results.store import SettingOutcome, read_blocks, read_model_meta, save_result
from saber_mteb.results.tree import ResultFolder
from saber_mteb.running.job import Outcome
from saber_mteb.running.shards import Shard
from saber_mteb.systems.registry import find_card, load_cards

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark

logger = logging.getLogger(__name__)

# What must be the same in every shard, because it decides scores.
_SAME = ("system", "benchmark")
# What should be: another version of a package may change the last digits.
_ALIKE = ("versions", "python", "machine", "device", "hardware", "batches")


@dataclass(frozen=True)
class ShardResult:
    """What one shard left behind.

    Attributes:
        shard: Which rows.
        folder: Where.
        blocks: How its runs were made, by setting.
    """

    shard: Shard
    folder: ResultFolder
    blocks: Mapping[str, Any]


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
    _check_one_split(folder, shards)
    wanted = settings or [s for s in Setting if any(s.value in shard.blocks for shard in shards)]
    _check_complete(shards, wanted, benchmark.name)
    runs = {}
    made = {}
    for setting in wanted:
        _check_alike(shards, setting, benchmark)
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


def find_shards(folder: ResultFolder, task: str) -> list[ShardResult]:
    """Return the shards of a task below a result folder, sorted; those without a run left out."""
    found = []
    experiments = folder.path / "experiments"
    for path in experiments.iterdir() if experiments.is_dir() else ():
        shard = Shard.of_slug(path.name)
        if shard is not None:
            place = replace(folder, experiment=shard.slug)
            blocks = read_blocks(place, task)
            if blocks:
                found.append(ShardResult(shard, place, blocks))
    return sorted(found, key=lambda result: (result.shard.count, result.shard.index))


def find_folder(system: str, root: Path, task: str) -> ResultFolder:
    """Return the result folder that a system's shards of a task lie in.

    Args:
        system: Its key or name, or the folder itself.
        root: The results tree to look in, unless a folder was given.
        task: The benchmark's name.

    Raises:
        UsageError: If it is neither a known system nor a folder with shards.
        SaberError: If there are no shards, or shards of several revisions.
    """
    path = Path(system)
    if path.is_dir() and system not in load_cards():
        return _folder_at(path, task)
    card = find_card(system)
    current = ResultFolder(root=root, name=card.name, revision=card.revision)
    places = [current.path, *sorted(current.path.parent.glob("*"))]
    holding = [p for p in dict.fromkeys(places) if find_shards(_named(p, card.name), task)]
    if len(holding) > 1:
        listed = "\n".join(f"  {path}" for path in holding)
        raise SaberError(f"There are shards of several revisions; name one of\n{listed}")
    return _named(holding[0], card.name) if holding else current


def _folder_at(path: Path, task: str) -> ResultFolder:
    """Return the result folder at a path; its system's name is in the provenance of its shards."""
    path = path.resolve()
    for result in find_shards(_named(path, path.parent.name), task):
        block = next(iter(result.blocks.values()))
        return _named(path, str(block["system"]["name"]))
    raise UsageError(
        f"{path} holds no shards of {task}; give the folder above 'experiments', "
        "e.g. results/saber__bm25/<revision>."
    )


def _named(path: Path, name: str) -> ResultFolder:
    return ResultFolder(root=path.parent.parent, name=name, revision=path.name)


def _check_one_split(folder: ResultFolder, shards: Sequence[ShardResult]) -> None:
    if not shards:
        raise SaberError(
            f"There are no shards in {folder.path / 'experiments'}; "
            "a shard is made by `saber-mteb run … --shard 1/4`."
        )
    counts = sorted({result.shard.count for result in shards})
    if len(counts) > 1:
        names = ", ".join(result.shard.slug for result in shards)
        raise SaberError(
            f"{folder.path / 'experiments'} holds shards that overlap: it was split "
            f"{' and '.join(map(str, counts))} ways ({names}). Delete those of one split."
        )


def _check_complete(shards: Sequence[ShardResult], wanted: Sequence[Setting], task: str) -> None:
    count = shards[0].shard.count
    present = {result.shard.index: result for result in shards}
    lines = []
    for index in range(1, count + 1):
        result = present.get(index)
        lacking = [s for s in wanted if result is None or s.value not in result.blocks]
        if lacking:
            command = _command(shards, Shard(index, count), lacking)
            lines.append(f"  {index}/{count} ({', '.join(lacking)}): {command}")
    if lines:
        raise SaberError(
            f"{len(lines)} of {count} shards of {task} are missing or lack a setting; run\n"
            + "\n".join(lines)
        )


def _command(shards: Sequence[ShardResult], shard: Shard, settings: Sequence[Setting]) -> str:
    """Return the recorded command of a shard, rewritten to make another one."""
    recorded = next(iter(shards[0].blocks.values())).get("command", [])
    words: list[str] = []
    skip = False
    for word in recorded:
        if skip or word in ("--shard", "--setting"):
            skip = not skip
        elif not word.startswith(("--shard=", "--setting=")):
            words.append(word)
    if words[1:2] != ["run"]:  # made from Python
        words = ["saber-mteb", "run", "…"]
    for setting in settings if len(settings) < len(Setting) else ():
        words += ["--setting", setting.value]
    return " ".join(w if w == "…" else shlex.quote(w) for w in [*words, "--shard", str(shard)])


def _check_alike(shards: Sequence[ShardResult], setting: Setting, benchmark: Benchmark) -> None:
    first = shards[0]
    n_queries = len(benchmark.queries)
    for result in shards:
        block, reference = result.blocks[setting.value], first.blocks[setting.value]
        path = result.folder.provenance(benchmark.name)
        content = str(block.get("benchmark", {}).get("content_hash"))
        if content != benchmark.content_hash:
            raise SaberError(
                f"{path}: {setting} was run on other data (content {content[:12]}) than "
                f"{benchmark.name} holds now ({benchmark.content_hash[:12]}); "
                "run the shard again or name those data."
            )
        for field in _SAME:
            if block.get(field) != reference.get(field):
                raise SaberError(
                    f"{path}: {setting} has another '{field}' than {first.folder.experiment}: "
                    f"{_difference(reference.get(field), block.get(field))}. Run it again."
                )
        for field in _ALIKE:
            if block.get(field) != reference.get(field):
                logger.warning(
                    "%s has other %s than %s (%s): %s; the last digits of its scores may differ.",
                    *(result.shard.slug, field, first.shard.slug, setting.value),
                    _difference(reference.get(field), block.get(field)),
                )
        rows = result.shard.rows(n_queries)
        if block.get("rows") != {"start": rows.start, "stop": rows.stop, "step": rows.step}:
            raise SaberError(
                f"{path}: the rows {block.get('rows')} were asked, not those of shard "
                f"{result.shard}; the folder was renamed or copied. Run the shard again."
            )


def _difference(expected: object, found: object) -> str:
    """Return what differs between two JSON values, the deepest names only."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        names = sorted(
            name for name in {*expected, *found} if expected.get(name) != found.get(name)
        )
        return "; ".join(f"{n} {_difference(expected.get(n), found.get(n))}" for n in names)
    return f"{expected!r} there, {found!r} here"


def _read(result: ShardResult, setting: Setting, benchmark: Benchmark) -> Run:
    rows = result.shard.rows(len(benchmark.queries))
    path: Path = result.folder.run(benchmark.name, setting)
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
