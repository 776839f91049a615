"""Runs a system over the pools of a benchmark and keeps every answer, also the bad ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.runs import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Benchmark, Pool
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.systems.base import PoolScores, System


def run_system(
    system: System,
    benchmark: Benchmark,
    settings: Iterable[Setting],
    *,
    rows: Sequence[int] | None = None,
    on_pool: Callable[[Pool], None] = lambda pool: None,
) -> dict[Setting, Run]:
    """Score the pools of every setting in one pass of the system.

    Args:
        system: What ranks.
        benchmark: What is asked.
        settings: The settings to run, in this order.
        rows: Query rows; all by default.
        on_pool: Called after each answered pool, for progress.

    Returns:
        One `Run` per setting. A query whose answer is missing, has the wrong length or holds a NaN
        or an infinity is a failed query of that run.

    Raises:
        SaberError: If the system stops before every pool is answered.
    """
    import numpy as np

    asked = list(range(len(benchmark.queries)) if rows is None else rows)
    wanted = list(dict.fromkeys(settings))
    pools = [pool for setting in wanted for pool in benchmark.pools(setting, asked)]
    scores = np.full((len(pools), benchmark.pool_size), np.nan, dtype=np.float32)
    reasons: dict[int, str] = {}
    answered = 0
    for pool, answer in zip(pools, system.score(pools), strict=False):
        accepted = accept(answer, benchmark.pool_size)
        if isinstance(accepted, str):
            reasons[answered] = accepted
        else:
            scores[answered] = accepted
        answered += 1
        on_pool(pool)
    if answered < len(pools):
        raise SaberError(
            f"The system answered {answered} of {len(pools)} pools and stopped; "
            "every pool needs an answer, a failed one included."
        )
    size = len(asked)
    return {
        setting: Run(
            setting=setting,
            rows=np.asarray(asked, dtype=np.int64),
            scores=scores[block * size : (block + 1) * size],
            failures={
                asked[i - block * size]: reason
                for i, reason in reasons.items()
                if block * size <= i < (block + 1) * size
            },
        )
        for block, setting in enumerate(wanted)
    }


def accept(answer: PoolScores, size: int) -> NDArray[np.float32] | str:
    """Return the scores of an answer as float32, or the reason why they cannot count."""
    import numpy as np

    if answer.scores is None:
        return answer.failure or "the system gave no score and no reason"
    found = np.asarray(answer.scores)
    if found.shape != (size,):
        return f"{size} scores were expected, found an array of shape {found.shape}"
    with np.errstate(over="ignore"):
        stored = found.astype(np.float32)
    bad = int(np.count_nonzero(~np.isfinite(stored)))
    if bad:
        return f"{bad} of {size} scores are NaN or infinite as 32-bit floats"
    return stored
