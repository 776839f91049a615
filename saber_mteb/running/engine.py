"""Runs a system over the pools of a benchmark and keeps every answer, also the bad ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from saber_mteb.benchmark.runs import Run
from saber_mteb.running.ranking import Ranker, rank
from saber_mteb.running.session import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.running.stores.scores import Scope
    from saber_mteb.systems.base import PoolScores, System


def run_system(
    system: System | Ranker,
    benchmark: Benchmark,
    settings: Iterable[Setting],
    *,
    rows: Sequence[int] | None = None,
    session: Session | None = None,
) -> dict[Setting, Run]:
    """Score the pools of every setting in one pass of the system.

    Args:
        system: What ranks.
        benchmark: What is asked.
        settings: The settings to run, in this order.
        rows: Query rows; all by default.
        session: Limits, stores and progress; without one nothing is kept.

    Returns:
        One `Run` per setting. A query whose answer is missing, has the wrong length or holds a NaN
        or an infinity is a failed query of that run.

    Raises:
        SaberError: If the system cannot go on; answers that are finished are in the stores.
    """
    import numpy as np

    session = session or Session()
    asked = np.asarray(range(len(benchmark.queries)) if rows is None else rows, dtype=np.int64)
    wanted = list(dict.fromkeys(settings))
    answers = _Answers(benchmark, wanted, asked, session)
    pools = [pool for setting in wanted for pool in benchmark.pools(setting, asked.tolist())]
    if answers.pending:
        for ranked in rank(system, pools, answers.pending, session):
            answers.take(ranked.position, ranked.answer)
    return answers.runs()


class _Answers:
    """Collects answers by position: setting after setting, row after row."""

    def __init__(
        self,
        benchmark: Benchmark,
        settings: list[Setting],
        asked: NDArray[np.int64],
        session: Session,
    ) -> None:
        import numpy as np

        self._settings = settings
        self._asked = asked
        self._store = session.scores
        self._scopes: list[Scope] = []
        self._kept: list[dict[int, NDArray[np.float32]]] = [{} for _ in settings]
        if session.scores is not None:
            self._scopes = [_scope(benchmark, setting, session) for setting in settings]
            self._kept = [session.scores.answers(scope) for scope in self._scopes]
        size = (len(settings) * len(asked), benchmark.pool_size)
        self._scores = np.full(size, np.nan, dtype=np.float32)
        self.pending = [p for p in range(len(self._scores)) if not self._recall(p)]
        self._reasons = dict.fromkeys(self.pending, "the system gave no answer")
        session.tally.reused += len(self._scores) - len(self.pending)

    def take(self, position: int, answer: PoolScores) -> None:
        """Keep an answer, or the reason why it cannot count."""
        accepted = accept(answer, self._scores.shape[1])
        if isinstance(accepted, str):
            self._reasons[position] = accepted
            return
        self._reasons.pop(position, None)
        self._scores[position] = accepted
        if self._store is not None:
            block, index = divmod(position, len(self._asked))
            self._store.append_answers(self._scopes[block], {int(self._asked[index]): accepted})

    def runs(self) -> dict[Setting, Run]:
        """Return the answers as runs."""
        size = len(self._asked)
        rows = self._asked.tolist()
        return {
            setting: Run(
                setting=setting,
                rows=self._asked,
                scores=self._scores[block * size : (block + 1) * size],
                failures={
                    rows[position - block * size]: reason
                    for position, reason in sorted(self._reasons.items())
                    if block * size <= position < (block + 1) * size
                },
            )
            for block, setting in enumerate(self._settings)
        }

    def _recall(self, position: int) -> bool:
        """Fill in an answer that an earlier run has kept."""
        block, index = divmod(position, len(self._asked))
        found = self._kept[block].get(int(self._asked[index]))
        if found is None or found.shape != self._scores[position].shape:
            return False
        self._scores[position] = found
        return True


def _scope(benchmark: Benchmark, setting: Setting, session: Session) -> Scope:
    from saber_mteb.running.stores.scores import Scope

    return Scope(benchmark.content_hash, session.recipe, setting.value)


def accept(answer: PoolScores, size: int) -> NDArray[np.float32] | str:
    """Return the scores of an answer as float32, or the reason why they cannot count."""
    import numpy as np

    if answer.scores is None:
        return answer.failure or "the system gave no score and no reason"
    found = np.asarray(answer.scores)
    if found.shape != (size,):
        return f"{size} scores were expected, found an array of shape {found.shape}"
    with np.errstate(over="ignore"):
        stored = found.astype(np.float32)
    bad = int(np.count_nonzero(~np.isfinite(stored)))
    if bad:
        return f"{bad} of {size} scores are NaN or infinite as 32-bit floats"
    return stored
