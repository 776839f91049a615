from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from saber_mteb.benchmark import Pool, Setting
from saber_mteb.systems.structure.library import find_pya0

# Stands in for pya0 where a death is needed on demand; the formulas are the orders.
FAKE_LIBRARY = """
import os, signal, sys, time

def tokenize(span):
    if "ABORT" in span:
        os.abort()
    if "KILL" in span:
        os.kill(os.getpid(), signal.SIGKILL)
    if "HANG" in span:
        time.sleep(60)
    if "EXIT" in span:
        os._exit(3)
    if "RAISE" in span:
        raise RuntimeError("cannot read this")
    if "NOISE" in span:
        os.write(1, b"native noise"), os.write(2, b"native noise"), print("noise")
    if "PID" in span:
        return [(os.getpid(), "PID", "pid")]
    if "ONCE" in span:
        marker = span.split(":", 1)[1]
        if not os.path.exists(marker):
            open(marker, "w").close()
            os.abort()
    return [(len(word), "WORD", word) for word in span.split()]
"""


@pytest.fixture
def fake_library(tmp_path: Path) -> Path:
    """A native library that dies on order."""
    path = tmp_path / "fake_pya0.py"
    path.write_text(FAKE_LIBRARY)
    return path


@pytest.fixture
def pya0_library() -> Path:
    """The real native library; without a wheel for this machine the test is skipped."""
    if find_spec("pya0") is None:
        pytest.skip("pya0 has no wheel for this machine")
    return find_pya0("a test", "0.3.7")


@pytest.fixture
def make_pool() -> Callable[..., Pool]:
    """Build a pool from a query and documents."""

    def make(query: str, *documents: str) -> Pool:
        ids = tuple(str(row) for row in range(len(documents)))
        return Pool(Setting.STATEMENT_FULL, "0", query, ids, documents)

    return make
