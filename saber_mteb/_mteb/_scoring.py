"""From the answers mteb collects to our run: what is missing, extra or not a number has failed."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from saber_mteb.benchmark.runs import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.settings import Setting


def run_from_answers(
    answers: Mapping[str, Mapping[str, float]],
    benchmark: Benchmark,
    setting: Setting,
    reasons: Mapping[str, str] | None = None,
) -> Run:
    """Return the run that answers of the form ``{query id: {document id: score}}`` describe.

    mteb itself takes NaN from cross-encoders and treats a candidate without a score as not
    retrieved; here either fails the query.

    Args:
        answers: Ids are row numbers as strings. A query that lacks has failed.
        benchmark: What was asked.
        setting: The setting it was asked in.
        reasons: By query id, why the system gave no usable answer, where it said so.
    """
    import numpy as np

    n_queries = len(benchmark.queries)
    scores = np.full((n_queries, benchmark.pool_size), np.nan, dtype=np.float32)
    failures = {}
    for row, candidates in enumerate(benchmark.candidates.tolist()):
        found = _pool_scores(answers.get(str(row), {}), [str(c) for c in candidates])
        if isinstance(found, str):
            failures[row] = (reasons or {}).get(str(row), found)
        else:
            scores[row] = found
    rows = np.arange(n_queries, dtype=np.int64)
    return Run(setting=setting, rows=rows, scores=scores, failures=failures)


def _pool_scores(answer: Mapping[str, float], candidates: list[str]) -> NDArray[np.float32] | str:
    """Return the scores in pool order, or why the query has failed."""
    import numpy as np

    missing = [c for c in candidates if c not in answer]
    if missing:
        return f"{len(missing)} of {len(candidates)} candidates have no score"
    if len(answer) > len(candidates):
        extra = len(answer) - len(candidates)
        return f"{extra} documents have a score that are not among its {len(candidates)} candidates"
    with np.errstate(over="ignore"):
        scores = np.array([answer[c] for c in candidates], dtype=np.float64).astype(np.float32)
    bad = sum(not isfinite(score) for score in scores.tolist())
    if bad:
        return f"{bad} of {len(candidates)} scores are NaN or infinite as 32-bit floats"
    return scores
