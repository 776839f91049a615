"""What every system is to the engine: something that turns pools into scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Pool


@dataclass(frozen=True, slots=True)
class PoolScores:
    """A system's answer to one pool: one score per document in pool order, or why there is none.

    Attributes:
        scores: Shape ``(documents,)``, float64, larger is better; None if the query failed.
        failure: The reason, if it failed.
    """

    scores: NDArray[np.float64] | None
    failure: str | None = None


class System(Protocol):
    """A retrieval system. It sees finished texts and never a relevance grade."""

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        """Yield one answer per pool, in order, as soon as it is known.

        All pools of a run (every setting) come in one call, so that a system can treat each
        distinct text once. A pool that cannot be scored is a `PoolScores` with a failure, never an
        exception: only what makes the whole run impossible is raised, as `SaberError`.
        """
        ...
