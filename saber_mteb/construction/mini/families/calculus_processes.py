"""Double sums and integrals in the other order, and infinite self-similar processes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, multiple, surd
from saber_mteb.construction.mini.wording import tex

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _harmonic_weights(rng: Random, story: Story) -> Draft:
    q = rng.randint(2, 12)
    front = Fraction(q, q - 1)
    log = rf"\ln {q}" if q == 2 else rf"\ln \frac{{{q}}}{{{q - 1}}}"
    answer = multiple(front, log) if q == 2 else rf"\frac{{{q}}}{{{q - 1}}} {log}"
    return compose(
        rng,
        story,
        {"harmonic": q},
        statement=r"Let $H_n = 1 + \frac{1}{2} + \dots + \frac{1}{n}$. Find $\sum_{n=1}^{\infty} "
        r"\frac{H_n}{<harmonic>^n}$.",
        solution=r"All terms are positive, so the double sum $\sum_{n \ge 1} \sum_{k \le n} "
        r"\frac{1}{k \cdot <harmonic>^n}$ may be summed over $n$ first. For fixed $k$, the "
        r"geometric series gives $\sum_{n \ge k} <harmonic>^{-n} = <front> \cdot "
        r"<harmonic>^{-k}$. It remains to add $<front> \sum_{k \ge 1} \frac{1}{k \cdot "
        r"<harmonic>^k}$, and by the logarithmic series this is $<answer>$.",
        answer=answer,
        value=f"Rational({q}, {q - 1})*log(Rational({q}, {q - 1}))",
        front=front,
    )


def _sum_of_tails(rng: Random, story: Story) -> Draft:
    a = rng.randint(2, 15)
    return compose(
        rng,
        story,
        {"tail": a},
        statement=r"For $n \ge 1$ let $T_n = \sum_{m=n}^{\infty} \frac{1}{m (m + <tail>)(m + "
        r"<next>)}$. Calculate $T_1 + T_2 + T_3 + \dots$",
        solution=r"The summand with index $m$ belongs to $T_1, \dots, T_m$ and to no other tail. "
        r"Collecting it from all the tails, we obtain $\sum_{m \ge 1} m \cdot \frac{1}{m (m + "
        r"<tail>)(m + <next>)} = \sum_{m \ge 1} \left( \frac{1}{m + <tail>} - \frac{1}{m + "
        r"<next>} \right)$; the rearrangement is permitted as everything is positive. The sum is "
        r"its first term, $<answer>$.",
        answer=Fraction(1, a + 1),
        value=Fraction(1, a + 1),
        next=a + 1,
    )


def _completed_blocks(rng: Random, story: Story) -> Draft:
    block, q = rng.randint(2, 5), rng.randint(2, 6)
    total = Fraction(q, (q - 1) * (q**block - 1))
    return compose(
        rng,
        story,
        {"block": block, "q": q},
        statement=r"A fund at <place> pays <hero> every year. In year $n$ it pays "
        r"$\frac{1}{<q>^n}$ thousand euros for each complete period of $<block>$ years that has "
        r"elapsed by then, that is, $\left\lfloor \frac{n}{<block>} \right\rfloor$ times this "
        r"amount. What do all payments together amount to, in thousands of euros?",
        solution=r"Rather than year by year, add up period by period. The $j$-th period is "
        r"complete from year $<block>j$ on and thus earns $\sum_{n \ge <block>j} <q>^{-n} = "
        r"<front> \cdot <q>^{-<block>j}$ in all later years. The sum over $j \ge 1$ is again "
        r"geometric, with ratio $\frac{1}{<power>}$: it equals $<front> \cdot \frac{1}{<power> - "
        r"1} = <answer>$.",
        answer=total,
        value=total,
        front=Fraction(q, q - 1),
        power=q**block,
    )


def _two_exponentials(rng: Random, story: Story) -> Draft:
    a = rng.randint(1, 9)
    b = a + rng.randint(1, 9)
    ratio = Fraction(b, a)
    shown = f"\\frac{{e^{{-{'' if a == 1 else a}x}} - e^{{-{b}x}}}}{{x}}"
    return compose(
        rng,
        story,
        {"a": a, "b": b},
        statement=r"Compute the improper integral $\int_0^{\infty} <shown> \, dx$.",
        solution=r"For $x > 0$ the integrand is $\int_{<a>}^{<b>} e^{-xy} \, dy$. So we face a "
        r"double integral of a positive function, and Tonelli's theorem allows us to integrate "
        r"over $x$ first: $\int_0^{\infty} e^{-xy} \, dx = \frac{1}{y}$. What remains is "
        r"$\int_{<a>}^{<b>} \frac{dy}{y} = <answer>$.",
        answer=rf"\ln {tex(ratio)}",
        value=f"log(Rational({ratio.numerator}, {ratio.denominator}))",
        shown=shown,
    )


def _nested_radical(rng: Random, story: Story) -> Draft:
    inside = rng.randint(2, 40)
    root = 1 + 4 * inside
    radical = surd(1, root)
    answer = str((1 + int(radical)) // 2) if radical.isdigit() else rf"\frac{{1 + {radical}}}{{2}}"
    return compose(
        rng,
        story,
        {"inside": inside},
        statement=r"What is the value of $\sqrt{<inside> + \sqrt{<inside> + \sqrt{<inside> + "
        r"\dots}}}$?",
        solution=r"The truncated expressions increase and stay bounded, so there is a limit $x > "
        r"0$. The expression under the outermost root is $<inside>$ plus a complete copy of the "
        r"whole, hence $x = \sqrt{<inside> + x}$, or $x^2 - x - <inside> = 0$. The positive "
        r"solution is $x = <answer>$.",
        answer=answer,
        value=f"(1 + sqrt({root}))/2",
    )


def _continued_fraction(rng: Random, story: Story) -> Draft:
    a, b = rng.randint(2, 9), rng.randint(2, 12)
    root = a * a + 4 * b
    outside = surd(1, root)
    if outside.isdigit():
        answer = str((a + int(outside)) // 2)
    elif a % 2 == 0:
        answer = f"{a // 2} + {surd(Fraction(1, 2), root)}"
    else:
        answer = rf"\frac{{{a} + {outside}}}{{2}}"
    return compose(
        rng,
        story,
        {"whole": a, "numerator": b},
        statement=r"A sequence starts with $c_1 = <whole>$ and continues with $c_{n+1} = <whole> "
        r"+ \frac{<numerator>}{c_n}$. It converges. Find its limit.",
        solution=r"The limit $L$ is the infinite fraction $<whole> + \frac{<numerator>}{<whole> + "
        r"\frac{<numerator>}{<whole> + \dots}}$, whose first denominator is the same fraction "
        r"again. So $L = <whole> + \frac{<numerator>}{L}$, that is, $L^2 - <whole>L - <numerator> "
        r"= 0$. As all $c_n$ are positive, $L = <answer>$.",
        answer=answer,
        value=f"({a} + sqrt({root}))/2",
    )


def _painted_square(rng: Random, story: Story) -> Draft:
    side = rng.randint(3, 6)
    painted = rng.randint(1, side)
    repeated = rng.randint(2, side * side - painted - 2)
    part = Fraction(painted, side * side - repeated)
    return compose(
        rng,
        story,
        {"side": side, "painted": painted, "repeated": repeated},
        statement=r"<hero> decorates a square wall at <place>. It is divided into $<cells>$ equal "
        r"squares; $<painted>$ of them <are> painted, $<repeated>$ others are each divided, "
        r"painted and divided further in the same manner as the whole wall, and so on for ever; "
        r"the rest stays white. Which part of the wall will be painted?",
        solution=r"Let the painted part be $x$. Every one of the $<repeated>$ squares that are "
        r"treated further is a copy of the wall, reduced in area by the factor "
        r"$\frac{1}{<cells>}$, and so contributes $\frac{x}{<cells>}$. Therefore $x = "
        r"\frac{<painted>}{<cells>} + \frac{<repeated>}{<cells>} x$, and solving gives $x = "
        r"<answer>$.",
        answer=part,
        value=part,
        cells=side * side,
        are="is" if painted == 1 else "are",
    )


def _alternate_throws(rng: Random, story: Story) -> Draft:
    a, b = rng.sample(range(3, 13), 2)
    chance = Fraction(b, a + b - 1)
    return compose(
        rng,
        story,
        {"own": a, "other": b},
        statement=r"At <place>, <hero> and <rival> throw darts in turn, and the first to hit the "
        r"bull's eye wins. <hero> hits with probability $\frac{1}{<own>}$ and <rival> with "
        r"probability $\frac{1}{<other>}$ at each attempt. <hero> begins. With what probability "
        r"does <hero> win?",
        solution=r"Call the probability $w$. After both have missed once, the situation is "
        r"exactly as in the beginning, only less likely by the factor $<miss> \cdot <othermiss> = "
        r"<both>$. So $w = \frac{1}{<own>} + <both> w$, hence $w (1 - <both>) = \frac{1}{<own>}$, "
        r"and $w = <answer>$.",
        answer=chance,
        value=chance,
        miss=Fraction(a - 1, a),
        othermiss=Fraction(b - 1, b),
        both=Fraction((a - 1) * (b - 1), a * b),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="calc-swapped-order",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Series", "Double Sums and Integrals"),
        technique="double-counting",
        moves=("swap-order-of-summation", "geometric-series", "pass-to-the-limit"),
        key_ideas=(
            "Write the expression as a double sum or double integral of positive terms and "
            "evaluate it in the other order, where the inner part is elementary.",
            "Collecting each contribution over all places where it occurs exchanges the two "
            "summations and leaves a single series or integral that is known.",
        ),
        forms=(_harmonic_weights, _sum_of_tails, _completed_blocks, _two_exponentials),
    ),
    Family(
        key="calc-self-similarity",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Limits", "Infinite Processes"),
        technique="scaling",
        moves=("self-similarity", "solve-fixed-point-equation", "pass-to-the-limit"),
        key_ideas=(
            "The infinite expression contains a copy of itself, so its value satisfies a simple "
            "equation whose admissible solution is the limit.",
            "Removing the first step of the process leaves a scaled copy of the whole, which "
            "gives an equation for the unknown total.",
        ),
        forms=(_nested_radical, _continued_fraction, _painted_square, _alternate_throws),
    ),
)
