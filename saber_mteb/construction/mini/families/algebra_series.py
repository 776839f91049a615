"""Algebra: telescoping sums, telescoping products, recurrences."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import ordinal, signed, tex

if TYPE_CHECKING:
    from random import Random


def _products_of_neighbours(rng: Random, story: Story) -> Draft:
    a, d, n = rng.randint(1, 6), rng.randint(2, 7), rng.randint(12, 60)
    last = a + n * d
    value = Fraction(n, a * last)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Evaluate $\frac{{1}}{{{a}\cdot {a + d}}}+\frac{{1}}{{{a + d}\cdot {a + 2 * d}}}"
            rf"+\cdots+\frac{{1}}{{{last - d}\cdot {last}}}.$",
        ),
        solution=rf"The two factors of each denominator differ by ${d}$, so "
        rf"$\frac{{1}}{{m(m+{d})}}=\frac{{1}}{{{d}}}\left(\frac{{1}}{{m}}-\frac{{1}}{{m+{d}}}"
        rf"\right)$. Adding these identities for $m={a},{a + d},\dots,{last - d}$, every fraction "
        rf"except the first and the last cancels, and the total is $\frac{{1}}{{{d}}}\left("
        rf"{tex(Fraction(1, a))}-\frac{{1}}{{{last}}}\right)={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 1, "a": a, "d": d, "n": n},
    )


def _nested_radicals(rng: Random, story: Story) -> Draft:
    low, high, d = rng.randint(1, 6), rng.randint(8, 16), rng.choice((1, 1, 2, 3))
    # Steps of d from low^2 must land on (low + d*j)^2, a square that the step divides into.
    top = low + d * high
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Rationalising is forbidden on the calculator, so do it by hand: compute the exact "
            rf"value of $\sum \frac{{1}}{{\sqrt{{x}}+\sqrt{{x+{d}}}}}$, where $x$ runs through "
            rf"${low * low},{low * low + d},{low * low + 2 * d},\dots,{top * top - d}$.",
        ),
        solution=rf"Multiply numerator and denominator by the conjugate: $\frac{{1}}{{\sqrt{{x}}+"
        rf"\sqrt{{x+{d}}}}}=\frac{{\sqrt{{x+{d}}}-\sqrt{{x}}}}{{{d}}}$. "
        rf"Consecutive terms now share a radical with opposite signs, so only the two extreme "
        rf"radicals survive: $\frac{{\sqrt{{{top * top}}}-\sqrt{{{low * low}}}}}{{{d}}}="
        rf"\frac{{{top}-{low}}}{{{d}}}={high}$.",
        answer=str(high),
        value=str(high),
        parameters={"form": 2, "low": low, "top": top, "d": d},
    )


def _how_long(rng: Random, story: Story) -> Draft:
    start, days = rng.randint(2, 9), rng.randint(10, 50)
    end = start + days
    poured = Fraction(days, start * end)
    return Draft(
        statement=rf"A full barrel stands at {story.place}. On the first day {story.hero} takes "
        rf"out $\frac{{1}}{{{start}\cdot {start + 1}}}$ of a full barrel, on the second day "
        rf"$\frac{{1}}{{{start + 1}\cdot {start + 2}}}$, on the third day "
        rf"$\frac{{1}}{{{start + 2}\cdot {start + 3}}}$, and so on. After how many days has "
        rf"exactly ${tex(poured)}$ of the barrel been taken?",
        solution=rf"On day $j$ the amount is $\frac{{1}}{{({start - 1}+j)({start}+j)}}="
        rf"\frac{{1}}{{{start - 1}+j}}-\frac{{1}}{{{start}+j}}$. After $n$ days the "
        rf"intermediate fractions have cancelled and $\frac{{1}}{{{start}}}-\frac{{1}}{{{start}+n}}"
        rf"$ is gone. Setting this equal to ${tex(poured)}$ gives $\frac{{1}}{{{start}+n}}="
        rf"\frac{{1}}{{{start}}}-{tex(poured)}=\frac{{1}}{{{end}}}$, so $n={days}$.",
        answer=str(days),
        value=str(days),
        parameters={"form": 3, "start": start, "p": poured.numerator, "q": poured.denominator},
    )


def _three_factors(rng: Random, story: Story) -> Draft:
    n = rng.randint(7, 70)
    value = Fraction(1, 4) - Fraction(1, 2 * (n + 1) * (n + 2))
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"For a positive integer $k$ let $t_k$ be the reciprocal of the product of the three "
            rf"consecutive integers that begin with $k$. Determine $t_1+t_2+\cdots+t_{{{n}}}$ as "
            rf"a fraction in lowest terms.",
        ),
        solution=rf"Observe that $\frac{{1}}{{k(k+1)}}-\frac{{1}}{{(k+1)(k+2)}}="
        rf"\frac{{2}}{{k(k+1)(k+2)}}=2t_k$. Hence $2(t_1+\cdots+t_{{{n}}})$ collapses to "
        rf"$\frac{{1}}{{1\cdot 2}}-\frac{{1}}{{{n + 1}\cdot {n + 2}}}$, and dividing by two "
        rf"gives ${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 4, "n": n},
    )


def _squares_below(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    value = 1 - Fraction(1, (n + 1) ** 2)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The $k$-th term of a sequence has the $k$-th odd number greater than $1$ in its "
            rf"numerator and $k^2(k+1)^2$ in its denominator. Find the sum of its first "
            rf"${n}$ terms.",
        ),
        solution=rf"The numerator is $2k+1=(k+1)^2-k^2$, so the term is $\frac{{1}}{{k^2}}-"
        rf"\frac{{1}}{{(k+1)^2}}$. In the sum from $k=1$ to $k={n}$ all inner terms appear once "
        rf"with each sign, which leaves $1-\frac{{1}}{{{n + 1}^2}}={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 5, "n": n},
    )


def _difference_of_squares(rng: Random, story: Story) -> Draft:
    n = rng.randint(10, 90)
    value = Fraction(n + 1, 2 * n)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Simplify $\left(1-\frac{{1}}{{2^2}}\right)\left(1-\frac{{1}}{{3^2}}\right)\cdots"
            rf"\left(1-\frac{{1}}{{{n}^2}}\right).$",
        ),
        solution=rf"Each bracket equals $\frac{{(k-1)(k+1)}}{{k^2}}=\frac{{k-1}}{{k}}\cdot"
        rf"\frac{{k+1}}{{k}}$. The first quotients multiply to $\frac{{1}}{{{n}}}$ and the "
        rf"second ones to $\frac{{{n + 1}}}{{2}}$, because neighbours cancel. The product is "
        rf"${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 1, "n": n},
    )


def _cubes(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    value = Fraction(2 * (n * n + n + 1), 3 * n * (n + 1))
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"For every integer $k$ from $2$ to ${n}$ write down the quotient of the number just "
            rf"below $k^3$ and the number just above it. What do all these quotients multiply to?",
        ),
        solution=rf"Factor $\frac{{k^3-1}}{{k^3+1}}=\frac{{k-1}}{{k+1}}\cdot"
        rf"\frac{{k^2+k+1}}{{k^2-k+1}}$ and note that $k^2+k+1=(k+1)^2-(k+1)+1$, so the second "
        rf"quotient has the form $\frac{{g(k+1)}}{{g(k)}}$ with $g(k)=k^2-k+1$. Its product is "
        rf"$\frac{{g({n + 1})}}{{g(2)}}=\frac{{{n * n + n + 1}}}{{3}}$. The first quotients "
        rf"collapse to $\frac{{1\cdot 2}}{{{n}\cdot {n + 1}}}$. Altogether the result is "
        rf"${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 2, "n": n},
    )


def _growing_fractions(rng: Random, story: Story) -> Draft:
    n = rng.randint(6, 30)
    start = 2 * rng.randint(3, 20)
    value = start * (n + 1) // 2
    return Draft(
        statement=rf"On opening day there are ${start}$ {story.things} at {story.place}. During "
        rf"the following week their number grows by one half of what it was, in the next week "
        rf"by one third, then by one quarter, and so on; in the last of these weeks it grows by "
        rf"$\frac{{1}}{{{n}}}$. (Fractions of a {story.thing} may occur on the way.) What is the "
        rf"final number?",
        solution=rf"Growing by $\frac{{1}}{{k}}$ multiplies by $\frac{{k+1}}{{k}}$. The factors "
        rf"$\frac{{3}}{{2}}\cdot\frac{{4}}{{3}}\cdots\frac{{{n + 1}}}{{{n}}}$ cancel crosswise and "
        rf"leave $\frac{{{n + 1}}}{{2}}$. Therefore the final number is "
        rf"${start}\cdot\frac{{{n + 1}}}{{2}}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n, "start": start},
    )


def _doubling_exponents(rng: Random, story: Story) -> Draft:
    base, m = rng.randint(2, 12), rng.randint(4, 10)
    exponent = 2 ** (m + 1)
    factor = "" if base == 2 else rf"{base - 1}\cdot "
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The number ${factor}({base}+1)({base}^2+1)({base}^4+1)\cdots"
            rf"({base}^{{{2**m}}}+1)+1$, in which every exponent is twice the one before, is a "
            rf"perfect power ${base}^e$. Which value does $e$ have?",
        ),
        solution=rf"Start with ${base}-1={base - 1}$ and multiply by the brackets one at a time. "
        rf"Since $({base}^j-1)({base}^j+1)={base}^{{2j}}-1$, every step doubles the exponent and "
        rf"keeps the shape $b^j-1$. After the bracket with ${base}^{{{2**m}}}$ the product is "
        rf"${base}^{{{exponent}}}-1$. Adding $1$ leaves ${base}^{{{exponent}}}$, so "
        rf"$e={exponent}$.",
        answer=str(exponent),
        value=str(exponent),
        parameters={"form": 4, "base": base, "m": m},
    )


def _reciprocal_powers(rng: Random, story: Story) -> Draft:
    t, n = rng.randint(3, 7), rng.randint(4, 7)
    powers = [2, t]
    while len(powers) <= n:
        powers.append(t * powers[-1] - powers[-2])
    steps = ", ".join(f"s_{{{k}}}={powers[k]}" for k in range(2, n + 1))
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A number and its reciprocal have sum ${t}$. What is the sum of the {ordinal(n)} "
            rf"powers of these two numbers?",
        ),
        solution=rf"Call the number $x$ and put $s_k=x^k+x^{{-k}}$, so $s_0=2$ and $s_1={t}$. "
        rf"Expanding $s_1s_k=s_{{k+1}}+s_{{k-1}}$ gives $s_{{k+1}}={t}s_k-s_{{k-1}}$. "
        rf"Step by step, ${steps}$. The requested sum is ${powers[n]}$.",
        answer=str(powers[n]),
        value=str(powers[n]),
        parameters={"form": 1, "t": t, "n": n},
    )


def _two_term(rng: Random, story: Story) -> Draft:
    p, q = sorted(rng.sample(range(2, 7), 2))
    u, v, n = rng.randint(1, 4), rng.randint(1, 4), rng.randint(6, 9)
    first, second = u + v, u * p + v * q
    value = u * p**n + v * q**n
    left = "" if u == 1 else rf"{u}\cdot "
    right = "" if v == 1 else rf"{v}\cdot "
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $a_0={first}$, $a_1={second}$ and $a_{{n+2}}={p + q}a_{{n+1}}-{p * q}a_n$ for "
            rf"all $n\ge 0$. Find $a_{{{n}}}$.",
        ),
        solution=rf"A geometric sequence $r^n$ obeys the rule exactly when $r^2={p + q}r-{p * q}$, "
        rf"that is for $r={p}$ and $r={q}$. So $a_n=A\cdot {p}^n+B\cdot {q}^n$, where "
        rf"$A+B={first}$ and ${p}A+{q}B={second}$ force $A={u}$ and $B={v}$. Consequently "
        rf"$a_{{{n}}}={left}{p}^{{{n}}}+{right}{q}^{{{n}}}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "first": first, "second": second, "s": p + q, "p": p * q, "n": n},
    )


def _yearly_stock(rng: Random, story: Story) -> Draft:
    factor, fixed, years = rng.randint(2, 4), rng.randint(2, 15), rng.randint(5, 8)
    removed = fixed * (factor - 1)
    start = fixed + rng.randint(1, 6)
    value = fixed + factor**years * (start - fixed)
    times = {2: "doubles", 3: "triples", 4: "quadruples"}[factor]
    return Draft(
        statement=rf"{story.hero} owns ${start}$ {story.things}. Every year the collection first "
        rf"{times}, and then ${removed}$ {story.things} are given away to {story.place}. How many "
        rf"{story.things} does {story.hero} own after ${years}$ years?",
        solution=rf"If $c_n$ is the number after $n$ years, then "
        rf"$c_{{n+1}}={factor}c_n-{removed}$. "
        rf"The constant ${fixed}$ satisfies ${fixed}={factor}\cdot {fixed}-{removed}$, and "
        rf"subtracting shows $c_{{n+1}}-{fixed}={factor}(c_n-{fixed})$. Thus $c_n-{fixed}$ is "
        rf"multiplied by ${factor}$ each year and $c_{{{years}}}={fixed}+{factor}^{{{years}}}"
        rf"({start}-{fixed})={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "f": factor, "r": removed, "start": start, "n": years},
    )


def _alternating(rng: Random, story: Story) -> Draft:
    low, length, seed = rng.randint(5, 25), 2 * rng.randint(5, 20), rng.randint(10, 99)
    high = low + length
    pairs = sum(range(low + 1, high + 1))
    value = pairs + seed
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A function $f$ satisfies $f(x)+f(x-1)=x^2$ for every integer $x$, and it is known "
            rf"that $f({low})={seed}$. Determine $f({high})$.",
        ),
        solution=rf"Read the condition as $f(x)=x^2-f(x-1)$ and apply it twice: $f(x)="
        rf"x^2-(x-1)^2+f(x-2)=f(x-2)+x+(x-1)$. Stepping down from ${high}$ to ${low}$ by twos, "
        rf"we collect every integer from ${low + 1}$ to ${high}$ once, so $f({high})=f({low})+"
        rf"({low + 1}+{low + 2}+\cdots+{high})={seed}{signed(pairs)}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "low": low, "high": high, "seed": seed},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="alg-telescoping-sum",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Sequences and Series", "Finite Sums"),
        technique="telescoping",
        moves=("split-into-difference", "cancel-neighbours", "partial-fractions"),
        key_ideas=(
            "Every summand is rewritten as a difference of two neighbouring values of one "
            "expression, so that all inner terms cancel and only the two ends of the sum remain.",
            "Decompose the general term into consecutive differences; the sum then collapses, and "
            "the first and the last contribution are all that has to be evaluated.",
        ),
        forms=(
            _products_of_neighbours,
            _nested_radicals,
            _how_long,
            _three_factors,
            _squares_below,
        ),
    ),
    Family(
        key="alg-telescoping-product",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Sequences and Series", "Finite Products"),
        technique="telescoping",
        moves=("cancel-neighbours", "write-as-quotient", "factor-expression"),
        key_ideas=(
            "Each factor is turned into a quotient of two consecutive values of one expression, "
            "so that numerators cancel against neighbouring denominators and only the ends stay.",
            "Factoring every term as a ratio of neighbours makes the whole product collapse, and "
            "the answer is read off from the uncancelled first and last pieces.",
        ),
        forms=(_difference_of_squares, _cubes, _growing_fractions, _doubling_exponents),
    ),
    Family(
        key="alg-recurrence",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Sequences and Series", "Recursive Sequences"),
        technique="recurrence",
        moves=("set-up-recurrence", "unwind-recurrence", "characteristic-equation"),
        key_ideas=(
            "Express each value through the ones before it, then unwind this rule step by step, "
            "or through geometric solutions, until the required index is reached.",
            "The quantity obeys a linear rule linking consecutive indices; solving this rule from "
            "the known starting values downwards or upwards produces the wanted value.",
        ),
        forms=(_reciprocal_powers, _two_term, _yearly_stock, _alternating),
    ),
)
