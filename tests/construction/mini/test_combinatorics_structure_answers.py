"""Answers about designs, forced patterns, processes and games against simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from importlib import import_module
from itertools import combinations, product
from math import comb
from random import Random
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from saber_mteb.construction.mini.family import Family

    Parameters = dict[str, int]

MODULES = (
    "structures",
    "processes",
)
PACKAGE = "saber_mteb.construction.mini.families"
FAMILIES: dict[str, Family] = {
    family.key: family
    for module in MODULES
    for family in import_module(f"{PACKAGE}.combinatorics_{module}").FAMILIES
}


def incidences(p: Parameters) -> object:
    if "people" in p:
        # The teams of one person cover the others in groups of size - 1.
        each = Fraction(p["together"] * (p["people"] - 1), p["size"] - 1)
        assert each.denominator == 1
        return p["people"] * each / p["size"]
    if "vertices" in p:
        n, d = p["vertices"], p["degree"]
        near = [k for k in range(1, n) if min(k, n - k) <= d // 2 or (d % 2 and 2 * k == n)]
        assert len(near) == d
        edges = {frozenset((v, (v + k) % n)) for v in range(n) for k in near}
        return comb(n, 2) - len(edges)
    if "pupils" in p:
        problems = 0
        while problems * p["solvers"] < p["pupils"] * p["solved"]:
            problems += 1
        # Deal the solutions out in turn: nobody solves a problem twice.
        solved = [k % problems for k in range(p["pupils"] * p["solved"])]
        assert set(Counter(solved).values()) == {p["solvers"]}
        return problems
    # Every small set lies in equally many large ones; count for one, and count the small sets.
    inside = comb(p["n"] - p["common"], p["k"] - p["common"])
    return inside * sum(1 for _ in combinations(range(p["n"]), p["common"]))


def forced_pattern(p: Parameters) -> object:
    if "wanted" in p:
        stock = Counter({c: p[c] for c in ("red", "green", "blue", "white")})
        drawn: Counter[str] = Counter()
        while True:  # an adversary avoids completing a set as long as possible
            free = [c for c in stock if drawn[c] < min(stock[c], p["wanted"] - 1)]
            if not free:
                return drawn.total() + 1
            drawn[free[0]] += 1
    if "sum" in p:
        chosen: set[int] = set()
        for x in range(p["n"], 0, -1):
            if p["sum"] - x not in chosen or p["sum"] == 2 * x:
                chosen.add(x)
        return len(chosen) + 1
    if "difference" in p:
        best = 0
        for first in range(1, p["difference"] + 1):
            take, skip = 0, 0
            for _ in range(first, p["n"] + 1, p["difference"]):
                take, skip = skip + 1, max(take, skip)
            best += max(take, skip)
        return best
    return len(list(product(range(p["colours"]), repeat=p["rows"]))) + 1


def merge(board: list[Fraction], rule: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
    rng = Random(len(board))
    while len(board) > 1:
        rng.shuffle(board)
        board.append(rule(board.pop(), board.pop()))
    return board[0]


def board_invariant(p: Parameters) -> object:
    if "n0" in p:
        return merge([Fraction(v) for v in p.values()], lambda a, b: a * b + a + b)
    if "loss" in p:
        start = [Fraction(k) for k in range(1, p["n"] + 1)]
        return merge(start, lambda a, b: a + b - p["loss"])
    if "n" in p:
        return merge([Fraction(1, k) for k in range(1, p["n"] + 1)], lambda a, b: a * b / (a + b))
    rng, piles, noted = Random(1), [p["pile"]], 0
    while piles:
        pile = piles.pop(rng.randrange(len(piles)))
        if pile > 1:
            part = rng.randint(1, pile - 1)
            noted += part * (pile - part)
            piles += [part, pile - part]
    return noted


def lost_positions(top: int, moves: Iterable[int], empty_is_lost: bool = True) -> list[bool]:
    lost = [empty_is_lost]
    for n in range(1, top + 1):
        lost.append(not any(lost[n - m] for m in moves if m <= n))
    return lost


def subtraction_game(p: Parameters) -> object:
    if "pile" in p:
        moves = range(1, p["most"] + 1)
        lost = lost_positions(p["pile"], moves, "misere" not in p)
        [move] = [m for m in moves if lost[p["pile"] - m]]
        return move
    steps = range(1, p["most"] + 1) if "most" in p else (1, 3, 4)
    return sum(lost_positions(p["bound"], steps)[1:])


TRUTH: dict[str, Callable[[Parameters], object]] = {
    "comb-incidences": incidences,
    "comb-forced-pattern": forced_pattern,
    "comb-board-invariant": board_invariant,
    "comb-subtraction-game": subtraction_game,
}


def test_every_family_has_a_check() -> None:
    assert FAMILIES.keys() == TRUTH.keys()


@pytest.mark.parametrize("key", sorted(TRUTH))
def test_answers(key: str, check_answers: Callable[..., None]) -> None:
    check_answers(FAMILIES[key], TRUTH[key])


@pytest.mark.parametrize("key", sorted(FAMILIES))
def test_texts(key: str, check_texts: Callable[[Family], None]) -> None:
    check_texts(FAMILIES[key])
