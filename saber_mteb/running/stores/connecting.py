"""Opens a store's file: new, ours, or neither."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saber_mteb._errors import SaberError
from saber_mteb.running.stores.faults import UnusableStore, explained

_APPLICATION = 0x5AB3  # SQLite's field for "whose file is this"
_LAYOUT = 1
_BUSY_SECONDS = 120.0  # another process may be compacting gigabytes
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS owners (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        recipe TEXT NOT NULL,
        part TEXT NOT NULL,
        written REAL NOT NULL,
        UNIQUE (kind, recipe, part)
    )""",
    """CREATE TABLE IF NOT EXISTS records (
        id INTEGER PRIMARY KEY,
        owner INTEGER NOT NULL,
        key NOT NULL,
        checksum INTEGER NOT NULL,
        value BLOB NOT NULL,
        UNIQUE (owner, key)
    )""",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_LAYOUT}",
)


def connect(path: Path) -> sqlite3.Connection:
    """Open a file of records, or create it with its folder.

    Raises:
        UnusableStore: If it is damaged or of another layout.
        SaberError: If it cannot be opened or written, or is another program's.
    """
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            if not _is_ready(connection, path):
                connection.execute("PRAGMA journal_mode = WAL")
                with transaction(connection):
                    for statement in _SCHEMA:
                        connection.execute(statement)
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write everything inside, or nothing; waits for other writers."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # when the disk is full SQLite has rolled back already
            connection.execute("ROLLBACK")
        raise


def _is_ready(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file has our tables; False if it is empty."""
    connection.execute("BEGIN")  # one view of all three: another process may be creating the file
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        connection.execute("ROLLBACK")
    if application == _APPLICATION and layout != _LAYOUT:
        raise UnusableStore(
            f"{path} has layout {layout}, this version of saber-mteb reads {_LAYOUT}; "
            f"remove it with `saber-mteb cache prune --{path.stem}`."
        )
    if application != _APPLICATION and tables:
        raise SaberError(
            f"{path} was written by another program and is left alone; move it away, or "
            "choose another folder with --cache or SABER_MTEB_CACHE."
        )
    return bool(application == _APPLICATION)
