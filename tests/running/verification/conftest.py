"""A stand-in for SABER-Math: 30 queries over 61 documents of nonsense words, with its own facts.

Its golden values are computed here by plain loops over Python sets, with ties in the order of an
ordinary sort, so they are known independently of the package.
"""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SETTINGS = ("statement-full", "statement-statement", "full-full")
BLOCKS = (
    (0, 7, ["Algebra"]),
    (8, 15, ["Geometry"]),
    (16, 21, ["Number Theory"]),
    (22, 25, ["Combinatorics"]),
    (26, 27, ["Calculus and Analysis"]),
    (28, 29, ["Combinatorics", "Algebra"]),
)
N_QUERIES, N_DOCUMENTS, POOL, GOLDEN_ROWS = 30, 61, 15, 5
TWIN = N_DOCUMENTS - 1  # the same text as document 0
OWN_ROW, OWN_DOCUMENT, ELSEWHERE = 9, 20, 40


@dataclass
class StandIn:
    """Tables as columns, and what is published of one system on them."""

    queries: dict[str, list[Any]]
    documents: dict[str, list[Any]]
    golden: dict[str, Any] = field(default_factory=dict)
    printed: dict[str, dict[str, float]] = field(default_factory=dict)

    def text(self, table: dict[str, list[Any]], row: int, full: bool) -> str:
        """The text of a problem in a setting."""
        problem, solution = table["problem"][row], table["solution"][row]
        return f"Problem: {problem}\n\nSolution: {solution}" if full else problem

    def similarity(self, row: int, document: int, setting: str) -> float:
        """Jaccard similarity over lower-cased words."""
        query = self.text(self.queries, row, setting == "full-full")
        other = self.text(self.documents, document, setting != "statement-statement")
        a, b = set(query.lower().split()), set(other.lower().split())
        return len(a & b) / len(a | b)

    def ndcg(
        self, row: int, setting: str, rank: Callable[[list[float]], list[int]] | None = None
    ) -> float:
        """nDCG@10 of a row; ``rank`` orders scores, by default ties stay in place."""
        pool, grades = self.queries["candidates"][row], self.queries["relevance_scores"][row]
        scores = [self.similarity(row, document, setting) for document in pool]
        order = (rank or in_place)(scores)
        return dcg([grades[n] for n in order]) / dcg(sorted(grades, reverse=True))


def in_place(scores: list[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda n: -scores[n])


def dcg(grades: list[float]) -> float:
    return sum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(grades[:10]))


@pytest.fixture
def stand_in() -> StandIn:
    """The tables and the figures published of Jaccard on them."""
    rng = random.Random(5)
    words = [f"w{number}" for number in range(60)]

    def text(length: int) -> str:
        return " ".join(rng.choices(words, k=length))

    documents = {
        "problem": [text(12) for _ in range(N_DOCUMENTS)],
        "solution": [text(20) for _ in range(N_DOCUMENTS)],
    }
    queries: dict[str, list[Any]] = {
        "problem": [text(10) for _ in range(N_QUERIES)],
        "solution": [text(15) for _ in range(N_QUERIES)],
        "domains": [labels for first, last, labels in BLOCKS for _ in range(first, last + 1)],
        "candidates": [_pool(row, rng) for row in range(N_QUERIES)],
        "relevance_scores": [_grades(rng) for _ in range(N_QUERIES)],
    }
    for column in documents.values():
        column[TWIN] = column[0]
    # One candidate is the query but for a second blank; the query itself stands elsewhere.
    documents["problem"][OWN_DOCUMENT] = queries["problem"][OWN_ROW].replace(" ", "  ", 1)
    documents["problem"][ELSEWHERE] = queries["problem"][OWN_ROW]
    stand_in = StandIn(queries, documents)
    values = {s: [stand_in.ndcg(row, s) for row in range(N_QUERIES)] for s in SETTINGS}
    stand_in.golden = {
        "source": "the plain loops of this test",
        "model": "jaccard-no-tok",
        "aggregate": {s: _means(values[s], queries["domains"]) for s in SETTINGS},
        "per_query_first5": {s: values[s][:GOLDEN_ROWS] for s in SETTINGS[:2]},
    }
    stand_in.printed = {s: _means(values[s], queries["domains"]) for s in SETTINGS}
    return stand_in


