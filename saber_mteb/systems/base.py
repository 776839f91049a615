"""What a system is to the engine: one of three ways to turn texts into scores.

The engine decides what is computed when, and what is kept; a system only computes. It sees texts
and never a relevance grade.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Pool


class OutOfMemory(Exception):
    """A batch did not fit; the engine halves it and goes on."""


class Role(StrEnum):
    """The side a text stands on."""

    QUERY = "query"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class PoolScores:
    """A system's answer to one pool: one score per document in pool order, or why there is none.

    Attributes:
        scores: Shape ``(documents,)``, larger is better; None if the query failed.
        failure: The reason, if it failed.
    """

    scores: NDArray[np.floating] | None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """A text as the model sees it, vendor prompts included.

    Attributes:
        text: The literal string.
        side: Set where query and document vectors of the same string differ (an API parameter, a
            mask); empty where the string says everything.
    """

    text: str
    side: str = ""


class Pair(NamedTuple):
    """A query and a document as a cross-encoder's template takes them.

    A tuple because 450,000 of them are made for a run: a frozen dataclass costs four times as much.
    """

    query: str
    document: str


@runtime_checkable
class PoolScorer(Protocol):
    """Ranks whole pools: lexical, structure search, listwise."""

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        """Yield one answer per pool, in order, as soon as it is known.

        All pools of a run (every setting) come in one call, so that a system can treat each
        distinct text once. A pool that cannot be scored is a `PoolScores` with a failure, never an
        exception: only what makes the whole run impossible is raised, as `SaberError`.
        """
        ...


@runtime_checkable
class Encoder(Protocol):
    """Turns each text into one vector; the score is their inner product (bi-encoders).

    An encoder whose score is the cosine returns vectors of length 1.
    """

    @property
    def max_tokens(self) -> int | None:
        """Tokens at which a text is cut; None if there is no limit."""
        ...

    def finish(self, text: str, role: Role) -> Finished:
        """Return the literal string for a side: the one place where prompts are applied."""
        ...

    def count_tokens(self, texts: Sequence[Finished]) -> NDArray[np.int64]:
        """Return the tokens of each text, special ones included, before any is cut off."""
        ...

    def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
        """Encode one batch, shape ``(texts, dimensions)``.

        Raises:
            OutOfMemory: If the batch does not fit.
        """
        ...


@runtime_checkable
class PairScorer(Protocol):
    """Reads query and document together (cross-encoders, pointwise generation)."""

    @property
    def max_tokens(self) -> int | None:
        """Tokens at which a pair is cut; None if there is no limit."""
        ...

    def count_pair_tokens(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        """Return the tokens of each pair, special ones included, before any is cut off."""
        ...

    def score_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Score one batch, shape ``(pairs,)``.

        Raises:
            OutOfMemory: If the batch does not fit.
        """
        ...


@runtime_checkable
class Openable(Protocol):
    """A pool scorer that starts something for each `PoolScorer.score`, e.g. a process.

    Whoever times it call by call opens it first; the start is no part of an answer.
    """

    def opened(self) -> AbstractContextManager[PoolScorer]:
        """Return the same system, started once for all calls within the block."""
        ...


@runtime_checkable
class Synchronised(Protocol):
    """A system on a device that works on after a call has returned."""

    def synchronise(self) -> None:
        """Wait until the device has done what it was given."""
        ...


System = PoolScorer | Encoder | PairScorer
