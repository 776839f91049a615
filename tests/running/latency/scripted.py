"""A clock that only systems move, and systems of every kind whose cost can be worked out by hand.

A text costs as many seconds as it has letters ``x``; texts of one batch are computed side by side,
so a batch costs what its most expensive text costs. Tokens are the letters ``x`` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.records import Benchmark, Pool, Problem
from saber_mteb.running.latency.measuring import Latency, measure
from saber_mteb.running.latency.sample import Sample, choose_sample
from saber_mteb.running.latency.ways import View
from saber_mteb.running.reporting import Silent
from saber_mteb.systems.base import Finished, OutOfMemory, Pair, PoolScores, Role

POOL = 40


def benchmark(n_queries: int = 5, *, dear: Sequence[int] = (), name: str = "Tiny") -> Benchmark:
    """Queries with forty documents each, none shared, a second each but for the dear ones: ten."""
    documents = tuple(
        Problem(str(i), f"d{i} " + "x" * (10 if i % POOL in dear else 1), "because")
        for i in range(n_queries * POOL)
    )
    queries = tuple(Problem(str(i), f"q{i} x", "because") for i in range(n_queries))
    candidates = np.arange(n_queries * POOL).reshape(n_queries, POOL)
    grades = np.tile(np.linspace(0, 5, POOL), (n_queries, 1))
    return Benchmark(name, queries, documents, candidates, grades)


@dataclass
class Clock:
    """Stands still unless a system works."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Worker:
    """What all the systems have in common.

    Attributes:
        clock: What they move.
        load: Seconds that the very first use takes.
        lazy_device: Work is only queued, and done when somebody waits for it.
        trouble: By row of the query, what happens to it.
    """

    clock: Clock
    load: float = 0.0
    lazy_device: bool = False
    trouble: dict[int, Any] = field(default_factory=dict)
    seen: list[list[Any]] = field(default_factory=list)
    queued: float = 0.0
    loaded: bool = False
    max_tokens: int | None = None

    def synchronise(self) -> None:
        self.clock.now += self.queued
        self.queued = 0.0

    def touch(self) -> None:
        if not self.loaded:
            self.clock.now += self.load
            self.loaded = True

    def work(self, batch: Sequence[Any], texts: Sequence[str]) -> None:
        self.touch()
        self.seen.append(list(batch))
        seconds = float(max(text.count("x") for text in texts))
        if self.lazy_device:
            self.queued += seconds
        else:
            self.clock.now += seconds

    def values(self, texts: Sequence[str]) -> np.ndarray:
        """Ones, or what the script says of a query among these texts."""
        values = np.ones(len(texts), dtype=np.float32)
        for row, trouble in self.trouble.items():
            if any(f"q{row} x" in text for text in texts):
                if isinstance(trouble, BaseException):
                    raise trouble
                values[:] = trouble
        return values


class ScriptedEncoder(Worker):
    """Puts a prompt before each text."""

    def finish(self, text: str, role: Role) -> Finished:
        return Finished(f"{role}: {text}", side=role)

    def count_tokens(self, texts: Sequence[Finished]) -> np.ndarray:
        self.touch()
        return np.array([text.text.count("x") for text in texts])

    def encode(self, texts: Sequence[Finished]) -> np.ndarray:
        strings = [text.text for text in texts]
        self.work(texts, strings)
        return np.repeat(self.values(strings)[:, None], 3, axis=1)


class ScriptedPairs(Worker):
    """Costs what the document costs."""

    def count_pair_tokens(self, pairs: Sequence[Pair]) -> np.ndarray:
        self.touch()
        return np.array([pair.document.count("x") for pair in pairs])

    def score_pairs(self, pairs: Sequence[Pair]) -> np.ndarray:
        self.work(pairs, [pair.document for pair in pairs])
        return self.values([pair.query for pair in pairs])


class ScriptedPools(Worker):
    """Costs one second for a pool."""

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        for pool in pools:
            self.work([pool], ["x"])
            try:
                score = self.values([pool.query])[0]
            except (SaberError, OutOfMemory) as error:
                yield PoolScores(None, str(error))
            else:
                yield PoolScores(np.full(len(pool.documents), score))


class ScriptedProcess(ScriptedPools):
    """Starts a process for each call of `score`, which takes a minute, unless it is opened."""

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        self.clock.now += 60
        yield from super().score(pools)

    @contextmanager
    def opened(self) -> Iterator[ScriptedPools]:
        self.clock.now += 60
        yield ScriptedPools(self.clock)


KINDS = {"encoder": ScriptedEncoder, "pairs": ScriptedPairs, "pools": ScriptedPools}


def timed(
    system: Any,
    asked: Benchmark,
    *views: View,
    sample: Sample | None = None,
) -> Latency:
    """Measure with the system's own clock; both views unless some are named."""
    return measure(
        system,
        asked,
        sample or choose_sample(asked, queries=3),
        views or tuple(View),
        reporter=Silent(),
        clock=system.clock,
    )


def seconds(latency: Latency, view: View) -> list[float]:
    """The seconds of each measured query."""
    return [query.seconds for query in latency.views[view].queries]
