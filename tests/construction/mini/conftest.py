"""How a family is checked against a computation that does not know its solution."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
import sympy

from saber_mteb.construction.mini.stories import STORIES
from saber_mteb.construction.mini.techniques import TECHNIQUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from saber_mteb.construction.mini.family import Draft, Family

    Truth = Callable[[dict[str, int]], object]

SEEDS = 25

# Double blanks, signs in a row, a blank before a comma, Python's words, and 1x for x.
BLUNDERS = re.compile(
    r"\s\s|\+-|--|\+\+|\$\$\$|\bNone\b(?! of)|\bFraction\b| ,"
    r"|(?<![\w.,{}\\])1[a-z]\b(?!/)"
)


def exact(text: str) -> object:
    """Parse a value; plain rationals by the standard library, which is much faster."""
    return Fraction(text) if re.fullmatch(r"-?\d+(/\d+)?", text) else sympy.sympify(text)


def agree(claimed: object, computed: object) -> bool:
    """Compare exactly, or to nine digits where the computation is numerical."""
    if isinstance(computed, float):
        return float(claimed) == pytest.approx(computed, rel=1e-9, abs=1e-9)
    if isinstance(claimed, Fraction) and isinstance(computed, int | Fraction):
        return claimed == computed
    difference = sympy.sympify(str(claimed)) - sympy.sympify(str(computed))
    return sympy.simplify(difference) == 0


def well_formed(text: str) -> bool:
    """Dollars come in pairs, braces close, and nothing of a template is left."""
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return (
        depth == 0
        and text.count("$") % 2 == 0
        and text.count(r"\left") == text.count(r"\right")
        and not BLUNDERS.search(text)
    )


def drafts(family: Family, seeds: int = SEEDS) -> list[Draft]:
    """Problems of every form with many numbers and stories."""
    return [
        form(Random(f"{family.key}/{number}/{seed}"), STORIES[(seed + number) % len(STORIES)])
        for number, form in enumerate(family.forms)
        for seed in range(seeds)
    ]


@pytest.fixture(scope="session")
def check_answers() -> Callable[[Family, Truth], None]:
    """Compare the answers of a family with the values another computation gives."""

    def check(family: Family, truth: Truth) -> None:
        for draft in drafts(family):
            claimed, computed = exact(draft.value), truth(draft.parameters)
            assert agree(claimed, computed), (family.key, draft.parameters, claimed, computed)

    return check


@pytest.fixture(scope="session")
def check_texts() -> Callable[[Family], None]:
    """Check what a reader sees: formulas, answers, key ideas, differing forms."""

    def check(family: Family) -> None:
        assert family.technique in TECHNIQUES
        assert family.topic[0] == family.domains[0].value
        assert len(family.forms) >= 3
        for sentence in family.key_ideas:
            assert 20 <= len(sentence.split()) <= 30, sentence
            assert not re.search(r"\d", sentence), sentence
            assert sentence.endswith(".")
        for draft in drafts(family):
            assert well_formed(draft.statement), draft.statement
            assert well_formed(draft.solution), draft.solution
            assert draft.answer in draft.solution
            assert draft.answer not in ("", "$")

    return check
