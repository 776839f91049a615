"""Folders and names: what loads, what does not, and what the user is told."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.benchmark import Domain, check_benchmark_name, load_benchmark
from saber_mteb.benchmark.loading import benchmark_name

Columns = dict[str, list[Any]]
WriteFolder = Callable[..., Path]


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_a_folder_becomes_the_records(
    queries: Columns, documents: Columns, write_folder: WriteFolder, form: str
) -> None:
    queries["year"] = [2001, 2002, 2003, None]
    documents["tags"] = [["t", str(number)] for number in range(6)]
    benchmark = load_benchmark(str(write_folder(queries, documents, form, "My bench")))

    assert (benchmark.name, benchmark.synthetic) == ("My-bench", False)
    assert [query.id for query in benchmark.queries] == ["q-a", "q-b", "q-c", "q-d"]
    assert [document.id for document in benchmark.documents] == list("012345")
    assert benchmark.queries[2].statement == "Is 7 prime?"
    assert benchmark.queries[2].solution == "Yes."
    assert benchmark.queries[2].domains == (Domain.NUMBER_THEORY, Domain.ALGEBRA)
    assert benchmark.queries[1].extra == {"year": 2002}
    assert benchmark.documents[4].extra == {"tags": ["t", "4"]}
    np.testing.assert_array_equal(benchmark.candidates, queries["candidates"])
    np.testing.assert_array_equal(benchmark.grades, queries["relevance_scores"])
    assert (benchmark.candidates.dtype, benchmark.grades.dtype) == (np.int64, np.float64)


def test_both_formats_are_the_same_benchmark(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    parquet = load_benchmark(str(write_folder(queries, documents, "parquet", "one")))
    lines = load_benchmark(str(write_folder(queries, documents, "jsonl", "two")))
    assert parquet.revision == lines.revision
    assert len(parquet.revision) == 64


def test_json_lines_may_start_with_a_byte_order_mark_and_have_blank_lines(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    folder = write_folder(queries, documents, "jsonl")
    file = folder / "documents.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert len(load_benchmark(str(folder)).documents) == 6


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sabermath", r"Did you mean 'saber-math'\?.*queries\.parquet"),
        ("minni", r"Did you mean 'mini'\?"),
        ("zzz", r"No benchmark is called 'zzz'\. Accepted are"),
        ("./nowhere", r"The folder './nowhere' does not exist"),
        (__file__, r"is a file; give the folder"),
    ],
)
def test_an_unknown_name_is_wrong_usage(name: str, expected: str) -> None:
    for function in (check_benchmark_name, load_benchmark):
        with pytest.raises(UsageError, match=expected):
            function(name)


def test_revisions_belong_to_the_hub(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Revisions belong to 'saber-math'"):
        load_benchmark(str(tmp_path), queries_revision="main")


def test_a_folder_cannot_take_the_name_of_the_published_benchmark(
    queries: Columns, documents: Columns, write_folder: WriteFolder
) -> None:
    folder = write_folder(queries, documents, name="sabermath")
    assert load_benchmark(str(folder)).name == "sabermath-local"


def test_only_one_table(queries: Columns, documents: Columns, write_folder: WriteFolder) -> None:
    folder = write_folder(queries, documents)
    (folder / "queries.parquet").unlink()
    with pytest.raises(SaberError, match=r"holds documents\.parquet but no queries\.parquet"):
        load_benchmark(str(folder))
    (folder / "documents.parquet").rename(folder / "docs.parquet")
    with pytest.raises(SaberError, match=r"holds no tables \(found: docs\.parquet\)"):
        load_benchmark(str(folder))


def test_two_formats(queries: Columns, documents: Columns, write_folder: WriteFolder) -> None:
    write_folder(queries, documents, "parquet")
    folder = write_folder(queries, documents, "jsonl")
    (folder / "queries.jsonl").unlink()
    with pytest.raises(SaberError, match=r"two formats .*documents\.jsonl"):
        load_benchmark(str(folder))


@pytest.mark.parametrize("keep", [0, 100, -1])
def test_a_cut_parquet_file(
    queries: Columns, documents: Columns, write_folder: WriteFolder, keep: int
) -> None:
    folder = write_folder(queries, documents)
    file = folder / "documents.parquet"
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(SaberError, match=r"documents\.parquet: cannot be read as parquet"):
        load_benchmark(str(folder))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"problem": "p" "solution": "s"}', r"line 3, column 17: not valid JSON"),
        (b'{"problem": "p"', r"line 3, column 16: not valid JSON"),
        (b'["p", "s"]', r"line 3: found a JSON list, expected an object"),
        (b'{"problem": "\xff", "solution": "s"}', r"line 3: byte 14 is not UTF-8"),
    ],
)
def test_broken_json(
    queries: Columns, documents: Columns, write_folder: WriteFolder, line: bytes, expected: str
) -> None:
    folder = write_folder(queries, documents, "jsonl")
    file = folder / "documents.jsonl"
    lines = file.read_bytes().splitlines()
    file.write_bytes(b"\n".join([*lines[:2], line, *lines[3:]]))
    with pytest.raises(SaberError, match=r"documents\.jsonl, " + expected):
        load_benchmark(str(folder))


def test_importing_the_package_costs_nothing() -> None:
    code = (
        "import sys, saber_mteb.benchmark as b; b.check_benchmark_name('mini');"
        "heavy = {'numpy', 'pandas', 'pyarrow', 'huggingface_hub', 'torch', 'mteb'};"
        "print(sorted(heavy & set(sys.modules)), sorted(b.__all__) == sorted(set(b.__all__)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[] True"


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("model_meta", "model_meta-local"),
        ("ünï-数学", "ünï-数学"),
        ("x" * 250, "x" * 100),
    ],
)
def test_names_of_result_files(folder: str, name: str) -> None:
    """No folder takes a file name of mteb's, loses its letters, or makes a path too long."""
    assert benchmark_name(folder) == name
