"""``saber-mteb latency`` from the outside: what it prints, writes, and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def test_what_is_printed_is_what_is_written(cli: Any, folder: Path) -> None:
    done = cli("latency", "bm25-no-tok", "--benchmark", folder, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    path = folder.parent / report["file"]
    assert path.name == f"{report['hardware']}.json"
    stored = json.loads(path.read_text())
    assert stored["conditions"]["sample"]["rows"] == list(range(6))
    cold = stored["measured"]["cold"]
    assert [query["texts"] for query in cold.pop("queries")] == [12] * 6
    assert report["measured"]["cold"] == cold
    assert cold["n_measured"] == 6
    assert cold["failures"] == {}
    assert "other documents" in report["measured"]["warm"]["unavailable"]
    assert str(folder.parent) not in path.read_text()


def test_a_result_beside_it_is_left_alone(cli: Any, folder: Path) -> None:
    cli("run", "bm25-no-tok", "-b", folder)
    (result,) = folder.parent.glob("results/saber__bm25-no-tok/*/my-bench.json")
    before = result.read_bytes()
    done = cli("latency", "bm25-no-tok", "-b", folder, "--view", "cold")
    assert done.returncode == 0, done.stderr
    (written,) = result.parent.glob("saber/my-bench/latency/*.json")
    assert set(json.loads(written.read_text())["measured"]) == {"cold", "throughput"}
    assert result.read_bytes() == before
    assert len(list(result.parent.glob("*.json"))) == 2


def test_another_sample_is_stored_apart(cli: Any, folder: Path) -> None:
    done = cli("latency", "bm25-no-tok", "-b", folder, "--queries", 2, "--seed", 5)
    assert done.returncode == 0, done.stderr
    assert "No warm view" in done.stdout
    assert "2/2" in done.stdout
    assert done.stderr == ""
    pattern = "results/*/*/experiments/queries-2-seed-5/saber/my-bench/latency/*.json"
    assert len(list(folder.parent.glob(pattern))) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bm52"], "Did you mean 'bm25'"),
        (["bm25-no-tok", "--view", "warm"], "nothing to time but the cold view"),
        (["bm25-no-tok", "--device", "cuda"], "has no weights"),
        (["bm25-no-tok", "--queries", "0"], "--queries"),
    ],
)
def test_what_cannot_be_timed(cli: Any, folder: Path, arguments: list[str], message: str) -> None:
    done = cli("latency", *arguments, "-b", folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (folder.parent / "results").exists()
