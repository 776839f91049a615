"""Systems that start a process for each call can be started once for many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from saber_mteb import Setting, load_benchmark
from saber_mteb.systems.base import Openable
from saber_mteb.systems.registry import build_system, find_card
from saber_mteb.systems.structure import isolation


@pytest.mark.parametrize("key", ["bm25", "approach0"])
def test_scores_are_the_same_and_one_process_makes_them(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pya0")
    started: list[Any] = []
    popen = isolation.subprocess.Popen

    def counted(*arguments: Any, **options: Any) -> Any:
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(isolation.subprocess, "Popen", counted)
    pools = load_benchmark("mini").pools(Setting.STATEMENT_STATEMENT, [0, 1])
    system = build_system(find_card(key))
    assert isinstance(system, Openable)
    with system.opened() as opened:
        found = [next(iter(opened.score([pool]))).scores for pool in pools]
    assert len(started) == 1
    assert started[0].poll() is not None  # ended with the block
    expected = [answer.scores for answer in system.score(pools)]  # type: ignore[attr-defined]
    np.testing.assert_array_equal(found, expected)
