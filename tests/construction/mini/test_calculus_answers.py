"""Calculus answers against numerical integration, summation, iteration and optimisation."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from math import exp, inf, log, pi, sin, sqrt
from typing import TYPE_CHECKING

import mpmath
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize, minimize_scalar

if TYPE_CHECKING:
    from collections.abc import Callable

    from saber_mteb.construction.mini.family import Family

    Parameters = dict[str, int]

MODULES = ("series", "processes", "integrals", "reductions", "extrema", "squares")
PACKAGE = "saber_mteb.construction.mini.families"
FAMILIES: dict[str, Family] = {
    family.key: family
    for module in MODULES
    for family in import_module(f"{PACKAGE}.calculus_{module}").FAMILIES
}


def area(function: Callable[[float], float], low: float, high: float) -> float:
    return float(quad(function, low, high, epsabs=0, epsrel=1e-12, limit=200)[0])


def series(term: Callable[[int], float], start: int = 1) -> float:
    """Sum of a slowly converging series: many terms, and the rest by Euler and Maclaurin."""
    cut = start + 50
    rest = mpmath.sumem(term, [cut, mpmath.inf], tol=mpmath.mpf(10) ** -13)
    return float(mpmath.fsum(term(n) for n in range(start, cut)) + rest)


def lowest(function: Callable[[float], float], low: float, high: float) -> float:
    found = minimize_scalar(function, bounds=(low, high), method="bounded", options={"xatol": 1e-9})
    return float(found.fun)


def telescoping_series(p: Parameters) -> object:
    if "gap" in p:
        return series(lambda n: 1 / (n * (n + p["gap"])))
    if "start" in p:
        return series(lambda n: (2 * n + 1) / (n * (n + 1)) ** 2, p["start"])
    if "first" in p:
        return series(lambda m: 1 / (m * (m + 1) * (m + 2)), p["first"])
    return series(lambda x: mpmath.atan(1 / (x * x + x + 1)), p["arctan"])


def power_series(p: Parameters) -> object:
    terms = range(1, 1200)
    if "squares" in p:
        return float(sum(n * n * mpmath.mpf(p["squares"]) ** -n for n in terms))
    if "faces" in p:
        miss = 1 - 1 / p["faces"]
        return sum(n * n * miss ** (n - 1) / p["faces"] for n in terms)
    if "log" in p:
        return float(sum(mpmath.mpf(p["log"]) ** -n / n for n in terms))
    q = mpmath.mpf(p["q"])
    return float(sum((p["step"] * n + p["first"]) * q**-n for n in terms))


def swapped_order(p: Parameters) -> object:
    if "harmonic" in p:
        total, harmonic = 0.0, 0.0
        for n in range(1, 200):
            harmonic += 1 / n
            total += harmonic * float(p["harmonic"]) ** -n
        return total
    if "tail" in p:
        a = p["tail"]
        # Each tail by partial fractions, whose infinite sums are values of the digamma function.
        tails = mpmath.nsum(
            lambda n: (
                -mpmath.psi(0, n) / (a * (a + 1))
                + mpmath.psi(0, n + a) / a
                - mpmath.psi(0, n + a + 1) / (a + 1)
            ),
            [1, mpmath.inf],
        )
        return float(tails)
    if "block" in p:
        return sum((n // p["block"]) * float(p["q"]) ** -n for n in range(1, 400))
    # (exp(-ax) - exp(-bx)) / x with the scale of x chosen by the slower exponential
    a, b = p["a"], p["b"]
    return float(
        mpmath.quad(lambda x: (mpmath.exp(-a * x) - mpmath.exp(-b * x)) / x, [0, 1, 9, 99])
    )


def self_similarity(p: Parameters) -> object:
    value = 1.0
    if "inside" in p:
        for _ in range(200):
            value = sqrt(p["inside"] + value)
    elif "whole" in p:
        value = float(p["whole"])
        for _ in range(500):
            value = p["whole"] + p["numerator"] / value
    elif "side" in p:
        value, cells = 0.0, Fraction(1)
        for _ in range(2000):
            cells /= p["side"] ** 2
            value += float(p["painted"] * cells)
            cells *= p["repeated"]
            cells = cells.limit_denominator(10**30)
    else:
        value, alive = 0.0, 1.0
        for _ in range(3000):
            value += alive / p["own"]
            alive *= (1 - 1 / p["own"]) * (1 - 1 / p["other"])
    return value


def mirrored_integrand(p: Parameters) -> object:
    if "degree" in p:
        bound = p["bound"]
        return area(lambda x: x ** p["degree"] / (1 + p["base"] ** x), -bound, bound)
    if "exponent" in p:
        return area(lambda x: (x + p["shift"]) * sin(x) ** p["exponent"], 0, pi)
    if "hours" in p:  # some function with the stated property
        hours, rate = p["hours"], p["rate"]
        return area(lambda t: rate / 2 + sin(t - hours / 2) + (t - hours / 2) ** 3, 0, hours)
    a, b = p["a"], p["b"]
    return area(lambda x: sqrt(x) / (sqrt(x) + sqrt(a + b - x)), a, b)


def substitution(p: Parameters) -> object:
    if "factor" in p:
        return area(lambda x: p["factor"] * x * sqrt(x * x + p["b"] ** 2), 0, p["a"])
    if "power" in p:
        return area(lambda x: log(x) ** p["power"] / x, 1, exp(p["top"]))
    if "k" in p:
        k = p["k"]
        return area(lambda x: x ** (k - 1) / (1 + x ** (2 * k)), 0, p["root"] ** (1 / (2 * k)))
    return area(lambda t: exp(t) / (exp(t) + p["c"]), 0, log(p["top"]))


def integral_recurrence(p: Parameters) -> object:
    if "sine" in p:
        return area(lambda x: sin(x) ** p["sine"], 0, pi / 2)
    if "moment" in p:
        rate = p["rate"]
        return area(lambda t: rate * t ** p["moment"] * exp(-rate * t), 0, inf)
    if "logs" in p:
        return float(mpmath.quad(lambda x: x ** p["a"] * mpmath.log(x) ** p["logs"], [0, 1]))
    return area(lambda x: x ** p["m"] * (1 - x) ** p["n"], 0, 1)


def piecewise_integrals(p: Parameters) -> object:
    if "floor" in p:
        return sum(area(lambda x, k=k: k * x, k, k + 1) for k in range(1, p["floor"]))  # type: ignore[misc]
    if "steps" in p:
        return sum(Fraction(1, k * (k + 1)) for k in range(1, p["steps"]))
    if "zero" in p:
        zero, end = p["zero"], p["end"]
        return area(lambda x: abs(x * x - zero * zero), 0, zero) + area(
            lambda x: abs(x * x - zero * zero), zero, end
        )
    return Fraction(sum(h * h for h in range(1, p["hours"] + 1)), p["hours"])


def extrema_by_means(p: Parameters) -> object:
    if "c" in p:
        return lowest(lambda x: x * x + 2 * p["c"] ** 3 / x, 1e-3, 10 * p["c"])
    if "cube" in p:
        c = p["cube"]
        options = {"xatol": 1e-10, "fatol": 1e-13}
        found = minimize(
            lambda v: v[0] + v[1] + c**3 / (v[0] * v[1]),
            (c + 1, c + 2),
            method="Nelder-Mead",
            options=options,
        )
        return float(found.fun)
    if "storing" in p:
        return lowest(lambda x: p["storing"] * x + p["ordering"] / x, 1e-3, 100)
    total = p["total"]
    return -lowest(lambda x: -(x ** p["p"]) * (total - x) ** p["q"], 0, total)


def extrema_by_derivative(p: Parameters) -> object:
    if "n" in p:
        return -lowest(lambda x: -(x ** p["n"]) * exp(-p["k"] * x), 0, 20)
    if "a" in p:
        linear = 3 * p["a"] ** 2
        bound = 3 * p["a"] ** 3
        # Three real roots exactly if the discriminant is positive.
        return sum(4 * linear**3 > 27 * k * k for k in range(-bound, bound + 1))
    if "scale" in p:
        return -lowest(lambda x: -p["number"] * x * exp(-x / p["scale"]), 0, 40)
    return -lowest(lambda x: p["factor"] * x ** p["degree"] * log(x), 1e-9, 1)


def completed_square(p: Parameters) -> object:
    if "root" in p:
        b, c = 2 * p["shift"], p["shift"] ** 2 + p["root"] ** 2
        return float(
            mpmath.quad(lambda x: 1 / (x * x + b * x + c), [-mpmath.inf, -p["shift"], mpmath.inf])
        )
    if "bell" in p:
        top = p["shift"]
        return area(lambda x: p["scale"] * exp(2 * top * x - x * x), top - 9, top + 9)
    if "radius" in p:
        r = p["radius"]
        # x = r (1 - cos t) smooths the two ends.
        return float(
            mpmath.quad(
                lambda t: (
                    mpmath.sqrt(2 * r * (x := r * (1 - mpmath.cos(t))) - x * x) * r * mpmath.sin(t)
                ),
                [0, mpmath.pi],
            )
        )
    n, end = p["n"], p["end"]
    return lowest(lambda c: area(lambda x: (x**n - c * x) ** 2, 0, end), 0, 3.0 * end**n)


TRUTH: dict[str, Callable[[Parameters], object]] = {
    "calc-telescoping-series": telescoping_series,
    "calc-power-series": power_series,
    "calc-swapped-order": swapped_order,
    "calc-self-similarity": self_similarity,
    "calc-mirrored-integrand": mirrored_integrand,
    "calc-substitution": substitution,
    "calc-integral-recurrence": integral_recurrence,
    "calc-piecewise-integrals": piecewise_integrals,
    "calc-extrema-by-means": extrema_by_means,
    "calc-extrema-by-derivative": extrema_by_derivative,
    "calc-completed-square": completed_square,
}


def test_every_family_has_a_check() -> None:
    assert FAMILIES.keys() == TRUTH.keys()


@pytest.mark.parametrize("key", sorted(TRUTH))
def test_answers(key: str, check_answers: Callable[..., None]) -> None:
    check_answers(FAMILIES[key], TRUTH[key])


@pytest.mark.parametrize("key", sorted(FAMILIES))
def test_texts(key: str, check_texts: Callable[[Family], None]) -> None:
    check_texts(FAMILIES[key])
