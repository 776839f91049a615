"""The stores keep what was finished, whatever happens to the process or the file."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saber_mteb._errors import SaberError
from saber_mteb.running.stores.embeddings import EmbeddingStore
from saber_mteb.running.stores.keys import digest
from saber_mteb.running.stores.scores import Scope, ScoreStore

SCOPE = Scope("benchmark", "recipe", "statement-full")

# Appends rows `start`, `start + step`, … one by one and says each when it is kept.
APPEND = """
import sys
from pathlib import Path
import numpy as np
from saber_mteb.running.stores.scores import Scope, ScoreStore
folder, start, step, count = Path(sys.argv[1]), *map(int, sys.argv[2:])
with ScoreStore.open(folder) as store:
    for row in range(start, start + step * count, step):
        scores = np.full(150, row, dtype=np.float32)
        store.append_answers(Scope("benchmark", "recipe", "statement-full"), {row: scores})
        print(row, flush=True)
"""


def appending(folder: Path, start: int, step: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", APPEND, str(folder), *map(str, (start, step, count))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def kept(folder: Path) -> dict[int, np.ndarray]:
    with ScoreStore.open(folder) as store:
        return store.answers(SCOPE)


@given(st.lists(st.tuples(st.text(), st.text()), unique=True, max_size=20))
def test_keys_of_different_parts_differ(pairs: list[tuple[str, str]]) -> None:
    assert len({digest(*pair) for pair in pairs}) == len(pairs)


def test_what_goes_in_comes_out_to_the_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(700, 33)).astype(np.float32)
    keys = [digest(str(i)) for i in range(700)]
    with EmbeddingStore.open(tmp_path) as store:
        store.append("a", keys, vectors)
        store.append("a", keys[:1], vectors[1:2])  # the first value stays
        store.append("b", keys[:1], vectors[1:2])  # another recipe is another key
    with EmbeddingStore.open(tmp_path) as store:
        out = np.empty((701, 33), dtype=np.float32)
        store.read("a", [*keys, keys[5]], out)
        assert store.known("a", [*keys, digest("x")]) == set(keys)
        assert store.known("c", keys) == set()
        assert store.dimensions("b") == 33
    np.testing.assert_array_equal(out[:700], vectors)
    np.testing.assert_array_equal(out[700], vectors[5])


def test_scopes_are_apart(tmp_path: Path) -> None:
    with ScoreStore.open(tmp_path) as store:
        store.append_answers(SCOPE, {3: np.ones(4, dtype=np.float32)})
        for other in (
            Scope("other", "recipe", "statement-full"),
            Scope("benchmark", "other", "statement-full"),
            Scope("benchmark", "recipe", "full-full"),
        ):
            assert store.answers(other) == {}
        store.append_batch(b"plan", 7, np.zeros(2, dtype=np.float32))
        assert list(store.batches(b"plan")) == [7]
        assert store.batches(b"nalp") == {}


def test_two_processes_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    both = [appending(tmp_path, start, 2, 200) for start in (0, 1)]
    for process in both:
        process.communicate(timeout=60)
        assert process.returncode == 0
    answers = kept(tmp_path)
    assert sorted(answers) == list(range(400))
    assert all((scores == row).all() for row, scores in answers.items())


def test_a_killed_process_loses_nothing_it_had_finished(tmp_path: Path) -> None:
    for attempt in range(4):
        process = appending(tmp_path, 10_000 * attempt, 1, 10_000)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.03 * attempt)
        process.send_signal(signal.SIGKILL)
        said = [int(line) for line in process.stdout.read().split()]
        process.wait()
        answers = kept(tmp_path)
        assert set(said) <= set(answers)
        assert len(answers) < 10_000 * (attempt + 1)
        assert all((scores == row).all() for row, scores in answers.items())


def test_a_flipped_bit_costs_its_record_and_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    marked = np.full(150, 1.2345678, dtype=np.float32)
    with ScoreStore.open(tmp_path) as store:
        for row in range(20):
            store.append_answers(SCOPE, {row: marked if row == 7 else np.zeros(150, np.float32)})
    (file,) = tmp_path.glob("*.sqlite")
    data = bytearray(file.read_bytes())
    at = data.find(marked.tobytes())
    data[at + 100] ^= 1
    file.write_bytes(data)
    with caplog.at_level(logging.WARNING, logger="saber_mteb"):
        assert sorted(kept(tmp_path)) == [row for row in range(20) if row != 7]
    assert "damaged" in caplog.text
    with ScoreStore.open(tmp_path) as store:
        store.append_answers(SCOPE, {7: marked})
    np.testing.assert_array_equal(kept(tmp_path)[7], marked)


def test_a_destroyed_file_is_one_clear_error_and_the_other_file_is_kept(tmp_path: Path) -> None:
    with EmbeddingStore.open(tmp_path) as store:
        store.append("a", [digest("x")], np.ones((1, 3), dtype=np.float32))
    with ScoreStore.open(tmp_path) as scores:
        scores.append_answers(SCOPE, {0: np.ones(3, dtype=np.float32)})
    file = tmp_path / "scores.sqlite"
    file.write_bytes(b"\0" * 4096 + file.read_bytes()[4096:])
    with pytest.raises(SaberError, match=r"scores\.sqlite.*cache prune"):
        kept(tmp_path)
    with EmbeddingStore.open(tmp_path) as store:
        assert store.known("a", [digest("x")])


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SaberError, match="SABER_MTEB_CACHE"):
        ScoreStore.open(tmp_path / "file")


FULL = """
import resource, sys
from pathlib import Path
import numpy as np
from saber_mteb._errors import SaberError
from saber_mteb.running.stores.embeddings import EmbeddingStore
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
kept = 0
try:
    with EmbeddingStore.open(Path(sys.argv[1])) as store:
        while kept < 2000:
            store.append("a", [kept.to_bytes(16, "big")], np.full((1, 1024), kept, np.float32))
            kept += 1
except SaberError as error:
    print(kept, error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are a POSIX matter")
def test_a_full_disk_is_an_error_and_loses_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True
    )
    count, _, message = done.stdout.partition(" ")
    assert 0 < int(count) < 2000, done.stdout + done.stderr
    assert "embeddings.sqlite" in message
    keys = [i.to_bytes(16, "big") for i in range(int(count))]
    with EmbeddingStore.open(tmp_path) as store:
        assert store.known("a", keys) == set(keys)


def test_bytes_are_linear(tmp_path: Path) -> None:
    sizes = []
    with ScoreStore.open(tmp_path) as store:
        for block in range(2):
            for row in range(1000):
                store.append_answers(SCOPE, {1000 * block + row: np.zeros(150, np.float32)})
            store.close()
            sizes.append(sum(path.stat().st_size for path in tmp_path.iterdir()))
            store = ScoreStore.open(tmp_path)
        store.close()
    assert sizes[1] < 2.2 * sizes[0]
    assert os.path.getsize(tmp_path / "scores.sqlite") < 2000 * 150 * 4 * 1.5  # noqa: PTH202
