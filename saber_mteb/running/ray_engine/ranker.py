"""A system on a Ray cluster, to the engine like a system of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from saber_mteb.running.ray_engine.cluster import Resources, connected
from saber_mteb.running.ray_engine.dispatch import Dispatch
from saber_mteb.running.ray_engine.tasks import cut
from saber_mteb.running.ray_engine.worker import Order, Report
from saber_mteb.systems.registry import build_system

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Pool
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.running.ranking import Ranked
    from saber_mteb.running.session import Session
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card

# What tells one kind of worker from another.
_OF_A_WORKER = ("versions", "python", "machine", "device", "hardware")


@dataclass
class RayRanker:
    """Answers on a cluster; the engine takes it in place of the system itself.

    Queries are cut into tasks in their given order, all settings of a query in one task. Batches
    are planned over the texts of a task: scores depend neither on the cluster nor on what was lost
    or resumed, but can differ in the last bits from a run on one machine, whose batches are others.
    Documents that pools of two tasks share are encoded by both where workers keep no stores.

    A worker sends each answer as soon as it has it. If it is lost, its task goes on elsewhere with
    the queries that have none. A task that loses ``retries`` more workers without an answer in
    between is split into single queries; one that loses its worker even so is a failed query.

    Attributes:
        card: The system; workers build it for themselves.
        resources: What each task reserves.
        keep: Whether workers use the stores of their machine: those of the user on a cluster that
            the run starts itself, elsewhere those in the folder that SABER_MTEB_CACHE names there,
            which must be on the machine's own disk.
        build: Makes the system from the card.
        queries_per_task: More share more documents; fewer wait less for the last task.
        retries: Lost workers that a task without progress survives.
    """

    card: Card
    resources: Resources = field(default_factory=Resources)
    keep: bool = True
    build: Callable[[Card], System] = build_system
    queries_per_task: int = 16
    retries: int = 3
    _reports: list[Report] = field(default_factory=list, init=False, repr=False)

    def rank(
        self, pools: Sequence[Pool], pending: Sequence[int], session: Session
    ) -> Iterator[Ranked]:
        """Yield the answer to every pending pool, in the order in which they arrive.

        Uses the cluster that this process is connected to, else the one that RAY_ADDRESS names,
        else one of this machine that ends with the run.

        Raises:
            SaberError: If Ray is not installed or cannot be started, if the system cannot be built
                or cannot go on, or if workers keep dying. Tasks that run at that time are finished
                first, and their answers are kept.
        """
        session.reporter.start("scoring queries", len(pending))
        with connected(self.resources) as cluster, session.tally.phase("scoring"):
            order = Order(
                run=uuid4().hex,
                card=self.card,
                build=self.build,
                recipe=session.recipe,
                policy=session.policy,
                keep=self.keep and bool(session.recipe),
                own_cluster=cluster.own,
                first={pool.setting.value: pool for pool in reversed(pools)},
            )
            tasks = cut(pools, pending, self.queries_per_task)
            for sent in Dispatch(cluster, self.resources, tasks, self.retries).answers(order):
                if isinstance(sent, Report):
                    self._reports.append(sent)
                    session.tally.add(sent.tally, "workers: ")
                else:
                    session.reporter.advance()
                    yield sent

    def computed(self, setting: Setting) -> dict[str, Any]:
        """Return what provenance says about the workers, those with most tasks first."""
        if not self._reports:  # every answer was in the store, or no task came to its end
            return {}
        kinds: list[tuple[dict[str, Any], int]] = []
        for facts in (report.facts[setting.value] for report in self._reports):
            known = next((i for i, (kind, _) in enumerate(kinds) if kind == facts), None)
            if known is None:
                kinds.append((facts, 1))
            else:
                kinds[known] = (facts, kinds[known][1] + 1)
        kinds.sort(key=lambda kind: -kind[1])
        peaks = [report.peak_memory_mb for report in self._reports]
        return {
            **kinds[0][0],
            "ray": {
                "version": version("ray"),
                "resources": asdict(self.resources),
                "queries_per_task": self.queries_per_task,
                "peak_memory_mb": {
                    name: max(peak.get(name, 0.0) for peak in peaks) for name in peaks[0]
                },
                "workers": [
                    {"tasks": tasks, **{name: facts[name] for name in _OF_A_WORKER}}
                    for facts, tasks in kinds
                ],
            },
        }
