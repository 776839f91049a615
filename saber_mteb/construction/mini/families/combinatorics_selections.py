"""Choosing and distributing: bars among stars, totals over all choices in two orders."""

from __future__ import annotations

from math import comb, factorial
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _equation_with_bounds(rng: Random, story: Story) -> Draft:
    unknowns, least = rng.randint(3, 5), rng.randint(1, 3)
    free = rng.randint(4, 12)
    total = unknowns * least + free
    answer = comb(free + unknowns - 1, unknowns - 1)
    return compose(
        rng,
        story,
        {"unknowns": unknowns, "least": least, "total": total},
        statement=r"Find the number of solutions of $<sum> = <total>$ in integers that are all at "
        r"least $<least>$.",
        solution=r"Subtract $<least>$ from every unknown; we need $<unknowns>$ non-negative "
        r"integers with sum $<total> - <unknowns> \cdot <least> = <free>$. Write such a solution "
        r"as $<free>$ stars, separated by $<bars>$ bars into $<unknowns>$ groups. Solutions "
        r"correspond to the choices of the bars among $<places>$ places, so their number is "
        r"$\binom{<places>}{<bars>} = <answer>$.",
        answer=answer,
        value=answer,
        sum=" + ".join(f"x_{i}" for i in range(1, unknowns + 1)),
        free=free,
        bars=unknowns - 1,
        places=free + unknowns - 1,
    )


def _sharing_out(rng: Random, story: Story) -> Draft:
    people, least, free = rng.randint(3, 6), rng.randint(1, 2), rng.randint(4, 10)
    total = people * least + free
    answer = comb(free + people - 1, free)
    return compose(
        rng,
        story,
        {"unknowns": people, "least": least, "total": total},
        statement=r"<hero> has $<total>$ <things>, all alike, and shares them out among "
        r"$<unknowns>$ helpers at <place> so that everyone gets at least <words>. In how many "
        r"ways is this possible?",
        solution=r"First hand <words> to each helper. The remaining $<free>$ <things> can be "
        r"given away freely. Line them up and insert $<bars>$ dividers: what lies before the "
        r"first divider goes to the first helper, and so on. Each division is exactly one "
        r"arrangement of $<free>$ <things> and $<bars>$ dividers in a row, and these number "
        r"$\binom{<places>}{<free>} = <answer>$.",
        answer=answer,
        value=answer,
        words={1: "one", 2: "two"}[least],
        free=free,
        bars=people - 1,
        places=free + people - 1,
    )


def _weakly_increasing(rng: Random, story: Story) -> Draft:
    length, top = rng.randint(4, 7), rng.randint(4, 9)
    answer = comb(top + length - 1, length)
    return compose(
        rng,
        story,
        {"length": length, "top": top},
        statement=r"How many sequences of integers satisfy $1 \le a_1 \le a_2 \le \dots \le "
        r"a_{<length>} \le <top>$?",
        solution=r"Put $b_i = a_i + i - 1$. Then $1 \le b_1 < b_2 < \dots < b_{<length>} \le "
        r"<last>$, and from the $b_i$ the $a_i$ can be recovered. Strictly increasing sequences "
        r"are nothing but subsets with $<length>$ elements of $\{1, \dots, <last>\}$. Therefore "
        r"there are $\binom{<last>}{<length>} = <answer>$ sequences.",
        answer=answer,
        value=answer,
        last=top + length - 1,
    )


def _spaced_choice(rng: Random, story: Story) -> Draft:
    chosen, gap = rng.randint(3, 5), rng.randint(2, 3)
    total = gap * (chosen - 1) + rng.randint(4, 9)
    shrunk = total - (gap - 1) * (chosen - 1)
    answer = comb(shrunk, chosen)
    return compose(
        rng,
        story,
        {"chosen": chosen, "gap": gap, "total": total},
        statement=r"$<total>$ <things> are hung on a long wall at <place>, in one row. <hero> "
        r"wants to take down $<chosen>$ of them so that between any two of these at least "
        r"<between> in place. How many choices are there?",
        solution=r"Given an admissible choice, remove <between2> directly to the right of each "
        r"chosen one except the last. This shortens the row to $<total> - <removed> = <shrunk>$ "
        r"and turns the choice into an arbitrary choice of $<chosen>$ places; putting the removed "
        r"ones back reverses the step. So the number is $\binom{<shrunk>}{<chosen>} = <answer>$.",
        answer=answer,
        value=answer,
        between={2: "one other stays", 3: "two others stay"}[gap],
        between2={2: "the neighbour", 3: "the two neighbours"}[gap],
        removed=(gap - 1) * (chosen - 1),
        shrunk=shrunk,
    )


