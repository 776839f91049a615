"""Algebra answers against exact or numerical computation that uses no closed form."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, log2, prod, radians, sqrt, tan
from typing import TYPE_CHECKING

import mpmath
import numpy as np
import pytest
import sympy
from scipy.optimize import minimize, minimize_scalar

from saber_mteb.construction.mini.families import all_families

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from saber_mteb.construction.mini.family import Family

    Parameters = dict[str, int]

FAMILIES = {f.key: f for f in all_families() if f.key.startswith("alg-")}


def telescoping_sum(p: Parameters) -> object:
    if p["form"] == 1:
        a, d = p["a"], p["d"]
        return sum(Fraction(1, (a + k * d) * (a + k * d + d)) for k in range(p["n"]))
    if p["form"] == 2:
        points = range(p["low"] ** 2, p["top"] ** 2, p["d"])
        assert points[-1] + p["d"] == p["top"] ** 2
        return float(sum(1 / (sqrt(x) + sqrt(x + p["d"])) for x in points))
    if p["form"] == 3:
        taken, days, k = Fraction(0), 0, p["start"]
        while taken < Fraction(p["p"], p["q"]):
            taken, days, k = taken + Fraction(1, k * (k + 1)), days + 1, k + 1
        assert taken == Fraction(p["p"], p["q"])
        return days
    terms = range(1, p["n"] + 1)
    if p["form"] == 4:
        return sum(Fraction(1, k * (k + 1) * (k + 2)) for k in terms)
    return sum(Fraction(2 * k + 1, (k * k + k) ** 2) for k in terms)


def telescoping_product(p: Parameters) -> object:
    if p["form"] == 1:
        return prod(1 - Fraction(1, k * k) for k in range(2, p["n"] + 1))
    if p["form"] == 2:
        return prod(Fraction(k**3 - 1, k**3 + 1) for k in range(2, p["n"] + 1))
    if p["form"] == 3:
        amount = Fraction(p["start"])
        for k in range(2, p["n"] + 1):
            amount += amount / k
        return amount
    b = p["base"]
    number = (b - 1) * prod(b ** (2**i) + 1 for i in range(p["m"] + 1)) + 1
    exponent = 0
    while number > 1:
        number, rest = divmod(number, b)
        assert rest == 0
        exponent += 1
    return exponent


def recurrence(p: Parameters) -> object:
    if p["form"] == 1:
        x = (p["t"] + sympy.sqrt(p["t"] ** 2 - 4)) / 2
        return sympy.expand(x ** p["n"]) + sympy.expand((p["t"] - x) ** p["n"])
    if p["form"] == 2:
        x, y = p["first"], p["second"]
        for _ in range(p["n"]):
            x, y = y, p["s"] * y - p["p"] * x
        return x
    if p["form"] == 3:
        stock = p["start"]
        for _ in range(p["n"]):
            stock = stock * p["f"] - p["r"]
        return stock
    value = p["seed"]
    for x in range(p["low"] + 1, p["high"] + 1):
        value = x * x - value
    return value


def cubic_roots(p: Parameters) -> object:
    mpmath.mp.dps = 40
    a, b, c = mpmath.polyroots([1, -p["p"], p["q"], -p["r"]], maxsteps=200, extraprec=200)
    assert all(abs(mpmath.im(root)) < 1e-30 and mpmath.re(root) > 0 for root in (a, b, c))
    value = {
        1: 1 / a**2 + 1 / b**2 + 1 / c**2,
        2: prod(root + p.get("c", 0) for root in (a, b, c)),
        3: a**3 + b**3 + c**3,
        4: -(a + b) * (b + c) * (c + a),
    }[p["form"]]
    return float(mpmath.re(value))


def symmetric_system(p: Parameters) -> object:
    if p["form"] in (1, 4):
        s = p["s"]
        xy = p["p"] if p["form"] == 4 else sympy.Rational(s * s - p["squares"], 2)
        root = sympy.sqrt(s * s - 4 * xy)
        n = p.get("n", 3)
        return sympy.expand(((s + root) / 2) ** n + ((s - root) / 2) ** n)
    if p["form"] == 2:
        found = {
            a * b * c
            for a, b, c in product(range(-6, 9), repeat=3)
            if all(a**k + b**k + c**k == p[f"p{k}"] for k in (1, 2, 3))
        }
        assert len(found) == 1
        return found.pop()
    # y = (u - x)/(1 + x), cleared of fractions in x y (x + y) = v.
    x = sympy.Symbol("x")
    y_top, y_bottom = p["u"] - x, 1 + x
    equation = x * y_top * (x * y_bottom + y_top) - p["v"] * y_bottom**2
    roots = sympy.Poly(sympy.expand(equation), x).nroots(n=20, maxsteps=200)
    real = [float(sympy.re(r)) for r in roots if abs(sympy.im(r)) < 1e-12]
    values = {round(r * r + ((p["u"] - r) / (1 + r)) ** 2, 7) for r in real}
    assert len(values) == 1
    return int(round(values.pop(), 6))


def coefficient_filter(p: Parameters) -> object:
    if p["form"] == 4:
        return sum(comb(p["n"], k) for k in range(0, p["n"] + 1, 3))
    base = {1: [p.get("c"), p.get("b"), p.get("a")], 2: [1, 1, 1], 3: [1] * (p.get("top", 0) + 1)}
    coefficients = [1]
    for _ in range(p["n"]):
        factor = base[p["form"]]
        result = [0] * (len(coefficients) + len(factor) - 1)
        for i, x in enumerate(coefficients):
            for j, y in enumerate(factor):
                result[i + j] += x * y
        coefficients = result
    step = 3 if p["form"] == 2 else 2
    return sum(coefficients[p.get("r", 0) :: step])


def smallest(function: Callable[[float], float], low: float, high: float) -> float:
    """The least value of a function with one minimum."""
    return float(
        minimize_scalar(
            function, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
        ).fun
    )


def geometric_mean(p: Parameters) -> object:
    if p["form"] == 1:
        return smallest(lambda x: (x + p["a"]) * (x + p["b"]) / x, 1e-3, 1e3)
    if p["form"] == 2:
        return smallest(lambda s: s * s + 4 * p["volume"] / s, 1e-2, 1e3)
    if p["form"] == 3:
        return -smallest(lambda x: -x * x * (p["total"] - x) / p["c"], 0, p["total"])

    def enlarged(logs: NDArray[np.float64]) -> float:
        u, v = np.exp(logs)
        return (u + p["a"]) * (v + p["a"]) * (p["product"] / (u * v) + p["a"])

    return float(minimize(enlarged, [0.1, 0.7], method="BFGS", options={"gtol": 1e-9}).fun)


def cauchy_schwarz(p: Parameters) -> object:
    if p["form"] == 2:

        def on_sphere(angles: NDArray[np.float64]) -> float:
            u, v = angles
            point = np.array([np.cos(u) * np.cos(v), np.sin(u) * np.cos(v), np.sin(v)])
            return -p["r"] * float(point @ [p["a"], p["b"], p["c"]])

        starts = [(u, v) for u in (0.5, 2.5, 4.5) for v in (-0.5, 0.7)]
        return -min(float(minimize(on_sphere, s, options={"gtol": 1e-10}).fun) for s in starts)
    if p["form"] == 3:
        low, high = p["p"], p["q"]
        return -smallest(lambda x: -p["m"] * sqrt(x - low) - p["n"] * sqrt(high - x), low, high)

    def total(logs: NDArray[np.float64]) -> float:
        shares = np.exp([*logs, 0.0])
        shares *= p["s"] / shares.sum()
        return float((np.array([p["a"], p["b"], p["c"]]) ** 2 / shares).sum())

    return float(minimize(total, [0.0, 0.0], options={"gtol": 1e-10}).fun)


def sum_of_squares(p: Parameters) -> object:
    if p["form"] == 1:
        k, b, a = p["k"], p["b"], p["a"]
        # The left side minus the right side is a convex quadratic; its minimum must be zero.
        point = np.linalg.solve(
            [[2, -2 * k, 0], [-2 * k, 2 * (k * k + 1), 0], [0, 0, 2]], [0, 2 * b, 2 * a]
        )
        x, y, z = point
        rest = x * x + (k * k + 1) * y * y + z * z + a * a + b * b
        assert rest == pytest.approx(2 * k * x * y + 2 * b * y + 2 * a * z)
        return float(point.sum())
    if p["form"] == 2:
        k, c, y1 = p["k"], p["c"], p["y1"]
        x, y = np.linalg.solve([[2, -2 * k], [-2 * k, 2 * (k * k + 1)]], [2 * c, -y1])
        value = x * x - 2 * k * x * y + (k * k + 1) * y * y - 2 * c * x + y1 * y + p["constant"]
        return float(value)
    if p["form"] == 3:
        parts = [(p["a"], p["p"]), (p["b"], p["q"]), (p["c"], p["r"])]
        shift = sum(q * q - start for start, q in parts)
        best = [
            minimize_scalar(lambda t, s=start, q=q: s + t * t - 2 * q * t, bounds=(0, 50)).x
            for start, q in parts
        ]
        unknowns = [start + t * t for (start, _), t in zip(parts, best, strict=True)]
        right = sum(2 * q * t for (_, q), t in zip(parts, best, strict=True))
        assert sum(unknowns) + shift == pytest.approx(right)
        return round(prod(unknowns), 4)
    d = p["d"]
    product_of_four = np.poly([0, -d, -2 * d, -3 * d])
    turning = np.roots(np.polyder(product_of_four))
    return float(min(np.polyval(product_of_four, turning.real))) + p["c"]


def paired_values(p: Parameters) -> object:
    if p["form"] == 1:
        c, n = p["c"], p["n"]
        return float(sum(c ** (2 * k / n) / (c ** (2 * k / n) + c) for k in range(1, n)))
    if p["form"] == 2:
        numbers = [Fraction(k) for k in range(1, p["n"] + 1)]
        numbers += [1 / x for x in numbers[1:]]
        return sum(x ** p["e"] / (1 + x ** p["e"]) for x in numbers)
    if p["form"] == 3:
        return float(sum(log2(1 + tan(radians(k))) for k in range(p["low"], p["high"] + 1)))
    cubic = [p[f"c{i}"] for i in range(4)]
    return sum(sum(c * x ** (3 - i) for i, c in enumerate(cubic)) for x in range(2 * p["a"] + 1))


def functional_equation(p: Parameters) -> object:
    x = sympy.Symbol("x")
    u, v, w = sympy.symbols("u v w")
    if p["form"] == 3:
        points = [sympy.Rational(p["v"])]
        while len(points) < 3:
            points.append(1 / (1 - points[-1]))
        assert 1 / (1 - points[-1]) == points[0]
        sides = [p["p"] * point + p["q"] for point in points]
        return sympy.Matrix([[1, 1, 0], [0, 1, 1], [1, 0, 1]]).solve(sympy.Matrix(sides))[0]
    if p["form"] == 2:
        f = u * x + v / x
        identity = sympy.expand((f + p["c"] * f.subs(x, 1 / x) - p["k"] * x) * x)
    elif p["form"] == 1:
        f = u * x**2 + v * x + w
        identity = f + p["c"] * f.subs(x, p["a"] - x) - p["p"] * x**2 - p["q"]
    else:
        f = u * x**2 + v * x + w
        identity = p["m"] * f + p["n"] * f.subs(x, p["s"] - x) - x**2
    solution = sympy.solve(sympy.Poly(identity, x).coeffs(), [u, v, w], dict=True)[0]
    return f.subs(solution).subs(x, p["v"])


def hidden_product(p: Parameters) -> object:
    if p["form"] == 1:
        c = p["c"]
        rights = (p["r0"], p["r1"], p["r2"])
        found = [
            x * y * z
            for x, y, z in product(range(1, 12), repeat=3)
            if tuple(s * t + c * (s + t) for s, t in ((x, y), (y, z), (z, x))) == rights
        ]
        assert len(found) == 1
        return found[0]
    if p["form"] == 2:
        results = [p["a"], p["b"], p["c"]]
        total = next(s for s in range(1, 100) if sum(Fraction(r, s) for r in results) == s)
        return sum(Fraction(r, total) ** 2 for r in results)
    if p["form"] == 3:
        total = p["total"]
        found = {u + (total - u) // (u + 1) for u in range(1, total) if (total - u) % (u + 1) == 0}
        found -= {total}
        assert len(found) == 1
        return found.pop()
    a, b, c = p["a"], p["b"], p["c"]
    return (a + b + c) ** 3 - a**3 - b**3 - c**3


TRUTH = {
    "alg-telescoping-sum": telescoping_sum,
    "alg-telescoping-product": telescoping_product,
    "alg-recurrence": recurrence,
    "alg-cubic-roots": cubic_roots,
    "alg-symmetric-system": symmetric_system,
    "alg-coefficient-filter": coefficient_filter,
    "alg-arithmetic-geometric-mean": geometric_mean,
    "alg-cauchy-schwarz": cauchy_schwarz,
    "alg-sum-of-squares": sum_of_squares,
    "alg-paired-values": paired_values,
    "alg-functional-equation": functional_equation,
    "alg-hidden-product": hidden_product,
}


def test_every_family_has_a_check() -> None:
    assert FAMILIES.keys() == TRUTH.keys()


@pytest.mark.parametrize("key", sorted(TRUTH))
def test_answers(key: str, check_answers: Callable[..., None]) -> None:
    check_answers(FAMILIES[key], TRUTH[key])


@pytest.mark.parametrize("key", sorted(FAMILIES))
def test_texts(key: str, check_texts: Callable[[Family], None]) -> None:
    check_texts(FAMILIES[key])
