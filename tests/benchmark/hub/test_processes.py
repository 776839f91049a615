"""The same from outside: real processes that know the hub only through their environment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

LOAD = """
import sys, time
from saber_mteb import _errors
from saber_mteb.benchmark import load_benchmark
try:
    benchmark = load_benchmark("saber-math")
except _errors.SaberError as error:
    sys.exit(str(error))
print(benchmark.revision)
"""


def start(environment: dict[str, str], **more: str) -> subprocess.Popen[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-c", LOAD],
        env={**kept, **environment, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out.strip(), err


def test_download_then_offline_then_gone(hub: Any, environment: dict[str, str]) -> None:
    code, revision, err = finish(start(environment))
    assert (code, err) == (0, "")  # not a terminal: no progress bar
    assert revision.startswith("q:")
    asked = len(hub.requests)
    assert finish(start(environment, HF_HUB_OFFLINE="1")) == (0, revision, "")
    assert len(hub.requests) == asked
    # Nobody listens there: the port of a hub that has gone.
    code, out, err = finish(start(environment, HF_ENDPOINT="http://127.0.0.1:9"))
    assert (code, out) == (0, revision)
    assert "cannot be reached" in err
    assert "Using the copy in the cache" in err


def test_no_hub_and_no_copy(environment: dict[str, str]) -> None:
    started = time.monotonic()
    code, out, err = finish(start(environment, HF_ENDPOINT="http://me:pw@127.0.0.1:9"))
    assert (code, out) == (1, "")
    assert err.startswith("The hub at http://127.0.0.1:9 cannot be reached")
    assert "HF_ENDPOINT to a mirror" in err
    assert "pw" not in err.replace("http", "")
    assert time.monotonic() - started < 20


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_killed_during_the_second_file(
    hub: Any, hub_server: Any, environment: dict[str, str]
) -> None:
    stall = hub_server.Trouble("GET .*documents/resolve", cut_after=300, stall=True, times=1)
    hub.troubles.append(stall)
    process = start(environment)
    deadline = time.monotonic() + 30
    while stall.times and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGKILL)
    assert finish(process)[0] == -signal.SIGKILL

    code, out, err = finish(start(environment, HF_HUB_OFFLINE="1"))
    assert (code, out) == (1, "")
    assert "no complete copy" in err

    hub.requests.clear()
    code, out, _ = finish(start(environment))
    assert code == 0
    assert out.endswith(hub.commit("sabermath/SaberMath-documents"))
    assert len(hub.downloads()) == 1  # the first file was complete
