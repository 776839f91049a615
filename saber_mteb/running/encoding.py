"""Bi-encoders: every distinct finished text is encoded once, then pools are inner products."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
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
    import numpy as np

    table = _Vectors(encoder, session)
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
            # Not a matrix product: BLAS gives equal documents scores that differ in the last bit
            # by their place in the pool, and so breaks their tie.
            with np.errstate(all="ignore"):
                scores = np.vecdot(chosen, query)
            session.reporter.advance()
            yield Ranked(position, PoolScores(scores))


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
    distinct: dict[Finished, int] = {}
    for pool in pools:
        if _form(pool, role) == form:
            for text in _side_texts(pool, role):
                if text not in rows:
                    rows[text] = distinct.setdefault(encoder.finish(text, role), len(distinct))
    keys = [digest(finished.text, finished.side) for finished in distinct]
    return TextSet(role, rows, list(distinct), keys)


def _needed(text_set: TextSet, pools: Sequence[Pool], form: str) -> set[int]:
    role = text_set.role
    return {
        text_set.rows[text]
        for pool in pools
        if _form(pool, role) == form
        for text in _side_texts(pool, role)
    }


class _Vectors:
    """Computes the vectors of text sets, or takes them from earlier sets and from the store.

    The first vector of a text counts, with a store and without one: when a batch is computed again
    for the sake of other texts, in other company, a vector can differ in its last bits.
    """

    def __init__(self, encoder: Encoder, session: Session) -> None:
        self._encoder = encoder
        self._session = session
        self._runner = BatchRunner(session.policy, session.tally, axes=2)
        self._first: dict[bytes, NDArray[np.float32]] = {}

    def compute(self, text_set: TextSet, needed: set[int]) -> NDArray[np.float32]:
        """Return an array with a row for each text of the set; only needed rows are filled."""
        known = self._known(text_set)
        missing = needed - known
        if missing:
            vectors = self._encode(text_set, missing, known)
        else:
            vectors = _allocate(len(text_set.texts), self._width())
        self._recall(text_set, sorted(needed & known), vectors)
        return vectors

    def _known(self, text_set: TextSet) -> set[int]:
        known = set(self._first)
        if self._session.embeddings is not None:
            known |= self._session.embeddings.known(self._session.recipe, text_set.keys)
        return {row for row, key in enumerate(text_set.keys) if key in known}

    def _width(self) -> int:
        if self._first:
            return len(next(iter(self._first.values())))
        store = self._session.embeddings
        return store.dimensions(self._session.recipe) if store is not None else 0

    def _encode(self, text_set: TextSet, missing: set[int], known: set[int]) -> NDArray[np.float32]:
        """Encode every batch of the plan that holds a missing text, always the whole batch."""
        with self._session.tally.phase("loading"):
            cut = self._encoder.max_tokens
        with self._session.tally.phase("encoding"):
            counted = self._encoder.count_tokens(text_set.texts)
            lengths = read_lengths(counted, cut)
            plan = plan_batches(lengths, key_array(text_set.keys), self._session.policy)
            plan = [batch for batch in plan if not missing.isdisjoint(batch.tolist())]
            self._session.reporter.start(f"encoding {text_set.role} texts", sum(map(len, plan)))
            vectors = _allocate(len(text_set.texts), 0)
            for batch in plan:
                texts = [text_set.texts[row] for row in batch]
                tokens = len(batch) * int(lengths[batch].max())
                computed = self._runner.run(self._encoder.encode, texts, tokens)
                if not vectors.shape[1]:
                    vectors = _allocate(len(text_set.texts), computed.shape[1])
                vectors[batch] = computed
                fresh = [row for row in batch.tolist() if row not in known]
                self._keep([(row, text_set.keys[row]) for row in fresh], vectors)
                self._session.tally.count(counted[batch], cut)
                self._session.reporter.advance(len(batch))
        return vectors

    def _keep(self, batch: list[tuple[int, bytes]], vectors: NDArray[np.float32]) -> None:
        """Keep the first vectors of texts, except those with a NaN or an infinity."""
        import numpy as np

        rows = [row for row, _ in batch]
        finite = np.asarray(np.isfinite(vectors[rows]).all(axis=1))
        good = [text for text, is_finite in zip(batch, finite, strict=True) if is_finite]
        self._first.update((key, vectors[row]) for row, key in good)
        if self._session.embeddings is not None and good:
            found = vectors[[row for row, _ in good]]
            self._session.embeddings.append(self._session.recipe, [key for _, key in good], found)

    def _recall(self, text_set: TextSet, rows: list[int], out: NDArray[np.float32]) -> None:
        """Fill rows with the first vectors of their texts."""
        import numpy as np

        self._session.tally.reused += len(rows)
        absent = []
        for row in rows:
            first = self._first.get(text_set.keys[row])
            if first is None:
                absent.append(row)
            else:
                out[row] = first
        if self._session.embeddings is None:
            return
        for start in range(0, len(absent), 1024):
            chunk = absent[start : start + 1024]
            block = np.empty((len(chunk), out.shape[1]), dtype=np.float32)
            keys = [text_set.keys[row] for row in chunk]
            self._session.embeddings.read(self._session.recipe, keys, block)
            out[chunk] = block
            for row, key in zip(chunk, keys, strict=True):
                self._first[key] = out[row]


def _allocate(texts: int, dimensions: int) -> NDArray[np.float32]:
    """Return an array in memory, or in a file without a name that ends with the process.

    Raises:
        SaberError: If the disk has no room for it.
    """
    import numpy as np

    size = 4 * texts * dimensions
    if size <= _IN_MEMORY:
        return np.full((texts, dimensions), np.nan, dtype=np.float32)
    try:
        with tempfile.TemporaryFile(prefix="saber-mteb-") as file:
            if hasattr(os, "posix_fallocate"):  # else a full disk would kill the process later
                os.posix_fallocate(file.fileno(), 0, size)
            mapped = np.memmap(file, dtype=np.float32, mode="w+", shape=(texts, dimensions))
            return mapped.view(np.ndarray)
    except OSError as error:
        raise SaberError(
            f"{size / 1e9:.1f} GB of vectors do not fit on the disk of {tempfile.gettempdir()} "
            f"({error.strerror}); free some space there or set TMPDIR to another disk."
        ) from error
