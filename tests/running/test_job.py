"""A job keeps what it must, takes nothing stale, and says what is wrong with a place."""

from __future__ import annotations

import errno
import json
import os
import pty
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running import job as job_module
from saber_mteb.running.job import Job, Outcome
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.systems.card import Card, Paradigm, Weights

SYSTEMS = ["RecordingEncoder", "RecordingScorer", "RecordingRanker"]


def card(revision: str = "1", **recipe: Any) -> Card:
    return Card(
        key="stub",
        display_name="Stub",
        description="A stub.",
        paradigm=Paradigm.BI_ENCODER,
        engine="stub",
        recipe={"dtype": "float32", **recipe},
        weights=Weights(name="org/stub", revision=revision),
        sources={},
    )


def job(system: Any, benchmark: Any, of: Card | None = None) -> Job:
    return Job(of or card(), system, benchmark, tuple(Setting), policy=BatchPolicy(max_texts=8))


def run_bytes(outcome: Outcome) -> dict[str, bytes]:
    folder = outcome.folder.path / "saber" / "Bench" / "run"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# --- nothing stale ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("what", ["prompt", "dtype", "revision", "version", "text"])
def test_what_decides_a_score_is_part_of_its_key(
    recorders: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, what: str
) -> None:
    make = getattr(recorders, name)
    cache = tmp_path / "cache"
    job(make(rounding=False), recorders.bench()).execute(tmp_path / "old", cache=cache)

    benchmark, of = recorders.bench(), card()
    if what == "prompt":
        of = card(query_prompt="Find: ")
    elif what == "dtype":
        of = card(dtype="bfloat16")
    elif what == "revision":
        of = card("2")
    elif what == "version":
        monkeypatch.setattr(job_module, "__version__", "0.0.0")
    else:
        benchmark = recorders.bench(changed=" and more")
    fresh, again = make(rounding=False), make(rounding=False)
    expected = job(fresh, benchmark, of).execute(tmp_path / "fresh")
    found = job(again, benchmark, of).execute(tmp_path / "new", cache=cache)
    assert run_bytes(found) == run_bytes(expected)
    if what != "text" or name != "RecordingEncoder":
        assert again.batches == fresh.batches
    else:
        # Texts that are as they were keep their vectors; batches are computed whole.
        new = {text for text in fresh.asked if "and more" in text}
        assert new <= set(again.asked)
        assert all(new.intersection(batch) for batch in again.batches)


def test_the_device_and_the_place_of_weights_are_no_part_of_it() -> None:
    weights = Weights(name="org/stub", revision="1", folder="somewhere")
    assert card().model_copy(update={"weights": weights}).recipe_hash == card().recipe_hash


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_damaged_answer_is_asked_again_and_no_other(
    recorders: Any, tmp_path: Path, name: str
) -> None:
    make, cache = getattr(recorders, name), tmp_path / "cache"
    whole = job(make(), recorders.bench()).execute(tmp_path / "a", cache=cache)
    with sqlite3.connect(cache / "scores.sqlite") as connection:
        connection.execute(
            "UPDATE records SET value = zeroblob(length(value)) WHERE id = "
            "(SELECT min(records.id) FROM records JOIN owners ON owner = owners.id "
            "WHERE kind = 'answers')"
        )
    connection.close()
    again = make()
    found = job(again, recorders.bench()).execute(tmp_path / "a", cache=cache)
    assert run_bytes(found) == run_bytes(whole)
    assert len(again.batches) == (1 if name == "RecordingRanker" else 0)


def test_a_failed_query_is_asked_again(recorders: Any, tmp_path: Path) -> None:
    class Moody(recorders.RecordingRanker):  # type: ignore[name-defined,misc]
        def score(self, pools: Any) -> Iterator[Any]:
            for pool, answer in zip(pools, super().score(pools), strict=True):
                if mood == "bad" and pool.query_id == "3":
                    answer.scores[2] = float("nan")
                yield answer

    mood = "bad"
    first = job(Moody(), recorders.bench()).execute(tmp_path / "a", cache=tmp_path / "cache")
    assert [set(run.failures) for run in first.runs.values()] == [{3}] * 3
    mood, again = "good", Moody()
    second = job(again, recorders.bench()).execute(tmp_path / "a", cache=tmp_path / "cache")
    assert not any(run.failures for run in second.runs.values())
    assert len(again.batches) == 3
    expected = job(recorders.RecordingRanker(), recorders.bench()).execute(tmp_path / "b")
    assert run_bytes(second) == run_bytes(expected)


# --- places -------------------------------------------------------------------------------------


def test_a_place_that_cannot_be_written_is_found_before_the_work(
    recorders: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    system = recorders.RecordingEncoder()
    with pytest.raises(SaberError, match=r"could not be written.*--output.*Nothing"):
        job(system, recorders.bench()).execute(tmp_path / "file")
    assert system.batches == []
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="/proc is where nobody can write")
def test_a_read_only_place_is_found_before_the_work(recorders: Any) -> None:
    system = recorders.RecordingEncoder()
    with pytest.raises(SaberError, match=r"could not be written.*--output"):
        job(system, recorders.bench()).execute(Path("/proc/results"))
    assert system.batches == []


