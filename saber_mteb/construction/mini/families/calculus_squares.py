"""Integrals and distances of functions by completing a square."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, multiple

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _whole_line(rng: Random, story: Story) -> Draft:
    shift, root = rng.randint(1, 9), rng.randint(2, 9)
    return compose(
        rng,
        story,
        {"shift": shift, "root": root},
        statement=r"Evaluate $\int_{-\infty}^{\infty} \frac{dx}{x^2 + <linear>x + <constant>}$.",
        solution=r"Writing the denominator as $(x + <shift>)^2 + <square>$ reveals that it is a "
        r"shifted copy of $x^2 + <root>^2$. Shifting does not affect an integral over the whole "
        r"line, so the value is $\int_{-\infty}^{\infty} \frac{dx}{x^2 + <root>^2} = \left[ "
        r"\frac{1}{<root>} \arctan \frac{x}{<root>} \right]_{-\infty}^{\infty} = <answer>$.",
        answer=rf"\frac{{\pi}}{{{root}}}",
        value=f"pi/{root}",
        linear=2 * shift,
        constant=shift * shift + root * root,
        square=root * root,
    )


def _shifted_bell(rng: Random, story: Story) -> Draft:
    shift, scale = rng.randint(1, 6), rng.randint(1, 9)
    exponent = shift * shift
    front = "" if scale == 1 else f"{scale} "
    shown = "e" if exponent == 1 else f"e^{{{exponent}}}"
    return compose(
        rng,
        story,
        {"shift": shift, "scale": scale, "bell": 1},
        statement=r"Using $\int_{-\infty}^{\infty} e^{-x^2} \, dx = \sqrt{\pi}$, find the area "
        r"under the curve $y = <front>e^{<linear>x - x^2}$.",
        solution=r"The exponent is a quadratic in $x$ with highest point at $x = <shift>$: "
        r"$<linear>x - x^2 = <exponent> - (x - <shift>)^2$. The curve is the bell curve, moved to "
        r"the right and stretched upwards by the factor $<front><shown>$. A move leaves the area "
        r"unchanged, hence it equals $<answer>$.",
        answer=rf"{front}{shown} \sqrt{{\pi}}",
        value=f"{scale}*exp({exponent})*sqrt(pi)",
        front=front,
        linear=2 * shift,
        exponent=exponent,
        shown=shown,
    )


def _hidden_semicircle(rng: Random, story: Story) -> Draft:
    radius = rng.randint(2, 16)
    return compose(
        rng,
        story,
        {"radius": radius},
        statement=r"The roof of a tunnel near <place> has the profile $y = \sqrt{<double>x - "
        r"x^2}$, $0 \le x \le <double>$, in metres. What is the area of the cross-section, in "
        r"square metres?",
        solution=r"From $<double>x - x^2 = <square> - (x - <radius>)^2$ we read that the profile "
        r"satisfies $(x - <radius>)^2 + y^2 = <square>$ with $y \ge 0$. It is a semicircle of "
        r"radius $<radius>$, and so $\int_0^{<double>} \sqrt{<double>x - x^2} \, dx$ is half the "
        r"area of a disc, $<answer>$.",
        answer=multiple(Fraction(radius * radius, 2), r"\pi"),
        value=f"{radius * radius}*pi/2",
        double=2 * radius,
        square=radius * radius,
    )


def _best_line(rng: Random, story: Story) -> Draft:
    end, n = rng.randint(1, 4), rng.randint(2, 5)
    # int x^(2n) - 2c int x^(n+1) + c^2 int x^2 over [0, end]
    constant = Fraction(end ** (2 * n + 1), 2 * n + 1)
    middle = Fraction(end ** (n + 2), n + 2)
    square = Fraction(end**3, 3)
    least = constant - middle * middle / square
    return compose(
        rng,
        story,
        {"end": end, "n": n},
        statement=r"For which real $c$ is $\int_0^{<end>} (x^{<n>} - cx)^2 \, dx$ as small as "
        r"possible, and what is the smallest value of this integral?",
        solution=r"Expanding and integrating gives the quadratic $<square> c^2 - <twice> c + "
        r"<constant>$ in $c$. Completing the square turns it into $<square> \left( c - <best> "
        r"\right)^2 + <least>$. The square vanishes for $c = <best>$, and what remains, the "
        r"smallest value of the integral, is $<answer>$.",
        answer=least,
        value=least,
        square=square,
        twice=2 * middle,
        constant=constant,
        best=middle / square,
        least=least,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="calc-completed-square",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Integrals", "Definite Integrals"),
        technique="completing-square",
        moves=("complete-square", "shift-variables", "squares-nonnegative"),
        key_ideas=(
            "Complete the square in the quadratic expression; after a shift of the variable the "
            "integral is a standard one, or the minimum is visible.",
            "Rewriting the quadratic as a square plus a constant separates the part that can be "
            "shifted away or made zero from the value that remains.",
        ),
        forms=(_whole_line, _shifted_bell, _hidden_semicircle, _best_line),
    ),
)
