"""Integrals: mirrored arguments, new variables, completed squares."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, multiple, power
from saber_mteb.construction.mini.wording import tex

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story

# Legs and hypotenuse of right triangles with integer sides.
_TRIPLES = ((3, 4, 5), (4, 3, 5), (5, 12, 13), (12, 5, 13), (8, 6, 10), (6, 8, 10), (8, 15, 17))


def _two_roots(rng: Random, story: Story) -> Draft:
    a = rng.randint(1, 9)
    b = a + rng.randint(2, 9)
    half = Fraction(b - a, 2)
    return compose(
        rng,
        story,
        {"a": a, "b": b},
        statement=r"Evaluate $\int_{<a>}^{<b>} \frac{\sqrt{x}}{\sqrt{x} + \sqrt{<sum> - x}} \, "
        r"dx$.",
        solution=r"The substitution $x \mapsto <sum> - x$ reverses the interval $[<a>, <b>]$, so "
        r"the integral $I$ also equals $\int_{<a>}^{<b>} \frac{\sqrt{<sum> - x}}{\sqrt{<sum> - x} "
        r"+ \sqrt{x}} \, dx$. The two integrands add up to $1$, hence $2I = <b> - <a>$ and $I = "
        r"<answer>$.",
        answer=half,
        value=half,
        sum=a + b,
    )


def _even_over_exponential(rng: Random, story: Story) -> Draft:
    half, base, bound = rng.randint(1, 4), rng.randint(2, 9), rng.randint(1, 4)
    value = Fraction(bound ** (2 * half + 1), 2 * half + 1)
    return compose(
        rng,
        story,
        {"degree": 2 * half, "base": base, "bound": bound},
        statement=r"Find the exact value of the integral of $\frac{x^{<degree>}}{1 + <base>^x}$ "
        r"over the interval from $-<bound>$ to $<bound>$.",
        solution=r"Compare the values at $x$ and $-x$. Since $\frac{1}{1 + <base>^{-x}} = "
        r"\frac{<base>^x}{1 + <base>^x}$, the two values of the integrand have the sum "
        r"$x^{<degree>}$. Pairing the points of $[-<bound>, 0]$ with those of $[0, <bound>]$ "
        r"therefore gives $\int_0^{<bound>} x^{<degree>} \, dx = <answer>$.",
        answer=value,
        value=value,
    )


def _weighted_sine(rng: Random, story: Story) -> Draft:
    half, shift = rng.randint(0, 3), rng.randint(1, 9)
    area = Fraction(2)
    for k in range(1, half + 1):
        area *= Fraction(2 * k, 2 * k + 1)
    exponent = 2 * half + 1
    return compose(
        rng,
        story,
        {"exponent": exponent, "shift": shift},
        statement=r"Calculate $\int_0^{\pi} (x + <shift>) <sine> x \, dx$.",
        solution=r"The sine takes equal values at $x$ and $\pi - x$, while the mean of the "
        r"factors $x + <shift>$ at these two points is always $\frac{\pi}{2} + <shift>$. "
        r"Averaging the integral with its reflected form gives $\left( \frac{\pi}{2} + <shift> "
        r"\right) \int_0^{\pi} <sine> x \, dx$. With $u = \cos x$ the last integral is <inner>, "
        r"so the result is $<answer>$.",
        answer=f"{multiple(area / 2, chr(92) + 'pi')} + {tex(area * shift)}",
        value=f"{area / 2}*pi + {area * shift}",
        sine=power(r"\sin", exponent),
        inner=(
            f"${area}$"
            if half == 0
            else rf"$\int_{{-1}}^{{1}} {power('(1 - u^2)', half)} \, du = {tex(area)}$"
        ),
    )


def _belt(rng: Random, story: Story) -> Draft:
    hours, rate = rng.randint(3, 16), rng.randint(5, 60)
    total = Fraction(hours * rate, 2)
    return compose(
        rng,
        story,
        {"hours": hours, "rate": rate},
        statement=r"For $<hours>$ hours a conveyor belt brings powder to <place>, at the rate of "
        r"$f(t)$ kilograms per hour at time $t$. <hero> does not know the continuous function "
        r"$f$, but <rival> has noticed that $f(t) + f(<hours> - t) = <rate>$ at all times $t$. "
        r"How many kilograms have arrived in the end?",
        solution=r"The amount is $M = \int_0^{<hours>} f(t) \, dt$. Reading time backwards does "
        r"not change it: $M = \int_0^{<hours>} f(<hours> - t) \, dt$. Adding both and using what "
        r"<rival> noticed, $2M = \int_0^{<hours>} <rate> \, dt = <double>$, so $M = <answer>$.",
        answer=total,
        value=total,
        double=hours * rate,
    )


def _inner_square_root(rng: Random, story: Story) -> Draft:
    a, b, c = rng.choice(_TRIPLES)
    factor = rng.randint(1, 6)
    value = Fraction(factor * (c**3 - b**3), 3)
    return compose(
        rng,
        story,
        {"a": a, "b": b, "factor": factor},
        statement=r"Evaluate $\int_0^{<a>} <front>x \sqrt{x^2 + <square>} \, dx$.",
        solution=r"Let $u = x^2 + <square>$, so that $du = 2x \, dx$, and the limits $0$ and "
        r"$<a>$ become $<square>$ and $<top>$. The integral turns into $<half> "
        r"\int_{<square>}^{<top>} \sqrt{u} \, du = <third> \left( <c>^3 - <b>^3 \right) = "
        r"<answer>$.",
        answer=value,
        value=value,
        front="" if factor == 1 else factor,
        square=b * b,
        top=c * c,
        c=c,
        half=Fraction(factor, 2),
        third=Fraction(factor, 3),
    )


def _powers_of_log(rng: Random, story: Story) -> Draft:
    n, top = rng.randint(2, 6), rng.randint(2, 5)
    value = Fraction(top ** (n + 1), n + 1)
    return compose(
        rng,
        story,
        {"power": n, "top": top},
        statement=r"Determine the area between the $x$-axis and the graph of $y = \frac{(\ln "
        r"x)^{<power>}}{x}$ for $1 \le x \le e^{<top>}$.",
        solution=r"The factor $\frac{1}{x}$ is the derivative of the logarithm. Introducing $t = "
        r"\ln x$, the area $\int_1^{e^{<top>}} \frac{(\ln x)^{<power>}}{x} \, dx$ becomes simply "
        r"$\int_0^{<top>} t^{<power>} \, dt = \frac{<top>^{<next>}}{<next>} = <answer>$.",
        answer=value,
        value=value,
        next=n + 1,
    )


def _hidden_arctangent(rng: Random, story: Story) -> Draft:
    k, root = rng.randint(2, 9), rng.choice((1, 3))
    fraction = Fraction(1, 4 * k) if root == 1 else Fraction(1, 3 * k)
    top = "1" if root == 1 else rf"\sqrt[{2 * k}]{{3}}"
    return compose(
        rng,
        story,
        {"k": k, "root": root},
        statement=r"What is $\int_0^{<top>} \frac{<numerator>}{1 + x^{<double>}} \, dx$?",
        solution=r"Set $y = <power>$. Then $dy = <derivative> \, dx$ and $x^{<double>} = y^2$, "
        r"while the upper limit becomes $<newtop>$. We recognise $\frac{1}{<k>} \int_0^{<newtop>} "
        r"\frac{dy}{1 + y^2} = \frac{1}{<k>} \arctan <newtop>$. Because $\arctan <newtop> = "
        r"<angle>$, the integral is $<answer>$.",
        answer=multiple(fraction, r"\pi"),
        value=f"{fraction}*pi",
        top=top,
        numerator=power("x", k - 1),
        double=2 * k,
        power=power("x", k),
        derivative=f"{k}{power('x', k - 1)}",
        newtop="1" if root == 1 else r"\sqrt{3}",
        angle=r"\frac{\pi}{4}" if root == 1 else r"\frac{\pi}{3}",
    )


def _filling_tank(rng: Random, story: Story) -> Draft:
    c, top = rng.randint(1, 8), rng.randint(2, 9)
    ratio = Fraction(top + c, 1 + c)
    return compose(
        rng,
        story,
        {"c": c, "top": top},
        statement=r"Oil flows into a tank at <place>; after $t$ minutes the flow is "
        r"$\frac{e^t}{e^t + <c>}$ litres per minute. <hero> closes the valve after $\ln <top>$ "
        r"minutes. How many litres are in the tank, which was empty before?",
        solution=r"The amount is $\int_0^{\ln <top>} \frac{e^t}{e^t + <c>} \, dt$. In terms of "
        r"the new variable $w = e^t + <c>$ we have $dw = e^t \, dt$, and $w$ runs from $<low>$ to "
        r"$<high>$. So the amount is $\int_{<low>}^{<high>} \frac{dw}{w} = \ln <high> - \ln <low> "
        r"= <answer>$.",
        answer=rf"\ln {tex(ratio)}",
        value=f"log(Rational({ratio.numerator}, {ratio.denominator}))",
        low=1 + c,
        high=top + c,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="calc-mirrored-integrand",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Integrals", "Definite Integrals"),
        technique="symmetry-pairing",
        moves=("pair-mirror-arguments", "constant-pair-total", "reflect-the-interval"),
        key_ideas=(
            "Reflect the interval of integration and add the two forms of the integral; values at "
            "mirrored points have a simple total that is easily integrated.",
            "Pairing each argument with its mirror image makes the complicated part cancel, since "
            "both values together are constant or elementary.",
        ),
        forms=(_two_roots, _even_over_exponential, _weighted_sine, _belt),
    ),
    Family(
        key="calc-substitution",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Integrals", "Definite Integrals"),
        technique="substitution",
        moves=("change-variable", "transform-limits", "recognise-derivative"),
        key_ideas=(
            "One factor of the integrand is the derivative of an inner expression, so taking this "
            "expression as new variable reduces the integral to an elementary one.",
            "Introduce the inner function as a new variable, transform the limits of integration "
            "accordingly, and integrate the simple function that remains.",
        ),
        forms=(_inner_square_root, _powers_of_log, _hidden_arctangent, _filling_tank),
    ),
)
