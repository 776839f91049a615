"""What a run has at hand: limits, stores, and where to say what it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.reporting import Reporter, Silent, Tally

if TYPE_CHECKING:
    from saber_mteb.running.stores.embeddings import EmbeddingStore
    from saber_mteb.running.stores.scores import ScoreStore


@dataclass(frozen=True)
class Session:
    """Passed to everything that runs.

    Attributes:
        recipe: Identifies everything about the system that decides a score; needed with stores.
        policy: How large batches may be.
        scores: Where finished answers and batches are kept; None keeps nothing.
        embeddings: Where vectors are kept; None keeps nothing.
        reporter: Where progress goes.
        tally: What is counted.
    """

    recipe: str = ""
    policy: BatchPolicy = field(default_factory=BatchPolicy)
    scores: ScoreStore | None = None
    embeddings: EmbeddingStore | None = None
    reporter: Reporter = field(default_factory=Silent)
    tally: Tally = field(default_factory=Tally)
