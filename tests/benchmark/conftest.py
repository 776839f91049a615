"""Small tables of the real schema, and folders that hold them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Columns = dict[str, list[Any]]
WriteFolder = Callable[..., Path]


@pytest.fixture
def queries() -> Columns:
    """Four queries with three candidates each."""
    return {
        "id": ["q-a", "q-b", "q-c", "q-d"],
        "problem": ["Solve $x=1$.", "Area of a disc?", "Is 7 prime?", "Count the subsets."],
        "solution": ["$x=1$", "$\\pi r^2$", "Yes.", "$2^n$"],
        "domains": [["Algebra"], ["Geometry"], ["Number Theory", "Algebra"], ["Combinatorics"]],
        "candidates": [[0, 1, 2], [3, 4, 5], [5, 1, 0], [2, 3, 4]],
        "relevance_scores": [[5.0, 0.0, 1.5], [0.0, 2.0, 5.0], [5.0, 3.25, 0.0], [1, 0, 5]],
    }


@pytest.fixture
def documents() -> Columns:
    """Six documents."""
    return {
        "problem": [f"Document {number}" for number in range(6)],
        "solution": [f"Solution {number}" for number in range(6)],
    }


@pytest.fixture
def write_folder(tmp_path: Path) -> WriteFolder:
    """Write both tables into ``tmp_path / name`` as ``parquet`` or ``jsonl``."""

    def write(
        queries: Columns, documents: Columns, form: str = "parquet", name: str = "small"
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for table, columns in (("queries", queries), ("documents", documents)):
            (write_parquet if form == "parquet" else write_json_lines)(
                folder / f"{table}.{form}", columns
            )
        return folder

    return write


def write_parquet(path: Path, columns: Columns) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table(columns), path)


def write_json_lines(path: Path, columns: Columns) -> None:
    rows = zip(*columns.values(), strict=True)
    lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
