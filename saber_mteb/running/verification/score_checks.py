"""Compares the scores of a run with published ones, as closely as rounding and ties allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from saber_mteb.benchmark.metric import ndcg
from saber_mteb.running.verification.checks import Check, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.domains import Domain
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run
    from saber_mteb.results.published import GoldenValues, PublishedRow, PublishedScore


@dataclass(frozen=True)
class TieBounds:
    """nDCG@10 of each query in the worst and in the best order of equal scores.

    The authors sort with an order of ties that depends on the platform, so their value may be
    anywhere between; ours is the mean over all orders. ``sorted`` follows their recipe, numpy's
    default sort, on this machine. All shapes are ``(scored queries,)``.
    """

    rows: NDArray[np.int64]
    worst: NDArray[np.float64]
    mean: NDArray[np.float64]
    best: NDArray[np.float64]
    sorted: NDArray[np.float64]


def tie_bounds(run: Run, benchmark: Benchmark) -> TieBounds:
    """Return the bounds of every scored query of a run."""
    import numpy as np

    values = ndcg(run.scores, benchmark.grades[run.rows]).values
    scored = ~np.isnan(values)
    scores, rows = run.scores[scored], run.rows[scored]
    grades = benchmark.grades[rows]
    return TieBounds(
        rows=rows,
        worst=ndcg(_ranked(np.lexsort((grades, -scores), axis=1)), grades).values,
        mean=values[scored],
        best=ndcg(_ranked(np.lexsort((-grades, -scores), axis=1)), grades).values,
        # In 64 bits, as the authors hold scores: the order of ties depends on the width.
        sorted=ndcg(_ranked(np.argsort(-scores.astype(np.float64), axis=1)), grades).values,
    )


def _ranked(order: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return scores without ties that give this order of candidates."""
    import numpy as np

    positions = np.broadcast_to(-np.arange(order.shape[1], dtype=np.float64), order.shape)
    scores = np.empty(order.shape)
    np.put_along_axis(scores, order, positions, axis=1)
    return scores


def check_published(
    key: str, run: Run, benchmark: Benchmark, row: PublishedRow | None, tolerance: float, note: str
) -> Iterator[Check]:
    """Yield the checks of one system and setting against its row of the published tables.

    Args:
        key: The system.
        run: Its run.
        benchmark: What was asked.
        row: The published row, if any.
        tolerance: Allowed beyond the rounding of the tables and the order of ties.
        note: What else is known of this system's figures.
    """
    bounds = tie_bounds(run, benchmark)
    name = f"{key} {run.setting}"
    note = "; ".join(filter(None, (_failed(run), note)))
    if not len(bounds.rows):
        yield Check(name, "a score", "every query failed", Verdict.DIFFERS, note)
        return
    if row is None or row.overall is None:
        found = f"{bounds.mean.mean():.4f}"
        yield Check(name, "not published", found, Verdict.UNKNOWN, note)
        return
    everything = bounds.rows >= 0
    yield _against_printed(name, bounds, everything, row.overall, tolerance, note)
    for domain, score in row.domains.items():
        chosen = _carries(bounds, benchmark, domain)
        if chosen.any():
            yield _against_printed(f"{name}: {domain}", bounds, chosen, score, tolerance, note)


def _against_printed(
    name: str,
    bounds: TieBounds,
    chosen: NDArray[np.bool_],
    score: PublishedScore,
    tolerance: float,
    note: str,
) -> Check:
    digits = score.decimals
    # A printed half may have been rounded either way, hence the last ulp.
    slack = score.rounding + tolerance + 1e-12
    low, high = bounds.worst[chosen].mean() - slack, bounds.best[chosen].mean() + slack
    ties = bounds.best[chosen].mean() - bounds.worst[chosen].mean()
    reasons = [f"order of ties ±{ties / 2:.1g}"] if ties > 1e-9 else []
    reasons += [f"re-runs ±{tolerance:g}"] if tolerance else []
    return Check(
        name,
        f"{score.value:.{digits}f}",
        f"{bounds.mean[chosen].mean():.{digits + 1}f}",
        Verdict.OK if low <= score.value <= high else Verdict.DIFFERS,
        "; ".join([*reasons, *([note] if note else [])]),
    )


