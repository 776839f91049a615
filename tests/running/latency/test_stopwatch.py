"""Whose device is waited for."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from saber_mteb.running.latency.stopwatch import Stopwatch


class Silent:
    """Ranks pools and says nothing of a device."""

    def score(self, pools: object) -> object:
        return iter(())


@pytest.mark.parametrize("used", [True, False])
def test_cuda_is_waited_for_if_it_is_used(used: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on CUDA that was queued before, a second of it, and in the measured call, three."""
    now, queued = [100.0], [1.0]

    def synchronise() -> None:
        now[0] += queued[0]
        queued[0] = 0.0

    cuda = SimpleNamespace(is_initialized=lambda: used, synchronize=synchronise)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=cuda))

    def work() -> str:
        queued[0] += 3.0
        return "done"

    timed = Stopwatch(Silent(), clock=lambda: now[0]).time(work)  # type: ignore[arg-type]
    assert timed.value == "done"
    assert timed.seconds == (3.0 if used else 0.0)
