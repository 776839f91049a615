"""Compares the tables with what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from saber_mteb.benchmark.settings import Setting, document_text
from saber_mteb.running.verification.checks import Check, Verdict, compared, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.domains import Domain
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.running.verification.expectations import Block, DataFacts


# Min-max scaling can end a few ulps beside the ends of the scale.
SCALING = 1e-6


def check_data(benchmark: Benchmark, facts: DataFacts) -> Iterator[Check]:
    """Yield a check for every known fact of the tables."""
    if facts.queries is not None:
        yield compared("queries", facts.queries, len(benchmark.queries))
    if facts.documents is not None:
        yield compared("documents", facts.documents, len(benchmark.documents))
    if facts.pool_size is not None:
        yield compared("candidates of each query", facts.pool_size, benchmark.pool_size)
    yield from _check_domains(benchmark, facts)
    yield from _check_pools(benchmark, facts)
    yield from _check_texts(benchmark, facts)


def _check_domains(benchmark: Benchmark, facts: DataFacts) -> Iterator[Check]:
    for domain, expected in facts.domain_counts.items():
        found = sum(domain in query.domains for query in benchmark.queries)
        yield compared(f"queries of {domain}", expected, found)
    if facts.blocks:
        yield _check_blocks(benchmark, facts.blocks)


def _check_blocks(benchmark: Benchmark, blocks: tuple[Block, ...]) -> Check:
    name = "domains by row"
    expected = f"{len(blocks)} blocks"
    wrong = [
        (block, row)
        for block in blocks
        for row in range(block.rows[0], min(block.rows[1] + 1, len(benchmark.queries)))
        if frozenset(benchmark.queries[row].domains) != block.domains
    ]
    missing = max(block.rows[1] for block in blocks) >= len(benchmark.queries)
    if not wrong:
        note = "rows after the last query were not looked at" if missing else ""
        return Check(name, expected, expected, Verdict.OK, note)
    block, row = wrong[0]
    inferred = all(block.inferred for block, _ in wrong)
    return Check(
        name,
        f"row {row}: {_labels(block.domains)}",
        f"row {row}: {_labels(benchmark.queries[row].domains)}; {len(wrong)} rows differ",
        Verdict.DIFFERS,
        "the order of these rows was inferred, not read" if inferred else "",
    )


def _labels(domains: frozenset[Domain] | tuple[Domain, ...]) -> str:
    return " + ".join(sorted(domains))


def _check_pools(benchmark: Benchmark, facts: DataFacts) -> Iterator[Check]:
    import numpy as np

    if facts.unused_documents is not None:
        used = len(np.unique(benchmark.candidates))
        found = len(benchmark.documents) - used
        yield compared("documents in no pool", facts.unused_documents, found)
    for name, expected, grades in (
        ("best", facts.best_grade, benchmark.grades.max(axis=1)),
        ("worst", facts.worst_grade, benchmark.grades.min(axis=1)),
    ):
        if expected is not None:
            yield _check_extreme(name, expected, grades)


def _check_extreme(name: str, expected: float, grades: NDArray[np.float64]) -> Check:
    """Check that every pool has this best or worst grade."""
    import numpy as np

    other = np.flatnonzero(np.abs(grades - expected) > SCALING)
    found = f"{expected:g} in every pool"
    if len(other):
        row = int(other[0])
        found = f"{float(grades[row])!r} in row {row}; {shown(len(other))} pools differ"
    return Check(
        f"{name} grade",
        f"{expected:g} in every pool",
        found,
        Verdict.DIFFERS if len(other) else Verdict.OK,
    )


def _check_texts(benchmark: Benchmark, facts: DataFacts) -> Iterator[Check]:
    statements = {document.statement for document in benchmark.documents}
    if facts.problems_among_documents is not None:
        found = sum(query.statement in statements for query in benchmark.queries)
        expected = facts.problems_among_documents
        yield compared("query problems among all documents", expected, found)
    if facts.own_candidates is not None:
        yield compared("queries in their own pool", facts.own_candidates, _own(benchmark))
    if facts.longest_document is not None:
        yield _check_longest(benchmark, facts.longest_document)
    for text in facts.known_queries:
        found = sum(query.statement == text for query in benchmark.queries)
        yield Check(
            f"query '{text}'",
            "at least 1",
            shown(found),
            Verdict.OK if found else Verdict.DIFFERS,
        )


def _own(benchmark: Benchmark) -> int:
    return sum(
        any(benchmark.documents[number].statement == query.statement for number in pool)
        for query, pool in zip(benchmark.queries, benchmark.candidates.tolist(), strict=True)
    )


def _check_longest(benchmark: Benchmark, expected: int) -> Check:
    longest = max(
        benchmark.documents, key=lambda document: len(document.statement) + len(document.solution)
    )
    bare = len(longest.statement) + len(longest.solution)
    labelled = len(document_text(longest, Setting.FULL_FULL))
    return Check(
        "longest document",
        f"{expected:,} characters",
        f"{bare:,} characters, {labelled:,} with its labels",
        Verdict.OK if bare <= expected <= labelled else Verdict.DIFFERS,
    )
