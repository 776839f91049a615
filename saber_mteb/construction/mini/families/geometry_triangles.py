"""Triangles: a similar piece, an area computed twice, medians in coordinates."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story

# Sides and area of triangles with integer sides and area.
_HERONIAN = (
    (13, 14, 15, 84),
    (9, 10, 17, 36),
    (10, 13, 13, 60),
    (7, 15, 20, 42),
    (13, 20, 21, 126),
    (10, 17, 21, 84),
    (4, 13, 15, 24),
    (11, 13, 20, 66),
    (17, 25, 28, 210),
)
# Half the base, height and leg of isosceles triangles.
_HALVES = ((3, 4, 5), (4, 3, 5), (5, 12, 13), (12, 5, 13), (8, 15, 17), (15, 8, 17), (7, 24, 25))


def _square_on_base(rng: Random, story: Story) -> Draft:
    base, height = rng.sample(range(4, 31), 2)
    side = Fraction(base * height, base + height)
    return compose(
        rng,
        story,
        {"base": base, "height": height},
        statement=r"In an acute-angled triangle $ABC$ the side $BC$ has length $<base>$ and the "
        r"altitude from $A$ has length $<height>$. A square has two of its vertices on $BC$ and "
        r"one on each of the sides $AB$ and $AC$. Find the side of the square.",
        solution=r"Let $s$ be the side of the square. Its upper side is parallel to $BC$, so it "
        r"cuts off at $A$ a triangle similar to $ABC$, with base $s$ and altitude $<height> - s$. "
        r"Hence $\frac{s}{<base>} = \frac{<height> - s}{<height>}$. Clearing denominators gives "
        r"$(<base> + <height>) s = <base> \cdot <height>$, that is, $s = <answer>$.",
        answer=side,
        value=side,
    )


def _with_small_denominator(rng: Random, ratio: int) -> tuple[int, int]:
    """Return a base and a height whose inscribed rectangle has a height with a simple value."""
    while True:
        base, height = rng.sample(range(6, 61), 2)
        if Fraction(base * height, base + ratio * height).denominator <= 5:
            return base, height


def _square_platform(rng: Random, story: Story) -> Draft:
    base, height = _with_small_denominator(rng, 1)
    side = Fraction(base * height, base + height)
    return compose(
        rng,
        story,
        {"base": base, "height": height},
        statement=r"A triangular lawn at <place> borders a straight path along $<base>$ metres, "
        r"and the corner that does not touch the path is $<height>$ metres away from it; the two "
        r"angles at the path are acute. <hero> wants to build a square platform for the <things>, "
        r"one edge of it on the path and the two other corners on the remaining edges of the "
        r"lawn. How many metres long is an edge of the platform?",
        solution=r"Measured parallel to the path, the lawn gets narrower in proportion to the "
        r"distance from its far corner: at $y$ metres from the path, what lies beyond is a copy "
        r"of the lawn reduced by the factor $\frac{<height> - y}{<height>}$, so the width there "
        r"is $<base> \cdot \frac{<height> - y}{<height>}$. The platform fits when the width at "
        r"$y$ equals $y$, so $<base> \cdot <height> = (<base> + <height>) y$. The edge is "
        r"$<answer>$ metres.",
        answer=side,
        value=side,
    )


def _altitude_from_square(rng: Random, story: Story) -> Draft:
    side = rng.randint(3, 12)
    base = side + rng.randint(1, 12)
    height = Fraction(base * side, base - side)
    return compose(
        rng,
        story,
        {"base": base, "side": side},
        statement=r"A square of side $<side>$ stands on the side $PQ$ of an acute-angled triangle "
        r"$PQR$ with $PQ = <base>$, inside the triangle, and its two other corners lie on $PR$ "
        r"and $QR$. How far is $R$ from the line $PQ$?",
        solution=r"Write $h$ for the distance from $R$ to $PQ$. The homothety with centre $R$ "
        r"that sends $PQ$ to the top edge of the square has ratio $<factor>$, and it sends a "
        r"segment of length $h$ to one of length $h - <side>$. Therefore $h - <side> = <factor> "
        r"h$, so $h (<base> - <side>) = <base> \cdot <side>$, and the distance is $<answer>$.",
        answer=height,
        value=height,
        factor=Fraction(side, base),
    )


def _rectangle_area(rng: Random, story: Story) -> Draft:
    ratio = rng.choice((2, 3, 4))
    base, height = _with_small_denominator(rng, ratio)
    width = Fraction(base * height, base + ratio * height)
    area = ratio * width * width
    return compose(
        rng,
        story,
        {"base": base, "height": height, "ratio": ratio},
        statement=r"A rectangle is inscribed in an acute-angled triangle: one of its sides lies "
        r"on a side of the triangle of length $<base>$, which belongs to an altitude of length "
        r"$<height>$, and that side of the rectangle is $<ratio>$ times as long as its "
        r"neighbours. Determine the area of the rectangle.",
        solution=r"Let the rectangle be $x$ high and $<ratio>x$ wide. Above it remains a triangle "
        r"with base $<ratio>x$ and altitude $<height> - x$ whose sides are parallel to those of "
        r"the given one. Comparing base with altitude in both, $<ratio>x \cdot <height> = <base> "
        r"(<height> - x)$, so $x = <width>$. The area is $<ratio>x^2 = <answer>$.",
        answer=area,
        value=area,
        width=width,
    )


def _inradius(rng: Random, story: Story) -> Draft:
    a, b, c, area = rng.choice(_HERONIAN)
    scale = rng.randint(1, 3)
    a, b, c, area = a * scale, b * scale, c * scale, area * scale * scale
    half = (a + b + c) // 2
    radius = Fraction(area, half)
    return compose(
        rng,
        story,
        {"a": a, "b": b, "c": c},
        statement=r"The sides of a triangle are $<a>$, $<b>$ and $<c>$. Find the radius of the "
        r"circle that touches all three sides from within.",
        solution=r"The semiperimeter is $<half>$, so by Heron's formula the area is $\sqrt{<half> "
        r"\cdot <x> \cdot <y> \cdot <z>} = <area>$. On the other hand, joining the incentre to "
        r"the vertices splits the triangle into three triangles of altitude $r$ over the three "
        r"sides, so the area is also $\frac{1}{2} r (<a> + <b> + <c>) = <half> r$. Equating both, "
        r"$r = <answer>$.",
        answer=radius,
        value=radius,
        half=half,
        area=area,
        x=half - a,
        y=half - b,
        z=half - c,
    )


def _three_walls(rng: Random, story: Story) -> Draft:
    d, e, f = (rng.randint(2, 9) for _ in range(3))
    total = d + e + f
    return compose(
        rng,
        story,
        {"d": d, "e": e, "f": f},
        statement=r"The courtyard at <place> is an equilateral triangle. <hero> puts down "
        r"<a_thing> somewhere inside it and measures how far it is from each of the three walls: "
        r"$<d>$, $<e>$ and $<f>$ metres. How long, in metres, is one wall?",
        solution=r"Let each wall be $a$ metres long. The lines from the <thing> to the corners "
        r"cut the courtyard into three triangles with base $a$ and heights $<d>$, $<e>$, $<f>$; "
        r"together they have area $\frac{a}{2} (<d> + <e> + <f>) = \frac{<total>a}{2}$. But an "
        r"equilateral triangle has area $\frac{\sqrt{3}}{4} a^2$. Both are the same area, so "
        r"$\frac{\sqrt{3}}{2} a = <total>$ and $a = <answer>$.",
        answer=surd(Fraction(2 * total, 3), 3),
        value=f"2*{total}/sqrt(3)",
        total=total,
    )


def _perimeter_from_altitude(rng: Random, story: Story) -> Draft:
    hypotenuse = rng.randint(7, 20)
    altitude = rng.randint(2, (hypotenuse - 1) // 2)
    square = hypotenuse * hypotenuse + 2 * hypotenuse * altitude
    legs = surd(1, square)
    answer = str(hypotenuse + int(legs)) if legs.isdigit() else f"{hypotenuse} + {legs}"
    return compose(
        rng,
        story,
        {"hypotenuse": hypotenuse, "altitude": altitude},
        statement=r"A right triangle has hypotenuse $<hypotenuse>$, and the altitude to the "
        r"hypotenuse is $<altitude>$. What is the perimeter of the triangle?",
        solution=r"Call the legs $u$ and $v$. Twice the area equals $uv$, and it equals the "
        r"hypotenuse times its altitude, so $uv = <hypotenuse> \cdot <altitude> = <product>$. By "
        r"Pythagoras $u^2 + v^2 = <hypotenuse>^2$. Hence $(u + v)^2 = <hypotenuse>^2 + 2 \cdot "
        r"<product> = <square>$ and $u + v = <legs>$. The perimeter is $<answer>$.",
        answer=answer,
        value=f"{hypotenuse} + sqrt({square})",
        product=hypotenuse * altitude,
        square=square,
        legs=legs,
    )


def _point_on_base(rng: Random, story: Story) -> Draft:
    half, height, leg = rng.choice(_HALVES)
    scale = rng.randint(1, 3)
    half, height, leg = half * scale, height * scale, leg * scale
    total = Fraction(2 * half * height, leg)
    return compose(
        rng,
        story,
        {"base": 2 * half, "leg": leg},
        statement=r"In triangle $ABC$ we have $AB = AC = <leg>$ and $BC = <base>$. A point $P$ "
        r"moves along the side $BC$. Show that the sum of its distances to the lines $AB$ and "
        r"$AC$ does not change, and find this sum.",
        solution=r"Let the distances be $x$ and $y$. The segment $AP$ divides the triangle into "
        r"$ABP$ and $ACP$, so its area is $\frac{1}{2} \cdot <leg> x + \frac{1}{2} \cdot <leg> "
        r"y$. The altitude from $A$ halves $BC$ and has length $\sqrt{<leg>^2 - <half>^2} = "
        r"<height>$, so the area is also $<half> \cdot <height> = <area>$. It follows that $x + y "
        r"= \frac{2 \cdot <area>}{<leg>}$, wherever $P$ is, and the sum equals $<answer>$.",
        answer=total,
        value=total,
        half=half,
        height=height,
        area=half * height,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-triangle-inscribed-rectangle",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Triangles"),
        technique="scaling",
        moves=("similar-triangles", "equal-ratios", "linear-equation"),
        key_ideas=(
            "A line parallel to the base cuts off a smaller similar triangle, and comparing its "
            "base with its altitude gives a linear equation for the unknown length.",
            "The part above the inscribed figure is a reduced copy of the whole triangle, so "
            "equal ratios of width to height determine the wanted size.",
        ),
        forms=(_square_on_base, _square_platform, _altitude_from_square, _rectangle_area),
    ),
    Family(
        key="geo-triangle-area-twice",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Triangles"),
        technique="double-counting",
        moves=("compute-area-twice", "split-from-a-point", "pythagoras"),
        key_ideas=(
            "Express the area of the same triangle in two different ways and equate the two "
            "expressions, so that the unknown length is the only quantity left.",
            "Splitting the triangle into smaller ones with a common vertex computes its area "
            "again, and comparing both values reveals the wanted distance.",
            "Computing the same total area in two ways, once from sides and once from altitudes, "
            "gives an equation for the length that is asked.",
        ),
        forms=(_inradius, _three_walls, _perimeter_from_altitude, _point_on_base),
    ),
)
