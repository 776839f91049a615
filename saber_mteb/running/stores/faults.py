"""Says what is wrong with a store's file, and what to do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saber_mteb._errors import SaberError


class UnusableStore(SaberError):
    """A file of ours that can no longer be read; pruning removes it."""


_ELSEWHERE = "choose another folder with --cache or SABER_MTEB_CACHE"
_DAMAGED = (
    "is damaged ({error}) and cannot be used. Nothing else is affected: `saber-mteb cache prune "
    "--{store}` removes it, and what was in it is computed again."
)
_UNWRITTEN = (
    f"cannot be written ({{error}}): free some space on that disk, or {_ELSEWHERE}. Everything "
    "finished before is kept: the same command goes on from there."
)
_FORBIDDEN = f"cannot be opened for writing ({{error}}); {_ELSEWHERE}."
_MESSAGES = {
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_FULL: _UNWRITTEN,
    sqlite3.SQLITE_IOERR: _UNWRITTEN,
    sqlite3.SQLITE_READONLY: _FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: _FORBIDDEN,
    sqlite3.SQLITE_PERM: _FORBIDDEN,
    sqlite3.SQLITE_PROTOCOL: (
        f"cannot be locked ({{error}}): it must lie on a local disk; {_ELSEWHERE}."
    ),
    sqlite3.SQLITE_BUSY: (
        "is held by another process ({error}); wait for it or end it, then repeat the command: "
        "everything finished before is kept."
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
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the higher bytes are details
        if code not in _MESSAGES:
            raise
        kind = UnusableStore if _MESSAGES[code] is _DAMAGED else SaberError
        said = _MESSAGES[code].format(error=error, store=path.stem)
        raise kind(f"{path} {said}") from error
