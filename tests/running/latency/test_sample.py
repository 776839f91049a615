"""Which queries are timed: the published ones, or a seeded sample."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from saber_mteb.benchmark.records import Benchmark, Problem
from saber_mteb.running.latency.sample import (
    N_QUERIES,
    PUBLISHED_ROWS,
    Origin,
    choose_sample,
)


def asked(n_queries: int, name: str = "Tiny") -> Benchmark:
    queries = tuple(Problem(str(i), f"q{i}", "") for i in range(n_queries))
    zeros = np.zeros((n_queries, 1))
    return Benchmark(name, queries, queries[:1], zeros.astype(np.int64), zeros)


def test_the_published_rows_are_the_sample_they_are_said_to_be() -> None:
    """Seed 42 over the 971 queries that are left when 29 of 1000 are skipped.

    Which 29 is not published, but every sampled position can only move up, by as many as were
    skipped before it.
    """
    positions = sorted(random.Random(42).sample(range(971), 50))
    skipped = [row - at for row, at in zip(PUBLISHED_ROWS, positions, strict=True)]
    assert skipped == sorted(skipped)
    assert skipped[0] >= 0
    assert skipped[-1] <= 29


def test_saber_math_is_timed_on_the_published_rows_unless_others_are_wanted() -> None:
    saber_math = asked(1000, "SABERMath")
    usual = choose_sample(saber_math)
    assert (usual.origin, usual.rows) == (Origin.PUBLISHED, PUBLISHED_ROWS)
    assert not set(usual.warm_up) & set(usual.rows)
    for other in (choose_sample(saber_math, queries=50), choose_sample(saber_math, seed=42)):
        assert other.origin is Origin.SEEDED
        assert other.rows != PUBLISHED_ROWS
    assert choose_sample(asked(1000)).origin is Origin.SEEDED


@given(
    n_queries=st.integers(1, 200),
    queries=st.none() | st.integers(1, 300),
    seed=st.none() | st.integers(0, 10),
)
def test_drawn_rows(n_queries: int, queries: int | None, seed: int | None) -> None:
    benchmark = asked(n_queries)
    found = choose_sample(benchmark, queries=queries, seed=seed)
    assert found == choose_sample(benchmark, queries=queries, seed=seed)
    assert len(found.rows) == min(N_QUERIES if queries is None else queries, n_queries)
    assert list(found.rows) == sorted(set(found.rows))
    assert {*found.rows, *found.warm_up} <= set(range(n_queries))
    assert found.warm_up
    if len(found.rows) < n_queries:
        assert not set(found.warm_up) & set(found.rows)


def test_another_seed_draws_other_rows() -> None:
    drawn: set[Any] = {choose_sample(asked(500), seed=seed).rows for seed in range(5)}
    assert len(drawn) == 5
