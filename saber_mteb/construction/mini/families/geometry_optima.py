"""Extremal figures: by the inequality of the means, and by a derivative."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, multiple, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _cylinder_in_cone(rng: Random, story: Story) -> Draft:
    radius, height = rng.randint(2, 12), rng.randint(2, 15)
    while gcd(radius, height) > 1:
        height = rng.randint(2, 15)
    volume = Fraction(4 * radius * radius * height, 27)
    return compose(
        rng,
        story,
        {"radius": radius, "height": height},
        statement=r"A right circular cone has base radius $<radius>$ and height $<height>$. Among "
        r"all cylinders inscribed in it, with the same axis and one base in the base of the cone, "
        r"find the largest volume.",
        solution=r"A cylinder of radius $r$ has height $\frac{<height>}{<radius>} (<radius> - "
        r"r)$, so its volume is $\frac{<height> \pi}{<radius>} r^2 (<radius> - r)$. The three "
        r"numbers $\frac{r}{2}, \frac{r}{2}, <radius> - r$ have the constant sum $<radius>$, so "
        r"by AM-GM $\frac{r^2}{4} (<radius> - r) \le \left( \frac{<radius>}{3} \right)^3$, with "
        r"equality for $r = <best>$. The maximum is $\frac{<height> \pi}{<radius>} \cdot 4 \cdot "
        r"\frac{<radius>^3}{27} = <answer>$.",
        answer=multiple(volume, r"\pi"),
        value=f"{volume}*pi",
        best=Fraction(2 * radius, 3),
    )


def _open_box(rng: Random, story: Story) -> Draft:
    half = rng.randint(2, 10)
    sheet, volume = 12 * half * half, 4 * half**3
    return compose(
        rng,
        story,
        {"sheet": sheet},
        statement=r"<hero> has exactly $<sheet>$ square decimetres of sheet metal and wants to "
        r"make a container for the <things>: a box with a square bottom, upright walls and no "
        r"lid. Nothing is wasted. What is the greatest volume, in cubic decimetres, that the box "
        r"can have?",
        solution=r"Let the bottom have side $x$ and the walls height $y$, so that $x^2 + 2xy + "
        r"2xy = <sheet>$. The geometric mean of the three summands is at most their arithmetic "
        r"mean $<third>$, hence $x^2 \cdot 2xy \cdot 2xy = 4 (x^2 y)^2 \le <third>^3$. Equality "
        r"holds when $x^2 = 2xy$, that is, for $x = 2y = <side>$, which is possible. So the "
        r"volume $x^2 y$ is at most $\frac{1}{2} \sqrt{<third>^3} = <answer>$.",
        answer=volume,
        value=volume,
        third=sheet // 3,
        side=2 * half,
    )


def _least_material(rng: Random, story: Story) -> Draft:
    half = rng.randint(1, 11)
    volume, surface = 4 * half**3, 12 * half * half
    return compose(
        rng,
        story,
        {"volume": volume},
        statement=r"Rectangular tanks without a lid are to hold $<volume>$ cubic metres each. "
        r"Show that the area of the bottom and the four walls together cannot be arbitrarily "
        r"small, and find its minimum in square metres.",
        solution=r"For edges $a, b$ of the bottom and depth $c$, the area is $ab + 2bc + 2ca$ "
        r"while $abc = <volume>$. Since the product $ab \cdot 2bc \cdot 2ca = 4 (abc)^2 = "
        r"<product>$ is fixed, the sum is at least $3 \sqrt[3]{<product>} = <answer>$. The bound "
        r"is attained when $ab = 2bc = 2ca$, for $a = b = <side>$ and $c = <half>$. The minimum "
        r"is $<answer>$.",
        answer=surface,
        value=surface,
        product=4 * volume * volume,
        side=2 * half,
        half=half,
    )


def _box_under_plane(rng: Random, story: Story) -> Draft:
    a, b, c = (rng.randint(2, 9) for _ in range(3))
    volume = Fraction(a * b * c, 27)
    return compose(
        rng,
        story,
        {"a": a, "b": b, "c": c},
        statement=r"A box has three faces in the coordinate planes, and the vertex opposite the "
        r"origin is a point with positive coordinates on the plane through $(<a>, 0, 0)$, $(0, "
        r"<b>, 0)$ and $(0, 0, <c>)$. What is the maximal volume of the box?",
        solution=r"If the vertex is $(x, y, z)$, the intercept form of the plane is "
        r"$\frac{x}{<a>} + \frac{y}{<b>} + \frac{z}{<c>} = 1$. Three positive numbers with sum "
        r"$1$ have product at most $\frac{1}{27}$, reached when all are equal to $\frac{1}{3}$. "
        r"So $\frac{xyz}{<a> \cdot <b> \cdot <c>} \le \frac{1}{27}$, and the maximal volume is "
        r"$<answer>$.",
        answer=volume,
        value=volume,
    )


def _three_equal_sides(rng: Random, story: Story) -> Draft:
    side = rng.randint(2, 20)
    return compose(
        rng,
        story,
        {"side": side},
        statement=r"From three boards of length $<side>$ metres and the straight wall of <place>, "
        r"<hero> builds an enclosure in the form of a symmetric trapezium; the wall serves as its "
        r"longer base. What is the greatest area, in square metres, that can be enclosed?",
        solution=r"Let $\theta$ be the angle between the wall and the slanting boards. The base "
        r"at the wall is $<side> (1 + 2 \cos \theta)$ and the height $<side> \sin \theta$, so the "
        r"area is $A(\theta) = <square> (1 + \cos \theta) \sin \theta$. Its derivative is "
        r"$<square> (\cos \theta + \cos^2 \theta - \sin^2 \theta) = <square> (2 \cos \theta - "
        r"1)(\cos \theta + 1)$, which changes from plus to minus at $\cos \theta = \frac{1}{2}$. "
        r"There $A = <square> \cdot \frac{3}{2} \cdot \frac{\sqrt{3}}{2} = <answer>$.",
        answer=surd(Fraction(3 * side * side, 4), 3),
        value=f"{Fraction(3 * side * side, 4)}*sqrt(3)",
        square=side * side,
    )


def _around_the_corner(rng: Random, story: Story) -> Draft:
    p, q = rng.sample(range(2, 8), 2)
    square = p * p + q * q
    return compose(
        rng,
        story,
        {"p": p, "q": q},
        statement=r"Two corridors of widths $<first>$ and $<second>$ meet at a right angle. What "
        r"is the length of the longest thin rod that can be carried horizontally around the "
        r"corner?",
        solution=r"A rod that touches the inner corner at the angle $t$ has length at most $L(t) "
        r"= \frac{<first>}{\sin t} + \frac{<second>}{\cos t}$ for $0 < t < \frac{\pi}{2}$, and it "
        r"must pass through all angles, so the minimum of $L$ is decisive. We have $L'(t) = "
        r"\frac{<second> \sin^3 t - <first> \cos^3 t}{\sin^2 t \cos^2 t}$, which vanishes only if "
        r"$\tan t = <tangent>$, with a change from minus to plus. Then $\sin t = "
        r"\frac{<p>}{\sqrt{<square>}}$ and $\cos t = \frac{<q>}{\sqrt{<square>}}$, so the length "
        r"is $(<p>^2 + <q>^2) \sqrt{<square>} = <answer>$.",
        answer=surd(square, square),
        value=f"{square}*sqrt({square})",
        first=p**3,
        second=q**3,
        square=square,
        tangent=Fraction(p, q),
    )


def _widest_view(rng: Random, story: Story) -> Draft:
    low = rng.randint(2, 9)
    high = low + rng.randint(1, 10)
    return compose(
        rng,
        story,
        {"low": low, "high": high},
        statement=r"A painting hangs on a vertical wall; its lower edge is $<low>$ units and its "
        r"upper edge $<high>$ units above the level of the visitor's eyes. At what distance from "
        r"the wall does the painting appear under the largest angle?",
        solution=r"At distance $x$ the angle is $\alpha(x) = \arctan \frac{<high>}{x} - \arctan "
        r"\frac{<low>}{x}$. Differentiation gives $\alpha'(x) = \frac{<low>}{x^2 + <lowsquare>} - "
        r"\frac{<high>}{x^2 + <highsquare>}$, and this has the sign of $<high> \cdot <low> - x^2$ "
        r"(clear denominators and divide by $<high> - <low> = <gap>$). So the angle grows until "
        r"$x^2 = <product>$ and shrinks afterwards; the best distance is $<answer>$.",
        answer=surd(1, low * high),
        value=f"sqrt({low * high})",
        lowsquare=low * low,
        highsquare=high * high,
        gap=high - low,
        product=low * high,
    )


def _cone_of_given_slant(rng: Random, story: Story) -> Draft:
    slant = rng.randint(2, 18)
    return compose(
        rng,
        story,
        {"slant": slant},
        statement=r"The generators of a right circular cone have length $<slant>$, while its "
        r"height is free. Find the maximum of the volume.",
        solution=r"With height $h$ the squared radius of the base is $<square> - h^2$, and the "
        r"volume is $V(h) = \frac{\pi}{3} (<square>h - h^3)$ for $0 < h < <slant>$. From $V'(h) = "
        r"\frac{\pi}{3} (<square> - 3h^2)$ we see that $V$ increases up to $h = <best>$ and "
        r"decreases from there on. The maximum is $\frac{\pi}{3} h (<square> - h^2) = "
        r"\frac{\pi}{3} \cdot <best> \cdot <rest> = <answer>$.",
        answer=multiple(Fraction(2 * slant**3, 27), r"\sqrt{3}\pi"),
        value=f"{Fraction(2 * slant**3, 27)}*sqrt(3)*pi",
        square=slant * slant,
        best=surd(slant, Fraction(1, 3)),
        rest=Fraction(2 * slant * slant, 3),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-extremal-solids",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Solid Geometry", "Volumes and Surfaces"),
        technique="mean-inequality",
        moves=("split-terms-evenly", "am-gm", "equality-case"),
        key_ideas=(
            "Split the measured quantity into three terms with constant sum or constant product, "
            "apply the inequality of arithmetic and geometric means, and check equality.",
            "The volume is a product whose suitably weighted factors have a fixed sum, so the "
            "inequality between the means bounds it, with equality for equal factors.",
        ),
        forms=(_cylinder_in_cone, _open_box, _least_material, _box_under_plane),
    ),
    Family(
        key="geo-optimal-by-derivative",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Optimal Figures"),
        technique="derivative-optimisation",
        moves=("zero-of-derivative", "sign-of-derivative", "choose-one-variable"),
        key_ideas=(
            "Express the geometric quantity through a single angle or length and find where its "
            "derivative changes sign; the value there is the extremum.",
            "After choosing one variable, the zero of the derivative identifies the best "
            "position, and its change of sign confirms the extreme value.",
        ),
        forms=(_three_equal_sides, _around_the_corner, _widest_view, _cone_of_given_slant),
    ),
)
