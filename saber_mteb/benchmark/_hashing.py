"""A hash of what a benchmark says, whatever file it was read from."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark, Problem


def content_hash(benchmark: Benchmark) -> str:
    """Return the SHA-256 (hex) of texts, domain labels, candidates and grades.

    Lengths are hashed before texts, so no two different tables run together into the same bytes.
    Ids and extra columns do not take part: they change no score.
    """
    digest = hashlib.sha256(b"saber-mteb benchmark 1\n")
    for problems in (benchmark.queries, benchmark.documents):
        digest.update(f"{len(problems)}\n".encode())
        for problem in problems:
            for text in (problem.statement, problem.solution, *_labels(problem)):
                encoded = text.encode("utf-8", "surrogatepass")
                digest.update(f"{len(encoded)}:".encode())
                digest.update(encoded)
    digest.update(f"{benchmark.candidates.shape}\n".encode())
    digest.update(benchmark.candidates.astype("<i8").tobytes())
    digest.update(benchmark.grades.astype("<f8").tobytes())
    return digest.hexdigest()


def _labels(problem: Problem) -> tuple[str, ...]:
    return (str(len(problem.domains)), *(domain.value for domain in problem.domains))
