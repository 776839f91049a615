"""On a real cluster: the plain run's scores, also when workers are killed in the middle."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.records import Benchmark, Pool, Problem
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results.store import read_blocks
from saber_mteb.running.engine import run_system
from saber_mteb.running.job import Job
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.ray_engine import RayRanker, Resources, dispatch
from saber_mteb.running.reporting import Tally
from saber_mteb.running.session import Session
from saber_mteb.running.stores.scores import ScoreStore
from saber_mteb.systems.base import Finished, Pair, PoolScores, Role
from saber_mteb.systems.card import Card
from saber_mteb.systems.registry import build_system, find_card

pytestmark = pytest.mark.usefixtures("cluster", "by_value")

CARD = find_card("bm25-no-tok")
N = 12
SETTINGS = (Setting.STATEMENT_FULL, Setting.FULL_FULL)


@pytest.fixture(scope="module")
def by_value(cluster: None) -> None:
    """Workers cannot import a test module: its classes travel themselves."""
    import ray

    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


def bench() -> Benchmark:
    rng = np.random.default_rng(3)
    words = np.array([f"w{i}" for i in range(15)])

    def problem(name: str) -> Problem:
        return Problem(name, f"{name} " + " ".join(rng.choice(words, 8)), "so " + words[3])

    documents = tuple(problem(f"d{i}") for i in range(25))
    queries = tuple(problem(f"q{i}") for i in range(N))
    candidates = np.stack([rng.permutation(25)[:10] for _ in queries])
    return Benchmark("Bench", queries, documents, candidates, rng.uniform(0, 5, candidates.shape))


@dataclass(frozen=True)
class Script:
    """What shall happen in the workers, and their common diary.

    Attributes:
        folder: Where the diary is.
        kill: Die by SIGKILL at this query.
        times: So often.
        error: Raise it at query 5 instead.
    """

    folder: Path
    kill: str | None = None
    times: int = 1
    error: Exception | None = None

    def note(self, line: str) -> None:
        with (self.folder / "diary").open("a") as stream:
            stream.write(line + "\n")

    def read(self) -> list[str]:
        return (self.folder / "diary").read_text().splitlines()

    def reach(self, query: str) -> None:
        """Come to a query; may not come back."""
        if query == "5" and self.error is not None:
            raise self.error
        if query != self.kill:
            return
        for count in range(self.times):
            mark = self.folder / f"killed-{count}"
            if not mark.exists():
                mark.touch()
                time.sleep(0.3)  # what was sent before has arrived
                os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Scripted:
    """Real BM25 that keeps a diary."""

    inner: Any
    script: Script

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        for pool, answer in zip(pools, self.inner.score(pools), strict=True):
            self.script.note(f"{pool.query_id} {pool.setting}")
            self.script.reach(pool.query_id)
            yield answer


@dataclass
class Neighbours:
    """Vectors and pair scores that depend on what else is in the batch, as real models' do."""

    script: Script

    def numbers(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.script.note(repr(texts))
        for text in texts:
            self.script.reach(text.split()[0].removeprefix("q"))
        rows = np.stack([np.bincount(list(text.encode()), minlength=128) for text in texts])
        return (rows + 1e-3 * rows.sum(axis=0) / 7).astype(np.float32)


class Encodes(Neighbours):
    max_tokens = None

    def finish(self, text: str, role: Role) -> Finished:
        return Finished(text, side=str(role))

    def count_tokens(self, texts: Sequence[Finished]) -> NDArray[np.int64]:
        return np.array([len(text.text) for text in texts])

    def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
        return self.numbers([text.text for text in texts])


class ReadsPairs(Neighbours):
    max_tokens = None

    def count_pair_tokens(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        return np.array([len(pair.query + pair.document) for pair in pairs])

    def score_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        return self.numbers([f"{pair.query} {pair.document}" for pair in pairs]).sum(axis=1)


def bm25(script: Script, card: Card) -> Scripted:
    return Scripted(build_system(card), script)


def stub(kind: type[Neighbours], script: Script, card: Card) -> Neighbours:
    return kind(script)


def ranker(build: Any, **options: Any) -> RayRanker:
    return RayRanker(CARD, build=build, queries_per_task=4, **options)


def run(system: Any, **session: Any) -> dict[Setting, Run]:
    return run_system(system, bench(), SETTINGS, session=Session(**session))


def same(one: dict[Setting, Run], other: dict[Setting, Run]) -> None:
    assert list(one) == list(other)
    for setting in one:
        np.testing.assert_array_equal(one[setting].scores, other[setting].scores)
        assert one[setting].failures == other[setting].failures


class Counting:
    def __init__(self) -> None:
        self.total = self.done = 0

    def start(self, phase: str, total: int) -> None:
        self.total = total

    def advance(self, units: int = 1) -> None:
        self.done += units


def test_a_card_is_run_in_the_workers_as_it_is_here() -> None:
    tally, reporter = Tally(), Counting()
    ours = run(RayRanker(CARD, queries_per_task=5), tally=tally, reporter=reporter)
    same(ours, run(build_system(CARD)))
    assert (reporter.done, reporter.total) == (2 * N, 2 * N)
    assert tally.seconds.keys() == {"scoring", "workers: scoring"}


def test_a_killed_worker_costs_its_unfinished_queries_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    script = Script(tmp_path, kill="6")
    with caplog.at_level(logging.WARNING, "saber_mteb"):
        ours = run(ranker(partial(bm25, script)))
    same(ours, run(build_system(CARD)))
    # Task 4..7 died at query 6, before it could answer it: 4 and 5 are not asked again.
    assert (tmp_path / "killed-0").exists()
    asked = Counter(script.read())
    assert asked.pop(f"6 {Setting.STATEMENT_FULL}") == 2
    assert set(asked.values()) == {1}
    assert len(asked) == 2 * N - 1
    assert "worker died unexpectedly" in caplog.text
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("kind", [Encodes, ReadsPairs])
def test_bits_do_not_depend_on_what_was_lost(kind: type[Neighbours], tmp_path: Path) -> None:
    """Although the model's numbers depend on which texts are in a batch."""
    policy = BatchPolicy(max_texts=7)
    results = []
    for name, kill in (("calm", None), ("hit", "6")):
        script = Script(tmp_path / name, kill=kill)
        script.folder.mkdir()
        results.append(run(ranker(partial(stub, kind, script)), policy=policy))
        assert (script.folder / "killed-0").exists() == (kill is not None)
    same(*results)
    (tmp_path / "plain").mkdir()
    plain = run(kind(Script(tmp_path / "plain")), policy=policy)
    for setting in SETTINGS:  # other batches, so other last digits, and only those
        np.testing.assert_allclose(results[0][setting].scores, plain[setting].scores, rtol=1e-2)
        assert (results[0][setting].scores != plain[setting].scores).any()


def test_a_retry_uses_what_the_worker_had_stored(tmp_path: Path) -> None:
    """A cross-encoder answers only at the end of a setting; its batches are kept before."""
    script = Script(tmp_path, kill="6")
    system = RayRanker(CARD, build=partial(stub, ReadsPairs, script), queries_per_task=N)
    policy = BatchPolicy(max_texts=7)
    ours = run(system, policy=policy, recipe=f"pairs {tmp_path}")
    assert (tmp_path / "killed-0").exists()
    batches = Counter(script.read())
    assert sorted(batches.values())[-2:] == [1, 2]  # only the one it died of
    (tmp_path / "plain").mkdir()
    same(ours, run(ReadsPairs(Script(tmp_path / "plain")), policy=policy))


def test_a_query_that_always_kills_fails_alone(tmp_path: Path) -> None:
    script = Script(tmp_path, kill="6", times=99)
    ours = run(ranker(partial(bm25, script), retries=0))
    plain = run(build_system(CARD))
    for setting in SETTINGS:
        (failed,) = ours[setting].failures.items()
        assert failed[0] == 6
        assert failed[1].startswith("the last 2 workers that were asked died: The worker died")
        others = [row for row in range(N) if row != 6]
        np.testing.assert_array_equal(ours[setting].scores[others], plain[setting].scores[others])


def dies(script: Script, card: Card) -> Any:
    script.note("build")
    os.kill(os.getpid(), signal.SIGKILL)


def test_machines_that_kill_everything_stop_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "_TOO_MANY_LOST", 2)
    script = Script(tmp_path)
    with pytest.raises(SaberError, match=r"2 queries lost every worker .* asks for the others"):
        run(ranker(partial(dies, script), retries=0))
    assert len(script.read()) < 12


def test_what_a_system_raises_stops_the_run_and_keeps_the_rest(tmp_path: Path) -> None:
    script = Script(tmp_path, error=SaberError("the model cannot be loaded; do this"))
    with ScoreStore.open(tmp_path) as store:
        with pytest.raises(SaberError, match=r"^the model cannot be loaded; do this$"):
            run(ranker(partial(bm25, script)), scores=store, recipe="r")
        before = len(script.read())
        tally = Tally()
        calm = Script(tmp_path / "calm")
        calm.folder.mkdir()
        ours = run(ranker(partial(bm25, calm)), scores=store, recipe="r", tally=tally)
    same(ours, run(build_system(CARD)))
    assert tally.reused == before - 1 == 2 * N - len(calm.read())
    assert tally.reused >= 2


def test_a_bug_shows_the_traceback_of_the_worker(tmp_path: Path) -> None:
    script = Script(tmp_path, error=ZeroDivisionError("oops"))
    with pytest.raises(ZeroDivisionError, match=r"in reach(.|\n)*oops"):
        run(ranker(partial(bm25, script)))


def test_stopping_early_frees_the_cluster(tmp_path: Path) -> None:
    import ray

    system = ranker(partial(bm25, Script(tmp_path, kill="never")))
    pools = bench().pools(Setting.FULL_FULL)
    answers = system.rank(pools, range(N), Session())
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 20
    while ray.available_resources().get("CPU") != 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert ray.available_resources().get("CPU") == 2
    assert ray.is_initialized()  # it was not ours to stop


def test_provenance_tells_who_computed(tmp_path: Path) -> None:
    build = partial(stub, Encodes, Script(tmp_path))
    system = RayRanker(CARD, Resources(num_cpus=0.5), build=build, queries_per_task=3)
    outcome = Job(CARD, system, bench(), SETTINGS).execute(tmp_path / "results")
    block = read_blocks(outcome.folder, "Bench")["full-full"]
    (kind,) = block["ray"]["workers"]
    assert kind["tasks"] == N / 3
    assert kind["versions"] == block["versions"]
    assert block["ray"]["resources"] == {"num_cpus": 0.5, "num_gpus": 0, "memory": None}
    assert block["first_query"].startswith("Problem: q0 ")
    assert block["counted"]["texts"] > 0
    assert RayRanker(CARD).computed(Setting.FULL_FULL) == {}  # nobody had to
