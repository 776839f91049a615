"""The start-up hook: registration follows any way of importing mteb, and nothing else happens."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Site

COUNT = "print(mteb.REGISTERED, sum('_MtebFinder' in repr(finder) for finder in sys.meta_path))"


@pytest.mark.parametrize(
    "way",
    [
        "import mteb",
        "import mteb.sub",
        "from mteb import REGISTERED",
        "import importlib; importlib.import_module('mteb')",
        # Asking for the spec first must not use the hook up.
        "import importlib.util as u; u.find_spec('mteb'); u.find_spec('mteb'); import mteb",
        "import mteb, importlib; importlib.reload(mteb); mteb.REGISTERED.append(1)",
    ],
)
@pytest.mark.parametrize("isolated", [(), ("-I",)])
def test_any_import_registers_once(fake: Site, way: str, isolated: tuple[str, ...]) -> None:
    assert fake.output(f"import sys; {way}; import mteb; {COUNT}", *isolated) == "[1] 0"


def test_the_module_itself_is_untouched(fake: Site) -> None:
    code = """
import mteb, importlib.util, inspect
print(mteb.__spec__.loader is mteb.__loader__, "exec_module" in vars(mteb.__loader__))
print(inspect.getsource(mteb).startswith("REGISTERED"), mteb.__file__ == mteb.__spec__.origin)
"""
    assert fake.output(code).split() == ["True", "False", "True", "True"]


def test_python_dash_m(fake: Site) -> None:
    done = fake.run("-m", "mteb")
    assert (done.stdout.strip(), done.stderr) == ("[1]", "")


def test_spawned_children(fake: Site) -> None:
    program = fake.packages / "program.py"
    program.write_text(
        "import multiprocessing\n"
        "def child():\n"
        "    import mteb\n"
        "    print(mteb.REGISTERED, flush=True)\n"
        "if __name__ == '__main__':\n"
        "    process = multiprocessing.get_context('spawn').Process(target=child)\n"
        "    process.start(); process.join()\n"
    )
    done = fake.run(str(program))
    assert (done.stdout.strip(), done.stderr) == ("[1]", "")


@pytest.mark.parametrize(("value", "expected"), [("1", "[] 0"), ("true", "[] 0"), ("0", "[1] 0")])
def test_off_switch(fake: Site, value: str, expected: str) -> None:
    code = f"import sys, mteb; {COUNT}"
    assert fake.output(code, SABER_MTEB_DISABLE_AUTOLOAD=value) == expected


@pytest.mark.parametrize(
    ("plugin", "reason"),
    [
        ("def register(): raise RuntimeError('out of order')", "RuntimeError: out of order"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("", "AttributeError: module 'saber_mteb' has no attribute 'register'"),
        ("this is no Python", "SyntaxError"),
    ],
)
@pytest.mark.parametrize("options", [(), ("-W", "error")])
def test_a_broken_plugin_does_not_break_mteb(
    fake: Site, plugin: str, reason: str, options: tuple[str, ...]
) -> None:
    (fake.packages / "saber_mteb" / "__init__.py").write_text(plugin)
    done = fake.run("-c", "import mteb; import mteb; print(mteb.DONE)", options=options)
    assert (done.returncode, done.stdout.strip()) == (0, "True")
    assert done.stderr.count("RuntimeWarning") == 1
    assert f"saber-mteb could not register its tasks with mteb: {reason}" in done.stderr


def test_a_broken_mteb_says_so_itself(fake: Site) -> None:
    (fake.packages / "mteb" / "__init__.py").write_text("import no_such_module")
    done = fake.run("-c", "import mteb")
    assert "No module named 'no_such_module'" in done.stderr
    assert "saber" not in done.stderr.splitlines()[-1]


def test_an_environment_without_mteb(fake: Site) -> None:
    (fake.packages / "mteb" / "__init__.py").unlink()
    for file in (fake.packages / "mteb").iterdir():
        file.unlink()
    (fake.packages / "mteb").rmdir()
    code = """
import importlib.util
print(importlib.util.find_spec("mteb"))
try:
    import mteb
except ModuleNotFoundError as error:
    print(error.name, error)
"""
    assert fake.output(code) == "None\nmteb No module named 'mteb'"


def test_without_site_nothing_is_registered_and_nothing_breaks(fake: Site) -> None:
    """`python -S` reads no .pth; the command `saber-mteb` is for that."""
    code = f"import sys; sys.path.append({str(fake.packages)!r}); import mteb; {COUNT}"
    assert fake.output(code, "-S") == "[] 0"


def test_a_start_of_python_loads_our_small_module_and_no_other(fake: Site) -> None:
    code = "import sys; print(*sorted(sys.modules))"
    with_hook = set(fake.output(code).split())
    (fake.packages / "saber_mteb.pth").unlink()
    assert with_hook - set(fake.output(code).split()) == {"_saber_mteb_hook"}


def test_the_hook_is_standard_library_only_and_named_alike_for_newer_pythons(fake: Site) -> None:
    tree = ast.parse((fake.packages / "_saber_mteb_hook.py").read_text())
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    outside = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
    assert outside == {"saber_mteb"}
    # PEP 829: one `module:function` per line, called without arguments, from Python 3.15 on.
    module, function = (fake.packages / "saber_mteb.start").read_text().strip().split(":")
    assert fake.output(f"import {module}; print({module}.{function}())") == "None"
