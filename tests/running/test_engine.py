"""The engine keeps every answer of a system, also the bad ones."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.records import Benchmark, Pool, Problem
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import run_system
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.ranking import Ranked
from saber_mteb.running.session import Session
from saber_mteb.running.stores.scores import Scope, ScoreStore
from saber_mteb.systems.base import PoolScores


def tiny() -> Benchmark:
    documents = tuple(Problem(str(i), f"d{i}", f"s{i}") for i in range(4))
    queries = tuple(Problem(str(i), f"q{i}", f"t{i}") for i in range(3))
    candidates = np.array([[0, 1], [1, 2], [2, 3]])
    grades = np.array([[5.0, 0.0], [0.0, 5.0], [5.0, 0.0]])
    return Benchmark("Tiny", queries, documents, candidates, grades)


class Scripted:
    """Answers each pool with what the script says."""

    def __init__(self, *answers: PoolScores) -> None:
        self.answers = answers
        self.seen: list[Pool] = []

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        self.seen = list(pools)
        yield from self.answers


def scores(*values: float) -> PoolScores:
    return PoolScores(np.array(values))


def test_settings_are_shown_as_the_protocol_says() -> None:
    """Three settings, one call: raw statements, or both parts under their labels."""
    system = Scripted(*[scores(1, 0)] * 3)
    run_system(system, tiny(), list(Setting), rows=[1])
    shown = {pool.setting: (pool.query, pool.documents) for pool in system.seen}
    full = ("Problem: d1\n\nSolution: s1", "Problem: d2\n\nSolution: s2")
    assert shown == {
        Setting.STATEMENT_FULL: ("q1", full),
        Setting.STATEMENT_STATEMENT: ("q1", ("d1", "d2")),
        Setting.FULL_FULL: ("Problem: q1\n\nSolution: t1", full),
    }
    assert [pool.document_ids for pool in system.seen] == [("1", "2")] * 3
    assert {pool.query_id for pool in system.seen} == {"1"}


def test_each_finished_text_is_one_object() -> None:
    """A document of several pools is rendered once, so a system can cache by identity."""
    first, second, _ = tiny().pools(Setting.STATEMENT_FULL)
    assert first.documents[1] is second.documents[0]


def test_good_answers_land_in_their_rows() -> None:
    system = Scripted(*(scores(i, -i) for i in range(6)))
    runs = run_system(system, tiny(), [Setting.FULL_FULL, Setting.STATEMENT_FULL])
    assert list(runs) == [Setting.FULL_FULL, Setting.STATEMENT_FULL]
    np.testing.assert_array_equal(runs[Setting.STATEMENT_FULL].scores[:, 0], [3, 4, 5])
    assert runs[Setting.FULL_FULL].scores.dtype == np.float32


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (PoolScores(None, "native crash"), "native crash"),
        (PoolScores(None), "no score and no reason"),
        (scores(1.0, np.nan), "1 of 2 scores are NaN"),
        (scores(np.inf, 1.0), "infinite"),
        (scores(1e300, 1.0), "infinite as 32-bit"),
        (scores(1.0), r"array of shape \(1,\)"),
        (scores(1.0, 2.0, 3.0), r"array of shape \(3,\)"),
    ],
)
def test_a_bad_answer_fails_its_query_only(answer: PoolScores, reason: str) -> None:
    system = Scripted(scores(1, 0), answer, scores(1, 0))
    run = run_system(system, tiny(), [Setting.STATEMENT_FULL])[Setting.STATEMENT_FULL]
    assert list(run.failures) == [1]
    assert re.search(reason, run.failures[1])
    assert np.isnan(run.scores[1]).all()
    assert np.isfinite(run.scores[[0, 2]]).all()


def test_failures_name_the_benchmark_row() -> None:
    system = Scripted(scores(1, 0), PoolScores(None, "a"), PoolScores(None, "b"), scores(1, 0))
    runs = run_system(system, tiny(), list(Setting)[:2], rows=[0, 2])
    assert runs[Setting.STATEMENT_FULL].failures == {2: "a"}
    assert runs[Setting.STATEMENT_STATEMENT].failures == {0: "b"}


def test_a_system_that_stops_early_is_an_error() -> None:
    with pytest.raises(SaberError, match="answered 1 of 3 pools"):
        run_system(Scripted(scores(1, 0)), tiny(), [Setting.STATEMENT_FULL])


def test_a_system_that_hangs_at_a_pool_is_an_error_and_keeps_the_rest(tmp_path: Path) -> None:
    released = threading.Event()

    class Hanging(Scripted):
        def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
            yield scores(1, 0)
            released.wait(20)

    session = Session(recipe="r", policy=BatchPolicy(timeout=0.1))
    try:
        with ScoreStore.open(tmp_path) as store:
            session = replace(session, scores=store)
            with pytest.raises(SaberError, match=r"query 1 took longer than 0\.1 s"):
                run_system(Hanging(), tiny(), [Setting.STATEMENT_FULL], session=session)
            kept = store.answers(Scope(tiny().content_hash, "r", "statement-full"))
    finally:
        released.set()
    assert {row: answer.tolist() for row, answer in kept.items()} == {0: [1, 0]}


def test_a_query_without_an_answer_is_a_failed_one() -> None:
    class Forgetful:
        def rank(
            self, pools: Sequence[Pool], pending: Sequence[int], _: Session
        ) -> Iterator[Ranked]:
            yield Ranked(2, scores(1, 0))
            yield Ranked(0, scores(0, 1))

        def computed(self, _: Setting) -> dict[str, object]:
            return {}

    run = run_system(Forgetful(), tiny(), [Setting.FULL_FULL])[Setting.FULL_FULL]
    assert run.failures == {1: "the system gave no answer"}
    np.testing.assert_array_equal(run.scores[[0, 2]], [[0, 1], [1, 0]])
