"""Number theory: cycles of powers, digit sums, recurrences modulo a number."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import ordinal

if TYPE_CHECKING:
    from random import Random

_PRIMES = (7, 11, 13, 17, 19, 23)


def _order(base: int, modulus: int) -> int:
    """The least exponent that makes the power 1; base and modulus are coprime."""
    power, exponent = base % modulus, 1
    while power != 1:
        power, exponent = power * base % modulus, exponent + 1
    return exponent


def _tower(rng: Random, story: Story) -> Draft:
    p = rng.choice(_PRIMES)
    a = rng.choice([k for k in range(2, 40) if k % p and _order(k, p) > 2])
    order = _order(a, p)
    b, c = rng.randint(3, 12), rng.randint(20, 99)
    while gcd(b, order) > 1:
        b += 1
    inner = pow(b, c, order)
    value = pow(a, inner, p)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"What remainder does ${a}^{{{b}^{{{c}}}}}$ leave when it is divided by ${p}$?",
        ),
        solution=rf"The powers of ${a}$ modulo ${p}$ repeat with period ${order}$, because "
        rf"${a}^{{{order}}}\equiv 1$ and no smaller positive exponent has this property. So only "
        rf"the exponent modulo ${order}$ matters, and ${b}^{{{c}}}\equiv {inner}\pmod{{{order}}}$. "
        rf"Finally ${a}^{{{inner}}}\equiv {value}\pmod{{{p}}}$, so the remainder is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "a": a, "b": b, "c": c, "p": p},
    )


def _carousel(rng: Random, story: Story) -> Draft:
    seats = rng.choice(_PRIMES)
    step = rng.randint(2, 5)
    order = _order(step, seats)
    turns = order * rng.randint(5, 40) + rng.randint(2, order - 1)
    rest = turns % order
    value = sum(step**k for k in range(rest)) % seats
    return Draft(
        statement=rf"A round table at {story.place} has ${seats}$ seats, numbered clockwise from "
        rf"$0$ to ${seats - 1}$. {story.hero} starts on seat $0$ and moves clockwise, first by "
        rf"$1$ seat, then by ${step}$ seats, then by ${step**2}$ seats, and so on, each move being "
        rf"${step}$ times as long as the one before. On which seat does {story.hero} sit after "
        rf"${turns}$ moves?",
        solution=rf"Only lengths modulo ${seats}$ matter. The lengths ${step}^k$ have period "
        rf"${order}$ modulo ${seats}$, and over a full period they add to "
        rf"$\frac{{{step}^{{{order}}}-1}}{{{step - 1}}}\equiv 0\pmod{{{seats}}}$. As "
        rf"${turns}={order}\cdot {turns // order}+{rest}$, the first ${rest}$ moves alone count: "
        rf"their sum is congruent to ${value}$. The seat is number ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "seats": seats, "step": step, "turns": turns},
    )


def _two_last_digits(rng: Random, story: Story) -> Draft:
    a = rng.choice([k for k in range(3, 98) if gcd(k, 10) == 1 and _order(k, 100) in (4, 10, 20)])
    order = _order(a, 100)
    n = rng.randint(1000, 9999)
    while n % order < 2 or pow(a, n, 100) < 10:
        n += 1
    value = pow(a, n, 100)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The number ${a}\cdot {a}\cdot {a}\cdots {a}$ with ${n}$ equal factors is written "
            rf"out "
            rf"in decimal notation. Which two-digit block (read as a number) stands at its end?",
        ),
        solution=rf"Work modulo $100$. Successive powers show ${a}^{{{order}}}\equiv 1$, so the "
        rf"last two digits are periodic with period ${order}$. Since ${n}\equiv {n % order}"
        rf"\pmod{{{order}}}$, the number ends like ${a}^{{{n % order}}}$, that is, with remainder "
        rf"${value}$ modulo $100$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "a": a, "n": n},
    )


def _least_exponent(rng: Random, story: Story) -> Draft:
    p, q = rng.choice(((7, 11), (7, 13), (11, 13), (7, 17), (11, 17), (13, 17), (13, 19)))
    a = rng.choice([k for k in range(2, 20) if gcd(k, p * q) == 1 and _order(k, p) > 1])
    op, oq = _order(a, p), _order(a, q)
    value = op * oq // gcd(op, oq)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Find the smallest $n\ge 1$ for which ${a}^n-1$ is a multiple of ${p * q}$.",
        ),
        solution=rf"We need ${a}^n\equiv 1$ for both primes of ${p * q}={p}\cdot {q}$. Listing "
        rf"powers, the residues of ${a}^n$ modulo ${p}$ form a cycle of length ${op}$ and modulo "
        rf"${q}$ a cycle of length ${oq}$. Thus $n$ must be a common multiple of ${op}$ and "
        rf"${oq}$, "
        rf"and the least one is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "a": a, "m": p * q},
    )


def _iterated_digit_sum(rng: Random, story: Story) -> Draft:
    a, n = rng.randint(11, 99), rng.randint(50, 999)
    while a % 3 == 0:
        a += 1
    order = _order(a, 9)
    value = pow(a, n, 9)
    middle = (
        rf"${a}^{{{n}}}\equiv 1$."
        if order == 1
        else rf"${a}^{{{order}}}\equiv 1$, therefore ${a}^{{{n}}}\equiv {a % 9}^{{{n % order}}}"
        rf"\equiv {value}$."
    )
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Add the digits of ${a}^{{{n}}}$, then add the digits of the result, and continue "
            rf"until a single digit is left. Which digit is it?",
        ),
        solution=rf"A number and the sum of its digits leave the same remainder on division by "
        rf"$9$, "
        rf"since $10\equiv 1\pmod 9$. Modulo $9$ we have ${a}\equiv {a % 9}$ and {middle} The "
        rf"final digit is positive, lies between $1$ and $9$ and is congruent to ${value}$. "
        rf"So it equals ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "a": a, "n": n},
    )


def _long_number(rng: Random, story: Story) -> Draft:
    n = rng.randint(20, 400)
    total = n * (n + 1) // 2
    value = total % 9
    return Draft(
        statement=rf"{story.hero} types the numbers $1,2,3,\dots,{n}$ one after the other without "
        rf"spaces and obtains a single very long number $123456789101112\ldots$ that ends in "
        rf"${n}$. {story.rival} divides it by $9$. What remainder does {story.rival} get?",
        solution=rf"Every power of ten leaves remainder $1$ modulo $9$, so a block of digits may "
        rf"be "
        rf"moved anywhere without changing the remainder. The long number is therefore congruent "
        rf"to "
        rf"the sum of its blocks $1+2+\cdots+{n}=\frac{{{n}\cdot {n + 1}}}{{2}}={total}$, and "
        rf"this leaves remainder ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "n": n},
    )


def _smudged_digit(rng: Random, story: Story) -> Draft:
    while True:
        a, n = rng.choice((2, 5, 7, 11, 13, 14, 17)), rng.randint(6, 24)
        digits = str(a**n)
        spots = [i for i, d in enumerate(digits) if i and d not in "09"]
        if 9 <= len(digits) <= 16 and spots:
            break
    spot = rng.choice(spots)
    shown = digits[:spot] + r"\square " + digits[spot + 1 :]
    others = sum(map(int, digits)) - int(digits[spot])
    value = int(digits[spot])
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"In the equation ${a}^{{{n}}}={shown}$ one digit has become illegible. Restore it "
            rf"without computing the power.",
        ),
        solution=rf"Since $10\equiv 1$, the right side is congruent modulo $9$ to its digit sum "
        rf"${others}+\square$. On the left, reducing ${a}^{{{n}}}$ step by step modulo $9$ gives "
        rf"${pow(a, n, 9)}$. So $\square\equiv {pow(a, n, 9)}-{others}\equiv {value}\pmod 9$, and "
        rf"the "
        rf"only digit with this property is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "a": a, "n": n, "spot": spot},
    )


def _divisible_by_99(rng: Random, story: Story) -> Draft:
    while True:
        head = rng.randint(1000, 9999)
        value = -head * 100 % 99
        if 10 <= value <= 98 and value % 10 and head % 99:
            break
    pairs = f"{head // 100}+{head % 100}"
    total = head // 100 + head % 100
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A six-digit number starts with the digits ${head}$ and is a multiple of $99$. Find "
            rf"the number formed by its last two digits.",
        ),
        solution=rf"Cut the number into blocks of two digits. Because $100\equiv 1\pmod{{99}}$, it "
        rf"is congruent to the sum of its blocks, ${pairs}+t={total}+t$, where $t$ is the last "
        rf"block. Since $0\le t\le 99$, the condition $t\equiv -{total}\pmod{{99}}$ determines "
        rf"$t={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "head": head},
    )


def _integer_part(rng: Random, story: Story) -> Draft:
    a, m, n = rng.randint(2, 6), rng.choice((7, 9, 10, 11, 13)), rng.randint(7, 12)
    # b so close below a^2 that the conjugate a - sqrt(b) lies strictly between 0 and 1.
    b = rng.choice([k for k in range((a - 1) ** 2 + 1, a * a) if gcd(a * a - k, m) == 1])
    p, q = 2 * a, a * a - b
    traces = [2, p]
    while len(traces) <= n:
        traces.append(p * traces[-1] - q * traces[-2])
    residues = ",".join(str(t % m) for t in traces[: n + 1])
    value = (traces[n] - 1) % m
    times = "" if q == 1 else str(q)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $N$ be the integer part of $({a}+\sqrt{{{b}}})^{{{n}}}$. Find the remainder of "
            rf"$N$ modulo ${m}$.",
        ),
        solution=rf"Set $s_k=({a}+\sqrt{{{b}}})^k+({a}-\sqrt{{{b}}})^k$. Both bases are zeros of "
        rf"$z^2-{p}z+{q}$, so $s_0=2$, $s_1={p}$ and $s_{{k+2}}={p}s_{{k+1}}-{times}s_k$; in "
        rf"particular every $s_k$ is an integer. From $0<{a}-\sqrt{{{b}}}<1$ we see that "
        rf"$N=s_{{{n}}}-1$. Modulo ${m}$ the recursion produces ${residues}$, and the last of "
        rf"these minus one gives the remainder ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "a": a, "b": b, "n": n, "m": m},
    )


def _additive_sequence(rng: Random, story: Story) -> Draft:
    m = rng.choice((3, 4, 5, 7, 8, 11))
    first, second = rng.sample(range(2, 11), 2)
    while first % m == 0 and second % m == 0:
        first, second = rng.sample(range(2, 11), 2)
    cycle = [first % m, second % m]
    while True:
        cycle.append((cycle[-1] + cycle[-2]) % m)
        if cycle[-2:] == cycle[:2]:
            break
    period = len(cycle) - 2
    n = rng.randint(100, 3000)
    value = cycle[(n - 1) % period]
    return Draft(
        statement=rf"The lighthouse near {story.place} flashes ${first}$ times in the first hour "
        rf"and "
        rf"${second}$ times in the second; from then on it flashes in each hour as often as in the "
        rf"two previous hours together. {story.hero} bundles the flashes of hour ${n}$ into groups "
        rf"of ${m}$. How many flashes are left over?",
        solution=rf"Keep only remainders modulo ${m}$. The rule $u_{{k+2}}=u_{{k+1}}+u_k$ starts "
        rf"with "
        rf"${','.join(map(str, cycle[: min(period, 8)]))},\dots$, and the two starting remainders "
        rf"return after ${period}$ steps, so everything repeats with period ${period}$. Since "
        rf"${n}$ "
        rf"and ${(n - 1) % period + 1}$ differ by a multiple of the period, the number left over "
        rf"is "
        rf"$u_{{{(n - 1) % period + 1}}}\equiv {value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "m": m, "first": first, "second": second, "n": n},
    )


def _pell(rng: Random, story: Story) -> Draft:
    d, x1, y1 = rng.choice(
        ((2, 3, 2), (3, 2, 1), (5, 9, 4), (6, 5, 2), (7, 8, 3), (8, 3, 1), (10, 19, 6), (11, 10, 3))
    )
    k, surd = rng.randint(3, 5), "" if y1 == 1 else str(y1)
    xs = [1, x1]
    while len(xs) <= k:
        xs.append(2 * x1 * xs[-1] - xs[-2])
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Consider all perfect squares of the form ${d}y^2+1$ with a positive integer $y$, in "
            rf"increasing order. What is the square root of the {ordinal(k)} one?",
        ),
        solution=rf"We solve $x^2-{d}y^2=1$. Trying small $y$, the first solution is "
        rf"$({x1},{y1})$. All solutions arise from powers: $x_k+y_k\sqrt{{{d}}}="
        rf"({x1}+{surd}\sqrt{{{d}}})^k$. With the conjugate this yields the recurrence "
        rf"$x_{{k+1}}={2 * x1}x_k-x_{{k-1}}$, where $x_0=1$ and $x_1={x1}$. It runs through "
        rf"${','.join(map(str, xs))}$, so the root is ${xs[k]}$.",
        answer=str(xs[k]),
        value=str(xs[k]),
        parameters={"form": 3, "d": d, "k": k},
    )


def _divisible_terms(rng: Random, story: Story) -> Draft:
    m, limit = rng.choice((3, 4, 5, 6, 7, 8, 9, 11, 13)), rng.randint(200, 3000)
    pair, rank = (1, 1), 1
    while pair[0] % m:
        pair, rank = (pair[1], pair[0] + pair[1]), rank + 1
    value = limit // rank
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Among the first ${limit}$ Fibonacci numbers $1,1,2,3,5,\dots$ count those that are "
            rf"multiples of ${m}$.",
        ),
        solution=rf"Reducing $F_{{k+2}}=F_{{k+1}}+F_k$ modulo ${m}$, the first zero after $F_0=0$ "
        rf"appears at $F_{{{rank}}}$. If $F_{{{rank}}}\equiv 0$ and $F_{{{rank + 1}}}\equiv c$, "
        rf"the "
        rf"following terms are $c$ times the initial ones, and $c$ is invertible because "
        rf"neighbours "
        rf"are coprime. Hence zeros occur exactly at multiples of ${rank}$, and $\left\lfloor"
        rf"\frac{{{limit}}}{{{rank}}}\right\rfloor={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "m": m, "limit": limit},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="nt-power-cycle",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Congruences", "Powers Modulo a Number"),
        technique="modular-arithmetic",
        moves=("reduce-modulo", "find-period", "reduce-exponent"),
        key_ideas=(
            "Powers repeat periodically modulo a fixed number, so the exponent may be replaced by "
            "its remainder modulo the length of the cycle.",
            "Determine the period of the residues of the powers, reduce the exponent accordingly, "
            "and evaluate the small power that is left.",
        ),
        forms=(_tower, _carousel, _two_last_digits, _least_exponent),
    ),
    Family(
        key="nt-digit-sums",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Congruences", "Digits"),
        technique="modular-arithmetic",
        moves=("reduce-modulo", "base-congruent-to-one", "blocks-of-digits"),
        key_ideas=(
            "Since the base leaves remainder one, a number is congruent to the sum of its digits "
            "or "
            "blocks of digits, which determines the unknown digit or remainder.",
            "Replace the number by its digit sum modulo the base minus one; comparing remainders "
            "then leaves a single possibility for the answer.",
        ),
        forms=(_iterated_digit_sum, _long_number, _smudged_digit, _divisible_by_99),
    ),
    Family(
        key="nt-integer-recurrence",
        domains=(Domain.NUMBER_THEORY,),
        topic=("Number Theory", "Congruences", "Recursive Integer Sequences"),
        technique="recurrence",
        moves=("set-up-recurrence", "unwind-recurrence", "find-period", "conjugate-surds"),
        key_ideas=(
            "The integers in question obey a linear recurrence of order two, which is run forward "
            "or reduced to remainders until the required term is reached.",
            "Adding conjugates or reducing modulo a number leaves an integer sequence with a "
            "simple "
            "recursive rule; its terms or its period answer the question.",
        ),
        forms=(_integer_part, _additive_sequence, _pell, _divisible_terms),
    ),
)
