"""Number theory: factored Diophantine equations, differences of squares, ordered factorisations."""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import factored, factorise

if TYPE_CHECKING:
    from random import Random


def _divisors(number: int) -> int:
    return prod(exponent + 1 for exponent in factorise(number).values())


def _counted(number: int) -> str:
    """Say how many divisors a number has, as a chain of equations."""
    exponents = factorise(number).values()
    brackets = "".join(f"({exponent}+1)" for exponent in exponents)
    return rf"{number}={factored(factorise(number))}$ has ${brackets}={_divisors(number)}"


def _unit_fractions(rng: Random, story: Story) -> Draft:
    n = rng.choice([k for k in range(6, 91) if _divisors(k) > 3])
    value = _divisors(n * n)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"How many ordered pairs $(x,y)$ of positive integers satisfy $\frac{{1}}{{x}}+"
            rf"\frac{{1}}{{y}}=\frac{{1}}{{{n}}}$?",
        ),
        solution=rf"Clearing denominators gives $xy-{n}x-{n}y=0$, and adding ${n}^2$ to both sides "
        rf"produces $(x-{n})(y-{n})={n}^2$. Both brackets are positive, since $x,y>{n}$. So "
        rf"solutions correspond to the divisors of ${n}^2$; ${_counted(n * n)}$ divisors. There "
        rf"are ${value}$ pairs.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n},
    )


def _mixed_product(rng: Random, story: Story) -> Draft:
    a, b = rng.sample(range(2, 16), 2)
    value = _divisors(a * b)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Find the number of solutions of $xy={a}x+{b}y$ in natural numbers $x,y\ge 1$.",
        ),
        solution=rf"Rewrite the equation as $(x-{b})(y-{a})={a * b}$. If both brackets were "
        rf"negative, they would lie above $-{b}$ and $-{a}$, and their product would be smaller "
        rf"than ${a * b}$. Hence both are positive, and $x-{b}$ may be any divisor of ${a * b}$. "
        rf"Because ${_counted(a * b)}$ divisors, the equation has ${value}$ solutions.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "a": a, "b": b},
    )


def _area_and_perimeter(rng: Random, story: Story) -> Draft:
    k = rng.randint(2, 20)
    square = 4 * k * k
    value = (_divisors(square) + 1) // 2
    return Draft(
        statement=rf"{story.hero} wants a rectangular table for {story.place}. Both sides should "
        rf"be a whole number of decimetres, and the area in square decimetres should be ${k}$ "
        rf"times the perimeter in decimetres. Among how many different shapes can {story.hero} "
        rf"choose?",
        solution=rf"For sides $u\le v$ the condition is $uv={2 * k}(u+v)$, or $(u-{2 * k})"
        rf"(v-{2 * k})={square}$; a negative choice of both brackets would force a side that is "
        rf"not positive. The factor $u-{2 * k}$ is a divisor not above ${2 * k}$. As "
        rf"${_counted(square)}$ divisors, which pair up except for ${2 * k}$ itself, there are "
        rf"${value}$ shapes.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "k": k},
    )


def _longest_job(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    value = n * (n + 1)
    return Draft(
        statement=rf"Working together, {story.hero} and {story.rival} need exactly ${n}$ hours to "
        rf"repair all {story.things}. Each of them alone would need a whole number of hours. "
        rf"What is the longest time that {story.rival} alone could possibly need?",
        solution=rf"If they need $p$ and $q$ hours alone, the rates add: $\frac1p+\frac1q="
        rf"\frac{{1}}{{{n}}}$. Equivalently $(p-{n})(q-{n})={n * n}$ with positive factors. "
        rf"The second factor is largest when the first is $1$; then $p={n + 1}$ and "
        rf"$q={n}+{n * n}={value}$. So the longest possible time is ${value}$ hours.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "n": n},
    )


def _core(n: int) -> int:
    """The number whose factorisations are those of n into factors of equal parity."""
    return n if n % 2 else n // 4 if n % 4 == 0 else 1


def _square_difference(rng: Random, story: Story) -> Draft:
    n = rng.choice([k for k in range(45, 400) if _divisors(_core(k)) >= 6])
    odd = n % 2 == 1
    core = _core(n)
    value = _divisors(core) // 2
    reason = (
        rf"Since ${n}$ is odd, both factors are odd in every case."
        if odd
        else rf"The factors have the same parity, so both are even: write them as $2r$ and $2s$ "
        rf"with $rs={core}$."
    )
    square_note = (
        r" The equal factorisation would give $y=0$ and is left out." if _divisors(core) % 2 else ""
    )
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"In how many ways can ${n}$ be written as $x^2-y^2$ with positive integers $x$ and "
            rf"$y$?",
        ),
        solution=rf"We have $(x-y)(x+y)={n}$ with $x-y<x+y$. {reason} Every factorisation into a "
        rf"smaller and a larger factor of this kind gives one solution.{square_note} The number "
        rf"${_counted(core)}$ divisors, so there are ${value}$ ways.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n},
    )


