"""Circles: products of segments, and circles nested in an angle, both by similarity."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _crossing_chords(rng: Random, story: Story) -> Draft:
    a, b, c = rng.sample(range(2, 16), 3)
    fourth = Fraction(a * b, c)
    return compose(
        rng,
        story,
        {"a": a, "b": b, "c": c},
        statement=r"Two chords $AB$ and $CD$ of a circle cross at $P$. Given that $PA = <a>$, $PB "
        r"= <b>$ and $PC = <c>$, find $PD$.",
        solution=r"The angles $PAC$ and $PDB$ stand on the same arc $BC$, and the angles at $P$ "
        r"are vertical, so triangles $PAC$ and $PDB$ are similar. Hence $\frac{PA}{PD} = "
        r"\frac{PC}{PB}$, which gives $PA \cdot PB = PC \cdot PD$. Therefore $PD = \frac{<a> "
        r"\cdot <b>}{<c>} = <answer>$.",
        answer=fourth,
        value=fourth,
    )


def _tangent_and_secant(rng: Random, story: Story) -> Draft:
    outside = rng.randint(2, 9)
    tangent = outside + rng.randint(1, 12)
    chord = Fraction(tangent * tangent, outside) - outside
    return compose(
        rng,
        story,
        {"tangent": tangent, "outside": outside},
        statement=r"From a point $T$ outside a circle a tangent of length $<tangent>$ is drawn, "
        r"and also a line that enters the circle at $X$, at distance $<outside>$ from $T$, and "
        r"leaves it at $Y$. How long is the chord $XY$?",
        solution=r"Let $S$ be the point of tangency. The tangent-chord angle gives $\angle TSX = "
        r"\angle TYS$, and the angle at $T$ is common, so the triangles $TSX$ and $TYS$ have the "
        r"same shape. Consequently $\frac{TS}{TY} = \frac{TX}{TS}$, so $TY = "
        r"\frac{<tangent>^2}{<outside>}$. Subtracting $TX = <outside>$ leaves $XY = <answer>$.",
        answer=chord,
        value=chord,
    )


def _arch(rng: Random, story: Story) -> Draft:
    half = rng.randint(4, 15)
    rise = rng.randint(2, half - 1)
    radius = Fraction(half * half + rise * rise, 2 * rise)
    return compose(
        rng,
        story,
        {"span": 2 * half, "rise": rise},
        statement=r"A footbridge near <place> rests on a flat arch in the form of a circular arc. "
        r"<hero> measures $<span>$ decimetres between the two feet of the arch, and the highest "
        r"point is $<rise>$ decimetres above the segment that joins the feet. What is the radius "
        r"of the arc, in decimetres?",
        solution=r"Complete the arc to a circle, and extend the rise downwards to the diameter of "
        r"length $2R$. Joining one foot to both ends of this diameter gives a right angle, and "
        r"the half span is the altitude there; it separates two similar right triangles, so "
        r"$\frac{<rise>}{<half>} = \frac{<half>}{2R - <rise>}$. Thus $2R = <rise> + "
        r"\frac{<half>^2}{<rise>}$ and $R = <answer>$.",
        answer=radius,
        value=radius,
        half=half,
    )


def _divided_chord(rng: Random, story: Story) -> Draft:
    ratio = rng.choice((2, 3, 4, 5))
    while True:
        radius, distance = rng.randint(5, 20), rng.randint(1, 16)
        # The chord through P must be able to reach the ratio: at most (r + d) / (r - d).
        if distance < radius and ratio * (radius - distance) < radius + distance:
            break
    power = radius * radius - distance * distance
    return compose(
        rng,
        story,
        {"radius": radius, "distance": distance, "ratio": ratio},
        statement=r"Point $P$ lies inside a circle of radius $<radius>$, at distance $<distance>$ "
        r"from the centre. A chord through $P$ is divided by $P$ into two parts, one of which is "
        r"$<ratio>$ times as long as the other. Find the length of the chord.",
        solution=r"Draw the diameter through $P$; it is divided into $<radius> - <distance>$ and "
        r"$<radius> + <distance>$. Joining ends of the chord with ends of the diameter produces "
        r"two triangles with equal angles at $P$ and equal inscribed angles, hence similar, so "
        r"the two parts of the chord have the same product as those of the diameter, namely "
        r"$<power>$. If the parts are $t$ and $<ratio>t$, then $<ratio>t^2 = <power>$, and the "
        r"chord is $<whole>t = <answer>$.",
        answer=surd(ratio + 1, Fraction(power, ratio)),
        value=f"{ratio + 1}*sqrt({Fraction(power, ratio)})",
        power=power,
        whole=ratio + 1,
    )


def _two_in_an_angle(rng: Random, story: Story) -> Draft:
    small = rng.randint(2, 9)
    large = small + rng.randint(1, 9)
    distance = Fraction(large * (large + small), large - small)
    return compose(
        rng,
        story,
        {"small": small, "large": large},
        statement=r"Two circles with radii $<small>$ and $<large>$ touch each other from outside, "
        r"and both touch the two sides of an angle with vertex $V$. Find the distance from $V$ to "
        r"the centre of the larger circle.",
        solution=r"The homothety with centre $V$ that carries the small circle to the large one "
        r"multiplies all lengths by $<factor>$, and it moves the centre along the bisector. If "
        r"$d$ is the wanted distance, the small circle's centre is at distance $d - (<large> + "
        r"<small>)$, so $<small>d = <large> (d - <sum>)$. Solving for $d$ yields $d = "
        r"\frac{<large> \cdot <sum>}{<large> - <small>} = <answer>$.",
        answer=distance,
        value=distance,
        sum=small + large,
        factor=Fraction(large, small),
    )


def _chain(rng: Random, story: Story) -> Draft:
    first = rng.randint(2, 12)
    second = first + rng.randint(1, 10)
    third = Fraction(second * second, first)
    return compose(
        rng,
        story,
        {"first": first, "second": second},
        statement=r"Three balls are dropped one after the other into a conical funnel at <place>. "
        r"Each of them touches the wall of the funnel all around, and each touches the next one. "
        r"The lowest ball has radius $<first>$ and the middle one has radius $<second>$. <hero> "
        r"asks for the radius of the top ball; what is it?",
        solution=r"Enlarge the picture from the tip of the funnel until the lowest ball becomes "
        r"the middle one. The funnel stays the same, and the ball that touched the lowest one "
        r"from above becomes the ball that touches the middle one from above. So the same factor "
        r"$<factor>$ leads from the middle ball to the top one, whose radius is "
        r"$\frac{<second>^2}{<first>} = <answer>$.",
        answer=third,
        value=third,
        factor=Fraction(second, first),
    )


def _half_angle(rng: Random, story: Story) -> Draft:
    small = rng.randint(1, 11)
    large = small + rng.randint(1, 11)
    sine = Fraction(large - small, large + small)
    return compose(
        rng,
        story,
        {"small": small, "large": large, "sine": 1},
        statement=r"Inside an angle of size $2\varphi$ lie two circles of radii $<large>$ and "
        r"$<small>$, tangent to each other and to both arms of the angle. Compute $\sin \varphi$.",
        solution=r"Through the centre of the smaller circle draw the parallel to one arm. It cuts "
        r"from the radius of the larger circle to that arm the piece $<large> - <small>$, and the "
        r"right triangle formed with the segment of centres, of length $<large> + <small>$, is a "
        r"reduced copy of the triangle formed by the vertex, the larger centre and its point of "
        r"contact. So its angle is $\varphi$, and $\sin \varphi = \frac{<large> - "
        r"<small>}{<large> + <small>} = <answer>$.",
        answer=sine,
        value=sine,
    )


def _endless_chain(rng: Random, story: Story) -> Draft:
    small = rng.randint(1, 7)
    large = small + rng.randint(1, 9)
    total = Fraction(large**3, large * large - small * small) * large
    return compose(
        rng,
        story,
        {"small": small, "large": large, "areas": 1},
        statement=r"Infinitely many circles are packed into the corner between two walls: each "
        r"touches both walls and the next circle, and they shrink towards the corner. The largest "
        r"circle has radius $<large>$ and the next one has radius $<small>$. The total area of "
        r"all the circles is $q\pi$. Determine $q$.",
        solution=r"Shrinking the figure towards the corner by the factor $k = <factor>$ maps "
        r"every circle to the next one, so it maps the whole chain to the chain without its "
        r"largest member. Areas shrink by $k^2$; for the total $q\pi$ this says $k^2 q = q - "
        r"<large>^2$. Hence $q = \frac{<large>^2}{1 - k^2} = <answer>$.",
        answer=total,
        value=total,
        factor=Fraction(small, large),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-power-of-a-point",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Circles"),
        technique="scaling",
        moves=("similar-triangles", "equal-ratios", "inscribed-angles"),
        key_ideas=(
            "Equal inscribed angles make two triangles on the chords similar, so the products of "
            "the segments cut off on each line through the point agree.",
            "Similar triangles formed by two lines through a common point show that the product "
            "of both distances to the circle is the same for every line.",
        ),
        forms=(_crossing_chords, _tangent_and_secant, _arch, _divided_chord),
    ),
    Family(
        key="geo-circles-in-an-angle",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Circles"),
        technique="scaling",
        moves=("homothety", "equal-ratios", "self-similarity"),
        key_ideas=(
            "A homothety centred at the vertex of the angle carries one circle to the next, so "
            "radii and distances from the vertex are in the same ratio.",
            "Scaling the whole picture from the vertex maps each circle to its neighbour and "
            "keeps the angle fixed, hence all lengths change by one common factor.",
        ),
        forms=(_two_in_an_angle, _chain, _half_angle, _endless_chain),
    ),
)
