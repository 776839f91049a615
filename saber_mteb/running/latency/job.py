"""One timing job: measure, and keep the figures with all that they depend on."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb.benchmark.settings import Setting
from saber_mteb.results.latency import save_latency
from saber_mteb.results.tree import ResultFolder
from saber_mteb.running.hardware import hardware_profile
from saber_mteb.running.latency.measuring import Latency, Throughput, ViewTimes, measure
from saber_mteb.running.latency.sample import Origin, choose_sample
from saber_mteb.running.latency.summary import rate, summarise
from saber_mteb.running.provenance import data_provenance, environment_provenance
from saber_mteb.running.reporting import Silent
from saber_mteb.running.session import Session

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.running.hardware import Hardware
    from saber_mteb.running.latency.sample import Sample
    from saber_mteb.running.latency.stopwatch import Clock
    from saber_mteb.running.latency.ways import View
    from saber_mteb.running.reporting import Reporter
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card

_COMMON = (
    "Seconds for one query in the statement-full setting, by a monotonic clock that is read with "
    "the device idle before and after. Loading, texts and prompts, and counting tokens lie outside "
    "the clock; sorting the documents lies inside. Nothing is taken from a store. Warm-up queries "
    "go first and do not count."
)
_DEFINITIONS = {
    "cold": "Query and all documents of its pool are computed: the published definition. With "
    "slices, each waits for its slowest text, so this says nothing about throughput.",
    "warm": "The documents have been embedded before; only the query is computed, and the inner "
    "products: what a search in a finished index waits for.",
    "throughput": "All measured queries at once, each distinct text once, in batches of like "
    "length as a run makes them; planning lies inside the clock.",
}


@dataclass(frozen=True)
class LatencyOutcome:
    """What was measured and where it lies."""

    benchmark: Benchmark
    latency: Latency
    hardware: Hardware
    folder: ResultFolder
    path: Path
    measured: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class LatencyJob:
    """A system and the queries it is timed on.

    Attributes:
        card: Describes the system.
        system: What ranks, built from the card exactly as for a run.
        benchmark: What is asked.
        sample: The queries.
        views: What to time.
        experiment: Name of a recipe other than the card's own.
    """

    card: Card
    system: System
    benchmark: Benchmark
    sample: Sample
    views: tuple[View, ...]
    experiment: str | None = None

    def execute(
        self,
        output: Path,
        *,
        reporter: Reporter | None = None,
        clock: Clock = time.perf_counter,
    ) -> LatencyOutcome:
        """Measure, then write one file under ``output``; nothing is written before the end.

        Args:
            output: The results tree.
            reporter: Where progress goes.
            clock: Monotonic seconds.

        Raises:
            SaberError: If the system cannot run, no query could be timed, or the file cannot be
                written.
        """
        latency = measure(
            self.system,
            self.benchmark,
            self.sample,
            self.views,
            reporter=reporter or Silent(),
            clock=clock,
        )
        # Only now is it known whether a GPU was used.
        hardware = hardware_profile(self._device)
        folder = ResultFolder(output, self.card.name, self.card.revision, self._experiment)
        path = folder.latency(self.benchmark.name, hardware.slug)
        measured = _as_blocks(latency, date=datetime.now(UTC).isoformat(timespec="seconds"))
        save_latency(path, self._conditions(latency, hardware), measured)
        return LatencyOutcome(self.benchmark, latency, hardware, folder, path, measured)

    @property
    def _device(self) -> str | None:
        device = getattr(self.system, "device", None)
        return device if isinstance(device, str) else None

    @property
    def _experiment(self) -> str | None:
        """Name a sample of another size or seed: such a trial must not replace the figures."""
        sample = self.sample
        usual = sample.origin is Origin.PUBLISHED or sample == choose_sample(self.benchmark)
        part = None if usual else f"queries-{len(sample.rows)}-seed-{sample.seed}"
        return "-".join(filter(None, [self.experiment, part])) or None

    def _conditions(self, latency: Latency, hardware: Hardware) -> dict[str, Any]:
        return {
            **environment_provenance(),
            "system": {
                "name": self.card.name,
                "revision": self.card.revision,
                "engine": self.card.engine,
                "recipe": self.card.recipe,
            },
            "benchmark": data_provenance(self.benchmark),
            "setting": Setting.STATEMENT_FULL.value,
            "definition": _COMMON,
            "in_flight": latency.in_flight,
            "sample": {
                "origin": self.sample.origin.value,
                "seed": self.sample.seed,
                "rows": list(self.sample.rows),
                "warm_up_rows": list(self.sample.warm_up),
            },
            "hardware": asdict(hardware),
            "device": self._device or ("cuda" if hardware.gpu else "cpu"),
            "dtype": self.card.recipe.get("dtype"),
        }


def _as_blocks(latency: Latency, date: str) -> dict[str, dict[str, Any]]:
    blocks = {view.value: _view_block(times) for view, times in latency.views.items()}
    blocks |= {view.value: {"unavailable": why} for view, why in latency.unavailable.items()}
    if latency.throughput is not None:
        blocks["throughput"] = _throughput_block(latency.throughput)
    return {
        name: {"definition": _DEFINITIONS[name], "date": date, **block}
        for name, block in blocks.items()
    }


def _view_block(times: ViewTimes) -> dict[str, Any]:
    seconds = [query.seconds for query in times.queries]
    return {
        "n_queries": len(times.queries) + len(times.failures),
        "n_measured": len(times.queries),
        "failures": {str(row): reason for row, reason in times.failures.items()},
        "seconds": asdict(summarise(seconds)),
        "texts_per_second": rate([query.texts for query in times.queries], sum(seconds)),
        "tokens_per_second": rate([query.tokens for query in times.queries], sum(seconds)),
        "queries": [asdict(query) for query in times.queries],
    }


def _throughput_block(found: Throughput) -> dict[str, Any]:
    if found.failure is not None:
        return {"unavailable": found.failure}
    return {
        "batches": asdict(Session().policy),
        "n_queries": found.n_queries,
        "seconds": found.seconds,
        "texts": found.texts,
        "tokens": found.tokens,
        "texts_per_second": rate([found.texts], found.seconds),
        "tokens_per_second": rate([found.tokens], found.seconds),
    }
