"""Counting words: complements, inclusion and exclusion, even-odd filters."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, perm
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _repeated_letter(rng: Random, story: Story) -> Draft:
    length = rng.randint(3, 5)
    letters = length + rng.randint(1, 5)
    distinct = perm(letters, length)
    return compose(
        rng,
        story,
        {"length": length, "letters": letters},
        statement=r"How many words of length $<length>$ over an alphabet of $<letters>$ letters "
        r"use at least one letter more than once? (A word need not have a meaning.)",
        solution=r"It is easier to count the words we do not want, those with $<length>$ "
        r"different letters. Choosing their letters one after the other, there are "
        r"$\frac{<letters>!}{<rest>!} = <distinct>$ of them. All words together number "
        r"$<letters>^{<length>} = <all>$. The difference is $<all> - <distinct> = <answer>$.",
        answer=letters**length - distinct,
        value=letters**length - distinct,
        rest=letters - length,
        distinct=distinct,
        all=letters**length,
    )


def _kept_apart(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 10)
    answer = factorial(n) - 2 * factorial(n - 1)
    return compose(
        rng,
        story,
        {"n": n},
        statement=r"<hero> lines up $<n>$ different <things> on a shelf at <place>. The largest "
        r"and the smallest one must not stand next to each other. In how many orders can this be "
        r"done?",
        solution=r"Without the restriction there are $<n>! = <all>$ orders. The forbidden ones "
        r"have the largest and the smallest side by side: glue these two together, arrange the "
        r"$<fewer>$ resulting objects, and choose the order within the glued pair, which gives $2 "
        r"\cdot <fewer>! = <bad>$. Removing them leaves $<all> - <bad> = <answer>$ orders.",
        answer=answer,
        value=answer,
        all=factorial(n),
        fewer=n - 1,
        bad=2 * factorial(n - 1),
    )


def _at_least_one_captain(rng: Random, story: Story) -> Draft:
    members = rng.randint(8, 15)
    team = rng.randint(3, 6)
    answer = comb(members, team) - comb(members - 2, team)
    return compose(
        rng,
        story,
        {"members": members, "team": team},
        statement=r"A club with $<members>$ members, among them <hero> and <rival>, meets at "
        r"<place> and sends a delegation of $<team>$ to a congress. In how many ways can the "
        r"delegation be chosen if at least one of <hero> and <rival> must belong to it?",
        solution=r"Of all $\binom{<members>}{<team>} = <all>$ delegations, precisely those are "
        r"useless that are chosen from the other $<others>$ members, and there are "
        r"$\binom{<others>}{<team>} = <bad>$ such choices. What remains is $<all> - <bad> = "
        r"<answer>$.",
        answer=answer,
        value=answer,
        all=comb(members, team),
        others=members - 2,
        bad=comb(members - 2, team),
    )


def _twice_a_six(rng: Random, story: Story) -> Draft:
    sides, throws = rng.choice((4, 6, 8)), rng.randint(3, 5)
    none, one = (sides - 1) ** throws, throws * (sides - 1) ** (throws - 1)
    probability = Fraction(sides**throws - none - one, sides**throws)
    return compose(
        rng,
        story,
        {"sides": sides, "throws": throws},
        statement=r"A fair die with $<sides>$ faces is thrown $<throws>$ times. What is the "
        r"probability that the highest number, $<sides>$, comes up at least twice?",
        solution=r"Consider the opposite event: the number $<sides>$ never appears or appears "
        r"exactly once. Of the $<sides>^{<throws>} = <all>$ equally likely results, "
        r"$<less>^{<throws>} = <none>$ avoid it, and $<throws> \cdot <less>^{<fewer>} = <one>$ "
        r"contain it once. The wanted probability is $1 - \frac{<none> + <one>}{<all>} = "
        r"<answer>$.",
        answer=probability,
        value=probability,
        less=sides - 1,
        fewer=throws - 1,
        none=none,
        one=one,
        all=sides**throws,
    )


def _onto(length: int, letters: int) -> int:
    return sum((-1) ** k * comb(letters, k) * (letters - k) ** length for k in range(letters))


def _every_letter(rng: Random, story: Story) -> Draft:
    length = rng.randint(4, 10)
    return compose(
        rng,
        story,
        {"length": length, "letters": 3},
        statement=r"Find the number of sequences of length $<length>$ with entries from $\{1, 2, "
        r"3\}$ in which each of the numbers $1, 2, 3$ occurs at least once.",
        solution=r"There are $3^{<length>} = <all>$ sequences. Subtract, for each of the three "
        r"numbers, the $2^{<length>} = <two>$ sequences without it. The three constant sequences "
        r"lack two numbers and were subtracted twice, so add each of them back once. The result "
        r"is $<all> - 3 \cdot <two> + 3 = <answer>$.",
        answer=_onto(length, 3),
        value=_onto(length, 3),
        all=3**length,
        two=2**length,
    )


def _nobody_empty(rng: Random, story: Story) -> Draft:
    gifts = rng.randint(5, 9)
    return compose(
        rng,
        story,
        {"length": gifts, "letters": 4},
        statement=r"At the end of the season <hero> gives away $<length>$ different <things> to "
        r"$<letters>$ friends. Nobody may go home empty-handed. In how many ways can the <things> "
        r"be distributed?",
        solution=r"Let $A_i$ be the set of distributions in which friend $i$ gets nothing. We "
        r"need all distributions outside $A_1 \cup A_2 \cup A_3 \cup A_4$. There are "
        r"$4^{<length>}$ distributions in total; each $A_i$ has $3^{<length>}$, each of the six "
        r"pairwise intersections $2^{<length>}$, each of the four triple intersections $1$. "
        r"Alternating the signs, the number is $<four> - 4 \cdot <three> + 6 \cdot <two> - 4 = "
        r"<answer>$.",
        answer=_onto(gifts, 4),
        value=_onto(gifts, 4),
        four=4**gifts,
        three=3**gifts,
        two=2**gifts,
    )


def _digit_strings(rng: Random, story: Story) -> Draft:
    length = rng.randint(3, 7)
    first, second = sorted(rng.sample(range(10), 2))
    answer = 10**length - 2 * 9**length + 8**length
    return compose(
        rng,
        story,
        {"length": length},
        statement=r"A lock opens with a string of $<length>$ decimal digits (leading zeros are "
        r"allowed). It is known that the string contains both the digit $<first>$ and the digit "
        r"$<second>$. How many strings are possible?",
        solution=r"From all $10^{<length>}$ strings take away the $9^{<length>}$ without "
        r"$<first>$ and the $9^{<length>}$ without $<second>$. Strings that contain neither were "
        r"taken away two times; there are $8^{<length>}$ of them, to be added once. Thus the "
        r"count is $10^{<length>} - 2 \cdot <nine> + <eight> = <answer>$.",
        answer=answer,
        value=answer,
        first=first,
        second=second,
        nine=9**length,
        eight=8**length,
    )


def _misplaced(count: int) -> int:
    return sum((-1) ** k * (factorial(count) // factorial(k)) for k in range(count + 1))


def _mixed_up(rng: Random, story: Story) -> Draft:
    people = rng.randint(5, 9)
    right = rng.randint(1, people - 3)
    wrong = people - right
    signs = " ".join(
        f"{'-' if k % 2 else '+'} \\frac{{{wrong}!}}{{{k}!}}" for k in range(1, wrong + 1)
    )
    answer = comb(people, right) * _misplaced(wrong)
    return compose(
        rng,
        story,
        {"people": people, "right": right},
        statement=r"$<people>$ visitors leave their hats at the cloakroom of <place>. In the "
        r"dark, <hero> hands the hats back at random, one to each. In how many ways can it happen "
        r"that exactly $<right>$ of the visitors get their own <hats>?",
        solution=r"Choose the lucky ones in $\binom{<people>}{<right>} = <choices>$ ways. The "
        r"other $<wrong>$ must all be unlucky. Let $C_i$ contain the permutations of their hats "
        r"that fix visitor $i$; any $k$ of these sets share $(<wrong> - k)!$ permutations, so "
        r"sieving leaves $<wrong>! <signs> = <bad>$ permutations without a fixed point. "
        r"Altogether there are $<choices> \cdot <bad> = <answer>$ ways.",
        answer=answer,
        value=answer,
        hats="hat" if right == 1 else "hats",
        choices=comb(people, right),
        wrong=wrong,
        signs=signs,
        bad=_misplaced(wrong),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="comb-complement",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Words and Arrangements"),
        technique="complementary-counting",
        moves=("count-the-opposite", "subtract-from-total", "product-rule"),
        key_ideas=(
            "Count all arrangements without the restriction and subtract those that violate it, "
            "because the unwanted ones have a much simpler structure.",
            "The opposite condition is easier to count, so determine the total and remove every "
            "arrangement in which the required property fails.",
        ),
        forms=(_repeated_letter, _kept_apart, _at_least_one_captain, _twice_a_six),
    ),
    Family(
        key="comb-inclusion-exclusion",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Words and Arrangements"),
        technique="inclusion-exclusion",
        moves=("sieve-over-conditions", "alternating-signs", "count-the-opposite"),
        key_ideas=(
            "Subtract the arrangements missing one required element, add back those missing two, "
            "and continue with alternating signs until every arrangement is counted correctly.",
            "Apply the sieve to the sets of arrangements violating single conditions, whose "
            "intersections depend only on how many conditions are violated at once.",
        ),
        forms=(_every_letter, _nobody_empty, _digit_strings, _mixed_up),
    ),
)
