"""Records that survive: small binary values in an SQLite file, each with a checksum."""

from __future__ import annotations

import logging
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from saber_mteb._errors import SaberError
from saber_mteb.running.stores.faults import explained

logger = logging.getLogger(__name__)

Key = TypeVar("Key", bytes, int)

_APPLICATION = 0x5AB3  # SQLite's field for "whose file is this"
_LAYOUT = 1
_BUSY_SECONDS = 120.0  # another process may be compacting gigabytes
_KEYS_AT_ONCE = (
    500  # SQLite builds differ in how many parameters a statement may have; 999 at least
)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS owners (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    recipe TEXT NOT NULL,
    part TEXT NOT NULL,
    written REAL NOT NULL,
    UNIQUE (kind, recipe, part)
);
CREATE TABLE IF NOT EXISTS records (
    id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL,
    key NOT NULL,
    checksum INTEGER NOT NULL,
    value BLOB NOT NULL,
    UNIQUE (owner, key)
);
"""
_OWNER = "(SELECT id FROM owners WHERE kind = ? AND recipe = ? AND part = ?)"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose records: they are counted and pruned together.

    Attributes:
        kind: What the records are.
        recipe: Identifies the system; empty if the part says it already.
        part: What else tells records apart.
    """

    kind: str
    recipe: str
    part: str = ""

    @property
    def name(self) -> tuple[str, str, str]:
        """The values of the columns."""
        return self.kind, self.recipe, self.part


@dataclass(frozen=True, slots=True)
class Record(Generic[Key]):
    """A value under its key."""

    key: Key
    value: bytes


class Database:
    """An open file of records. Not for several threads."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it with its folder.

        Raises:
            SaberError: If it cannot be opened or written, or is not one of ours.
        """
        self.path = path
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            with explained(path):
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        with explained(self.path):
            self._connection.close()

    def append(self, owner: Owner, records: Iterable[Record[Key]]) -> None:
        """Write records in one transaction; a key that is already there keeps its first value.

        Raises:
            SaberError: If the file cannot be written; then none of the records is there.
        """
        with explained(self.path), self._transaction():
            self._connection.execute(
                "INSERT INTO owners (kind, recipe, part, written) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET written = excluded.written",
                (*owner.name, time.time()),
            )
            (number,) = self._connection.execute(f"SELECT {_OWNER}", owner.name).fetchone()
            self._connection.executemany(
                "INSERT OR IGNORE INTO records (owner, key, checksum, value) VALUES (?, ?, ?, ?)",
                ((number, r.key, _checksum(r.key, r.value), r.value) for r in records),
            )

    def read(self, owner: Owner, keys: Sequence[Key] | None = None) -> Iterator[Record[Key]]:
        """Yield the whole records of an owner, a few at a time in memory, in no given order.

        Args:
            owner: Whose records.
            keys: Which ones, each once; all by default. Absent ones are left out.

        Damaged ones are left out too, deleted, and said in the log.
        """
        damaged: list[Key] = []
        query = f"SELECT key, checksum, value FROM records WHERE owner = {_OWNER}"
        if keys is None:
            yield from self._whole(query, owner.name, damaged)
        else:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                yield from self._whole(
                    f"{query} AND key IN ({marks})", (*owner.name, *some), damaged
                )
        if damaged:
            self._drop(owner, damaged)

    def _whole(
        self, query: str, values: tuple[object, ...], damaged: list[Key]
    ) -> Iterator[Record[Key]]:
        with explained(self.path):
            rows = self._connection.execute(query, values)
        while True:
            with explained(self.path):
                row = next(rows, None)
            if row is None:
                return
            key, checksum, value = row
            if checksum == _checksum(key, value):
                yield Record(key, value)
            else:
                damaged.append(key)

    def _drop(self, owner: Owner, keys: Sequence[Key]) -> None:
        with explained(self.path), self._transaction():
            self._connection.executemany(
                f"DELETE FROM records WHERE owner = {_OWNER} AND key = ?",
                ((*owner.name, key) for key in keys),
            )
        logger.warning(
            "%s: %d of the %s kept there were damaged and have been dropped; "
            "they are computed again when they are needed.",
            *(self.path, len(keys), owner.kind),
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        # IMMEDIATE: wait for other writers here, where SQLite does wait.
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _prepare(self) -> None:
        execute = self._connection.execute
        (application,) = execute("PRAGMA application_id").fetchone()
        (layout,) = execute("PRAGMA user_version").fetchone()
        if (application, layout) == (_APPLICATION, _LAYOUT):
            execute("PRAGMA synchronous = NORMAL")
            return
        (tables,) = execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if tables:
            raise SaberError(
                f"{self.path} was written by another program or another version of saber-mteb "
                f"(mark {application}, layout {layout}; expected {_APPLICATION}, {_LAYOUT}); "
                "choose another folder with SABER_MTEB_CACHE, or delete the file."
            )
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = NORMAL")
        with self._transaction():
            for statement in _SCHEMA.split(";"):
                execute(statement)
            execute(f"PRAGMA application_id = {_APPLICATION}")
            execute(f"PRAGMA user_version = {_LAYOUT}")


def _checksum(key: bytes | int, value: bytes) -> int:
    name = key if isinstance(key, bytes) else key.to_bytes(8, "little", signed=True)
    return zlib.crc32(value, zlib.crc32(name))