def _pool(row: int, rng: random.Random) -> list[int]:
    """Two documents of its own, so that all are used; the twin stands in pool 12 only."""
    own = [2 * row, 2 * row + 1]
    wanted = [OWN_DOCUMENT] if row == OWN_ROW else [TWIN] if row == 12 else []
    barred = {*own, *wanted, 0, TWIN, *([ELSEWHERE] if row == OWN_ROW else [])}
    rest = [document for document in range(N_DOCUMENTS) if document not in barred]
    return [*own, *wanted, *rng.sample(rest, POOL - len(own) - len(wanted))]


def _grades(rng: random.Random) -> list[float]:
    grades = [0.0, 5.0, *(round(rng.uniform(0.1, 4.9), 3) for _ in range(POOL - 2))]
    rng.shuffle(grades)
    return grades


def _means(values: list[float], domains: list[list[str]]) -> dict[str, float]:
    views = {"overall": values}
    for value, labels in zip(values, domains, strict=True):
        for label in labels:
            views.setdefault(label, []).append(value)
    return {view: sum(chosen) / len(chosen) for view, chosen in views.items()}


@pytest.fixture
def write_facts(tmp_path: Path) -> Callable[[StandIn], Path]:
    """Write the file of expectations of a stand-in, with the two files it names."""

    def write(stand_in: StandIn) -> Path:
        (tmp_path / "golden.json").write_text(json.dumps(stand_in.golden), encoding="utf-8")
        short = {"Calculus and Analysis": "calculus"}
        with (tmp_path / "results.csv").open("w", encoding="utf-8", newline="") as file:
            views = list(stand_in.printed[SETTINGS[0]])
            columns = [short.get(view, view.lower().replace(" ", "_")) for view in views]
            writer = csv.writer(file)
            writer.writerow(["key", "category", "setting", *columns])
            for setting, means in stand_in.printed.items():
                printed = [f"{means[view]:.3f}" for view in views]
                writer.writerow(["jaccard-no-tok", "CLASSICAL", setting, *printed])
        path = tmp_path / "expected.toml"
        path.write_text(_facts(stand_in), encoding="utf-8")
        return path

    return write


def _facts(stand_in: StandIn) -> str:
    counts: dict[str, int] = {}
    for first, last, labels in BLOCKS:
        for label in labels:
            counts[label] = counts.get(label, 0) + last - first + 1
    longest = max(
        len(problem) + len(solution)
        for problem, solution in zip(*stand_in.documents.values(), strict=True)
    )
    lines = [
        "[data]",
        f"queries = {N_QUERIES}",
        f"documents = {N_DOCUMENTS}",
        f"pool_size = {POOL}",
        "unused_documents = 0",
        "problems_among_documents = 1",
        "own_candidates = 0",
        "best_grade = 5.0",
        "worst_grade = 0.0",
        f"longest_document = {longest}",
        f"known_queries = [{json.dumps(stand_in.queries['problem'][7])}]",
        "[data.domain_counts]",
        *(f'"{label}" = {count}' for label, count in counts.items()),
    ]
    for first, last, labels in BLOCKS:
        lines += ["[[data.blocks]]", f"rows = [{first}, {last}]", f"domains = {json.dumps(labels)}"]
    lines += [
        "[scores]",
        'systems = ["jaccard-no-tok", "bm25-no-tok"]',
        'results_file = "results.csv"',
        'golden_file = "golden.json"',
    ]
    return "\n".join(lines)
