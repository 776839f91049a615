"""Texts as integer terms, and a pool of them laid out for arithmetic on whole arrays."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Vocabulary:
    """Numbers the distinct tokens of a run and holds one scratch cell for each."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._scratch = np.zeros(1 << 16)

    def intern(self, tokens: Sequence[str]) -> NDArray[np.int32]:
        """Return the distinct terms of a text and how often each occurs, shape ``(2, terms)``."""
        counts = Counter(tokens)
        terms = np.empty((2, len(counts)), dtype=np.int32)
        terms[0] = [self._numbers[token] for token in counts]
        terms[1] = list(counts.values())
        return terms

    def scratch(self) -> NDArray[np.float64]:
        """Return an array with a cell for every term so far; all cells are 0 between uses."""
        if len(self._scratch) < len(self._numbers):
            self._scratch = np.zeros(2 * len(self._numbers))
        return self._scratch


def sum_by(
    rows: NDArray[np.int64], values: NDArray[np.float64] | NDArray[np.int32], size: int
) -> NDArray[np.float64]:
    """Return the sum of the values of each row from 0 to ``size - 1``, shape ``(size,)``."""
    # The cast is for rows without entries: bincount then answers in integers.
    return np.bincount(rows, weights=values, minlength=size).astype(np.float64, copy=False)


@dataclass(frozen=True)
class PoolTerms:
    """The terms of one query and of its documents, end to end.

    An *entry* is one distinct term of one document.

    Attributes:
        query: Term numbers and counts of the query, shape ``(2, query terms)``.
        entries: Term numbers and counts of all documents, shape ``(2, entries)``.
        sizes: Entries of each document, shape ``(documents,)``.
        scratch: A cell per term of the vocabulary, 0 between uses.
    """

    query: NDArray[np.int32]
    entries: NDArray[np.int32]
    sizes: NDArray[np.int64]
    scratch: NDArray[np.float64]

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The document that each entry belongs to."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def frequencies(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The number of the pool's documents that hold the term of each entry / each query term."""
        cells = self.scratch
        np.add.at(cells, self.entries[0], 1.0)
        found = cells[self.entries[0]].astype(np.intp), cells[self.query[0]].astype(np.intp)
        cells[self.entries[0]] = 0.0
        return found

    def spread(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return at each entry the weight of the query term it equals, 0 where it equals none."""
        self.scratch[self.query[0]] = weights
        spread: NDArray[np.float64] = self.scratch[self.entries[0]]
        self.scratch[self.query[0]] = 0.0
        return spread

    def total(self, values: NDArray[np.float64] | NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the sum of the entries' values over each document."""
        return sum_by(self.rows, values, len(self.sizes))


def lay_out(
    vocabulary: Vocabulary, query: NDArray[np.int32], documents: Sequence[NDArray[np.int32]]
) -> PoolTerms:
    """Return the pool of an interned query and its interned documents."""
    return PoolTerms(
        query=query,
        entries=np.concatenate([np.empty((2, 0), dtype=np.int32), *documents], axis=1),
        sizes=np.array([document.shape[1] for document in documents], dtype=np.int64),
        scratch=vocabulary.scratch(),
    )
