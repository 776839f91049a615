"""The bounds that ties allow, against every order of the ties; and how figures are compared."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saber_mteb.benchmark import Benchmark, Domain, Problem, Run, Setting
from saber_mteb.results.published import PublishedRow, PublishedScore
from saber_mteb.running.verification.checks import Verdict
from saber_mteb.running.verification.score_checks import check_published, tie_bounds


def benchmark_of(grades: list[list[float]]) -> Benchmark:
    size = len(grades[0])
    return Benchmark(
        name="X",
        queries=tuple(Problem(str(n), f"q{n}", "s", (Domain.ALGEBRA,)) for n in range(len(grades))),
        documents=tuple(Problem(str(n), f"d{n}", "s") for n in range(size)),
        candidates=np.tile(np.arange(size), (len(grades), 1)),
        grades=np.array(grades),
    )


def run_of(scores: list[list[float]], failures: dict[int, str] | None = None) -> Run:
    return Run(
        setting=Setting.STATEMENT_FULL,
        rows=np.arange(len(scores)),
        scores=np.array(scores, dtype=np.float32),
        failures=failures or {},
    )


def every_value(scores: list[float], grades: list[float]) -> list[float]:
    """nDCG@10 in every order in which no smaller score stands before a larger one."""

    def dcg(order: list[float]) -> float:
        return sum((2**g - 1) / math.log2(r + 2) for r, g in enumerate(order[:10]))

    ideal = dcg(sorted(grades, reverse=True))
    orders = (
        order
        for order in itertools.permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order))
    )
    return [dcg([grades[n] for n in order]) / ideal for order in orders]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 5)), min_size=2, max_size=6))
def test_bounds_are_the_extremes_over_all_orders(pairs: list[tuple[int, float]]) -> None:
    scores = [float(score) for score, _ in pairs]
    grades = [5.0, *(grade for _, grade in pairs[1:])]
    bounds = tie_bounds(run_of([scores]), benchmark_of([grades]))
    values = every_value(scores, grades)
    assert bounds.worst[0] == pytest.approx(min(values), abs=1e-12)
    assert bounds.best[0] == pytest.approx(max(values), abs=1e-12)
    assert bounds.mean[0] == pytest.approx(sum(values) / len(values), abs=1e-12)


def published(value: float | None) -> PublishedRow:
    score = None if value is None else PublishedScore(value, decimals=3)
    return PublishedRow("k", "K", None, "CLASSICAL", Setting.STATEMENT_FULL, score, {}, "", None)


@pytest.mark.parametrize(
    ("value", "tolerance", "verdict"),
    [
        (1.000, 0.0, Verdict.OK),
        (0.9996, 0.0, Verdict.OK),
        (0.999, 0.0, Verdict.DIFFERS),
        (0.999, 0.002, Verdict.OK),
        (None, 0.0, Verdict.UNKNOWN),
    ],
)
def test_a_printed_value(value: float | None, tolerance: float, verdict: Verdict) -> None:
    benchmark = benchmark_of([[5.0, 1.0, 0.0]])
    run = run_of([[3.0, 2.0, 1.0]])
    [check] = check_published("k", run, benchmark, published(value), tolerance, "")
    assert check.verdict is verdict


def test_failed_queries_are_named() -> None:
    benchmark = benchmark_of([[5.0, 0.0], [5.0, 0.0]])
    run = run_of([[2.0, 1.0], [math.nan, math.nan]], {1: "crashed"})
    [check] = check_published("k", run, benchmark, published(1.0), 0.0, "")
    assert (check.verdict, check.found) == (Verdict.OK, "1.0000")
    assert check.note == "1 queries failed, row 1 first: crashed"
    run = run_of([[math.nan, math.nan]], {0: "crashed"})
    [check] = check_published("k", run, benchmark, published(1.0), 0.0, "")
    assert (check.verdict, check.found) == (Verdict.DIFFERS, "every query failed")
