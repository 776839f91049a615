"""Paths, solids, extrema and arrangements against numerical optima and explicit counts."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import combinations, permutations, product
from math import atan, cos, hypot, inf, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.optimize import brentq, minimize, minimize_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from saber_mteb.construction.mini.family import Family

    Parameters = dict[str, int]
    Point = Sequence[float]

MODULES = ("paths", "solids", "optima", "arrangements")
PACKAGE = "saber_mteb.construction.mini.families"
FAMILIES: dict[str, Family] = {
    family.key: family
    for module in MODULES
    for family in import_module(f"{PACKAGE}.geometry_{module}").FAMILIES
}


def root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(function, low, high, xtol=1e-14, rtol=1e-15))


def lowest(function: Callable[[float], float], low: float, high: float) -> float:
    found = minimize_scalar(function, bounds=(low, high), method="bounded", options={"xatol": 1e-9})
    return float(found.fun)


def lowest_of_two(function: Callable[[NDArray[np.float64]], float], start: Point) -> float:
    options = {"xatol": 1e-10, "fatol": 1e-13, "maxiter": 4000, "maxfev": 8000}
    return float(minimize(function, start, method="Nelder-Mead", options=options).fun)


def polygon_area(points: Sequence[Sequence[float | Fraction]]) -> float | Fraction:
    following = [*points[1:], points[0]]
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, following, strict=True))) / 2


def distance_to_line(p: Point, a: Point, b: Point) -> float:
    cross = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return abs(cross) / hypot(b[0] - a[0], b[1] - a[1])


def mirror_paths(p: Parameters) -> object:
    if "along" in p:
        a, b, c = p["a"], p["b"], p["along"]
        return lowest(lambda x: hypot(x, a) + hypot(c - x, b), 0, c)
    if "degrees" in p:
        theta = p["degrees"] * pi / 180
        x, y = p["distance"] * cos(theta / 3), p["distance"] * sin(theta / 3)

        def perimeter(v: NDArray[np.float64]) -> float:
            s, t = v
            far = (t * cos(theta), t * sin(theta))
            ends = hypot(x - s, y) + hypot(x - far[0], y - far[1])
            return float(ends + hypot(s - far[0], far[1]))

        return lowest_of_two(perimeter, (x, x))
    p0, q0, r, s = p["p"], p["q"], p["r"], p["s"]

    def one(v: NDArray[np.float64]) -> float:
        return float(hypot(p0, q0 - v[0]) + hypot(v[1], v[0]) + hypot(r - v[1], s))

    def other(v: NDArray[np.float64]) -> float:
        return float(hypot(p0 - v[1], q0) + hypot(v[1], v[0]) + hypot(r, s - v[0]))

    return min(lowest_of_two(f, (1.0, 1.0)) for f in (one, other))


def unfolded_surface(p: Parameters) -> object:
    if "turns" in p:
        n, turn = 50, 2 * pi * p["turns"]
        radius = p["around"] / (2 * pi)
        # On a cylinder an arc of angle t and rise z is a chord of the developed strip.
        return n * hypot(p["height"] / n, radius * turn / n)
    if "slant" in p:
        lap = 2 * pi * p["radius"] / p["slant"]
        tip = p["slant"] * cos(lap / 2)  # closest the path comes to the summit
        return lowest(lambda s: 2 * sqrt(p["slant"] ** 2 + s * s - 2 * s * tip), 0, p["slant"])
    if "inside" in p:
        half = p["around"] / 2
        return lowest(lambda x: hypot(x, p["outside"]) + hypot(half - x, p["inside"]), 0, half)
    best = inf
    for x, y, z in permutations((p["a"], p["b"], p["c"])):
        # Over the face x * y first, through a point of the far edge of length x, then up z.
        best = min(
            best,
            lowest(lambda t, x=x, y=y, z=z: hypot(t, y) + hypot(x - t, z), 0, x),  # type: ignore[misc]
        )
    return best


def volume_twice(p: Parameters) -> object:
    if "c" in p:
        a, b, c = p["a"], p["b"], p["c"]
        normal = np.cross([-a, b, 0], [-a, 0, c])
        return float(abs(normal @ [a, 0, 0]) / np.linalg.norm(normal))
    if "base" in p:
        half, h = p["base"] / 2, p["height"]
        return root(lambda r: h * half - r * half - r * hypot(h, half), 0, h)
    if "radius" in p:
        line = ((p["radius"], 0.0), (0.0, float(p["height"])))
        return root(lambda r: distance_to_line((0, r), *line) - r, 0, p["height"] / 2)
    unit = p["scale"] * sqrt(6) / sqrt(8)
    corners = unit * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=float)
    # The face opposite a corner v has normal -v and distance |v| / 3 from the centre.
    wanted = [
        np.linalg.norm(v) / 3 - d for v, d in zip(corners, (p["p"], p["q"], p["r"]), strict=False)
    ]
    normals = -corners / np.linalg.norm(corners[0])
    place = np.linalg.solve(normals[:3], wanted)
    return float(np.linalg.norm(corners[3]) / 3 - normals[3] @ place)


def polyhedra(p: Parameters) -> object:
    if "triangles" in p:
        n = p["triangles"] // 2  # two caps of triangles on a stack of rings
        rings = p["quadrilaterals"] // n + 1
        return len(set(product(range(rings), range(n))) | {"north", "south"})
    if "corners" in p:
        [found] = [
            h
            for h in range(p["corners"])
            if (3 * p["corners"] - 6 * h) % 5 == 0
            and p["corners"] - 3 * p["corners"] // 2 + h + (3 * p["corners"] - 6 * h) // 5 == 2
        ]
        return found
    if "total" in p:
        # Any polyhedron will do, for example a pyramid over a polygon with n corners.
        n = next(n for n in range(3, 99) if 180 * (n - 2) + 180 * n == p["total"])
        return n + 1
    vertices, edges = 4, 6
    while vertices < p["joints"]:  # cap one triangle with a flat tetrahedron
        vertices, edges = vertices + 1, edges + 3
    return edges


def extremal_solids(p: Parameters) -> object:
    if "radius" in p:
        r0, h = p["radius"], p["height"]
        return -lowest(lambda r: -pi * r * r * h * (1 - r / r0), 0, r0)
    if "sheet" in p:
        side = sqrt(p["sheet"])
        return -lowest(lambda x: -x * (p["sheet"] - x * x) / 4, 0, side)
    if "volume" in p:
        v = p["volume"]
        size = v ** (1 / 3)
        return lowest_of_two(
            lambda e: abs(e[0] * e[1]) + 2 * v / abs(e[0]) + 2 * v / abs(e[1]), (size, size)
        )
    a, b, c = p["a"], p["b"], p["c"]
    return -lowest_of_two(lambda v: -v[0] * v[1] * c * (1 - v[0] / a - v[1] / b), (a / 4, b / 4))


def optimal_by_derivative(p: Parameters) -> object:
    if "side" in p:
        a = p["side"]

        def area(t: float) -> float:
            x, y = a * cos(t), a * sin(t)
            return float(polygon_area([(0, 0), (x, y), (x + a, y), (2 * x + a, 0)]))

        return -lowest(lambda t: -area(t), 0, pi / 2)
    if "p" in p:
        u, v = p["p"] ** 3, p["q"] ** 3
        # The rod slides along both outer walls; the inner corner is at (u, v).
        return lowest(lambda x: hypot(x, v * x / (x - u)), u + 1e-6, 60 * (u + v))
    if "low" in p:
        best = minimize_scalar(
            lambda x: atan(p["low"] / x) - atan(p["high"] / x),
            bounds=(0, 4 * p["high"]),
            method="bounded",
            options={"xatol": 1e-12},
        ).x
        # A flat maximum fixes the place to half the digits; the derivative fixes the rest.
        return root(
            lambda x: p["low"] / (x**2 + p["low"] ** 2) - p["high"] / (x**2 + p["high"] ** 2),
            best - 0.1,
            best + 0.1,
        )
    return -lowest(lambda t: -pi / 3 * (p["slant"] * sin(t)) ** 2 * p["slant"] * cos(t), 0, pi / 2)


@lru_cache
def most_separate_cells(rows: int, columns: int) -> int:
    """Largest set of cells of which no two touch, by passing from row to row."""
    rows, columns = max(rows, columns), min(rows, columns)
    masks = [m for m in range(1 << columns) if not m & (m << 1)]
    fits = np.array([[not (a & (b | b << 1 | b >> 1)) for b in masks] for a in masks])
    size = np.array([m.bit_count() for m in masks])
    best = size.copy()
    for _ in range(rows - 1):
        best = size + np.where(fits, best[None, :], -1).max(axis=1)
    return int(best.max())


def close_points(p: Parameters) -> object:
    if "length" in p:
        return next(n for n in range(2, 999) if Fraction(p["length"], n) < p["gap"])
    if "angle" in p:
        return next(n for n in range(2, 999) if Fraction(180, n) < p["angle"])
    if "m" in p:
        return most_separate_cells(p["m"], p["n"]) + 1
    return most_separate_cells(p["a"] + 1, p["b"] + 1)


def regions(p: Parameters) -> object:
    if "lines" in p:  # tangents y = 2kx - k^2 of a parabola; two of them meet above (j + k) / 2
        lines = range(p["lines"])
        crossings = {(j + k, j * k) for j, k in combinations(lines, 2)}
        edges = sum(len({(j + k, j * k) for j in lines if j != k}) + 1 for k in lines)
        return edges - len(crossings) + 1
    if "circles" in p:
        n = p["circles"]
        centres = [(0.1 * cos(k * k + 1), 0.1 * sin(k * k + 1)) for k in range(n)]
        points: set[tuple[float, float]] = set()
        edges = 0
        on: list[set[tuple[float, float]]] = [set() for _ in range(n)]
        for j, k in combinations(range(n), 2):
            (ax, ay), (bx, by) = centres[j], centres[k]
            d = hypot(bx - ax, by - ay)
            along, h = ((ax + bx) / 2, (ay + by) / 2), sqrt(1 - d * d / 4)
            for sign in (1, -1):
                point = (
                    round(along[0] - sign * h * (by - ay) / d, 9),
                    round(along[1] + sign * h * (bx - ax) / d, 9),
                )
                points.add(point)
                on[j].add(point)
                on[k].add(point)
        edges = sum(len(s) for s in on)
        return edges - len(points) + 2
    if "corners" in p:
        pieces, crossed = 1, 0
        for _ in range(p["corners"]):
            pieces, crossed = pieces + 4 * crossed + 1, crossed + 1
        return pieces
    pieces, cuts = 1, 0
    while pieces < p["wanted"]:
        cuts += 1
        pieces += cuts
    return cuts


TRUTH: dict[str, Callable[[Parameters], object]] = {
    "geo-mirror-paths": mirror_paths,
    "geo-unfolded-surface": unfolded_surface,
    "geo-volume-twice": volume_twice,
    "geo-polyhedron-counting": polyhedra,
    "geo-extremal-solids": extremal_solids,
    "geo-optimal-by-derivative": optimal_by_derivative,
    "geo-close-points": close_points,
    "geo-regions": regions,
}


def test_every_family_has_a_check() -> None:
    assert FAMILIES.keys() == TRUTH.keys()


@pytest.mark.parametrize("key", sorted(TRUTH))
def test_answers(key: str, check_answers: Callable[..., None]) -> None:
    check_answers(FAMILIES[key], TRUTH[key])


@pytest.mark.parametrize("key", sorted(FAMILIES))
def test_texts(key: str, check_texts: Callable[[Family], None]) -> None:
    check_texts(FAMILIES[key])