def _sum_over_subsets(rng: Random, story: Story) -> Draft:
    n = rng.randint(6, 14)
    k = rng.randint(3, n - 2)
    answer = comb(n - 1, k - 1) * n * (n + 1) // 2
    return compose(
        rng,
        story,
        {"n": n, "k": k},
        statement=r"For every subset of $\{1, 2, \dots, <n>\}$ with exactly $<k>$ elements, write "
        r"down the sum of its elements. What is the total of all the sums?",
        solution=r"Instead of adding subset by subset, add element by element. The element $j$ is "
        r"contained in $\binom{<less>}{<fewer>} = <often>$ of the subsets, whichever $j$ is, so "
        r"it contributes $<often>j$. The total is $<often> (1 + 2 + \dots + <n>) = <often> \cdot "
        r"<sum> = <answer>$.",
        answer=answer,
        value=answer,
        less=n - 1,
        fewer=k - 1,
        often=comb(n - 1, k - 1),
        sum=n * (n + 1) // 2,
    )


def _permuted_digits(rng: Random, story: Story) -> Draft:
    count = rng.randint(3, 5)
    digits = sorted(rng.sample(range(1, 10), count))
    ones = int("1" * count)
    answer = factorial(count - 1) * sum(digits) * ones
    return compose(
        rng,
        story,
        {"digits": int("".join(map(str, digits)))},
        statement=r"All numbers that use each of the digits $<list>$ exactly once are added. Find "
        r"the result.",
        solution=r"Write the $<count>!$ numbers below each other and add the columns. In each "
        r"column every digit appears $<fewer>! = <often>$ times, because the other digits can be "
        r"arranged freely, so each column adds up to $<often> (<plus>) = <column>$. With the "
        r"place values, the result is $<column> \cdot <ones> = <answer>$.",
        answer=answer,
        value=answer,
        list=", ".join(map(str, digits)),
        count=count,
        fewer=count - 1,
        often=factorial(count - 1),
        plus=" + ".join(map(str, digits)),
        column=factorial(count - 1) * sum(digits),
        ones=ones,
    )


def _common_elements(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 16)
    return compose(
        rng,
        story,
        {"elements": n},
        statement=r"Let $M$ be a set with $<elements>$ elements. Evaluate $\sum |A \cap B|$, "
        r"where the sum extends over all ordered pairs $(A, B)$ of subsets of $M$.",
        solution=r"Let us count triples $(x, A, B)$ with $x \in A \cap B$; their number is the "
        r"sum. Fix $x$ first. Each of the other $<less>$ elements is free to lie in both sets, in "
        r"one of them or in none, which makes $4^{<less>}$ pairs for this $x$. There are "
        r"$<elements>$ choices of $x$, hence the sum is $<elements> \cdot 4^{<less>} = <answer>$.",
        answer=n * 4 ** (n - 1),
        value=n * 4 ** (n - 1),
        less=n - 1,
    )


def _parcels(rng: Random, story: Story) -> Draft:
    n = rng.randint(6, 12)
    k = rng.randint(2, n - 2)
    total = 10 * rng.randint(5, 30)
    answer = comb(n - 1, k - 1) * total
    return compose(
        rng,
        story,
        {"n": n, "k": k, "price": total},
        statement=r"<hero> owns $<n>$ different <things>, worth $<price>$ euros altogether. In "
        r"the catalogue of <place> every possible parcel of $<k>$ of them is listed with its "
        r"value. What is the sum of all the values in the catalogue, in euros?",
        solution=r"Imagine a table with a row for each parcel and a column for each of the "
        r"<things>, where an entry is the value of that one if it is in the parcel. The row sums "
        r"are the values in the catalogue. A column has $\binom{<less>}{<fewer>} = <often>$ "
        r"entries, all equal. Adding by columns therefore gives $<often> \cdot <price> = "
        r"<answer>$.",
        answer=answer,
        value=answer,
        less=n - 1,
        fewer=k - 1,
        often=comb(n - 1, k - 1),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="comb-stars-and-bars",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Subsets and Distributions"),
        technique="bijection",
        moves=("stars-and-bars", "shift-variables", "choose-positions"),
        key_ideas=(
            "After removing the guaranteed part, encode each solution as an arrangement of "
            "separators in a row, so that counting becomes choosing positions.",
            "Shifting the entries translates the objects one to one into free choices of places, "
            "which a single binomial coefficient counts at once.",
        ),
        forms=(_equation_with_bounds, _sharing_out, _weakly_increasing, _spaced_choice),
    ),
    Family(
        key="comb-total-over-choices",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Subsets and Distributions"),
        technique="double-counting",
        moves=("swap-order-of-summation", "contribution-of-each-element", "choose-positions"),
        key_ideas=(
            "Instead of adding up choice by choice, count how often each single element occurs "
            "and add its contributions, which swaps the order of summation.",
            "Every element appears in equally many of the selections, so summing element by "
            "element turns the double sum into one simple product.",
        ),
        forms=(_sum_over_subsets, _permuted_digits, _common_elements, _parcels),
    ),
)
