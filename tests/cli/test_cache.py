"""``saber-mteb cache``: shows what is kept and makes room."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def used(cli: Any, folder: Path) -> Path:
    done = cli("run", "jaccard-no-tok", "-b", folder)
    assert done.returncode == 0, done.stderr
    return folder.parent / ".cache" / "saber-mteb"


def test_info_names_the_system_and_counts(cli: Any, used: Path) -> None:
    report = json.loads(cli("cache", "info", "--json").stdout)
    assert report["path"] == str(used)
    stores = {Path(store["path"]).stem: store for store in report["stores"]}
    (answers,) = stores["scores"]["holds"]
    assert (answers["system"], answers["kind"]) == ("jaccard-no-tok", "answers")
    assert answers["records"] == 18
    assert stores["scores"]["bytes"] > 0
    assert "jaccard-no-tok" in cli("cache", "info").stdout


def test_prune_makes_room_and_the_run_is_computed_again(cli: Any, used: Path, folder: Path) -> None:
    done = cli("cache", "prune", "--yes")
    assert done.returncode == 0
    assert "Freed" in done.stdout
    report = json.loads(cli("cache", "info", "--json").stdout)
    assert not [held for store in report["stores"] for held in store["holds"]]
    assert cli("run", "jaccard-no-tok", "-b", folder).returncode == 0


def test_only_what_is_old_goes(cli: Any, used: Path) -> None:
    cli("cache", "prune", "--yes", "--older-than", 1)
    report = json.loads(cli("cache", "info", "--json").stdout)
    assert [held for store in report["stores"] for held in store["holds"]]


def test_without_yes_it_asks_and_no_answer_deletes_nothing(cli: Any, used: Path) -> None:
    done = cli("cache", "prune")
    assert done.returncode != 0
    report = json.loads(cli("cache", "info", "--json").stdout)
    assert [held for store in report["stores"] for held in store["holds"]]


def test_a_destroyed_store_is_named_and_pruned(cli: Any, used: Path, folder: Path) -> None:
    (used / "scores.sqlite").write_bytes(b"\0" * 8192)
    done = cli("run", "jaccard-no-tok", "-b", folder)
    assert done.returncode == 1
    assert "scores.sqlite" in done.stderr
    assert cli("cache", "info").returncode == 0
    assert cli("cache", "prune", "--scores", "--yes").returncode == 0
    assert cli("run", "jaccard-no-tok", "-b", folder).returncode == 0


def test_an_empty_cache(cli: Any) -> None:
    assert cli("cache", "info").returncode == 0
    assert "nothing to prune" in cli("cache", "prune").stdout
