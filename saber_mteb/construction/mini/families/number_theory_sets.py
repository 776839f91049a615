"""Number theory: how many numbers force a divisibility."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed

if TYPE_CHECKING:
    from random import Random


def _one_divides_other(rng: Random, story: Story) -> Draft:
    n = rng.randint(20, 400)
    odd = (n + 1) // 2
    value = odd + 1
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"What is the least $k$ such that among any $k$ different elements of "
            rf"$\{{1,2,\dots,{n}\}}$ there are two of which one divides the other?",
        ),
        solution=rf"Write each element as $2^i u$ with $u$ odd. There are ${odd}$ odd numbers up "
        rf"to "
        rf"${n}$, hence as many classes. Among ${value}$ elements two share their $u$, and then "
        rf"the "
        rf"smaller divides the larger. The ${odd}$ elements greater than ${n // 2}$ show that "
        rf"fewer "
        rf"do not suffice, since twice any of them exceeds ${n}$. So the least $k$ is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "n": n},
    )


def _sum_or_difference(rng: Random, story: Story) -> Draft:
    m = rng.randint(10, 300)
    boxes = m // 2 + 1
    value = boxes + 1
    last = rf"$\{{{m // 2}\}}$" if m % 2 == 0 else rf"$\{{{m // 2},{m // 2 + 1}\}}$"
    return Draft(
        statement=rf"{story.rival} chooses integers, as many as {story.hero} asks for, no two of "
        rf"them "
        rf"equal. {story.hero} wants to be certain to find two among them whose sum or whose "
        rf"difference is a multiple of ${m}$. How many integers must {story.hero} ask for at "
        rf"least?",
        solution=rf"Sort integers by their remainder on division by ${m}$, and put the remainders "
        rf"$r$ and ${m}-r$ into the same box. The boxes are $\{{0\}},\{{1,{m - 1}\}},"
        rf"\{{2,{m - 2}\}},\dots,$ {last}, in total ${boxes}$. Two integers in one box have sum or "
        rf"difference divisible by ${m}$, and ${value}$ integers force this. The integers "
        rf"$0,1,\dots,{boxes - 1}$ avoid it. The answer is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "m": m},
    )


def _fixed_sum(rng: Random, story: Story) -> Draft:
    n = rng.randint(20, 120)
    s = rng.randint(n + 2, 2 * n - 8)
    pairs = sum(1 for x in range(s - n, (s + 1) // 2))
    value = n - pairs + 1
    single = s - n - 1
    middle = rf" The number ${s // 2}$ has no partner but itself." if s % 2 == 0 else ""
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Slips with the numbers from $1$ to ${n}$ lie in a hat. How many slips have to be "
            rf"drawn "
            rf"blindly to be sure that two of them add up to ${s}$?",
        ),
        solution=rf"Two slips with sum ${s}$ must be $x$ and ${s}-x$ with $x\ge {s - n}$. These "
        rf"form "
        rf"${pairs}$ couples $\{{{s - n},{n}\}},\{{{s - n + 1},{n - 1}\}},\dots$; the ${single}$ "
        rf"numbers below ${s - n}$ have no partner.{middle} Treat each couple and each number "
        rf"without "
        rf"partner as a drawer: there are ${n - pairs}$ drawers. Drawing one from each avoids the "
        rf"sum, "
        rf"and one slip more puts two into the same couple. So ${value}$ slips are needed.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n, "s": s},
    )


def _no_multiple_sum(rng: Random, story: Story) -> Draft:
    m, n = rng.choice((3, 5, 7, 9, 11)), rng.randint(40, 150)
    sizes = [len(range(r or m, n + 1, m)) for r in range(m)]
    value = 1 + sum(max(sizes[r], sizes[m - r]) for r in range(1, (m + 1) // 2))
    picks = "+".join(str(max(sizes[r], sizes[m - r])) for r in range(1, (m + 1) // 2))
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A subset of $\{{1,2,\dots,{n}\}}$ contains no two different elements whose sum is "
            rf"divisible by ${m}$. How many elements can it have at most?",
        ),
        solution=rf"Divide the numbers into classes by remainder modulo ${m}$; the sizes for "
        rf"remainders "
        rf"$0$ to ${m - 1}$ are ${','.join(map(str, sizes))}$. At most one multiple of ${m}$ may "
        rf"be "
        rf"chosen. Of the classes $r$ and ${m}-r$ only one may be used, and then entirely, since "
        rf"$2r$ is not divisible by the odd number ${m}$. Taking the larger class each time yields "
        rf"$1+{picks}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "m": m, "n": n},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="nt-forced-divisibility",
        domains=(Domain.NUMBER_THEORY, Domain.COMBINATORICS),
        topic=("Number Theory", "Divisors", "Sets of Integers"),
        technique="pigeonhole",
        moves=("choose-pigeonholes", "two-in-one-class", "extremal-example", "reduce-modulo"),
        key_ideas=(
            "Divide the integers into classes such that two members of one class always have the "
            "wanted property; one element more than there are classes forces it.",
            "The right drawers, such as residues with their negatives or odd parts, turn the claim "
            "into the box principle, and one element per drawer shows sharpness.",
        ),
        forms=(_one_divides_other, _sum_or_difference, _fixed_sum, _no_multiple_sum),
    ),
)
