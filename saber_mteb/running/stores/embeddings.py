"""Vectors that are never computed twice: one per system recipe and finished text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from saber_mteb._errors import SaberError
from saber_mteb.running.stores.database import Owner, Record
from saber_mteb.running.stores.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VECTORS = "vectors"


class EmbeddingStore(Store):
    """Vectors on disk, float32 as computed; shared by settings, runs and processes."""

    file_name: ClassVar[str] = "embeddings.sqlite"

    def known(self, recipe: str, keys: Sequence[bytes]) -> set[bytes]:
        """Return those of the keys that have a whole vector; damaged ones are dropped here.

        Every vector is read and checked, so that what is damaged can still be computed.
        """
        wanted = list(dict.fromkeys(keys))
        return {record.key for record in self._database.read(_owner(recipe), wanted)}

    def dimensions(self, recipe: str) -> int:
        """Return the length of a recipe's vectors.

        Raises:
            SaberError: If there is none.
        """
        for record in self._database.read(_owner(recipe)):
            return len(record.value) // 4
        raise SaberError(f"{self._database.path} holds no vector of the recipe {recipe}.")

    def append(self, recipe: str, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Keep vectors in one transaction; a key that is already there keeps its first vector.

        Args:
            recipe: Identifies everything about the system that decides a vector.
            keys: One per vector, see `digest`.
            vectors: Shape ``(keys, dimensions)``.

        Raises:
            SaberError: If the file cannot be written; then none of them is there.
        """
        import numpy as np

        rows = np.asarray(vectors, dtype="<f4")
        records = (Record(key, row.tobytes()) for key, row in zip(keys, rows, strict=True))
        self._database.append(_owner(recipe), records)

    def read(self, recipe: str, keys: Sequence[bytes], out: NDArray[np.float32]) -> None:
        """Fill the rows of an array with the vectors of the keys, a few at a time in memory.

        Args:
            recipe: As given to `append`.
            keys: One per row.
            out: Shape ``(keys, dimensions)``; may be a memory-mapped file.

        Raises:
            SaberError: If a vector is absent, damaged or of another length.
        """
        import numpy as np

        rows: dict[bytes, list[int]] = {}
        for row, key in enumerate(keys):
            rows.setdefault(key, []).append(row)
        missing = set(rows)
        for record in self._database.read(_owner(recipe), list(rows)):
            vector = np.frombuffer(record.value, dtype="<f4")
            if vector.shape != out.shape[1:]:
                raise SaberError(
                    f"{self._database.path} holds vectors of {len(vector)} dimensions for the "
                    f"recipe {recipe}, expected {out.shape[1]}; `saber-mteb cache prune "
                    "--embeddings` removes them."
                )
            out[rows[record.key]] = vector
            missing.discard(record.key)
        if missing:
            raise SaberError(
                f"{len(missing)} of {len(rows)} vectors are no longer in {self._database.path}: "
                "damaged, or pruned by another process. The same command computes them again."
            )


def _owner(recipe: str) -> Owner:
    return Owner(VECTORS, recipe)
