"""Times ways to keep scores and vectors side by side, and kills a writer of each.

    python benchmarks/stores.py

Scores: an answer of 150 per transaction, 3,000 of them. Vectors: batches of 32, of 1,024 and of
4,096 numbers. All are read back once by key, in another order. The contestants take turns;
figures are medians, and ratios to ours in brackets. *Bytes* is the space on disk by the space of
the bare numbers. LMDB (`pip install lmdb`) gets the checksum that SQLite records have here and
its fastest way to write, which a killed process survives and a power cut may not; parquet parts are
one file per transaction, renamed into place, with page checksums.
"""

from __future__ import annotations

import argparse
import importlib.util
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from saber_mteb.running.stores.embeddings import EmbeddingStore
from saber_mteb.running.stores.keys import digest

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 32


class Contestant(Protocol):
    """A way to keep rows of numbers under keys."""

    def append(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        """Keep rows in one transaction."""

    def read(self, keys: Sequence[bytes], out: NDArray[np.float32]) -> int:
        """Fill rows, and return how many were there and whole."""

    def close(self) -> None:
        """Close everything."""


class Ours:
    """SQLite; scores take the same path as vectors, under numbers instead of digests."""

    def __init__(self, folder: Path) -> None:
        self._store = EmbeddingStore.open(folder)

    def append(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        """Keep rows in one transaction."""
        self._store.append("recipe", keys, rows)

    def read(self, keys: Sequence[bytes], out: NDArray[np.float32]) -> int:
        """Read what is there."""
        known = self._store.known("recipe", keys)
        self._store.read("recipe", [key for key in keys if key in known], out[: len(known)])
        return len(known)

    def close(self) -> None:
        """Close the file."""
        self._store.close()


class Lmdb:
    """A memory-mapped B-tree."""

    def __init__(self, folder: Path) -> None:
        import lmdb

        self._environment = lmdb.open(str(folder), map_size=2**34, sync=False)

    def append(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        """Keep rows in one transaction."""
        with self._environment.begin(write=True) as transaction:
            for key, row in zip(keys, rows, strict=True):
                value = row.tobytes()
                check = zlib.crc32(value).to_bytes(4, "little")
                transaction.put(key, check + value, overwrite=False)

    def read(self, keys: Sequence[bytes], out: NDArray[np.float32]) -> int:
        """Read what is there."""
        whole = 0
        with self._environment.begin(buffers=True) as transaction:
            for key in keys:
                value = transaction.get(key)
                if value and zlib.crc32(value[4:]).to_bytes(4, "little") == value[:4]:
                    out[whole] = np.frombuffer(value[4:], dtype=np.float32)
                    whole += 1
        return whole

    def close(self) -> None:
        """Close the file."""
        self._environment.close()


class Parquet:
    """One file per transaction."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        """Keep rows in a file of their own."""
        import pyarrow as pa
        from pyarrow import parquet

        values = pa.array([row.tobytes() for row in rows], type=pa.binary(rows.shape[1] * 4))
        table = pa.table({"key": pa.array(keys, type=pa.binary(16)), "value": values})
        name = self._folder / keys[0].hex()
        parquet.write_table(
            table,
            name.with_suffix(".tmp"),
            compression="none",
            use_dictionary=False,
            write_page_checksum=True,
            write_statistics=False,
        )
        name.with_suffix(".tmp").rename(name.with_suffix(".parquet"))

    def read(self, keys: Sequence[bytes], out: NDArray[np.float32]) -> int:
        """Read every file and take what is asked; there is no index."""
        from pyarrow import parquet

        rows = {key: row for row, key in enumerate(keys)}
        whole = 0
        for path in self._folder.glob("*.parquet"):
            table = parquet.ParquetFile(path, page_checksum_verification=True).read()
            for key, value in zip(table["key"], table["value"], strict=True):
                row = rows.get(key.as_py())
                if row is not None:
                    out[row] = np.frombuffer(value.as_buffer(), dtype=np.float32)
                    whole += 1
        return whole

    def close(self) -> None:
        """Nothing is open."""


CONTESTANTS: dict[str, Callable[[Path], Contestant]] = {"sqlite": Ours, "parquet parts": Parquet}
if importlib.util.find_spec("lmdb"):
    CONTESTANTS["lmdb"] = Lmdb


class Figures(NamedTuple):
    """What one turn measured."""

    append: float
    read: float
    size: float


def turn(make: Callable[[Path], Contestant], count: int, width: int, step: int) -> Figures:
    """Write rows, open again, and read them in another order."""
    rows = np.random.default_rng(0).normal(size=(count, width)).astype(np.float32)
    keys = [digest(str(i)) for i in range(count)]
    order = np.random.default_rng(1).permutation(count)
    with tempfile.TemporaryDirectory() as name:
        store = make(Path(name))
        started = time.perf_counter()
        for start in range(0, count, step):
            store.append(keys[start : start + step], rows[start : start + step])
        store.close()
        written = time.perf_counter()
        store = make(Path(name))
        out = np.empty_like(rows)
        found = store.read([keys[i] for i in order], out)
        finished = time.perf_counter()
        store.close()
        if found != count or not np.array_equal(out, rows[order]):
            raise SystemExit("what was read is not what was written")
        # Blocks, not lengths: LMDB's file is as long as its map.
        size = sum(path.stat().st_blocks * 512 for path in Path(name).iterdir())
    return Figures(written - started, finished - written, size / rows.nbytes)


def race(what: str, count: int, width: int, step: int, repeats: int) -> None:
    """Let the contestants take turns and print medians."""
    turns: dict[str, list[Figures]] = {name: [] for name in CONTESTANTS}
    for _ in range(repeats):
        for name, make in CONTESTANTS.items():
            turns[name].append(turn(make, count, width, step))
    print(f"{what}: {count} × {width}, {step} per transaction")
    ours = [statistics.median(column) for column in zip(*turns["sqlite"], strict=True)]
    for name, figures in turns.items():
        append, read, size = (statistics.median(column) for column in zip(*figures, strict=True))
        print(
            f"  {name:14} append {append:6.2f} s ({append / ours[0]:5.2f})   "
            f"read {read:6.2f} s ({read / ours[1]:5.2f})   bytes {size:.3f}"
        )


def kill(name: str) -> None:
    """Kill a process that appends, and print what can be read afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        writer = subprocess.Popen(
            [sys.executable, __file__, "--write", name, folder], stdout=subprocess.PIPE, text=True
        )
        told = 0
        for _ in writer.stdout or ():
            told += 1
            if told == 200:
                writer.send_signal(signal.SIGKILL)
        writer.wait()
        keys = [digest(str(i)) for i in range(BATCH * (told + 10))]
        store = CONTESTANTS[name](Path(folder))
        whole = store.read(keys, np.empty((len(keys), 1024), dtype=np.float32))
        store.close()
        torn = len(list(Path(folder).glob("*.tmp")))
        print(f"  {name:14} told {told * BATCH}, whole {whole}, torn files left {torn}")


def write(name: str, folder: Path) -> None:
    """Append until killed, and tell each finished transaction."""
    store = CONTESTANTS[name](folder)
    rows = np.ones((BATCH, 1024), dtype=np.float32)
    for batch in range(100_000):
        store.append([digest(str(batch * BATCH + i)) for i in range(BATCH)], rows)
        print(batch, flush=True)


def main() -> None:
    """Run the races and the killings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--write", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write[0], Path(arguments.write[1]))
        return
    race("scores", 3000, 150, 1, arguments.repeats)
    race("vectors", 20_000, 1024, BATCH, arguments.repeats)
    race("vectors", 20_000, 4096, BATCH, arguments.repeats)
    print("killed while appending:")
    for name in CONTESTANTS:
        kill(name)


if __name__ == "__main__":
    main()