def _largest_square_value(rng: Random, story: Story) -> Draft:
    k = 2 * rng.randint(3, 30) + 1
    value = ((k - 1) // 2) ** 2
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"For which largest integer $n$ is $n(n+{k})$ a perfect square?",
        ),
        solution=rf"Let $n^2+{k}n=m^2$ with $m\ge 0$. Multiplying by $4$ and completing the "
        rf"square, "
        rf"$(2n+{k})^2-(2m)^2={k * k}$, or $(2n+{k}-2m)(2n+{k}+2m)={k * k}$. For a large $n$ both "
        rf"factors are positive and their sum $4n+{2 * k}$ should be as large as possible, which "
        rf"happens for the factors $1$ and ${k * k}$. From $4n+{2 * k}={k * k + 1}$ we obtain "
        rf"$n={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "k": k},
    )


def _right_triangles(rng: Random, story: Story) -> Draft:
    leg = rng.choice([k for k in range(9, 80) if _divisors(_core(k * k)) >= 5])
    odd = leg % 2 == 1
    core = _core(leg * leg)
    value = (_divisors(core) - 1) // 2
    parity = (
        rf"As ${leg}^2$ is odd, every pair of different factors is admissible."
        if odd
        else rf"Sum and difference have equal parity, so both are even and their halves have "
        rf"product ${core}$."
    )
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Count the right triangles, up to congruence, with integer sides in which one of the "
            rf"two legs has length ${leg}$.",
        ),
        solution=rf"Let $b$ be the other leg and $c$ the hypotenuse. By Pythagoras "
        rf"$(c-b)(c+b)={leg}^2$. {parity} Now ${_counted(core)}$ divisors, and apart from the "
        rf"square root (which would give $b=0$) they form ${value}$ pairs of a smaller and a "
        rf"larger factor. Hence ${value}$ triangles exist.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "leg": leg},
    )


def _bigger_square(rng: Random, story: Story) -> Draft:
    extra = 2 * rng.randint(10, 60) + 1
    side = (extra - 1) // 2
    value = side * side
    return Draft(
        statement=rf"{story.hero} can lay out all the {story.things} of {story.place} in a square "
        rf"array, equally many in each row and column. With ${extra}$ more {story.things} the same "
        rf"would be possible again. What is the greatest number of {story.things} that "
        rf"{story.hero} can have?",
        solution=rf"Call the two side lengths $t$ and $s$ with $s>t$. Then "
        rf"${extra}=s^2-t^2=(s-t)(s+t)$. For fixed product the sum and hence $t$ grows when the "
        rf"factors move apart, so the extreme case is $s-t=1$ and $s+t={extra}$. This gives "
        rf"$t={side}$, and at most ${side}^2={value}$ pieces are there.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "extra": extra},
    )


def _spread(rng: Random, exponents: tuple[int, int], primes: int) -> dict[int, int]:
    chosen = sorted(rng.sample((2, 3, 5, 7), primes))
    return {prime: rng.randint(*exponents) for prime in chosen}


def _ordered_triples(rng: Random, story: Story) -> Draft:
    factors = _spread(rng, (1, 4), rng.choice((2, 3)))
    number = prod(p**e for p, e in factors.items())
    value = prod(comb(e + 2, 2) for e in factors.values())
    parts = r"\cdot ".join(rf"\binom{{{e}+2}}{{2}}" for e in factors.values())
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"How many ordered triples $(a,b,c)$ of positive integers have product "
            rf"$abc={number}$?",
        ),
        solution=rf"Factor ${number}={factored(factors)}$. A triple is the same thing as a way to "
        rf"hand out the exponent of each prime to $a$, $b$ and $c$. To hand out $e$ equal items to "
        rf"three people, arrange $e$ stars and two bars in a row: $\binom{{e+2}}{{2}}$ ways. The "
        rf"primes are independent, so the count is ${parts}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "number": number},
    )


