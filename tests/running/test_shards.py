"""Shards cover every query once, and merging them is as if there had been none."""

from __future__ import annotations

import gzip
import json
import logging
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.records import Benchmark, Pool, Problem
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results.store import read_blocks
from saber_mteb.results.tree import ResultFolder
from saber_mteb.running.job import Job, Outcome
from saber_mteb.running.merging import merge_shards
from saber_mteb.running.shard_results import find_folder
from saber_mteb.running.shards import Shard
from saber_mteb.systems.base import Finished, Pair, PoolScores, Role, System
from saber_mteb.systems.registry import build_system, find_card

SF, SS, FF = Setting
CARD = find_card("bm25-no-tok")


@given(st.integers(1, 60), st.integers(0, 200))
def test_shards_are_a_partition_of_even_size(count: int, more: int) -> None:
    n_queries = count + more
    parts = [Shard(i, count).rows(n_queries) for i in range(1, count + 1)]
    assert sorted(row for part in parts for row in part) == list(range(n_queries))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("text", ["", "1", "0/4", "5/4", "-1/4", "1/0", "1 / 4", "a/b", "1/4/2"])
def test_what_is_not_a_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a shard"):
        Shard.parse(text)


@given(st.integers(1, 999), st.integers(0, 999))
def test_text_and_folder_name_read_back(index: int, more: int) -> None:
    shard = Shard(index, index + more)
    assert Shard.parse(str(shard)) == shard
    assert Shard.of_slug(shard.slug) == shard


@pytest.mark.parametrize("name", ["limit-4", "shard-0-of-4", "shard-5-of-4", "shard-1-of-4-old"])
def test_other_experiments_are_no_shards(name: str) -> None:
    assert Shard.of_slug(name) is None


def test_more_shards_than_queries_are_refused() -> None:
    with pytest.raises(UsageError, match="4 shards of 3 queries"):
        Shard(1, 4).rows(3)


# --- merging ------------------------------------------------------------------------------------


def bench(*, changed: str = "") -> Benchmark:
    """Eleven queries with twelve of thirty documents each, words at random."""
    rng = np.random.default_rng(7)
    words = np.array([f"w{i}" for i in range(15)])

    def problem(name: str) -> Problem:
        text = " ".join(rng.choice(words, 8))
        return Problem(name, f"{name} {text}{changed}", text[::-1], (Domain.ALGEBRA,))

    documents = tuple(problem(f"d{i}") for i in range(30))
    queries = tuple(problem(f"q{i}") for i in range(11))
    candidates = np.stack([rng.permutation(30)[:12] for _ in queries])
    grades = rng.uniform(0, 5, candidates.shape)
    return Benchmark("Bench", queries, documents, candidates, grades)


class Hashing:
    """Numbers that depend on one text at a time, with no two alike."""

    max_tokens = None

    def vector(self, text: str) -> NDArray[np.float32]:
        counts = np.bincount(np.frombuffer(text.encode(), np.uint8) % 8, minlength=8)
        return (counts / 7).astype(np.float32)


class StubEncoder(Hashing):
    max_tokens = None

    def finish(self, text: str, role: Role) -> Finished:
        return Finished(f"{role}: {text}")

    def count_tokens(self, texts: Sequence[Finished]) -> NDArray[np.int64]:
        return np.array([len(text.text) for text in texts])

    def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
        return np.stack([self.vector(text.text) for text in texts])


