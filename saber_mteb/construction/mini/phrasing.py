"""Fills problem templates and writes exact irrational numbers in LaTeX."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.construction.mini.family import Draft
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import tex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from saber_mteb.construction.mini.family import Story

# Angle brackets, because braces and dollars are LaTeX's own; relations are typed with spaces.
_MARKER = re.compile(r"<(\w+)>")


def compose(
    rng: Random,
    story: Story,
    parameters: Mapping[str, int],
    *,
    statement: str,
    solution: str,
    answer: object,
    value: object,
    **details: object,
) -> Draft:
    """Fill the two templates of a problem; one that names nothing of the story gets an opening.

    A marker ``<name>`` stands for a parameter, a detail, the answer, or a noun of the story
    (``<hero>``, ``<rival>``, ``<place>``, ``<Place>``, ``<thing>``, ``<a_thing>``, ``<things>``,
    ``<Things>``). Fractions are written in LaTeX, anything else by ``str``.

    Args:
        rng: Chooses the opening.
        story: Where the nouns come from.
        parameters: What was drawn.
        statement: Template of the problem.
        solution: Template of the worked solution, which must show the answer.
        answer: The answer, as LaTeX or as a number.
        value: The answer as an exact expression that sympy parses.
        **details: Intermediate results the templates show.
    """
    shown = _text(answer)
    nouns = _nouns(story)
    values = {**nouns, **parameters, **details, "answer": shown}
    text = _fill(statement, values)
    told = any(marker in nouns for marker in _MARKER.findall(statement))
    return Draft(
        statement=text if told else dressed(rng, story, text),
        solution=_fill(solution, values),
        answer=shown,
        value=str(value),
        parameters=dict(parameters),
    )


def _fill(template: str, values: Mapping[str, object]) -> str:
    return _MARKER.sub(lambda match: _text(values[match[1]]), template)


def _text(value: object) -> str:
    return tex(value) if isinstance(value, Fraction) else str(value)


def _nouns(story: Story) -> dict[str, str]:
    article = "an" if story.thing[0].lower() in "aeiou" else "a"
    return {
        "hero": story.hero,
        "rival": story.rival,
        "place": story.place,
        "Place": story.place[0].upper() + story.place[1:],
        "thing": story.thing,
        "a_thing": f"{article} {story.thing}",
        "things": story.things,
        "Things": story.things[0].upper() + story.things[1:],
    }


def multiple(coefficient: Fraction | int, symbol: str) -> str:
    r"""Return a rational multiple of a symbol, the symbol in the numerator.

    >>> multiple(Fraction(3, 4), r"\pi"), multiple(1, r"\pi"), multiple(-2, r"\pi")
    ('\\frac{3\\pi}{4}', '\\pi', '-2\\pi')
    """
    number = Fraction(coefficient)
    top = abs(number.numerator)
    shown = symbol if top == 1 else f"{top}{symbol}"
    sign = "-" if number < 0 else ""
    if number.denominator == 1:
        return f"{sign}{shown}"
    return rf"{sign}\frac{{{shown}}}{{{number.denominator}}}"


def surd(coefficient: Fraction | int, radicand: Fraction | int) -> str:
    r"""Return ``coefficient * sqrt(radicand)`` with the smallest integer under the root.

    >>> surd(1, 12), surd(Fraction(1, 2), 9), surd(3, Fraction(1, 3))
    ('2\\sqrt{3}', '\\frac{3}{2}', '\\sqrt{3}')
    """
    inside = Fraction(radicand)
    outside, under = square_part(inside.numerator * inside.denominator)
    factor = Fraction(coefficient) * outside / inside.denominator
    return tex(factor) if under == 1 else multiple(factor, f"\\sqrt{{{under}}}")


def square_part(number: int) -> tuple[int, int]:
    """Return ``(r, m)`` with ``number == r * r * m`` and ``m`` free of squares.

    >>> square_part(72)
    (6, 2)
    """
    outside, under, factor = 1, number, 2
    while factor * factor <= under:
        while under % (factor * factor) == 0:
            under //= factor * factor
            outside *= factor
        factor += 1
    return outside, under


def power(base: str, exponent: int) -> str:
    """Return a power, without an exponent of one.

    >>> power("x", 1), power("x", 12)
    ('x', 'x^{12}')
    """
    return base if exponent == 1 else f"{base}^{{{exponent}}}"
