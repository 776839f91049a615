"""What a Ray worker does: build the system once, answer some pools, send each answer at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from saber_mteb._cache import cache_folder
from saber_mteb.running.provenance import computed_here, peak_memory_mb
from saber_mteb.running.ranking import Ranked, rank
from saber_mteb.running.session import Session
from saber_mteb.running.stores.embeddings import EmbeddingStore
from saber_mteb.running.stores.scores import ScoreStore

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Pool
    from saber_mteb.running.planning import BatchPolicy
    from saber_mteb.running.reporting import Tally
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card


@dataclass(frozen=True, slots=True)
class Order:
    """What is the same for every task of a run.

    Attributes:
        run: Distinct for each run.
        card: The system.
        build: Makes it.
        recipe: Identifies it in the stores.
        policy: How large batches may be.
        keep: Whether a worker may use the stores of its machine.
        own_cluster: Whether workers run on the user's machine.
        first: The first pool of each setting: provenance shows how its texts were finished.
    """

    run: str
    card: Card
    build: Callable[[Card], System]
    recipe: str
    policy: BatchPolicy
    keep: bool
    own_cluster: bool
    first: dict[str, Pool]


@dataclass(frozen=True, slots=True)
class Report:
    """What a worker says at the end of a task.

    Attributes:
        tally: What it counted.
        facts: What made the answers: versions, hardware and first texts, by setting.
        peak_memory_mb: Of its process so far.
    """

    tally: Tally
    facts: dict[str, dict[str, Any]]
    peak_memory_mb: dict[str, float]


# Ray gives a worker process one task after another: weights are loaded for the first only.
_built: dict[str, System] = {}


def answer_pools(
    order: Order, pools: Sequence[Pool], pending: Sequence[int]
) -> Iterator[Ranked | Report]:
    """Yield the answers to the pending pools, then a report."""
    if order.run not in _built:
        _built.clear()
        _built[order.run] = order.build(order.card)
    system = _built[order.run]
    with ExitStack() as stack:
        session = _session(order, stack)
        yield from rank(system, pools, pending, session)
    facts = {setting: computed_here(system, pool) for setting, pool in order.first.items()}
    yield Report(session.tally, facts, peak_memory_mb())


def _session(order: Order, stack: ExitStack) -> Session:
    # On a cluster the user's home may be one network folder for all machines, where SQLite files
    # get damaged: there the stores are used if each machine names a folder for them.
    if not order.keep or not (order.own_cluster or os.environ.get("SABER_MTEB_CACHE")):
        return Session(recipe=order.recipe, policy=order.policy)
    return Session(
        recipe=order.recipe,
        policy=order.policy,
        scores=stack.enter_context(ScoreStore.open(cache_folder())),
        embeddings=stack.enter_context(EmbeddingStore.open(cache_folder())),
    )
