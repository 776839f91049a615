"""What ``doctor`` looks at."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from saber_mteb._errors import SaberError


class Verdict(StrEnum):
    """How a finding is to be read."""

    OK = "ok"
    ABSENT = "absent"
    BROKEN = "broken"

    @property
    def mark(self) -> str:
        """One sign for a table."""
        return {"ok": "[green]✓[/green]", "absent": "·", "broken": "[red]✗[/red]"}[self.value]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    area: str
    name: str
    verdict: Verdict
    detail: str


def examine() -> list[Finding]:
    """Look at packages, start-up hook, MTEB tasks, data and systems, in this order."""
    return [*_packages(), _hook(), *_tasks(), *_data(), *_systems()]


_OPTIONAL = {
    "mteb": 'for `mteb run`: pip install "saber-mteb[mteb]"',
    "pya0": "for math-aware tokens and Approach Zero: has a wheel for Linux x86-64 only; "
    "the -no-tok systems need none",
}


def _packages() -> list[Finding]:
    python = f"Python {sys.version.split()[0]}"
    findings = [Finding("package", "saber-mteb", Verdict.OK, f"{version('saber-mteb')}, {python}")]
    for package, remedy in _OPTIONAL.items():
        try:
            findings.append(Finding("package", package, Verdict.OK, version(package)))
        except PackageNotFoundError:
            findings.append(Finding("package", package, Verdict.ABSENT, remedy))
    return findings


def _hook() -> Finding:
    if os.environ.get("SABER_MTEB_DISABLE_AUTOLOAD"):
        detail = "switched off by SABER_MTEB_DISABLE_AUTOLOAD; `saber-mteb mteb run …` still works"
        return Finding("mteb", "start-up hook", Verdict.ABSENT, detail)
    if "_saber_mteb_hook" not in sys.modules:
        detail = "did not run (python -S, or installed with --target); use `saber-mteb mteb run …`"
        return Finding("mteb", "start-up hook", Verdict.ABSENT, detail)
    return Finding("mteb", "start-up hook", Verdict.OK, "`import mteb` registers our tasks")


def _tasks() -> list[Finding]:
    if find_spec("mteb") is None:
        return [Finding("mteb", "tasks", Verdict.ABSENT, "mteb is not installed")]
    try:
        from saber_mteb._mteb import register
        from saber_mteb._mteb.command import registered_task_names

        register()
        names = registered_task_names()
    # Whatever breaks in another package's import, the report must name it and go on.
    except Exception as error:
        return [Finding("mteb", "tasks", Verdict.BROKEN, f"{type(error).__name__}: {error}")]
    return [Finding("mteb", name, Verdict.OK, f"mteb run -t {name}") for name in names]


def _data() -> list[Finding]:
    from saber_mteb.benchmark import cached_copy, load_benchmark

    try:
        mini = load_benchmark("mini")
        detail = f"{len(mini.queries)} queries × {mini.pool_size} candidates, synthetic"
        findings = [Finding("data", "mini", Verdict.OK, detail)]
    except SaberError as error:
        findings = [Finding("data", "mini", Verdict.BROKEN, str(error))]
    copy = cached_copy()
    verdict = Verdict.OK if copy else Verdict.ABSENT
    detail = f"cached: {copy}" if copy else "not downloaded yet; the first run fetches it"
    return [*findings, Finding("data", "saber-math", verdict, detail)]


def _systems() -> list[Finding]:
    from saber_mteb.systems.registry import build_system, load_cards

    findings = []
    for card in load_cards().values():
        try:
            build_system(card)
            findings.append(Finding("system", card.key, Verdict.OK, card.description))
        except SaberError as error:
            findings.append(Finding("system", card.key, Verdict.ABSENT, str(error)))
    return findings
