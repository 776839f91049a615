"""Structures: incidences counted twice, and sizes that force a pattern."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story

# Points, block size and pair multiplicity of block designs that exist.
_DESIGNS = (
    (7, 3, 1),
    (9, 3, 1),
    (13, 3, 1),
    (15, 3, 1),
    (13, 4, 1),
    (16, 4, 1),
    (25, 4, 1),
    (28, 4, 1),
    (21, 5, 1),
    (25, 5, 1),
    (31, 6, 1),
    (6, 3, 2),
    (10, 4, 2),
    (11, 5, 2),
)


def _duty_teams(rng: Random, story: Story) -> Draft:
    people, size, together = rng.choice(_DESIGNS)
    pairs, inside = comb(people, 2), comb(size, 2)
    teams = together * pairs // inside
    return compose(
        rng,
        story,
        {"people": people, "size": size, "together": together},
        statement=r"The $<people>$ volunteers at <place> serve in teams of $<size>$. <hero> draws "
        r"up a roster in which any two volunteers are together in exactly <times>. How many teams "
        r"does the roster list?",
        solution=r"Count the pairs of volunteers together with a team that contains both. Each of "
        r"the $\binom{<people>}{2} = <pairs>$ pairs is in <times>, so the count is $<total>$. On "
        r"the other hand each team contains $\binom{<size>}{2} = <inside>$ pairs. Hence the "
        r"number of teams is $\frac{<total>}{<inside>} = <answer>$.",
        answer=teams,
        value=teams,
        times={1: "one team", 2: "two teams"}[together],
        pairs=pairs,
        total=together * pairs,
        inside=inside,
    )


def _regular_graph(rng: Random, story: Story) -> Draft:
    n = rng.randint(8, 40)
    degree = rng.randint(3, min(n - 2, 9))
    if n * degree % 2:
        n += 1
    return compose(
        rng,
        story,
        {"vertices": n, "degree": degree},
        statement=r"Every vertex of a simple graph with $<vertices>$ vertices has degree "
        r"$<degree>$. How many edges have to be added to turn it into a complete graph?",
        solution=r"Adding up the degrees counts every edge at both its ends, so the graph has "
        r"$\frac{1}{2} \cdot <vertices> \cdot <degree> = <edges>$ edges. In the complete graph "
        r"all degrees are $<full>$, and the same count gives $\frac{1}{2} \cdot <vertices> \cdot "
        r"<full> = <all>$ edges. The number of missing edges is $<all> - <edges> = <answer>$.",
        answer=n * (n - 1 - degree) // 2,
        value=n * (n - 1 - degree) // 2,
        edges=n * degree // 2,
        full=n - 1,
        all=comb(n, 2),
    )


def _problem_session(rng: Random, story: Story) -> Draft:
    solvers, solved = rng.randint(3, 9), rng.randint(2, 8)
    while solvers == solved:
        solved = rng.randint(2, 8)
    pupils = solvers * rng.randint(2, 5)
    problems = pupils * solved // solvers
    return compose(
        rng,
        story,
        {"solvers": solvers, "solved": solved, "pupils": pupils},
        statement=r"After a contest with $<pupils>$ participants it turned out that each "
        r"participant had solved exactly $<solved>$ problems, and that each problem had been "
        r"solved by exactly $<solvers>$ participants. How many problems were posed?",
        solution=r"Record the results in a table with one row for each participant and one column "
        r"for each problem, marking what was solved. The rows contain $<solved>$ marks each, "
        r"altogether $<pupils> \cdot <solved> = <marks>$. If there are $k$ columns with "
        r"$<solvers>$ marks each, also $<solvers>k = <marks>$. So $k = <answer>$.",
        answer=problems,
        value=problems,
        marks=pupils * solved,
    )


def _subset_triples(rng: Random, story: Story) -> Draft:
    n = rng.randint(6, 12)
    k = rng.randint(3, n - 2)
    common = rng.randint(2, k - 1)
    answer = comb(n, k) * comb(k, common)
    return compose(
        rng,
        story,
        {"n": n, "k": k, "common": common},
        statement=r"Let $F$ be the family of all $<k>$-element subsets of a set with $<n>$ "
        r"elements, and for every $<common>$-element subset $T$ let $d(T)$ be the number of "
        r"members of $F$ that contain $T$. Find the sum of all the numbers $d(T)$.",
        solution=r"The sum counts the pairs $(T, S)$ with $T \subset S$ and $S \in F$, sorted by "
        r"$T$. Sort them by $S$ instead: there are $\binom{<n>}{<k>} = <sets>$ members of $F$, "
        r"and each of them has $\binom{<k>}{<common>} = <parts>$ subsets with $<common>$ "
        r"elements. The sum is $<sets> \cdot <parts> = <answer>$.",
        answer=answer,
        value=answer,
        sets=comb(n, k),
        parts=comb(k, common),
    )


def _coloured_things(rng: Random, story: Story) -> Draft:
    wanted = rng.randint(4, 8)
    counts = [rng.randint(2, wanted - 1), *(rng.randint(wanted, 20) for _ in range(3))]
    answer = sum(min(count, wanted - 1) for count in counts) + 1
    names = ("red", "green", "blue", "white")
    stock = dict(zip(names, counts, strict=True))
    return compose(
        rng,
        story,
        {"wanted": wanted, **stock},
        statement=r"In a dark cellar at <place> there are $<red>$ red, $<green>$ green, $<blue>$ "
        r"blue and $<white>$ white <things>. How many must <hero> carry upstairs, without seeing "
        r"the colours, to be sure of having $<wanted>$ of the same colour?",
        solution=r"Regard the colours as drawers. In the worst case each drawer is filled as far "
        r"as possible without reaching $<wanted>$: all $<red>$ red ones and $<less>$ of each "
        r"other colour, which makes $<red> + 3 \cdot <less> = <worst>$. This number may fail, but "
        r"one more must complete a set of $<wanted>$. The answer is $<answer>$.",
        answer=answer,
        value=answer,
        less=wanted - 1,
        worst=answer - 1,
    )


def _pairs_with_sum(rng: Random, story: Story) -> Draft:
    n = rng.randint(12, 60)
    total = rng.randint(n // 2 + 2, n - 1)
    pairs = (total - 1) // 2
    answer = n - pairs + 1
    middle = total // 2 if total % 2 == 0 else 0
    return compose(
        rng,
        story,
        {"n": n, "sum": total},
        statement=r"Find the smallest $m$ for which every choice of $m$ different numbers from "
        r"$1, 2, \dots, <n>$ contains two whose sum is $<sum>$.",
        solution=r"Put $x$ and $<sum> - x$ into one class: this produces the $<pairs>$ pairs "
        r"$\{1, <partner>\}, \{2, <next>\}, \dots$, while the remaining $<single>$ "
        r"numbers<middle> have no partner and form classes of their own. There are $<classes>$ "
        r"classes. Choosing one number from each gives $<classes>$ numbers without the sum "
        r"$<sum>$, whereas $<answer>$ numbers must contain a complete pair. So $m = <answer>$.",
        answer=answer,
        value=answer,
        pairs=pairs,
        partner=total - 1,
        next=total - 2,
        single=n - 2 * pairs,
        middle=f" (among them ${middle}$)" if middle else "",
        classes=n - pairs,
    )


def _given_difference(rng: Random, story: Story) -> Draft:
    difference, blocks = rng.randint(2, 9), rng.randint(2, 7)
    n = 2 * difference * blocks
    return compose(
        rng,
        story,
        {"n": n, "difference": difference},
        statement=r"The <things> in the stock of <place> are numbered from $1$ to $<n>$. <hero> "
        r"wants to select as many as possible, but the numbers of two selected ones must never "
        r"differ by exactly $<difference>$. How many can be selected?",
        solution=r"Cut the numbers into $<blocks>$ blocks of $<length>$ consecutive ones, and in "
        r"each block join every number of the first half to the one that is $<difference>$ "
        r"larger. This gives $<half>$ couples, and a couple may contribute only one number, so at "
        r"most $<half>$ can be selected. Taking the first half of every block is allowed: "
        r"differences within a half are smaller, and any two from different blocks differ by more "
        r"than $<difference>$. Therefore the maximum is $<answer>$.",
        answer=n // 2,
        value=n // 2,
        blocks=blocks,
        length=2 * difference,
        half=n // 2,
    )


def _full_columns(rng: Random, story: Story) -> Draft:
    colours, rows = rng.randint(2, 4), rng.randint(2, 4)
    answer = colours**rows + 1
    return compose(
        rng,
        story,
        {"colours": colours, "rows": rows},
        statement=r"Each cell of a table with $<rows>$ rows and $c$ columns is painted in one of "
        r"$<colours>$ colours. What is the least $c$ for which two columns are certain to be "
        r"painted in exactly the same way?",
        solution=r"A single column of $<rows>$ cells can be painted in $<colours>^{<rows>} = "
        r"<ways>$ ways. Sort the columns by the way they are painted. If $c > <ways>$, some way "
        r"occurs twice, as desired; if $c = <ways>$, it is possible that each way occurs once. "
        r"Hence the least number is $<answer>$.",
        answer=answer,
        value=answer,
        ways=answer - 1,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="comb-incidences",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Discrete Structures", "Graphs and Designs"),
        technique="double-counting",
        moves=("count-incidences-twice", "swap-order-of-summation", "linear-equation"),
        key_ideas=(
            "Count the incident pairs once from the side of the members and once from the side of "
            "the groups, and compare the two totals.",
            "Adding up rows and adding up columns of the incidence table must give the same "
            "number, which determines the unknown size of the structure.",
        ),
        forms=(_duty_teams, _regular_graph, _problem_session, _subset_triples),
    ),
    Family(
        key="comb-forced-pattern",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Extremal Combinatorics", "Forced Patterns"),
        technique="pigeonhole",
        moves=("choose-pigeonholes", "two-in-one-class", "extremal-example"),
        key_ideas=(
            "Sort the objects into classes so that a crowded class contains the wanted pattern, "
            "and fill every class just below the limit to see that the bound is sharp.",
            "As soon as there are more objects than classes allow, one class is overfull and "
            "yields the pattern; the worst case exhausts all classes first.",
        ),
        forms=(_coloured_things, _pairs_with_sum, _given_difference, _full_columns),
    ),
)
