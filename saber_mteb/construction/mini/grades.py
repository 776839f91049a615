r"""Relevance from known structure: technique and moves first, topic second, story never.

For a query $q$ and a candidate $d$ the raw relevance is

$$0.35\,T + 0.30\,M + 0.20\,P + 0.07\,F + 0.04\,Q + 0.04\,L$$

with $T$ = same technique, $F$ = same family, $Q$ = same family and same form (each 0 or 1), $M$ the
weighted overlap of the moves (:func:`move_overlap`), $P$ the proximity of the topics
(:func:`topic_proximity`), and $L$ the ratio of the shorter to the longer solution, counted in
characters of formulas, which stands in for the finer distinctions of a judge and makes ties rare.
Within each pool the raw values are shifted and stretched to [0, 5], as the grades of SABER-Math
are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saber_mteb.construction.mini.problems import WorkedProblem

TOP_GRADE = 5.0


def move_overlap(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the weighted Jaccard overlap of two lists of moves; the k-th move weighs 1/k.

    >>> move_overlap(["a", "b"], ["a", "c"])
    0.5
    """
    weights = [{move: 1 / (k + 1) for k, move in enumerate(moves)} for moves in (first, second)]
    union = sorted(weights[0].keys() | weights[1].keys())
    pairs = [(weights[0].get(move, 0.0), weights[1].get(move, 0.0)) for move in union]
    return sum(min(pair) for pair in pairs) / sum(max(pair) for pair in pairs)


def topic_proximity(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the share of the topic paths that agrees from the root down (Wu and Palmer, 1994).

    >>> topic_proximity(["Algebra", "Equations", "Roots"], ["Algebra", "Equations", "Systems"])
    0.6666666666666666
    """
    shared = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        shared += 1
    return 2 * shared / (len(first) + len(second))


def formula_length(text: str) -> int:
    """Return the number of characters between dollars; names and nouns of stories do not count.

    >>> formula_length("Mira has $x$ books and $2x$ lamps.")
    3
    """
    return sum(map(len, text.split("$")[1::2]))


def raw_relevance(query: WorkedProblem, candidate: WorkedProblem) -> float:
    """Return the relevance before scaling (formula: module docstring)."""
    left, right = query.family, candidate.family
    same_family = left.key == right.key
    lengths = sorted(formula_length(problem.draft.solution) for problem in (query, candidate))
    return (
        0.35 * (left.technique == right.technique)
        + 0.30 * move_overlap(left.moves, right.moves)
        + 0.20 * topic_proximity(left.topic, right.topic)
        + 0.07 * same_family
        + 0.04 * (same_family and query.form == candidate.form)
        + 0.04 * lengths[0] / lengths[1]
    )


def grades(query: WorkedProblem, candidates: Sequence[WorkedProblem]) -> list[float]:
    """Return the grades of a pool: least relevant 0, most relevant 5, six decimals."""
    raw = [raw_relevance(query, candidate) for candidate in candidates]
    low, high = min(raw), max(raw)
    return [round(TOP_GRADE * (value - low) / (high - low), 6) for value in raw]
