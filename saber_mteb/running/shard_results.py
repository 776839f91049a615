"""Finds what the shards of a run left in a results tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.results.store import read_blocks
from saber_mteb.results.tree import ResultFolder, slug
from saber_mteb.running.shards import Shard
from saber_mteb.systems.registry import find_card, load_cards

HOW = "; a shard is made by `saber-mteb run … --shard 1/4`."


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
        system: Its key or full name, or the folder itself.
        root: The results tree to look in, unless a folder was given.
        task: The benchmark's name.

    Raises:
        UsageError: If it is neither a known system nor a folder with shards.
        SaberError: If there are no shards, or shards of several revisions.
    """
    path = Path(system)
    if path.is_dir() and system not in load_cards():
        return _folder_at(path, task)
    # A model without a card is known by the folder that its shards have made.
    known = "/" in system and (root / slug(system)).is_dir()
    name = system if known else find_card(system).name
    revisions = sorted((root / slug(name)).glob("*"))
    holding = [p for p in revisions if find_shards(_named(p, name), task)]
    if len(holding) > 1:
        listed = "\n".join(f"  {path}" for path in holding)
        raise SaberError(f"There are shards of several revisions; name one of\n{listed}")
    if not holding:
        raise SaberError(f"There are no shards of {task} in {root / slug(name)}{HOW}")
    return _named(holding[0], name)


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
