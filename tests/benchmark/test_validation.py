"""Every fault of the tables is one message that names file, row and remedy.

The table below is the specification: a change of the good tables, and what the message must say.
Row 2 stands in line 3 of a JSON lines file.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark import load_benchmark
from saber_mteb.benchmark.tables import Part, Table, read_table
from saber_mteb.benchmark.validation import TOLERABLE, assemble

Columns = dict[str, list[Any]]
WriteFolder = Callable[..., Path]
Change = Callable[[Columns, Columns], object]


def cell(column: str, value: object) -> Change:
    """Put a value into row 2 of the queries."""
    return lambda queries, documents: queries[column].__setitem__(2, value)


CASES: dict[str, tuple[Change, str]] = {
    "missing column": (
        lambda q, d: q.update(relevance_score=q.pop("relevance_scores")),
        r"queries.jsonl: the column 'relevance_scores' is missing; found id, problem, .*"
        r"Did you mean 'relevance_score'\?",
    ),
    "missing document column": (
        lambda q, d: d.pop("solution"),
        r"documents.jsonl: the column 'solution' is missing; found problem",
    ),
    "candidate too large": (
        cell("candidates", [5, 6, 0]),
        r"row 2 \(line 3\): candidate 6 \(position 1\) .*numbered 0 to 5",
    ),
    "candidate negative": (cell("candidates", [5, -1, 0]), r"row 2 .*candidate -1 \(position 1\)"),
    "candidate beyond 64 bits": (cell("candidates", [5, 2**70, 0]), rf"candidate {2**70} "),
    "candidate repeated": (
        cell("candidates", [5, 1, 5]),
        r"row 2 \(line 3\): candidate 5 stands in the list more than once",
    ),
    "candidate not whole": (
        cell("candidates", [5, 1.0, 0]),
        r"row 2 .*'candidates' holds 1.0 \(decimal number\) at position 1",
    ),
    "candidate a text": (cell("candidates", [5, "1", 0]), r"holds '1' \(text\) at position 1"),
    "candidate a truth value": (cell("candidates", [5, True, 0]), r"holds True \(truth value\)"),
    "candidate null": (cell("candidates", [5, None, 0]), r"holds null at position 1"),
    "no candidates": (cell("candidates", []), r"row 2 .*'candidates' is empty, expected a list"),
    "candidates null": (cell("candidates", None), r"'candidates' is null, expected a list"),
    "candidates a text": (cell("candidates", "5 1 0"), r"'candidates' is a text"),
    "unequal lengths": (
        cell("relevance_scores", [5.0, 0.0]),
        r"row 2 \(line 3\): 3 candidates but 2 relevance scores",
    ),
    "other pool size": (
        lambda q, d: (cell("candidates", [5, 1])(q, d), cell("relevance_scores", [5, 0])(q, d)),
        r"row 2 \(line 3\): 2 candidates, while most queries have 3",
    ),
    "grade NaN": (
        cell("relevance_scores", [5, math.nan, 0]),
        r"row 2 .*score nan \(position 1\) is NaN",
    ),
    "grade negative": (cell("relevance_scores", [5, -0.1, 0]), r"score -0.1 .* is negative"),
    "grade above 5": (cell("relevance_scores", [5.01, 1, 0]), r"score 5.01 .* is above 5"),
    "grade infinite": (cell("relevance_scores", [math.inf, 1, 0]), r"score inf .* is above 5"),
    "grade null": (
        cell("relevance_scores", [5, None, 0]),
        r"row 2 .*'relevance_scores' holds null at position 1",
    ),
    "grade a text": (cell("relevance_scores", [5, "1", 0]), r"holds '1' \(text\)"),
    "unknown domain": (
        cell("domains", ["Numbers Theory"]),
        r"row 2 \(line 3\): unknown domain 'Numbers Theory'. Did you mean 'Number Theory'\?",
    ),
    "no domains": (cell("domains", []), r"row 2 .*'domains' is \[\], expected a list"),
    "domains a text": (cell("domains", "Algebra"), r"'domains' is 'Algebra', expected a list"),
    "repeated domain": (cell("domains", ["Algebra", "Algebra"]), r"names a label twice"),
    "empty problem": (cell("problem", ""), r"row 2 \(line 3\): 'problem' is '', expected a text"),
    "blank problem": (cell("problem", " \n\t"), r"'problem' is ' \\n\\t'"),
    "null problem": (cell("problem", None), r"'problem' is null"),
    "null solution": (cell("solution", None), r"row 2 .*'solution' is null"),
    "blank document": (
        lambda q, d: d["problem"].__setitem__(2, ""),
        r"documents.jsonl, row 2 \(line 3\): 'problem' is ''",
    ),
    "duplicate id": (cell("id", "q-a"), r"row 2 \(line 3\): repeats the id of row 0"),
    "null id": (cell("id", None), r"row 2 .*'id' is null"),
    "duplicate text": (
        lambda q, d: (
            cell("problem", q["problem"][1])(q, d),
            cell("solution", q["solution"][1])(q, d),
        ),
        r"row 2 \(line 3\): repeats the problem and solution of row 1",
    ),
    "own candidate": (
        cell("problem", "Document 1"),
        r"row 2 \(line 3\): its own problem is among its candidates \(position 1, document 1\)",
    ),
    "no queries": (
        lambda q, d: [column.clear() for column in q.values()],
        r"queries.jsonl: has no rows",
    ),
    "no documents": (
        lambda q, d: [column.clear() for column in d.values()],
        r"documents.jsonl: has no rows",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_one_fault_one_line(
    queries: Columns, documents: Columns, write_folder: WriteFolder, case: str
) -> None:
    change, expected = CASES[case]
    change(queries, documents)
    with pytest.raises(SaberError, match=expected) as caught:
        load_benchmark(str(write_folder(queries, documents, "jsonl")))
    lines = str(caught.value).splitlines()
    assert lines[0] == "The tables of benchmark 'small' cannot be used:"
    assert len(lines) == 2, lines


def test_parquet_names_file_and_row(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    queries["relevance_scores"][3] = [1.0, 0.0, 7.0]
    with pytest.raises(SaberError, match=r"- queries\.parquet, row 3: relevance score 7\.0"):
        load_benchmark(str(write_folder(queries, documents)))


def test_all_kinds_in_one_message_and_each_once(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    queries["domains"] = [["algebra"], ["Geometrie"], ["Algebra"], ["Algebra"]]
    queries["candidates"][1] = [3, 4, 40]
    queries["relevance_scores"][2] = [9.0, 3.0, 0.0]
    documents["problem"][5] = ""
    with pytest.raises(SaberError) as caught:
        load_benchmark(str(write_folder(queries, documents)))
    message = str(caught.value)
    assert len(message.splitlines()) == 5
    assert "unknown domain 'algebra'" in message
    assert "(1 more like this)" in message
    for fragment in ("candidate 40", "score 9.0", "documents.parquet, row 5"):
        assert fragment in message


def test_at_most_ten_lines(queries: Columns, documents: Columns, write_folder: WriteFolder) -> None:
    queries["candidates"] = [[0, 0, 9], [], [5, 1, 0], [2, 3]]
    queries["relevance_scores"] = [[-1.0, 9.0, math.nan], [1.0], [5.0, 3.0, 0.0], [1.0]]
    queries["domains"] = [["A"], [], ["Algebra", "Algebra"], ["Algebra"]]
    queries["problem"][0] = queries["solution"][1] = queries["id"][3] = None
    queries["id"][1] = queries["id"][0]
    with pytest.raises(SaberError) as caught:
        load_benchmark(str(write_folder(queries, documents)))
    lines = str(caught.value).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "- and 5 more kinds of fault."


def test_published_data_may_repeat_a_query(
    queries: Columns, documents: Columns, caplog: pytest.LogCaptureFixture
) -> None:
    """The hub's tables are what they are: what changes no score is a warning there."""
    queries["problem"][2], queries["solution"][2] = queries["problem"][1], queries["solution"][1]
    queries["problem"][3] = "Document 3"
    with caplog.at_level(logging.WARNING):
        benchmark = assemble(
            _table("q", queries), _table("d", documents), name="X", tolerated=TOLERABLE
        )
    assert len(benchmark.queries) == 4
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "X q, row 2: repeats the problem and solution of row 1" in caplog.text
    assert "X q, row 3: its own problem" in caplog.text


