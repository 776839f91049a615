"""Which queries are timed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark

# The rows that github.com/insait-institute/sabermath timed for every model: a sample (seed 42) of
# the 971 queries that Approach Zero survives in full-full.
PUBLISHED_ROWS: tuple[int, ...] = (
    6, 25, 27, 30, 32, 90, 95, 96, 100, 105, 115, 144, 161, 165, 207, 227, 230, 232, 235, 245,
    257, 289, 292, 353, 357, 400, 442, 445, 472, 531, 572, 588, 617, 618, 630, 669, 680, 709, 731,
    735, 753, 775, 779, 780, 799, 803, 850, 853, 916, 939,
)  # fmt: skip
N_QUERIES = len(PUBLISHED_ROWS)
SEED = 42
# The first loads the model, the second meets what only a loaded model does once.
N_WARM_UP = 2


class Origin(StrEnum):
    """Where the rows come from."""

    PUBLISHED = "published"
    SEEDED = "seeded"


@dataclass(frozen=True, slots=True)
class Sample:
    """The queries of one measurement.

    Attributes:
        origin: Published or drawn.
        seed: What they (or only the warm-up) were drawn with.
        rows: Measured query rows, ascending.
        warm_up: Rows asked before, whose time does not count; among the measured ones only where
            there are no others.
    """

    origin: Origin
    seed: int
    rows: tuple[int, ...]
    warm_up: tuple[int, ...]


def choose_sample(
    benchmark: Benchmark, *, queries: int | None = None, seed: int | None = None
) -> Sample:
    """Choose the published queries of SABER-Math, or draw some.

    Args:
        benchmark: What is asked.
        queries: How many to draw, at most all; 50 by default.
        seed: What to draw with; 42 by default. If either is given, the rows are drawn.
    """
    total = len(benchmark.queries)
    published = benchmark.name == "SABERMath" and queries is None and seed is None
    rng = random.Random(SEED if seed is None else seed)
    if published and total > PUBLISHED_ROWS[-1]:
        origin, rows = Origin.PUBLISHED, PUBLISHED_ROWS
    else:
        size = min(N_QUERIES if queries is None else queries, total)
        origin, rows = Origin.SEEDED, tuple(sorted(rng.sample(range(total), size)))
    others = sorted(set(range(total)) - set(rows)) or list(rows)
    return Sample(
        origin=origin,
        seed=SEED if seed is None else seed,
        rows=rows,
        warm_up=tuple(rng.sample(others, min(N_WARM_UP, len(others)))),
    )
