"""Times of single queries, and what is said of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueryTime:
    """One measured query; ``texts`` and ``tokens`` as in `ways.Prepared`."""

    row: int
    seconds: float
    texts: int
    tokens: int | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Seconds per query; quantiles are interpolated linearly.

    Attributes:
        median: The headline.
        p25: First quartile.
        p75: Third quartile.
        iqr: Their distance.
        p95: 95th percentile.
        mean: Arithmetic mean.
        std: Standard deviation of the sample (n - 1); None for a single query.
    """

    median: float
    p25: float
    p75: float
    iqr: float
    p95: float
    mean: float
    std: float | None


def summarise(seconds: Sequence[float]) -> Summary:
    """Summarise the seconds of at least one query.

    >>> found = summarise([1.0, 2.0, 3.0, 4.0, 10.0])
    >>> found.median, found.iqr, found.mean
    (3.0, 2.0, 4.0)
    """
    import numpy as np

    p25, median, p75, p95 = (float(q) for q in np.quantile(seconds, [0.25, 0.5, 0.75, 0.95]))
    return Summary(
        median=median,
        p25=p25,
        p75=p75,
        iqr=p75 - p25,
        p95=p95,
        mean=float(np.mean(seconds)),
        std=float(np.std(seconds, ddof=1)) if len(seconds) > 1 else None,
    )


def rate(amounts: Sequence[int | None], seconds: float) -> float | None:
    """Return the sum per second; None if something was not counted or no time passed.

    >>> rate([100, 50], 3.0)
    50.0
    """
    counted = [amount for amount in amounts if amount is not None]
    if len(counted) < len(amounts) or seconds <= 0:
        return None
    return sum(counted) / seconds
