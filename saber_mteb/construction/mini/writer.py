"""Writing the two tables as JSON lines, byte for byte the same on every platform."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from saber_mteb.construction.mini.generator import MiniTables, Row


def to_bytes(rows: Iterable[Row]) -> bytes:
    r"""Return one JSON object a line, UTF-8, keys in the order of the row.

    >>> to_bytes([{"id": "a", "topic": ["Algebra"]}])
    b'{"id": "a", "topic": ["Algebra"]}\n'
    """
    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    return "".join(lines).encode("utf-8")


def write_tables(tables: MiniTables, folder: Path) -> tuple[Path, Path]:
    """Write ``queries.jsonl`` and ``documents.jsonl`` into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    queries, documents = folder / "queries.jsonl", folder / "documents.jsonl"
    queries.write_bytes(to_bytes(tables.queries))
    documents.write_bytes(to_bytes(tables.documents))
    return queries, documents
