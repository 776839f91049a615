"""Every text in exactly one batch, batches within their limits, and the same plan every time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from saber_mteb.running.planning import BatchPolicy, key_array, plan_batches, read_lengths
from saber_mteb.running.stores.keys import digest

LENGTHS = st.lists(st.integers(0, 600), max_size=150)
POLICIES = st.builds(BatchPolicy, st.integers(1, 40), st.integers(1, 4000))


def keys_of(count: int) -> list[bytes]:
    return [digest(str(i)) for i in range(count)]


def plan(lengths: list[int], policy: BatchPolicy) -> list[NDArray[np.int64]]:
    return plan_batches(np.array(lengths, dtype=np.int64), key_array(keys_of(len(lengths))), policy)


@given(LENGTHS, POLICIES)
def test_every_text_is_in_exactly_one_batch(lengths: list[int], policy: BatchPolicy) -> None:
    batches = plan(lengths, policy)
    assert sorted(i for batch in batches for i in batch.tolist()) == list(range(len(lengths)))
    assert all(len(batch) for batch in batches)


@given(LENGTHS, POLICIES)
def test_limits_are_kept(lengths: list[int], policy: BatchPolicy) -> None:
    for batch in plan(lengths, policy):
        longest = max(lengths[i] for i in batch)
        assert len(batch) <= policy.max_texts
        assert len(batch) * longest <= policy.max_tokens or len(batch) == 1


@given(LENGTHS, POLICIES)
def test_batches_are_as_full_as_the_limits_allow(lengths: list[int], policy: BatchPolicy) -> None:
    batches = plan(lengths, policy)
    for batch in batches[:-1]:
        one_more = (len(batch) + 1) * max(lengths[i] for i in batch)
        assert len(batch) == policy.max_texts or one_more > policy.max_tokens


@given(LENGTHS, POLICIES)
def test_the_longest_come_first(lengths: list[int], policy: BatchPolicy) -> None:
    order = [lengths[i] for batch in plan(lengths, policy) for i in batch]
    assert order == sorted(lengths, reverse=True)


@given(LENGTHS, POLICIES, st.randoms(use_true_random=False))
def test_the_order_of_the_texts_does_not_matter(
    lengths: list[int], policy: BatchPolicy, random: Random
) -> None:
    keys = keys_of(len(lengths))
    order = list(range(len(lengths)))
    random.shuffle(order)
    shuffled = plan_batches(
        np.array([lengths[i] for i in order], dtype=np.int64),
        key_array([keys[i] for i in order]),
        policy,
    )
    there = [[keys[order[i]] for i in batch] for batch in shuffled]
    here = [[keys[i] for i in batch] for batch in plan(lengths, policy)]
    assert there == here


def test_equal_lengths_are_in_the_order_of_whole_keys() -> None:
    """Keys that differ in one byte only, in either half, compare as bytes do."""
    base = bytearray(range(100, 116))
    keys = []
    for place in (0, 7, 8, 15):
        for value in (0, 127, 128, 255):
            changed = bytearray(base)
            changed[place] = value
            keys.append(bytes(changed))
    batches = plan_batches(np.full(len(keys), 5), key_array(keys), BatchPolicy(max_texts=100))
    assert [keys[i] for i in batches[0]] == sorted(keys)


def test_little_is_padded_at_the_size_of_the_benchmark() -> None:
    """6,000 documents of a length as in SABER-Math (median 500, tail to 4,000), cut at 512."""
    rng = np.random.default_rng(0)
    counted = np.clip(np.exp(rng.normal(np.log(500), 0.6, 6000)), 30, 4000).astype(int)
    for limit, waste in ((512, 1.01), (None, 1.03)):
        lengths = read_lengths(counted, limit)
        batches = plan_batches(lengths, key_array(keys_of(len(lengths))), BatchPolicy())
        computed = sum(len(batch) * lengths[batch].max() for batch in batches)
        assert computed / lengths.sum() <= waste


@pytest.mark.parametrize(("limit", "read"), [(None, [3, 10, 0]), (4, [3, 4, 0]), (10, [3, 10, 0])])
def test_what_is_cut_off_is_not_read(limit: int | None, read: list[int]) -> None:
    assert read_lengths(np.array([3, 10, 0]), limit).tolist() == read
