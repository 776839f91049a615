"""Triangles and boxes known through the symmetric functions of their sides."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story

# Sides and area of triangles with integer sides and area, and of right triangles.
_HERONIAN = (
    (13, 14, 15, 84),
    (9, 10, 17, 36),
    (7, 15, 20, 42),
    (13, 20, 21, 126),
    (10, 17, 21, 84),
    (4, 13, 15, 24),
    (11, 13, 20, 66),
    (12, 17, 25, 90),
    (17, 25, 28, 210),
)
_RIGHT = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (9, 40, 41))


def _elementary(a: int, b: int, c: int) -> dict[str, int]:
    return {"e1": a + b + c, "e2": a * b + b * c + c * a, "e3": a * b * c}


def _area_from_cubic(rng: Random, story: Story) -> Draft:
    a, b, c, area = rng.choice(_HERONIAN)
    drawn = _elementary(a, b, c)
    half = Fraction(a + b + c, 2)
    return compose(
        rng,
        story,
        {**drawn, "area": 1},
        statement=r"The sides of a triangle are the three roots of $x^3 - <e1>x^2 + <e2>x - <e3> "
        r"= 0$. Find its area.",
        solution=r"Let $P(x) = (x - a)(x - b)(x - c)$ be the given polynomial, with the sides $a, "
        r"b, c$ as roots. By Vieta $a + b + c = <e1>$, so half the perimeter is $s = <half>$. "
        r"Heron's formula needs the product $(s - a)(s - b)(s - c)$, which is nothing but $P(s) = "
        r"<at>$. The area is $\sqrt{s P(s)} = \sqrt{<half> \cdot <at>} = <answer>$, without "
        r"solving the equation.",
        answer=area,
        value=area,
        half=half,
        at=(half - a) * (half - b) * (half - c),
    )


def _product_of_radii(rng: Random, story: Story) -> Draft:
    while True:
        a, b, c = sorted(rng.sample(range(3, 16), 3))
        if a + b > c:
            break
    drawn = _elementary(a, b, c)
    product = Fraction(drawn["e3"], 2 * drawn["e1"])
    return compose(
        rng,
        story,
        {**drawn, "radii": 1},
        statement=r"A triangle, whose side lengths are the zeros of the polynomial $t^3 - <e1>t^2 "
        r"+ <e2>t - <e3>$, has circumradius $R$ and inradius $r$. Compute $Rr$.",
        solution=r"Write $S$ for the area and $a, b, c$ for the sides. From $S = \frac{abc}{4R}$ "
        r"and $S = \frac{(a + b + c) r}{2}$ we get $Rr = \frac{abc}{4S} \cdot \frac{2S}{a + b + "
        r"c} = \frac{abc}{2 (a + b + c)}$. Only the sum and the product of the sides occur, and "
        r"the coefficients show them: $a + b + c = <e1>$ and $abc = <e3>$. Hence $Rr = <answer>$.",
        answer=product,
        value=product,
    )


def _box_diagonal(rng: Random, story: Story) -> Draft:
    a, b, c = (rng.randint(2, 15) for _ in range(3))
    drawn = _elementary(a, b, c)
    square = a * a + b * b + c * c
    return compose(
        rng,
        story,
        {"edges": 4 * drawn["e1"], "surface": 2 * drawn["e2"]},
        statement=r"<hero> packs <things> into a rectangular box. All its edges together measure "
        r"$<edges>$ decimetres, and its surface is $<surface>$ square decimetres. <rival> wonders "
        r"how long a stick could just be placed in the box diagonally, from corner to opposite "
        r"corner. What is its length in decimetres?",
        solution=r"Let the dimensions be $x, y, z$. There are four edges of each kind, so $x + y "
        r"+ z = <e1>$; the surface gives $2 (xy + yz + zx) = <surface>$. The squared diagonal is "
        r"the power sum $x^2 + y^2 + z^2 = (x + y + z)^2 - 2 (xy + yz + zx) = <e1>^2 - <surface> "
        r"= <square>$. Although the dimensions themselves remain unknown, the stick is $<answer>$ "
        r"decimetres long.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        e1=drawn["e1"],
        square=square,
    )


def _right_triangle(rng: Random, story: Story) -> Draft:
    a, b, c = rng.choice(_RIGHT)
    scale = rng.randint(1, 4)
    a, b, c = a * scale, b * scale, c * scale
    perimeter, area = a + b + c, a * b // 2
    return compose(
        rng,
        story,
        {"perimeter": perimeter, "area": area},
        statement=r"How long is the hypotenuse of a right triangle with perimeter $<perimeter>$ "
        r"and area $<area>$?",
        solution=r"Let $\sigma = u + v$ and $\pi = uv$ be the elementary symmetric functions of "
        r"the legs, and $z$ the hypotenuse. We know $\sigma = <perimeter> - z$ and $\pi = 2 \cdot "
        r"<area> = <double>$, and Pythagoras reads $z^2 = \sigma^2 - 2\pi$. Inserting, $z^2 = "
        r"(<perimeter> - z)^2 - <four>$; the squares of $z$ cancel and $2 \cdot <perimeter> z = "
        r"<perimeter>^2 - <four>$. Therefore $z = <answer>$.",
        answer=c,
        value=c,
        double=2 * area,
        four=4 * area,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-symmetric-sides",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Triangles"),
        technique="symmetric-functions",
        moves=("express-by-elementary-symmetric", "vieta", "pythagoras"),
        key_ideas=(
            "The wanted quantity is symmetric in the sides, so express it by their elementary "
            "symmetric functions, which are known, without finding the sides.",
            "Only the sum, the pairwise products and the product of the lengths are needed, and "
            "the given data reveal exactly these symmetric combinations.",
        ),
        forms=(_area_from_cubic, _product_of_radii, _box_diagonal, _right_triangle),
    ),
)
