"""Extrema: means, derivatives, completed squares."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, power, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _square_and_reciprocal(rng: Random, story: Story) -> Draft:
    c = rng.randint(2, 16)
    return compose(
        rng,
        story,
        {"c": c},
        statement=r"Find the minimum of $f(x) = x^2 + \frac{<top>}{x}$ for $x > 0$.",
        solution=r"Split the second summand into two equal halves: $f(x) = x^2 + \frac{<half>}{x} "
        r"+ \frac{<half>}{x}$. The product of these three positive numbers does not depend on "
        r"$x$; it is $<half>^2$. By the inequality of the means $f(x) \ge 3 \sqrt[3]{<half>^2} = "
        r"<answer>$, and the three are equal for $x = <c>$. The minimum is $<answer>$.",
        answer=3 * c * c,
        value=3 * c * c,
        top=2 * c**3,
        half=c**3,
    )


def _product_of_powers(rng: Random, story: Story) -> Draft:
    p, q = rng.sample(range(2, 5), 2)
    unit = rng.randint(2, 4)
    total = (p + q) * unit
    value = (p * unit) ** p * (q * unit) ** q
    return compose(
        rng,
        story,
        {"p": p, "q": q, "total": total},
        statement=r"What is the greatest value that $<left> <right>$ takes on the interval $[0, "
        r"<total>]$?",
        solution=r"Consider $<p>$ copies of $\frac{x}{<p>}$ and $<q>$ of $\frac{<total> - "
        r"x}{<q>}$. These $<count>$ non-negative numbers have the sum $<total>$, so their "
        r"arithmetic mean is $<unit>$, and their product is at most $<unit>^{<count>}$. "
        r"Multiplying by $<factor>$ we see that the given expression is at most $<answer>$. It "
        r"takes this value at $x = <best>$, where all the numbers are equal to $<unit>$.",
        answer=value,
        value=value,
        left=power("x", p),
        right=power(f"({total} - x)", q),
        count=p + q,
        unit=unit,
        factor=rf"{power(str(p), p)} \cdot {power(str(q), q)}",
        best=p * unit,
    )


def _two_variables(rng: Random, story: Story) -> Draft:
    c = rng.randint(2, 15)
    return compose(
        rng,
        story,
        {"cube": c},
        statement=r"Let $x$ and $y$ vary over the positive reals. Prove that $F(x, y) = x + y + "
        r"\frac{<number>}{xy}$ has a smallest value, and determine it.",
        solution=r"Three positive terms whose product is the constant $<number>$: their geometric "
        r"mean is $<cube>$, so their arithmetic mean $\frac{1}{3} F(x, y)$ is at least $<cube>$. "
        r"Thus $F(x, y) \ge <answer>$ everywhere. Since $F(<cube>, <cube>) = <answer>$, the "
        r"smallest value is $<answer>$.",
        answer=3 * c,
        value=3 * c,
        number=c**3,
    )


def _store_costs(rng: Random, story: Story) -> Draft:
    a, b = rng.sample(range(2, 40), 2)
    return compose(
        rng,
        story,
        {"storing": a, "ordering": b},
        statement=r"<hero> orders <things> for <place> in lots of $x$ hundred. Storing them costs "
        r"$<storing>x$ euros a month, and the fees for ordering amount to $\frac{<ordering>}{x}$ "
        r"euros a month; any real $x > 0$ is possible. How low can the monthly costs become?",
        solution=r"The costs are the sum of $<storing>x$ and $\frac{<ordering>}{x}$, two "
        r"quantities with the fixed product $<storing> \cdot <ordering> = <product>$. Their "
        r"arithmetic mean is never below the geometric mean $\sqrt{<product>}$, so the costs are "
        r"at least $2 \sqrt{<product>}$. Equality occurs if $x^2 = <ratio>$. The lowest costs are "
        r"$<answer>$ euros.",
        answer=surd(2, a * b),
        value=f"2*sqrt({a * b})",
        product=a * b,
        ratio=Fraction(b, a),
    )


def _power_times_decay(rng: Random, story: Story) -> Draft:
    n, k = rng.randint(2, 6), rng.randint(1, 5)
    base = Fraction(n, k)
    inner = rf"\frac{{{base.numerator}}}{{{'' if base.denominator == 1 else base.denominator}e}}"
    return compose(
        rng,
        story,
        {"n": n, "k": k},
        statement=r"Find the largest value of $h(x) = x^{<n>} e^{-<shown>x}$ on $[0, \infty)$.",
        solution=r"We have $h'(x) = <lower> e^{-<shown>x} (<n> - <shown>x)$, which is positive "
        r"before $x = <best>$ and negative after it. Hence $h$ increases up to this point and "
        r"then decreases, and its largest value is $h \left( <best> \right) = <answer>$.",
        answer=rf"\left( {inner} \right)^{{{n}}}",
        value=f"Rational({base.numerator}, {base.denominator})**{n}*exp(-{n})",
        shown="" if k == 1 else k,
        lower=power("x", n - 1),
        best=base,
    )


def _three_roots(rng: Random, story: Story) -> Draft:
    a = rng.randint(2, 20)
    return compose(
        rng,
        story,
        {"a": a},
        statement=r"For how many integers $k$ does the equation $x^3 - <linear>x = k$ have three "
        r"different real solutions?",
        solution=r"The derivative $3x^2 - <linear>$ of the left-hand side vanishes at $x = \pm "
        r"<a>$. So the cubic rises to its local maximum $<bound>$ at $-<a>$, falls to its local "
        r"minimum $-<bound>$ at $<a>$, and rises again. A horizontal line at height $k$ meets the "
        r"graph three times exactly if $-<bound> < k < <bound>$. This leaves $2 \cdot <bound> - 1 "
        r"= <answer>$ integers.",
        answer=4 * a**3 - 1,
        value=4 * a**3 - 1,
        linear=3 * a * a,
        bound=2 * a**3,
    )


def _best_price(rng: Random, story: Story) -> Draft:
    scale, number = rng.randint(2, 12), 10 * rng.randint(5, 40)
    return compose(
        rng,
        story,
        {"scale": scale, "number": number},
        statement=r"From experience <hero> expects to sell $<number> e^{-p/<scale>}$ <things> at "
        r"<place> if the price is $p$ euros, treating this number as if it could be any real "
        r"number. What is the highest revenue in euros that a suitable price can bring?",
        solution=r"The revenue at the price $p$ is $R(p) = <number> p e^{-p/<scale>}$. Its "
        r"derivative is $<number> e^{-p/<scale>} \left( 1 - \frac{p}{<scale>} \right)$ and "
        r"changes its sign only at $p = <scale>$, from plus to minus. So the best price is "
        r"$<scale>$ euros, and it brings $R(<scale>) = <answer>$ euros.",
        answer=rf"\frac{{{number * scale}}}{{e}}",
        value=f"{number * scale}*exp(-1)",
    )


def _dip_of_the_logarithm(rng: Random, story: Story) -> Draft:
    n, factor = rng.randint(2, 9), rng.randint(1, 9)
    ratio = Fraction(factor, n)
    bottom = "e" if ratio.denominator == 1 else f"{ratio.denominator}e"
    return compose(
        rng,
        story,
        {"degree": n, "factor": factor},
        statement=r"How far below the $x$-axis does the graph of $y = <front><power> \ln x$, $x > "
        r"0$, descend? Give the largest depth.",
        solution=r"Differentiate: $y' = <front><lower> (<degree> \ln x + 1)$. The only zero is "
        r"$x_0 = e^{-1/<degree>}$; to the left of it the function decreases, to the right it "
        r"increases. There $x_0^{<degree>} = \frac{1}{e}$ and $\ln x_0 = -\frac{1}{<degree>}$, so "
        r"the lowest value is $-<answer>$, and the largest depth is $<answer>$.",
        answer=rf"\frac{{{ratio.numerator}}}{{{bottom}}}",
        value=f"Rational({ratio.numerator}, {ratio.denominator})*exp(-1)",
        front="" if factor == 1 else factor,
        power=power("x", n),
        lower=power("x", n - 1),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="calc-extrema-by-means",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Extrema", "Greatest and Least Values"),
        technique="mean-inequality",
        moves=("am-gm", "split-terms-evenly", "equality-case"),
        key_ideas=(
            "Split the expression into positive parts with constant product or constant sum and "
            "apply the inequality of arithmetic and geometric means, including its equality case.",
            "Without any derivative: suitably chosen equal portions make the means comparable, "
            "and the bound is attained when all portions coincide.",
        ),
        forms=(_square_and_reciprocal, _product_of_powers, _two_variables, _store_costs),
    ),
    Family(
        key="calc-extrema-by-derivative",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Extrema", "Greatest and Least Values"),
        technique="derivative-optimisation",
        moves=("zero-of-derivative", "sign-of-derivative", "evaluate-at-extremum"),
        key_ideas=(
            "Differentiate the function, find the zero of the derivative, and use the change of "
            "its sign to see that the value there is extreme.",
            "The sign of the derivative shows where the function rises and falls, which locates "
            "its extreme values and settles the question.",
        ),
        forms=(_power_times_decay, _three_roots, _best_price, _dip_of_the_logarithm),
    ),
)
