"""Writes a folder of SABER-Math's schema and size, with made-up problems, for timing.

    python benchmarks/make_pools.py --output DIR

The texts are random words and formulas without meaning: only their amount, their lengths and their
repetition are those of the real data (99 % of statement + solution under 3,896 characters, longest
15,518; rows in the real blocks of domains; a document in 2.1 pools on average). Candidates and
grades are drawn at random, so every nDCG on it is chance. Same seed, same tables.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

Row = dict[str, object]

# Rows of the real queries by domain labels, in order (SABER-Math, stored result files).
BLOCKS = (
    (("Algebra",), 150),
    (("Geometry",), 195),
    (("Number Theory",), 150),
    (("Calculus and Analysis",), 199),
    (("Combinatorics",), 150),
    (("Combinatorics", "Number Theory"), 50),
    (("Combinatorics", "Algebra"), 50),
    (("Number Theory", "Algebra"), 50),
    (("Geometry", "Algebra"), 3),
    (("Geometry", "Combinatorics"), 2),
    (("Calculus and Analysis", "Algebra"), 1),
)
LONGEST = 15_518
# A log-normal length with this median and spread puts the 99th percentile at 3,896 characters
# (median 900 is ours: the real one is not published).
MEDIAN, SPREAD = 900, 0.63
SYLLABLES = ("al", "be", "cor", "den", "el", "fin", "gra", "hom", "in", "jec", "ker", "lin", "mat")
FORMULAS = (
    "{a}^{{{n}}}+{b}",
    "\\frac{{{a}+{n}}}{{{b}}}",
    "{a}_{{{n}}}",
    "\\sqrt{{{a}{b}}}",
    "{a} \\equiv {b} \\pmod{{{n}}}",
    "\\sum_{{{a}=1}}^{{{n}}} {b}_{{{a}}}",
    "\\angle {A}{B}{C} = {n}^\\circ",
    "f({a}) \\le {n}",
    "{n}",
    "{a}",
)


class Writer:
    """Writes texts of a wanted length: 20,000 words in Zipf's proportions and small formulas."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        syllables = generator.integers(len(SYLLABLES), size=(20_000, 4))
        lengths = generator.integers(1, 5, size=20_000)
        self._words = [
            "".join(SYLLABLES[part] for part in row[:length])
            for row, length in zip(syllables, lengths, strict=True)
        ]
        weights = 1.0 / np.arange(1, len(self._words) + 1)
        self._ends = np.cumsum(weights / weights.sum())

    def text(self, characters: int) -> str:
        """Return about that many characters, about a third of them in formulas."""
        count = max(2, characters // 6)
        numbers = np.searchsorted(self._ends[:-1], self._generator.random(count)).tolist()
        formulas = (self._generator.random(count) < 0.18).tolist()
        draws = self._generator.integers(1 << 30, size=(count, 4)).tolist()
        pieces: list[str] = []
        length = 0
        for number, formula, draw in zip(numbers, formulas, draws, strict=True):
            pieces.append(formula_of(*draw) if formula else self._words[number])
            length += len(pieces[-1]) + 1
            if length >= characters:
                break
        return " ".join(pieces) + "."


def formula_of(kind: int, first: int, second: int, number: int) -> str:
    """Return the formula of four draws."""
    letters, points = "abcnxyz", "ABCP"
    body = FORMULAS[kind % len(FORMULAS)].format(
        a=letters[first % 7],
        b=letters[second % 7],
        n=number % 100,
        A=points[first % 4],
        B=points[second % 4],
        C=points[number % 4],
    )
    return f"${body}$"


def problems(writer: Writer, generator: np.random.Generator, count: int) -> list[Row]:
    """Return that many rows with ``id``, ``problem`` and ``solution``; a quarter is statement."""
    lengths = np.exp(generator.normal(np.log(MEDIAN), SPREAD, size=count))
    rows: list[Row] = []
    for row, length in enumerate(np.clip(lengths, 80, LONGEST).astype(int)):
        statement = max(19, length // 4)
        rows.append(
            {
                "id": f"made-up-{row}",
                "problem": writer.text(statement),
                "solution": writer.text(max(19, int(length) - statement)),
            }
        )
    return rows


def domains(count: int) -> list[list[str]]:
    """Return the labels of that many queries, in blocks of the real proportions and order."""
    ends = np.cumsum([size for _, size in BLOCKS])
    places = (np.arange(count) * int(ends[-1])) // count
    return [list(BLOCKS[block][0]) for block in np.searchsorted(ends, places, side="right")]


def build(queries: int, candidates: int, documents: int, seed: int) -> tuple[list[Row], list[Row]]:
    """Return the rows of both tables; no query's own problem is a candidate of it."""
    generator = np.random.default_rng(seed)
    writer = Writer(generator)
    asked = problems(writer, generator, queries)
    answers = problems(writer, generator, documents)
    order = np.concatenate(
        [generator.permutation(documents) for _ in range(-(-queries * candidates // documents) + 1)]
    )
    for row, (query, labels) in enumerate(zip(asked, domains(queries), strict=True)):
        chosen = order[row * candidates : (row + 1) * candidates]
        if len(set(chosen.tolist())) < candidates:  # the window spans two permutations
            chosen = generator.choice(documents, size=candidates, replace=False)
        grades = generator.gamma(2.0, size=candidates)
        grades = 5.0 * (grades - grades.min()) / (grades.max() - grades.min())
        query["domains"] = labels
        query["candidates"] = chosen.tolist()
        query["relevance_scores"] = grades.tolist()
    return asked, answers


def main() -> None:
    """Write ``queries.parquet`` and ``documents.parquet``."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder to write")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--candidates", type=int, default=150)
    parser.add_argument("--documents", type=int, default=71_117)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.candidates > options.documents:
        parser.error("--candidates cannot be more than --documents")

    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = build(options.queries, options.candidates, options.documents, options.seed)
    options.output.mkdir(parents=True, exist_ok=True)
    for name, rows in zip(("queries", "documents"), tables, strict=True):
        pq.write_table(pa.Table.from_pylist(rows), options.output / f"{name}.parquet")
    lengths = [len(str(row["problem"])) + len(str(row["solution"])) for row in tables[1]]
    print(
        f"{options.output}: {len(tables[0])} queries, {len(tables[1])} documents; characters "
        f"median {np.median(lengths):.0f}, 99 % {np.percentile(lengths, 99):.0f}, "
        f"longest {max(lengths)}"
    )


if __name__ == "__main__":
    main()
