"""The run file: what goes in comes out, bit for bit, and what is wrong is named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.metric import ndcg
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results.run_file import read_run, write_run

SF = Setting.STATEMENT_FULL


def make_run(scores: np.ndarray, failures: dict[int, str] | None = None) -> Run:
    rows = np.arange(len(scores), dtype=np.int64)
    return Run(setting=SF, rows=rows, scores=scores.astype(np.float32), failures=failures or {})


score_matrices = hnp.arrays(
    np.float32,
    st.tuples(st.integers(1, 4), st.integers(1, 30)),
    elements=st.floats(-(2.0**100), 2.0**100, width=32),
)


@given(score_matrices)
def test_round_trip_is_exact(tmp_path_factory: pytest.TempPathFactory, scores: np.ndarray) -> None:
    path = tmp_path_factory.mktemp("run") / "statement-full.json.gz"
    write_run(path, make_run(scores))
    back = read_run(path, pool_size=scores.shape[1], rows=range(len(scores)))
    np.testing.assert_array_equal(back.scores, scores)
    assert back.failures == {}


def test_shape_and_order(tmp_path: Path) -> None:
    """Sorted by score then position, shortest decimals, failed query absent, no time inside."""
    path = tmp_path / "r.json.gz"
    scores = np.array([[0.1, 0.5, 0.1] + [0.0] * 9, [np.nan] * 12])
    write_run(path, make_run(scores, {1: "crash"}))
    content = json.loads(gzip.decompress(path.read_bytes()))
    assert {key: content[key] for key in ("schema", "setting", "k")} == {
        "schema": 1,
        "setting": "statement-full",
        "k": 12,
    }
    assert list(content["queries"]) == ["0"]
    assert content["queries"]["0"][:4] == [[1, 0.5], [0, 0.1], [2, 0.1], [3, 0.0]]
    assert b"0.1]" in gzip.decompress(path.read_bytes())
    first = path.read_bytes()
    write_run(path, make_run(scores, {1: "crash"}))
    assert path.read_bytes() == first
    assert read_run(path, pool_size=12, rows=range(2)).failures == {1: "not in the run file"}


def test_a_cut_file_gives_the_same_ndcg(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 12, size=(5, 40)).astype(np.float32)
    grades = rng.uniform(0, 5, size=(5, 40))
    path = tmp_path / "r.json.gz"
    write_run(path, make_run(scores))
    content = json.loads(gzip.decompress(path.read_bytes()))
    for row, ranking in content["queries"].items():
        tenth = ranking[9][1]
        content["queries"][row] = [pair for pair in ranking if pair[1] >= tenth]
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    cut = read_run(path, pool_size=40, rows=range(5))
    np.testing.assert_array_equal(ndcg(cut.scores, grades).values, ndcg(scores, grades).values)


def good() -> dict[str, Any]:
    return {
        "schema": 1,
        "setting": "statement-full",
        "k": 3,
        "queries": {"0": [[2, 3.0], [0, 2.0], [1, 1.0]]},
    }


def corrupt(**changes: object) -> dict[str, Any]:
    return {**good(), **changes}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"schema": 1}, "'setting' is missing"),
        (corrupt(schema=2), "schema 2"),
        (corrupt(setting="all"), "unknown setting 'all'"),
        (corrupt(k=150), "pools of 150 candidates, the benchmark has 3"),
        (corrupt(queries=[]), "'queries' must map"),
        (corrupt(queries={"7": good()["queries"]["0"]}), "query '7' is not a row"),
        (corrupt(queries={"0": [[0, 1.0]]}), "1 candidates, at least 10"),
        (corrupt(queries={"0": [[0, 1.0], [0, 0.5], [1, 0.1]]}), "distinct integers from 0 to 2"),
        (corrupt(queries={"0": [[0, 1.0], [3, 0.5], [1, 0.1]]}), "distinct integers from 0 to 2"),
        (corrupt(queries={"0": [[0, 1.0], [1.5, 0.5], [1, 0.1]]}), "distinct integers"),
        (corrupt(queries={"0": [[0, 1.0], [1, 2.0], [2, 0.1]]}), "sorted by score"),
        (corrupt(queries={"0": [[0, 1e99], [1, 2.0], [2, 0.1]]}), "finite 32-bit"),
        (corrupt(queries={"0": "abc"}), "pairs"),
        (corrupt(queries={"0": [[0, 1.0], [1], [2, 0.1]]}), "pairs"),
        ([1], "expected an object"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, content: object, message: str) -> None:
    path = tmp_path / "r.json.gz"
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    with pytest.raises(SaberError, match=message):
        read_run(path, pool_size=3, rows=[0])


TORN = {
    "empty": b"",
    "no gzip": b"not gzip",
    "no JSON": gzip.compress(b"{", mtime=0),
    "cut": gzip.compress(b"{}", mtime=0)[:-9],
}


@pytest.mark.parametrize("data", TORN.values(), ids=TORN)
def test_a_torn_file_is_no_run(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "r.json.gz"
    path.write_bytes(data)
    with pytest.raises(SaberError, match=r"r\.json\.gz"):
        read_run(path, pool_size=3, rows=[0])


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SaberError, match="cannot be read"):
        read_run(tmp_path / "no.json.gz", pool_size=3, rows=[0])


def test_unwritable_place(tmp_path: Path) -> None:
    """A file where a folder should be: the error names the path and nothing is lost."""
    (tmp_path / "blocked").write_text("mine")
    with pytest.raises(SaberError, match="could not be written"):
        write_run(tmp_path / "blocked" / "r.json.gz", make_run(np.zeros((1, 3))))
    assert (tmp_path / "blocked").read_text() == "mine"
