"""Infinite series: telescoping, generating functions, exchanged summations."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _gap_of_factors(rng: Random, story: Story) -> Draft:
    gap = rng.randint(2, 9)
    total = sum((Fraction(1, j) for j in range(1, gap + 1)), Fraction(0)) / gap
    return compose(
        rng,
        story,
        {"gap": gap},
        statement=r"Compute $\sum_{n=1}^{\infty} \frac{1}{n (n + <gap>)}$.",
        solution=r"Partial fractions give $\frac{1}{n (n + <gap>)} = \frac{1}{<gap>} \left( "
        r"\frac{1}{n} - \frac{1}{n + <gap>} \right)$. In the partial sums each $\frac{1}{j}$ with "
        r"$j > <gap>$ that enters is cancelled $<gap>$ terms later, and the last negative terms "
        r"tend to $0$. What survives is $\frac{1}{<gap>} \left( <harmonic> \right) = <answer>$.",
        answer=total,
        value=total,
        harmonic=" + ".join("1" if j == 1 else f"\\frac{{1}}{{{j}}}" for j in range(1, gap + 1)),
    )


def _squares_in_denominator(rng: Random, story: Story) -> Draft:
    start = rng.randint(2, 20)
    return compose(
        rng,
        story,
        {"start": start},
        statement=r"For $n \ge <start>$ let $a_n = \frac{2n + 1}{n^2 (n + 1)^2}$. Does the series "
        r"$a_{<start>} + a_{<next>} + a_{<third>} + \dots$ converge, and if so, to what?",
        solution=r"The numerator is the difference of the two squares below it, $2n + 1 = (n + "
        r"1)^2 - n^2$, hence $a_n = \frac{1}{n^2} - \frac{1}{(n + 1)^2}$. Adding up to $N$ leaves "
        r"$\frac{1}{<start>^2} - \frac{1}{(N + 1)^2}$, because all terms in between occur with "
        r"both signs. Letting $N \to \infty$, the series converges to $<answer>$.",
        answer=Fraction(1, start * start),
        value=Fraction(1, start * start),
        next=start + 1,
        third=start + 2,
    )


def _patient_snail(rng: Random, story: Story) -> Draft:
    start = rng.randint(2, 16)
    total = Fraction(1, 2 * start * (start + 1))
    return compose(
        rng,
        story,
        {"first": start},
        statement=r"An immortal snail sets out from <place>. <hero> observes that on its $n$-th "
        r"day it covers $\frac{1}{(n + <a>)(n + <b>)(n + <c>)}$ kilometres. What distance, in "
        r"kilometres, does it approach in the long run?",
        solution=r"Put $m = n + <a>$. Subtracting neighbours shows $\frac{1}{m (m + 1)} - "
        r"\frac{1}{(m + 1)(m + 2)} = \frac{2}{m (m + 1)(m + 2)}$, so each day is half of such a "
        r"difference. The days from $m = <first>$ to $m = M$ collapse to $\frac{1}{2} \left( "
        r"\frac{1}{<first> \cdot <second>} - \frac{1}{(M + 1)(M + 2)} \right)$. As $M$ grows, the "
        r"distance approaches $<answer>$.",
        answer=total,
        value=total,
        a=start - 1,
        b=start,
        c=start + 1,
        second=start + 1,
    )


def _arctangents(rng: Random, story: Story) -> Draft:
    start = rng.randint(2, 20)
    return compose(
        rng,
        story,
        {"arctan": start},
        statement=r"Find the limit of $\arctan \frac{1}{<first>} + \arctan \frac{1}{<second>} + "
        r"\arctan \frac{1}{<third>} + \dots$, where the denominators are the values of $x^2 + x + "
        r"1$ at $x = <arctan>, <x2>, <x3>, \dots$",
        solution=r"From $\tan (u - v) = \frac{\tan u - \tan v}{1 + \tan u \tan v}$ with $\tan u = "
        r"x + 1$ and $\tan v = x$ we see that $\arctan (x + 1) - \arctan x = \arctan \frac{1}{x^2 "
        r"+ x + 1}$. The sum up to $x = N$ is therefore $\arctan (N + 1) - \arctan <arctan>$, and "
        r"in the limit it is $\frac{\pi}{2} - \arctan <arctan> = <answer>$.",
        answer=rf"\arctan \frac{{1}}{{{start}}}",
        value=f"atan(Rational(1, {start}))",
        first=start * start + start + 1,
        second=start * start + 3 * start + 3,
        third=start * start + 5 * start + 7,
        x2=start + 1,
        x3=start + 2,
    )


def _weighted_geometric(rng: Random, story: Story) -> Draft:
    q, step, first = rng.randint(2, 9), rng.randint(2, 5), rng.randint(1, 6)
    total = Fraction(step * q, (q - 1) ** 2) + Fraction(first, q - 1)
    return compose(
        rng,
        story,
        {"q": q, "step": step, "first": first},
        statement=r"Evaluate $\sum_{n=1}^{\infty} \frac{<step>n + <first>}{<q>^n}$.",
        solution=r"For $|x| < 1$ we have $\sum_{n \ge 1} x^n = \frac{x}{1 - x}$. Differentiating "
        r"and multiplying by $x$, $\sum_{n \ge 1} n x^n = \frac{x}{(1 - x)^2}$. At $x = "
        r"\frac{1}{<q>}$ these power series have the values $<plain>$ and $<weighted>$. The "
        r"required sum is $<step> \cdot <weighted> + <first> \cdot <plain> = <answer>$.",
        answer=total,
        value=total,
        plain=Fraction(1, q - 1),
        weighted=Fraction(q, (q - 1) ** 2),
    )


def _squares_over_powers(rng: Random, story: Story) -> Draft:
    q = rng.randint(2, 12)
    total = Fraction(q * (q + 1), (q - 1) ** 3)
    return compose(
        rng,
        story,
        {"squares": q},
        statement=r"Determine the exact value of $\frac{1^2}{<squares>} + \frac{2^2}{<squares>^2} "
        r"+ \frac{3^2}{<squares>^3} + \frac{4^2}{<squares>^4} + \dots$",
        solution=r"Let $f(x) = 1 + x + x^2 + \dots = \frac{1}{1 - x}$ and let $D$ denote the "
        r"operation $f \mapsto x f'$, which multiplies the coefficient of $x^n$ by $n$. Then "
        r"$\sum n^2 x^n = D(D f) = \frac{x (1 + x)}{(1 - x)^3}$ inside the unit interval. "
        r"Inserting $x = \frac{1}{<squares>}$ gives $<answer>$.",
        answer=total,
        value=total,
    )


def _quadratic_prize(rng: Random, story: Story) -> Draft:
    q = rng.randint(2, 15)
    return compose(
        rng,
        story,
        {"faces": q},
        statement=r"At a stall near <place> <hero> throws a fair die with $<faces>$ faces until "
        r"it shows a one. If this takes $n$ throws, the prize consists of $n^2$ <things>. What is "
        r"the expected size of the prize?",
        solution=r"Put $x = 1 - \frac{1}{<faces>} = <x>$. Exactly $n$ throws are needed with "
        r"probability $\frac{1}{<faces>} x^{n-1}$, so we want $\frac{1}{<faces>} \sum n^2 "
        r"x^{n-1}$. Differentiating $\frac{1}{1 - x} = \sum x^n$, then multiplying by $x$ and "
        r"differentiating again yields $\sum n^2 x^{n-1} = \frac{1 + x}{(1 - x)^3}$. Here $1 - x "
        r"= \frac{1}{<faces>}$, so the expectation is $<faces>^2 (1 + x) = <answer>$.",
        answer=q * (2 * q - 1),
        value=q * (2 * q - 1),
        x=Fraction(q - 1, q),
    )


def _logarithmic_series(rng: Random, story: Story) -> Draft:
    q = rng.randint(3, 15)
    return compose(
        rng,
        story,
        {"log": q},
        statement=r"What is the sum of the series whose $n$-th term, for $n = 1, 2, 3, \dots$, is "
        r"the reciprocal of $n \cdot <log>^n$?",
        solution=r"Start from the generating function $1 + t + t^2 + \dots = \frac{1}{1 - t}$ and "
        r"integrate it term by term from $0$ to $x$, where $0 < x < 1$. This gives $\sum_{n \ge "
        r"1} \frac{x^n}{n} = -\ln (1 - x)$. The series in question is the case $x = "
        r"\frac{1}{<log>}$, so its sum is $<answer>$.",
        answer=rf"\ln \frac{{{q}}}{{{q - 1}}}",
        value=f"log(Rational({q}, {q - 1}))",
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="calc-telescoping-series",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Series", "Sums of Series"),
        technique="telescoping",
        moves=("split-into-difference", "cancel-neighbours", "pass-to-the-limit"),
        key_ideas=(
            "Each term of the series is a difference of consecutive values of one function, so "
            "partial sums collapse and the limit is read off from the ends.",
            "Decomposing the general term makes neighbouring contributions cancel; the partial "
            "sums keep only boundary terms, whose limit is the sum of the series.",
        ),
        forms=(_gap_of_factors, _squares_in_denominator, _patient_snail, _arctangents),
    ),
    Family(
        key="calc-power-series",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Series", "Sums of Series"),
        technique="generating-function",
        moves=("encode-as-coefficients", "differentiate-power-series", "geometric-series"),
        key_ideas=(
            "Recognise the terms as coefficients of a power series obtained from the geometric "
            "series by differentiation or integration, and evaluate its closed form.",
            "Differentiating or integrating the generating function of the constant sequence "
            "produces the required factors, after which a special argument is inserted.",
        ),
        forms=(_weighted_geometric, _squares_over_powers, _quadratic_prize, _logarithmic_series),
    ),
)
