"""Who meets whom: three groups of candidates for each query, as in SABER-Math."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from saber_mteb.construction.mini.grades import same_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from saber_mteb.construction.mini.family import Family
    from saber_mteb.construction.mini.problems import WorkedProblem

GROUP_SIZE = 10


class Group(StrEnum):
    """Why a candidate is in a pool, in the order in which a pool lists its candidates."""

    TOPIC_ONLY = "topic-only"
    SUMMARY_ONLY = "summary-only"
    BOTH = "both"


def group_of(query: Family, candidate: Family) -> Group | None:
    """Return the group of a candidate: it shares a domain, the technique, both, or nothing."""
    topic, technique = same_domain(query, candidate), query.technique == candidate.technique
    if topic and technique:
        return Group.BOTH
    if topic:
        return Group.TOPIC_ONLY
    return Group.SUMMARY_ONLY if technique else None


class Drawer:
    """Draws candidates so that every document is used about equally often.

    Args:
        documents: All documents.
        rng: Decides between documents that were used equally often.
    """

    def __init__(self, documents: Sequence[WorkedProblem], rng: Random) -> None:
        self._documents = documents
        self._rng = rng
        self._used: Counter[int] = Counter()

    def draw(self, query: WorkedProblem) -> list[tuple[int, Group]]:
        """Return the rows of the candidates of a query with their groups, in group order.

        One document at most has the query's own form: it differs from the query in numbers and
        story only, and a pool full of such twins would measure string matching.
        """
        groups: dict[Group, list[int]] = {group: [] for group in Group}
        twins: list[int] = []
        for row, document in enumerate(self._documents):
            group = group_of(query.family, document.family)
            if self._is_twin(query, document):
                twins.append(row)
            elif group is not None:
                groups[group].append(row)
        if twins:
            groups[Group.BOTH].append(self._rng.choice(twins))
        return [
            (row, group)
            for group, rows in groups.items()
            for row in self._least_used(rows, GROUP_SIZE)
        ]

    def _least_used(self, rows: Sequence[int], size: int) -> list[int]:
        """Draw rows in random order, those used least so far first, and count them as used."""
        keys = {row: (self._used[row], self._rng.random()) for row in rows}
        chosen = sorted(rows, key=keys.__getitem__)[:size]
        self._rng.shuffle(chosen)
        self._used.update(chosen)
        return chosen

    def _is_twin(self, query: WorkedProblem, document: WorkedProblem) -> bool:
        return document.family.key == query.family.key and document.form == query.form


def eligible(families: Iterable[Family], sizes: dict[str, int]) -> list[Family]:
    """Return the families whose queries can fill all three groups, whatever their form.

    Args:
        families: All families.
        sizes: Number of documents of each family.
    """
    families = tuple(families)
    found = []
    for family in families:
        available: Counter[Group | None] = Counter()
        for other in families:
            available[group_of(family, other)] += sizes[other.key]
        # Of the documents in the query's form, one may be drawn (see `Drawer.draw`).
        twins = -(-sizes[family.key] // len(family.forms))
        available[Group.BOTH] -= max(twins - 1, 0)
        if all(available[group] >= GROUP_SIZE for group in Group):
            found.append(family)
    return found
