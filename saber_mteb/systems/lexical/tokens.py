"""The three ways in which a text becomes tokens.

Definitions: insait-institute/sabermath, processors/tokenization_helper.py@70c6935 (math-aware);
lower-case and whitespace (BM25, Jaccard) or scikit-learn's default pattern (TF-IDF) without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from saber_mteb.systems.structure.isolation import Job, NativeWorker
from saber_mteb.systems.structure.library import clean, find_pya0, name_text
from saber_mteb.systems.structure.spans import DELIMITERS, span_pattern, split_spans

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SPAN = span_pattern(DELIMITERS, ".*?")
_PROSE = re.compile(r"\b[a-zA-Z]+\b")
_WORD = re.compile(r"(?u)\b\w\w+\b")


class TokenKind(StrEnum):
    """How a text becomes tokens."""

    MATH_AWARE = "math-aware"
    WHITESPACE = "whitespace"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for the tokens of a text that the tokeniser could not read, with the reason."""

    reason: str


Tokens = list[str] | Unreadable
Tokenize = Callable[[Sequence[str]], list[Tokens]]
TokenSource = Callable[[], AbstractContextManager[Tokenize]]


def whitespace_tokens(text: str) -> list[str]:
    """Return the lower-cased text cut at whitespace.

    >>> whitespace_tokens("Let $X$ be")
    ['let', '$x$', 'be']
    """
    return text.lower().split()


def word_tokens(text: str) -> list[str]:
    """Return the lower-cased words of two or more characters (scikit-learn's default pattern).

    >>> word_tokens("Let $x_1$ be a prime")
    ['let', 'x_1', 'be', 'prime']
    """
    return _WORD.findall(text.lower())


def split_math(text: str) -> tuple[list[str], list[str]]:
    r"""Return the formulas as they stand, and the lower-cased words of the prose around them.

    Digits outside formulas are dropped, as in the published rows.

    >>> split_math(r"Let $x^2$ be one of 12 Squares \(n\).")
    (['x^2', 'n'], ['let', 'be', 'one', 'of', 'squares'])
    """
    pieces = list(split_spans(_SPAN, text))
    prose = " ".join(piece for formula, piece in pieces if not formula)
    return [piece for formula, piece in pieces if formula], _PROSE.findall(prose.lower())


def math_aware_tokens(worker: NativeWorker, texts: Sequence[str]) -> list[Tokens]:
    """Return for each text the tokens of its formulas, then the words of its prose.

    A formula token is the first element of pya0's token tuple. In pya0 0.3.7 that is the number of
    the token's class, so any two variables are the same token (and two numbers are): the published
    rows are computed like that.
    """
    split = [split_math(text) for text in texts]
    jobs = {
        place: Job("tokenize", {"spans": [clean(span) for span in spans]})
        for place, (spans, _) in enumerate(split)
        if spans
    }
    answers = dict(zip(jobs, worker.run(list(jobs.values())), strict=True))
    tokens: list[Tokens] = []
    for place, (text, (_, words)) in enumerate(zip(texts, split, strict=True)):
        answer = answers.get(place)
        if answer is None:
            tokens.append(words)
        elif answer.failure:
            tokens.append(Unreadable(f"{name_text(text)}: {answer.failure}"))
        else:
            tokens.append([*answer.value, *words])
    return tokens


@contextmanager
def math_aware(library: Path, timeout: float = 300.0) -> Iterator[Tokenize]:
    """Provide the math-aware tokeniser; its native process lives as long as the block."""
    with NativeWorker(library, timeout) as worker:
        yield partial(math_aware_tokens, worker)


def token_source(key: str, kind: TokenKind, pya0: str | None) -> TokenSource:
    """Return what opens the tokeniser of a recipe.

    Raises:
        SaberError: If math-aware tokens are asked for and pya0 is not there in that version.
    """
    if kind is TokenKind.MATH_AWARE:
        return partial(math_aware, find_pya0(key, pya0 or ""))
    function = whitespace_tokens if kind is TokenKind.WHITESPACE else word_tokens

    def tokenize(texts: Sequence[str]) -> list[Tokens]:
        return [function(text) for text in texts]

    return lambda: nullcontext(tokenize)