def test_shards_are_one_table(documents: Columns, tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table(documents)
    paths = [tmp_path / f"train-0000{number}-of-00002.parquet" for number in range(2)]
    parquet.write_table(table.slice(0, 4), paths[0])
    parquet.write_table(table.slice(4), paths[1])
    read = read_table(paths)
    assert read.columns == documents
    assert read.where(3) == "train-00000-of-00002.parquet, row 3"
    assert read.where(4) == "train-00001-of-00002.parquet, row 4"

    parquet.write_table(table.drop_columns("solution"), paths[1])
    with pytest.raises(SaberError, match=r"train-00001.* has the columns 'problem', but"):
        read_table(paths)


def _table(name: str, columns: Columns) -> Table:
    return Table((Part(name, 0),), columns, len(columns["problem"]))


def test_rounding_of_a_scaled_grade_is_no_fault(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    """Min-max scaling may end an ulp outside; the grade then is the end of the scale."""
    grades = queries["relevance_scores"][0]
    queries["relevance_scores"][0] = [5.000000000000001, -1e-17, *grades[2:]]
    loaded = load_benchmark(str(write_folder(queries, documents)))
    assert loaded.grades[0, :2].tolist() == [5.0, 0.0]


def test_values_of_a_wrong_type_are_named(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    queries["problem"][1] = ["a"]
    with pytest.raises(SaberError, match=r"queries\.jsonl, row 1"):
        load_benchmark(str(write_folder(queries, documents, "jsonl")))


def test_a_number_of_thousands_of_digits(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    folder = write_folder(queries, documents, "jsonl")
    text = (folder / "queries.jsonl").read_text().replace("3.25", "9" * 5000)
    (folder / "queries.jsonl").write_text(text)
    with pytest.raises(SaberError, match="line 3: a number is too long"):
        load_benchmark(str(folder))
