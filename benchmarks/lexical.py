"""Times the lexical systems side by side with the packages that define them, and compares scores.

    python benchmarks/lexical.py

Both sides get the same token lists, each distinct text tokenised once beforehand. *Scoring*
starts from what a side prepares once per distinct text: numbered terms here, sets for plain Python,
nothing for rank_bm25 and scikit-learn (whose analyzer passes the lists through). *With preparing*
counts that as well. The two sides take turns, block of pools by block of pools; times are CPU time,
ratios are of the medians over the blocks.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from make_pools import build
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from saber_mteb.benchmark.records import Benchmark, Pool, Problem
from saber_mteb.benchmark.settings import Setting
from saber_mteb.systems.lexical.recipe import RECIPES
from saber_mteb.systems.lexical.terms import Vocabulary, lay_out
from saber_mteb.systems.lexical.tokens import TokenKind, split_math, token_source
from saber_mteb.systems.registry import find_card

if TYPE_CHECKING:
    from numpy.typing import NDArray

Lists = dict[str, list[str]]


class Side(Protocol):
    """One way to score pools."""

    def prepare(self, text: str, tokens: list[str]) -> None:
        """Take a distinct text for the first time."""

    def score(self, pool: Pool) -> NDArray[np.float64]:
        """Score a pool of prepared texts."""


class Ours:
    """The functions that `LexicalSystem` is made of."""

    def __init__(self, key: str) -> None:
        card = find_card(key)
        self._rank = RECIPES[card.engine].model_validate(card.recipe).ranker()
        self._vocabulary = Vocabulary()
        self._terms: dict[str, NDArray[np.int32]] = {}

    def prepare(self, text: str, tokens: list[str]) -> None:
        """Number the terms."""
        self._terms[text] = self._vocabulary.intern(tokens)

    def score(self, pool: Pool) -> NDArray[np.float64]:
        """Score one pool."""
        documents = [self._terms[text] for text in pool.documents]
        return self._rank(lay_out(self._vocabulary, self._terms[pool.query], documents))


class RankBm25:
    """rank_bm25."""

    def __init__(self) -> None:
        self._tokens: Lists = {}

    def prepare(self, text: str, tokens: list[str]) -> None:
        """Keep the list."""
        self._tokens[text] = tokens

    def score(self, pool: Pool) -> NDArray[np.float64]:
        """Score one pool."""
        index = BM25Okapi([self._tokens[text] for text in pool.documents])
        return index.get_scores(self._tokens[pool.query])


class ScikitLearn(RankBm25):
    """scikit-learn."""

    def score(self, pool: Pool) -> NDArray[np.float64]:
        """Score one pool."""
        vectorizer = TfidfVectorizer(analyzer=self._tokens.__getitem__)
        documents = vectorizer.fit_transform(pool.documents)
        return cosine_similarity(vectorizer.transform([pool.query]), documents)[0]


class PythonSets:
    """Plain Python."""

    def __init__(self) -> None:
        self._sets: dict[str, set[str]] = {}

    def prepare(self, text: str, tokens: list[str]) -> None:
        """Make the set."""
        self._sets[text] = set(tokens)

    def score(self, pool: Pool) -> NDArray[np.float64]:
        """Score one pool."""
        query = self._sets[pool.query]
        documents = [self._sets[text] for text in pool.documents]
        return np.array([len(query & other) / len(query | other) for other in documents])


@dataclass
class Clock:
    """CPU seconds of one side, block by block."""

    preparing: list[float] = field(default_factory=list)
    scoring: list[float] = field(default_factory=list)

    def run(self, side: Side, pools: Sequence[Pool], new: Lists) -> list[NDArray[np.float64]]:
        """Prepare the new texts of a block and score its pools."""
        start = time.process_time()
        for text, tokens in new.items():
            side.prepare(text, tokens)
        middle = time.process_time()
        scores = [side.score(pool) for pool in pools]
        self.preparing.append(middle - start)
        self.scoring.append(time.process_time() - middle)
        return scores

    @property
    def medians(self) -> NDArray[np.float64]:
        """The median block: scoring alone, and with preparing."""
        scoring = np.array(self.scoring)
        return np.median([scoring, scoring + self.preparing], axis=1)


def compare(ours: Side, theirs: Side, pools: Sequence[Pool], lists: Lists, blocks: int) -> str:
    """Score all pools on both sides, taking turns, and return a line of figures."""
    seen: set[str] = set()
    mine, others, difference = Clock(), Clock(), 0.0
    for places in np.array_split(np.arange(len(pools)), blocks):
        block = [pools[place] for place in places]
        texts = {text for pool in block for text in (pool.query, *pool.documents)} - seen
        new = {text: lists[text] for text in texts}
        seen |= texts
        pairs = zip(mine.run(ours, block, new), others.run(theirs, block, new), strict=True)
        difference = max(difference, *(float(np.abs(a - b).max()) for a, b in pairs))
    per_pool = 1e3 * blocks / len(pools)
    (scoring, total), (their_scoring, their_total) = mine.medians, others.medians
    return (
        f"scoring {per_pool * scoring:5.2f} ms a pool against {per_pool * their_scoring:5.2f}, "
        f"ratio {scoring / their_scoring:.3f}; with preparing {per_pool * total:5.2f} against "
        f"{per_pool * their_total:5.2f}, ratio {total / their_total:.3f}; largest difference "
        f"{difference:.0e}"
    )


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print the wall and CPU time of a block (the CPU time of a native child is not in it)."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what}: {wall:.1f} s wall, {cpu:.1f} s CPU", flush=True)


def tokenise(kind: TokenKind, texts: Sequence[str]) -> Lists:
    """Return the tokens of every text, a pool's worth of texts at a time as `LexicalSystem` does.

    Math-aware tokens are made in this process as well, in turns, to see what keeping pya0 in
    another one costs. Those times are wall time: the work is done in two processes.
    """
    lists: Lists = {}
    isolated, direct = [], []
    with timed(f"\n{kind} tokens"), token_source("this benchmark", kind, "0.3.7")() as tokenize:
        for start in range(0, len(texts), 150):
            batch = texts[start : start + 150]
            clock = time.perf_counter()
            lists |= zip(batch, tokenize(batch), strict=True)
            isolated.append(time.perf_counter() - clock)
            if kind is TokenKind.MATH_AWARE:
                clock = time.perf_counter()
                same = [in_process(text) for text in batch]
                direct.append(time.perf_counter() - clock)
                if same != [lists[text] for text in batch]:
                    raise RuntimeError("the native process returns other tokens")
    if direct:
        print(
            f"of which isolated {sum(isolated):.1f} s wall, in process {sum(direct):.1f}; medians "
            f"per 150 texts {1e3 * np.median(isolated):.1f} and {1e3 * np.median(direct):.1f} ms, "
            f"ratio {np.median(isolated) / np.median(direct):.2f}"
        )
    return lists


def in_process(text: str) -> list[str]:
    """Return the math-aware tokens without a process in between."""
    import pya0

    formulas, words = split_math(text)
    return [str(token[0]) for formula in formulas for token in pya0.tokenize(formula)] + words


def made_up_pools(queries: int, candidates: int, documents: int, seed: int) -> list[Pool]:
    """Return the statement-full pools of a made-up benchmark."""
    asked, answers = build(queries, candidates, documents, seed)
    benchmark = Benchmark(
        name="made-up",
        queries=tuple(Problem(str(r["id"]), str(r["problem"]), str(r["solution"])) for r in asked),
        documents=tuple(
            Problem(str(r["id"]), str(r["problem"]), str(r["solution"])) for r in answers
        ),
        candidates=np.array([row["candidates"] for row in asked]),
        grades=np.array([row["relevance_scores"] for row in asked]),
        synthetic=True,
    )
    return benchmark.pools(Setting.STATEMENT_FULL)


def main() -> None:
    """Print one line per system."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--candidates", type=int, default=150)
    parser.add_argument("--documents", type=int, default=71_117)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--blocks", type=int, default=20, help="how often the sides take turns")
    options = parser.parse_args()
    with timed("making the pools"):
        pools = made_up_pools(options.queries, options.candidates, options.documents, options.seed)
    texts = list(dict.fromkeys(text for pool in pools for text in (pool.query, *pool.documents)))
    print(f"{len(pools)} pools of {options.candidates}, {len(texts)} distinct texts")
    for kind in TokenKind:
        lists = tokenise(kind, texts)
        suffix = "" if kind is TokenKind.MATH_AWARE else "-no-tok"
        rivals = {"bm25": RankBm25(), "tf-idf": ScikitLearn(), "jaccard": PythonSets()}
        for key, theirs in rivals.items():
            if suffix and (kind is TokenKind.WORDS) != (key == "tf-idf"):
                continue
            line = compare(Ours(key + suffix), theirs, pools, lists, options.blocks)
            print(f"{key + suffix:15s} {line}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory {peak:.0f} MB (both sides and the pools)")


if __name__ == "__main__":
    main()
