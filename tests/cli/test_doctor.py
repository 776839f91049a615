"""``saber-mteb doctor`` and ``saber-mteb mteb``, started as a user starts them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
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


def test_the_remedy_can_be_copied(cli: Any, tmp_path: Path) -> None:
    """Brackets are mark-up to the table printer and must not be eaten: the extra stands in them."""
    (tmp_path / "hide.py").write_text(
        "import importlib.metadata as m, runpy, sys\n"
        "real = m.version\n"
        "def version(name):\n"
        "    if name == 'mteb':\n"
        "        raise m.PackageNotFoundError(name)\n"
        "    return real(name)\n"
        "m.version = version\n"
        "sys.argv = ['saber-mteb', 'doctor']\n"
        "runpy.run_module('saber_mteb', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, tmp_path / "hide.py"], capture_output=True, text=True, check=False
    )
    assert 'pip install "saber-mteb[mteb]"' in done.stdout
