r"""Small pieces of LaTeX and English that many families need."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def tex(value: Fraction | int) -> str:
    r"""Return a rational number as LaTeX.

    >>> tex(Fraction(-3, 4)), tex(Fraction(6, 2))
    ('-\\frac{3}{4}', '3')
    """
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def signed(value: Fraction | int) -> str:
    r"""Return a number with its sign, to continue a sum.

    >>> signed(3), signed(-2)
    ('+3', '-2')
    """
    return tex(value) if value < 0 else f"+{tex(value)}"


def paren(value: int) -> str:
    """Return an integer, in brackets if negative, to follow a multiplication sign.

    >>> paren(3), paren(-3)
    ('3', '(-3)')
    """
    return f"({value})" if value < 0 else str(value)


def polynomial(coefficients: Sequence[int], variable: str = "x") -> str:
    r"""Return a polynomial as LaTeX, highest power first.

    >>> polynomial([1, -6, 0, -1])
    'x^{3}-6x^{2}-1'
    """
    text = ""
    for position, coefficient in enumerate(coefficients):
        if coefficient == 0:
            continue
        power = len(coefficients) - 1 - position
        letter = "" if power == 0 else variable if power == 1 else f"{variable}^{{{power}}}"
        size = "" if abs(coefficient) == 1 and power else str(abs(coefficient))
        sign = "-" if coefficient < 0 else "+" if text else ""
        text += f"{sign}{size}{letter}"
    return text or "0"


def ordinal(number: int) -> str:
    """Return the ordinal of a number from 1 to 9 as a word.

    >>> ordinal(3)
    'third'
    """
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    return words[number - 1]


def factorise(number: int) -> dict[int, int]:
    """Return the prime factorisation of a positive integer by trial division.

    >>> factorise(360)
    {2: 3, 3: 2, 5: 1}
    """
    found: dict[int, int] = {}
    prime = 2
    while prime * prime <= number:
        while number % prime == 0:
            found[prime] = found.get(prime, 0) + 1
            number //= prime
        prime += 1
    if number > 1:
        found[number] = found.get(number, 0) + 1
    return found


def factored(factors: dict[int, int]) -> str:
    r"""Return a factorisation as LaTeX.

    >>> factored({2: 3, 5: 1})
    '2^{3}\\cdot 5'
    """
    return r"\cdot ".join(
        str(prime) if exponent == 1 else f"{prime}^{{{exponent}}}"
        for prime, exponent in sorted(factors.items())
    )


def surd(number: int) -> str:
    r"""Return the square root of a positive integer as simplified LaTeX.

    >>> surd(49), surd(75), surd(7)
    ('7', '5\\sqrt{3}', '\\sqrt{7}')
    """
    outside = max(k for k in range(1, number + 1) if k * k <= number and number % (k * k) == 0)
    inside = number // (outside * outside)
    if inside == 1:
        return str(outside)
    return rf"{outside if outside > 1 else ''}\sqrt{{{inside}}}"
