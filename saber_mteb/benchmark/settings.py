"""The three settings and the only place where problems become the texts that systems see."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Problem


class Setting(StrEnum):
    """Which parts of a problem the query and the documents show; the first is the headline."""

    STATEMENT_FULL = "statement-full"
    STATEMENT_STATEMENT = "statement-statement"
    FULL_FULL = "full-full"


def statement_text(problem: Problem) -> str:
    """Return the bare statement, without any label.

    >>> from saber_mteb.benchmark.records import Problem
    >>> statement_text(Problem(id="0", statement="Find $x$.", solution="$x=1$"))
    'Find $x$.'
    """
    return problem.statement


def full_text(problem: Problem) -> str:
    r"""Return statement and solution under their labels (template: SABER-Math, arXiv 2606.29894).

    >>> from saber_mteb.benchmark.records import Problem
    >>> full_text(Problem(id="0", statement="Find $x$.", solution="$x=1$"))
    'Problem: Find $x$.\n\nSolution: $x=1$'
    """
    return f"Problem: {problem.statement}\n\nSolution: {problem.solution}"


def query_text(problem: Problem, setting: Setting) -> str:
    """Return the finished query text of a problem in a setting."""
    return full_text(problem) if setting is Setting.FULL_FULL else statement_text(problem)


def document_text(problem: Problem, setting: Setting) -> str:
    """Return the finished document text of a problem in a setting."""
    if setting is Setting.STATEMENT_STATEMENT:
        return statement_text(problem)
    return full_text(problem)
