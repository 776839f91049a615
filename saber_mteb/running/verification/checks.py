"""The record of one comparison."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What a comparison came to."""

    OK = "ok"
    DIFFERS = "differs"
    UNKNOWN = "unknown"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One fact, what was expected of it and what was found.

    Attributes:
        name: What was looked at; unique within one verification.
        expected: The known value, as text.
        found: The value here, as text.
        verdict: ``ok`` or ``differs``; ``unknown`` if nothing is known to compare with;
            ``skipped`` if it could not be looked at.
        note: Why a difference is allowed, where to look, or why it was skipped.
    """

    name: str
    expected: str
    found: str
    verdict: Verdict
    note: str = ""


def compared(name: str, expected: object, found: object, *, note: str = "") -> Check:
    """Return the check of two values that must be equal."""
    verdict = Verdict.OK if expected == found else Verdict.DIFFERS
    return Check(name, shown(expected), shown(found), verdict, note)


def shown(value: object) -> str:
    """Return a value as text: integers with thousands separated.

    >>> shown(71117)
    '71,117'
    """
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