def check_golden(
    run: Run, benchmark: Benchmark, golden: GoldenValues, tolerance: float
) -> Iterator[Check]:
    """Yield the checks of a run against values stored in full precision."""
    bounds = tie_bounds(run, benchmark)
    name = f"{golden.key} {run.setting}, stored"
    if not len(bounds.rows):
        yield Check(name, "a score", "every query failed", Verdict.DIFFERS, _failed(run))
        return
    if run.setting in golden.overall:
        yield _against_stored_means(f"{name} means", bounds, benchmark, golden, run, tolerance)
    if run.setting in golden.first_queries:
        values = golden.first_queries[run.setting]
        yield _against_stored_queries(f"{name} queries", bounds, values, tolerance)


def _against_stored_means(
    name: str,
    bounds: TieBounds,
    benchmark: Benchmark,
    golden: GoldenValues,
    run: Run,
    tolerance: float,
) -> Check:
    expected = golden.overall[run.setting]
    views = {"overall": (bounds.rows >= 0, expected)}
    for domain, value in golden.domains[run.setting].items():
        views[domain.value] = (_carries(bounds, benchmark, domain), value)
    outside = [
        view
        for view, (chosen, value) in views.items()
        if not chosen.any()
        or not bounds.worst[chosen].mean() - tolerance
        <= value
        <= bounds.best[chosen].mean() + tolerance
    ]
    ties = bounds.best.mean() - bounds.worst.mean()
    notes = [f"order of ties ±{ties / 2:.1g}"] if ties > tolerance else []
    if notes and abs(bounds.sorted.mean() - expected) <= tolerance:
        notes = ["equal with numpy's order of ties"]
    if outside:
        notes = [f"outside: {', '.join(outside)}", *notes, _failed(run)]
    note = "; ".join(filter(None, notes))
    verdict = Verdict.DIFFERS if outside else Verdict.OK
    return Check(name, f"{expected:.10f}", f"{bounds.mean.mean():.10f}", verdict, note)


def _against_stored_queries(
    name: str, bounds: TieBounds, values: tuple[float, ...], tolerance: float
) -> Check:
    import numpy as np

    position = {row: index for index, row in enumerate(bounds.rows.tolist())}
    wrong = []
    for row, value in enumerate(values):
        index = position.get(row)
        if index is None:
            wrong.append(f"row {row} has no score")
        elif not bounds.worst[index] - tolerance <= value <= bounds.best[index] + tolerance:
            wrong.append(f"row {row}: {bounds.mean[index]:.6f} instead of {value:.6f}")
    within = bounds.rows < len(values)
    tied = within & (bounds.best - bounds.worst > tolerance)
    stored = np.array(values)[bounds.rows[tied]]
    same = int(np.count_nonzero(np.abs(bounds.sorted[tied] - stored) <= tolerance))
    note = f"ties matter in {tied.sum()}; numpy's order of them gives the stored value in {same}"
    return Check(
        name,
        f"the first {len(values)}",
        f"{len(values) - len(wrong)} agree" + (f"; {wrong[0]}" if wrong else ""),
        Verdict.DIFFERS if wrong else Verdict.OK,
        note if tied.any() else "",
    )


def _carries(bounds: TieBounds, benchmark: Benchmark, domain: Domain) -> NDArray[np.bool_]:
    import numpy as np

    return np.array([domain in benchmark.queries[row].domains for row in bounds.rows.tolist()])


def _failed(run: Run) -> str:
    if not run.failures:
        return ""
    row, reason = next(iter(run.failures.items()))
    return f"{len(run.failures)} queries failed, row {row} first: {reason}"
