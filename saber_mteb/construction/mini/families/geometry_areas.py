"""Areas: overlapping figures, and figures cut into pieces."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, multiple, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _leaf(rng: Random, story: Story) -> Draft:
    side = rng.randint(2, 20)
    half = Fraction(side * side, 2)
    return compose(
        rng,
        story,
        {"side": side},
        statement=r"In a square $ABCD$ of side $<side>$ the arc $BD$ of the circle around $A$ and "
        r"the arc $BD$ of the circle around $C$ are drawn inside the square. Find the area of the "
        r"region between the two arcs.",
        solution=r"The region is common to two quarter discs, each of area $<quarter>$. Together "
        r"the quarter discs cover the whole square, and the sum of their areas counts the common "
        r"region once too often: $2 \cdot <quarter> - x = <side>^2$. Hence $x = <answer>$.",
        answer=f"{multiple(half, chr(92) + 'pi')} - {side * side}",
        value=f"{side * side}*pi/2 - {side * side}",
        quarter=multiple(half / 2, r"\pi"),
    )


def _two_rugs(rng: Random, story: Story) -> Draft:
    p, q, r, s = (rng.randint(3, 8) for _ in range(4))
    u, v = rng.randint(1, min(p, r) - 1), rng.randint(1, min(q, s) - 1)
    width, depth = p + r - u + rng.randint(0, 2), q + s - v + rng.randint(0, 2)
    bare = width * depth - (p * q + r * s - u * v)
    rugs = {"p": p, "q": q, "r": r, "s": s, "u": u, "v": v}
    return compose(
        rng,
        story,
        {"width": width, "depth": depth, "bare": bare, **rugs},
        statement=r"The floor of a hall at <place> measures $<width>$ by $<depth>$ metres. <hero> "
        r"spreads out two rectangular rugs, one of $<p>$ by $<q>$ metres and one of $<r>$ by "
        r"$<s>$ metres; they partly overlap. Afterwards $<bare>$ square metres of the floor are "
        r"still bare. How many square metres are covered twice?",
        solution=r"The floor has $<floor>$ square metres, so the rugs hide $<floor> - <bare> = "
        r"<hidden>$ of them. The rugs themselves have $<first> + <second> = <sum>$ square metres. "
        r"In this sum the part below both rugs is counted twice instead of once, so its area is "
        r"the excess $<sum> - <hidden> = <answer>$.",
        answer=u * v,
        value=u * v,
        floor=width * depth,
        hidden=width * depth - bare,
        first=p * q,
        second=r * s,
        sum=p * q + r * s,
    )


# Squared distance of the centres over squared radius: angle of the sector / (2 pi), and the
# area of its triangle over the squared radius as coefficient and radicand.
_LENSES = {
    1: (Fraction(1, 3), Fraction(1, 4), 3),
    2: (Fraction(1, 4), Fraction(1, 2), 1),
    3: (Fraction(1, 6), Fraction(1, 4), 3),
}


def _two_lamps(rng: Random, story: Story) -> Draft:
    radius, kind = rng.randint(2, 12), rng.choice((1, 2, 3))
    turn, triangle, radicand = _LENSES[kind]
    square = radius * radius
    pie, corner = turn * square, triangle * square
    discs, lens = multiple(2 * square, r"\pi"), multiple(2 * pie, r"\pi")
    cut = surd(2 * corner, radicand)
    return compose(
        rng,
        story,
        {"radius": radius, "kind": kind},
        statement=r"Two lamps hang over the yard at <place>. Each of them lights up a disc of "
        r"radius $<radius>$ metres on the ground, and the centres of the discs are $<distance>$ "
        r"metres apart. How many square metres are lit by at least one lamp?",
        solution=r"Both discs together measure $<discs>$, but the lens where they overlap must be "
        r"taken away once. The chord through the two intersection points is seen from either "
        r"centre at an angle of $<degrees>^\circ$, so the lens consists of two circular segments, "
        r"each a sector of area $<sector>$ minus a triangle of area $<corner>$. Thus the lens has "
        r"area $<lens> - <cut>$, and the lit area is $<discs> - (<lens> - <cut>) = <answer>$.",
        answer=f"{multiple(2 * square - 2 * pie, chr(92) + 'pi')} + {cut}",
        value=f"{2 * square - 2 * pie}*pi + {2 * corner}*sqrt({radicand})",
        distance=surd(radius, kind),
        discs=discs,
        degrees=360 * turn,
        sector=multiple(pie, r"\pi"),
        corner=surd(corner, radicand),
        lens=lens,
        cut=cut,
    )


def _three_sheets(rng: Random, story: Story) -> Draft:
    sheets = [[rng.randint(1, 4) for _ in range(4)] for _ in range(3)]

    def common(*chosen: int) -> int:
        # Each sheet reaches left, right, down and up from one common point.
        left, right, down, up = (min(sheets[i][k] for i in chosen) for k in range(4))
        return (left + right) * (down + up)

    single = [common(i) for i in range(3)]
    pairs = [common(0, 1), common(0, 2), common(1, 2)]
    triple = common(0, 1, 2)
    union = sum(single) - sum(pairs) + triple
    names = ("left", "right", "down", "up")
    drawn = {f"{name}{i}": sheets[i][k] for i in range(3) for k, name in enumerate(names)}
    return compose(
        rng,
        story,
        drawn,
        statement=r"Three rectangular sheets of paper with areas $<a>$, $<b>$ and $<c>$ lie on a "
        r"table and cover the area $<union>$ together. The first and the second overlap in a "
        r"region of area $<ab>$, the first and the third in one of area $<ac>$, the second and "
        r"the third in one of area $<bc>$. What is the area of the part where all three sheets "
        r"lie on top of each other?",
        solution=r"Adding the areas of the sheets counts double layers twice and triple layers "
        r"three times. Subtracting the pairwise overlaps corrects the double layers, but removes "
        r"the triple layers completely, so they must be added back: $<union> = (<a> + <b> + <c>) "
        r"- (<ab> + <ac> + <bc>) + t$. Hence $t = <union> - <singles> + <doubles> = <answer>$.",
        answer=triple,
        value=triple,
        a=single[0],
        b=single[1],
        c=single[2],
        ab=pairs[0],
        ac=pairs[1],
        bc=pairs[2],
        union=union,
        singles=sum(single),
        doubles=sum(pairs),
    )


def _dodecagon(rng: Random, story: Story) -> Draft:
    radius = rng.randint(2, 25)
    return compose(
        rng,
        story,
        {"radius": radius, "corners": 12},
        statement=r"A regular polygon with twelve vertices is inscribed in a circle of radius "
        r"$<radius>$. Find its area.",
        solution=r"The radii to the vertices cut the polygon into twelve congruent isosceles "
        r"triangles with legs $<radius>$ and the angle $30^\circ$ between them. The altitude to a "
        r"leg is half the other leg, so each triangle has area $\frac{1}{2} \cdot <radius> \cdot "
        r"\frac{<radius>}{2}$. Twelve of them make $3 \cdot <radius>^2 = <answer>$.",
        answer=3 * radius * radius,
        value=3 * radius * radius,
    )


def _octagon(rng: Random, story: Story) -> Draft:
    side = rng.randint(2, 20)
    double = 2 * side * side
    return compose(
        rng,
        story,
        {"octagon": side},
        statement=r"The pond at <place> is a regular octagon, and each of its edges is "
        r"$<octagon>$ metres long. How many square metres does its surface have?",
        solution=r"Say that one edge faces north. From the ends of the edges facing north and "
        r"west, draw the diagonals running due south and due east; there are four in all, and "
        r"they cut the pond into a square with side $<octagon>$, four rectangles with sides "
        r"$<octagon>$ and $\frac{<octagon>}{\sqrt{2}}$, and four right isosceles triangles with "
        r"hypotenuse $<octagon>$. The areas add up to $<square> + 4 \cdot "
        r"\frac{<square>}{\sqrt{2}} + 4 \cdot \frac{<square>}{4} = <answer>$.",
        answer=f"{double} + {surd(double, 2)}",
        value=f"{double} + {double}*sqrt(2)",
        square=side * side,
    )


def _strip_around(rng: Random, story: Story) -> Draft:
    a, b, c = rng.choice(((3, 4, 5), (5, 5, 6), (13, 14, 15), (7, 8, 9), (10, 11, 12), (6, 9, 11)))
    scale, width = rng.randint(1, 3), rng.randint(2, 6)
    a, b, c = a * scale, b * scale, c * scale
    edge = (a + b + c) * width
    return compose(
        rng,
        story,
        {"a": a, "b": b, "c": c, "width": width},
        statement=r"A triangular flower bed at <place> has sides of $<a>$, $<b>$ and $<c>$ "
        r"metres. <hero> covers with gravel all points outside the bed that are at most $<width>$ "
        r"metres away from it. What area, in square metres, is covered?",
        solution=r"Cut the gravel strip at the perpendiculars to the sides in the three corners. "
        r"Along the sides there are rectangles of width $<width>$, together $<width> (<a> + <b> + "
        r"<c>) = <edge>$. At each corner there remains a sector of radius $<width>$; its angle is "
        r"the exterior angle, and the three exterior angles make a full turn, so the sectors fit "
        r"together to a disc of area $<disc>$. In total, $<answer>$ square metres are covered.",
        answer=f"{edge} + {multiple(width * width, chr(92) + 'pi')}",
        value=f"{edge} + {width * width}*pi",
        edge=edge,
        disc=multiple(width * width, r"\pi"),
    )


def _inner_square(rng: Random, story: Story) -> Draft:
    parts, side = rng.randint(2, 6), rng.randint(2, 12)
    area = Fraction(side * side * (parts - 1) ** 2, parts * parts + 1)
    return compose(
        rng,
        story,
        {"parts": parts, "side": side},
        statement=r"Let $ABCD$ be a square of side $<side>$. Points $K, L, M, N$ on $BC, CD, DA, "
        r"AB$ satisfy $BK = CL = DM = AN = <short>$. The lines $AK, BL, CM, DN$ bound a smaller "
        r"square in the middle. Determine its area.",
        solution=r"Turning the figure by $90^\circ$ permutes the four lines, so neighbouring ones "
        r"are perpendicular. They dissect $ABCD$ into the inner square and four congruent right "
        r"triangles whose hypotenuses are the sides of $ABCD$. The legs $u, v$ of such a triangle "
        r"satisfy $u = <parts>v$, like $AB$ and $BK$, and $u^2 + v^2 = <square>$, so $v^2 = "
        r"<legsquare>$ and the area of the triangle is $\frac{1}{2} uv = <triangle>$. The inner "
        r"square has area $<square> - 4 \cdot <triangle> = <answer>$.",
        answer=area,
        value=area,
        short=Fraction(side, parts),
        square=side * side,
        legsquare=Fraction(side * side, parts * parts + 1),
        triangle=Fraction(parts * side * side, 2 * (parts * parts + 1)),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-overlapping-areas",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Areas"),
        technique="inclusion-exclusion",
        moves=("sieve-over-conditions", "alternating-signs", "sector-minus-triangle"),
        key_ideas=(
            "Adding the areas of the overlapping figures counts the common part too often, so "
            "comparing this sum with the area of the union isolates the unknown region.",
            "The area of a union equals the sum of the separate areas corrected by the overlaps, "
            "and this relation is solved for the missing part.",
        ),
        forms=(_leaf, _two_rugs, _two_lamps, _three_sheets),
    ),
    Family(
        key="geo-dissection",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Plane Geometry", "Areas"),
        technique="decomposition",
        moves=("cut-into-pieces", "add-pieces", "congruent-pieces"),
        key_ideas=(
            "Cut the figure into triangles, rectangles and sectors of known area, many of them "
            "congruent, and add the areas of the pieces.",
            "A suitable dissection into simple congruent pieces reduces the unknown area to a few "
            "elementary ones, which are then added or subtracted.",
        ),
        forms=(_dodecagon, _octagon, _strip_around, _inner_square),
    ),
)
