"""What ``doctor`` looks at."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from saber_mteb._errors import SaberError
from saber_mteb.cli.output import SYNTHETIC


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
    return [_mini(), _saber_math()]


def _mini() -> Finding:
    from saber_mteb.benchmark import load_benchmark

    try:
        mini = load_benchmark("mini")
    except SaberError as error:
        return Finding("data", "mini", Verdict.BROKEN, str(error))
    detail = f"{len(mini.queries)} queries × {mini.pool_size} candidates, {SYNTHETIC}"
    return Finding("data", "mini", Verdict.OK, detail)


def _saber_math() -> Finding:
    from saber_mteb.benchmark.hub.fetching import DOCUMENTS, QUERIES
    from saber_mteb.benchmark.hub.manifest import complete_copy

    wanted = [dataset.at(None) for dataset in (QUERIES, DOCUMENTS)]
    copy = complete_copy([(request.repo, request.revision) for request in wanted])
    if copy is None:
        detail = "not on this machine yet; the first run fetches it from the hub"
        return Finding("data", "saber-math", Verdict.ABSENT, detail)
    detail = f"on this machine, commits {copy.queries.commit[:12]}, {copy.documents.commit[:12]}"
    return Finding("data", "saber-math", Verdict.OK, detail)


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
