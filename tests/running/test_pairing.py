"""Cross-encoders: each pair of a setting once, finished batches are not computed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.records import Benchmark
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import run_system
from saber_mteb.running.pairing import rank_by_pairs
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.ranking import rank
from saber_mteb.running.session import Session
from saber_mteb.running.stores.scores import ScoreStore
from saber_mteb.systems.base import Pair

SF, SS, FF = Setting
RECIPE = "recipe 1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ScoreStore]:
    with ScoreStore.open(tmp_path / "cache") as opened:
        yield opened


def session(store: ScoreStore | None = None, **changes: Any) -> Session:
    given = Session(recipe=RECIPE, policy=BatchPolicy(max_texts=7), scores=store)
    return replace(given, **changes)


def pairs_of(benchmark: Benchmark, setting: Setting) -> set[str]:
    return {f"{p.query} -> {text}" for p in benchmark.pools(setting) for text in p.documents}


def same(one: dict[Setting, Run], other: dict[Setting, Run]) -> bool:
    return list(one) == list(other) and all(
        one[setting].scores.tobytes() == other[setting].scores.tobytes() for setting in one
    )


def answers(scorer: Any, benchmark: Benchmark, given: Session) -> dict[int, bytes]:
    """Rank without the store of whole answers, so that only batches can be reused."""
    pools = [pool for setting in Setting for pool in benchmark.pools(setting)]
    ranked = rank_by_pairs(scorer, pools, range(len(pools)), given)
    return {r.position: np.asarray(r.answer.scores).tobytes() for r in ranked}


def test_each_pair_of_a_setting_is_scored_once(recorders: Any) -> None:
    benchmark, scorer, given = recorders.bench(), recorders.RecordingScorer(), session()
    run_system(scorer, benchmark, list(Setting), session=given)
    expected = [pair for setting in Setting for pair in pairs_of(benchmark, setting)]
    assert sorted(scorer.asked) == sorted(expected)
    assert given.tally.texts == len(expected)
    # Two documents of the first pool are equal, so there are fewer pairs than places.
    assert len(expected) == 3 * (benchmark.candidates.size - 1)


def test_every_score_lands_in_its_place(recorders: Any) -> None:
    benchmark = recorders.bench()
    runs = run_system(recorders.RecordingScorer(rounding=False), benchmark, list(Setting))
    for setting, run in runs.items():
        for row, pool in enumerate(benchmark.pools(setting)):
            query = recorders.own_vector(pool.query)
            expected = [recorders.own_vector(text) @ query for text in pool.documents]
            np.testing.assert_array_equal(run.scores[row], np.array(expected, np.float32))


def test_rows_that_are_asked_come_in_their_order(recorders: Any) -> None:
    benchmark, scorer = recorders.bench(), recorders.RecordingScorer(rounding=False)
    whole = run_system(scorer, benchmark, [SF])[SF]
    part = run_system(scorer, benchmark, [SF], rows=[5, 0, 3])[SF]
    np.testing.assert_array_equal(part.scores, whole.scores[[5, 0, 3]])


def test_the_longest_pairs_come_first_within_a_setting(recorders: Any) -> None:
    scorer = recorders.RecordingScorer()
    run_system(scorer, recorders.bench(), [SF])
    lengths = [len(pair.replace("-> ", "").split()) for pair in scorer.asked]
    assert lengths == sorted(lengths, reverse=True)
    assert all(len(batch) == 7 for batch in scorer.batches[:-1]) or len(scorer.batches[0]) == 32


def test_what_was_computed_is_counted(recorders: Any) -> None:
    scorer, given = recorders.RecordingScorer(max_tokens=40), session()
    run_system(scorer, recorders.bench(), [FF], session=given)
    lengths = [len(pair.replace(" -> ", " ").split()) for pair in scorer.asked]
    assert given.tally.truncated == sum(length > 40 for length in lengths) > 0
    assert given.tally.tokens == sum(min(length, 40) for length in lengths)
    assert set(given.tally.seconds) == {"loading", "scoring"}


def test_stopped_at_any_batch_it_goes_on_as_if_it_had_not(recorders: Any, tmp_path: Path) -> None:
    benchmark, whole = recorders.bench(queries=5), recorders.RecordingScorer()
    expected = run_system(whole, benchmark, list(Setting), session=session())
    assert len(whole.batches) > 15
    for stop in range(len(whole.batches)):
        first, second = recorders.RecordingScorer(), recorders.RecordingScorer()

        def interrupt(_: list[str], scorer: Any = first, at: int = stop) -> None:
            if len(scorer.batches) == at:
                raise KeyboardInterrupt

        first.before = interrupt
        with ExitStack() as stack:
            cache = stack.enter_context(ScoreStore.open(tmp_path / str(stop)))
            with pytest.raises(KeyboardInterrupt):
                run_system(first, benchmark, list(Setting), session=session(cache))
            found = run_system(second, benchmark, list(Setting), session=session(cache))
        assert same(found, expected)
        assert first.batches + second.batches == whole.batches


def test_finished_answers_are_not_asked_again(recorders: Any, store: ScoreStore) -> None:
    benchmark, scorer = recorders.bench(), recorders.RecordingScorer()
    known = run_system(scorer, benchmark, list(Setting), session=session(store))
    again, given = recorders.RecordingScorer(), session(store)
    assert same(run_system(again, benchmark, list(Setting), session=given), known)
    assert again.batches == []
    assert given.tally.reused == 3 * len(benchmark.queries)


def test_batches_outlive_lost_answers(recorders: Any, store: ScoreStore) -> None:
    benchmark, scorer = recorders.bench(), recorders.RecordingScorer()
    known = answers(scorer, benchmark, session(store))
    again, given = recorders.RecordingScorer(), session(store)
    assert answers(again, benchmark, given) == known
    assert again.batches == []
    assert given.tally.reused == len(scorer.asked)


@pytest.mark.parametrize(
    "changes", [{"recipe": "recipe 2"}, {"policy": BatchPolicy(max_texts=6)}], ids=str
)
def test_another_recipe_or_plan_reuses_no_batch(
    recorders: Any, store: ScoreStore, changes: dict[str, Any]
) -> None:
    benchmark, again = recorders.bench(), recorders.RecordingScorer()
    answers(recorders.RecordingScorer(), benchmark, session(store))
    found = answers(again, benchmark, session(store, **changes))
    fresh = recorders.RecordingScorer()
    assert found == answers(fresh, benchmark, session(**changes))
    assert again.batches == fresh.batches


def test_a_timeout_is_no_part_of_a_plan(recorders: Any, store: ScoreStore) -> None:
    benchmark, again = recorders.bench(), recorders.RecordingScorer()
    answers(recorders.RecordingScorer(), benchmark, session(store))
    answers(again, benchmark, session(store, policy=BatchPolicy(max_texts=7, timeout=9)))
    assert again.batches == []


def test_a_changed_document_changes_the_plan_of_its_settings(
    recorders: Any, store: ScoreStore
) -> None:
    answers(recorders.RecordingScorer(), recorders.bench(), session(store))
    again = recorders.RecordingScorer()
    changed = recorders.bench(changed=" and more")
    found = answers(again, changed, session(store))
    fresh = recorders.RecordingScorer()
    assert found == answers(fresh, changed, session())
    assert again.batches == fresh.batches


def test_scores_that_do_not_count_are_not_kept(recorders: Any, store: ScoreStore) -> None:
    benchmark = recorders.bench()

    class Broken(recorders.RecordingScorer):  # type: ignore[name-defined,misc]
        def score_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
            scores: NDArray[np.float32] = super().score_pairs(pairs)
            scores[[pair.query == benchmark.queries[4].statement for pair in pairs]] = np.nan
            return scores

    (run,) = run_system(Broken(), benchmark, [SF], session=session(store)).values()
    assert set(run.failures) == {4}
    assert "NaN" in run.failures[4]
    mended = recorders.RecordingScorer()
    found = run_system(mended, benchmark, [SF], session=session(store))
    assert not found[SF].failures
    assert same(found, run_system(recorders.RecordingScorer(), benchmark, [SF], session=session()))


@pytest.mark.parametrize("shape", [(6,), (8,), (7, 1), ()])
def test_a_wrong_shape_stops_the_run_and_keeps_the_rest(
    recorders: Any, store: ScoreStore, shape: tuple[int, ...]
) -> None:
    class Wrong(recorders.RecordingScorer):  # type: ignore[name-defined,misc]
        def score_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
            scores: NDArray[np.float32] = super().score_pairs(pairs)
            return np.zeros(shape, np.float32) if len(self.batches) == 3 else scores

    wrong, right = Wrong(), recorders.RecordingScorer()
    with pytest.raises(SaberError, match="must return one score for each"):
        run_system(wrong, recorders.bench(), [SF], session=session(store))
    run_system(right, recorders.bench(), [SF], session=session(store))
    assert right.batches[0] == wrong.batches[2]


def test_what_is_no_system_is_refused() -> None:
    with pytest.raises(TypeError, match="object is no PoolScorer, Encoder or PairScorer"):
        list(rank(object(), [], [], Session()))  # type: ignore[arg-type]
