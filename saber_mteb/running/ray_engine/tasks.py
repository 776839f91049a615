"""Cuts a run into tasks of a few queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Pool


@dataclass(eq=False)
class Task:
    """Pools that are planned together, and those of them that have no answer yet.

    Attributes:
        pools: All of them.
        positions: Their positions in the run.
        pending: Indices of those without an answer.
        losses: Workers lost since the last answer.
    """

    pools: list[Pool]
    positions: list[int]
    pending: list[int]
    losses: int = 0

    def split(self) -> list[Task]:
        """Return a task for each query that is left; batches stay as they were planned."""
        queries = by_query(self.pools, self.pending)
        return [Task(self.pools, self.positions, left, self.losses) for left in queries.values()]


def cut(pools: Sequence[Pool], pending: Sequence[int], size: int) -> Iterator[Task]:
    """Yield the tasks that have something to do.

    All pools are cut, also those that have an answer: so a resumed run plans the same batches.

    Args:
        pools: Every pool of the run.
        pending: Positions of those without an answer.
        size: Queries in a task; every setting of a query is in the same one.
    """
    queries = list(by_query(pools, range(len(pools))).values())
    missing = set(pending)
    for start in range(0, len(queries), size):
        positions = [position for query in queries[start : start + size] for position in query]
        asked = [index for index, position in enumerate(positions) if position in missing]
        if asked:
            yield Task([pools[position] for position in positions], positions, asked)


def by_query(pools: Sequence[Pool], positions: Iterable[int]) -> dict[str, list[int]]:
    """Return positions by query, in the order in which queries come up."""
    found: dict[str, list[int]] = {}
    for position in positions:
        found.setdefault(pools[position].query_id, []).append(position)
    return found
