"""What is timed for one query, by what the system is; everything else is prepared before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar

from saber_mteb._errors import SaberError
from saber_mteb.running.planning import read_lengths
from saber_mteb.systems.base import (
    Encoder,
    Finished,
    Pair,
    PairScorer,
    PoolScorer,
    PoolScores,
    Role,
    System,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Pool

IN_FLIGHT = 16
Item = TypeVar("Item")


class View(StrEnum):
    """How much of the work for a query is timed."""

    COLD = "cold"
    WARM = "warm"


@dataclass(frozen=True, slots=True)
class Prepared:
    """One query, ready to be timed: all texts stand as the model reads them.

    Attributes:
        run: The timed work; ends with the ranking.
        texts: Texts (or pairs, or documents of a whole pool) that it computes.
        tokens: Their tokens as far as the model reads them; None if the system does not count.
    """

    run: Callable[[], PoolScores]
    texts: int
    tokens: int | None


class Way(Protocol):
    """Prepares pools for the stopwatch."""

    in_flight: str
    why_not_warm: str | None

    def prepare(self, view: View, pool: Pool) -> Prepared:
        """Prepare one pool for a view."""
        ...


def way_of(system: System) -> Way:
    """Return how a system is timed."""
    if isinstance(system, Encoder):
        return EncoderWay(system)
    if isinstance(system, PairScorer):
        return PairWay(system)
    return PoolWay(system)


@dataclass
class EncoderWay:
    """Bi-encoders: the query by itself, then the documents in slices, then inner products."""

    encoder: Encoder
    in_flight: str = (
        f"the query by itself, then its documents in pool order in slices of {IN_FLIGHT}, one "
        "slice after another"
    )
    why_not_warm: str | None = None
    _documents: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def prepare(self, view: View, pool: Pool) -> Prepared:
        """Finish all texts; for the warm view, embed the documents too."""
        finish = self.encoder.finish
        query = [finish(pool.query, Role.QUERY)]
        documents = [finish(text, Role.DOCUMENT) for text in pool.documents]
        if view is View.WARM:
            vectors = self._documents.pop(pool.query_id, None)
            known = self._embed(documents) if vectors is None else vectors

            def warm() -> PoolScores:
                return _ranked(PoolScores(known @ self.encoder.encode(query)[0]))

            return Prepared(warm, 1, self._tokens(query))

        def cold() -> PoolScores:
            asked = self.encoder.encode(query)[0]
            embedded = self._embed(documents)
            self._documents[pool.query_id] = embedded
            return _ranked(PoolScores(embedded @ asked))

        return Prepared(cold, 1 + len(documents), self._tokens([*query, *documents]))

    def _embed(self, documents: Sequence[Finished]) -> NDArray[np.float32]:
        import numpy as np

        return np.concatenate([self.encoder.encode(part) for part in _slices(documents)])

    def _tokens(self, texts: Sequence[Finished]) -> int:
        lengths = self.encoder.count_tokens(texts)
        return int(read_lengths(lengths, self.encoder.max_tokens).sum())


@dataclass
class PairWay:
    """Cross-encoders: the pairs in slices."""

    scorer: PairScorer
    in_flight: str = f"pairs in pool order in slices of {IN_FLIGHT}, one slice after another"
    why_not_warm: str | None = (
        "the system reads query and document together, so nothing can be computed beforehand"
    )

    def prepare(self, view: View, pool: Pool) -> Prepared:
        """Lay out the pairs."""
        import numpy as np

        pairs = [Pair(pool.query, text) for text in pool.documents]
        lengths = read_lengths(self.scorer.count_pair_tokens(pairs), self.scorer.max_tokens)

        def cold() -> PoolScores:
            scores = [self.scorer.score_pairs(part) for part in _slices(pairs)]
            return _ranked(PoolScores(np.concatenate(scores)))

        return Prepared(cold, len(pairs), int(lengths.sum()))


@dataclass
class PoolWay:
    """Lexical, structure search, listwise: a whole pool at once."""

    scorer: PoolScorer
    in_flight: str = (
        f"the whole pool in one call, not in slices of {IN_FLIGHT}: a score depends on the other "
        "documents of the pool"
    )
    why_not_warm: str | None = (
        "a score depends on the other documents of the pool, so no document can be computed "
        "beforehand"
    )

    def prepare(self, view: View, pool: Pool) -> Prepared:
        """Nothing is to be prepared."""

        def cold() -> PoolScores:
            answers = list(self.scorer.score([pool]))
            if len(answers) != 1:
                raise SaberError(f"The system gave {len(answers)} answers to one pool.")
            return _ranked(answers[0])

        return Prepared(cold, len(pool.documents), None)


def _slices(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + IN_FLIGHT] for start in range(0, len(items), IN_FLIGHT))


def _ranked(answer: PoolScores) -> PoolScores:
    """Sort the documents, as the published region does, and return the scores as they were."""
    import numpy as np

    if answer.scores is not None:
        np.argsort(answer.scores, axis=None, kind="stable")
    return answer
