"""Turns the two tables into a benchmark, or says everything that is wrong with them at once."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError, nearest
from saber_mteb.benchmark._pools import read_pools
from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.faults import FaultList, summary_lines
from saber_mteb.benchmark.records import Benchmark, Problem, Source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.tables import Table

QUERY_COLUMNS = ("problem", "solution", "domains", "candidates", "relevance_scores")
DOCUMENT_COLUMNS = ("problem", "solution")

# Faults that change no score; published data may have them, a folder one writes should not.
TOLERABLE = frozenset({"duplicate query", "own candidate"})

logger = logging.getLogger(__name__)


def assemble(
    queries: Table,
    documents: Table,
    *,
    name: str,
    source: Source | None = None,
    synthetic: bool = False,
    tolerated: Collection[str] = (),
) -> Benchmark:
    """Check two tables and return the benchmark they hold.

    Args:
        queries: Columns ``problem``, ``solution``, ``domains``, ``candidates``,
            ``relevance_scores``; optionally ``id``; the rest is passed through.
        documents: Columns ``problem`` and ``solution``; optionally ``id``; the rest likewise.
        name: Name of the benchmark.
        source: Where the tables came from.
        synthetic: Whether a generator wrote them.
        tolerated: Kinds of fault (of `TOLERABLE`) that are logged as warnings only.

    Raises:
        SaberError: If anything is wrong: one message with a line for each kind of fault.
    """
    faults = FaultList()
    complete = _check_columns(queries, QUERY_COLUMNS, faults)
    complete &= _check_columns(documents, DOCUMENT_COLUMNS, faults)
    for table in (queries, documents):
        _check_texts(table, faults)
    if "domains" in queries.columns:
        _check_domains(queries, faults)
    _check_duplicates(queries, faults)
    pools = read_pools(queries, documents.n_rows, faults) if complete else None
    if pools is not None:
        _check_own_candidates(queries, documents, pools.candidates, faults)
    for line in summary_lines(faults.take(tolerated)):
        logger.warning("%s %s", name, line.removeprefix("- "))
    if faults or pools is None:
        raise SaberError(faults.report(f"The tables of benchmark '{name}' cannot be used:"))
    return Benchmark(
        name=name,
        queries=_problems(queries, QUERY_COLUMNS),
        documents=_problems(documents, DOCUMENT_COLUMNS),
        candidates=pools.candidates,
        grades=pools.grades,
        source=source or Source(),
        synthetic=synthetic,
    )


def _check_columns(table: Table, needed: Sequence[str], faults: FaultList) -> bool:
    if table.n_rows == 0:
        faults.add("empty table", table.name, "has no rows.", "Expected at least one.")
        return False
    missing = [column for column in needed if column not in table.columns]
    for column in missing:
        faults.add(
            f"missing column {column}",
            table.name,
            f"the column '{column}' is missing; found {', '.join(table.columns)}.",
            "Add it, or rename the column that holds it." + nearest(column, list(table.columns)),
        )
    return not missing


def _check_texts(table: Table, faults: FaultList) -> None:
    for row, text in enumerate(table.columns.get("problem", ())):
        if not isinstance(text, str) or not text or text.isspace():
            faults.add(
                "empty problem",
                table.where(row),
                f"'problem' is {_shown(text)}, expected a text.",
                "Fill it in or drop the row (and renumber the candidates).",
            )
    for row, text in enumerate(table.columns.get("solution", ())):
        if not isinstance(text, str):
            faults.add(
                "missing solution",
                table.where(row),
                f"'solution' is {_shown(text)}, expected a text.",
                "Fill it in; write an empty text if there is none.",
            )
    for row, value in enumerate(table.columns.get("id", ())):
        if not isinstance(value, (str, int)) or isinstance(value, bool) or value == "":
            faults.add(
                "bad id",
                table.where(row),
                f"'id' is {_shown(value)}, expected a text or an integer.",
                "Fill it in, or drop the column to use row numbers.",
            )


def _check_domains(queries: Table, faults: FaultList) -> None:
    known = [domain.value for domain in Domain]
    for row, labels in enumerate(queries.columns["domains"]):
        if not isinstance(labels, list) or not labels:
            faults.add(
                "no domains",
                queries.where(row),
                f"'domains' is {_shown(labels)}, expected a list of one or more labels.",
                f"Labels are {', '.join(known)}.",
            )
            continue
        for label in labels:
            if label not in known:
                faults.add(
                    "unknown domain",
                    queries.where(row),
                    f"unknown domain {_shown(label)}.{nearest(str(label), known)}",
                    f"Labels are {', '.join(known)}.",
                )
        if len({str(label) for label in labels}) < len(labels):
            faults.add(
                "repeated domain",
                queries.where(row),
                f"'domains' is {_shown(labels)}, which names a label twice.",
                "Name each once.",
            )


def _check_duplicates(queries: Table, faults: FaultList) -> None:
    columns = queries.columns
    keys = {"id": ("id",), "problem and solution": ("problem", "solution")}
    for shown, names in keys.items():
        if not all(name in columns for name in names):
            continue
        first: dict[tuple[str, ...], int] = {}
        for row, values in enumerate(zip(*(columns[name] for name in names), strict=True)):
            if not all(isinstance(value, str | int) for value in values):
                continue
            earlier = first.setdefault(tuple(map(str, values)), row)
            if earlier != row:
                faults.add(
                    "duplicate query",
                    queries.where(row),
                    f"repeats the {shown} of row {earlier}.",
                    "Each query may stand in the table once; drop one of the two rows.",
                )


def _check_own_candidates(
    queries: Table, documents: Table, candidates: NDArray[np.int64], faults: FaultList
) -> None:
    import numpy as np

    # Texts become numbers once, so that the 150,000 pairs are compared as integers.
    statements = queries.columns["problem"]
    number = {text: code for code, text in enumerate(statements) if isinstance(text, str)}
    asked = np.array([number.get(text, -2) if isinstance(text, str) else -2 for text in statements])
    held = np.array([_code(number, text) for text in documents.columns["problem"]])
    for row, position in np.argwhere(held[candidates] == asked[:, None]).tolist():
        document = int(candidates[row, position])
        faults.add(
            "own candidate",
            queries.where(row),
            f"its own problem is among its candidates (position {position}, document {document}).",
            "A query must not be asked to find itself; take another candidate.",
        )


def _code(number: dict[str, int], text: object) -> int:
    return number.get(text, -1) if isinstance(text, str) else -1


def _problems(table: Table, read: Sequence[str]) -> tuple[Problem, ...]:
    columns = table.columns
    ids = columns.get("id") or range(table.n_rows)
    domains = columns["domains"] if "domains" in read else [()] * table.n_rows
    extra = [name for name in columns if name not in read and name != "id"]
    return tuple(
        Problem(
            id=str(identifier),
            statement=statement,
            solution=solution,
            domains=tuple(Domain(label) for label in labels),
            extra={name: columns[name][row] for name in extra},
        )
        for row, (identifier, statement, solution, labels) in enumerate(
            zip(ids, columns["problem"], columns["solution"], domains, strict=True)
        )
    )


def _shown(value: object) -> str:
    """Return a value for a message, cut to a length that a line can carry."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