def test_looking_at_a_place_leaves_nothing_there(tmp_path: Path) -> None:
    job_module.check_writable(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_place_that_goes_away_during_the_work_costs_nothing(
    recorders: Any, tmp_path: Path, name: str
) -> None:
    def sabotage(_: list[str]) -> None:
        if not (tmp_path / "a").exists():
            (tmp_path / "a").write_text("in the way")

    first, second = (getattr(recorders, name)() for _ in range(2))
    first.before = sabotage
    with pytest.raises(SaberError, match=r"could not be written.*--output"):
        job(first, recorders.bench()).execute(tmp_path / "a", cache=tmp_path / "cache")
    found = job(second, recorders.bench()).execute(tmp_path / "b", cache=tmp_path / "cache")
    assert second.batches == []
    expected = job(getattr(recorders, name)(), recorders.bench()).execute(tmp_path / "c")
    assert run_bytes(found) == run_bytes(expected)


def with_room_for(size: int, work: Callable[[], Any]) -> None:
    """Do something while no file can grow beyond a size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        work()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_full_disk_for_the_cache_keeps_what_is_finished(
    recorders: Any, tmp_path: Path, name: str
) -> None:
    make, cache, big = getattr(recorders, name), tmp_path / "cache", {"queries": 60, "size": 28}
    first, second = make(), make()

    def work() -> None:
        with pytest.raises(SaberError, match=r"sqlite cannot be written.*free some space"):
            job(first, recorders.bench(**big)).execute(tmp_path / "a", cache=cache)

    with_room_for(60_000, work)
    found = job(second, recorders.bench(**big)).execute(tmp_path / "a", cache=cache)
    whole = make()
    expected = job(whole, recorders.bench(**big)).execute(tmp_path / "b")
    assert run_bytes(found) == run_bytes(expected)
    assert 0 < len(second.batches) < len(whole.batches)


def test_a_full_disk_for_the_result_leaves_the_old_one_and_costs_nothing(
    recorders: Any, tmp_path: Path
) -> None:
    cache, out = tmp_path / "cache", tmp_path / "a"
    old = job(recorders.RecordingScorer(), recorders.bench()).execute(out, cache=cache)
    before, result = run_bytes(old), (old.folder.path / "Bench.json").read_bytes()
    changed = recorders.bench(changed=" and more", queries=40, size=20)

    def work() -> None:
        with pytest.raises(SaberError, match=r"could not be written.*free space"):
            job(recorders.RecordingScorer(), changed).execute(out)

    with_room_for(3000, work)
    assert run_bytes(old) == before
    assert (old.folder.path / "Bench.json").read_bytes() == result
    assert not list(out.rglob("*.part"))


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_the_system_says_of_a_place_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(job_module, "TemporaryFile", refuse)
    with pytest.raises(SaberError, match=os.strerror(error)):
        job_module.check_writable(tmp_path)


# --- time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_clock_that_jumps_back_changes_no_duration(
    recorders: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    now = time.time()

    def back() -> float:
        nonlocal now
        now -= 3600
        return now

    monkeypatch.setattr(time, "time", back)
    system = getattr(recorders, name)(delay=0.001)
    done = job(system, recorders.bench()).execute(tmp_path / "a", cache=tmp_path / "cache")
    provenance = json.loads((done.folder.path / "saber/Bench/provenance.json").read_text())
    block = provenance["settings"]["full-full"]
    parts = block["counted"]["seconds"]
    assert all(0 <= seconds < 60 for seconds in parts.values())
    assert 0.001 * len(system.batches) <= sum(parts.values()) <= block["seconds"] < 60
    result = json.loads((done.folder.path / "Bench.json").read_text())
    assert result["evaluation_time"] == block["seconds"]


# --- the bar ------------------------------------------------------------------------------------


def in_terminal(folder: Path, *more: str) -> str:
    """Return what the command shows on a terminal."""
    ours, theirs = pty.openpty()
    words = ["run", "jaccard-no-tok", "-b", "mini", "--output", "out", "--fresh", *more]
    process = subprocess.Popen(
        [sys.executable, "-m", "saber_mteb", *words],
        cwd=folder,
        env={"PATH": "", "HOME": str(folder), "TERM": "xterm", "COLUMNS": "120"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait(60) == 0, shown
    return shown.decode()


def test_one_bar_on_a_terminal(tmp_path: Path) -> None:
    shown = in_terminal(tmp_path)
    assert "saber/jaccard-no-tok on SABERMathMini: scoring queries" in shown
    assert "/150" in shown


def test_no_bar_when_it_is_to_be_quiet(tmp_path: Path) -> None:
    assert in_terminal(tmp_path, "--quiet") == ""
