"""Number theory answers against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, factorial, gcd, isqrt, lcm, log, prod
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from saber_mteb.construction.mini.families import all_families

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from saber_mteb.construction.mini.family import Family

    Parameters = dict[str, int]

FAMILIES = {f.key: f for f in all_families() if f.key.startswith("nt-")}


def divisors(n: int) -> list[int]:
    small = [d for d in range(1, isqrt(n) + 1) if n % d == 0]
    return sorted({*small, *(n // d for d in small)})


def is_square(n: int) -> bool:
    return n >= 0 and isqrt(n) ** 2 == n


def valuation(n: int, base: int) -> int:
    count = 0
    while n % base == 0:
        n, count = n // base, count + 1
    return count


def matching(left: Sequence[int], right: Sequence[int], joined: Callable[[int, int], bool]) -> int:
    table = csr_array(np.array([[joined(x, y) for y in right] for x in left], dtype=np.int8))
    return int((maximum_bipartite_matching(table, perm_type="column") >= 0).sum())


def cliques(items: Sequence[int], conflict: Callable[[int, int], bool]) -> int:
    """The number of classes, after checking that conflicts join exactly the members of a class."""
    classes = []
    for item in items:
        for members in classes:
            hits = [conflict(item, member) for member in members]
            assert all(hits) or not any(hits)
            if hits[0]:
                members.append(item)
                break
        else:
            classes.append([item])
    return len(classes)


def shifted_product(p: Parameters) -> object:
    if p["form"] == 1:
        n = p["n"]
        return sum(n * x % (x - n) == 0 for x in range(n + 1, n + n * n + 1))
    if p["form"] == 2:
        a, b = p["a"], p["b"]
        pairs = ((x, y) for x in range(1, a * b + b + 1) for y in range(1, a * b + a + 1))
        return sum(x * y == a * x + b * y for x, y in pairs)
    if p["form"] == 3:
        k = p["k"]
        return sum(2 * k * u % (u - 2 * k) == 0 for u in range(2 * k + 1, 4 * k + 1))
    n = p["n"]
    return max(n * x // (x - n) for x in range(n + 1, 2 * n + 1) if n * x % (x - n) == 0)


def difference_of_squares(p: Parameters) -> object:
    if p["form"] == 1:
        return sum(is_square(p["n"] + y * y) for y in range(1, p["n"]))
    if p["form"] == 2:
        k = p["k"]
        return max(n for n in range(k * k) if is_square(n * (n + k)))
    if p["form"] == 3:
        square = p["leg"] ** 2
        return sum(is_square(square + b * b) for b in range(1, square))
    return max(t * t for t in range(p["extra"]) if is_square(t * t + p["extra"]))


def exponent_vectors(p: Parameters) -> object:
    if p["form"] == 3:
        powers = [[int(k[1:]) ** i for i in range(e + 1)] for k, e in p.items() if k != "form"]
        return sum(is_square(prod(choice)) for choice in product(*powers))
    number = p["number"]
    d = divisors(number)
    if p["form"] == 1:
        return sum(number % (a * b) == 0 for a in d for b in d)
    if p["form"] == 2:
        return sum(lcm(u, v) == number for u in d for v in d)
    return sum(m % x == 0 for m in d for x in d)


def complementary_divisors(p: Parameters) -> object:
    if p["form"] == 1:
        square = prod(divisors(p["n"])) ** 2
        return Fraction(next(k for k in range(200) if p["n"] ** k == square), 2)
    if p["form"] == 2:
        return sum(Fraction(1, d + p["m"]) for d in divisors(p["m"] ** 2))
    if p["form"] == 3:
        r, s = [q for q in (2, 3, 5, 7) if p["base"] % q == 0]
        factors = [r**i * s**j for i in range(p["n"] + 1) for j in range(p["n"] + 1)]
        assert all(p["base"] ** p["n"] % factor == 0 for factor in factors)
        return sum(log(factor, p["base"]) for factor in factors)
    n = p["p"] ** p["a"] * p["q"] ** p["b"]
    exponents = product(range(2 * p["a"] + 1), range(2 * p["b"] + 1))
    return sum(n > d and n % d != 0 for d in (p["p"] ** i * p["q"] ** j for i, j in exponents))


def opposite_residues(p: Parameters) -> object:
    if p["form"] == 1:
        return sum(k for k in range(1, p["n"]) if gcd(k, p["n"]) == 1)
    if p["form"] == 2:
        return sum(k * p["a"] // p["b"] for k in range(1, p["b"]))
    if p["form"] == 3:
        n = p["n"]
        return sum(Fraction(a, n) for a in range(1, p["m"] * n) if gcd(a, n) == 1)
    return sum(k ** p["e"] % p["p"] for k in range(1, p["p"]))


def sieve(p: Parameters) -> object:
    n = p["n"]
    if p["form"] == 1:
        return sum(any(k % p[x] == 0 for x in "abc") for k in range(1, n + 1))
    if p["form"] == 2:
        return sum(gcd(k, n) == 1 for k in range(1, n + 1))
    if p["form"] == 3:
        return sum(sum(k % p[x] == 0 for x in "abc") % 2 for k in range(1, n + 1))
    crossed = {k**e for k in range(1, isqrt(n) + 1) for e in (2, 3) if k**e <= n}
    return n - len(crossed)


def power_cycle(p: Parameters) -> object:
    if p["form"] == 1:
        return pow(p["a"], p["b"] ** p["c"], p["p"])
    if p["form"] == 2:
        return sum(p["step"] ** k for k in range(p["turns"])) % p["seats"]
    if p["form"] == 3:
        return p["a"] ** p["n"] % 100
    return next(n for n in range(1, p["m"]) if (p["a"] ** n - 1) % p["m"] == 0)


def digit_sums(p: Parameters) -> object:
    if p["form"] == 1:
        number = p["a"] ** p["n"]
        while number > 9:
            number = sum(map(int, str(number)))
        return number
    if p["form"] == 2:
        return int("".join(map(str, range(1, p["n"] + 1)))) % 9
    if p["form"] == 3:
        return int(str(p["a"] ** p["n"])[p["spot"]])
    tails = [t for t in range(100) if (100 * p["head"] + t) % 99 == 0]
    assert len(tails) == 1
    return tails[0]


def pell_roots(d: int, count: int) -> list[int]:
    """Solve x^2 - d y^2 = 1 through the continued fraction of the root of d."""
    m, q, a = 0, 1, isqrt(d)
    x0, x1, y0, y1 = 1, a, 0, 1
    found = []
    while len(found) < count:
        if x1 * x1 - d * y1 * y1 == 1:
            found.append(x1)
        m = a * q - m
        q = (d - m * m) // q
        a = (isqrt(d) + m) // q
        x0, x1, y0, y1 = x1, a * x1 + x0, y1, a * y1 + y0
    return found


def integer_recurrence(p: Parameters) -> object:
    if p["form"] == 1:
        u, v = 1, 0
        for _ in range(p["n"]):
            u, v = p["a"] * u + p["b"] * v, u + p["a"] * v
        return (u + isqrt(p["b"] * v * v)) % p["m"]
    if p["form"] == 2:
        x, y = p["first"], p["second"]
        for _ in range(p["n"] - 1):
            x, y = y, x + y
        return x % p["m"]
    if p["form"] == 3:
        return pell_roots(p["d"], p["k"])[-1]
    x, y, hits = 1, 1, 0
    for _ in range(p["limit"]):
        hits += x % p["m"] == 0
        x, y = y, x + y
    return hits


def multiples_two_ways(p: Parameters) -> object:
    n = p["n"]
    if p["form"] == 1:
        return sum(len(divisors(k)) for k in range(1, n + 1))
    if p["form"] == 2:
        return sum(sum(divisors(k)) for k in range(1, n + 1))
    if p["form"] == 3:
        return sum(isqrt(k) for k in range(1, n + 1))
    odd = [max(d for d in divisors(k) if d % 2) for k in range(1, n + 1)]
    return sum(odd) - n // 2


def factorial_exponents(p: Parameters) -> object:
    n = p["n"]
    if p["form"] == 1:
        return valuation(factorial(n), p["base"])
    if p["form"] == 2:
        return valuation(comb(2 * n, n), p["prime"])
    if p["form"] == 3:
        return valuation(prod(factorial(k) for k in range(1, n + 1)), 10)
    return sum(valuation(k, p["prime"]) for k in range(1, n + 1))


def factorial_sums(p: Parameters) -> object:
    n = p["n"]
    if p["form"] == 1:
        return sum(k * factorial(k) for k in range(1, n + 1)) % p["p"]
    if p["form"] == 2:
        digits = str(sum(k * factorial(k) for k in range(1, n + 1)))
        return len(digits) - len(digits.rstrip("9"))
    if p["form"] == 3:
        return sum((k * k + k + 1) * factorial(k) for k in range(1, n + 1)) % p["p"]
    return sum(Fraction(k, factorial(k + 1)) for k in range(1, n + 1)).denominator


def forced_divisibility(p: Parameters) -> object:
    if p["form"] == 1:
        # Largest antichain by Dilworth: elements minus a largest matching of the order.
        numbers = range(1, p["n"] + 1)
        return p["n"] - matching(numbers, numbers, lambda x, y: y > x and y % x == 0) + 1
    if p["form"] == 2:
        m = p["m"]
        return 1 + cliques(range(m), lambda x, y: (x + y) % m == 0)
    if p["form"] == 3:
        return 1 + cliques(range(1, p["n"] + 1), lambda x, y: x + y == p["s"])
    # Multiples of m exclude each other; the rest is bipartite (König).
    n, m = p["n"], p["m"]
    low = [k for k in range(1, n + 1) if 0 < k % m <= m // 2]
    high = [k for k in range(1, n + 1) if k % m > m // 2]
    return 1 + len(low) + len(high) - matching(low, high, lambda x, y: (x + y) % m == 0)


TRUTH = {
    "nt-shifted-product": shifted_product,
    "nt-difference-of-squares": difference_of_squares,
    "nt-exponent-vectors": exponent_vectors,
    "nt-complementary-divisors": complementary_divisors,
    "nt-opposite-residues": opposite_residues,
    "nt-sieve": sieve,
    "nt-power-cycle": power_cycle,
    "nt-digit-sums": digit_sums,
    "nt-integer-recurrence": integer_recurrence,
    "nt-multiples-two-ways": multiples_two_ways,
    "nt-factorial-exponents": factorial_exponents,
    "nt-factorial-sums": factorial_sums,
    "nt-forced-divisibility": forced_divisibility,
}


def test_every_family_has_a_check() -> None:
    assert FAMILIES.keys() == TRUTH.keys()


@pytest.mark.parametrize("key", sorted(TRUTH))
def test_answers(key: str, check_answers: Callable[..., None]) -> None:
    check_answers(FAMILIES[key], TRUTH[key])


@pytest.mark.parametrize("key", sorted(FAMILIES))
def test_texts(key: str, check_texts: Callable[[Family], None]) -> None:
    check_texts(FAMILIES[key])
