"""``saber-mteb merge`` from the outside: what it prints, writes, and refuses."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from saber_mteb import Setting, load_benchmark
from saber_mteb.running.job import Job
from saber_mteb.running.shards import Shard
from saber_mteb.systems.registry import build_system, find_card


@pytest.fixture
def shards(folder: Path) -> Path:
    """Results of three shards of the benchmark folder; returns the folder of shard 2."""
    card = find_card("jaccard-no-tok")
    for index in (1, 2, 3):
        job = Job(
            card,
            build_system(card),
            load_benchmark(str(folder)),
            tuple(Setting),
            shard=Shard(index, 3),
        )
        job.execute(folder.parent / "shards")
    (path,) = (folder.parent / "shards").glob("*/*/experiments/shard-2-of-3")
    return path


def test_merged_files_are_those_of_a_plain_run(cli: Any, folder: Path, shards: Path) -> None:
    plain = json.loads(cli("run", "jaccard-no-tok", "-b", folder, "--json").stdout)
    done = cli("merge", "jaccard-no-tok", "-b", folder, "--output", "shards", "--json")
    assert done.returncode == 0, done.stderr
    merged = json.loads(done.stdout)
    assert merged["settings"] == plain["settings"]
    for setting in Setting:
        name = f"saber/my-bench/run/{setting}.json.gz"
        ours, theirs = (folder.parent / report["folder"] / name for report in (merged, plain))
        assert ours.read_bytes() == theirs.read_bytes()


def test_a_folder_is_taken_as_well(cli: Any, folder: Path, shards: Path) -> None:
    done = cli("merge", shards.parent.parent, "-b", folder, "--setting", "full-full")
    assert done.returncode == 0, done.stderr
    assert "full-full" in done.stdout
    assert "6/6" in done.stdout
    assert "statement-full" not in done.stdout


def test_a_hole_exits_with_one(cli: Any, folder: Path, shards: Path) -> None:
    shutil.rmtree(shards)
    done = cli("merge", "jaccard-no-tok", "-b", folder, "--output", "shards")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "error: 1 of 3 shards of my-bench are missing" in done.stderr
    assert "--shard 2/3" in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_usage_exits_with_two(cli: Any, folder: Path) -> None:
    assert cli("merge", "jacard", "-b", folder).returncode == 2
    assert cli("merge", folder, "-b", folder).returncode == 2


def test_the_named_command_fills_the_hole(cli: Any, folder: Path) -> None:
    run = ("run", "jaccard-no-tok", "-b", folder, "--setting", "full-full", "--output", "shards")
    assert cli(*run, "--shard", "2/2").returncode == 0
    merge = ("merge", "jaccard-no-tok", "-b", folder, "--output", "shards", "--json")
    refused = cli(*merge)
    assert refused.returncode == 1
    (command,) = (line for line in refused.stderr.splitlines() if "saber-mteb run" in line)
    words = shlex.split(command.partition(": ")[2])
    assert words[:2] == ["saber-mteb", "run"]
    assert cli(*words[1:]).returncode == 0
    merged = cli(*merge)
    assert merged.returncode == 0, merged.stderr
    plain = cli(*run[:-2], "--fresh", "--json")
    assert json.loads(merged.stdout)["settings"] == json.loads(plain.stdout)["settings"]
