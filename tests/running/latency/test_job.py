"""What is written of a measurement, and what happens when something fails meanwhile."""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.running.latency.job import LatencyJob
from saber_mteb.running.latency.sample import choose_sample
from saber_mteb.running.latency.stopwatch import Stopwatch
from saber_mteb.running.latency.ways import View
from saber_mteb.systems.base import OutOfMemory
from saber_mteb.systems.registry import find_card


def job_of(system: Any, benchmark: Any, *views: View, **sampling: int) -> LatencyJob:
    sample = choose_sample(benchmark, **sampling)
    return LatencyJob(find_card("bm25-no-tok"), system, benchmark, sample, views or tuple(View))


def measured(job: LatencyJob, root: Path) -> Any:
    outcome = job.execute(root, clock=job.system.clock)  # type: ignore[union-attr]
    return json.loads(outcome.path.read_text())


def test_the_file_holds_what_the_figures_are_made_of(scripted: Any, tmp_path: Path) -> None:
    system = scripted.ScriptedEncoder(scripted.Clock())
    benchmark = scripted.benchmark(4, dear=[3])
    outcome = job_of(system, benchmark).execute(tmp_path, clock=system.clock)
    assert outcome.path.parent == outcome.folder.path / "saber" / "Tiny" / "latency"
    assert outcome.path.stem == outcome.hardware.slug
    content = json.loads(outcome.path.read_text())
    assert content["conditions"]["sample"]["rows"] == [0, 1, 2, 3]
    assert content["conditions"]["benchmark"]["content_hash"] == benchmark.content_hash
    cold = content["measured"]["cold"]
    seconds = [query["seconds"] for query in cold["queries"]]
    assert cold["seconds"]["median"] == statistics.median(seconds) == 1 + 10 + 1 + 1
    assert cold["texts_per_second"] == pytest.approx(41 / 13)
    assert cold["tokens_per_second"] == pytest.approx((1 + 39 + 10) / 13)
    assert content["measured"]["warm"]["texts_per_second"] == 1.0
    throughput = content["measured"]["throughput"]
    assert throughput["texts_per_second"] == pytest.approx(throughput["texts"] / 15)


def test_tokens_count_as_far_as_the_model_reads(scripted: Any, tmp_path: Path) -> None:
    system = scripted.ScriptedPairs(scripted.Clock(), max_tokens=4)
    content = measured(job_of(system, scripted.benchmark(2, dear=[0])), tmp_path)
    (tokens,) = {query["tokens"] for query in content["measured"]["cold"]["queries"]}
    assert tokens == 39 + 4
    assert "together" in content["measured"]["warm"]["unavailable"]


@pytest.mark.parametrize("kind", ["encoder", "pairs", "pools"])
@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (OutOfMemory("no room"), "no room"),
        (SaberError("the service refused"), "the service refused"),
        (np.nan, "NaN"),
    ],
)
def test_a_failed_query_is_told_and_left_out(
    scripted: Any, tmp_path: Path, kind: str, trouble: Any, reason: str
) -> None:
    benchmark = scripted.benchmark(8)
    sample = choose_sample(benchmark, queries=4)
    failing = sample.rows[1]
    system = scripted.KINDS[kind](scripted.Clock(), trouble={failing: trouble})
    content = measured(job_of(system, benchmark, queries=4), tmp_path)
    cold = content["measured"]["cold"]
    assert reason in cold["failures"].pop(str(failing))
    assert cold["failures"] == {}
    assert (cold["n_queries"], cold["n_measured"]) == (4, 3)
    assert [query["row"] for query in cold["queries"]] == [r for r in sample.rows if r != failing]
    assert cold["seconds"]["std"] == 0
    # The service refuses again when all queries are asked at once: the rest is kept all the same.
    throughput = content["measured"]["throughput"]
    if isinstance(trouble, Exception) and kind != "pools":
        assert "unavailable" in throughput
    else:
        assert throughput["n_queries"] == 4


def test_memory_that_runs_out_in_the_warm_up_does_not_stop_it(
    scripted: Any, tmp_path: Path
) -> None:
    benchmark = scripted.benchmark(6)
    (first, _) = choose_sample(benchmark, queries=2).warm_up
    system = scripted.ScriptedPairs(scripted.Clock(), trouble={first: OutOfMemory("no room")})
    content = measured(job_of(system, benchmark, queries=2), tmp_path)
    assert content["measured"]["cold"]["n_measured"] == 2


def test_without_any_time_there_is_no_file(scripted: Any, tmp_path: Path) -> None:
    benchmark = scripted.benchmark(3)
    nothing = scripted.ScriptedPools(scripted.Clock(), trouble=dict.fromkeys(range(3), np.inf))
    with pytest.raises(SaberError, match=r"None of 3 queries .* infinite"):
        measured(job_of(nothing, benchmark), tmp_path)
    pairs = scripted.ScriptedPairs(scripted.Clock())
    with pytest.raises(UsageError, match="nothing to time but the cold view"):
        measured(job_of(pairs, benchmark, View.WARM), tmp_path)
    assert pairs.seen == []
    assert list(tmp_path.iterdir()) == []


def test_interrupted_it_leaves_what_was_there(scripted: Any, tmp_path: Path) -> None:
    benchmark = scripted.benchmark(3)
    good = scripted.ScriptedEncoder(scripted.Clock())
    path = job_of(good, benchmark).execute(tmp_path, clock=good.clock).path
    before = path.read_bytes()
    stopped = scripted.ScriptedEncoder(scripted.Clock(), trouble={2: KeyboardInterrupt()})
    with pytest.raises(KeyboardInterrupt):
        measured(job_of(stopped, benchmark), tmp_path)
    assert path.read_bytes() == before
    assert [found for found in tmp_path.rglob("*") if found.is_file()] == [path]


def test_views_join_under_the_same_conditions_only(scripted: Any, tmp_path: Path) -> None:
    benchmark = scripted.benchmark(3)

    def after(view: View, asked: Any) -> set[str]:
        system = scripted.ScriptedEncoder(scripted.Clock())
        return set(measured(job_of(system, asked, view), tmp_path)["measured"])

    assert after(View.COLD, benchmark) == {"cold", "throughput"}
    assert after(View.WARM, benchmark) == {"cold", "warm", "throughput"}
    assert after(View.WARM, scripted.benchmark(3, dear=[1])) == {"warm"}


def test_another_sample_lies_apart(scripted: Any, tmp_path: Path) -> None:
    benchmark = scripted.benchmark(4)
    system = scripted.ScriptedPools(scripted.Clock())
    job = job_of(system, benchmark, queries=2, seed=7)
    assert job.execute(tmp_path, clock=system.clock).folder.experiment == "queries-2-seed-7"
    named = replace(job, experiment="dtype-float16")
    folder = named.execute(tmp_path, clock=system.clock).folder
    assert folder.experiment == "dtype-float16-queries-2-seed-7"
    # Four of four with the usual seed is what is measured without any option.
    usual = job_of(system, benchmark, queries=4)
    assert usual.execute(tmp_path, clock=system.clock).folder.experiment is None


def test_setting_the_time_of_day_changes_nothing(scripted: Any) -> None:
    assert Stopwatch(scripted.ScriptedPools(scripted.Clock())).clock is time.perf_counter
    information = time.get_clock_info("perf_counter")
    assert information.monotonic
    assert not information.adjustable
