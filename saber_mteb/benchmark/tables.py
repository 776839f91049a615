"""Reads a table from parquet or JSON lines and remembers where each row came from."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a table: its name in messages, its first row, and for JSON its line numbers."""

    name: str
    first_row: int
    lines: Sequence[int] | None = None


@dataclass(frozen=True)
class Table:
    """Columns of equal length as Python values; a value that is missing in JSON is None."""

    parts: tuple[Part, ...]
    columns: Mapping[str, list[Any]]
    n_rows: int

    @property
    def name(self) -> str:
        """The first file's name, for faults of the whole table."""
        return self.parts[0].name

    def where(self, row: int) -> str:
        """Return file, row number in the table, and for JSON the line in that file."""
        part = self.parts[bisect_right([part.first_row for part in self.parts], row) - 1]
        line = "" if part.lines is None else f" (line {part.lines[row - part.first_row]})"
        return f"{part.name}, row {row}{line}"


def read_table(paths: Sequence[Path]) -> Table:
    """Read one table that lies in one or more files of one format, in the given order.

    Args:
        paths: Files that end in ``.parquet`` or ``.jsonl``, at least one.

    Raises:
        SaberError: If a file cannot be read or parsed, or the files have different columns.
    """
    parts: list[Part] = []
    columns: dict[str, list[Any]] = {}
    n_rows = 0
    for path in paths:
        read = _read_parquet(path) if path.suffix == ".parquet" else _read_json_lines(path)
        if parts and set(read.columns) != set(columns):
            raise SaberError(
                f"{path.name} has the columns {_listed(read.columns)}, but {parts[0].name} has "
                f"{_listed(columns)}; the files of one table must have the same columns."
            )
        parts.append(Part(path.name, n_rows, read.lines))
        for name, values in read.columns.items():
            columns.setdefault(name, []).extend(values)
        n_rows += read.n_rows
    return Table(tuple(parts), columns, n_rows)


@dataclass(frozen=True, slots=True)
class _Contents:
    columns: Mapping[str, list[Any]]
    n_rows: int
    lines: Sequence[int] | None = None


def _read_parquet(path: Path) -> _Contents:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    try:
        # ParquetFile, not read_table: the latter takes folder names such as `a=b` for columns.
        with ParquetFile(path) as file:
            table = file.read()
        columns = {name: table.column(name).to_pylist() for name in table.column_names}
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SaberError(
            f"{path}: cannot be read as parquet ({reason}). "
            "Copy or write it again; a half-copied file looks like this."
        ) from error
    return _Contents(columns, table.num_rows)


def _read_json_lines(path: Path) -> _Contents:
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if raw.strip():
                    rows.append(_parse_line(path, number, raw.rstrip(b"\r\n")))
                    lines.append(number)
    except OSError as error:
        raise SaberError(f"{path}: cannot be read ({error.strerror or error}).") from error
    names = dict.fromkeys(name for row in rows for name in row)
    return _Contents({name: [row.get(name) for row in rows] for name in names}, len(rows), lines)


def _parse_line(path: Path, number: int, raw: bytes) -> dict[str, Any]:
    try:
        row = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise SaberError(
            f"{path}, line {number}: byte {error.start + 1} is not UTF-8. Save the file as UTF-8."
        ) from error
    except json.JSONDecodeError as error:
        raise SaberError(
            f"{path}, line {number}, column {error.colno}: not valid JSON ({error.msg}). "
            "Each line must be one complete JSON object."
        ) from error
    except ValueError as error:  # an integer of thousands of digits
        raise SaberError(f"{path}, line {number}: a number is too long to be read.") from error
    except RecursionError as error:
        raise SaberError(f"{path}, line {number}: JSON nested too deeply.") from error
    if not isinstance(row, dict):
        raise SaberError(
            f"{path}, line {number}: found a JSON {type(row).__name__}, expected an object "
            'such as {"problem": "…", "solution": "…"}.'
        )
    return row


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"
