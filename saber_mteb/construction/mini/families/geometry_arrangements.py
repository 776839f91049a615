"""Combinatorial geometry: points that must be close, and regions cut out by curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _round_path(rng: Random, story: Story) -> Draft:
    gap, most = rng.randint(3, 9), rng.randint(6, 25)
    length = gap * most + rng.randint(0, gap - 1)
    return compose(
        rng,
        story,
        {"length": length, "gap": gap},
        statement=r"A circular path around <place> is $<length>$ metres long. <hero> puts down "
        r"<things> at points of the path, one at a time. How many are needed to be certain that "
        r"two of them are less than $<gap>$ metres apart, measured along the path?",
        solution=r"With $n$ <things> the path is divided into $n$ arcs of total length "
        r"$<length>$, so one of the arcs has at most $\frac{<length>}{n}$ metres. For $n = "
        r"<answer>$ this is less than $<gap>$, because $<answer> \cdot <gap> = <product> > "
        r"<length>$. With only $<most>$ of them, equal spacing leaves arcs of "
        r"$\frac{<length>}{<most>} \ge <gap>$ metres, and nothing is forced. The number needed is "
        r"$<answer>$.",
        answer=most + 1,
        value=most + 1,
        most=most,
        product=gap * (most + 1),
    )


def _directions(rng: Random, story: Story) -> Draft:
    angle = rng.randint(4, 40)
    most = 180 // angle
    return compose(
        rng,
        story,
        {"angle": angle},
        statement=r"What is the smallest $n$ such that among any $n$ straight lines in the plane, "
        r"no two of them parallel, there are two that form an angle smaller than $<angle>^\circ$?",
        solution=r"Translate the lines so that all pass through one point; angles are preserved. "
        r"They split the half turn of $180^\circ$ into $n$ angles, and the smallest of these is "
        r"at most $\frac{180^\circ}{n}$. If $n = <answer>$, this is below $<angle>^\circ$ since "
        r"$<answer> \cdot <angle> > 180$. If $n = <most>$, lines in equally spaced directions "
        r"have all angles at least $\frac{180^\circ}{<most>} \ge <angle>^\circ$. Hence $n = "
        r"<answer>$.",
        answer=most + 1,
        value=most + 1,
        most=most,
    )


def _sparse_lattice_points(rng: Random, story: Story) -> Draft:
    a, b = rng.sample(range(3, 14), 2)
    columns, rows = (a + 2) // 2, (b + 2) // 2
    return compose(
        rng,
        story,
        {"a": a, "b": b},
        statement=r"Let $S$ be the set of points $(x, y)$ with integer coordinates, $0 \le x \le "
        r"<a>$ and $0 \le y \le <b>$. A subset of $S$ is called sparse if any two of its points "
        r"are at distance at least $2$. How many points can a sparse set have at most?",
        solution=r"Group the abscissas $0, 1, \dots, <a>$ into $<columns>$ blocks of at most two "
        r"neighbours and the ordinates into $<rows>$ blocks likewise. This sorts $S$ into "
        r"$<columns> \cdot <rows>$ boxes, and two points in one box are at distance at most "
        r"$\sqrt{2}$. More than $<columns> \cdot <rows>$ points would put two into one box. The "
        r"points with both coordinates even form a sparse set with one point in every box, so the "
        r"maximum is $<answer>$.",
        answer=columns * rows,
        value=columns * rows,
        columns=columns,
        rows=rows,
    )


def _neighbouring_plots(rng: Random, story: Story) -> Draft:
    m, n = (2 * rng.randint(2, 7) for _ in range(2))
    return compose(
        rng,
        story,
        {"m": m, "n": n},
        statement=r"The floor of a storeroom at <place> is divided into $<m>$ rows of $<n>$ "
        r"square tiles. <hero> drops <things> on the floor so that each lands on a tile of its "
        r"own. Determine the least number that guarantees two <things> on tiles with a common "
        r"side or corner.",
        solution=r"Cut the floor into $\frac{<m>}{2} \cdot \frac{<n>}{2} = <blocks>$ squares of "
        r"two by two tiles. As soon as there are more <things> than squares, some square holds "
        r"two, and any two tiles of a square touch. On the other hand, if every square has one on "
        r"its upper left tile, then no two of these $<blocks>$ tiles touch. So the least number "
        r"is $<answer>$.",
        answer=m * n // 4 + 1,
        value=m * n // 4 + 1,
        blocks=m * n // 4,
    )


def _lines(rng: Random, story: Story) -> Draft:
    n = rng.randint(6, 40)
    return compose(
        rng,
        story,
        {"lines": n},
        statement=r"In the plane $<lines>$ lines are drawn, no two of them parallel and no three "
        r"through a common point. Into how many regions do they divide the plane?",
        solution=r"Let $r_k$ be the number of regions after $k$ lines; $r_0 = 1$. The $k$-th line "
        r"meets the earlier ones in $k - 1$ different points, which cut it into $k$ pieces, and "
        r"each piece splits one region in two. So $r_k = r_{k-1} + k$, and summing up, "
        r"$r_{<lines>} = 1 + (1 + 2 + \dots + <lines>) = <answer>$.",
        answer=1 + n * (n + 1) // 2,
        value=1 + n * (n + 1) // 2,
    )


def _circles(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    return compose(
        rng,
        story,
        {"circles": n},
        statement=r"Any two of $<circles>$ circles in the plane cross each other in two points, "
        r"and no point lies on three of the circles. How many parts does the plane fall into when "
        r"all the circles are removed?",
        solution=r"One circle leaves $c_1 = 2$ parts. When circle number $k + 1$ is added, the "
        r"old circles mark $2k$ points on it and so divide it into $2k$ arcs. Every arc runs "
        r"through one old part and divides it, which means $c_{k+1} = c_k + 2k$. Unwinding this, "
        r"$c_{<circles>} = 2 + 2 (1 + 2 + \dots + <previous>) = <answer>$.",
        answer=n * n - n + 2,
        value=n * n - n + 2,
        previous=n - 1,
    )


def _corners(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 30)
    return compose(
        rng,
        story,
        {"corners": n},
        statement=r"An angle is formed by two rays with a common starting point. Find the "
        r"greatest number of regions into which $<corners>$ angles can divide the plane.",
        solution=r"Let $z_k$ be the maximum for $k$ angles, so $z_0 = 1$. A further angle meets "
        r"each of the $k$ old ones in at most four points, since each of its rays meets each old "
        r"ray at most once. These at most $4k$ points cut the bent curve into at most $4k + 1$ "
        r"pieces, each of which adds one region: $z_{k+1} = z_k + 4k + 1$. Narrow angles with "
        r"nearly parallel rays, pairwise crossing four times at distinct points, achieve this. "
        r"Hence $z_{<corners>} = 1 + \sum_{k=0}^{<previous>} (4k + 1) = <answer>$.",
        answer=2 * n * n - n + 1,
        value=2 * n * n - n + 1,
        previous=n - 1,
    )


def _pancake(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 20)
    most = 1 + n * (n + 1) // 2
    wanted = most - rng.randint(0, n - 1)
    return compose(
        rng,
        story,
        {"wanted": wanted},
        statement=r"For the anniversary of <place> a huge round pancake is baked, and each of "
        r"$<wanted>$ guests should get a piece, of whatever size. <hero> cuts along straight "
        r"lines, never moving the pieces. What is the least number of cuts that can be enough?",
        solution=r"Suppose $p_k$ is the largest number of pieces after $k$ cuts. The next cut is "
        r"crossed by the previous ones at most $k$ times, so it passes through at most $k + 1$ "
        r"pieces and $p_{k+1} = p_k + (k + 1)$, the bound being reached if all cuts cross at "
        r"different points inside. From $p_0 = 1$ this gives $p_{<before>} = <fewer>$, still less "
        r"than $<wanted>$, and $p_{<answer>} = <most>$, which suffices. So the least number is "
        r"$<answer>$.",
        answer=n,
        value=n,
        before=n - 1,
        fewer=most - n,
        most=most,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="geo-close-points",
        domains=(Domain.GEOMETRY, Domain.COMBINATORICS),
        topic=("Geometry", "Combinatorial Geometry", "Point Configurations"),
        technique="pigeonhole",
        moves=("choose-pigeonholes", "two-in-one-class", "extremal-example"),
        key_ideas=(
            "Divide the space into fewer small cells than there are points, so that some cell "
            "holds two close points, and show an arrangement proving that this is sharp.",
            "With more objects than cells two objects share a cell and must be close, while one "
            "object for each cell shows that fewer are not enough.",
        ),
        forms=(_round_path, _directions, _sparse_lattice_points, _neighbouring_plots),
    ),
    Family(
        key="geo-regions",
        domains=(Domain.GEOMETRY, Domain.COMBINATORICS),
        topic=("Geometry", "Combinatorial Geometry", "Arrangements"),
        technique="recurrence",
        moves=("set-up-recurrence", "unwind-recurrence", "sum-of-integers"),
        key_ideas=(
            "Add the curves one at a time: the new one is cut by the old ones into pieces, and "
            "each piece creates one further region, which gives a recurrence.",
            "The number of regions grows by the number of pieces into which the earlier curves "
            "divide the newest one, so it follows by summing these increments.",
        ),
        forms=(_lines, _circles, _corners, _pancake),
    ),
)
