"""Any system over any pools: chooses the way by what the system is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, runtime_checkable

from saber_mteb._errors import SaberError
from saber_mteb.running.batches import call_within
from saber_mteb.systems.base import Encoder, PairScorer, PoolScorer, PoolScores, System

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Pool
    from saber_mteb.benchmark.settings import Setting
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

    def computed(self, setting: Setting) -> dict[str, Any]:
        """Return what provenance says about who computed the scores of a setting."""
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
    elif encodes(system):
        from saber_mteb.running.encoding import rank_by_vectors

        yield from rank_by_vectors(system, pools, pending, session)
    elif reads_pairs(system):
        from saber_mteb.running.pairing import rank_by_pairs

        yield from rank_by_pairs(system, pools, pending, session)
    elif isinstance(system, PoolScorer):
        yield from _rank_whole(system, pools, pending, session)
    else:
        raise TypeError(f"{type(system).__name__} is no PoolScorer, Encoder or PairScorer.")


def encodes(system: System | Ranker) -> TypeGuard[Encoder]:
    """Return whether a system is an `Encoder`.

    `isinstance` would, up to Python 3.11, ask for ``max_tokens`` too and so load the weights.
    """
    return hasattr(type(system), "encode")


def reads_pairs(system: System | Ranker) -> TypeGuard[PairScorer]:
    """Return whether a system is a `PairScorer`, without loading its weights."""
    return hasattr(type(system), "score_pairs")


def _rank_whole(
    system: PoolScorer, pools: Sequence[Pool], pending: Sequence[int], session: Session
) -> Iterator[Ranked]:
    session.reporter.start("scoring queries", len(pending))
    with session.tally.phase("scoring"):
        answers = iter(system.score([pools[position] for position in pending]))
        for answered, position in enumerate(pending):
            what = f"The answer to query {pools[position].query_id}"
            answer = call_within(session.policy.timeout, lambda: next(answers, None), what)
            if answer is None:
                raise SaberError(
                    f"The system answered {answered} of {len(pending)} pools and stopped; "
                    "every pool needs an answer, a failed one included."
                )
            session.reporter.advance()
            yield Ranked(position, answer)
