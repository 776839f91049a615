"""What a run says while it runs, and what it counted when it is over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from saber_mteb.running.planning import read_lengths

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Reporter(Protocol):
    """Where progress goes."""

    def start(self, phase: str, total: int) -> None:
        """Begin a phase of so many units."""
        ...

    def advance(self, units: int = 1) -> None:
        """Count units of the current phase as done."""
        ...


class Silent:
    """Shows nothing."""

    def start(self, phase: str, total: int) -> None:
        """Show nothing."""

    def advance(self, units: int = 1) -> None:
        """Show nothing."""


@dataclass
class Tally:
    """Counted over one run; ends in its provenance.

    Attributes:
        seconds: Wall time by phase.
        tokens: Tokens of the texts that were computed, without padding.
        computed_tokens: The same with padding.
        texts: Texts or pairs that were computed.
        reused: Texts, pairs or queries taken from the stores instead.
        truncated: Computed texts or pairs that were longer than the model reads.
        splits: Batches that were halved because memory ran out.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    tokens: int = 0
    computed_tokens: int = 0
    texts: int = 0
    reused: int = 0
    truncated: int = 0
    splits: int = 0

    def count(self, lengths: NDArray[np.int64], cut: int | None) -> None:
        """Count a computed batch.

        Args:
            lengths: Tokens of its texts before any is cut off.
            cut: Where the model cuts.
        """
        read = read_lengths(lengths, cut)
        self.texts += len(read)
        self.tokens += int(read.sum())
        self.computed_tokens += len(read) * int(read.max())
        self.truncated += int((lengths != read).sum())

    def add(self, other: Tally, prefix: str) -> None:
        """Add what another process counted; its seconds run beside ours, so by a name of their own.

        Args:
            other: The counts.
            prefix: Comes before the names of its phases.
        """
        for phase, seconds in other.seconds.items():
            name = prefix + phase
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds
        for count in ("tokens", "computed_tokens", "texts", "reused", "truncated", "splits"):
            setattr(self, count, getattr(self, count) + getattr(other, count))

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the wall time of a block to a phase; by a monotonic clock."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - started
