"""Integrals: recurrences, pieces between integers, completed squares."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, multiple, power
from saber_mteb.construction.mini.wording import tex

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _powers_of_sine(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 12)
    value, chain = Fraction(1), ""
    for k in range(n, 1, -2):
        value *= Fraction(k - 1, k)
        chain += f"\\frac{{{k - 1}}}{{{k}}} \\cdot "
    last = r"\frac{\pi}{2}" if n % 2 == 0 else "1"
    shown = multiple(value / 2, r"\pi") if n % 2 == 0 else tex(value)
    return compose(
        rng,
        story,
        {"sine": n},
        statement=r"Compute $\int_0^{\pi/2} \sin^{<sine>} x \, dx$.",
        solution=r"Let $I_n = \int_0^{\pi/2} \sin^n x \, dx$. Integrating by parts with the "
        r"factors $\sin^{n-1} x$ and $\sin x$, and replacing $\cos^2 x$ by $1 - \sin^2 x$, we get "
        r"$I_n = (n - 1)(I_{n-2} - I_n)$, so $I_n = \frac{n - 1}{n} I_{n-2}$. Starting from $I_0 "
        r"= \frac{\pi}{2}$ and $I_1 = 1$, this leads to $I_{<sine>} = <chain> = <answer>$.",
        answer=shown,
        value=f"{value / 2}*pi" if n % 2 == 0 else value,
        chain=chain + last,
    )


def _beta(rng: Random, story: Story) -> Draft:
    m, n = rng.sample(range(2, 9), 2)
    value = Fraction(factorial(m) * factorial(n), factorial(m + n + 1))
    return compose(
        rng,
        story,
        {"m": m, "n": n},
        statement=r"Find the area of the region bounded by the $x$-axis and the curve $y = "
        r"x^{<m>} (1 - x)^{<n>}$, $0 \le x \le 1$.",
        solution=r"For integers $p, q \ge 0$ put $B(p, q) = \int_0^1 x^p (1 - x)^q \, dx$. If $q "
        r"\ge 1$, integration by parts trades a factor $1 - x$ for a factor $x$: $B(p, q) = "
        r"\frac{q}{p + 1} B(p + 1, q - 1)$. Applying this $<n>$ times, until the second exponent "
        r"is $0$, where $B(<sum>, 0) = \frac{1}{<next>}$, we arrive at $\frac{<m>! \, "
        r"<n>!}{<next>!} = <answer>$.",
        answer=value,
        value=value,
        sum=m + n,
        next=m + n + 1,
    )


def _waiting_time(rng: Random, story: Story) -> Draft:
    n, rate = rng.randint(2, 6), rng.randint(2, 6)
    value = Fraction(factorial(n), rate**n)
    return compose(
        rng,
        story,
        {"moment": n, "rate": rate},
        statement=r"The time $T$, in hours, that <hero> has to wait for a bus at <place> is "
        r"random with density $<rate> e^{-<rate>t}$ for $t \ge 0$. What is the expected value of "
        r"$T^{<moment>}$?",
        solution=r"Let $E_n$ be the expected value of $T^n$, that is, $E_n = \int_0^{\infty} "
        r"<rate> t^n e^{-<rate>t} \, dt$. Integrating by parts, the boundary terms vanish and "
        r"$E_n = \frac{n}{<rate>} E_{n-1}$ for $n \ge 1$, where $E_0 = 1$. Unwinding gives "
        r"$E_{<moment>} = \frac{<moment>!}{<rate>^{<moment>}} = <answer>$.",
        answer=value,
        value=value,
    )


def _logarithm_at_zero(rng: Random, story: Story) -> Draft:
    a, n = rng.randint(1, 6), rng.randint(2, 5)
    value = Fraction((-1) ** n * factorial(n), (a + 1) ** (n + 1))
    return compose(
        rng,
        story,
        {"a": a, "logs": n},
        statement=r"Determine $\int_0^1 <power> (\ln x)^{<logs>} \, dx$.",
        solution=r"Denote by $L_n$ the integral with $(\ln x)^n$ in place of $(\ln x)^{<logs>}$. "
        r"Partial integration, with $\frac{x^{<next>}}{<next>}$ as antiderivative of $<power>$, "
        r"shows $L_n = -\frac{n}{<next>} L_{n-1}$, since $x^{<next>} (\ln x)^n$ vanishes at $1$ "
        r"and tends to $0$ at $0$. From $L_0 = \frac{1}{<next>}$ we obtain after $<logs>$ steps "
        r"$L_{<logs>} = (-1)^{<logs>} \frac{<logs>!}{<next>^{<logs> + 1}} = <answer>$.",
        answer=value,
        value=value,
        power=power("x", a),
        next=a + 1,
    )


def _floor_times_x(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 20)
    value = sum((Fraction(k * (2 * k + 1), 2) for k in range(n)), Fraction(0))
    return compose(
        rng,
        story,
        {"floor": n},
        statement=r"Here $\lfloor x \rfloor$ denotes the greatest integer not exceeding $x$. "
        r"Evaluate $\int_0^{<floor>} x \lfloor x \rfloor \, dx$.",
        solution=r"Cut the interval at the integers. On $[k, k + 1)$ the integrand is $kx$, with "
        r"integral $\frac{k}{2} \left( (k + 1)^2 - k^2 \right) = k^2 + \frac{k}{2}$. Summing over "
        r"$k = 0, 1, \dots, <last>$, we find $\sum k^2 + \frac{1}{2} \sum k = <squares> + <half> "
        r"= <answer>$.",
        answer=value,
        value=value,
        last=n - 1,
        squares=(n - 1) * n * (2 * n - 1) // 6,
        half=Fraction(n * (n - 1), 4),
    )


def _below_the_steps(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    return compose(
        rng,
        story,
        {"steps": n},
        statement=r"For non-integral $x > 1$ let $g(x)$ be the product of the two integers "
        r"nearest to $x$ on its left and on its right. Find $\int_1^{<steps>} \frac{dx}{g(x)}$.",
        solution=r"Between $k$ and $k + 1$ the function $g$ is constant with value $k (k + 1)$, "
        r"so the integral is a sum of rectangles of width $1$ and heights $\frac{1}{k (k + 1)} = "
        r"\frac{1}{k} - \frac{1}{k + 1}$ for $k = 1, \dots, <last>$. Piece by piece, everything "
        r"cancels except $1 - \frac{1}{<steps>} = <answer>$.",
        answer=Fraction(n - 1, n),
        value=Fraction(n - 1, n),
        last=n - 1,
    )


def _absolute_parabola(rng: Random, story: Story) -> Draft:
    a = rng.randint(1, 6)
    b = a + rng.randint(1, 6)
    left = Fraction(2 * a**3, 3)
    right = Fraction(b**3 - a**3, 3) - a * a * (b - a)
    return compose(
        rng,
        story,
        {"zero": a, "end": b},
        statement=r"Calculate $\int_0^{<end>} |x^2 - <square>| \, dx$.",
        solution=r"The expression inside the bars changes sign at $x = <zero>$, so treat the two "
        r"parts separately: $\int_0^{<zero>} (<square> - x^2) \, dx = <left>$ and "
        r"$\int_{<zero>}^{<end>} (x^2 - <square>) \, dx = <right>$. Their sum is $<answer>$.",
        answer=left + right,
        value=left + right,
        square=a * a,
        left=left,
        right=right,
    )


def _parking_fee(rng: Random, story: Story) -> Draft:
    n = rng.randint(3, 16)
    mean = Fraction((n + 1) * (2 * n + 1), 6)
    return compose(
        rng,
        story,
        {"hours": n},
        statement=r"The car park of <place> charges $h^2$ euros for a stay of more than $h - 1$ "
        r"and at most $h$ hours, for $h = 1, 2, 3, \dots$ <hero>'s stay has a random length, "
        r"uniformly distributed between $0$ and $<hours>$ hours. What fee, in euros, is to be "
        r"expected?",
        solution=r"The expected fee is $\frac{1}{<hours>} \int_0^{<hours>} \lceil t \rceil^2 \, "
        r"dt$. Split the time axis into the single hours; in the $h$-th one the integrand is "
        r"constantly $h^2$. So the integral is $1^2 + 2^2 + \dots + <hours>^2 = <sum>$, and the "
        r"expected fee is $<answer>$.",
        answer=mean,
        value=mean,
        sum=n * (n + 1) * (2 * n + 1) // 6,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="calc-integral-recurrence",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Integrals", "Families of Integrals"),
        technique="recurrence",
        moves=("set-up-recurrence", "unwind-recurrence", "integrate-by-parts"),
        key_ideas=(
            "Integration by parts relates the integral to the same integral with a smaller "
            "exponent, and unwinding this recurrence leads to an elementary case.",
            "Treat the exponent as a variable; a reduction formula lowers it step by step until "
            "the integral is trivial, and the collected factors give the value.",
        ),
        forms=(_powers_of_sine, _beta, _waiting_time, _logarithm_at_zero),
    ),
    Family(
        key="calc-piecewise-integrals",
        domains=(Domain.CALCULUS,),
        topic=("Calculus and Analysis", "Integrals", "Definite Integrals"),
        technique="decomposition",
        moves=("cut-into-pieces", "add-pieces", "sum-of-integers"),
        key_ideas=(
            "Cut the interval where the integrand changes its formula, integrate the elementary "
            "function on each piece, and add the results.",
            "On every piece between consecutive break points the function is simple, so the "
            "integral decomposes into a finite sum that is easily evaluated.",
        ),
        forms=(_floor_times_x, _below_the_steps, _absolute_parabola, _parking_fee),
    ),
)
