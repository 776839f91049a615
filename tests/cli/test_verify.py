"""``saber-mteb verify`` from the outside; what it checks is tested beside the checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_what_differs_is_exit_1(cli: Any, folder: Path) -> None:
    done = cli("verify", "jaccard-no-tok", "--benchmark", folder)
    assert done.returncode == 1
    assert "✗ queries: expected 1,000, found 6" in done.stdout
    assert done.stdout.splitlines()[-1].split(" checks: ")[1].endswith("differs")


def test_json_has_every_check(cli: Any, folder: Path) -> None:
    done = cli("verify", "jaccard-no-tok", "--benchmark", folder, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert sum(report["counts"].values()) == len(report["checks"])
    queries = next(check for check in report["checks"] if check["name"] == "queries")
    assert (queries["expected"], queries["found"], queries["verdict"]) == ("1,000", "6", "differs")


def test_names_are_checked_first(cli: Any) -> None:
    done = cli("verify", "bm52", HF_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 2
    assert "Did you mean 'bm25'" in done.stderr


def test_no_hub_and_no_copy_is_one_error(cli: Any) -> None:
    done = cli("verify", HF_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "--benchmark DIR" in done.stderr
    assert "Traceback" not in done.stderr
