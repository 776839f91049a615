"""The command as a user starts it, and a small benchmark folder to run it on."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
DOMAINS = ["Algebra", "Geometry", "Number Theory", "Combinatorics", "Calculus and Analysis"]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Run ``saber-mteb`` in an empty folder with an empty home."""

    def run(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HOME": str(tmp_path), "COLUMNS": "120", **variables}
        return subprocess.run(
            [sys.executable, "-m", "saber_mteb", *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six queries with twelve of twenty documents each; words decide the grades a little."""
    rng = random.Random("cli")
    words = [f"w{i}" for i in range(12)]
    documents = [
        {
            "problem": " ".join(rng.choices(words, k=6)),
            "solution": " ".join(rng.choices(words, k=9)),
        }
        for _ in range(20)
    ]
    queries = [
        {
            "problem": f"q{i} " + " ".join(rng.choices(words, k=6)),
            "solution": " ".join(rng.choices(words, k=9)),
            "domains": [DOMAINS[i % 5]] if i else DOMAINS[:2],
            "candidates": rng.sample(range(20), 12),
            "relevance_scores": [5.0, 0.0, *(round(rng.uniform(0, 5), 3) for _ in range(10))],
        }
        for i in range(6)
    ]
    path = tmp_path / "my-bench"
    path.mkdir()
    for name, rows in (("queries", queries), ("documents", documents)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (path / f"{name}.jsonl").write_text(text)
    return path
