"""Lattice paths: detours around forbidden points, and the reflection principle."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _through(m: int, n: int, p: int, q: int) -> tuple[int, int, int]:
    """Return all paths to (m, n), those to (p, q), and those from (p, q) on to (m, n)."""
    return comb(m + n, m), comb(p + q, p), comb(m + n - p - q, m - p)


def _draw_detour(rng: Random) -> dict[str, int]:
    m, n = rng.randint(3, 8), rng.randint(3, 8)
    return {"m": m, "n": n, "p": rng.randint(2, m - 1), "q": rng.randint(2, n - 1)}


def _avoid_a_point(rng: Random, story: Story) -> Draft:
    drawn = _draw_detour(rng)
    whole, before, after = _through(**drawn)
    return compose(
        rng,
        story,
        drawn,
        statement=r"A lattice path goes from $(0, 0)$ to $(<m>, <n>)$ in unit steps to the right "
        r"or upwards. How many such paths do not pass through the point $(<p>, <q>)$?",
        solution=r"A path is determined by the positions of its $<m>$ steps to the right among "
        r"all $<steps>$ steps, so there are $\binom{<steps>}{<m>} = <whole>$ paths. A path "
        r"through $(<p>, <q>)$ consists of a path to this point and a path onwards, hence there "
        r"are $<before> \cdot <after> = <bad>$ of those. We are left with $<whole> - <bad> = "
        r"<answer>$.",
        answer=whole - before * after,
        value=whole - before * after,
        steps=drawn["m"] + drawn["n"],
        whole=whole,
        before=before,
        after=after,
        bad=before * after,
    )


def _closed_crossing(rng: Random, story: Story) -> Draft:
    drawn = _draw_detour(rng)
    whole, before, after = _through(**drawn)
    return compose(
        rng,
        story,
        drawn,
        statement=r"The streets around <place> form a square grid. <hero> lives $<m>$ blocks west "
        r"and $<n>$ blocks south of it and always walks there without a detour. Today one "
        r"crossing is closed, which lies $<p>$ blocks east and $<q>$ blocks north of <hero>'s "
        r"home. How many routes are still open?",
        solution=r"Normally there are $\binom{<steps>}{<n>} = <whole>$ routes, since one only "
        r"decides which of the $<steps>$ blocks are walked northwards. Those that use the closed "
        r"crossing are blocked: $\binom{<first>}{<q>} = <before>$ ways of arriving there, each "
        r"continued in $<after>$ ways. So $<whole> - <before> \cdot <after> = <answer>$ routes "
        r"survive.",
        answer=whole - before * after,
        value=whole - before * after,
        steps=drawn["m"] + drawn["n"],
        first=drawn["p"] + drawn["q"],
        whole=whole,
        before=before,
        after=after,
    )


def _course_of_the_match(rng: Random, story: Story) -> Draft:
    drawn = _draw_detour(rng)
    whole, before, after = _through(**drawn)
    return compose(
        rng,
        story,
        drawn,
        statement=r"<hero> and <rival> played table football at <place>. The final score was $<m> "
        r": <n>$, the goals of <hero> first, and both remember that it was never $<p> : <q>$ on "
        r"the way. In how many different orders can the goals have been scored?",
        solution=r"The order of the goals is a sequence of $<m>$ letters H and $<n>$ letters R, "
        r"and there are $<whole>$ such sequences. The score $<p> : <q>$ occurs when the first "
        r"$<first>$ letters contain exactly $<p>$ letters H. Such sequences are made of one of "
        r"$<before>$ beginnings and one of $<after>$ endings. Without them, $<whole> - <before> "
        r"\cdot <after> = <answer>$ sequences are possible.",
        answer=whole - before * after,
        value=whole - before * after,
        first=drawn["p"] + drawn["q"],
        whole=whole,
        before=before,
        after=after,
    )


def _some_central_point(rng: Random, story: Story) -> Draft:
    half = rng.randint(2, 7)
    size = 2 * half
    centre = comb(size, half) ** 2
    return compose(
        rng,
        story,
        {"m": size, "n": size, "p": half, "q": half},
        statement=r"A rook in the lower left corner of a board with $<side> \times <side>$ cells "
        r"moves to the upper right corner by steps of one cell, always right or up. In how many "
        r"ways can it do so if it must stay off the central cell?",
        solution=r"The rook makes $<m>$ steps in each direction, in any of $\binom{<double>}{<m>} "
        r"= <whole>$ orders. Exactly those orders are bad whose first half has as many steps "
        r"right as up, for they lead to the centre; by symmetry both halves then offer "
        r"$\binom{<m>}{<p>}$ choices, so $\binom{<m>}{<p>}^2 = <centre>$ orders are bad. The "
        r"difference is $<answer>$.",
        answer=comb(2 * size, size) - centre,
        value=comb(2 * size, size) - centre,
        side=size + 1,
        double=2 * size,
        whole=comb(2 * size, size),
        centre=centre,
    )


def _below_the_diagonal(rng: Random, story: Story) -> Draft:
    n = rng.randint(4, 11)
    answer = comb(2 * n, n) // (n + 1)
    return compose(
        rng,
        story,
        {"n": n},
        statement=r"How many paths lead from $(0, 0)$ to $(<n>, <n>)$ in unit steps right and up "
        r"without ever rising above the line $y = x$?",
        solution=r"Of the $\binom{<double>}{<n>}$ unrestricted paths, take one that does rise "
        r"above the line. It meets the line $y = x + 1$; reflect its part after the first meeting "
        r"in this line. The reflected path ends at $(<less>, <more>)$, and every path to that "
        r"point meets the line and arises exactly once. So $\binom{<double>}{<less>}$ paths are "
        r"bad, and $<whole> - <bad> = <answer>$ are good.",
        answer=answer,
        value=answer,
        double=2 * n,
        less=n - 1,
        more=n + 1,
        whole=comb(2 * n, n),
        bad=comb(2 * n, n - 1),
    )


def _always_ahead(rng: Random, story: Story) -> Draft:
    b = rng.randint(2, 6)
    a = b + rng.randint(1, 5)
    good, bad = comb(a + b - 1, b), comb(a + b - 1, a)
    return compose(
        rng,
        story,
        {"a": a, "b": b},
        statement=r"In the election of a new director of <place>, <hero> receives $<a>$ votes and "
        r"<rival> receives $<b>$. The slips are opened one by one. In how many orders of the "
        r"slips is <hero> ahead of <rival> at every moment of the count, from the first slip on?",
        solution=r"The first slip must be for <hero>, which leaves $\binom{<rest>}{<b>} = <good>$ "
        r"orders to examine. In a bad one a tie occurs; up to the first tie exchange the two "
        r"names. This turns the bad orders beginning with <hero> into orders beginning with "
        r"<rival>, and each of those comes back, because <hero> wins and a tie must occur. There "
        r"are $\binom{<rest>}{<a>} = <bad>$ of them, so $<good> - <bad> = <answer>$ orders remain.",
        answer=good - bad,
        value=good - bad,
        rest=a + b - 1,
        good=good,
        bad=bad,
    )


def _change_at_the_counter(rng: Random, story: Story) -> Draft:
    small = rng.randint(3, 8)
    large = rng.randint(3, small)
    good, bad = comb(small + large, large), comb(small + large, large - 1)
    return compose(
        rng,
        story,
        {"small": small, "large": large},
        statement=r"At <place> <a_thing> costs five euros. In the queue stand $<small>$ people "
        r"with a five-euro note and $<large>$ people with a ten-euro note, and each buys one. The "
        r"till is empty at first. In how many ways can the two kinds of notes be ordered in the "
        r"queue so that <hero> can always give change?",
        solution=r"Draw the queue as a walk, one step up for a five and one step down for a ten. "
        r"Change runs out when the walk reaches height $-1$. Mirror such a walk at height $-1$ "
        r"from this moment on: it then ends at height $-2 - (<small> - <large>)$ and has $<up>$ "
        r"steps up. The correspondence is one to one, so $\binom{<all>}{<up>} = <bad>$ of the "
        r"$\binom{<all>}{<large>} = <good>$ queues fail and $<good> - <bad> = <answer>$ work.",
        answer=good - bad,
        value=good - bad,
        all=small + large,
        up=large - 1,
        good=good,
        bad=bad,
    )


def _first_return(rng: Random, story: Story) -> Draft:
    half = rng.randint(3, 9)
    answer = 2 * comb(2 * half - 2, half - 1) // half
    return compose(
        rng,
        story,
        {"half": half},
        statement=r"A particle on the number line starts at $0$ and moves by $+1$ or $-1$ every "
        r"second. Among all $2^{<time>}$ possible motions of $<time>$ seconds, in how many does "
        r"it return to $0$ for the first time at the very end?",
        solution=r"By symmetry suppose the first move is $+1$, and double at the end. Between "
        r"second $1$ and second $<before>$ the particle goes from $1$ to $1$ in $<inner>$ moves, "
        r"avoiding $0$. Motions that do hit $0$ correspond, after reflecting what precedes the "
        r"first hit, to all motions from $-1$ to $1$. So there are $\binom{<inner>}{<less>} - "
        r"\binom{<inner>}{<half>} = <good>$ possibilities, and the answer is $2 \cdot <good> = "
        r"<answer>$.",
        answer=answer,
        value=answer,
        time=2 * half,
        before=2 * half - 1,
        inner=2 * half - 2,
        less=half - 1,
        good=answer // 2,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="comb-paths-with-detour",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Lattice Paths"),
        technique="complementary-counting",
        moves=("count-the-opposite", "subtract-from-total", "product-rule"),
        key_ideas=(
            "Count all monotone paths by a binomial coefficient and subtract those through the "
            "forbidden point, which split into two independent parts.",
            "The paths that visit the excluded position are products of beginnings and endings, "
            "so removing them from the total leaves the wanted number.",
        ),
        forms=(_avoid_a_point, _closed_crossing, _course_of_the_match, _some_central_point),
    ),
    Family(
        key="comb-ballot",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Enumeration", "Lattice Paths"),
        technique="bijection",
        moves=("reflect-a-path", "count-the-opposite", "subtract-from-total"),
        key_ideas=(
            "Reflecting part of each bad path at the first moment it breaks the condition maps "
            "the bad paths one to one onto all paths to a mirrored endpoint.",
            "The sequences that violate the condition correspond by reflection to unrestricted "
            "ones with another end, so their number is a binomial coefficient.",
        ),
        forms=(_below_the_diagonal, _always_ahead, _change_at_the_counter, _first_return),
    ),
)
