"""Areas, volumes and chances found by measuring what is not wanted."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, multiple

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _meeting(rng: Random, story: Story) -> Draft:
    wait = 5 * rng.randint(1, 10)
    stay = Fraction(60 - wait, 60)
    chance = 1 - stay * stay
    return compose(
        rng,
        story,
        {"wait": wait},
        statement=r"<hero> and <rival> agree to meet at <place> between three and four o'clock. "
        r"Each arrives at a random moment of this hour, independently of the other, and waits "
        r"$<wait>$ minutes at most. What is the probability that they meet?",
        solution=r"Draw the two times of arrival as a point of a square with side $60$. They miss "
        r"each other if the times differ by more than $<wait>$, and these points form two right "
        r"isosceles triangles with legs $60 - <wait> = <leg>$, which together fill a square of "
        r"side $<leg>$. The part of the big square that is lost is $\left( \frac{<leg>}{60} "
        r"\right)^2 = <lost>$, so they meet with probability $1 - <lost> = <answer>$.",
        answer=chance,
        value=chance,
        leg=60 - wait,
        lost=stay * stay,
    )


def _near_the_boundary(rng: Random, story: Story) -> Draft:
    width, height = rng.sample(range(8, 25), 2)
    margin = rng.randint(1, 3)
    inner = Fraction((width - 2 * margin) * (height - 2 * margin), width * height)
    return compose(
        rng,
        story,
        {"width": width, "height": height, "margin": margin},
        statement=r"A point is chosen at random in a rectangle with sides $<width>$ and "
        r"$<height>$. Find the probability that its distance to the nearest side of the rectangle "
        r"is less than $<margin>$.",
        solution=r"Look at the points that fail: those at distance at least $<margin>$ from every "
        r"side. They fill a concentric rectangle with sides $<width> - 2 \cdot <margin> = <w>$ "
        r"and $<height> - 2 \cdot <margin> = <h>$. Its share of the area is $\frac{<w> \cdot "
        r"<h>}{<width> \cdot <height>} = <inner>$. All the rest is favourable, which gives $1 - "
        r"<inner> = <answer>$.",
        answer=1 - inner,
        value=1 - inner,
        w=width - 2 * margin,
        h=height - 2 * margin,
        inner=inner,
    )


def _painted_block(rng: Random, story: Story) -> Draft:
    a, b, c = (rng.randint(3, 12) for _ in range(3))
    inside = (a - 2) * (b - 2) * (c - 2)
    return compose(
        rng,
        story,
        {"a": a, "b": b, "c": c},
        statement=r"A wooden block of $<a> \times <b> \times <c>$ centimetres is painted all over "
        r"and then sawn into cubes with edges of one centimetre. How many of the cubes have paint "
        r"on at least one face?",
        solution=r"Sorting the painted cubes by corners, edges and faces is tedious; the "
        r"unpainted ones are easier. They remain when a layer one centimetre thick is removed on "
        r"all sides, and so they form a block of $<x> \times <y> \times <z>$, made of $<inside>$ "
        r"<cubes>. Of the $<a> \cdot <b> \cdot <c> = <all>$ cubes, $<all> - <inside> = <answer>$ "
        r"have paint on them.",
        answer=a * b * c - inside,
        value=a * b * c - inside,
        x=a - 2,
        y=b - 2,
        z=c - 2,
        inside=inside,
        cubes="cube" if inside == 1 else "cubes",
        all=a * b * c,
    )


def _out_of_reach(rng: Random, story: Story) -> Draft:
    reach = rng.randint(2, 9)
    side = 2 * reach + rng.randint(1, 12)
    circle = multiple(reach * reach, r"\pi")
    return compose(
        rng,
        story,
        {"side": side, "reach": reach},
        statement=r"At each corner of a square meadow near <place>, with sides of $<side>$ "
        r"metres, a goat is tied to a rope of $<reach>$ metres. How many square metres of the "
        r"meadow can none of the four goats graze?",
        solution=r"A goat in a corner grazes a quarter of a disc of radius $<reach>$. Since $2 "
        r"\cdot <reach>$ is less than $<side>$, the four quarters do not overlap, and together "
        r"they make a whole disc of area $<circle>$. Taking it away from the meadow of $<side>^2$ "
        r"square metres leaves $<answer>$ square metres untouched.",
        answer=f"{side * side} - {circle}",
        value=f"{side * side} - {reach * reach}*pi",
        circle=circle,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-complementary-measure",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Areas"),
        technique="complementary-counting",
        moves=("count-the-opposite", "subtract-from-total", "add-pieces"),
        key_ideas=(
            "Measure the region of unwanted points, which has a simple shape, and subtract it "
            "from the measure of the whole figure.",
            "The opposite condition describes a much simpler part of the figure, so compute this "
            "part first and take it away from the total.",
        ),
        forms=(_meeting, _near_the_boundary, _painted_block, _out_of_reach),
    ),
)
