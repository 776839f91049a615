"""A run is cut into the same tasks whatever is still to be done."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from saber_mteb.benchmark.records import Pool
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.ray_engine.tasks import cut

QUERIES = 7
POOLS = [
    Pool(setting, str(row), f"{setting} {row}", (), ())
    for setting in Setting
    for row in range(QUERIES)
]


@given(st.sets(st.sampled_from(range(len(POOLS)))), st.integers(1, 9))
def test_pending_pools_are_in_one_task_each(pending: set[int], size: int) -> None:
    tasks = list(cut(POOLS, sorted(pending), size))
    asked = [task.positions[index] for task in tasks for index in task.pending]
    assert sorted(asked) == sorted(pending)
    assert all(task.pending for task in tasks)
    for task in tasks:
        assert task.pools == [POOLS[position] for position in task.positions]
        assert len({pool.query_id for pool in task.pools}) <= size


@given(st.sets(st.sampled_from(range(len(POOLS)))), st.integers(1, 9))
def test_what_is_planned_together_does_not_depend_on_what_is_pending(
    pending: set[int], size: int
) -> None:
    whole = [task.positions for task in cut(POOLS, range(len(POOLS)), size)]
    assert sorted(p for positions in whole for p in positions) == list(range(len(POOLS)))
    for task in cut(POOLS, sorted(pending), size):
        assert task.positions in whole


@given(st.sets(st.sampled_from(range(len(POOLS))), min_size=1))
def test_split_leaves_a_task_for_each_query(pending: set[int]) -> None:
    (task,) = cut(POOLS, sorted(pending), QUERIES)
    parts = task.split()
    assert sorted(i for part in parts for i in part.pending) == sorted(task.pending)
    for part in parts:
        assert part.pools is task.pools
        assert len({part.pools[i].query_id for i in part.pending}) == 1
