"""The hook with mteb itself: what `pip install "saber-mteb[mteb]"` promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
