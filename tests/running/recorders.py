"""A benchmark of made-up words, and systems that write down what they are asked."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.records import Benchmark, Pool, Problem
from saber_mteb.systems.base import Finished, Pair, PoolScores, Role

WIDTH = 8


def bench(
    queries: int = 9, documents: int = 30, size: int = 10, *, seed: int = 0, changed: str = ""
) -> Benchmark:
    """Pools share documents; two documents are equal, and one is the first query word for word."""
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(40)])

    def problem(name: str) -> Problem:
        parts = [" ".join(rng.choice(words, rng.integers(3, 30))) for _ in range(2)]
        return Problem(name, f"{name} {parts[0]}", parts[1], (Domain.ALGEBRA,))

    texts = [problem(f"d{i}") for i in range(documents)]
    asked = [problem(f"q{i}") for i in range(queries)]
    texts[1] = texts[0]
    texts[2] = asked[0]
    texts[-1] = Problem(texts[-1].id, texts[-1].statement + changed, texts[-1].solution)
    candidates = np.stack([rng.permutation(documents)[:size] for _ in asked])
    candidates[0, :4] = [0, 1, 2, documents - 1]
    candidates[0, 4:] = np.arange(3, size - 1)
    grades = rng.uniform(0, 5, candidates.shape)
    return Benchmark("Bench", tuple(asked), tuple(texts), candidates, grades)


def own_vector(text: str) -> NDArray[np.float32]:
    """Return what the text alone decides of its vector."""
    return np.random.default_rng(zlib.crc32(text.encode())).normal(size=WIDTH).astype(np.float32)


@dataclass
class Recorder:
    """What the two kinds of model have in common.

    Attributes:
        batches: The texts of each batch that was computed.
        log: A file that gets a line when a batch begins.
        delay: Seconds that a batch takes.
        before: Called with each batch first.
        rounding: Whether the last bits of a result depend on the batch.
    """

    batches: list[list[str]] = field(default_factory=list)
    log: Path | None = None
    delay: float = 0.0
    before: Callable[[list[str]], None] = lambda _: None
    max_tokens: int | None = None
    rounding: bool = True

    @property
    def asked(self) -> list[str]:
        """Every text in every batch."""
        return [text for batch in self.batches for text in batch]

    def record(self, texts: list[str]) -> None:
        if self.log is not None:
            with self.log.open("a") as stream:
                stream.write(f"{zlib.crc32('|'.join(texts).encode())}\n")
        self.before(texts)
        time.sleep(self.delay)
        self.batches.append(texts)

    def noise(self, texts: list[str]) -> np.float32:
        """Return a factor near 1 that the whole batch decides, as rounding does in a real model."""
        number = zlib.crc32("|".join(texts).encode()) % 64 if self.rounding else 0
        return np.float32(1 + number * 2**-20)


@dataclass
class RecordingEncoder(Recorder):
    """Vectors from the text, their last bits from the batch."""

    finished: list[tuple[str, Role]] = field(default_factory=list)
    prompts: bool = True
    sides: bool = False

    def finish(self, text: str, role: Role) -> Finished:
        self.finished.append((text, role))
        return Finished(f"{role}: {text}" if self.prompts else text, role if self.sides else "")

    def count_tokens(self, texts: Sequence[Finished]) -> NDArray[np.int64]:
        return np.array([len(text.text.split()) for text in texts], dtype=np.int64)

    def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
        shown = [text.text + text.side for text in texts]
        self.record(shown)
        return np.stack([own_vector(text) for text in shown]) * self.noise(shown)


@dataclass
class RecordingScorer(Recorder):
    """Scores from the pair, their last bits from the batch."""

    def count_pair_tokens(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        return np.array([len(f"{p.query} {p.document}".split()) for p in pairs], dtype=np.int64)

    def score_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        shown = [f"{pair.query} -> {pair.document}" for pair in pairs]
        self.record(shown)
        scores = [own_vector(p.query) @ own_vector(p.document) for p in pairs]
        return np.array(scores, dtype=np.float32) * self.noise(shown)


@dataclass
class RecordingRanker(Recorder):
    """Scores whole pools."""

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        for pool in pools:
            self.record([f"{pool.setting} {pool.query}"])
            query = own_vector(pool.query)
            yield PoolScores(np.array([own_vector(text) @ query for text in pool.documents]))
