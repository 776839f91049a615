"""A run that is killed loses one batch at most, and ends with the bytes of one that was not."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("stub_run.py")
SYSTEMS = ["RecordingEncoder", "RecordingScorer", "RecordingRanker"]
PATIENCE = 60.0


@dataclass
class Place:
    """A folder with a cache, a results tree, and a line for each batch that began."""

    root: Path

    def order(self, system: str, **more: Any) -> dict[str, Any]:
        self.root.mkdir(exist_ok=True)
        places = {name: str(self.root / name) for name in ("log", "cache", "output")}
        return {"system": system, **places, **more}

    @property
    def lines(self) -> list[str]:
        log = self.root / "log"
        return log.read_text().splitlines() if log.exists() else []

    @property
    def evidence(self) -> dict[str, bytes]:
        return evidence(self.root / "output")


def evidence(output: Path) -> dict[str, bytes]:
    """The run files, and the result without when and how long."""
    found = {path.name: path.read_bytes() for path in output.rglob("run/*.gz")}
    for path in output.glob("*/*/Bench.json"):
        result = json.loads(path.read_text())
        found[path.name] = json.dumps([result["dataset_revision"], result["scores"]]).encode()
    return found


def start(order: dict[str, Any]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), json.dumps(order)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> None:
    said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said


def kill_when(process: subprocess.Popen[str], ready: Callable[[], bool], pause: float = 0) -> None:
    give_up = time.monotonic() + PATIENCE
    while not ready():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < give_up
        time.sleep(0.002)
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.fixture(scope="session")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Place]:
    """What a run gives in a fresh cache without being stopped, by system."""
    done: dict[str, Place] = {}

    def get(system: str) -> Place:
        if system not in done:
            done[system] = Place(tmp_path_factory.mktemp("whole") / system)
            finish(start(done[system].order(system)))
            assert len(done[system].evidence) == 4
        return done[system]

    return get


@pytest.mark.parametrize("system", SYSTEMS)
def test_killed_in_the_middle_of_a_batch(
    system: str, tmp_path: Path, uninterrupted: Callable[[str], Place]
) -> None:
    whole, place = uninterrupted(system), Place(tmp_path / "killed")
    stopped = start(place.order(system, delay=0.05))
    kill_when(stopped, lambda: len(place.lines) >= 7)
    begun = place.lines
    assert 7 <= len(begun) < len(whole.lines)
    assert not place.evidence

    finish(start(place.order(system)))
    # The batch that was going on is computed again, those before it are not.
    assert place.lines[len(begun) :] == whole.lines[len(begun) - 1 :]
    assert place.evidence == whole.evidence


@pytest.mark.parametrize("system", SYSTEMS[:2])
def test_killed_after_the_last_answer_and_before_the_result(
    system: str, tmp_path: Path, uninterrupted: Callable[[str], Place]
) -> None:
    whole, place = uninterrupted(system), Place(tmp_path / "killed")
    stopped = start(place.order(system, hold=True))
    kill_when(stopped, lambda: "saving" in place.lines)
    assert not place.evidence
    finish(start(place.order(system)))
    assert [line for line in place.lines if line != "saving"] == whole.lines
    assert place.evidence == whole.evidence


def test_killed_while_the_result_is_written(
    tmp_path: Path, uninterrupted: Callable[[str], Place]
) -> None:
    """Whatever is there at any moment is whole, and each time the same command goes on."""
    whole, place, rng = uninterrupted(SYSTEMS[1]), Place(tmp_path / "killed"), random.Random(3)
    for _ in range(5):
        written = place.lines.count("writing")
        stopped = start(place.order(SYSTEMS[1], slow_writes=0.05))
        kill_when(stopped, lambda n=written: place.lines.count("writing") > n, rng.uniform(0, 0.25))
        there = place.evidence
        assert there.items() <= whole.evidence.items()
        for path in (tmp_path / "killed/output").rglob("*.json"):
            json.loads(path.read_text())
    finish(start(place.order(SYSTEMS[1])))
    assert [line for line in place.lines if line != "writing"] == whole.lines
    assert place.evidence == whole.evidence


def test_a_finished_run_asks_the_model_nothing_and_keeps_its_record(
    tmp_path: Path, uninterrupted: Callable[[str], Place]
) -> None:
    place = Place(tmp_path / "twice")
    finish(start(place.order(SYSTEMS[0])))
    (path,) = (tmp_path / "twice").rglob("provenance.json")
    lines, record = place.lines, path.read_bytes()
    finish(start(place.order(SYSTEMS[0])))
    assert place.lines == lines
    assert path.read_bytes() == record
    assert place.evidence == uninterrupted(SYSTEMS[0]).evidence


@pytest.mark.parametrize("system", SYSTEMS[:2])
def test_two_at_once_give_the_same(
    system: str, tmp_path: Path, uninterrupted: Callable[[str], Place]
) -> None:
    place = Place(tmp_path / "both")
    both = [start(place.order(system, delay=0.01)) for _ in range(2)]
    for process in both:
        finish(process)
    assert place.evidence == uninterrupted(system).evidence
    assert set(place.lines) == set(uninterrupted(system).lines)


def test_without_a_cache_nothing_is_read_or_kept(
    tmp_path: Path, uninterrupted: Callable[[str], Place]
) -> None:
    place = Place(tmp_path / "fresh")
    for _ in range(2):
        finish(start(place.order(SYSTEMS[0], cache=None)))
    whole = uninterrupted(SYSTEMS[0])
    assert place.lines == whole.lines * 2
    assert place.evidence == whole.evidence
    assert sorted(path.name for path in place.root.iterdir()) == ["log", "output"]


# --- through the command ------------------------------------------------------------------------


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A folder that keeps a lexical system busy for about two seconds."""
    rng = random.Random("resume")
    words = [f"w{i}" for i in range(400)]

    def text(count: int) -> str:
        return " ".join(rng.choices(words, k=count))

    documents = [{"problem": text(40), "solution": text(80)} for _ in range(300)]
    queries = [
        {
            "problem": text(30),
            "solution": text(60),
            "domains": ["Algebra"],
            "candidates": rng.sample(range(300), 100),
            "relevance_scores": [5.0, *(0.0 for _ in range(99))],
        }
        for _ in range(100)
    ]
    folder = tmp_path / "Bench"
    folder.mkdir()
    for name, rows in (("queries", queries), ("documents", documents)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines)
    return folder


