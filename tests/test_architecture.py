"""The rules of the house, as code: who may import whom, sizes, no side effects."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

import pytest

import saber_mteb

PACKAGE = Path(saber_mteb.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))

# What each package may import of ours; private modules at the top (_errors, …) are open to all.
ALLOWED = {
    "benchmark": set(),
    "systems": {"benchmark"},
    "results": {"benchmark"},
    "fusion": {"results", "benchmark"},
    "analysis": {"results", "fusion", "benchmark"},
    "running": {"systems", "results", "benchmark"},
    "arqmath": {"running", "systems", "fusion", "results", "benchmark"},
    "construction": {"benchmark"},
}
BELOW = set(ALLOWED)
ALLOWED |= {"cli": BELOW | {"_mteb", "site"}, "_mteb": BELOW, "site": BELOW}
OPEN = {"_cache", "_errors", "_resources"}
MTEB_IMPORTERS = {"_mteb"}


def imported_modules(path: Path) -> set[str]:
    """Every module that a file imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def room(path: Path) -> str | None:
    """The package that a file belongs to, None for the files at the top."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else None


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_arrows_point_one_way(path: Path) -> None:
    home = room(path)
    if home is None:
        return
    assert home in ALLOWED, f"{home} has no rule; add it to design and to this test"
    for module in imported_modules(path):
        parts = module.split(".")
        if parts[0] == "mteb":
            assert home in MTEB_IMPORTERS, f"{path} imports mteb"
        if parts[0] != "saber_mteb" or len(parts) == 1 or parts[1] in OPEN:
            continue
        if (PACKAGE / parts[1]).is_dir():
            assert parts[1] == home or parts[1] in ALLOWED[home], f"{path} imports {module}"


def test_rules_would_catch_a_wrong_arrow(tmp_path: Path) -> None:
    """The reader of imports sees those inside functions and under another name."""
    file = tmp_path / "m.py"
    file.write_text("def f():\n    from saber_mteb import cli as c\n    import mteb.x\n")
    assert {"saber_mteb.cli", "mteb.x"} <= imported_modules(file)


def test_files_are_small() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    too_long = {path.name: length for path, length in lengths.items() if length > 400}
    assert not too_long
    assert statistics.median(lengths.values()) < 120


def test_functions_can_be_seen_at_once() -> None:
    lengths = [
        node.end_lineno - node.lineno + 1
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    ]
    assert statistics.quantiles(lengths, n=10)[-1] < 40


def test_no_machine_path_and_no_assert() -> None:
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert "/work/" not in text, path
        nodes = list(ast.walk(ast.parse(text)))
        assert not any(isinstance(node, ast.Assert) for node in nodes), path


def test_the_curated_surface() -> None:
    assert saber_mteb.__all__ == sorted(saber_mteb.__all__)
    assert len(saber_mteb.__all__) < 10
    for name in saber_mteb.__all__:
        assert getattr(saber_mteb, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        saber_mteb.nothing  # noqa: B018
