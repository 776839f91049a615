"""The folder that benchmarks/make_pools.py writes is one that the package reads."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from saber_mteb.benchmark import Benchmark, load_benchmark

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "make_pools.py"

if not SCRIPT.exists():
    pytest.skip("benchmarks/ is not part of this copy", allow_module_level=True)


def write(folder: Path, *options: str) -> None:
    command = [sys.executable, str(SCRIPT), "--output", str(folder), *options]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made-up")
    write(path, "--queries", "1000", "--candidates", "20", "--documents", "1500")
    return path


@pytest.fixture(scope="module")
def benchmark(folder: Path) -> Benchmark:
    return load_benchmark(str(folder))


def test_shape(benchmark: Benchmark) -> None:
    assert benchmark.candidates.shape == (1000, 20)
    assert len(benchmark.documents) == 1500
    assert len(np.unique(benchmark.candidates)) == 1500, "every document is in some pool"


def test_grades_are_min_max_scaled(benchmark: Benchmark) -> None:
    assert (benchmark.grades.min(axis=1) == 0).all()
    np.testing.assert_allclose(benchmark.grades.max(axis=1), 5)


def test_domains_count_as_published(benchmark: Benchmark) -> None:
    """Queries by label, two-label queries counted twice (SABER-Math): 1156 in all."""
    counts = Counter(domain.value for query in benchmark.queries for domain in query.domains)
    assert counts == {
        "Algebra": 254,
        "Geometry": 200,
        "Number Theory": 250,
        "Combinatorics": 252,
        "Calculus and Analysis": 200,
    }


def test_no_query_is_among_its_own_candidates(benchmark: Benchmark) -> None:
    for row, query in enumerate(benchmark.queries):
        statements = {benchmark.documents[place].statement for place in benchmark.candidates[row]}
        assert query.statement not in statements


def test_lengths_are_those_of_the_real_documents(benchmark: Benchmark) -> None:
    """99 % of statement + solution within 3,896 characters, the longest 15,518 (SABER-Math)."""
    lengths = [len(problem.statement + problem.solution) for problem in benchmark.documents]
    assert 3_000 < np.percentile(lengths, 99) < 5_000
    assert max(lengths) < 16_000


def test_same_seed_same_tables(tmp_path: Path) -> None:
    small = ("--queries", "12", "--candidates", "10", "--documents", "40")
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        write(tmp_path / name, *small, "--seed", seed)
    hashes = [load_benchmark(str(tmp_path / name)).content_hash for name in "abc"]
    assert hashes[0] == hashes[1] != hashes[2]
