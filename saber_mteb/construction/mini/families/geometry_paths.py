"""Shortest paths: mirror images in the plane, unfolded surfaces in space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _fetching_water(rng: Random, story: Story) -> Draft:
    a, b = rng.randint(2, 12), rng.randint(2, 12)
    along = rng.randint(4, 30)
    square = along * along + (a + b) ** 2
    return compose(
        rng,
        story,
        {"a": a, "b": b, "along": along},
        statement=r"A canal with a straight bank flows past <place>. <hero> stands $<a>$ metres "
        r"from the bank, has to rinse <a_thing> in the canal and then carry it to <rival>, who "
        r"waits on the same side, $<b>$ metres from the bank. Measured along the bank, the two "
        r"are $<along>$ metres apart. How many metres does the shortest possible route have?",
        solution=r"Reflect the place where <rival> waits in the bank. A route from the bank to "
        r"<rival> is exactly as long as its mirror image, so routes via the bank correspond to "
        r"routes to the mirror image. The shortest of those is straight: it covers $<along>$ "
        r"metres along the bank and $<a> + <b> = <sum>$ metres across. Its length is "
        r"$\sqrt{<along>^2 + <sum>^2} = <answer>$.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        sum=a + b,
    )


def _sum_of_roots(rng: Random, story: Story) -> Draft:
    a, b, c = rng.randint(1, 9), rng.randint(1, 9), rng.randint(3, 20)
    square = c * c + (a + b) ** 2
    return compose(
        rng,
        story,
        {"a": a, "b": b, "along": c},
        statement=r"Find the least value of $\sqrt{x^2 + <asquare>} + \sqrt{(<along> - x)^2 + "
        r"<bsquare>}$ as $x$ runs through the real numbers.",
        solution=r"The first root is the distance from $X = (x, 0)$ to $P = (0, <a>)$; the second "
        r"is the distance from $X$ to $Q = (<along>, <b>)$, or equally well to its mirror image "
        r"$Q' = (<along>, -<b>)$. By the triangle inequality $PX + XQ' \ge PQ'$, with equality "
        r"when $X$ is the point where $PQ'$ meets the axis. The minimum is $PQ' = \sqrt{<along>^2 "
        r"+ <sum>^2} = <answer>$.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        asquare=a * a,
        bsquare=b * b,
        sum=a + b,
    )


def _two_axes(rng: Random, story: Story) -> Draft:
    p, q, r, s = (rng.randint(1, 12) for _ in range(4))
    square = (p + r) ** 2 + (q + s) ** 2
    return compose(
        rng,
        story,
        {"p": p, "q": q, "r": r, "s": s},
        statement=r"Consider all paths in the plane that start at $(<p>, <q>)$, end at $(<r>, "
        r"<s>)$ and touch both coordinate axes on the way, in any order. What is the length of "
        r"the shortest one?",
        solution=r"Whenever a path reaches an axis for the first time, flip its remaining part "
        r"over that axis. Flipping keeps lengths, can be undone, and after both flips the path "
        r"ends at $(-<r>, -<s>)$. No path from $(<p>, <q>)$ to this point beats the segment, and "
        r"the segment does meet both axes, so folding it back gives a permitted path. Its length "
        r"is $\sqrt{<x>^2 + <y>^2} = <answer>$.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        x=p + r,
        y=q + s,
    )


def _inside_an_angle(rng: Random, story: Story) -> Draft:
    distance, degrees = rng.randint(2, 20), rng.choice((30, 45, 60))
    radicand = {30: 1, 45: 2, 60: 3}[degrees]
    return compose(
        rng,
        story,
        {"distance": distance, "degrees": degrees},
        statement=r"A point $P$ lies inside an angle of $<degrees>^\circ$ with vertex $O$, and "
        r"$OP = <distance>$. Points $X$ and $Y$ are chosen on the two arms of the angle, one on "
        r"each. Find the minimum perimeter of triangle $PXY$.",
        solution=r"Let $P_1$ and $P_2$ be the reflections of $P$ in the two arms. Then $PX = "
        r"P_1X$ and $PY = P_2Y$, so the perimeter equals the length of the broken line "
        r"$P_1XYP_2$, and the best choice makes it straight. Now $OP_1 = OP_2 = <distance>$ and "
        r"$\angle P_1OP_2 = 2 \cdot <degrees>^\circ$, so the minimum is the base $P_1P_2 = 2 "
        r"\cdot <distance> \sin <degrees>^\circ = <answer>$.",
        answer=surd(distance, radicand),
        value=f"{distance}*sqrt({radicand})",
    )


def _spider(rng: Random, story: Story) -> Draft:
    a, b, c = rng.sample(range(2, 16), 3)
    longest = max(a, b, c)
    rest = a + b + c - longest
    square = longest * longest + rest * rest
    return compose(
        rng,
        story,
        {"a": a, "b": b, "c": c},
        statement=r"A spider sits in one corner of a closed box with edges $<a>$, $<b>$ and $<c>$ "
        r"and wants to reach the opposite corner, farthest away, walking on the surface. What is "
        r"the length of its shortest route?",
        solution=r"The route crosses two adjacent faces. Unfold them into one plane, where the "
        r"route becomes a path between opposite corners of a rectangle with sides $x$ and $y + "
        r"z$, where $x, y, z$ are the edges in some order; the straight one is shortest. Its "
        r"squared length is $x^2 + y^2 + z^2 + 2yz$, so $y$ and $z$ should be the two shorter "
        r"edges. This gives $\sqrt{<longest>^2 + <rest>^2} = <answer>$.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        longest=longest,
        rest=rest,
    )


def _garland(rng: Random, story: Story) -> Draft:
    around, turns, height = rng.randint(2, 5), rng.randint(2, 6), rng.randint(4, 24)
    square = height * height + (around * turns) ** 2
    return compose(
        rng,
        story,
        {"around": around, "turns": turns, "height": height},
        statement=r"A round column at <place> is $<height>$ metres high and $<around>$ metres in "
        r"circumference. <hero> winds a tight garland of <things> around it, from the foot to a "
        r"point at the top exactly above the start, with $<turns>$ full turns. Find the least "
        r"possible length of the garland in metres.",
        solution=r"Roll the column over a floor $<turns>$ times, so that it prints its surface. "
        r"The garland leaves the print of a line that climbs $<height>$ metres while it advances "
        r"$<turns> \cdot <around> = <advance>$ metres. Printing changes no length, and each such "
        r"line can be wound back, so the shortest garland is the straight line of length "
        r"$\sqrt{<height>^2 + <advance>^2} = <answer>$ metres.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        advance=around * turns,
    )


def _around_the_cone(rng: Random, story: Story) -> Draft:
    radius, part = rng.randint(1, 9), rng.choice((3, 4, 6))
    slant = radius * part
    radicand = {3: 3, 4: 2, 6: 1}[part]
    return compose(
        rng,
        story,
        {"radius": radius, "slant": slant},
        statement=r"A mountain has the shape of a right circular cone with base radius $<radius>$ "
        r"and slant height $<slant>$ (in kilometres). A footpath starts at a point of the base "
        r"circle, goes once around the mountain and returns to its starting point. How short can "
        r"it be?",
        solution=r"Cut the cone along the generator through the starting point and flatten it. It "
        r"becomes a circular sector of radius $<slant>$ whose arc is $2\pi \cdot <radius>$ long, "
        r"so its angle is $360^\circ \cdot \frac{<radius>}{<slant>} = <degrees>^\circ$. Footpaths "
        r"correspond to curves that join the two ends of the arc, and the chord is the shortest: "
        r"$2 \cdot <slant> \sin <half>^\circ = <answer>$.",
        answer=surd(slant, radicand),
        value=f"{slant}*sqrt({radicand})",
        degrees=360 // part,
        half=180 // part,
    )


def _honey(rng: Random, story: Story) -> Draft:
    half, outside, inside = rng.randint(3, 15), rng.randint(2, 8), rng.randint(2, 8)
    square = half * half + (outside + inside) ** 2
    return compose(
        rng,
        story,
        {"around": 2 * half, "outside": outside, "inside": inside},
        statement=r"A cylindrical glass has circumference $<around>$ centimetres. An ant sits on "
        r"its outer wall, $<outside>$ centimetres below the rim. On the inner wall, diametrically "
        r"opposite, a drop of honey sticks $<inside>$ centimetres below the rim. Neglecting the "
        r"thickness of the glass, how many centimetres must the ant crawl at least?",
        solution=r"Develop the wall into a rectangle, and turn the inner wall up around the rim, "
        r"so that it appears above the outer one. The ant's walks over the rim become the paths "
        r"from a point $<outside>$ below the rim line to a point $<inside>$ above it, displaced "
        r"by half the circumference, $<half>$. The straight one has length $\sqrt{<half>^2 + "
        r"(<outside> + <inside>)^2} = <answer>$.",
        answer=surd(1, square),
        value=f"sqrt({square})",
        half=half,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-mirror-paths",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Distances"),
        technique="bijection",
        moves=("reflect-a-path", "straight-line-shortest", "pythagoras"),
        key_ideas=(
            "Reflecting part of the path in the line it must touch preserves its length, so the "
            "shortest path becomes a straight segment to a mirror image.",
            "Each permitted path corresponds to a path to the reflected target with equal length, "
            "and among those the straight segment is the best one.",
        ),
        forms=(_fetching_water, _sum_of_roots, _two_axes, _inside_an_angle),
    ),
    Family(
        key="geo-unfolded-surface",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Solid Geometry", "Volumes and Surfaces"),
        technique="bijection",
        moves=("unfold-the-surface", "straight-line-shortest", "pythagoras"),
        key_ideas=(
            "Unfolding the surface into a plane keeps all lengths, so routes on the solid become "
            "plane curves and the shortest one is a straight segment.",
            "Routes on the surface correspond to curves of equal length in its flat development, "
            "where the straight line between the two images is the shortest.",
        ),
        forms=(_spider, _garland, _around_the_cone, _honey),
    ),
)
