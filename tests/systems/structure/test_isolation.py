"""Real processes that really die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.systems.structure.isolation import Answer, Job, NativeWorker


def jobs(*spans: str) -> list[Job]:
    return [Job("tokenize", {"spans": [span]}) for span in spans]


def process_id(worker: NativeWorker) -> int:
    (answer,) = worker.run(jobs("PID"))
    return int(answer.value[0])


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def ends_within(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_running(pid)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("ABORT", "the native code crashed (SIGABRT)"),
        ("KILL", "the native code crashed (SIGKILL)"),
        ("EXIT", "the native process ended with status 3"),
        ("RAISE", "RuntimeError: cannot read this"),
    ],
)
def test_exactly_the_guilty_job_fails(fake_library: Path, order: str, reason: str) -> None:
    with NativeWorker(fake_library) as worker:
        answers = worker.run(jobs("a", "bb", order, "c", order, "dd e"))
        assert answers == [
            Answer(["1"]),
            Answer(["2"]),
            Answer(failure=reason),
            Answer(["1"]),
            Answer(failure=reason),
            Answer(["2", "1"]),
        ]
        assert worker.run(jobs("a")) == [Answer(["1"])]


def test_a_hang_is_ended_and_told(fake_library: Path) -> None:
    start = time.monotonic()
    with NativeWorker(fake_library, timeout=0.3) as worker:
        answers = worker.run(jobs("a", "HANG", "b"))
    assert answers[1].failure == "the native code took longer than 0.3 s"
    assert (answers[0].value, answers[2].value) == (["1"], ["1"])
    assert time.monotonic() - start < 10


def test_a_job_that_dies_once_is_tried_again(fake_library: Path, tmp_path: Path) -> None:
    """An earlier job may have left the damage; the job is judged in a fresh process."""
    with NativeWorker(fake_library) as worker:
        assert worker.run(jobs(f"ONCE:{tmp_path / 'marker'}"))[0].failure is None


def test_the_process_is_reused_until_it_dies(fake_library: Path) -> None:
    with NativeWorker(fake_library) as worker:
        first = process_id(worker)
        assert process_id(worker) == first
        os.kill(first, signal.SIGKILL)
        assert process_id(worker) != first


def test_closing_ends_the_process(fake_library: Path) -> None:
    with NativeWorker(fake_library) as worker:
        pid = process_id(worker)
    assert ends_within(pid, 5)


def test_what_the_library_prints_disturbs_nothing(
    fake_library: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with NativeWorker(fake_library) as worker:
        assert worker.run(jobs("NOISE", "a")) == [Answer(["5"]), Answer(["1"])]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "in a hang"])
def test_the_process_ends_when_its_parent_is_killed(fake_library: Path, busy: bool) -> None:
    program = f"""
import sys
from pathlib import Path
from saber_mteb.systems.structure.isolation import Job, NativeWorker
worker = NativeWorker(Path({str(fake_library)!r}), timeout=2)
print(worker.run([Job("tokenize", {{"spans": ["PID"]}})])[0].value[0], flush=True)
{'worker.run([Job("tokenize", {"spans": ["HANG"]})])' if busy else "sys.stdin.read()"}
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
        parent.wait()
    assert ends_within(pid, 10)


def test_a_library_that_cannot_be_loaded_stops_the_run(tmp_path: Path) -> None:
    """It would fail for every text: that is one error, not a thousand failed queries."""
    broken = tmp_path / "broken.py"
    broken.write_text("raise OSError('wrong glibc')")
    with NativeWorker(broken) as worker, pytest.raises(SaberError, match="OSError: wrong glibc"):
        worker.run(jobs("a"))
    with NativeWorker(tmp_path / "absent.so") as worker, pytest.raises(SaberError, match="absent"):
        worker.run(jobs("a"))


def test_a_library_that_crashes_while_loading_stops_the_run(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import os; os.abort()")
    with NativeWorker(broken) as worker, pytest.raises(SaberError, match="SIGABRT"):
        worker.run(jobs("a"))


def test_an_interrupted_run_leaves_a_usable_worker(
    fake_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C half way, unread answers must not be taken for those of the next run."""
    from saber_mteb.systems.structure import isolation

    read, calls = isolation.read_frame, []

    def interrupt(stream: object) -> object:
        calls.append(stream)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return read(stream)

    with NativeWorker(fake_library) as worker:
        monkeypatch.setattr(isolation, "read_frame", interrupt)
        with pytest.raises(KeyboardInterrupt):
            worker.run(jobs("a", "bb", "ccc"))
        monkeypatch.undo()
        assert worker.run(jobs("dddd")) == [Answer(["4"])]


def test_no_jobs_need_no_process(tmp_path: Path) -> None:
    with NativeWorker(tmp_path / "absent.so") as worker:
        assert worker.run([]) == []


def test_large_batches_pass_both_ways(fake_library: Path) -> None:
    """Far more than a pipe holds, in both directions."""
    with NativeWorker(fake_library) as worker:
        answers = worker.run(jobs(*(["word " * 20_000] * 20)))
    assert all(answer.value == ["4"] * 20_000 for answer in answers)


def test_a_real_input_that_crashes_pya0(pya0_library: Path, tmp_path: Path) -> None:
    """Found by trying: pya0 0.3.7 stands 128 keywords; 300 formulas end it by SIGSEGV."""
    query = [{"str": f"x^{{{n}}}+y", "type": "tex"} for n in range(300)]

    def search(length: int) -> Job:
        folder = tmp_path / str(length)
        folder.mkdir()
        documents = ["[imath]x^2+y[/imath] words"]
        return Job(
            "search", {"folder": str(folder), "documents": documents, "query": query[:length]}
        )

    with NativeWorker(pya0_library) as worker:
        small, large, again = worker.run([search(3), search(300), search(128)])
    assert large.failure == "the native code crashed (SIGSEGV)"
    assert small.value[0] > 0
    assert again.value[0] > 0


DIES_WHILE_INDEXING = """
import json, os
from pathlib import Path

MARK = Path({mark!r})

def index_open(folder, option):
    return Path(folder)

def index_writer(index):
    return index / "documents"

def writer_add_doc(writer, content):
    with writer.open("a") as file:
        file.write(content + "\\n")
    if content == "second" and not MARK.exists():
        MARK.touch()
        os.abort()

def search(index, query, topk):
    lines = (index / "documents").read_text().splitlines()
    hits = [{{"docid": i + 1, "score": len(line)}} for i, line in enumerate(lines)]
    return json.dumps({{"ret_code": 0, "ret_str": "", "hits": hits}})

def writer_flush(writer): pass
def writer_maintain(writer, force): pass
def writer_close(writer): pass
def index_close(index): pass
"""


def test_a_second_attempt_finds_nothing_of_the_first(tmp_path: Path) -> None:
    """Documents of an attempt that died would shift the ids of the next one."""
    library = tmp_path / "library.py"
    library.write_text(DIES_WHILE_INDEXING.format(mark=str(tmp_path / "mark")))
    folder = tmp_path / "index"
    folder.mkdir()
    documents = ["first", "second", "third one"]
    arguments = {"folder": str(folder), "documents": documents, "query": []}
    with NativeWorker(library) as worker:
        (answer,) = worker.run([Job("search", arguments)])
    assert (tmp_path / "mark").exists()
    assert answer.failure is None
    assert answer.value == [len(document) for document in documents]
