"""Number theory: counting multiples in two orders, exponents in factorials, factorial sums."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, isqrt
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import tex

if TYPE_CHECKING:
    from random import Random

_PRIMES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)


def _layers(n: int, prime: int) -> list[int]:
    """Numbers of multiples up to n of the prime, its square, its cube and so on."""
    layers, power = [], prime
    while power <= n:
        layers.append(n // power)
        power *= prime
    return layers


def _plus(numbers: list[int]) -> str:
    return "+".join(map(str, numbers))


def _toggles(rng: Random, story: Story) -> Draft:
    n = rng.randint(15, 60)
    value = sum(n // k for k in range(1, n + 1))
    return Draft(
        statement=rf"The doors in a corridor at {story.place} are numbered from $1$ to ${n}$, and "
        rf"as "
        rf"many children, numbered in the same way, run past. Child number $k$ turns the key of "
        rf"every door whose number is divisible by $k$. How often is a key turned altogether?",
        solution=rf"Counting by doors would require the divisors of every number, so count by "
        rf"children instead. Child $k$ turns $\left\lfloor\frac{{{n}}}{{k}}\right\rfloor$ keys. "
        rf"The total is ${_plus([n // k for k in range(1, n + 1)])}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n},
    )


def _mean_divisor_sum(rng: Random, story: Story) -> Draft:
    n = rng.randint(10, 40)
    value = sum(k * (n // k) for k in range(1, n + 1))
    terms = _plus([k * (n // k) for k in range(1, n + 1)])
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $\sigma(m)$ denote the sum of the positive divisors of $m$. Compute "
            rf"$\sigma(1)+\sigma(2)+\cdots+\sigma({n})$.",
        ),
        solution=rf"Fill a table whose row $m$ shows the divisors of $m$, each divisor $d$ in "
        rf"column "
        rf"$d$. Adding by rows gives the question. Column $d$ contains the number $d$ once for "
        rf"every "
        rf"multiple of $d$ up to ${n}$, so it adds to "
        rf"$d\left\lfloor\frac{{{n}}}{{d}}\right\rfloor$. "
        rf"Adding the columns for $d=1,\dots,{n}$: ${terms}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "n": n},
    )


def _floors_of_roots(rng: Random, story: Story) -> Draft:
    n = rng.randint(40, 400)
    top = isqrt(n)
    squares = top * (top + 1) * (2 * top + 1) // 6
    value = top * (n + 1) - squares
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"For $k=1,2,\dots,{n}$ take the integer part of $\sqrt{{k}}$. What is the sum of "
            rf"these "
            rf"${n}$ integers?",
        ),
        solution=rf"The integer part of $\sqrt{{k}}$ is the number of positive $j$ with $j^2\le "
        rf"k$. "
        rf"So the sum counts pairs $(j,k)$ with $j^2\le k\le {n}$. Collect them by $j$ instead: "
        rf"for "
        rf"$j=1,\dots,{top}$ there are ${n + 1}-j^2$ values of $k$. The sum is "
        rf"${top}\cdot {n + 1}-(1^2+\cdots+{top}^2)={top * (n + 1)}-{squares}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n},
    )


def _largest_odd_divisors(rng: Random, story: Story) -> Draft:
    e = rng.randint(4, 12)
    n = 2**e
    value = (4**e + 2) // 3
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Replace every integer from $1$ to ${n}$ by its greatest odd divisor. By how much "
            rf"does "
            rf"the sum of all ${n}$ numbers exceed ${n // 2}$ after the replacement?",
        ),
        solution=rf"Group the numbers by the power of two they contain, not by size. Those with "
        rf"exactly $2^i$, $i<{e}$, are $2^i$ times the odd numbers below $2^{{{e}-i}}$; their "
        rf"replacements add to $1+3+\cdots+(2^{{{e}-i}}-1)=4^{{{e}-i-1}}$. The number ${n}$ itself "
        rf"becomes $1$. The new sum is $4^{{{e - 1}}}+4^{{{e - 2}}}+\cdots+4+1+1="
        rf"\frac{{4^{{{e}}}-1}}{{3}}+1={value}$, and the excess over ${n // 2}$ is "
        rf"${value - n // 2}$.",
        answer=str(value - n // 2),
        value=str(value - n // 2),
        parameters={"form": 4, "n": n},
    )


def _trailing_zeros(rng: Random, story: Story) -> Draft:
    n, base = rng.randint(60, 900), rng.choice((6, 14, 15, 21, 22, 33))
    prime = max(p for p in (2, 3, 5, 7, 11) if base % p == 0)
    layers = _layers(n, prime)
    value = sum(layers)
    small = base // prime
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"With how many zeros does ${n}!$ end when it is written in the number system to base "
            rf"${base}$?",
        ),
        solution=rf"We look for the largest power of ${base}={small}\cdot {prime}$ dividing "
        rf"${n}!$; "
        rf"the prime ${small}$ occurs more often than ${prime}$, so only ${prime}$ matters. Rather "
        rf"than adding exponents number by number, count multiples of ${prime}$, then of its "
        rf"square "
        rf"(they deserve one more), and so forth: ${_plus(layers)}={value}$ zeros.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n, "base": base},
    )


def _binomial_exponent(rng: Random, story: Story) -> Draft:
    n, prime = rng.randint(60, 500), rng.choice((2, 3))
    top, bottom = sum(_layers(2 * n, prime)), sum(_layers(n, prime))
    value = top - 2 * bottom
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A committee of ${n}$ is elected from ${2 * n}$ candidates. The number of possible "
            rf"outcomes is divisible by ${prime}^e$ but not by ${prime}^{{e+1}}$. Find $e$.",
        ),
        solution=rf"The number is $\frac{{{2 * n}!}}{{({n}!)^2}}$. By counting multiples of "
        rf"${prime},{prime}^2,{prime}^3,\dots$ among the factors (Legendre), the exponent of "
        rf"${prime}$ in ${2 * n}!$ is ${_plus(_layers(2 * n, prime))}={top}$ and in ${n}!$ it is "
        rf"${_plus(_layers(n, prime))}={bottom}$. So $e={top}-2\cdot {bottom}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "n": n, "prime": prime},
    )


def _product_of_factorials(rng: Random, story: Story) -> Draft:
    n = rng.randint(20, 120)
    fives = [n - k + 1 for k in range(5, n + 1, 5)]
    more = [n - k + 1 for k in range(25, n + 1, 25)]
    value = sum(fives) + sum(more)
    extra = (
        rf" Multiples of $25$ contain a second factor $5$, which adds ${_plus(more)}={sum(more)}$."
        if more
        else ""
    )
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Find the number of zeros at the end of the product $1!\cdot 2!\cdot 3!\cdots {n}!$.",
        ),
        solution=rf"Zeros come from factors $5$, since factors $2$ abound. A number $m$ is a "
        rf"factor "
        rf"of exactly those factorials from $m!$ to ${n}!$, that is, of ${n + 1}-m$ of them. So "
        rf"instead of treating each factorial, sum over the multiples of $5$: "
        rf"${_plus(fives)}={sum(fives)}$.{extra} The product ends in ${value}$ zeros.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n},
    )


def _halving_cards(rng: Random, story: Story) -> Draft:
    n, prime = rng.randint(100, 2000), rng.choice((2, 3, 5))
    layers = _layers(n, prime)
    value = sum(layers)
    share = {2: "half", 3: "a third", 5: "a fifth"}[prime]
    return Draft(
        statement=rf"{story.hero} has ${n}$ cards with the numbers from $1$ to ${n}$. As long as a "
        rf"card shows a multiple of ${prime}$, {story.hero} replaces its number by {share} of it "
        rf"and "
        rf"receives one {story.thing} for that. How many {story.things} does {story.hero} collect "
        rf"before no multiple of ${prime}$ is left?",
        solution=rf"A card that starts with $m$ earns the exponent of ${prime}$ in $m$. Add these "
        rf"exponents layer by layer: the first reward goes to multiples of ${prime}$, the second "
        rf"to "
        rf"multiples of ${prime**2}$, and so on. Thus the total is ${_plus(layers)}={value}$, "
        rf"which "
        rf"is also the exponent of ${prime}$ in ${n}!$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "n": n, "prime": prime},
    )


def _factorial_times_index(rng: Random, story: Story) -> Draft:
    p, gap = rng.choice(_PRIMES), rng.choice((1, 2))
    n = p - 1 - gap
    value = p - 2 if gap == 1 else 0
    wilson = (
        rf"${p - 1}!\equiv -1\pmod{{{p}}}$ and the sum is congruent to $-1-1=-2$"
        if gap == 1
        else rf"${p - 1}!\equiv -1$ means $-1\cdot {p - 2}!\equiv -1$, so ${p - 2}!\equiv 1"
        rf"\pmod{{{p}}}$"
        rf" and the sum is congruent to $1-1=0$"
    )
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Find the remainder of $1\cdot 1!+2\cdot 2!+3\cdot 3!+\cdots+{n}\cdot {n}!$ on "
            rf"division by ${p}$.",
        ),
        solution=rf"Since $k\cdot k!=(k+1)!-k!$, the sum collapses to ${n + 1}!-1$. By Wilson's "
        rf"theorem, {wilson}. The remainder is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n, "p": p},
    )


def _trailing_nines(rng: Random, story: Story) -> Draft:
    n = rng.randint(20, 300)
    layers = _layers(n + 1, 5)
    value = sum(layers)
    return Draft(
        statement=rf"{story.hero} owns one {story.thing} worth $1!$ coins, two worth $2!$ coins "
        rf"each, "
        rf"three worth $3!$ coins each, and so on up to ${n}$ {story.things} worth ${n}!$ coins "
        rf"each. Written in decimal, the total worth ends in a block of nines. How long is it?",
        solution=rf"The $k$ {story.things} of one kind are worth $k\cdot k!=(k+1)!-k!$ coins. "
        rf"Adding "
        rf"all kinds, everything between cancels and ${n + 1}!-1$ remains. Now ${n + 1}!$ ends in "
        rf"${_plus(layers)}={value}$ zeros, one for each factor $5$. Subtracting $1$ turns them "
        rf"all "
        rf"into nines, and the digit before them is not a nine, being one less than a nonzero "
        rf"digit. "
        rf"The block has length ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "n": n},
    )


def _quadratic_factor(rng: Random, story: Story) -> Draft:
    p = rng.choice(_PRIMES)
    n = p - 3
    value = p - 3
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $p={p}$ and $T=\sum_{{k=1}}^{{{n}}}(k^2+k+1)\,k!$. What is the smallest "
            rf"nonnegative integer congruent to $T$ modulo $p$?",
        ),
        solution=rf"Because $k^2+k+1=(k+1)^2-k$, the summand equals $(k+1)\cdot(k+1)!-k\cdot k!$. "
        rf"The sum collapses to $T={n + 1}\cdot {n + 1}!-1$. Wilson's theorem gives "
        rf"${p - 1}!\equiv -1$ and hence ${p - 2}!\equiv 1\pmod{{{p}}}$. With ${p - 2}\equiv -2$ "
        rf"we "
        rf"get $T\equiv -2-1=-3$, that is, ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n, "p": p},
    )


def _missing_to_one(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 11)
    gap = Fraction(1, factorial(n + 1))
    value = gap.denominator
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The sum $\frac{{1}}{{2!}}+\frac{{2}}{{3!}}+\frac{{3}}{{4!}}+\cdots+\frac{{{n}}}"
            rf"{{{n + 1}!}}$ is slightly less than $1$ and is brought to lowest terms. Find the "
            rf"denominator.",
        ),
        solution=rf"Write the numerator $k$ as $(k+1)-1$: then "
        rf"$\frac{{k}}{{(k+1)!}}=\frac{{1}}{{k!}}"
        rf"-\frac{{1}}{{(k+1)!}}$, and the sum collapses to $1-\frac{{1}}{{{n + 1}!}}="
        rf"\frac{{{n + 1}!-1}}{{{n + 1}!}}$. Consecutive integers are coprime, so nothing can be "
        rf"reduced, and the denominator is ${n + 1}!={value}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 4, "n": n},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="nt-multiples-two-ways",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Divisors", "Sums of Arithmetic Functions"),
        technique="double-counting",
        moves=("swap-order-of-summation", "multiples-below-bound", "group-by-divisor"),
        key_ideas=(
            "Count pairs of a divisor and a multiple by the divisor instead of by the multiple; "
            "swapping the order of summation leaves only easily computed counts.",
            "The sum over all numbers of a divisor function is rearranged so that each divisor "
            "contributes once for every multiple of it within the range.",
        ),
        forms=(_toggles, _mean_divisor_sum, _floors_of_roots, _largest_odd_divisors),
    ),
    Family(
        key="nt-factorial-exponents",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Factorials", "Prime Exponents"),
        technique="double-counting",
        moves=("legendre-layers", "multiples-below-bound", "swap-order-of-summation"),
        key_ideas=(
            "Add the exponents of the prime layer by layer: count the multiples of the prime, of "
            "its square and of higher powers, instead of treating each factor.",
            "The exponent of a prime in a product is found by counting, for every power of it, how "
            "many of the factors this power divides.",
        ),
        forms=(_trailing_zeros, _binomial_exponent, _product_of_factorials, _halving_cards),
    ),
    Family(
        key="nt-factorial-sums",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Factorials", "Sums with Factorials"),
        technique="telescoping",
        moves=("split-into-difference", "cancel-neighbours", "wilson-theorem"),
        key_ideas=(
            "Each term is a difference of consecutive factorial expressions, so the sum collapses "
            "to its ends, whose arithmetic properties are then easy to read off.",
            "Rewrite the factor before the factorial so that neighbouring terms cancel; a known "
            "fact about a single factorial answers the question that is left.",
        ),
        forms=(_factorial_times_index, _trailing_nines, _quadratic_factor, _missing_to_one),
    ),
)
