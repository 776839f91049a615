"""Who meets whom: three groups of candidates for each query, as in SABER-Math."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
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
    """Return the group of a candidate: it shares first domain, technique, both, or nothing."""
    topic = query.topic[0] == candidate.topic[0]
    technique = query.technique == candidate.technique
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
        """Return the rows of the candidates of a query with their groups, in group order."""
        drawn: list[tuple[int, Group]] = []
        for group in Group:
            rows = [
                row
                for row, document in enumerate(self._documents)
                if group_of(query.family, document.family) is group
            ]
            keys = {row: (self._used[row], self._rng.random()) for row in rows}
            chosen = sorted(rows, key=keys.__getitem__)[:GROUP_SIZE]
            self._rng.shuffle(chosen)
            self._used.update(chosen)
            drawn += [(row, group) for row in chosen]
        return drawn
