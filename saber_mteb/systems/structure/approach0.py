"""Approach Zero: formulas compared by the structure of their operator trees, words by BM25.

Zhong et al., "One Blade for One Purpose" (SIGIR 2023); the engine is pya0. What is indexed and
asked follows insait-institute/sabermath (processors/approach0_processor.py@f09cbe7).
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from saber_mteb.systems.base import PoolScores
from saber_mteb.systems.structure.isolation import Job, NativeWorker
from saber_mteb.systems.structure.library import clean, name_text
from saber_mteb.systems.structure.spans import (
    DELIMITERS,
    ENVIRONMENTS,
    span_pattern,
    split_spans,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from saber_mteb.benchmark.records import Pool

_PATTERN = span_pattern((*DELIMITERS, *ENVIRONMENTS), ".+?")


def query_keywords(text: str) -> list[dict[str, str]]:
    r"""Return the query as the engine takes it: formulas and runs of words, in order.

    >>> query_keywords("Find $x^2$ now")
    [{'str': 'Find', 'type': 'term'}, {'str': 'x^2', 'type': 'tex'}, {'str': 'now', 'type': 'term'}]
    """
    pieces = ((formula, piece.strip()) for formula, piece in split_spans(_PATTERN, clean(text)))
    return [
        {"str": piece, "type": "tex" if formula else "term"} for formula, piece in pieces if piece
    ]


def document_content(text: str) -> str:
    r"""Return the document as the engine takes it: formulas between its own tags.

    >>> document_content(r"Find \[x^2\] now")
    'Find [imath]x^2[/imath] now'
    """
    return " ".join(
        f"[imath]{keyword['str']}[/imath]" if keyword["type"] == "tex" else keyword["str"]
        for keyword in query_keywords(text)
    )


def _index_parent() -> str | None:
    """Return the memory-backed folder if it has a gigabyte free, else None (the default one).

    An index of 150 full solutions is 13,000 small files, 80 MB: writing it took 7.4 s on disk and
    1.6 s in memory.
    """
    memory = Path("/dev/shm")
    try:
        roomy = shutil.disk_usage(memory).free >= 1 << 30
    except OSError:
        return None
    return str(memory) if roomy else None


class ApproachZero:
    """Searches an index of the pool's documents; a document that is no hit scores 0.0.

    A query that makes the engine crash, hang or refuse is a failed query. pya0 0.3.7 crashes on
    more than 128 distinct keywords (formulas and words; found by trying), which only long full
    texts have: the published full-full row lacks 29 of 1000. A query with nothing to search for
    hits nothing.

    Args:
        library: The native module of pya0.
        timeout: Seconds that one pool may take.
    """

    def __init__(self, library: Path, timeout: float = 300.0) -> None:
        self._library = library
        self._timeout = timeout

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        """Yield one answer per pool; every pool gets a fresh index in a temporary folder."""
        with self.opened() as opened:
            yield from opened.score(pools)

    @contextmanager
    def opened(self) -> Iterator[OpenedApproachZero]:
        """Start the native process once for all calls."""
        with NativeWorker(self._library, self._timeout) as worker:
            yield OpenedApproachZero(worker)


@dataclass(frozen=True)
class OpenedApproachZero:
    """Approach Zero while its native process runs."""

    worker: NativeWorker

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        """Yield one answer per pool."""
        return map(self._score, pools)

    def _score(self, pool: Pool) -> PoolScores:
        query = query_keywords(pool.query)
        if not query or not pool.documents:
            return PoolScores(np.zeros(len(pool.documents)))
        with tempfile.TemporaryDirectory(prefix="saber-mteb-", dir=_index_parent()) as folder:
            arguments = {
                "folder": folder,
                "documents": [document_content(document) for document in pool.documents],
                "query": query,
            }
            (answer,) = self.worker.run([Job("search", arguments)])
        if answer.failure:
            return PoolScores(None, f"query {name_text(pool.query)}: {answer.failure}")
        return PoolScores(np.asarray(answer.value, dtype=np.float64))
