"""Whether shards make a whole: each there once, and all of the same run."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.shard_results import HOW, ShardResult
from saber_mteb.running.shards import Shard

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.results.tree import ResultFolder

logger = logging.getLogger(__name__)

# What must be the same in every shard, because it decides scores.
_SAME = ("system", "benchmark")
# What should be: another version of a package may change the last digits.
_ALIKE = ("versions", "python", "machine", "device", "hardware", "batches")


def check_one_split(folder: ResultFolder, shards: Sequence[ShardResult]) -> None:
    """Check that there are shards, all of one way to split.

    Raises:
        SaberError: If there are none, or shards that overlap.
    """
    if not shards:
        raise SaberError(f"There are no shards in {folder.path / 'experiments'}{HOW}")
    counts = sorted({result.shard.count for result in shards})
    if len(counts) > 1:
        names = ", ".join(result.shard.slug for result in shards)
        raise SaberError(
            f"{folder.path / 'experiments'} holds shards that overlap: it was split "
            f"{' and '.join(map(str, counts))} ways ({names}). Delete those of one split."
        )


def check_complete(shards: Sequence[ShardResult], wanted: Sequence[Setting], task: str) -> None:
    """Check that every shard has every wanted setting.

    Raises:
        SaberError: If one has not; names the command that makes it.
    """
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


def check_alike(shards: Sequence[ShardResult], setting: Setting, benchmark: Benchmark) -> None:
    """Check that the runs of a setting fit together; other versions or machines are a warning.

    Raises:
        SaberError: If one is of other data, another system or other rows.
    """
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
