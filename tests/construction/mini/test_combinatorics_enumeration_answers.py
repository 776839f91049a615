"""Counting answers against automata, enumeration and dynamic programming."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from saber_mteb.construction.mini.family import Family

    Parameters = dict[str, int]

MODULES = (
    "words",
    "recurrences",
    "paths",
    "selections",
    "totals",
)
PACKAGE = "saber_mteb.construction.mini.families"
FAMILIES: dict[str, Family] = {
    family.key: family
    for module in MODULES
    for family in import_module(f"{PACKAGE}.combinatorics_{module}").FAMILIES
}


def count_sequences(
    length: int,
    letters: int,
    start: Hashable,
    step: Callable[[Hashable, int], Hashable | None],
    accept: Callable[[Hashable], bool] = lambda _: True,
) -> int:
    """Number of words an automaton accepts; ``step`` answers None to refuse a letter."""
    states = Counter({start: 1})
    for _ in range(length):
        following: Counter[Hashable] = Counter()
        for state, ways in states.items():
            for letter in range(letters):
                reached = step(state, letter)
                if reached is not None:
                    following[reached] += ways
        states = following
    return sum(ways for state, ways in states.items() if accept(state))


def onto(length: int, letters: int, wanted: int) -> int:
    """Words in which each of the first ``wanted`` letters occurs."""
    return count_sequences(
        length,
        letters,
        frozenset(),
        lambda seen, x: seen | {x} if x < wanted else seen,  # type: ignore[operator]
        lambda seen: len(seen) == wanted,  # type: ignore[arg-type]
    )


@lru_cache
def orders_apart(n: int) -> int:
    """Orders of n objects in which the first and the last object are not neighbours."""
    ways = 0
    for i, j in permutations(range(n), 2):
        ways += factorial(n - 2) * (abs(i - j) > 1)
    return ways


def complement(p: Parameters) -> object:
    if "letters" in p:
        words = product(range(p["letters"]), repeat=p["length"])
        return sum(len(set(word)) < len(word) for word in words)
    if "n" in p:
        return orders_apart(p["n"])
    if "members" in p:
        return sum(min(team) < 2 for team in combinations(range(p["members"]), p["team"]))
    results = product(range(p["sides"]), repeat=p["throws"])
    return Fraction(sum(r.count(0) >= 2 for r in results), p["sides"] ** p["throws"])


@lru_cache
def with_fixed_points(n: int, fixed: int) -> int:
    """Permutations with the given number of fixed points, by the size of the cycle through n."""
    if n == 0:
        return int(fixed == 0)
    ways = with_fixed_points(n - 1, fixed - 1) if fixed else 0
    for size in range(2, n + 1):
        ways += factorial(n - 1) // factorial(n - size) * with_fixed_points(n - size, fixed)
    return ways


def sieve(p: Parameters) -> object:
    if "people" in p:
        return with_fixed_points(p["people"], p["right"])
    if "letters" in p:
        return onto(p["length"], p["letters"], p["letters"])
    return onto(p["length"], 10, 2)


def forbidden_neighbours(p: Parameters) -> object:
    if "seats" in p:
        return count_sequences(
            p["seats"],
            p["colours"],
            None,
            lambda s, x: (x, x) if s is None else None if s[1] == x else (s[0], x),  # type: ignore[index]
            lambda s: s[0] != s[1],  # type: ignore[index]
        )
    if "letters" not in p:
        return count_sequences(
            p["length"],
            2,
            (9, 9),
            lambda s, x: None if s == (x, x) else (s[1], x),  # type: ignore[index]
        )
    bad = (0, 1) if "pair" in p else (0, 0)
    return count_sequences(
        p["length"], p["letters"], None, lambda last, x: None if (last, x) == bad else x
    )


@lru_cache
def ordered_sums(total: int, parts: tuple[tuple[int, int], ...]) -> int:
    """Ways to write a total as an ordered sum; each part is (size, number of kinds)."""
    if total <= 0:
        return int(total == 0)
    return sum(kinds * ordered_sums(total - size, parts) for size, kinds in parts)


@lru_cache
def covered(cells: frozenset[tuple[int, int]]) -> int:
    """Coverings of cells by dominoes and two-by-two squares, first cell first."""
    if not cells:
        return 1
    x, y = min(cells)
    pieces = (
        {(x, y), (x + 1, y)},
        {(x, y), (x, y + 1)},
        {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)},
    )
    return sum(covered(cells - piece) for piece in pieces if piece <= cells)


def tilings(p: Parameters) -> object:
    if "steps" in p:
        return ordered_sums(p["steps"], tuple((k, 1) for k in range(1, p["longest"] + 1)))
    if "short" in p:
        return ordered_sums(p["length"], ((1, p["short"]), (2, p["long"])))
    if "total" in p:
        return ordered_sums(p["total"], tuple((k, 1) for k in range(1, p["total"] + 1, 2)))
    return covered(frozenset(product(range(p["length"]), range(2))))


def walks(steps: Iterable[tuple[int, int]], end: tuple[int, int], allowed: object) -> int:
    """Number of walks from the origin to a point through allowed points, point by point."""
    ways = Counter({(0, 0): 1})
    for x, y in product(range(end[0] + 1), range(end[1] + 1)):
        if not allowed(x, y):  # type: ignore[operator]
            ways[x, y] = 0
            continue
        for dx, dy in steps:
            ways[x + dx, y + dy] += ways[x, y]
    return ways[end]


STEPS = ((1, 0), (0, 1))


def detours(p: Parameters) -> object:
    bad = (p["p"], p["q"])
    return walks(STEPS, (p["m"], p["n"]), lambda x, y: (x, y) != bad)


def ballots(p: Parameters) -> object:
    if "a" in p:
        return walks(STEPS, (p["a"], p["b"]), lambda x, y: x > y or (x, y) == (0, 0))
    if "small" in p:
        return walks(STEPS, (p["small"], p["large"]), lambda x, y: x >= y)
    if "half" in p:
        end = (p["half"], p["half"])
        return walks(STEPS, end, lambda x, y: x != y or (x, y) in ((0, 0), end))
    return walks(STEPS, (p["n"], p["n"]), lambda x, y: x >= y)


def stars_and_bars(p: Parameters) -> object:
    if "chosen" in p:

        def place(state: object, x: int) -> object:
            since, taken = state  # type: ignore[misc]
            if not x:
                return min(since + 1, 9), taken
            return (0, taken + 1) if since >= p["gap"] - 1 else None

        return count_sequences(
            p["total"],
            2,
            (9, 0),
            place,
            lambda s: s[1] == p["chosen"],  # type: ignore[index, arg-type]
        )
    if "top" in p:
        return count_sequences(
            p["length"],
            p["top"],
            0,
            lambda last, x: x if x >= last else None,  # type: ignore[operator]
        )
    rest = p["total"]
    return count_sequences(
        p["unknowns"],
        rest + 1,
        0,
        lambda s, x: s + x if x >= p["least"] and s + x <= rest else None,  # type: ignore[operator]
        lambda s: s == rest,
    )


def totals_by_size(values: Iterable[Fraction | int]) -> dict[int, tuple[int, Fraction]]:
    """Number of subsets and sum of their sums, for every size, one element at a time."""
    table = {0: (1, Fraction(0))}
    for value in values:
        for size in sorted(table, reverse=True):
            count, total = table[size]
            old_count, old_total = table.get(size + 1, (0, Fraction(0)))
            table[size + 1] = (old_count + count, old_total + total + count * value)
    return table


def total_over_choices(p: Parameters) -> object:
    if "price" in p:  # any prices with the right total
        prices = [Fraction(1)] * (p["n"] - 1)
        return totals_by_size([*prices, p["price"] - sum(prices)])[p["k"]][1]
    if "elements" in p:
        pairs = Counter({0: 1})
        for _ in range(p["elements"]):
            longer: Counter[int] = Counter()
            for common, ways in pairs.items():
                longer[common] += 3 * ways
                longer[common + 1] += ways
            pairs = longer
        return sum(common * ways for common, ways in pairs.items())
    if "digits" in p:
        return sum(int("".join(order)) for order in permutations(str(p["digits"])))
    return totals_by_size(range(1, p["n"] + 1))[p["k"]][1]


def telescoping(p: Parameters) -> object:
    if "low" in p:
        return sum(comb(k, p["low"]) for k in range(p["low"], p["high"] + 1))
    if "last" in p:
        return sum(Fraction(k, factorial(k + 1)) for k in range(1, p["last"] + 1))
    if "squares" in p:
        return sum((k * k + 1) * factorial(k) for k in range(1, p["squares"] + 1))
    return sum(k * factorial(k) for k in range(1, p["n"] + 1))


def mirror_images(p: Parameters) -> object:
    if "expected" in p:
        count, total = totals_by_size(range(1, p["n"] + 1))[p["k"]]
        return total / count
    if "items" in p:
        table = Counter({0: 1})  # orders by number of wrong pairs, inserting the heaviest last
        for size in range(p["items"]):
            longer: Counter[int] = Counter()
            for wrong, ways in table.items():
                for more in range(size + 1):
                    longer[wrong + more] += ways
            table = longer
        return sum(wrong * ways for wrong, ways in table.items())
    if "low" in p:
        digits = range(p["low"], p["high"] + 1)
        count, total = 1, 0
        for _ in range(p["length"]):
            total = sum(10 * total + d * count for d in digits)
            count *= len(digits)
        return total
    ends = combinations(range(1, p["n"] + 1), 2)
    return sum((i + j) * comb(j - i - 1, p["k"] - 2) for i, j in ends)


TRUTH: dict[str, Callable[[Parameters], object]] = {
    "comb-complement": complement,
    "comb-inclusion-exclusion": sieve,
    "comb-forbidden-neighbours": forbidden_neighbours,
    "comb-tilings": tilings,
    "comb-paths-with-detour": detours,
    "comb-ballot": ballots,
    "comb-stars-and-bars": stars_and_bars,
    "comb-total-over-choices": total_over_choices,
    "comb-telescoping": telescoping,
    "comb-mirror-images": mirror_images,
}


def test_every_family_has_a_check() -> None:
    assert FAMILIES.keys() == TRUTH.keys()


@pytest.mark.parametrize("key", sorted(TRUTH))
def test_answers(key: str, check_answers: Callable[..., None]) -> None:
    check_answers(FAMILIES[key], TRUTH[key])


@pytest.mark.parametrize("key", sorted(FAMILIES))
def test_texts(key: str, check_texts: Callable[[Family], None]) -> None:
    check_texts(FAMILIES[key])
