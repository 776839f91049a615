"""Where the formulas in a text are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Opening and closing delimiters as regular expressions; `$$` before `$`, which it begins with.
DELIMITERS = ((r"\$\$", r"\$\$"), (r"\$", r"\$"), (r"\\\[", r"\\\]"), (r"\\\(", r"\\\)"))
ENVIRONMENTS = tuple(
    (rf"\\begin\{{{name}\*?\}}", rf"\\end\{{{name}\*?\}}") for name in ("equation", "align")
)


def span_pattern(delimiters: Iterable[tuple[str, str]], body: str) -> re.Pattern[str]:
    """Return a pattern whose one matched group is the formula between a pair of delimiters."""
    return re.compile("|".join(f"{left}({body}){right}" for left, right in delimiters), re.DOTALL)


def split_spans(pattern: re.Pattern[str], text: str) -> Iterator[tuple[bool, str]]:
    r"""Yield the pieces of a text in order, each with whether it is a formula.

    >>> pattern = span_pattern(DELIMITERS, ".*?")
    >>> list(split_spans(pattern, r"Let $x$ be \(y\)."))
    [(False, 'Let '), (True, 'x'), (False, ' be '), (True, 'y'), (False, '.')]
    """
    end = 0
    for match in pattern.finditer(text):
        yield False, text[end : match.start()]
        yield True, match[match.lastindex or 0]
        end = match.end()
    yield False, text[end:]
