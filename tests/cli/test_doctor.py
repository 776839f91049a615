"""``saber-mteb doctor`` and ``saber-mteb mteb``, started as a user starts them."""

from __future__ import annotations

import json
from typing import Any

import pytest


@pytest.fixture
def findings(cli: Any) -> dict[str, dict[str, str]]:
    done = cli("doctor", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}


def test_it_names_tasks_data_and_systems(findings: dict[str, dict[str, str]]) -> None:
    for name in ("SABERMath", "SABERMathMini", "mini", "bm25-no-tok", "jaccard-no-tok"):
        assert findings[name]["verdict"] == "ok", findings[name]
    assert findings["saber-math"]["verdict"] == "absent"
    assert "synthetic" in findings["mini"]["detail"]


def test_it_says_why_mteb_does_not_see_the_tasks(cli: Any) -> None:
    done = cli("doctor", SABER_MTEB_DISABLE_AUTOLOAD="1")
    assert "switched off by SABER_MTEB_DISABLE_AUTOLOAD" in " ".join(done.stdout.split())


def test_mteb_command_checks_task_names_before_any_model(cli: Any) -> None:
    done = cli("mteb", "run", "-t", "SABERMat", "-m", "no/model")
    assert done.returncode == 2
    assert "Did you mean 'SABERMath'" in done.stderr


def test_mteb_command_passes_everything_on(cli: Any) -> None:
    """Also where the start-up hook is off."""
    done = cli(*("mteb", "available-tasks", "-t", "SABERMathMini"), SABER_MTEB_DISABLE_AUTOLOAD="1")
    assert "SABERMathMini" in done.stdout
    assert "MTEB Command Line Interface" in cli("mteb", "--help").stdout
