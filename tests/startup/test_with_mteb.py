"""The hook with mteb itself: what `pip install "saber-mteb[mteb]"` promises."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from saber_mteb.benchmark import Setting, evaluate, load_benchmark
from saber_mteb.running.engine import run_system
from saber_mteb.systems.registry import build_system, find_card

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Site

SHOW = """
import mteb
from mteb.get_tasks import TASK_LIST
print(mteb.get_task("SABERMath").metadata.name, mteb.get_benchmark("SABER-Math").name,
      sum(task.metadata.name == "SABERMath" for task in TASK_LIST))
"""
SHOWN = "SABERMath SABER-Math 1"


def test_isolated_python_that_asks_for_the_spec_first(real: Site) -> None:
    code = "import importlib.util; importlib.util.find_spec('mteb')\n" + SHOW
    assert real.output(code, "-I", "-W", "error::RuntimeWarning") == SHOWN


def test_python_dash_m_mteb_lists_the_task(real: Site) -> None:
    done = real.run("-m", "mteb", "available-tasks", "-t", "SABERMath", "SABERMathMini")
    assert done.returncode == 0, done.stderr
    assert "SABERMath" in done.stdout
    assert "SABERMathMini" in done.stdout
    assert "could not register" not in done.stderr


def test_our_task_module_imported_before_mteb(real: Site) -> None:
    """The hook then fires while our module is half imported."""
    code = "from saber_mteb._mteb.tasks import SABERMath\n" + SHOW
    assert real.output(code, "-W", "error::RuntimeWarning") == SHOWN


def test_off_switch_leaves_mteb_alone_until_asked(real: Site) -> None:
    code = """
from saber_mteb._mteb.tasks import SABERMath
import mteb, saber_mteb
try:
    mteb.get_task("SABERMath")
except KeyError:
    print("unknown")
saber_mteb.register()
print(mteb.get_task("SABERMath").metadata.name)
"""
    shown = real.output(code, SABER_MTEB_DISABLE_AUTOLOAD="1")
    assert shown.split() == ["unknown", "SABERMath"]


@pytest.mark.slow
def test_the_promised_command_line(real: Site, tmp_path: Path) -> None:
    """The literal command, without network; mteb rounds its file to 6 digits."""
    arguments = ["run", "-t", "SABERMathMini", "-m", "saber/bm25-no-tok"]
    arguments += ["--eval-splits", "statement-full", "--output-folder", str(tmp_path)]
    arguments += ["--prediction-folder", str(tmp_path / "kept")]
    done = real.run("-m", "mteb", *arguments)
    assert done.returncode == 0, done.stderr

    card, benchmark = find_card("bm25-no-tok"), load_benchmark("mini")
    runs = run_system(build_system(card), benchmark, [Setting.STATEMENT_FULL])
    expected = evaluate(runs[Setting.STATEMENT_FULL], benchmark).as_metrics()
    folder = tmp_path / "results" / "saber__bm25-no-tok" / card.revision
    stored = json.loads((folder / "SABERMathMini.json").read_text())
    (found,) = stored["scores"]["statement-full"]
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    assert stored["dataset_revision"] == benchmark.revision
    assert (tmp_path / "kept" / "SABERMathMini_predictions.json").exists()
