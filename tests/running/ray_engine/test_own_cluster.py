"""The cluster that a run starts by itself: for this machine only, and gone when the run is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

pytest.importorskip("ray", reason="ray has no wheel for this Python")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

LISTENING = """
import json, os, socket, sys
from pathlib import Path
from saber_mteb._errors import SaberError
from saber_mteb.running.ray_engine.cluster import Resources, connected

def addresses():
    "Where processes of this run listen, from the socket tables of the kernel."
    token = os.environ["SABER_TEST_TOKEN"].encode()
    inodes = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if token in (process / "environ").read_bytes():
                inodes |= {os.readlink(entry) for entry in (process / "fd").iterdir()}
        except OSError:
            continue
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                yield fields[1].split(":")[0]

with connected(Resources()) as cluster:
    print("noise that Ray might print")
    cluster.ray.get(cluster.ray.remote(lambda: 1).remote())
    found = sorted(set(addresses()))
    telemetry = cluster.ray._common.usage.usage_lib.usage_stats_enabled()
try:
    with connected(Resources(num_gpus=1000)):
        refusal = ""
except SaberError as error:
    refusal = str(error)
print(json.dumps([found, telemetry, refusal, cluster.ray.is_initialized()]))
"""

SLEEPING = """
import sys, time
from pathlib import Path
from saber_mteb.benchmark import Setting, load_benchmark
from saber_mteb.running.engine import run_system
from saber_mteb.running.ray_engine import RayRanker
from saber_mteb.systems.registry import find_card

class Sleeps:
    def score(self, pools):
        Path(FOLDER, "asleep").touch()
        time.sleep(300)

FOLDER = sys.argv[1]
ranker = RayRanker(find_card("bm25"), build=lambda card: Sleeps())
run_system(ranker, load_benchmark("mini"), [Setting.FULL_FULL])
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment without settings of Ray, that marks every process of the test."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return {**kept, "HOME": str(tmp_path), "SABER_TEST_TOKEN": uuid4().hex}


def living(environment: dict[str, str]) -> list[str]:
    """Commands of the processes that carry the mark."""
    token = environment["SABER_TEST_TOKEN"].encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if token in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def wait_until_gone(environment: dict[str, str]) -> list[str]:
    deadline = time.monotonic() + 20
    while (left := living(environment)) and time.monotonic() < deadline:
        time.sleep(0.2)
    return left


def test_listens_to_this_machine_and_stops(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTENING], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found, telemetry, refusal, initialized = json.loads(done.stdout)
    # 127.0.0.1 as the kernel writes it, in IPv4 and inside IPv6, on a little-endian machine.
    assert {address[-8:] for address in found} == {"0100007F"}
    assert telemetry is False
    assert refusal.startswith("A task needs 1 CPUs and 1000 GPUs, more than this machine has")
    assert initialized is False
    assert "noise" in done.stderr
    assert wait_until_gone(environment) == []


def test_the_command_gives_what_it_gives_without_ray(
    environment: dict[str, str], tmp_path: Path
) -> None:
    reports = []
    for engine in ("ray", "local"):
        done = subprocess.run(
            [
                *(sys.executable, "-m", "saber_mteb", "run", "bm25-no-tok", "-b", "mini"),
                *("--limit", "20", "--engine", engine, "--output", engine, "--fresh", "--json"),
            ],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        reports.append(json.loads(done.stdout))
    ours, plain = ({**report, "folder": None} for report in reports)
    assert ours == plain
    files = [sorted((tmp_path / report["folder"]).rglob("*.json.gz")) for report in reports]
    assert [f.read_bytes() for f in files[0]] == [f.read_bytes() for f in files[1]]
    assert len(files[0]) == 3


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_run_that_was_stopped(
    how: signal.Signals, environment: dict[str, str], tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPING, str(tmp_path)], env=environment, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "asleep").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert (tmp_path / "asleep").exists()
        assert len(living(environment)) > 2
        process.send_signal(how)
        process.wait(timeout=20)
        assert wait_until_gone(environment) == []
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("address", ["auto", "ray://127.0.0.1:10001", "127.0.0.1:1"])
def test_an_address_where_nobody_is_is_refused_at_once(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from saber_mteb._errors import SaberError
    from saber_mteb.running.ray_engine.cluster import Resources, connected

    monkeypatch.setenv("RAY_ADDRESS", address)
    started = time.monotonic()
    with pytest.raises(SaberError, match=f"reached at '{address}'"), connected(Resources()):
        pass
    assert time.monotonic() - started < 12


def test_without_ray_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from saber_mteb._errors import SaberError
    from saber_mteb.running.ray_engine.cluster import Resources, connected

    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(SaberError, match=r'pip install "saber-mteb\[ray\]"'),
        connected(Resources()),
    ):
        pass