class StubPairScorer(Hashing):
    max_tokens = None

    def count_pair_tokens(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        return np.array([len(pair.query) + len(pair.document) for pair in pairs])

    def score_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        rows = [(self.vector(p.query) - self.vector(p.document)) ** 2 for p in pairs]
        return np.array([row.sum() for row in rows], dtype=np.float32)


@dataclass
class Failing:
    """Fails at the queries with these rows."""

    rows: frozenset[int]

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        for pool in pools:
            if int(pool.query_id) in self.rows:
                yield PoolScores(None, f"no answer to {pool.query_id}")
            else:
                yield PoolScores(np.arange(12, dtype=np.float32))


def lexical() -> System:
    return build_system(CARD)


def job(system: System, shard: str = "", settings: tuple[Setting, ...] = (SF, FF)) -> Job:
    part = Shard.parse(shard) if shard else None
    return Job(CARD, system, bench(), settings, shard=part)


def run_shards(system: System, count: int, output: Path) -> ResultFolder:
    for index in range(1, count + 1):
        job(system, f"{index}/{count}").execute(output)
    return ResultFolder(output, CARD.name, CARD.recipe_hash)


def run_bytes(outcome: Outcome) -> dict[str, bytes]:
    folder = outcome.folder.path / "saber" / "Bench" / "run"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def scores_of(outcome: Outcome) -> Any:
    return json.loads((outcome.folder.path / "Bench.json").read_text())["scores"]


@pytest.mark.parametrize("system", [lexical, StubEncoder, StubPairScorer, lambda: Failing({3, 9})])
@pytest.mark.parametrize("count", [1, 3, 4, 11])
def test_merged_is_as_if_unsharded(system: Any, count: int, tmp_path: Path) -> None:
    whole = job(system()).execute(tmp_path / "whole")
    merged = merge_shards(run_shards(system(), count, tmp_path / "shards"), bench())
    assert run_bytes(merged) == run_bytes(whole)
    assert scores_of(merged) == scores_of(whole)
    assert merged.evaluations[SF].as_metrics() == whole.evaluations[SF].as_metrics()
    assert [dict(run.failures) for run in merged.runs.values()] == [
        dict(run.failures) for run in whole.runs.values()
    ]
    for name in ("model_meta.json",):
        assert (merged.folder.path / name).read_text() == (whole.folder.path / name).read_text()


def test_the_mean_is_over_queries_not_over_shards(tmp_path: Path) -> None:
    """Shards of 4, 4 and 3 queries: a mean of means would weigh them alike."""
    merged = merge_shards(run_shards(lexical(), 3, tmp_path), bench())
    values = merged.evaluations[SF].values
    assert merged.evaluations[SF].overall == pytest.approx(values.mean(), abs=1e-15)
    means = np.mean([values[i::3].mean() for i in range(3)])
    assert abs(means - values.mean()) > 1e-6


def test_a_shard_where_every_query_failed_is_merged_too(tmp_path: Path) -> None:
    """Its mean does not exist; its failures do."""
    merged = merge_shards(run_shards(Failing(frozenset({1, 5, 9})), 4, tmp_path), bench())
    assert merged.runs[FF].failures == {row: f"no answer to {row}" for row in (1, 5, 9)}
    assert merged.evaluations[FF].n_scored == 8


def test_a_shard_is_no_result(tmp_path: Path) -> None:
    """Nothing that reads results may take the mean of a part for one."""
    outcome = job(lexical(), "2/4").execute(tmp_path)
    assert outcome.folder.path.name == "shard-2-of-4"
    assert not list(tmp_path.rglob("Bench.json"))
    block = read_blocks(outcome.folder, "Bench")["statement-full"]
    assert block["rows"] == {"start": 1, "stop": 11, "step": 4}
    assert (block["n_queries"], block["n_scored"]) == (3, 3)


def test_provenance_names_the_shards(tmp_path: Path) -> None:
    merged = merge_shards(run_shards(lexical(), 3, tmp_path), bench())
    block = read_blocks(merged.folder, "Bench")["full-full"]
    assert block["system"]["name"] == CARD.name
    assert list(block["shards"]) == ["1/3", "2/3", "3/3"]
    assert block["shards"]["2/3"]["rows"] == {"start": 1, "stop": 11, "step": 3}
    assert block["n_queries"] == block["n_scored"] == 11


def test_a_hole_names_the_shard_and_its_command(tmp_path: Path) -> None:
    folder = run_shards(lexical(), 4, tmp_path)
    edit_block(
        folder, "shard-1-of-4", command=["saber-mteb", "run", "x", "--shard", "1/4", "-b", "a b"]
    )
    shutil.rmtree(folder.path / "experiments" / "shard-3-of-4")
    with pytest.raises(SaberError, match="1 of 4 shards of Bench are missing") as caught:
        merge_shards(folder, bench())
    assert "3/4 (statement-full, full-full): saber-mteb run x -b 'a b' " in str(caught.value)
    assert str(caught.value).endswith("--setting statement-full --setting full-full --shard 3/4")
    assert not list(tmp_path.rglob("Bench.json"))


def test_a_setting_that_one_shard_lacks_is_a_hole(tmp_path: Path) -> None:
    folder = run_shards(lexical(), 2, tmp_path)
    job(lexical(), "2/2", (SS,)).execute(tmp_path)
    with pytest.raises(SaberError, match=r"1/2 \(statement-statement\)"):
        merge_shards(folder, bench())
    assert list(merge_shards(folder, bench(), [FF]).runs) == [FF]


def test_two_splits_are_refused(tmp_path: Path) -> None:
    folder = run_shards(lexical(), 2, tmp_path)
    job(lexical(), "1/3").execute(tmp_path)
    with pytest.raises(SaberError, match="overlap: it was split 2 and 3 ways"):
        merge_shards(folder, bench())


def test_no_shards_at_all(tmp_path: Path) -> None:
    folder = ResultFolder(tmp_path, CARD.name, CARD.recipe_hash)
    with pytest.raises(SaberError, match=r"no shards in .*--shard 1/4"):
        merge_shards(folder, bench())


def test_other_data_are_refused(tmp_path: Path) -> None:
    folder = run_shards(lexical(), 2, tmp_path)
    with pytest.raises(SaberError, match="was run on other data"):
        merge_shards(folder, bench(changed="!"))


def edit_block(folder: ResultFolder, shard: str, **changes: object) -> None:
    path = folder.path / "experiments" / shard / "saber" / "Bench" / "provenance.json"
    content = json.loads(path.read_text())
    for block in content["settings"].values():
        block.update(changes)
    path.write_text(json.dumps(content))


def test_another_recipe_is_refused(tmp_path: Path) -> None:
    folder = run_shards(lexical(), 2, tmp_path)
    block = read_blocks(
        ResultFolder(tmp_path, CARD.name, CARD.recipe_hash, "shard-2-of-2"), "Bench"
    )
    system = block["full-full"]["system"]
    edit_block(folder, "shard-2-of-2", system={**system, "recipe": {**system["recipe"], "k1": 2}})
    with pytest.raises(SaberError, match=r"another 'system'.* recipe k1 1.5 there, 2 here"):
        merge_shards(folder, bench())


def test_other_versions_are_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = run_shards(lexical(), 2, tmp_path)
    edit_block(folder, "shard-2-of-2", versions={"numpy": "0.1"})
    with caplog.at_level(logging.WARNING, "saber_mteb"):
        merge_shards(folder, bench())
    assert "shard-2-of-2 has other versions than shard-1-of-2" in caplog.text


def test_a_renamed_shard_is_refused(tmp_path: Path) -> None:
    """Else its queries would count twice and others never."""
    folder = run_shards(lexical(), 2, tmp_path)
    experiments = folder.path / "experiments"
    shutil.rmtree(experiments / "shard-2-of-2")
    shutil.copytree(experiments / "shard-1-of-2", experiments / "shard-2-of-2")
    with pytest.raises(SaberError, match="not those of shard 2/2"):
        merge_shards(folder, bench())


def test_a_damaged_run_file_is_named(tmp_path: Path) -> None:
    folder = run_shards(lexical(), 2, tmp_path)
    path = ResultFolder(tmp_path, CARD.name, CARD.recipe_hash, "shard-2-of-2").run("Bench", FF)
    path.write_bytes(gzip.compress(b"{"))
    with pytest.raises(SaberError, match=r"shard-2-of-2.*full-full.json.gz is not a run file"):
        merge_shards(folder, bench())
    assert not list(tmp_path.rglob("Bench.json"))


def test_the_folder_is_found_by_name_and_by_path(tmp_path: Path) -> None:
    folder = run_shards(lexical(), 2, tmp_path)
    assert find_folder("bm25-no-tok", tmp_path, "Bench") == folder
    assert find_folder(str(folder.path), Path("elsewhere"), "Bench") == folder
    with pytest.raises(UsageError, match="holds no shards of Bench"):
        find_folder(str(tmp_path), tmp_path, "Bench")
    with pytest.raises(UsageError, match="No system is called 'bm-25'"):
        find_folder("bm-25", tmp_path, "Bench")
    with pytest.raises(SaberError, match=r"no shards of Bench in .*--shard 1/4"):
        find_folder("bm25", tmp_path, "Bench")
    shutil.copytree(tmp_path / "saber__bm25-no-tok", tmp_path / "org__model")
    assert find_folder("org/model", tmp_path, "Bench").name == "org/model"
    older = tmp_path / "saber__bm25-no-tok" / "older"
    shutil.copytree(folder.path, older)
    with pytest.raises(SaberError, match=r"several revisions(.|\n)*older"):
        find_folder("bm25-no-tok", tmp_path, "Bench")
