"""From families to the two tables of the mini benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from saber_mteb.construction.mini.families import all_families
from saber_mteb.construction.mini.grades import grades
from saber_mteb.construction.mini.plan import make_plan
from saber_mteb.construction.mini.pools import Drawer
from saber_mteb.construction.mini.problems import ProblemWriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saber_mteb.construction.mini.family import Family
    from saber_mteb.construction.mini.problems import WorkedProblem

DEFAULT_SEED = "saber-mteb mini 1"

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
        SaberError: If a domain has too few families, or a form too few different problems.
    """
    families = tuple(all_families() if families is None else families)
    plan = make_plan(families, Random(f"{seed}/plan"))
    writer = ProblemWriter(seed)
    documents = [writer.write(choice) for choice in plan.documents]
    # The writer knows the documents' statements, so no query repeats one.
    queries = [writer.write(choice) for choice in plan.queries]
    drawer = Drawer(documents, Random(f"{seed}/pools"))
    return MiniTables(
        queries=tuple(_query_row(i, query, documents, drawer) for i, query in enumerate(queries)),
        documents=tuple(_document_row(i, document) for i, document in enumerate(documents)),
    )


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
