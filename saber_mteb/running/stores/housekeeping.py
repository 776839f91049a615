"""Says what the stores of a folder hold, and makes room."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from saber_mteb._errors import SaberError
from saber_mteb.running.stores.database import Amount, Database
from saber_mteb.running.stores.embeddings import EmbeddingStore
from saber_mteb.running.stores.faults import UnusableStore
from saber_mteb.running.stores.scores import ScoreStore

_DAY = 86_400.0
# The log and its index that SQLite keeps beside an open file.
_COMPANIONS = ("-wal", "-shm")


@dataclass(frozen=True)
class StoreContent:
    """What lies in one file.

    Attributes:
        path: The file.
        size: Bytes on disk, the log included.
        amounts: Records by kind and recipe.
        problem: Why the file cannot be read; None if it can.
    """

    path: Path
    size: int
    amounts: Sequence[Amount] = ()
    problem: str | None = None


def survey(folder: Path) -> list[StoreContent]:
    """Return the content of each store that a folder has."""
    return [_content(path) for path in store_files(folder)]


def store_files(folder: Path) -> list[Path]:
    """Return the stores that a folder has."""
    paths = [folder / store.file_name for store in (EmbeddingStore, ScoreStore)]
    return [path for path in paths if path.is_file()]


def prune(path: Path, *, older_than: float | None = None) -> int:
    """Delete what is in a store, give its space back, and return the bytes freed.

    Other processes may use the store meanwhile: they miss what was deleted and compute it again.
    A file that cannot be read is removed; then no other process should be using it.

    Args:
        path: The store's file.
        older_than: Delete only what belongs to a system (or plan) for which nothing was written
            for so many days.

    Raises:
        SaberError: If the store cannot be written, or only a part of a damaged one is to go.
    """
    before = _size(path)
    try:
        with Database(path) as database:
            database.prune(None if older_than is None else time.time() - older_than * _DAY)
    except UnusableStore as error:
        if older_than is not None:
            raise SaberError(f"{error} Repeat the command without --older-than.") from error
        for file in _files(path):
            file.unlink(missing_ok=True)
    return before - _size(path)


def _content(path: Path) -> StoreContent:
    try:
        with Database(path) as database:
            amounts = database.tally()
    except SaberError as error:
        return StoreContent(path, _size(path), problem=str(error))
    return StoreContent(path, _size(path), amounts)


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in _files(path) if file.exists())


def _files(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + suffix) for suffix in _COMPANIONS)]
