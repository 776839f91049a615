"""One evaluation job: run, evaluate, and keep what is needed to check the numbers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb.benchmark.evaluation import Evaluation, evaluate
from saber_mteb.results.mteb_format import model_meta
from saber_mteb.results.store import SettingOutcome, save_result, save_shard
from saber_mteb.results.tree import ResultFolder
from saber_mteb.running.engine import run_system
from saber_mteb.running.provenance import provenance
from saber_mteb.running.reporting import Silent
from saber_mteb.running.session import Session

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.running.reporting import Reporter
    from saber_mteb.running.shards import Shard
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card


@dataclass(frozen=True)
class Outcome:
    """What a job produced and where it lies."""

    benchmark: Benchmark
    runs: Mapping[Setting, Run]
    evaluations: Mapping[Setting, Evaluation]
    folder: ResultFolder


@dataclass(frozen=True)
class Job:
    """A system, a benchmark and the part of it that is asked.

    Attributes:
        card: Describes the system.
        system: What ranks.
        benchmark: What is asked.
        settings: The settings to run.
        limit: Ask only the first so many queries; such a trial is stored as an experiment.
        shard: Ask only these queries; stored as an experiment without a result, to be merged.
    """

    card: Card
    system: System
    benchmark: Benchmark
    settings: tuple[Setting, ...]
    limit: int | None = None
    shard: Shard | None = None

    @cached_property
    def rows(self) -> range:
        """The query rows that are asked."""
        n_queries = len(self.benchmark.queries)
        if self.shard is not None:
            return self.shard.rows(n_queries)
        return range(min(self.limit or n_queries, n_queries))

    def execute(self, output: Path, *, reporter: Reporter | None = None) -> Outcome:
        """Run the system and write result file, run files and provenance under ``output``.

        Raises:
            SaberError: If the system cannot go on, no query has a score, or the folder cannot be
                written.
        """
        started = time.monotonic()
        session = Session(recipe=self.card.recipe_hash, reporter=reporter or Silent())
        runs = run_system(
            self.system, self.benchmark, self.settings, rows=self.rows, session=session
        )
        seconds = time.monotonic() - started
        folder = ResultFolder(
            root=output,
            name=self.card.name,
            revision=self.card.recipe_hash,
            experiment=self._experiment,
        )
        made = {setting: self._provenance(setting) for setting in runs}
        if self.shard is not None:
            save_shard(folder, self.benchmark, runs, made, model_meta=self._model_meta)
            return Outcome(self.benchmark, runs, {}, folder)
        evaluations = {setting: evaluate(run, self.benchmark) for setting, run in runs.items()}
        save_result(
            folder,
            self.benchmark,
            {
                setting: SettingOutcome(run, evaluations[setting], made[setting])
                for setting, run in runs.items()
            },
            model_meta=self._model_meta,
            date=datetime.now(UTC),
            seconds=seconds,
        )
        return Outcome(self.benchmark, runs, evaluations, folder)

    @property
    def _experiment(self) -> str | None:
        if self.shard is not None:
            return self.shard.slug
        return f"limit-{len(self.rows)}" if self.limit else None

    @property
    def _model_meta(self) -> dict[str, Any]:
        return model_meta(
            name=self.card.name,
            revision=self.card.recipe_hash,
            release_date=self.card.release_date,
            license=self.card.license,
            reference=self.card.reference,
        )

    def _provenance(self, setting: Setting) -> dict[str, Any]:
        return provenance(self.card, self.benchmark, setting, rows=self.rows, limit=self.limit)
