"""Times a system query by query, then over all queries at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import accept
from saber_mteb.running.latency.stopwatch import Clock, Stopwatch
from saber_mteb.running.latency.summary import QueryTime
from saber_mteb.running.latency.ways import View, Way, way_of
from saber_mteb.running.ranking import rank
from saber_mteb.running.session import Session
from saber_mteb.systems.base import Encoder, Openable, OutOfMemory, PairScorer, System

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark, Pool
    from saber_mteb.running.latency.sample import Sample
    from saber_mteb.running.reporting import Reporter


@dataclass(frozen=True, slots=True)
class ViewTimes:
    """The measured queries of one view, and why others were not."""

    queries: tuple[QueryTime, ...]
    failures: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Throughput:
    """All queries at once, in the engine's own batches: no text waits for a slice.

    Attributes:
        seconds: For all of them.
        n_queries: How many.
        texts: Computed texts or pairs, each distinct one once; documents for whole pools.
        tokens: Their tokens; None if the system does not count.
        failure: Why it could not be measured; then the figures are 0.
    """

    seconds: float = 0.0
    n_queries: int = 0
    texts: int = 0
    tokens: int | None = None
    failure: str | None = None


@dataclass(frozen=True)
class Latency:
    """What was measured.

    Attributes:
        views: Times by view.
        unavailable: Why a view that was asked for does not exist.
        throughput: Goes with the cold view.
        in_flight: What is computed at the same time.
    """

    views: Mapping[View, ViewTimes]
    unavailable: Mapping[View, str]
    throughput: Throughput | None
    in_flight: str


def measure(
    system: System,
    benchmark: Benchmark,
    sample: Sample,
    views: Sequence[View],
    *,
    reporter: Reporter,
    clock: Clock,
) -> Latency:
    """Time a system in the statement-full setting, without any store.

    Args:
        system: What ranks.
        benchmark: What is asked.
        sample: The queries.
        views: What to time, in this order.
        reporter: Where progress goes.
        clock: Read around each query.

    Raises:
        UsageError: If none of the views exists for such a system.
        SaberError: If the system cannot run, or no query of a view could be timed.
    """
    with _opened(system) as ready:
        way = way_of(ready)
        unavailable = {view: reason for view in views if (reason := _why_not(way, view))}
        possible = [view for view in views if view not in unavailable]
        measuring = _Measuring(ready, benchmark, way, Stopwatch(ready, clock), reporter)
        if not possible:
            raise UsageError(f"There is nothing to time but the cold view: {way.why_not_warm}.")
        measuring.warm_up(possible, sample.warm_up)
        times = {view: measuring.times(view, sample.rows) for view in possible}
        throughput = measuring.throughput(sample.rows) if View.COLD in possible else None
    return Latency(times, unavailable, throughput, way.in_flight)


def _why_not(way: Way, view: View) -> str | None:
    return way.why_not_warm if view is View.WARM else None


def _opened(system: System) -> AbstractContextManager[System]:
    return system.opened() if isinstance(system, Openable) else nullcontext(system)


@dataclass(frozen=True)
class _Measuring:
    system: System
    benchmark: Benchmark
    way: Way
    stopwatch: Stopwatch
    reporter: Reporter
    _pools: dict[int, Pool] = field(default_factory=dict)

    def warm_up(self, views: Sequence[View], rows: Sequence[int]) -> None:
        """Do for other queries all that will be timed, so that everything is loaded."""
        self.reporter.start("warm-up", len(rows))
        for row in rows:
            for view in views:
                try:
                    self.way.prepare(view, self._pool(row)).run()
                except OutOfMemory:
                    continue  # loaded all the same; measured queries may be shorter
            self.reporter.advance()

    def times(self, view: View, rows: Sequence[int]) -> ViewTimes:
        """Time one query after another."""
        self.reporter.start(f"{view} queries", len(rows))
        queries: list[QueryTime] = []
        failures: dict[int, str] = {}
        for row in rows:
            found = self._time(view, row)
            if isinstance(found, QueryTime):
                queries.append(found)
            else:
                failures[row] = found
            self.reporter.advance()
        if not queries:
            reason = next(iter(failures.values()), "no query was asked")
            raise SaberError(f"None of {len(rows)} queries could be timed ({view}): {reason}")
        return ViewTimes(tuple(queries), failures)

    def throughput(self, rows: Sequence[int]) -> Throughput:
        """Time all queries together as a run would score them."""
        pools = [self._pool(row) for row in rows]
        session = Session(reporter=self.reporter)
        try:
            timed = self.stopwatch.time(
                lambda: sum(1 for _ in rank(self.system, pools, range(len(pools)), session))
            )
        except SaberError as error:
            return Throughput(failure=str(error))
        if isinstance(self.system, Encoder | PairScorer):
            texts, tokens = session.tally.texts, session.tally.tokens
            return Throughput(timed.seconds, timed.value, texts, tokens)
        return Throughput(timed.seconds, timed.value, sum(len(p.documents) for p in pools))

    def _time(self, view: View, row: int) -> QueryTime | str:
        """Return the time of a query, or the reason why it does not count."""
        try:
            prepared = self.way.prepare(view, self._pool(row))
            timed = self.stopwatch.time(prepared.run)
        except OutOfMemory as error:
            return f"memory ran out ({error})"
        except SaberError as error:
            return str(error)
        accepted = accept(timed.value, self.benchmark.pool_size)
        if isinstance(accepted, str):
            return accepted
        return QueryTime(row, timed.seconds, prepared.texts, prepared.tokens)

    def _pool(self, row: int) -> Pool:
        if row not in self._pools:
            (self._pools[row],) = self.benchmark.pools(Setting.STATEMENT_FULL, [row])
        return self._pools[row]
