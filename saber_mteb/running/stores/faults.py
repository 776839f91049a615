"""Says what is wrong with a store's file, and what to do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saber_mteb._errors import SaberError

_ELSEWHERE = "choose a folder you can write to with --cache or SABER_MTEB_CACHE"
_DAMAGED = (
    "is damaged ({error}) and cannot be read. Nothing else is affected: `saber-mteb cache prune "
    "{option}` removes it, and what was in it is computed again."
)
_FULL = (
    "cannot be written ({error}): free some space, for example with `saber-mteb cache prune`, or "
    "choose another folder with --cache or SABER_MTEB_CACHE. Everything finished before is kept: "
    "the same command goes on from there."
)
_MESSAGES = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _FULL,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_READONLY: "cannot be written ({error}); " + _ELSEWHERE + ".",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened for writing ({error}); " + _ELSEWHERE + ".",
    sqlite3.SQLITE_BUSY: (
        "is held by another process ({error}); wait for it or end it, then repeat the command: "
        "finished work is kept."
    ),
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite or the file system says about a file into `SaberError`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SaberError(f"{path} cannot be written ({reason}); {_ELSEWHERE}.") from error
    except sqlite3.Error as error:
        # The low byte is the kind, the rest a detail.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        message = _MESSAGES.get(code, "cannot be used ({error}); `saber-mteb cache prune` it.")
        option = f"--{path.stem}"
        raise SaberError(f"{path} {message.format(error=error, option=option)}") from error
