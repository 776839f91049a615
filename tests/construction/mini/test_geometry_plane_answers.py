"""Plane geometry answers against constructions in coordinates and explicit cells."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from itertools import combinations, pairwise, product
from math import acos, cos, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from saber_mteb.construction.mini.family import Family

    Parameters = dict[str, int]
    Point = Sequence[float]

MODULES = ("triangles", "circles", "coordinates", "areas", "sides", "measure")
PACKAGE = "saber_mteb.construction.mini.families"
FAMILIES: dict[str, Family] = {
    family.key: family
    for module in MODULES
    for family in import_module(f"{PACKAGE}.geometry_{module}").FAMILIES
}


def root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(function, low, high, xtol=1e-14, rtol=1e-15))


def polygon_area(points: Sequence[Sequence[float | Fraction]]) -> float | Fraction:
    following = [*points[1:], points[0]]
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, following, strict=True))) / 2


def corner(a: float, b: float, c: float) -> tuple[float, float]:
    """Third corner of a triangle over (0, 0), (c, 0) with distances b and a from them."""
    x = (b * b + c * c - a * a) / (2 * c)
    return x, sqrt(b * b - x * x)


def distance_to_line(p: Point, a: Point, b: Point) -> float:
    cross = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return abs(cross) / hypot(b[0] - a[0], b[1] - a[1])


def inscribed_rectangle(p: Parameters) -> object:
    base = p["base"]

    def width(y: float | Fraction, height: float | Fraction) -> float | Fraction:
        apex = Fraction(base, 3)  # any foot of the altitude inside the base will do
        left, right = apex * y / height, base - (base - apex) * y / height
        return right - left

    if "side" in p:
        top = 1e4 * base
        return root(lambda height: float(width(p["side"], height)) - p["side"], p["side"], top)
    ratio = p.get("ratio", 1)
    at = [width(Fraction(y), Fraction(p["height"])) - ratio * y for y in (0, 1)]
    height = -at[0] / (at[1] - at[0])
    return ratio * height * height if "ratio" in p else height


def area_twice(p: Parameters) -> object:
    if "d" in p:
        d, e, f = p["d"], p["e"], p["f"]

        def third(side: float) -> float:
            x = (2 * e + d) / sqrt(3)  # distance d from y = 0, and e from y = sqrt(3) x
            return (sqrt(3) * (side - x) - d) / 2 - f

        return root(third, 0, 1e3)
    if "hypotenuse" in p:
        c, h = p["hypotenuse"], p["altitude"]
        x = c / 2 + sqrt(c * c / 4 - h * h)  # on the circle over the hypotenuse
        return c + hypot(x, h) + hypot(c - x, h)
    if "leg" in p:
        height = sqrt(p["leg"] ** 2 - p["base"] ** 2 / 4)
        apex, left, right = (p["base"] / 2, height), (0, 0), (p["base"], 0)
        point = (0.3 * p["base"], 0)
        return distance_to_line(point, left, apex) + distance_to_line(point, right, apex)
    a, b, c = p["a"], p["b"], p["c"]
    height = corner(a, b, c)[1]
    # The incentre weighs the corners by the opposite sides, and two of them have height 0.
    return c * height / (a + b + c)


def power_of_a_point(p: Parameters) -> object:
    if "tangent" in p:
        t, near = p["tangent"], p["outside"]
        radius = t * t / near
        d = hypot(radius, t)

        def entry(angle: float) -> float:
            return d * cos(angle) - sqrt(max(0.0, radius**2 - (d * sin(angle)) ** 2))

        angle = root(lambda v: entry(v) - near, 0, np.arcsin(radius / d))
        return 2 * sqrt(radius**2 - (d * sin(angle)) ** 2)
    if "span" in p:
        half, rise = p["span"] / 2, p["rise"]
        return root(lambda r: half**2 + (r - rise) ** 2 - r * r, 0, 1e6)
    if "ratio" in p:
        r, d = p["radius"], p["distance"]

        def parts(angle: float) -> tuple[float, float]:
            s = sqrt(r * r - (d * sin(angle)) ** 2)
            return s + d * cos(angle), s - d * cos(angle)

        angle = root(lambda v: parts(v)[0] - p["ratio"] * parts(v)[1], 0, pi / 2)
        return sum(parts(angle))
    a, b, c, slope = p["a"], p["b"], p["c"], 1.1
    points = [(-a, 0), (b, 0), (c * cos(slope), c * sin(slope))]
    matrix = [(x, y, 1) for x, y in points]
    u, v, w = np.linalg.solve(matrix, [-(x * x + y * y) for x, y in points])
    roots = np.roots([1, u * cos(slope) + v * sin(slope), w])
    return float(-min(roots))


def circles_in_an_angle(p: Parameters) -> object:
    small, large = p.get("small", p.get("first", 0)), p.get("large", p.get("second", 0))

    def smaller(sine: float) -> float:
        return root(lambda r: large / sine - r / sine - large - r, 0, large)

    sine = root(lambda s: smaller(s) - small, 1e-6, 1 - 1e-9)
    if "first" in p:
        return root(lambda r: r / sine - large / sine - large - r, large, 1e5)
    if "sine" in p:
        return sine
    if "areas" in p:
        total, radius = 0.0, float(large)
        while radius > 1e-9:
            total, radius = total + radius**2, radius * small / large
        return total
    return large / sine


def perpendicular_medians(p: Parameters) -> object:
    def dot(corners: NDArray[np.float64]) -> float:
        a, b, c = corners
        return float(((b + c) / 2 - a) @ ((a + c) / 2 - b))

    if "m" in p:
        turn = np.array([[cos(0.7), -sin(0.7)], [sin(0.7), cos(0.7)]])
        a = turn @ np.array([2 * p["m"] / 3, 0])
        b = turn @ np.array([0, 2 * p["n"] / 3])
        c = -a - b
        assert dot(np.array([a, b, c])) == pytest.approx(0, abs=1e-9)
        assert np.linalg.norm((b + c) / 2 - a) == pytest.approx(p["m"])
        assert np.linalg.norm((a + c) / 2 - b) == pytest.approx(p["n"])
        if "median" in p:
            return float(np.linalg.norm((a + b) / 2 - c))
        return float(polygon_area([a, b, c]))
    side = p["a"]

    def corners(angle: float) -> NDArray[np.float64]:
        b, c = np.array([0.0, 0.0]), np.array([float(side), 0.0])
        way = np.array([cos(angle), sin(angle)])
        a = c + p["b"] * way if "b" in p else b + sqrt(p["square"]) * way
        return np.array([a, b, c])

    angles = np.linspace(1e-6, pi - 1e-6, 400)
    signs = [dot(corners(v)) for v in angles]
    [place] = [k for k in range(399) if signs[k] * signs[k + 1] < 0]
    a, b, c = corners(root(lambda v: dot(corners(v)), angles[place], angles[place + 1]))
    return float(np.linalg.norm(a - b if "b" in p else a - c))


def circles_on_a_line(p: Parameters) -> object:
    def apart(r: float, s: float) -> float:
        return root(lambda d: hypot(d, r - s) - (r + s), 0, 4 * (r + s))

    if "gap" in p:
        whole = apart(p["a"], p["b"])
        top = min(p["a"], p["b"])
        return root(lambda r: apart(p["a"], r) + apart(r, p["b"]) - whole, 1e-9, top)
    if "length" in p:
        return root(lambda r: apart(p["radius"], r) - p["length"], 1e-6, 1e4)
    if "distance" in p:
        r, s, d = p["small"], p["large"], p["distance"]
        # Touching points are centre + radius * n for a unit normal n common to both circles.
        angle = root(lambda v: d * cos(v) + (r - s), 0, pi)
        normal = np.array([-cos(angle), sin(angle)])
        first, second = r * normal, np.array([d, 0]) + s * normal
        assert (second - first) @ normal == pytest.approx(0, abs=1e-9)
        return float(np.linalg.norm(second - first))
    return apart(p["a"], p["b"])


def cells(left: int, right: int, down: int, up: int) -> set[tuple[int, int]]:
    return set(product(range(-left, right), range(-down, up)))


def overlapping_areas(p: Parameters) -> object:
    if "bare" in p:
        one = cells(0, p["p"], 0, p["q"])
        x, y = p["p"] - p["u"], p["q"] - p["v"]
        two = {(x + i, y + j) for i, j in cells(0, p["r"], 0, p["s"])}
        assert one | two <= cells(0, p["width"], 0, p["depth"])
        assert p["width"] * p["depth"] - len(one | two) == p["bare"]
        return len(one & two)
    if "kind" in p:
        r = p["radius"]
        d = r * sqrt(p["kind"])
        return 2 * pi * r * r - (2 * r * r * acos(d / 2 / r) - d / 2 * sqrt(4 * r * r - d * d))
    if "left0" in p:
        names = ("left", "right", "down", "up")
        sheets = [cells(*(p[f"{name}{i}"] for name in names)) for i in range(3)]
        return len(sheets[0] & sheets[1] & sheets[2])
    a = p["side"]

    def width(t: float) -> float:  # x = a sin^2 t smooths both ends
        x = a * sin(t) ** 2
        gap = sqrt(max(0.0, a * a - x * x)) - (a - sqrt(max(0.0, a * a - (x - a) ** 2)))
        return gap * 2 * a * sin(t) * cos(t)

    return float(quad(width, 0, pi / 2, epsabs=1e-12, epsrel=1e-12)[0])


def meet(
    first: Sequence[Sequence[Fraction]], second: Sequence[Sequence[Fraction]]
) -> tuple[Fraction, Fraction]:
    (ax, ay), (bx, by) = first
    (cx, cy), (dx, dy) = second
    u, v, w = (bx - ax, by - ay), (dx - cx, dy - cy), (cx - ax, cy - ay)
    t = (w[0] * v[1] - w[1] * v[0]) / (u[0] * v[1] - u[1] * v[0])
    return ax + t * u[0], ay + t * u[1]


def dissection(p: Parameters) -> object:
    if "corners" in p:
        return polygon_area(
            [(p["radius"] * cos(k * pi / 6), p["radius"] * sin(k * pi / 6)) for k in range(12)]
        )
    if "octagon" in p:
        points, x, y = [], 0.0, 0.0
        for k in range(8):
            x, y = x + p["octagon"] * cos(k * pi / 4), y + p["octagon"] * sin(k * pi / 4)
            points.append((x, y))
        return polygon_area(points)
    if "width" in p:
        # Area of the widened triangle by its support function h: half the integral of h^2 - h'^2.
        a, b, c = p["a"], p["b"], p["c"]
        x, y = corner(a, b, c)
        points = [(0.0, 0.0), (float(c), 0.0), (x, y)]
        middle = np.mean(points, axis=0)
        normals = []
        for u, v in combinations(points, 2):
            normal = np.array([v[1] - u[1], u[0] - v[0]])
            normal *= 1 if normal @ (np.array(u) - middle) > 0 else -1
            normals.append(float(np.arctan2(normal[1], normal[0])))
        edges = sorted(normals)
        edges.append(edges[0] + 2 * pi)

        def density(t: float) -> float:
            px, py = max(points, key=lambda q: q[0] * cos(t) + q[1] * sin(t))
            h = px * cos(t) + py * sin(t) + p["width"]
            return (h * h - (py * cos(t) - px * sin(t)) ** 2) / 2

        whole = sum(quad(density, s, e)[0] for s, e in pairwise(edges))
        return float(whole - float(polygon_area(points)))
    a, t = Fraction(p["side"]), Fraction(p["side"], p["parts"])
    zero = Fraction(0)
    lines = [
        ((zero, zero), (a, t)),
        ((a, zero), (a - t, a)),
        ((a, a), (zero, a - t)),
        ((zero, a), (t, zero)),
    ]
    return polygon_area([meet(lines[k], lines[(k + 1) % 4]) for k in range(4)])


def complementary_measure(p: Parameters) -> object:
    if "wait" in p:  # integrate over one arrival the stretch of the other that makes them meet
        wait = p["wait"]

        def stretch(t: float) -> float:
            return min(60, t + wait) - max(0, t - wait)

        ends = sorted({0, wait, 60 - wait, 60})
        return sum(quad(stretch, s, e)[0] for s, e in pairwise(ends)) / 3600
    if "margin" in p:  # cells of the grid with half the unit as mesh
        near = 0
        for x, y in product(range(2 * p["width"]), range(2 * p["height"])):
            gaps = (x, y, 2 * p["width"] - 1 - x, 2 * p["height"] - 1 - y)
            near += min(gaps) < 2 * p["margin"]
        return Fraction(near, 4 * p["width"] * p["height"])
    if "reach" in p:
        side, reach = p["side"], p["reach"]

        def free(x: float) -> float:
            return side - 2 * sqrt(max(0.0, reach**2 - min(x, side - x) ** 2))

        # Half of the meadow, with x = reach * sin t where the ropes reach.
        near_part = quad(lambda t: free(reach * sin(t)) * reach * cos(t), 0, pi / 2)[0]
        return 2 * (near_part + (side / 2 - reach) * side)
    sizes = (p["a"], p["b"], p["c"])
    return sum(
        any(place in (0, size - 1) for place, size in zip(cube, sizes, strict=True))
        for cube in product(*map(range, sizes))
    )


def symmetric_sides(p: Parameters) -> object:
    if "edges" in p:
        total, pairs = p["edges"] / 4, p["surface"] / 2
        x = total / 3  # one edge may be chosen; the others solve a quadratic, perhaps complex
        y, z = np.roots([1, -(total - x), pairs - x * (total - x)])
        return float(np.sqrt(x * x + y * y + z * z).real)
    if "perimeter" in p:

        def leftover(u: float) -> float:
            v = 2 * p["area"] / u
            return u + v + hypot(u, v) - p["perimeter"]

        even = sqrt(2 * p["area"])
        short = root(leftover, 1e-3, even)
        return hypot(short, 2 * p["area"] / short)
    a, b, c = np.roots([1, -p["e1"], p["e2"], -p["e3"]]).real
    x, y = corner(a, b, c)
    area = c * y / 2
    if "area" in p:
        return float(area)
    centre = (c / 2, (x * x + y * y - c * x) / (2 * y))
    return float(hypot(*centre) * c * y / (a + b + c))


TRUTH: dict[str, Callable[[Parameters], object]] = {
    "geo-triangle-inscribed-rectangle": inscribed_rectangle,
    "geo-triangle-area-twice": area_twice,
    "geo-power-of-a-point": power_of_a_point,
    "geo-circles-in-an-angle": circles_in_an_angle,
    "geo-perpendicular-medians": perpendicular_medians,
    "geo-circles-on-a-line": circles_on_a_line,
    "geo-overlapping-areas": overlapping_areas,
    "geo-dissection": dissection,
    "geo-complementary-measure": complementary_measure,
    "geo-symmetric-sides": symmetric_sides,
}


def test_every_family_has_a_check() -> None:
    assert FAMILIES.keys() == TRUTH.keys()


@pytest.mark.parametrize("key", sorted(TRUTH))
def test_answers(key: str, check_answers: Callable[..., None]) -> None:
    check_answers(FAMILIES[key], TRUTH[key])


@pytest.mark.parametrize("key", sorted(FAMILIES))
def test_texts(key: str, check_texts: Callable[[Family], None]) -> None:
    check_texts(FAMILIES[key])
