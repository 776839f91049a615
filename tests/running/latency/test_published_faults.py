"""What distorted the published figures of time, each by a system that would show it again.

The faults are those found in the stored timing code of github.com/insait-institute/sabermath.
"""

from __future__ import annotations

import statistics
from typing import Any

import pytest

from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import run_system
from saber_mteb.running.latency.sample import choose_sample
from saber_mteb.running.latency.summary import summarise
from saber_mteb.running.latency.ways import View

KINDS = pytest.mark.parametrize("kind", ["encoder", "pairs", "pools"])
# Forty documents of a second each, in slices of 16: 1 + 1 + 1, and the encoder's query.
STEADY = {"encoder": 4.0, "pairs": 3.0, "pools": 1.0}


@KINDS
def test_loading_within_the_first_call_does_not_count(scripted: Any, kind: str) -> None:
    """Published means held up to 157 s × 1/50 of it; median and mean agree when nothing hides."""
    system = scripted.KINDS[kind](scripted.Clock(), load=100.0)
    latency = scripted.timed(system, scripted.benchmark())
    assert system.loaded
    for view in latency.views:
        found = summarise(scripted.seconds(latency, view))
        assert found.median == found.mean
        assert found.std == 0
    assert scripted.seconds(latency, View.COLD) == [STEADY[kind]] * 3
    assert latency.throughput.seconds < 100


@KINDS
def test_nor_does_it_where_no_query_is_left_for_the_warm_up(scripted: Any, kind: str) -> None:
    system = scripted.KINDS[kind](scripted.Clock(), load=100.0)
    asked = scripted.benchmark(1)
    latency = scripted.timed(system, asked, View.COLD, sample=choose_sample(asked))
    assert scripted.seconds(latency, View.COLD) == [STEADY[kind]]


def test_a_process_that_starts_with_each_call_is_started_before(scripted: Any) -> None:
    system = scripted.ScriptedProcess(scripted.Clock())
    latency = scripted.timed(system, scripted.benchmark(), View.COLD)
    assert scripted.seconds(latency, View.COLD) == [1.0, 1.0, 1.0]
    assert latency.throughput.seconds == 3.0


@KINDS
def test_the_model_reads_what_it_reads_in_a_run(scripted: Any, kind: str) -> None:
    """The published script kept its own copy of options and left prompts out."""
    asked = scripted.benchmark()
    sample = choose_sample(asked, queries=3)
    ran, timed = (scripted.KINDS[kind](scripted.Clock()) for _ in range(2))
    rows = sorted({*sample.rows, *sample.warm_up})
    run_system(ran, asked, [Setting.STATEMENT_FULL], rows=rows)
    scripted.timed(timed, asked, sample=sample)
    seen = [{item for batch in system.seen for item in batch} for system in (ran, timed)]
    assert seen[0] == seen[1]
    assert seen[0]


def test_slices_wait_for_their_slowest_text_and_throughput_does_not(scripted: Any) -> None:
    """One document of ten seconds in each slice: 1 + 3 × 10 s; sorted by length, 10 + 1 + 1."""
    asked = scripted.benchmark(4, dear=[0, 16, 32])
    system = scripted.ScriptedEncoder(scripted.Clock())
    sample = choose_sample(asked, queries=2)
    latency = scripted.timed(system, asked, View.COLD, sample=sample)
    assert scripted.seconds(latency, View.COLD) == [31.0, 31.0]
    # 80 documents in batches of 32, 32, 16, and both queries at once.
    assert latency.throughput.seconds == 10 + 1 + 1 + 1
    assert latency.throughput.texts == 82
    assert latency.throughput.tokens == 6 * 10 + 74 + 2


def test_sixteen_texts_are_in_flight_in_the_order_of_the_pool(scripted: Any) -> None:
    asked = scripted.benchmark(1)
    (pool,) = asked.pools(Setting.STATEMENT_FULL)
    system = scripted.ScriptedEncoder(scripted.Clock())
    scripted.timed(system, asked, View.COLD)
    query, *slices = system.seen[4:8]  # after the warm-up
    assert [text.text for text in query] == [f"query: {pool.query}"]
    assert [len(part) for part in slices] == [16, 16, 8]
    assert [t.text for part in slices for t in part] == [f"document: {d}" for d in pool.documents]
    pairs = scripted.ScriptedPairs(scripted.Clock())
    scripted.timed(pairs, asked, View.COLD)
    assert [len(batch) for batch in pairs.seen[3:6]] == [16, 16, 8]


def test_with_documents_embedded_before_only_the_query_is_timed(scripted: Any) -> None:
    """Without this view a bi-encoder looks many times slower than in an index."""
    asked = scripted.benchmark(5, dear=range(40))
    for views in ([View.WARM], [View.COLD, View.WARM]):
        system = scripted.ScriptedEncoder(scripted.Clock())
        latency = scripted.timed(system, asked, *views)
        assert scripted.seconds(latency, View.WARM) == [1.0, 1.0, 1.0]
        assert {query.texts for query in latency.views[View.WARM].queries} == {1}
    assert scripted.seconds(latency, View.COLD) == [31.0, 31.0, 31.0]
    assert latency.unavailable == {}


@pytest.mark.parametrize(("kind", "why"), [("pairs", "together"), ("pools", "other documents")])
def test_systems_without_that_view_say_why(scripted: Any, kind: str, why: str) -> None:
    system = scripted.KINDS[kind](scripted.Clock())
    latency = scripted.timed(system, scripted.benchmark())
    assert list(latency.views) == [View.COLD]
    assert why in latency.unavailable[View.WARM]


@pytest.mark.parametrize("kind", ["encoder", "pairs"])
def test_the_device_is_waited_for(scripted: Any, kind: str) -> None:
    """Work is queued and a call returns at once; without waiting, every query would take 0 s."""
    system = scripted.KINDS[kind](scripted.Clock(), lazy_device=True)
    latency = scripted.timed(system, scripted.benchmark())
    assert scripted.seconds(latency, View.COLD) == [STEADY[kind]] * 3
    assert latency.throughput.seconds > 0


def test_what_was_queued_before_does_not_count(scripted: Any) -> None:
    """The documents of the warm view are embedded just before the clock is read."""
    system = scripted.ScriptedEncoder(scripted.Clock(), lazy_device=True)
    latency = scripted.timed(system, scripted.benchmark(5, dear=range(40)), View.WARM)
    assert scripted.seconds(latency, View.WARM) == [1.0, 1.0, 1.0]


def test_quantiles_are_those_of_the_standard_library() -> None:
    seconds = [0.5, 3.25, 1.0, 8.0, 2.5, 2.0, 30.0]
    found = summarise(seconds)
    quartiles = statistics.quantiles(seconds, n=4, method="inclusive")
    assert [found.p25, found.median, found.p75] == quartiles
    assert found.iqr == quartiles[2] - quartiles[0]
    assert found.p95 == pytest.approx(statistics.quantiles(seconds, n=20, method="inclusive")[18])
    assert found.mean == pytest.approx(statistics.fmean(seconds))
    assert found.std == pytest.approx(statistics.stdev(seconds))
    assert summarise([2.0]).std is None