def _pairs_with_lcm(rng: Random, story: Story) -> Draft:
    factors = _spread(rng, (1, 3), rng.choice((2, 3)))
    number = prod(p**e for p, e in factors.items())
    value = prod(2 * e + 1 for e in factors.values())
    parts = r"\cdot ".join(str(2 * e + 1) for e in factors.values())
    return Draft(
        statement=rf"Two lamps at {story.place} flash together at midnight. The first flashes "
        rf"every "
        rf"$u$ seconds, the second every $v$ seconds, with positive whole numbers $u$ and $v$, and "
        rf"the next common flash comes ${number}$ seconds later. How many ordered pairs "
        rf"$(u,v)$ are possible?",
        solution=rf"The first common flash comes after the least common multiple, so "
        rf"$\operatorname{{lcm}}(u,v)={number}={factored(factors)}$. Describe $u$ and $v$ by their "
        rf"exponents. For a prime with exponent $e$ in ${number}$ the two exponents lie between "
        rf"$0$ and $e$ and at least one equals $e$: that makes $2e+1$ choices. Multiplying over "
        rf"the primes, ${parts}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "number": number},
    )


def _square_divisors(rng: Random, story: Story) -> Draft:
    factors = _spread(rng, (2, 9), 3)
    value = prod(e // 2 + 1 for e in factors.values())
    parts = "".join(rf"({e // 2}+1)" for e in factors.values())
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Determine how many perfect squares (including $1$) divide the number "
            rf"${factored(factors)}$.",
        ),
        solution=rf"A divisor is encoded by its list of exponents. It is a square exactly when "
        rf"each of them is even, and halving them is a one-to-one translation into lists whose "
        rf"entries are at most {', '.join(f'${e // 2}$' for e in factors.values())} respectively. "
        rf"Such lists number ${parts}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, **{f"e{p}": e for p, e in factors.items()}},
    )


def _divisor_chains(rng: Random, story: Story) -> Draft:
    factors = _spread(rng, (1, 5), 2)
    number = prod(p**e for p, e in factors.items())
    value = prod(comb(e + 2, 2) for e in factors.values())
    parts = r"\cdot ".join(str(comb(e + 2, 2)) for e in factors.values())
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A pair $(d,m)$ of positive integers is called nested if $d$ divides $m$ and $m$ "
            rf"divides ${number}$; the numbers may coincide. Find the number of nested pairs.",
        ),
        solution=rf"For each prime of ${number}={factored(factors)}$ with exponent $e$, nested "
        rf"pairs choose exponents $0\le i\le j\le e$. Record them through the three gaps $i$, "
        rf"$j-i$, $e-j$, which are arbitrary nonnegative integers with sum $e$; by stars and bars "
        rf"there are $\binom{{e+2}}{{2}}$ of them. Altogether we find ${parts}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "number": number},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="nt-shifted-product",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Diophantine Equations", "Equations in Two Unknowns"),
        technique="factorisation",
        moves=("add-constant-to-factor", "distribute-divisors", "count-divisors"),
        key_ideas=(
            "Adding a constant turns the equation into a product of two shifted unknowns equal to "
            "a known number, so that solutions correspond to its divisors.",
            "Clear denominators and complete the product; integer solutions are then enumerated by "
            "the ways of splitting a fixed number into two factors.",
        ),
        forms=(_unit_fractions, _mixed_product, _area_and_perimeter, _longest_job),
    ),
    Family(
        key="nt-difference-of-squares",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Diophantine Equations", "Squares"),
        technique="factorisation",
        moves=("difference-of-squares", "distribute-divisors", "count-divisors", "parity"),
        key_ideas=(
            "Write the difference of two squares as a product of sum and difference, then "
            "distribute the divisors of the known number over these factors, watching their "
            "parity.",
            "Factoring the difference of squares reduces the question to pairs of divisors with "
            "equal parity, which are counted or compared in size.",
        ),
        forms=(_square_difference, _largest_square_value, _right_triangles, _bigger_square),
    ),
    Family(
        key="nt-exponent-vectors",
        domains=(Domain.NUMBER_THEORY, Domain.COMBINATORICS),
        topic=("Number Theory", "Divisors", "Counting Divisors and Factorisations"),
        technique="bijection",
        moves=("exponent-vectors", "stars-and-bars", "product-rule"),
        key_ideas=(
            "Translate divisors or factorisations into exponents of the primes; the exponents can "
            "be chosen independently, and each choice is a count of stars and bars.",
            "Unique factorisation gives a one-to-one correspondence with lists of exponents, "
            "which are counted separately for every prime and multiplied together.",
        ),
        forms=(_ordered_triples, _pairs_with_lcm, _square_divisors, _divisor_chains),
    ),
)
