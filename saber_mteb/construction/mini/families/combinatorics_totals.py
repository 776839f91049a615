"""Totals: telescoping sums, mirror images, and generating polynomials."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _factorial_ranks(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    return compose(
        rng,
        story,
        {"n": n},
        statement=r"Simplify $1 \cdot 1! + 2 \cdot 2! + 3 \cdot 3! + \dots + <n> \cdot <n>!$.",
        solution=r"Write $k = (k + 1) - 1$. Then $k \cdot k! = (k + 1)! - k!$, so the sum becomes "
        r"$(2! - 1!) + (3! - 2!) + \dots + (<next>! - <n>!)$. Everything cancels apart from the "
        r"largest and the smallest factorial. The result is $<answer>$.",
        answer=f"{n + 1}! - 1",
        value=f"factorial({n + 1}) - 1",
        next=n + 1,
    )


def _first_descent(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 30)
    return compose(
        rng,
        story,
        {"last": n},
        statement=r"In a raffle at <place> the chance of winning on the $k$-th day is "
        r"$\frac{k}{(k + 1)!}$, and a visitor can win at most once. What is the probability that "
        r"<hero> wins during the first $<last>$ days?",
        solution=r"The events of winning on different days exclude each other, so we add the "
        r"chances. Observe that $\frac{k}{(k + 1)!} = \frac{(k + 1) - 1}{(k + 1)!} = \frac{1}{k!} "
        r"- \frac{1}{(k + 1)!}$. Summing from $k = 1$ to $k = <last>$, consecutive terms cancel "
        r"and the probability is $<answer>$.",
        answer=rf"1 - \frac{{1}}{{{n + 1}!}}",
        value=f"1 - 1/factorial({n + 1})",
    )


def _hockey_stick(rng: Random, story: Story) -> Draft:
    low = rng.randint(2, 5)
    high = low + rng.randint(4, 14)
    answer = comb(high + 1, low + 1)
    return compose(
        rng,
        story,
        {"low": low, "high": high},
        statement=r"Evaluate $\sum_{k=<low>}^{<high>} \binom{k}{<low>}$.",
        solution=r"By Pascal's rule $\binom{k}{<low>} = \binom{k+1}{<up>} - \binom{k}{<up>}$. "
        r"Inserting this, each binomial coefficient with lower index $<up>$ occurs once with plus "
        r"and once with minus, except for the last, and the first is $\binom{<low>}{<up>} = 0$. "
        r"So the sum equals $\binom{<next>}{<up>} = <answer>$.",
        answer=answer,
        value=answer,
        up=low + 1,
        next=high + 1,
    )


def _square_plus_one(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    return compose(
        rng,
        story,
        {"squares": n},
        statement=r"<hero> numbers the <things> at <place> and writes $(k^2 + 1) \cdot k!$ on the "
        r"label of number $k$. <rival> adds the numbers on the first $<squares>$ labels. Give the "
        r"result in closed form.",
        solution=r"We look for a sequence whose differences are the numbers on the labels. Trying "
        r"$u_k = k \cdot (k + 1)!$ we find $u_k - u_{k-1} = k! \left( k (k + 1) - (k - 1) \right) "
        r"= (k^2 + 1) \cdot k!$. Adding these differences for $k = 1, \dots, <squares>$ leaves "
        r"$u_{<squares>} - u_0 = <answer>$.",
        answer=rf"{n} \cdot {n + 1}!",
        value=f"{n}*factorial({n + 1})",
    )


def _smallest_plus_largest(rng: Random, story: Story) -> Draft:
    n = rng.randint(7, 20)
    k = rng.randint(3, n - 3)
    answer = (n + 1) * comb(n, k)
    return compose(
        rng,
        story,
        {"n": n, "k": k},
        statement=r"For each $<k>$-element subset of $\{1, 2, \dots, <n>\}$ add its smallest and "
        r"its largest element. What is the sum of all the numbers obtained?",
        solution=r"Replacing each element $x$ by $<next> - x$ turns a subset $A$ into a subset "
        r"$A'$ of the same size, and the smallest element of $A'$ is $<next>$ minus the largest "
        r"of $A$. Hence the numbers belonging to $A$ and $A'$ add up to $2 \cdot <next>$, which "
        r"means $<next>$ on average. With $\binom{<n>}{<k>} = <subsets>$ subsets, the sum is "
        r"$<next> \cdot <subsets> = <answer>$.",
        answer=answer,
        value=answer,
        next=n + 1,
        subsets=comb(n, k),
    )


def _inversions(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 10)
    answer = factorial(n) * n * (n - 1) // 4
    return compose(
        rng,
        story,
        {"items": n},
        statement=r"<hero> owns $<items>$ <things> of different weights and photographs every "
        r"possible order in which they can stand in a row. Under each photograph <rival> notes "
        r"how many pairs stand the wrong way round, the heavier one to the left of the lighter. "
        r"What is the sum of all the notes?",
        solution=r"Hold each photograph up to a mirror: reversing the row is an order that also "
        r"occurs, and a pair is wrong in exactly one of the two. So an order and its mirror image "
        r"together have $\binom{<items>}{2} = <pairs>$ wrong pairs. The $<items>! = <orders>$ "
        r"orders form $\frac{<orders>}{2}$ such couples, and the sum is $\frac{<orders>}{2} \cdot "
        r"<pairs> = <answer>$.",
        answer=answer,
        value=answer,
        pairs=comb(n, 2),
        orders=factorial(n),
    )


def _digit_numbers(rng: Random, story: Story) -> Draft:
    low = rng.randint(1, 4)
    high = rng.randint(low + 2, 9)
    length = rng.randint(3, 5)
    ones, many = int("1" * length), (high - low + 1) ** length
    answer = (low + high) * ones * many // 2
    return compose(
        rng,
        story,
        {"low": low, "high": high, "length": length},
        statement=r"Determine the sum of all $<length>$-digit numbers whose digits all lie "
        r"between $<low>$ and $<high>$ (inclusive).",
        solution=r"There are $<many>$ such numbers. Match each number with the one in which every "
        r"digit $d$ is changed into $<total> - d$, which is again of this kind. In every place "
        r"the digits of matched numbers have the sum $<total>$, so the numbers add up to $<total> "
        r"\cdot <ones> = <pair>$. Adding all numbers and their partners gives twice the sum, "
        r"hence the sum is $\frac{1}{2} \cdot <many> \cdot <pair> = <answer>$.",
        answer=answer,
        value=answer,
        many=many,
        total=low + high,
        ones=ones,
        pair=(low + high) * ones,
    )


def _drawn_tickets(rng: Random, story: Story) -> Draft:
    n = rng.randint(8, 40)
    k = rng.randint(2, 7)
    mean = Fraction(k * (n + 1), 2)
    return compose(
        rng,
        story,
        {"n": n, "k": k, "expected": 1},
        statement=r"Slips with the numbers from $1$ to $<n>$ are put into a hat at <place>. "
        r"<hero> draws $<k>$ of them without looking. What is the expected value of the sum of "
        r"the numbers drawn?",
        solution=r"All draws are equally likely, and the draw that results from exchanging every "
        r"slip $s$ for the slip $<next> - s$ is as likely as the original one. The sums of a draw "
        r"and of its counterpart add up to $<k> \cdot <next> = <double>$. Their average is the "
        r"same for all draws, and so the expected sum is $<answer>$.",
        answer=mean,
        value=mean,
        next=n + 1,
        double=k * (n + 1),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="comb-telescoping",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Factorial and Binomial Sums"),
        technique="telescoping",
        moves=("split-into-difference", "cancel-neighbours", "pascal-rule"),
        key_ideas=(
            "Every term turns out to be a difference of two consecutive members of a simple "
            "sequence, so the sum collapses to the difference of its ends.",
            "Rewriting the factor in front as a difference makes neighbouring terms cancel, and "
            "only the first and the last expression survive.",
        ),
        forms=(_factorial_ranks, _first_descent, _hockey_stick, _square_plus_one),
    ),
    Family(
        key="comb-mirror-images",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Subsets and Distributions"),
        technique="symmetry-pairing",
        moves=("pair-mirror-objects", "constant-pair-total", "count-pairs"),
        key_ideas=(
            "Match every object with its mirror image under the natural reflection; each couple "
            "contributes the same total, so only the number of couples matters.",
            "Reversing the scale is a symmetry of all the choices, and an object together with "
            "its reverse always gives one constant value.",
        ),
        forms=(_smallest_plus_largest, _inversions, _digit_numbers, _drawn_tickets),
    ),
)
