"""Medians and touching circles, both solved with well-chosen coordinates."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _two_sides(rng: Random) -> tuple[int, int]:
    """Return two sides whose medians can be perpendicular: neither is twice the other or more."""
    while True:
        a, b = rng.sample(range(5, 25), 2)
        if a < 2 * b and b < 2 * a:
            return a, b


def _third_side(rng: Random, story: Story) -> Draft:
    a, b = _two_sides(rng)
    square = Fraction(a * a + b * b, 5)
    return compose(
        rng,
        story,
        {"a": a, "b": b},
        statement=r"In triangle $ABC$ the medians from $A$ and from $B$ are perpendicular. If $BC "
        r"= <a>$ and $CA = <b>$, what is $AB$?",
        solution=r"Put the centroid at the origin and the two medians on the axes: $A = (2u, 0)$, "
        r"$B = (0, 2v)$. The coordinates of the three vertices add up to zero, so $C = (-2u, "
        r"-2v)$. Then $BC^2 = 4u^2 + 16v^2$ and $CA^2 = 16u^2 + 4v^2$, and adding, $20 (u^2 + "
        r"v^2) = <a>^2 + <b>^2 = <sum>$. Since $AB^2 = 4 (u^2 + v^2)$, we get $AB = <answer>$.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        sum=a * a + b * b,
    )


def _three_masts(rng: Random, story: Story) -> Draft:
    a, b = _two_sides(rng)
    while (a * a + b * b) % 5:
        a, b = _two_sides(rng)
    square = (a * a + b * b) // 5
    return compose(
        rng,
        story,
        {"a": a, "square": square},
        statement=r"Three masts stand on level ground at <place>. <hero> stretches a cord from "
        r"the foot of the first mast to the point halfway between the other two, and <rival> "
        r"stretches one from the foot of the second mast to the point halfway between the first "
        r"and the third. The cords cross at a right angle. The second mast is $<a>$ metres from "
        r"the third, and the square of the distance between the first and the second is "
        r"$<square>$. How many metres are there between the first mast and the third?",
        solution=r"Let the cords be the coordinate axes. They cross at the point whose "
        r"coordinates are the averages of those of the feet, so the feet are $(p, 0)$, $(0, q)$ "
        r"and $(-p, -q)$. We are told $p^2 + q^2 = <square>$ and $p^2 + (2q)^2 = <a>^2 = "
        r"<asquare>$, and we want $\sqrt{(2p)^2 + q^2}$. Now $(4p^2 + q^2) + (p^2 + 4q^2) = 5 "
        r"(p^2 + q^2)$, so the wanted square is $5 \cdot <square> - <asquare> = <bsquare>$, and "
        r"the distance is $<answer>$ metres.",
        answer=b,
        value=b,
        asquare=a * a,
        bsquare=b * b,
    )


def _area_from_medians(rng: Random, story: Story) -> Draft:
    m, n = rng.sample(range(4, 25), 2)
    area = Fraction(2 * m * n, 3)
    return compose(
        rng,
        story,
        {"m": m, "n": n},
        statement=r"Two medians of a triangle have lengths $<m>$ and $<n>$ and meet at a right "
        r"angle. Determine the area of the triangle.",
        solution=r"Choose axes along the two medians, with the origin at their intersection. The "
        r"centroid divides a median in the ratio $2 : 1$, so two vertices are $A = (<x>, 0)$ and "
        r"$B = (0, <y>)$, and the third is $C = -(A + B) = (-<x>, -<y>)$. The determinant formula "
        r"with $B - A$ and $C - A$ gives the area $\frac{1}{2} \left| (-<x>)(-<y>) - <y> \cdot "
        r"(-2 \cdot <x>) \right| = \frac{3}{2} \cdot <x> \cdot <y> = <answer>$.",
        answer=area,
        value=area,
        x=Fraction(2 * m, 3),
        y=Fraction(2 * n, 3),
    )


def _third_median(rng: Random, story: Story) -> Draft:
    m, n = rng.sample(range(3, 25), 2)
    square = m * m + n * n
    return compose(
        rng,
        story,
        {"m": m, "n": n, "median": 1},
        statement=r"A triangle has one median of length $<m>$ and a second one, perpendicular to "
        r"the first, of length $<n>$. How long is its third median?",
        solution=r"With the centroid as origin, let the vectors to the vertices be $\left( "
        r"\frac{2}{3} \cdot <m>, 0 \right)$, $\left( 0, \frac{2}{3} \cdot <n> \right)$ and their "
        r"negative sum. Each such vector is two thirds of a median. The third one has length "
        r"$\frac{2}{3} \sqrt{<m>^2 + <n>^2}$, so the third median is $\sqrt{<m>^2 + <n>^2} = "
        r"<answer>$.",
        answer=surd(1, square),
        value=f"sqrt({square})",
    )


def _contact_points(rng: Random, story: Story) -> Draft:
    a, b = rng.sample(range(1, 20), 2)
    return compose(
        rng,
        story,
        {"a": a, "b": b},
        statement=r"Two circles of radii $<a>$ and $<b>$ touch each other externally, and both "
        r"touch a line $\ell$, at $X$ and $Y$. Find the length of $XY$.",
        solution=r"Let $\ell$ be the $x$-axis. The centres are $(0, <a>)$ and $(d, <b>)$ with $d "
        r"= XY$, and tangency means that their distance is $<a> + <b>$: $d^2 + (<a> - <b>)^2 = "
        r"(<a> + <b>)^2$. So $d^2 = 4 \cdot <a> \cdot <b>$ and $XY = <answer>$.",
        answer=surd(2, a * b),
        value=f"2*sqrt({a * b})",
    )


def _third_in_the_gap(rng: Random, story: Story) -> Draft:
    p, q = rng.sample(range(1, 7), 2)
    unit = rng.choice((2, 3, 5))
    a, b = unit * p * p, unit * q * q
    radius = Fraction(unit * p * p * q * q, (p + q) ** 2)
    return compose(
        rng,
        story,
        {"a": a, "b": b, "gap": 1},
        statement=r"Two round rollers of radii $<a>$ and $<b>$ lie side by side on the floor at "
        r"<place> and touch along a line. <hero> pushes a third, thinner roller into the gap "
        r"below, so that it touches the floor and both others. What is its radius?",
        solution=r"Look along the rollers and use the floor as $x$-axis. Rollers of radii $s$ and "
        r"$t$ with centres $(x, s)$ and $(x', t)$ touch when $(x - x')^2 = (s + t)^2 - (s - t)^2 "
        r"= 4st$. The contact points of the big rollers are $2 \sqrt{<a> \cdot <b>}$ apart, and "
        r"the thin one, of radius $r$, splits this distance: $\sqrt{<a>r} + \sqrt{<b>r} = "
        r"\sqrt{<a> \cdot <b>}$. Therefore $\frac{1}{\sqrt{r}} = \frac{1}{\sqrt{<a>}} + "
        r"\frac{1}{\sqrt{<b>}}$, and $r = <answer>$.",
        answer=radius,
        value=radius,
    )


def _other_radius(rng: Random, story: Story) -> Draft:
    radius, length = rng.randint(2, 15), rng.randint(5, 30)
    other = Fraction(length * length, 4 * radius)
    return compose(
        rng,
        story,
        {"radius": radius, "length": length},
        statement=r"A disc of radius $<radius>$ and another disc stand upright on a straight rail "
        r"and touch each other. Their points of contact with the rail are $<length>$ apart. Find "
        r"the radius of the other disc.",
        solution=r"Place the rail on the horizontal axis, so that the centres become $(0, "
        r"<radius>)$ and $(<length>, R)$. The distance formula and tangency give $<length>^2 + (R "
        r"- <radius>)^2 = (R + <radius>)^2$. The squares of $R$ cancel and $<length>^2 = 4 \cdot "
        r"<radius> R$, whence $R = <answer>$.",
        answer=other,
        value=other,
    )


def _common_tangent(rng: Random, story: Story) -> Draft:
    small = rng.randint(1, 8)
    large = small + rng.randint(1, 7)
    distance = small + large + rng.randint(1, 9)
    square = distance * distance - (large - small) ** 2
    return compose(
        rng,
        story,
        {"small": small, "large": large, "distance": distance},
        statement=r"Circles of radii $<small>$ and $<large>$ have centres $<distance>$ apart. A "
        r"line touches both of them and leaves them on the same side. How far apart are the two "
        r"points of contact?",
        solution=r"Take the tangent line as the $x$-axis; the centres then lie at heights "
        r"$<small>$ and $<large>$ above the points of contact $(0, 0)$ and $(t, 0)$. From $t^2 + "
        r"(<large> - <small>)^2 = <distance>^2$ we obtain $t^2 = <square>$, so the contacts are "
        r"$<answer>$ apart.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        square=square,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-perpendicular-medians",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Triangles"),
        technique="coordinates",
        moves=("choose-axes", "centroid-coordinates", "distance-formula"),
        key_ideas=(
            "Placing the centroid at the origin with the perpendicular medians on the axes gives "
            "simple coordinates for all vertices, and distances follow from sums of squares.",
            "Choose the two perpendicular medians as coordinate axes; the vertices add up to "
            "zero, which turns every length of the triangle into simple algebra.",
        ),
        forms=(_third_side, _three_masts, _area_from_medians, _third_median),
    ),
    Family(
        key="geo-circles-on-a-line",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Circles"),
        technique="coordinates",
        moves=("choose-axes", "distance-formula", "tangency-as-distance"),
        key_ideas=(
            "Use the common tangent as an axis, so the centres have the radii as heights, and "
            "express tangency through the distance formula between the centres.",
            "In coordinates with the line as axis, tangency becomes an equation between the "
            "squared distance of the centres and the squared sum of the radii.",
        ),
        forms=(_contact_points, _third_in_the_gap, _other_radius, _common_tangent),
    ),
)