def command(
    folder: Path, output: str, cache: str, system: str = "bm25-no-tok"
) -> subprocess.Popen[str]:
    words = ["run", system, "-b", str(folder), "--output", output]
    return subprocess.Popen(
        [sys.executable, "-m", "saber_mteb", *words],
        cwd=folder.parent,
        env={"PATH": "", "HOME": str(folder.parent), "SABER_MTEB_CACHE": cache},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def answers(cache: Path) -> int:
    """How many answers the store has, read beside the process that writes it."""
    path = cache / "scores.sqlite"
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=5)
    try:
        (count,) = connection.execute("SELECT count(*) FROM records").fetchone()
    except sqlite3.OperationalError:  # the tables are not there yet
        return 0
    finally:
        connection.close()
    return int(count)


def test_the_command_is_killed_and_given_again(large: Path, tmp_path: Path) -> None:
    finish(command(large, "whole", "fresh-cache"))
    stopped = command(large, "killed", "cache")
    kill_when(stopped, lambda: answers(tmp_path / "cache") >= 50)
    kept = answers(tmp_path / "cache")
    assert 50 <= kept < 300
    assert not evidence(tmp_path / "killed")

    finish(command(large, "killed", "cache"))
    assert evidence(tmp_path / "killed") == evidence(tmp_path / "whole")
    (path,) = (tmp_path / "killed").rglob("provenance.json")
    block = json.loads(path.read_text())["settings"]["full-full"]
    assert block["counted"]["reused"] == kept


@pytest.mark.parametrize("times", [1, 2, 5])
@pytest.mark.parametrize("system", ["bm25-no-tok", "bm25"])
def test_control_c_is_one_line_and_keeps_what_is_finished(
    large: Path, tmp_path: Path, system: str, times: int
) -> None:
    """The whole group gets the signal, as from a terminal: bm25 has a process for its tokens."""
    if system == "bm25" and find_spec("pya0") is None:
        pytest.skip("pya0 has no wheel for this machine")
    process = command(large, "output", "cache", system)
    give_up = time.monotonic() + PATIENCE
    while answers(tmp_path / "cache") < 50:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < give_up
        time.sleep(0.002)
    for _ in range(times):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.01)
    said, _ = process.communicate(timeout=PATIENCE)
    assert said.strip() == "interrupted"
    assert process.returncode == 130
    assert answers(tmp_path / "cache") >= 50
