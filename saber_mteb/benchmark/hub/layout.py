"""Which files of a hub data set hold its train split."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from saber_mteb._errors import SaberError

_TRAIN = re.compile(r"(^|[/_.-])train([/_.-]|$)")
_OTHER_SPLIT = re.compile(r"(^|[/_.-])(test|validation|valid|dev)([/_.-]|$)")
_SHARD = re.compile(r"-(\d+)-of-(\d+)$")

# Where the hub's own tools put a data set's only configuration, in order of preference.
_USUAL_FOLDERS = ("data", "default/train", ".")


def train_files(names: Iterable[str]) -> list[str]:
    """Return the files of split ``train`` in row order; parquet before JSON lines; [] if none.

    Without any split in the names, all files of the format are taken as ``train``, as the hub's
    viewer does.

    Raises:
        SaberError: If several folders could be meant, or a shard is missing.

    >>> train_files(["README.md", "data/train-00000-of-00001.parquet", "data/test.parquet"])
    ['data/train-00000-of-00001.parquet']
    """
    every = sorted(names)
    for suffix in (".parquet", ".jsonl"):
        files = [name for name in every if name.endswith(suffix)]
        chosen = [name for name in files if _TRAIN.search(_stem(name))]
        if not chosen:
            chosen = [name for name in files if not _OTHER_SPLIT.search(_stem(name))]
        if chosen:
            return _complete(_in_one_folder(chosen))
    return []


def _stem(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))


def _in_one_folder(names: list[str]) -> list[str]:
    folders = {str(PurePosixPath(name).parent) for name in names}
    if len(folders) == 1:
        return names
    for usual in _USUAL_FOLDERS:
        if usual in folders:
            return [name for name in names if str(PurePosixPath(name).parent) == usual]
    raise SaberError(
        f"the train split could be in any of the folders {', '.join(sorted(folders))}; "
        f"expected one of {', '.join(_USUAL_FOLDERS)}"
    )


def _complete(names: list[str]) -> list[str]:
    """Check that no shard of ``…-00000-of-00003`` is missing, as during an upload."""
    shards = [_SHARD.search(_stem(name)) for name in names]
    totals = {int(shard[2]) for shard in shards if shard}
    numbers = [int(shard[1]) for shard in shards if shard]
    if totals and (None in shards or len(totals) > 1 or numbers != list(range(totals.pop()))):
        raise SaberError(f"the train split is not complete; found only {', '.join(names)}")
    return names
