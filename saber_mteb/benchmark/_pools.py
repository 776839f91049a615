"""Checks candidate lists and grades and makes arrays of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from saber_mteb.benchmark.faults import Fault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.faults import FaultList
    from saber_mteb.benchmark.tables import Table

MAX_GRADE = 5.0
# Min-max scaling in 64- or 32-bit floats can end a few ulps outside [0, 5] (scikit-learn's does).
ROUNDING = 1e-6


@dataclass(frozen=True)
class PoolArrays:
    """Candidates (row numbers, int64) and grades (float64), both ``(queries, pool size)``."""

    candidates: NDArray[np.int64]
    grades: NDArray[np.float64]


def read_pools(queries: Table, n_documents: int, faults: FaultList) -> PoolArrays | None:
    """Return the candidate pools, or None after adding what is wrong with them to ``faults``.

    Rows whose lists have the wrong form are reported and left out of the checks of their values,
    so that one message covers both.
    """
    import numpy as np

    rows = _well_formed_rows(queries, faults)
    if not rows:
        return None
    candidates = _candidate_array(queries, rows, n_documents, faults)
    grades = _grade_array(queries, rows, faults)
    if candidates is None or grades is None or len(rows) < queries.n_rows:
        return None
    if not ((candidates >= 0) & (candidates < n_documents)).all():
        return None
    return PoolArrays(candidates.astype(np.int64), grades)


def _well_formed_rows(queries: Table, faults: FaultList) -> list[int]:
    """Return the rows whose two lists have the pool size, which is the most frequent length."""
    candidates = queries.columns["candidates"]
    grades = queries.columns["relevance_scores"]
    lengths = Counter(len(cell) for cell in candidates if isinstance(cell, list) and cell)
    size = lengths.most_common(1)[0][0] if lengths else 0
    good = []
    for row, (numbers, scores) in enumerate(zip(candidates, grades, strict=True)):
        fault = _form_fault(queries.where(row), numbers, scores, size)
        if fault is None:
            good.append(row)
        else:
            faults.faults.append(fault)
    return good


def _form_fault(where: str, numbers: object, scores: object, size: int) -> Fault | None:
    if not isinstance(numbers, list) or not numbers:
        return _no_list(where, "candidates", numbers)
    if not isinstance(scores, list) or not scores:
        return _no_list(where, "relevance_scores", scores)
    if len(numbers) != len(scores):
        return Fault(
            "unequal lengths",
            where,
            f"{len(numbers)} candidates but {len(scores)} relevance scores.",
            "Give one score for each candidate, in the same order.",
        )
    if len(numbers) != size:
        return Fault(
            "pool size",
            where,
            f"{len(numbers)} candidates, while most queries have {size}.",
            "All pools must have the same size.",
        )
    return None


def _no_list(where: str, column: str, cell: object) -> Fault:
    found = "null" if cell is None else "empty" if cell == [] else f"a {_type(cell)}"
    return Fault("no list", where, f"'{column}' is {found}, expected a list.", "Fill it in.")


def _candidate_array(
    queries: Table, rows: list[int], n_documents: int, faults: FaultList
) -> NDArray[np.int64] | None:
    import numpy as np

    lists = [queries.columns["candidates"][row] for row in rows]
    if set(map(type, chain.from_iterable(lists))) != {int}:
        _report_types(queries, rows, "candidates", (int,), "a row number of the documents", faults)
        return None
    try:
        array = np.array(lists, dtype=np.int64)
    except OverflowError:  # beyond 64 bits is out of range like any other
        array = np.array([[min(max(n, -1), n_documents) for n in cell] for cell in lists])
    outside = (array < 0) | (array >= n_documents)
    for index in np.flatnonzero(outside.any(axis=1)).tolist():
        position = int(outside[index].argmax())
        faults.add(
            "candidate out of range",
            queries.where(rows[index]),
            f"candidate {lists[index][position]} (position {position}) is no row of the "
            f"documents, which are numbered 0 to {n_documents - 1}.",
            "Candidates are 0-based row numbers; check that both tables belong together.",
        )
    ordered = np.sort(array, axis=1)
    for index in np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)).tolist():
        repeated = next(n for n, times in Counter(lists[index]).most_common(1) if times > 1)
        faults.add(
            "repeated candidate",
            queries.where(rows[index]),
            f"candidate {repeated} stands in the list more than once.",
            "Keep one of them and its score.",
        )
    return array


def _grade_array(queries: Table, rows: list[int], faults: FaultList) -> NDArray[np.float64] | None:
    import numpy as np

    lists = [queries.columns["relevance_scores"][row] for row in rows]
    if not set(map(type, chain.from_iterable(lists))) <= {int, float}:
        _report_types(queries, rows, "relevance_scores", (int, float), "a number", faults)
        return None
    try:
        array = np.array(lists, dtype=np.float64)
    except OverflowError:  # an integer beyond the floats
        array = np.array([[float(min(max(g, -1), 6)) for g in cell] for cell in lists])
    for kind, wrong in (
        ("NaN", np.isnan(array)),
        ("negative", array < -ROUNDING),
        ("above 5", array > MAX_GRADE + ROUNDING),
    ):
        for index in np.flatnonzero(wrong.any(axis=1)).tolist():
            position = int(wrong[index].argmax())
            faults.add(
                f"grade {kind}",
                queries.where(rows[index]),
                f"relevance score {lists[index][position]!r} (position {position}) is {kind}.",
                "Grades are numbers in [0, 5].",
            )
    return np.clip(array, 0.0, MAX_GRADE)


def _report_types(
    queries: Table,
    rows: list[int],
    column: str,
    accepted: tuple[type, ...],
    expected: str,
    faults: FaultList,
) -> None:
    for row in rows:
        for position, value in enumerate(queries.columns[column][row]):
            if type(value) not in accepted:
                found = "null" if value is None else f"{value!r} ({_type(value)})"
                faults.add(
                    f"type of {column}",
                    queries.where(row),
                    f"'{column}' holds {found} at position {position}, expected {expected}.",
                    "Write it as a number." if value is not None else "Fill it in.",
                )
                break


def _type(value: object) -> str:
    return {"str": "text", "float": "decimal number", "bool": "truth value"}.get(
        type(value).__name__, type(value).__name__
    )
