"""Solids: a volume or a number of edges computed in two ways."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose, surd

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story

# Horizontal leg, height and slant of right triangles with integer sides.
_SLANTS = ((3, 4, 5), (4, 3, 5), (5, 12, 13), (12, 5, 13), (8, 15, 17), (15, 8, 17), (20, 21, 29))


def _sawn_corner(rng: Random, story: Story) -> Draft:
    a, b, c = rng.sample(range(1, 10), 3)
    squares = a * a * b * b + b * b * c * c + c * c * a * a
    return compose(
        rng,
        story,
        {"a": a, "b": b, "c": c},
        statement=r"At <place> <hero> saws a corner off a wooden block with right angles. The cut "
        r"is a plane that meets the three edges at this corner at distances $<a>$, $<b>$ and "
        r"$<c>$ from it. How far was the corner from the plane of the cut?",
        solution=r"The piece is a pyramid. Standing on one of its right-angled faces it has "
        r"volume $\frac{1}{3} \cdot \frac{1}{2} \cdot <a> \cdot <b> \cdot <c> = <volume>$. "
        r"Standing on the cut, it has volume $\frac{1}{3} F h$, where $h$ is the distance we seek "
        r"and $F$ is the area of the cut. The squared areas of the right-angled faces add up to "
        r"$F^2$, so $F = \frac{1}{2} \sqrt{<squares>}$. Comparing, $h = \frac{3 \cdot "
        r"<volume>}{F} = \frac{<product>}{\sqrt{<squares>}}<equal>$.",
        answer=surd(a * b * c, Fraction(1, squares)),
        value=f"{a * b * c}/sqrt({squares})",
        volume=Fraction(a * b * c, 6),
        squares=squares,
        product=a * b * c,
        equal=f" = {surd(a * b * c, Fraction(1, squares))}",
    )


def _ball_in_pyramid(rng: Random, story: Story) -> Draft:
    half, height, slant = rng.choice(_SLANTS)
    scale = rng.randint(1, 3)
    half, height, slant = half * scale, height * scale, slant * scale
    base = 2 * half
    volume, surface = Fraction(base * base * height, 3), base * base + 2 * base * slant
    radius = 3 * volume / surface
    return compose(
        rng,
        story,
        {"base": base, "height": height},
        statement=r"A pyramid has a square base of side $<base>$ and height $<height>$, and its "
        r"apex is above the centre of the base. Find the radius of the sphere that touches all "
        r"five faces.",
        solution=r"The slant height is $\sqrt{<height>^2 + <half>^2} = <slant>$, so the surface "
        r"is $<base>^2 + 4 \cdot \frac{1}{2} \cdot <base> \cdot <slant> = <surface>$. Join the "
        r"centre of the sphere to the vertices: the pyramid falls into five pyramids of height "
        r"$r$ over its faces, with total volume $\frac{r}{3} \cdot <surface>$. Directly, the "
        r"volume is $\frac{1}{3} \cdot <base>^2 \cdot <height> = <volume>$. Equating gives $r = "
        r"<answer>$.",
        answer=radius,
        value=radius,
        half=half,
        slant=slant,
        surface=surface,
        volume=volume,
    )


def _fourth_distance(rng: Random, story: Story) -> Draft:
    scale = rng.randint(5, 14)
    total = 2 * scale
    p, q, r = (rng.randint(1, total // 3) for _ in range(3))
    while p + q + r >= total:
        p, q, r = (rng.randint(1, total // 3) for _ in range(3))
    return compose(
        rng,
        story,
        {"scale": scale, "p": p, "q": q, "r": r},
        statement=r"A tent at <place> is a regular tetrahedron with edges of $<scale>\sqrt{6}$ "
        r"decimetres. <hero> hangs <a_thing> inside, at distances of $<p>$, $<q>$ and $<r>$ "
        r"decimetres from three of the four faces (the ground counts as a face). How far, in "
        r"decimetres, is it from the fourth face?",
        solution=r"All faces have the same area $F$. The point where the <thing> hangs is the "
        r"common apex of four pyramids over the faces, so the volume of the tent is $\frac{1}{3} "
        r"F (<p> + <q> + <r> + x)$. It is also $\frac{1}{3} F h$ with the height $h$ of the "
        r"tetrahedron, which is $\frac{\sqrt{6}}{3}$ times the edge: $h = <total>$. Therefore "
        r"$<p> + <q> + <r> + x = <total>$, and $x = <answer>$.",
        answer=total - p - q - r,
        value=total - p - q - r,
        total=total,
    )


def _ball_in_cone(rng: Random, story: Story) -> Draft:
    radius, height, slant = rng.choice(_SLANTS)
    scale = rng.randint(1, 3)
    radius, height, slant = radius * scale, height * scale, slant * scale
    inner = Fraction(radius * height, radius + slant)
    return compose(
        rng,
        story,
        {"radius": radius, "height": height},
        statement=r"The radius of the base of a right circular cone is $<radius>$ and its height "
        r"is $<height>$. How large is the radius of the largest ball that fits into the cone?",
        solution=r"The largest ball touches the base and the lateral surface, whose generators "
        r"are $\sqrt{<radius>^2 + <height>^2} = <slant>$ long. Cutting the cone into thin "
        r"pyramids with apex at the ball's centre shows that its volume is one third of $\rho$ "
        r"times its whole surface, $\frac{\rho}{3} (\pi \cdot <radius>^2 + \pi \cdot <radius> "
        r"\cdot <slant>)$. The usual formula is $\frac{\pi}{3} \cdot <radius>^2 \cdot <height>$. "
        r"Hence $\rho = \frac{<radius> \cdot <height>}{<radius> + <slant>} = <answer>$.",
        answer=inner,
        value=inner,
        slant=slant,
    )


def _triangles_and_quadrilaterals(rng: Random, story: Story) -> Draft:
    n, layers = rng.randint(3, 9), rng.randint(1, 5)
    triangles, quadrilaterals = 2 * n, layers * n
    edges = (3 * triangles + 4 * quadrilaterals) // 2
    faces = triangles + quadrilaterals
    vertices = edges - faces + 2
    return compose(
        rng,
        story,
        {"triangles": triangles, "quadrilaterals": quadrilaterals},
        statement=r"The surface of a convex polyhedron consists of exactly $<triangles>$ "
        r"triangles and $<quadrilaterals>$ quadrilaterals. How many vertices does the polyhedron "
        r"have?",
        solution=r"Count the pairs (face, edge of this face). Going through the faces we find $3 "
        r"\cdot <triangles> + 4 \cdot <quadrilaterals> = <sides>$ pairs; going through the edges "
        r"we find two for each. So there are $<edges>$ edges, and Euler's formula $V - E + F = 2$ "
        r"with $F = <faces>$ yields $V = <edges> - <faces> + 2 = <answer>$.",
        answer=vertices,
        value=vertices,
        sides=2 * edges,
        edges=edges,
        faces=faces,
    )


def _stitched_ball(rng: Random, story: Story) -> Draft:
    hexagons = rng.randint(2, 40)
    corners = 20 + 2 * hexagons
    return compose(
        rng,
        story,
        {"corners": corners},
        statement=r"<hero> sews a ball for the summer party at <place> from leather patches with "
        r"five and with six sides. Exactly three patches come together at every corner, and there "
        r"are $<corners>$ corners. How many of the patches are six-sided?",
        solution=r"Let $p$ patches have five sides and $h$ six. Every corner belongs to three "
        r"patches, so $5p + 6h = 3 \cdot <corners> = <incidences>$, and every corner is the end "
        r"of three of the $\frac{3}{2} \cdot <corners> = <seams>$ seams. Euler's relation for the "
        r"sphere says $<corners> - <seams> + (p + h) = 2$, that is, $p + h = <patches>$. Then $h "
        r"= <incidences> - 5 \cdot <patches> = <answer>$.",
        answer=hexagons,
        value=hexagons,
        incidences=3 * corners,
        seams=3 * corners // 2,
        patches=corners // 2 + 2,
    )


def _face_angles(rng: Random, story: Story) -> Draft:
    vertices = rng.randint(5, 40)
    total = 360 * (vertices - 2)
    return compose(
        rng,
        story,
        {"total": total},
        statement=r"Someone measures all the angles of all the faces of a convex polyhedron and "
        r"adds them up. The sum is $<total>^\circ$. How many vertices are there?",
        solution=r"A face with $n$ sides contributes $180^\circ (n - 2)$. Adding over the $F$ "
        r"faces, the numbers $n$ sum to $2E$ because each edge borders two faces; the total is "
        r"$180^\circ (2E - 2F) = 360^\circ (E - F)$, which is $360^\circ (V - 2)$ by Euler's "
        r"theorem. From $360 (V - 2) = <total>$ we get $V = <answer>$.",
        answer=vertices,
        value=vertices,
    )


def _rods(rng: Random, story: Story) -> Draft:
    joints = rng.randint(7, 60)
    return compose(
        rng,
        story,
        {"joints": joints},
        statement=r"A hollow sculpture in front of <place>, convex all around, is welded together "
        r"from straight rods. The rods meet in $<joints>$ joints, and all the windows between "
        r"them are triangles. How many rods were used?",
        solution=r"Suppose there are $k$ rods and $w$ windows. Each window has three rods and "
        r"each rod borders two windows, so counting these contacts twice gives $3w = 2k$. The "
        r"sculpture is a polyhedron, hence $<joints> - k + w = 2$. Replacing $w$ by "
        r"$\frac{2k}{3}$ leaves $\frac{k}{3} = <joints> - 2$, so $k = <answer>$.",
        answer=3 * joints - 6,
        value=3 * joints - 6,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-volume-twice",
        domains=(Domain.GEOMETRY,),
        topic=("Geometry", "Solid Geometry", "Volumes and Surfaces"),
        technique="double-counting",
        moves=("compute-volume-twice", "split-from-a-point", "pythagoras"),
        key_ideas=(
            "Compute the same volume in two different ways, over two choices of base or from an "
            "inner point, and equate them to isolate the unknown distance.",
            "Joining an inner point to all vertices splits the solid into pyramids, and their "
            "total volume must agree with the volume found directly.",
        ),
        forms=(_sawn_corner, _ball_in_pyramid, _fourth_distance, _ball_in_cone),
    ),
    Family(
        key="geo-polyhedron-counting",
        domains=(Domain.GEOMETRY, Domain.COMBINATORICS),
        topic=("Geometry", "Solid Geometry", "Polyhedra"),
        technique="double-counting",
        moves=("count-incidences-twice", "euler-formula", "linear-equation"),
        key_ideas=(
            "Counting the incidences between faces and edges from both sides gives linear "
            "relations, which together with the polyhedron formula of Euler determine everything.",
            "Each edge borders two faces, so summing over faces counts edges twice; combined with "
            "the relation of Euler this yields the unknown number.",
        ),
        forms=(_triangles_and_quadrilaterals, _stitched_ball, _face_angles, _rods),
    ),
)
