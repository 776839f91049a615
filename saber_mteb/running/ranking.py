"""Any system over any pools: chooses the way by what the system is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from saber_mteb._errors import SaberError
from saber_mteb.systems.base import Encoder, PairScorer, PoolScorer, PoolScores, System

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Pool
    from saber_mteb.running.session import Session


@dataclass(frozen=True, slots=True)
class Ranked:
    """The answer to the pool at a position of the given list."""

    position: int
    answer: PoolScores


@runtime_checkable
class Ranker(Protocol):
    """Answers in the place of a system, in any order: an engine beyond this process."""

    def rank(
        self, pools: Sequence[Pool], pending: Sequence[int], session: Session
    ) -> Iterator[Ranked]:
        """Yield the answer to every pending pool as soon as it is known; see `rank`."""
        ...


def rank(
    system: System | Ranker, pools: Sequence[Pool], pending: Sequence[int], session: Session
) -> Iterator[Ranked]:
    """Yield the answer to every pending pool as soon as it is known.

    Args:
        system: What ranks.
        pools: Every pool of the run: batches are planned over all of them, so that a run that was
            stopped computes the same batches again.
        pending: Positions of the pools that have no answer yet.
        session: Limits, stores and progress.

    Raises:
        SaberError: If the run cannot go on; what is finished is in the stores.
    """
    if isinstance(system, Ranker):
        yield from system.rank(pools, pending, session)
    elif isinstance(system, Encoder):
        from saber_mteb.running.encoding import rank_by_vectors

        yield from rank_by_vectors(system, pools, pending, session)
    elif isinstance(system, PairScorer):
        from saber_mteb.running.pairing import rank_by_pairs

        yield from rank_by_pairs(system, pools, pending, session)
    else:
        yield from _rank_whole(system, pools, pending, session)


def _rank_whole(
    system: PoolScorer, pools: Sequence[Pool], pending: Sequence[int], session: Session
) -> Iterator[Ranked]:
    session.reporter.start("scoring queries", len(pending))
    answered = 0
    with session.tally.phase("scoring"):
        answers = system.score([pools[position] for position in pending])
        for position, answer in zip(pending, answers, strict=False):
            answered += 1
            session.reporter.advance()
            yield Ranked(position, answer)
    if answered < len(pending):
        raise SaberError(
            f"The system answered {answered} of {len(pending)} pools and stopped; "
            "every pool needs an answer, a failed one included."
        )
