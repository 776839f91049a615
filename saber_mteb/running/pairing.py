"""Cross-encoders: pairs of a setting sorted by length, batch by batch, each batch kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from saber_mteb.running.batches import BatchRunner
from saber_mteb.running.planning import plan_batches, read_lengths
from saber_mteb.running.ranking import Ranked
from saber_mteb.running.stores.keys import digest
from saber_mteb.systems.base import Pair, PairScorer, PoolScores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Pool
    from saber_mteb.running.session import Session


@dataclass(frozen=True)
class PairSet:
    """The distinct pairs of one setting.

    Attributes:
        rows: Position by pair.
        pairs: In the order of their positions.
        keys: A key of each.
    """

    rows: dict[Pair, int]
    pairs: list[Pair]
    keys: list[bytes]


def rank_by_pairs(
    scorer: PairScorer, pools: Sequence[Pool], pending: Sequence[int], session: Session
) -> Iterator[Ranked]:
    """Score the pairs of the pending pools, a setting at a time, and yield their answers."""
    runner = BatchRunner(session.policy, session.tally)
    for setting in dict.fromkeys(pools[position].setting for position in pending):
        pair_set = _pair_set([pool for pool in pools if pool.setting is setting])
        asked = [position for position in pending if pools[position].setting is setting]
        needed = {
            pair_set.rows[Pair(pools[position].query, text)]
            for position in asked
            for text in pools[position].documents
        }
        with session.tally.phase("scoring"):
            scores = _compute(scorer, pair_set, needed, runner, session)
        for position in asked:
            pool = pools[position]
            rows = [pair_set.rows[Pair(pool.query, text)] for text in pool.documents]
            yield Ranked(position, PoolScores(scores[rows]))


def _pair_set(pools: Sequence[Pool]) -> PairSet:
    rows: dict[Pair, int] = {}
    for pool in pools:
        for text in pool.documents:
            rows.setdefault(Pair(pool.query, text), len(rows))
    keys = [digest(pair.query, pair.document) for pair in rows]
    return PairSet(rows, list(rows), keys)


def _compute(
    scorer: PairScorer,
    pair_set: PairSet,
    needed: set[int],
    runner: BatchRunner,
    session: Session,
) -> NDArray[np.float32]:
    """Return a score for each pair of the set; only needed ones are filled."""
    import numpy as np

    counted = scorer.count_pair_tokens(pair_set.pairs)
    lengths = read_lengths(counted, scorer.max_tokens)
    plan = plan_batches(lengths, pair_set.keys, session.policy)
    name = _plan_key(pair_set, plan, session)
    finished = session.scores.batches(name) if session.scores is not None else {}
    scores = np.full(len(pair_set.pairs), np.nan, dtype=np.float32)
    session.reporter.start("scoring pairs", len(needed))
    for index, batch in enumerate(plan):
        wanted = len(needed.intersection(batch.tolist()))
        if not wanted:
            continue
        if index in finished and len(finished[index]) == len(batch):
            scores[batch] = finished[index]
            session.tally.reused += len(batch)
        else:
            tokens = len(batch) * int(lengths[batch].max())
            pairs = [pair_set.pairs[row] for row in batch]
            scores[batch] = runner.run(scorer.score_pairs, pairs, tokens)
            if session.scores is not None:
                session.scores.append_batch(name, index, scores[batch])
            session.tally.count(counted[batch], scorer.max_tokens)
        session.reporter.advance(wanted)
    return scores


def _plan_key(pair_set: PairSet, plan: Sequence[NDArray[np.int64]], session: Session) -> bytes:
    """Return the name of a plan: the recipe and which pair stands where."""
    order = "|".join(",".join(pair_set.keys[row].hex() for row in batch) for batch in plan)
    return digest(session.recipe, order)
