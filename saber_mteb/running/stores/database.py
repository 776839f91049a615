"""Records that survive: small binary values in an SQLite file, each with a checksum.

SQLite, because it comes with Python and is as good as needed here. `benchmarks/stores.py` on two
shared cores (SQLite 3.40, lmdb 3.0, pyarrow 26); time per record, space on disk by that of the bare
numbers:

=================================  ==============  ============  ==============
record                             SQLite          LMDB          parquet parts
=================================  ==============  ============  ==============
150 scores: append, read           160 µs, 27 µs   13 µs, 3 µs   650 µs, 220 µs
150 scores: space                  1.20            1.68          6.83
1,024 dimensions: append, read     41 µs, 30 µs    8 µs, 5 µs    44 µs, 18 µs
1,024 dimensions: space            1.13            2.02          1.03
4,096 dimensions: append, read     200 µs, 108 µs  24 µs, 28 µs  86 µs, 48 µs
4,096 dimensions: space            1.03            1.25          1.01
=================================  ==============  ============  ==============

All three keep every finished record when the writer is killed. LMDB is several times faster, but
SQLite already takes little beside the models: half a second for the 3,000 answers of a run, a fifth
of a millisecond for a vector. For that, LMDB would be one more dependency, up to twice the space, a
size fixed in advance, and a memory-mapped file, where a damaged page can end the process. Parquet
parts are a file per batch without an index: 3,000 files for a run.

The journal is a write-ahead log with ``synchronous = NORMAL``: a killed process loses nothing that
`Database.append` has returned from; a power cut may lose the last transactions and does not damage
the file. Such a log needs a local disk. The page size is SQLite's own 4 KiB: others up to 64 KiB
were tried, and each is worse for one of the two lengths (space up to 2.0). SQLite does not notice a
flipped bit inside a value, so each record has a CRC-32 of key and value.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from saber_mteb.running.stores.connecting import connect, transaction
from saber_mteb.running.stores.faults import explained

logger = logging.getLogger(__name__)

Key = TypeVar("Key", bytes, int)

_KEYS_AT_ONCE = (
    500  # SQLite builds differ in how many parameters a statement may have; 999 at least
)
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


@dataclass(frozen=True, slots=True)
class Amount:
    """How many records there are of a kind and a recipe."""

    kind: str
    recipe: str
    records: int


class Database:
    """An open file of records. Not for several threads."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it with its folder.

        Raises:
            SaberError: If it cannot be opened or written, or is not one of ours.
        """
        self.path = path
        self._connection = connect(path)

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
        with explained(self.path), transaction(self._connection):
            self._connection.execute(
                "INSERT INTO owners (kind, recipe, part, written) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (kind, recipe, part) DO UPDATE SET written = excluded.written",
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
                some = tuple(keys[start : start + _KEYS_AT_ONCE])
                among = f"{query} AND key IN ({','.join('?' * len(some))})"
                yield from self._whole(among, owner.name + some, damaged)
        if damaged:
            self._drop(owner, damaged)

    def tally(self) -> list[Amount]:
        """Return how many records there are by kind and recipe."""
        with explained(self.path):
            rows = self._connection.execute(
                "SELECT kind, recipe, count(records.id) FROM owners "
                "LEFT JOIN records ON records.owner = owners.id "
                "GROUP BY kind, recipe ORDER BY kind, recipe"
            ).fetchall()
        return [Amount(*row) for row in rows]

    def prune(self, before: float | None = None) -> None:
        """Delete records and give their space back.

        Args:
            before: Delete those of owners that nothing was written for since this time, in
                seconds since 1970; all by default.
        """
        with explained(self.path):
            with transaction(self._connection):
                if before is None:
                    self._connection.execute("DELETE FROM records")  # without WHERE: by the page
                    self._connection.execute("DELETE FROM owners")
                else:
                    old = "SELECT id FROM owners WHERE written < ?"
                    self._connection.execute(
                        f"DELETE FROM records WHERE owner IN ({old})", (before,)
                    )
                    self._connection.execute("DELETE FROM owners WHERE written < ?", (before,))
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

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
        with explained(self.path), transaction(self._connection):
            self._connection.executemany(
                f"DELETE FROM records WHERE owner = {_OWNER} AND key = ?",
                ((*owner.name, key) for key in keys),
            )
        logger.warning(
            "%s: %d of the %s kept there were damaged and have been dropped; "
            "they are computed again when they are needed.",
            *(self.path, len(keys), owner.kind),
        )


def _checksum(key: bytes | int, value: bytes) -> int:
    name = key if isinstance(key, bytes) else key.to_bytes(8, "little", signed=True)
    return zlib.crc32(value, zlib.crc32(name))
