"""Bi-encoders: every distinct finished text is encoded once, then pools are inner products."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.batches import BatchRunner
from saber_mteb.running.planning import key_array, plan_batches, read_lengths
from saber_mteb.running.ranking import Ranked
from saber_mteb.running.stores.keys import digest
from saber_mteb.systems.base import Encoder, Finished, PoolScores, Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Pool
    from saber_mteb.running.session import Session

# Above this the vectors of a text set lie in a file that the system pages in as needed.
_IN_MEMORY = 256 * 2**20


@dataclass(frozen=True)
class TextSet:
    """The distinct texts of one side in one form.

    Three settings have four of them (queries and documents, statement or full), whichever settings
    are run: a set is planned on its own, so that its batches do not depend on the others.

    Attributes:
        role: The side.
        rows: Position by text as it stands in the pools.
        texts: The finished texts, in the order of their positions.
        keys: Their keys in the embedding store.
    """

    role: Role
    rows: dict[str, int]
    texts: list[Finished]
    keys: list[bytes]


def rank_by_vectors(
    encoder: Encoder, pools: Sequence[Pool], pending: Sequence[int], session: Session
) -> Iterator[Ranked]:
    """Encode what the pending pools need and yield their scores, inner products in float32."""
    with tempfile.TemporaryDirectory(prefix="saber-mteb-") as folder:
        table = _Vectors(encoder, session, Path(folder))
        sides = {}
        for role in Role:
            for form in sorted({_form(pool, role) for pool in pools}):
                text_set = _text_set(encoder, pools, role, form)
                needed = _needed(text_set, [pools[position] for position in pending], form)
                if needed:
                    sides[role, form] = (text_set.rows, table.compute(text_set, needed))
        session.reporter.start("scoring queries", len(pending))
        with session.tally.phase("scoring"):
            for position in pending:
                pool = pools[position]
                rows, queries = sides[Role.QUERY, _form(pool, Role.QUERY)]
                query = queries[rows[pool.query]]
                rows, documents = sides[Role.DOCUMENT, _form(pool, Role.DOCUMENT)]
                chosen = documents[[rows[text] for text in pool.documents]]
                session.reporter.advance()
                yield Ranked(position, PoolScores(chosen @ query))


def _form(pool: Pool, role: Role) -> str:
    """Return whether a side shows statements or full problems."""
    statement = {
        Role.QUERY: pool.setting is not Setting.FULL_FULL,
        Role.DOCUMENT: pool.setting is Setting.STATEMENT_STATEMENT,
    }
    return "statement" if statement[role] else "full"


def _side_texts(pool: Pool, role: Role) -> Sequence[str]:
    return (pool.query,) if role is Role.QUERY else pool.documents


def _text_set(encoder: Encoder, pools: Sequence[Pool], role: Role, form: str) -> TextSet:
    rows: dict[str, int] = {}
    for pool in pools:
        if _form(pool, role) == form:
            for text in _side_texts(pool, role):
                rows.setdefault(text, len(rows))
    texts = [encoder.finish(text, role) for text in rows]
    keys = [digest(finished.text, finished.side) for finished in texts]
    return TextSet(role, rows, texts, keys)


def _needed(text_set: TextSet, pools: Sequence[Pool], form: str) -> set[int]:
    role = text_set.role
    return {
        text_set.rows[text]
        for pool in pools
        if _form(pool, role) == form
        for text in _side_texts(pool, role)
    }


class _Vectors:
    """Computes the vectors of text sets, or takes them from the store."""

    def __init__(self, encoder: Encoder, session: Session, folder: Path) -> None:
        self._encoder = encoder
        self._session = session
        self._folder = folder
        self._runner = BatchRunner(session.policy, session.tally)

    def compute(self, text_set: TextSet, needed: set[int]) -> NDArray[np.float32]:
        """Return an array with a row for each text of the set; only needed rows are filled."""
        known = self._known(text_set)
        vectors: NDArray[np.float32] | None = None
        missing = needed - known
        if missing:
            with self._session.tally.phase("encoding"):
                vectors = self._encode(text_set, missing)
        stored = sorted(needed - missing)
        self._session.tally.reused += len(stored)
        if self._session.embeddings is None or not stored:
            return vectors if vectors is not None else self._allocate(text_set, 0)
        if vectors is None:
            dimensions = self._session.embeddings.dimensions(self._session.recipe)
            vectors = self._allocate(text_set, dimensions)
        self._read(text_set, stored, vectors)
        return vectors

    def _known(self, text_set: TextSet) -> set[int]:
        if self._session.embeddings is None:
            return set()
        known = self._session.embeddings.known(self._session.recipe, text_set.keys)
        return {row for row, key in enumerate(text_set.keys) if key in known}

    def _encode(self, text_set: TextSet, missing: set[int]) -> NDArray[np.float32]:
        """Encode every batch of the plan that holds a missing text, always the whole batch."""
        counted = self._encoder.count_tokens(text_set.texts)
        lengths = read_lengths(counted, self._encoder.max_tokens)
        plan = plan_batches(lengths, key_array(text_set.keys), self._session.policy)
        plan = [batch for batch in plan if not missing.isdisjoint(batch.tolist())]
        self._session.reporter.start(f"encoding {text_set.role} texts", sum(map(len, plan)))
        vectors = None
        for batch in plan:
            texts = [text_set.texts[row] for row in batch]
            tokens = len(batch) * int(lengths[batch].max())
            computed = self._runner.run(self._encoder.encode, texts, tokens)
            self._store([text_set.keys[row] for row in batch], computed)
            if vectors is None:
                vectors = self._allocate(text_set, computed.shape[1])
            vectors[batch] = computed
            self._session.tally.count(counted[batch], self._encoder.max_tokens)
            self._session.reporter.advance(len(batch))
        return vectors if vectors is not None else self._allocate(text_set, 0)

    def _store(self, keys: list[bytes], vectors: NDArray[np.float32]) -> None:
        import numpy as np

        finite: NDArray[np.bool_] = np.isfinite(vectors.sum(axis=1))
        if self._session.embeddings is not None and finite.any():
            chosen = [key for key, good in zip(keys, finite, strict=True) if good]
            self._session.embeddings.append(self._session.recipe, chosen, vectors[finite])

    def _read(self, text_set: TextSet, rows: list[int], out: NDArray[np.float32]) -> None:
        import numpy as np

        if self._session.embeddings is None:
            return
        for start in range(0, len(rows), 1024):
            chunk = rows[start : start + 1024]
            block = np.empty((len(chunk), out.shape[1]), dtype=np.float32)
            keys = [text_set.keys[row] for row in chunk]
            self._session.embeddings.read(self._session.recipe, keys, block)
            out[chunk] = block

    def _allocate(self, text_set: TextSet, dimensions: int) -> NDArray[np.float32]:
        import numpy as np

        shape = (len(text_set.texts), dimensions)
        if 4 * shape[0] * shape[1] <= _IN_MEMORY:
            return np.full(shape, np.nan, dtype=np.float32)
        name = self._folder / f"{text_set.role}-{len(list(self._folder.iterdir()))}.f32"
        return np.memmap(name, dtype=np.float32, mode="w+", shape=shape)
