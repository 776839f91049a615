"""Number theory: pairing divisors, pairing residues, sieving."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import gcd, lcm, prod
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import factored, factorise, signed, tex

if TYPE_CHECKING:
    from random import Random


def _divisors(number: int) -> int:
    return prod(exponent + 1 for exponent in factorise(number).values())


def _totient(number: int) -> int:
    return prod(p**e - p ** (e - 1) for p, e in factorise(number).items())


def _product_of_divisors(rng: Random, story: Story) -> Draft:
    n = rng.choice([k for k in range(40, 700) if _divisors(k) >= 8])
    value = Fraction(_divisors(n), 2)
    brackets = "".join(f"({e}+1)" for e in factorise(n).values())
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Multiply all positive divisors of ${n}$ (including $1$ and ${n}$). The result is "
            rf"${n}^k$. Which rational number is $k$?",
        ),
        solution=rf"If $d$ is a divisor, so is its complement $\frac{{{n}}}{{d}}$, and the two "
        rf"multiply to ${n}$. Squaring the product and arranging it in such couples gives one "
        rf"factor ${n}$ per divisor. From ${n}={factored(factorise(n))}$ there are "
        rf"${brackets}={_divisors(n)}$ divisors. Hence $2k={_divisors(n)}$ and $k={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 1, "n": n},
    )


def _divisor_plus_root(rng: Random, story: Story) -> Draft:
    m = rng.choice([k for k in range(6, 80) if _divisors(k) >= 4])
    n = m * m
    value = Fraction(_divisors(n), 2 * m)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Find the sum of the fractions $\frac{{1}}{{d+{m}}}$, taken over all $d>0$ that "
            rf"divide ${n}$.",
        ),
        solution=rf"Note that ${n}={m}^2$. For $dd'={n}$ we have $\frac{{1}}{{d+{m}}}+\frac{{1}}"
        rf"{{d'+{m}}}=\frac{{d+d'+{2 * m}}}{{{n}+{m}(d+d')+{n}}}=\frac{{1}}{{{m}}}$. Averaged over "
        rf"such couples (the middle divisor ${m}$ is its own partner), each divisor accounts for "
        rf"$\frac{{1}}{{{2 * m}}}$. Since ${n}={factored(factorise(n))}$ has ${_divisors(n)}$ "
        rf"divisors, the sum equals ${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 2, "m": m},
    )


def _logarithms(rng: Random, story: Story) -> Draft:
    n, base = rng.randint(3, 14), rng.choice((6, 10, 14, 15))
    value = Fraction(n * (n + 1) ** 2, 2)
    p, q = sorted(factorise(base))
    return Draft(
        statement=rf"At {story.place} every positive factor of ${base}^{{{n}}}$ is written on a "
        rf"separate slip of paper. {story.hero} replaces each number by its logarithm to base "
        rf"${base}$, and {story.rival} adds up all the logarithms. What total does {story.rival} "
        rf"obtain?",
        solution=rf"The factors $f$ and $\frac{{{base}^{{{n}}}}}{{f}}$ have logarithms with sum "
        rf"${n}$, so on average a slip shows $\frac{{{n}}}{{2}}$. A factor is $"
        rf"{p}^i\cdot {q}^j$ with $0\le i,j\le {n}$, which makes ${n + 1}^2$ slips. The total is "
        rf"${n + 1}^2\cdot\frac{{{n}}}{{2}}={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 3, "n": n, "base": base},
    )


def _small_divisors_of_square(rng: Random, story: Story) -> Draft:
    p, q = sorted(rng.sample((2, 3, 5, 7, 11, 13), 2))
    a, b = rng.randint(2, 20), rng.randint(2, 20)
    value = ((2 * a + 1) * (2 * b + 1) - 1) // 2 - ((a + 1) * (b + 1) - 1)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $N={p}^{{{a}}}\cdot {q}^{{{b}}}$. How many positive integers less than $N$ "
            rf"divide $N^2$ but do not divide $N$?",
        ),
        solution=rf"The square $N^2={p}^{{{2 * a}}}\cdot {q}^{{{2 * b}}}$ has ${2 * a + 1}\cdot "
        rf"{2 * b + 1}={(2 * a + 1) * (2 * b + 1)}$ divisors. Besides $N$ itself they come in "
        rf"couples with product $N^2$, one below and one above $N$; so "
        rf"${((2 * a + 1) * (2 * b + 1) - 1) // 2}$ are below. Among these are the "
        rf"${a + 1}\cdot {b + 1}-1={(a + 1) * (b + 1) - 1}$ proper divisors of $N$. The difference "
        rf"is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "p": p, "q": q, "a": a, "b": b},
    )


def _coprime_sum(rng: Random, story: Story) -> Draft:
    n = rng.choice([k for k in range(30, 400) if len(factorise(k)) >= 2])
    value = n * _totient(n) // 2
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Add up all positive integers below ${n}$ that have no common factor with ${n}$ "
            rf"except $1$.",
        ),
        solution=rf"If $k$ is coprime to ${n}$, so is ${n}-k$, and $k\ne {n}-k$ because otherwise "
        rf"$k$ would divide ${n}$ and exceed $1$. The numbers thus form couples with sum ${n}$. "
        rf"Their quantity is $\varphi({n})$, where ${n}={factored(factorise(n))}$ gives "
        rf"$\varphi({n})={_totient(n)}$. The sum is $\frac{{{_totient(n)}}}{{2}}\cdot "
        rf"{n}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n},
    )


def _floors_of_multiples(rng: Random, story: Story) -> Draft:
    b = rng.randint(20, 90)
    a = rng.choice([k for k in range(7, 90) if gcd(k, b) == 1 and k != b])
    value = (a - 1) * (b - 1) // 2
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Evaluate $\left\lfloor\frac{{{a}}}{{{b}}}\right\rfloor+\left\lfloor\frac{{2\cdot "
            rf"{a}}}{{{b}}}\right\rfloor+\left\lfloor\frac{{3\cdot {a}}}{{{b}}}\right\rfloor+\cdots"
            rf"+\left\lfloor\frac{{{b - 1}\cdot {a}}}{{{b}}}\right\rfloor$, where "
            rf"$\lfloor t\rfloor$ is the greatest integer not above $t$.",
        ),
        solution=rf"As $\gcd({a},{b})=1$, none of the fractions is an integer. The fractions for "
        rf"$k$ "
        rf"and ${b}-k$ add to the integer ${a}$, and their fractional parts add to $1$; so the two "
        rf"floors add to ${a - 1}$. Reading the sum forwards and backwards, twice its value is "
        rf"${b - 1}\cdot {a - 1}$. The sum is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "a": a, "b": b},
    )


def _reduced_fractions(rng: Random, story: Story) -> Draft:
    n, m = rng.choice([k for k in range(12, 121) if len(factorise(k)) >= 2]), rng.randint(2, 12)
    value = m * m * _totient(n) // 2
    return Draft(
        statement=rf"{story.hero} marks on a number line between $0$ and ${m}$ all fractions whose "
        rf"denominator in lowest terms is exactly ${n}$. What is the sum of the marked numbers?",
        solution=rf"A fraction $\frac{{a}}{{{n}}}$ is marked if $\gcd(a,{n})=1$ and $0<a<{m * n}$. "
        rf"Then ${m}-\frac{{a}}{{{n}}}$ is marked as well, so the marks lie symmetrically around "
        rf"${tex(Fraction(m, 2))}$, which is their mean. Each of the ${m}$ unit intervals contains "
        rf"$\varphi({n})={_totient(n)}$ marks. The sum is "
        rf"${m}\cdot {_totient(n)}\cdot {tex(Fraction(m, 2))}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n, "m": m},
    )


def _odd_power_remainders(rng: Random, story: Story) -> Draft:
    p = rng.choice([k for k in range(11, 150) if len(factorise(k)) == 1 and _divisors(k) == 2])
    e = rng.choice((3, 5, 7, 9))
    value = p * (p - 1) // 2
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Each of $1^{e},2^{e},3^{e},\dots,{p - 1}^{e}$ is divided by the prime ${p}$. "
            rf"What do the ${p - 1}$ remainders add up to?",
        ),
        solution=rf"None of the remainders is $0$. Since ${e}$ is odd, $k^{e}+({p}-k)^{e}$ is "
        rf"divisible by $k+({p}-k)={p}$. So the remainders of $k^{e}$ and $({p}-k)^{e}$, being "
        rf"between $1$ and ${p - 1}$, add to exactly ${p}$. There are $\frac{{{p - 1}}}{{2}}$ such "
        rf"couples and the total is ${(p - 1) // 2}\cdot {p}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "p": p, "e": e},
    )


def _one_of_three(rng: Random, story: Story) -> Draft:
    n = rng.randint(150, 1500)
    a, b, c = sorted(
        rng.choice(((2, 3, 5), (3, 5, 7), (2, 5, 7), (4, 6, 9), (6, 10, 15), (3, 4, 7)))
    )
    triples = n // lcm(a, b, c)
    singles, pairs = _layers(n, (a, b, c))
    value = sum(singles) - sum(pairs) + triples
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"How many of the integers $1,2,\dots,{n}$ are divisible by at least one of ${a}$, "
            rf"${b}$ and ${c}$?",
        ),
        solution=rf"There are ${singles[0]}$, ${singles[1]}$ and ${singles[2]}$ multiples of the "
        rf"single numbers. A number that is a multiple of two of them is counted twice; these are "
        rf"multiples of ${lcm(a, b)}$, ${lcm(a, c)}$ and ${lcm(b, c)}$, namely ${pairs[0]}$, "
        rf"${pairs[1]}$ and ${pairs[2]}$. The ${triples}$ multiples of ${lcm(a, b, c)}$ have then "
        rf"been removed once too often. The count is $({singles[0]}+{singles[1]}+{singles[2]})-"
        rf"({pairs[0]}+{pairs[1]}+{pairs[2]})+{triples}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n, "a": a, "b": b, "c": c},
    )


def _layers(n: int, numbers: tuple[int, int, int]) -> tuple[list[int], list[int]]:
    """Counts of multiples up to n of each number and of each pair."""
    return [n // k for k in numbers], [n // lcm(*pair) for pair in combinations(numbers, 2)]


def _total(numbers: list[int]) -> str:
    """A sum with its value."""
    return f"${'+'.join(map(str, numbers))}={sum(numbers)}$"


def _irreducible(rng: Random, story: Story) -> Draft:
    p, q, r = sorted(rng.sample((2, 3, 5, 7, 11), 3))
    n = p * q * r * rng.choice((1, p, q))
    value = _totient(n)
    parts = [n // k for k in (p, q, r, p * q, p * r, q * r, p * q * r)]
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Of the ${n}$ fractions "
            rf"$\frac{{1}}{{{n}}},\frac{{2}}{{{n}}},\dots,\frac{{{n}}}{{{n}}}$ "
            rf"some can be reduced. How many cannot?",
        ),
        solution=rf"The primes of ${n}$ are ${p}$, ${q}$ and ${r}$, and a fraction is reducible "
        rf"when "
        rf"one of them divides its numerator. Of the ${n}$ numerators remove the multiples of each "
        rf"prime, put back the multiples of two primes, and remove those of all three: ${n}-"
        rf"{parts[0]}-{parts[1]}-{parts[2]}+{parts[3]}+{parts[4]}+{parts[5]}-{parts[6]}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "n": n},
    )


def _switches(rng: Random, story: Story) -> Draft:
    n = rng.randint(120, 1000)
    a, b, c = rng.choice(((2, 3, 5), (3, 4, 5), (2, 5, 7), (3, 5, 7), (4, 5, 6), (2, 3, 7)))
    singles, pairs = _layers(n, (a, b, c))
    triples = n // lcm(a, b, c)
    value = sum(singles) - 2 * sum(pairs) + 4 * triples
    return Draft(
        statement=rf"Along the road to {story.place} stand ${n}$ lamps, numbered from $1$ and all "
        rf"switched off. {story.hero} flips the switch of every lamp whose number is a multiple of "
        rf"${a}$, then {story.rival} does so for the multiples of ${b}$, and finally {story.hero} "
        rf"again for the multiples of ${c}$. How many lamps shine in the end?",
        solution=rf"A lamp shines if it was flipped once or three times. Adding the three groups "
        rf"gives {_total(singles)}. Lamps in two groups (${pairs[0]}$, ${pairs[1]}$ and "
        rf"${pairs[2]}$ for the least common multiples) were counted twice but should count zero "
        rf"times: subtract twice {_total(pairs)}. "
        rf"The ${triples}$ multiples of ${lcm(a, b, c)}$, which belong to all three groups, now "
        rf"have weight $3-6=-3$ instead of $1$: add $4\cdot {triples}$. "
        rf"So ${sum(singles)}-{2 * sum(pairs)}{signed(4 * triples)}={value}$ lamps shine.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n, "a": a, "b": b, "c": c},
    )


def _no_powers(rng: Random, story: Story) -> Draft:
    root = rng.randint(3, 12)
    n = root**6 + rng.randint(0, 50)
    squares, cubes = root**3, root**2
    value = n - squares - cubes + root
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"From the list of natural numbers up to ${n}$ all squares and all cubes are crossed "
            rf"out. How many numbers remain?",
        ),
        solution=rf"Because ${root}^6={root**6}\le {n}$ is the last sixth power and "
        rf"${squares}^2={squares**2}$, ${cubes}^3={cubes**3}$ are the last square and cube in the "
        rf"list, ${squares}$ squares and ${cubes}$ cubes are crossed out. Numbers that are both, "
        rf"the ${root}$ sixth powers, are subtracted twice and must be added once. There remain "
        rf"${n}-{squares}-{cubes}+{root}={value}$ numbers.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "n": n},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="nt-complementary-divisors",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Divisors", "Sums and Products over Divisors"),
        technique="symmetry-pairing",
        moves=("complementary-divisors", "constant-pair-total", "count-divisors"),
        key_ideas=(
            "Pair every divisor with its complementary divisor; each pair contributes a constant, "
            "so the answer depends only on how many divisors there are.",
            "Complementary divisors multiply to the number itself, and grouping them in couples "
            "turns the sum or product into a simple count of divisors.",
        ),
        forms=(_product_of_divisors, _divisor_plus_root, _logarithms, _small_divisors_of_square),
    ),
    Family(
        key="nt-opposite-residues",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Congruences", "Residues and Coprime Numbers"),
        technique="symmetry-pairing",
        moves=("pair-mirror-arguments", "constant-pair-total", "totient", "count-pairs"),
        key_ideas=(
            "Pair each residue with its negative modulo the given number; the two contributions "
            "always have the same total, and counting the couples gives the sum.",
            "Reflecting the range of summation leaves the set unchanged, so twice the wanted sum "
            "is a constant times the number of terms.",
        ),
        forms=(_coprime_sum, _floors_of_multiples, _reduced_fractions, _odd_power_remainders),
    ),
    Family(
        key="nt-sieve",
        domains=(Domain.NUMBER_THEORY, Domain.COMBINATORICS),
        topic=("Number Theory", "Divisors", "Counting by Divisibility"),
        technique="inclusion-exclusion",
        moves=("sieve-over-conditions", "multiples-below-bound", "least-common-multiple"),
        key_ideas=(
            "Count the multiples for every single condition, subtract those that satisfy two "
            "conditions, and add back those satisfying all, so overlaps are corrected.",
            "Overlapping divisibility conditions are handled by alternately adding and subtracting "
            "the separate numbers of common multiples within the given range.",
        ),
        forms=(_one_of_three, _irreducible, _switches, _no_powers),
    ),
)
