"""The nouns of the benchmark: problems, candidate pools, and the benchmark that holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from saber_mteb.benchmark.settings import Setting, document_text, query_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.domains import Domain


@dataclass(frozen=True, slots=True)
class Problem:
    """A solved problem. ``extra`` holds the columns of its row that the benchmark does not read."""

    id: str
    statement: str
    solution: str
    domains: tuple[Domain, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pool:
    """One query and its candidates in one setting, as finished texts; ids are row numbers."""

    setting: Setting
    query_id: str
    query: str
    document_ids: tuple[str, ...]
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a benchmark came from: commits of the two hub repositories, or ``None`` if local."""

    queries_revision: str | None = None
    documents_revision: str | None = None


@dataclass(frozen=True)
class Benchmark:
    """Queries, documents, and for each query its candidates and their relevance grades.

    Attributes:
        name: Task name, e.g. ``SABERMath``; names result files.
        queries: The query problems, in row order.
        documents: Every document, in row order.
        candidates: Row numbers into ``documents``, shape ``(queries, pool size)``, int64.
        grades: Relevance in [0, 5] of each candidate, same shape, float64.
        source: Where the tables came from.
        synthetic: True for benchmarks written by a generator: never comparable with SABER-Math.
    """

    name: str
    queries: tuple[Problem, ...]
    documents: tuple[Problem, ...]
    candidates: NDArray[np.int64]
    grades: NDArray[np.float64]
    source: Source = Source()
    synthetic: bool = False

    @property
    def pool_size(self) -> int:
        """Number of candidates of each query."""
        return int(self.candidates.shape[1])

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hex) over texts, domains, candidates and grades, independent of file format."""
        from saber_mteb.benchmark._hashing import content_hash

        return content_hash(self)

    @property
    def revision(self) -> str:
        """What identifies the data in a result: the resolved commits, or the content hash."""
        commits = (self.source.queries_revision, self.source.documents_revision)
        if None in commits:
            return self.content_hash
        return f"q:{commits[0]}+d:{commits[1]}"

    def pools(self, setting: Setting, rows: Sequence[int] | None = None) -> list[Pool]:
        """Return the pools of the given query rows (all by default) with finished texts.

        Each distinct document is rendered once and shared between pools.
        """
        rows = range(len(self.queries)) if rows is None else rows
        candidates = {row: self.candidates[row].tolist() for row in rows}
        asked = dict.fromkeys(document for pool in candidates.values() for document in pool)
        ids = {document: str(document) for document in asked}
        texts = {document: document_text(self.documents[document], setting) for document in asked}
        return [
            Pool(
                setting=setting,
                query_id=str(row),
                query=query_text(self.queries[row], setting),
                document_ids=tuple(map(ids.__getitem__, candidates[row])),
                documents=tuple(map(texts.__getitem__, candidates[row])),
            )
            for row in rows
        ]
