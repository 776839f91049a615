"""Cross-encoders: pairs of a setting sorted by length, batch by batch, each batch kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, overload

from saber_mteb.running.batches import BatchRunner
from saber_mteb.running.planning import key_array, plan_batches, read_lengths
from saber_mteb.running.ranking import Ranked
from saber_mteb.running.stores.keys import digest
from saber_mteb.systems.base import Pair, PairScorer, PoolScores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Pool
    from saber_mteb.running.session import Session


class PairList(Sequence[Pair]):
    """Pairs made when they are looked at: 450,000 kept ones cost a second of garbage collection.

    Args:
        texts: Every text.
        queries: Position in ``texts`` of the query of each pair.
        documents: The same for the document.
    """

    def __init__(self, texts: Sequence[str], queries: list[int], documents: list[int]) -> None:
        self._texts = texts
        self._queries = queries
        self._documents = documents

    def __len__(self) -> int:
        return len(self._queries)

    @overload
    def __getitem__(self, position: int) -> Pair: ...

    @overload
    def __getitem__(self, position: slice) -> list[Pair]: ...

    def __getitem__(self, position: int | slice) -> Pair | list[Pair]:
        if isinstance(position, slice):
            return [self[i] for i in range(*position.indices(len(self)))]
        texts = self._texts
        return Pair(texts[self._queries[position]], texts[self._documents[position]])


@dataclass(frozen=True)
class PairSet:
    """The distinct pairs of one setting.

    Attributes:
        pairs: The pairs.
        keys: A key of each, shape ``(pairs, bytes)``.
        rows: For each pool, the positions of its pairs in pool order.
    """

    pairs: PairList
    keys: NDArray[np.uint8]
    rows: list[NDArray[np.int64]]


def rank_by_pairs(
    scorer: PairScorer, pools: Sequence[Pool], pending: Sequence[int], session: Session
) -> Iterator[Ranked]:
    """Score the pairs of the pending pools, a setting at a time, and yield their answers."""
    runner = BatchRunner(session.policy, session.tally, axes=1)
    waiting = set(pending)
    digests: dict[str, bytes] = {}
    for setting in dict.fromkeys(pools[position].setting for position in pending):
        of_setting = [position for position, pool in enumerate(pools) if pool.setting is setting]
        pair_set = _pair_set([pools[position] for position in of_setting], digests)
        asked = {
            position: rows
            for position, rows in zip(of_setting, pair_set.rows, strict=True)
            if position in waiting
        }
        with session.tally.phase("loading"):
            cut = scorer.max_tokens
        with session.tally.phase("scoring"):
            scores = _compute(scorer, cut, pair_set, list(asked.values()), runner, session)
        for position, rows in asked.items():
            yield Ranked(position, PoolScores(scores[rows]))


def _pair_set(pools: Sequence[Pool], digests: dict[str, bytes]) -> PairSet:
    """Number texts before pairs, so that a query is hashed once and not 150 times.

    ``digests`` remembers those of texts that another setting has shown.
    """
    import numpy as np

    texts = list(dict.fromkeys(chain.from_iterable((p.query, *p.documents) for p in pools)))
    for text in texts:
        if text not in digests:
            digests[text] = digest(text)
    keys = key_array([digests[text] for text in texts])
    number = {text: i for i, text in enumerate(texts)}.__getitem__
    codes = [
        number(pool.query) * len(texts) + np.fromiter(map(number, pool.documents), dtype=np.int64)
        for pool in pools
    ]
    distinct, inverse = np.unique(np.concatenate(codes), return_inverse=True)
    ends = np.cumsum([len(pool.documents) for pool in pools])[:-1]
    queries, documents = np.divmod(distinct, len(texts))
    return PairSet(
        pairs=PairList(texts, queries.tolist(), documents.tolist()),
        keys=np.concatenate([keys[queries], keys[documents]], axis=1),
        rows=np.split(inverse.astype(np.int64), ends),
    )


def _compute(
    scorer: PairScorer,
    cut: int | None,
    pair_set: PairSet,
    asked: Sequence[NDArray[np.int64]],
    runner: BatchRunner,
    session: Session,
) -> NDArray[np.float32]:
    """Return a score for each pair of the set; only those of asked pools are filled."""
    import numpy as np

    counted = scorer.count_pair_tokens(pair_set.pairs)
    lengths = read_lengths(counted, cut)
    plan = plan_batches(lengths, pair_set.keys, session.policy)
    name = _plan_key(pair_set, plan, session)
    finished = session.scores.batches(name) if session.scores is not None else {}
    scores = np.full(len(pair_set.pairs), np.nan, dtype=np.float32)
    needed = np.zeros(len(pair_set.pairs), dtype=np.bool_)
    needed[np.concatenate(asked)] = True
    session.reporter.start("scoring pairs", int(needed.sum()))
    for index, batch in enumerate(plan):
        wanted = int(needed[batch].sum())
        if not wanted:
            continue
        if index in finished and len(finished[index]) == len(batch):
            scores[batch] = finished[index]
            session.tally.reused += len(batch)
        else:
            tokens = len(batch) * int(lengths[batch].max())
            pairs = [pair_set.pairs[row] for row in batch.tolist()]
            scores[batch] = runner.run(scorer.score_pairs, pairs, tokens)
            if session.scores is not None and np.isfinite(scores[batch]).all():
                session.scores.append_batch(name, index, scores[batch])
            session.tally.count(counted[batch], cut)
        session.reporter.advance(wanted)
    return scores


def _plan_key(pair_set: PairSet, plan: Sequence[NDArray[np.int64]], session: Session) -> bytes:
    """Return the name of a plan: the recipe and which pair stands where."""
    sizes = ",".join(str(len(batch)) for batch in plan)
    order = [row for batch in plan for row in batch.tolist()]
    return digest(session.recipe, sizes, pair_set.keys[order].tobytes().hex())
