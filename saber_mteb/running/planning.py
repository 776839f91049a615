"""Which texts a model reads together: a pure function of the texts, so resuming repeats it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class BatchPolicy:
    """How large a batch may be.

    Attributes:
        max_texts: Texts (or pairs) in one batch.
        max_tokens: Texts times the length of the longest, which is what a model computes.
        timeout: Seconds a batch may take before the run is stopped; None waits for ever.
    """

    max_texts: int = 32
    max_tokens: int = 32_768
    timeout: float | None = None


def plan_batches(
    lengths: NDArray[np.int64], keys: NDArray[np.uint8], policy: BatchPolicy
) -> list[NDArray[np.int64]]:
    """Return batches of positions, longest texts first.

    Texts of like length go together, so that little is padded; the longest come first, so that
    memory runs out at the start if it does at all. Equal lengths are ordered by key: the plan
    depends on which texts there are, not on the order they came in.

    Args:
        lengths: Tokens of each text, shape ``(texts,)``.
        keys: A distinct key of each text, shape ``(texts, bytes)``, bytes a multiple of 8.
        policy: The limits; a single text above ``max_tokens`` is a batch of its own.

    >>> import numpy as np
    >>> keys = np.arange(3, dtype=np.uint8).repeat(8).reshape(3, 8)
    >>> plan = plan_batches(np.array([2, 9, 3]), keys, BatchPolicy(max_tokens=9))
    >>> [batch.tolist() for batch in plan]
    [[1], [2, 0]]
    """
    import numpy as np

    if not len(keys):
        return []
    words = np.ascontiguousarray(keys).view(">u8")
    order = np.lexsort((*words.T[::-1], -lengths))
    batches = []
    start = 0
    while start < len(order):
        # The first of a batch is its longest: it decides how much every further text costs.
        fitting = policy.max_tokens // max(int(lengths[order[start]]), 1)
        size = max(1, min(policy.max_texts, fitting))
        batches.append(order[start : start + size])
        start += size
    return batches


def key_array(keys: Sequence[bytes]) -> NDArray[np.uint8]:
    """Return keys of one size as an array of bytes, shape ``(keys, size)``."""
    import numpy as np

    size = len(keys[0]) if keys else 0
    return np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), size)


def read_lengths(lengths: NDArray[np.int64], max_tokens: int | None) -> NDArray[np.int64]:
    """Return how much of each text a model reads, given the tokens before any is cut off."""
    return lengths if max_tokens is None else lengths.clip(max=max_tokens)
