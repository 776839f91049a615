"""The three lexical scoring functions, each over one pool at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from saber_mteb.systems.lexical.terms import PoolTerms, sum_by

Ranker = Callable[[PoolTerms], NDArray[np.float64]]


@lru_cache(maxsize=8)
def _okapi_idf(size: int) -> NDArray[np.float64]:
    """``ln((N - df + 0.5) / (df + 0.5))`` for every df from 0 to N, the pool size."""
    df = np.arange(size + 1.0)
    return np.log(size - df + 0.5) - np.log(df + 0.5)


@lru_cache(maxsize=8)
def _smooth_idf(size: int) -> NDArray[np.float64]:
    """``ln((1 + N) / (1 + df)) + 1`` for every df from 0 to N, the pool size."""
    return np.log((1 + size) / (1 + np.arange(size + 1.0))) + 1


def _quotient(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide, with 0 where the divisor is 0."""
    result = np.zeros(len(below))
    np.divide(above, below, out=result, where=below > 0)
    return result


def bm25(pool: PoolTerms, *, k1: float, b: float, epsilon: float) -> NDArray[np.float64]:
    """Return the BM25 score of each document, shape ``(documents,)``.

    As ``rank_bm25.BM25Okapi``: an idf below 0 is replaced by ``epsilon`` times the mean idf over
    the pool's distinct terms, and a token that the query repeats counts as often. A pool without
    any token, where rank_bm25 divides by zero, scores 0.
    """
    entry_df, query_df = pool.frequencies
    if not len(entry_df):
        return np.zeros(len(pool.sizes))
    table = _okapi_idf(len(pool.sizes))
    # A term occurs in df entries: weighting them with 1/df counts every distinct term once.
    mean = np.average(table[entry_df], weights=1.0 / entry_df)
    idf = np.where(table < 0, epsilon * mean, table)
    weights = np.where(query_df > 0, idf[query_df], 0.0) * pool.query[1]
    lengths = pool.total(pool.entries[1])
    saturation = k1 * (1 - b + b * lengths / lengths.mean())
    spread = pool.spread(weights)
    hits = np.flatnonzero(spread)
    rows, counts = pool.rows[hits], pool.entries[1, hits]
    gains = spread[hits] * (counts * (k1 + 1) / (counts + saturation[rows]))
    return sum_by(rows, gains, len(pool.sizes))


def tf_idf(pool: PoolTerms) -> NDArray[np.float64]:
    """Return the cosine of query and document TF-IDF vectors, shape ``(documents,)``.

    As scikit-learn's ``TfidfVectorizer`` with default weighting, fitted on the documents: counts
    times smooth idf, query terms that no document holds are left out. A text without any term is
    the zero vector and scores 0, also in a pool without any, which scikit-learn refuses to fit.
    """
    entry_df, query_df = pool.frequencies
    idf = _smooth_idf(len(pool.sizes))
    entries = pool.entries[1] * idf[entry_df]
    query = np.where(query_df > 0, pool.query[1] * idf[query_df], 0.0)
    products = pool.total(entries * pool.spread(query))
    norms = np.sqrt(pool.total(entries * entries) * (query @ query))
    return _quotient(products, norms)


def jaccard(pool: PoolTerms) -> NDArray[np.float64]:
    """Return intersection over union of the term sets, shape ``(documents,)``; 0 of two empty sets.

    Both counts are exact, so the quotient equals that of Python's sets to the last bit.
    """
    shared = pool.total(pool.spread(np.ones(pool.query.shape[1])))
    union = pool.sizes + pool.query.shape[1] - shared
    return _quotient(shared, union)
