"""Recurrences: words with forbidden neighbours, tilings and compositions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _steps(first: int, second: int, count: int, a: int, b: int) -> list[int]:
    """Return ``count`` terms of ``x[n] = a * x[n-1] + b * x[n-2]``."""
    terms = [first, second]
    while len(terms) < count:
        terms.append(a * terms[-1] + b * terms[-2])
    return terms


def _no_double_letter(rng: Random, story: Story) -> Draft:
    letters, length = rng.randint(3, 5), rng.randint(4, 8)
    less = letters - 1
    terms = _steps(1, letters, length + 1, less, less)
    return compose(
        rng,
        story,
        {"letters": letters, "length": length},
        statement=r"A language has $<letters>$ letters, one of which is $A$. A string of letters "
        r"is a word unless it contains two consecutive letters $A$. How many words of length "
        r"$<length>$ are there?",
        solution=r"Let $w_n$ be the number of words of length $n$. A word ends either in one of "
        r"the $<less>$ other letters, which may follow any word of length $n - 1$, or in $A$, and "
        r"then the letter before is one of the $<less>$ others, following any word of length $n - "
        r"2$. So $w_n = <less> (w_{n-1} + w_{n-2})$ with $w_0 = 1$ and $w_1 = <letters>$. The "
        r"next values are $<values>$, so $w_{<length>} = <answer>$.",
        answer=terms[length],
        value=terms[length],
        less=less,
        values=", ".join(map(str, terms[2:])),
    )


def _no_three_alike(rng: Random, story: Story) -> Draft:
    length = rng.randint(5, 14)
    terms = _steps(2, 4, length, 1, 1)
    return compose(
        rng,
        story,
        {"length": length},
        statement=r"$<length>$ <things> stand in a row at <place>, and <hero> marks each of them "
        r"with a red or a blue sticker. <rival> insists that nowhere in the row three neighbours "
        r"get the same colour. In how many ways can the stickers be chosen?",
        solution=r"Look at the last block of equal colours in an admissible row of $n$. It has "
        r"length one or two. Deleting it gives an admissible row of $n - 1$ or $n - 2$, and "
        r"conversely the colour of the deleted block is forced, since it differs from the one "
        r"before. Hence $c_n = c_{n-1} + c_{n-2}$ for $n \ge 3$, starting with $c_1 = 2$ and $c_2 "
        r"= 4$: $<values>$. There are $<answer>$ ways.",
        answer=terms[-1],
        value=terms[-1],
        values=", ".join(map(str, terms)),
    )


def _forbidden_pair(rng: Random, story: Story) -> Draft:
    letters, length = rng.randint(3, 5), rng.randint(4, 8)
    terms = _steps(1, letters, length + 1, letters, -1)
    return compose(
        rng,
        story,
        {"letters": letters, "length": length, "pair": 1},
        statement=r"Determine the number of sequences $(x_1, \dots, x_{<length>})$ with $x_i \in "
        r"\{1, \dots, <letters>\}$ such that no entry $1$ is immediately followed by an entry $2$.",
        solution=r"Denote by $s_n$ the number of such sequences of length $n$. Appending any of "
        r"the $<letters>$ numbers to one of length $n - 1$ gives $<letters> s_{n-1}$ sequences, "
        r"but those ending in $1, 2$ are not allowed, and they arise from the $s_{n-2}$ "
        r"admissible beginnings. Therefore $s_n = <letters> s_{n-1} - s_{n-2}$, where $s_0 = 1$ "
        r"and $s_1 = <letters>$. Continuing, we get $<values>$, and $s_{<length>} = <answer>$.",
        answer=terms[length],
        value=terms[length],
        values=", ".join(map(str, terms[2:])),
    )


def _round_table(rng: Random, story: Story) -> Draft:
    colours, seats = rng.randint(3, 5), rng.randint(4, 8)
    less = colours - 1
    value = less**seats + (-1) ** seats * less
    terms = [colours * less]
    for n in range(3, seats + 1):
        terms.append(colours * less ** (n - 1) - terms[-1])
    return compose(
        rng,
        story,
        {"colours": colours, "seats": seats},
        statement=r"The $<seats>$ seats of a merry-go-round near <place> are numbered around the "
        r"circle. <hero> paints every seat in one of $<colours>$ colours so that neighbouring "
        r"seats get different colours. How many ways of painting are there?",
        solution=r"Let $m_n$ be the answer for $n$ seats. Paint the seats in order, each unlike "
        r"the one before: $<colours> \cdot <less>^{n-1}$ ways. If the last colour differs from "
        r"the first, this is a proper painting; if they agree, merging the last seat with the "
        r"first one gives a proper painting of $n - 1$ seats. So $m_n = <colours> \cdot "
        r"<less>^{n-1} - m_{n-1}$ with $m_2 = <start>$. This yields $<values>$, so the number is "
        r"$<answer>$.",
        answer=value,
        value=value,
        less=less,
        start=colours * less,
        values=", ".join(f"m_{{{n}}} = {term}" for n, term in enumerate(terms[1:], 3)),
    )


def _stairs(rng: Random, story: Story) -> Draft:
    steps, longest = rng.randint(7, 12), rng.choice((2, 3))
    terms = [1]
    for n in range(1, steps + 1):
        terms.append(sum(terms[max(0, n - longest) : n]))
    rule = "k_{n-1} + k_{n-2}" + (" + k_{n-3}" if longest == 3 else "")
    return compose(
        rng,
        story,
        {"steps": steps, "longest": longest},
        statement=r"A staircase at <place> has $<steps>$ steps. <hero> climbs it taking <strides> "
        r"steps at a time, in any mixture. In how many different ways can the top be reached?",
        solution=r"Classify the ways to reach step $n$ by the last stride. Before it, <hero> was "
        r"on one of the $<longest>$ steps below, so the number of ways satisfies $k_n = <rule>$, "
        r"where $k_0 = 1$ and terms with negative index are $0$. We obtain, from $k_1$ on, "
        r"$<values>$. The top is reached in $<answer>$ ways.",
        answer=terms[-1],
        value=terms[-1],
        strides="one or two" if longest == 2 else "one, two or three",
        rule=rule,
        values=", ".join(map(str, terms[1:])),
    )


def _dominoes_and_squares(rng: Random, story: Story) -> Draft:
    length = rng.randint(5, 12)
    terms = _steps(1, 3, length, 1, 2)
    return compose(
        rng,
        story,
        {"length": length},
        statement=r"Compute the number of ways to tile a $2 \times <length>$ rectangle with $1 "
        r"\times 2$ dominoes, which may be turned, and $2 \times 2$ squares.",
        solution=r"Consider how the left edge is covered: by one upright domino, leaving a $2 "
        r"\times (n-1)$ rectangle, or by two lying dominoes or one square, both leaving a $2 "
        r"\times (n-2)$ rectangle. Hence $t_n = t_{n-1} + 2 t_{n-2}$, and $t_1 = 1$, $t_2 = 3$. "
        r"Iterating gives $<values>$. For length $<length>$ the number is $<answer>$.",
        answer=terms[-1],
        value=terms[-1],
        values=", ".join(map(str, terms)),
    )


def _odd_summands(rng: Random, story: Story) -> Draft:
    total = rng.randint(7, 18)
    terms = _steps(1, 1, total, 1, 1)
    return compose(
        rng,
        story,
        {"total": total},
        statement=r"In how many ways can $<total>$ be written as an ordered sum of odd positive "
        r"integers? (The single summand counts if it is odd.)",
        solution=r"Let $o_n$ be the number for the total $n$. If the last summand is $1$, remove "
        r"it: this leaves an ordered sum for $n - 1$. Otherwise lower the last summand by $2$, "
        r"which leaves one for $n - 2$. Both steps are reversible, so $o_n = o_{n-1} + o_{n-2}$ "
        r"with $o_1 = o_2 = 1$. The sequence runs $<values>$, and the number of ways is "
        r"$<answer>$.",
        answer=terms[-1],
        value=terms[-1],
        values=", ".join(map(str, terms)),
    )


def _coloured_planks(rng: Random, story: Story) -> Draft:
    short, long, length = rng.randint(2, 3), rng.randint(2, 4), rng.randint(4, 7)
    terms = _steps(1, short, length + 1, short, long)
    return compose(
        rng,
        story,
        {"short": short, "long": long, "length": length},
        statement=r"A bench of length $<length>$ metres at <place> is covered across with planks "
        r"laid one behind the other. Planks one metre wide come in $<short>$ colours, planks two "
        r"metres wide in $<long>$ other colours; there are plenty of each. How many different "
        r"patterns can <hero> lay?",
        solution=r"Let $b_n$ count the patterns for $n$ metres. The last plank is narrow, in "
        r"$<short>$ colours after any pattern of $n - 1$ metres, or wide, in $<long>$ colours "
        r"after any pattern of $n - 2$ metres. That is, $b_n = <short> b_{n-1} + <long> b_{n-2}$, "
        r"with $b_0 = 1$ and $b_1 = <short>$. Step by step: $<values>$. There are $<answer>$ "
        r"patterns.",
        answer=terms[-1],
        value=terms[-1],
        values=", ".join(f"b_{{{n}}} = {term}" for n, term in enumerate(terms[2:], 2)),
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="comb-forbidden-neighbours",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Words and Arrangements"),
        technique="recurrence",
        moves=("split-by-last-element", "set-up-recurrence", "unwind-recurrence"),
        key_ideas=(
            "Classify the admissible sequences by how they end, so that removing the ending "
            "relates their number to the numbers for shorter lengths.",
            "Removing the last block from an admissible arrangement leaves a shorter admissible "
            "one, which yields a recurrence that is evaluated step by step.",
        ),
        forms=(_no_double_letter, _no_three_alike, _forbidden_pair, _round_table),
    ),
    Family(
        key="comb-tilings",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Tilings and Compositions"),
        technique="recurrence",
        moves=("split-by-last-element", "set-up-recurrence", "unwind-recurrence"),
        key_ideas=(
            "Distinguish the possibilities for the last piece; what remains is a smaller instance "
            "of the same problem, so the counts satisfy a linear recurrence.",
            "Taking away the final piece leads to shorter coverings, and adding their numbers "
            "step by step from the small cases gives the result.",
        ),
        forms=(_stairs, _dominoes_and_squares, _odd_summands, _coloured_planks),
    ),
)
