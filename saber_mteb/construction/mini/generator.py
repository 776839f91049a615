"""From families to the two tables of the mini benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.families import all_families
from saber_mteb.construction.mini.grades import grades
from saber_mteb.construction.mini.pools import Drawer, eligible
from saber_mteb.construction.mini.problems import ProblemWriter, WorkedProblem, quotas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saber_mteb.construction.mini.family import Family

DEFAULT_SEED = "saber-mteb mini 1"
N_DOCUMENTS = 500
N_QUERIES = 50
# Serial numbers of queries start here, out of reach of the documents'.
_QUERY_SERIAL = 1000

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class MiniTables:
    """The rows of the two files, each a JSON object with its keys in order."""

    queries: tuple[Row, ...]
    documents: tuple[Row, ...]


def generate(seed: str = DEFAULT_SEED, families: Sequence[Family] | None = None) -> MiniTables:
    """Write the mini benchmark: the same seed and families give the same rows everywhere.

    Args:
        seed: Any text.
        families: What to write from, all families by default.

    Raises:
        SaberError: If a domain has no family that can fill a pool.
    """
    families = tuple(all_families() if families is None else families)
    writer = ProblemWriter(seed)
    sizes = {family.key: size for family, size in quotas(families, N_DOCUMENTS)}
    documents = [
        writer.write(family, serial) for family in families for serial in range(sizes[family.key])
    ]
    # The writer knows the documents' statements, so no query repeats one.
    queries = [
        writer.write(family, serial) for family, serial in _query_plan(families, sizes, seed)
    ]
    drawer = Drawer(documents, Random(f"{seed}/pools"))
    return MiniTables(
        queries=tuple(_query_row(i, query, documents, drawer) for i, query in enumerate(queries)),
        documents=tuple(_document_row(i, document) for i, document in enumerate(documents)),
    )


def _query_plan(
    families: Sequence[Family], sizes: dict[str, int], seed: str
) -> list[tuple[Family, int]]:
    """Choose family and serial number of every query: equally many for each first domain."""
    rng = Random(f"{seed}/queries")
    able = eligible(families, sizes)
    plan: list[tuple[Family, int]] = []
    for domain, share in zip(Domain, _shares(N_QUERIES, len(Domain)), strict=True):
        own = [family for family in able if family.domains[0] is domain]
        if not own:
            raise SaberError(
                f"No family of {domain.value} has enough relatives to fill a pool; "
                "add families that share its techniques."
            )
        rng.shuffle(own)
        for position in range(share):
            family = own[position % len(own)]
            first_form = rng.randrange(len(family.forms))
            plan.append(
                (family, _QUERY_SERIAL * len(family.forms) + first_form + position // len(own))
            )
    return plan


def _shares(total: int, parts: int) -> list[int]:
    return [total // parts + (part < total % parts) for part in range(parts)]


def _query_row(
    position: int, query: WorkedProblem, documents: Sequence[WorkedProblem], drawer: Drawer
) -> Row:
    drawn = drawer.draw(query)
    rows = [row for row, _ in drawn]
    return {
        "id": f"mini-q-{position:02d}",
        "problem": query.draft.statement,
        "solution": query.draft.solution,
        "domains": [domain.value for domain in query.family.domains],
        "candidates": rows,
        "relevance_scores": grades(query, [documents[row] for row in rows]),
        **_origin(query),
        "groups": [group.value for _, group in drawn],
    }


def _document_row(position: int, document: WorkedProblem) -> Row:
    return {
        "id": f"mini-d-{position:03d}",
        "problem": document.draft.statement,
        "solution": document.draft.solution,
        **_origin(document),
    }


def _origin(problem: WorkedProblem) -> Row:
    return {
        "topic": list(problem.family.topic),
        "key_idea": problem.key_idea,
        "technique": problem.family.technique,
        "family": problem.family.key,
        "story": problem.story.key,
    }
