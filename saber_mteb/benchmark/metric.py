"""nDCG with graded relevance and the exact expectation over ties: the only nDCG of the project."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class Gain(StrEnum):
    """How a relevance grade becomes a gain."""

    EXPONENTIAL = "exponential"
    LINEAR = "linear"


@dataclass(frozen=True)
class NDCG:
    """nDCG of each query.

    Attributes:
        values: Shape ``(queries,)`` in [0, 1]; NaN where the query's scores are not all finite.
        tied_cutoff: Shape ``(queries,)``; True where equal scores lie across the cut-off rank, so
            that the order within them could change the value.
    """

    values: NDArray[np.float64]
    tied_cutoff: NDArray[np.bool_]


def ndcg(
    scores: ArrayLike, grades: ArrayLike, *, k: int = 10, gain: Gain = Gain.EXPONENTIAL
) -> NDCG:
    """Return nDCG@k of every query at once.

    The discount of rank r is 1 / log2(r + 1) and the ideal order is taken over all candidates
    (Järvelin and Kekäläinen, 2002; exponential gain 2^grade - 1 after Burges et al., 2005).
    Documents with equal scores share the ranks of their block: each gets the mean gain of the
    block, which is the expectation over all orders of it (McSherry and Najork, 2008), so no sort
    decides a score. A query without any positive grade scores 0.

    Args:
        scores: Shape ``(queries, candidates)``; larger is better. A row that holds a NaN or an
            infinity is a failed query.
        grades: Same shape, finite and not negative.
        k: Cut-off rank, at least 1.
        gain: Exponential (the benchmark's) or linear.

    Raises:
        SaberError: If the shapes differ, a grade is negative, not finite or above 100, k is no
            whole number of at least 1, or there is no such gain.

    >>> ndcg([[3.0, 2.0, 1.0]], [[5.0, 0.0, 1.0]]).values.round(6).tolist()
    [0.995861]
    >>> ndcg([[1.0, 1.0]], [[1.0, 0.0]], k=1).values.tolist()   # a coin decides
    [0.5]
    """
    import numpy as np

    s, g = _matrix(scores, "scores"), _matrix(grades, "grades")
    _check(s, g, k)
    gains = _gains(g, gain)
    failed = np.logical_not(np.isfinite(s).all(axis=1))
    s = np.where(failed[:, None], 0.0, s)

    width = s.shape[1]
    discounts = np.zeros(width)
    discounts[:k] = 1.0 / np.log2(np.arange(2, min(k, width) + 2))

    order = np.argsort(-s, axis=1, kind="stable")
    ranked = np.take_along_axis(s, order, axis=1)
    dcg = _expected_dcg(ranked, np.take_along_axis(gains, order, axis=1), discounts)
    ideal = -np.sort(-gains, axis=1)[:, :k] @ discounts[:k]

    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(ideal > 0, dcg / ideal, 0.0)
    # A perfect order sums the same terms in another order and may land an ulp above 1.
    values = np.minimum(values, 1.0)
    values[failed] = np.nan
    tied = np.zeros(len(s), dtype=np.bool_)
    if k < width:
        tied = (ranked[:, k - 1] == ranked[:, k]) & ~failed
    return NDCG(values=values, tied_cutoff=tied)


def _matrix(values: ArrayLike, what: str) -> NDArray[np.float64]:
    import numpy as np

    try:
        return np.atleast_2d(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise SaberError(f"The {what} are no rectangular array of numbers: {error}") from error


def _gains(grades: NDArray[np.float64], gain: Gain) -> NDArray[np.float64]:
    import numpy as np

    if gain not in list(Gain):
        raise SaberError(f"There is no gain '{gain}'; choose from {', '.join(Gain)}.")
    return grades if Gain(gain) is Gain.LINEAR else np.exp2(grades) - 1.0


def _expected_dcg(
    ranked: NDArray[np.float64], gains: NDArray[np.float64], discounts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum over blocks of equal score: mean gain of the block times the discounts of its ranks."""
    import numpy as np

    starts_block = np.ones(ranked.shape, dtype=bool)
    starts_block[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    starts = np.flatnonzero(starts_block)
    sizes = np.diff(np.append(starts, ranked.size))
    gain_sum = np.add.reduceat(gains.ravel(), starts)
    discount_sum = np.add.reduceat(np.broadcast_to(discounts, ranked.shape).ravel(), starts)
    rows = starts // ranked.shape[1]
    expected: NDArray[np.float64] = np.zeros(len(ranked))
    np.add.at(expected, rows, gain_sum * discount_sum / sizes)
    return expected


def _check(scores: NDArray[np.float64], grades: NDArray[np.float64], k: int) -> None:
    import numpy as np

    if scores.shape != grades.shape:
        raise SaberError(
            f"Scores have shape {scores.shape}, grades {grades.shape}; "
            "give one score for each graded candidate."
        )
    if scores.ndim != 2 or scores.shape[1] == 0:
        raise SaberError(f"Found an array of shape {scores.shape}, expected (queries, candidates).")
    if not isinstance(k, int) or k < 1:
        raise SaberError(f"The cut-off k is {k}; it must be a whole number of at least 1.")
    # 2^100 still adds up exactly enough; 2^1024 is no float.
    if not np.isfinite(grades).all() or (grades < 0).any() or (grades > 100).any():
        raise SaberError(
            "A relevance grade is negative, NaN or above 100; those of the benchmark lie in [0, 5]."
        )
