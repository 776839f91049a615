"""Collects everything that is wrong with two tables, to say it once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A person fixes a handful of kinds at a time; more lines push the first off the screen.
MAX_LINES = 10


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        kind: Short stable name; faults of one kind share a line of the report.
        where: File and row.
        problem: What was found and what was expected.
        remedy: What to do.
    """

    kind: str
    where: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.where}: {self.problem} {self.remedy}"


@dataclass
class FaultList:
    """Faults in the order they were found."""

    faults: list[Fault] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.faults)

    def add(self, kind: str, where: str, problem: str, remedy: str) -> None:
        """Record one fault."""
        self.faults.append(Fault(kind, where, problem, remedy))

    def take(self, kinds: Iterable[str]) -> list[Fault]:
        """Remove the faults of these kinds and return them."""
        chosen = set(kinds)
        taken = [fault for fault in self.faults if fault.kind in chosen]
        self.faults = [fault for fault in self.faults if fault.kind not in chosen]
        return taken

    def report(self, title: str) -> str:
        """Return one message: the title, then one line per kind with its first row and a count."""
        return "\n".join([title, *summary_lines(self.faults)])


def summary_lines(faults: Iterable[Fault]) -> list[str]:
    """Return at most `MAX_LINES` lines, one per kind of fault, in order of first occurrence.

    >>> summary_lines([Fault("a", "f, row 0", "x.", "Fix."), Fault("a", "f, row 1", "x.", "Fix.")])
    ['- f, row 0: x. Fix. (1 more like this)']
    """
    by_kind: dict[str, list[Fault]] = {}
    for fault in faults:
        by_kind.setdefault(fault.kind, []).append(fault)
    lines = [_line(same) for same in by_kind.values()]
    if len(lines) > MAX_LINES:
        hidden = len(lines) - MAX_LINES + 1
        lines = [*lines[: MAX_LINES - 1], f"- and {hidden} more kinds of fault."]
    return lines


def _line(same: list[Fault]) -> str:
    more = f" ({len(same) - 1} more like this)" if len(same) > 1 else ""
    return f"- {same[0]}{more}"
