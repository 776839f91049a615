"""A batch that does not fit is halved; a model that hangs or returns nonsense ends in a message."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from saber_mteb._errors import SaberError
from saber_mteb.running.batches import BatchRunner, call_within
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.reporting import Tally
from saber_mteb.systems.base import OutOfMemory

TOKENS = 100


class Small:
    """A device with room for a few texts; a text is a number, its vector the number twice."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.tried: list[int] = []

    def __call__(self, items: Sequence[int]) -> NDArray[np.float32]:
        self.tried.append(len(items))
        if len(items) > self.room:
            raise OutOfMemory("CUDA out of memory")
        return np.array([[i, i] for i in items], dtype=np.float32)


def runner(axes: int = 2, timeout: float | None = None) -> BatchRunner:
    return BatchRunner(BatchPolicy(timeout=timeout), Tally(), axes)


@given(st.integers(1, 70), st.integers(1, 70))
def test_halves_until_it_fits_and_keeps_the_order(size: int, room: int) -> None:
    device = Small(room)
    made = runner()
    found = made.run(device, list(range(size)), size * TOKENS)
    assert found[:, 0].tolist() == list(range(size))
    assert found.dtype == np.float32
    assert max(device.tried[1:], default=0) <= max(size / 2 + 1, room)


def test_what_did_not_fit_once_is_not_tried_again() -> None:
    device = Small(8)
    made = runner()
    for _ in range(3):
        made.run(device, list(range(32)), 32 * TOKENS)
    assert device.tried == [32, 16, *[8] * 12]
    assert made.tally.splits == 9  # into halves and quarters, each time


def test_shorter_texts_still_come_in_whole_batches() -> None:
    """The room is one of tokens, not of texts."""
    device = Small(8)
    made = runner()
    made.run(device, list(range(16)), 16 * TOKENS)
    device.room = 32
    made.run(device, list(range(32)), 32 * TOKENS // 4)
    assert device.tried[-1] == 32


def test_halving_is_said_once_for_each_size(caplog: pytest.LogCaptureFixture) -> None:
    made = runner()
    with caplog.at_level(logging.WARNING, logger="saber_mteb"):
        for _ in range(3):
            made.run(Small(8), list(range(32)), 32 * TOKENS)
    assert [record.getMessage() for record in caplog.records] == [
        "Memory ran out on a batch of 32 texts (3200 tokens); halving it.",
        "Memory ran out on a batch of 16 texts (1600 tokens); halving it.",
    ]


def test_one_text_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(SaberError, match="One text of 100 tokens does not fit into memory"):
        runner().run(Small(0), [1, 2, 3], 3 * TOKENS)


@pytest.mark.parametrize(
    ("axes", "shape"),
    [(2, (3, 2)), (2, (4,)), (2, ()), (2, (4, 2, 2)), (1, (4, 1)), (1, (3,)), (1, (5,)), (1, ())],
)
def test_a_wrong_shape_is_an_error(axes: int, shape: tuple[int, ...]) -> None:
    with pytest.raises(SaberError, match=r"must return one (vector|score) for each") as caught:
        runner(axes).run(lambda _: np.zeros(shape, np.float32), [1, 2, 3, 4], 4)
    assert f"shape {shape} for a batch of 4" in str(caught.value)


def test_vectors_that_change_their_length_are_an_error() -> None:
    made = runner()
    made.run(lambda items: np.zeros((len(items), 3), np.float32), [1, 2], 2)
    with pytest.raises(SaberError, match=r"shape \(2, 4\)"):
        made.run(lambda items: np.zeros((len(items), 4), np.float32), [1, 2], 2)


def test_the_halves_of_a_batch_must_agree() -> None:
    def call(items: Sequence[int]) -> NDArray[np.float32]:
        if len(items) == 4:
            raise OutOfMemory
        return np.zeros((len(items), 2 + items[0]), np.float32)

    with pytest.raises(SaberError, match="all of one length"):
        runner().run(call, [0, 1, 2, 3], 4)


def test_other_numbers_are_taken_as_float32() -> None:
    found = runner(1).run(lambda items: [1.0, 1e300], [1, 2], 2)  # type: ignore[arg-type,return-value]
    assert found.tolist() == [1.0, float("inf")]


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_an_exception_of_the_model_passes_through(timeout: float | None) -> None:
    def call(_: Sequence[int]) -> NDArray[np.float32]:
        raise ZeroDivisionError("in the model")

    with pytest.raises(ZeroDivisionError, match="in the model"):
        runner(timeout=timeout).run(call, [1], 1)


@pytest.mark.parametrize("error", [TimeoutError("of an API"), KeyboardInterrupt(), StopIteration()])
def test_even_one_that_looks_like_our_own_passes_through(error: BaseException) -> None:
    def call() -> None:
        raise error

    with pytest.raises(type(error)):
        call_within(5, call, "A test")


def test_memory_can_run_out_within_a_timeout() -> None:
    assert len(runner(timeout=5).run(Small(3), list(range(9)), 9)) == 9


def test_a_model_that_hangs_is_an_error_in_time() -> None:
    released = threading.Event()
    started = time.monotonic()
    try:
        with pytest.raises(SaberError, match=r"batch of 2 texts took longer than 0\.1 s.*kept"):
            runner(timeout=0.1).run(lambda _: released.wait(20), [1, 2], 2)  # type: ignore[arg-type,return-value]
        assert time.monotonic() - started < 5
    finally:
        released.set()
