"""Processes and games: quantities that no step changes, and positions modulo a number."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Family
from saber_mteb.construction.mini.phrasing import compose

if TYPE_CHECKING:
    from random import Random

    from saber_mteb.construction.mini.family import Draft, Story


def _merge_by_sum(rng: Random, story: Story) -> Draft:
    n, loss = rng.randint(6, 30), rng.randint(1, 3)
    answer = n * (n + 1) // 2 - loss * (n - 1)
    return compose(
        rng,
        story,
        {"n": n, "loss": loss},
        statement=r"The numbers $1, 2, \dots, <n>$ are written on a board. In one move any two "
        r"numbers $a$ and $b$ are erased and $a + b - <loss>$ is written instead. After $<moves>$ "
        r"moves only one number is left. Which one?",
        solution=r"Lower every number on the board by $<loss>$ in thought. Since $(a + b - "
        r"<loss>) - <loss> = (a - <loss>) + (b - <loss>)$, the sum $S$ of the lowered numbers "
        r"never changes. At the start $S = <sum> - <n> \cdot <loss> = <lowered>$. The last number "
        r"$z$ satisfies $z - <loss> = <lowered>$, so $z = <answer>$ regardless of the moves.",
        answer=answer,
        value=answer,
        moves=n - 1,
        sum=n * (n + 1) // 2,
        lowered=n * (n + 1) // 2 - n * loss,
    )


def _merge_by_product(rng: Random, story: Story) -> Draft:
    numbers = sorted(rng.sample(range(1, 10), rng.randint(4, 5)))
    product = 1
    for number in numbers:
        product *= number + 1
    drawn = {f"n{i}": number for i, number in enumerate(numbers)}
    return compose(
        rng,
        story,
        drawn,
        statement=r"<hero> has cards with the numbers $<list>$. Again and again <rival> picks two "
        r"cards, with numbers $x$ and $y$ say, and <hero> replaces them by one card with the "
        r"number $xy + x + y$. What does the last remaining card say?",
        solution=r"The rule becomes transparent after adding one: $xy + x + y + 1 = (x + 1)(y + "
        r"1)$. So the product of all the numbers on the cards, each increased by $1$, remains the "
        r"same. It equals $<factors> = <product>$ at the beginning, and at the end it is the last "
        r"number plus $1$. The last card says $<answer>$.",
        answer=product - 1,
        value=product - 1,
        list=", ".join(map(str, numbers)),
        factors=r" \cdot ".join(str(number + 1) for number in numbers),
        product=product,
    )


def _merge_reciprocals(rng: Random, story: Story) -> Draft:
    n = rng.randint(5, 40)
    total = n * (n + 1) // 2
    return compose(
        rng,
        story,
        {"n": n},
        statement=r"Start with the list $1, \frac{1}{2}, \frac{1}{3}, \dots, \frac{1}{<n>}$. Two "
        r"entries $a, b$ may be replaced by the single entry $\frac{ab}{a + b}$. Prove that the "
        r"entry that finally remains does not depend on the order of the replacements, and find "
        r"it.",
        solution=r"The reciprocal of the new entry is $\frac{a + b}{ab} = \frac{1}{a} + "
        r"\frac{1}{b}$. Thus the sum of the reciprocals of all entries is preserved by every "
        r"replacement. Initially it is $1 + 2 + \dots + <n> = <total>$. When a single entry $e$ "
        r"remains, $\frac{1}{e} = <total>$, whatever happened in between. So $e = <answer>$.",
        answer=Fraction(1, total),
        value=Fraction(1, total),
        total=total,
    )


def _splitting_piles(rng: Random, story: Story) -> Draft:
    n = rng.randint(8, 60)
    return compose(
        rng,
        story,
        {"pile": n},
        statement=r"A pile of $<pile>$ <things> lies at <place>. <hero> divides it into two "
        r"piles, then divides one of those, and so on, until all piles consist of a single one. "
        r"At each division <rival> notes the product of the sizes of the two new piles. What is "
        r"the sum of the noted numbers?",
        solution=r"For each pile of size $s$ consider $\frac{s(s-1)}{2}$, the number of pairs "
        r"lying together in it. Dividing a pile into parts of sizes $u$ and $v$ separates exactly "
        r"$uv$ pairs, so the pairs still together plus the sum noted so far stay constant. In the "
        r"beginning this constant is $\frac{<pile> \cdot <less>}{2}$ and nothing is noted; in the "
        r"end no pair is together. The sum is $<answer>$.",
        answer=n * (n - 1) // 2,
        value=n * (n - 1) // 2,
        less=n - 1,
    )


def _first_move(rng: Random, story: Story) -> Draft:
    most = rng.randint(3, 9)
    rest, rounds = rng.randint(1, most), rng.randint(3, 20)
    pile = rounds * (most + 1) + rest
    return compose(
        rng,
        story,
        {"pile": pile, "most": most},
        statement=r"<hero> and <rival> take turns removing <things> from a heap of $<pile>$, at "
        r"least one and at most $<most>$ in a turn. Whoever takes the last wins, and <hero> "
        r"begins. How many should <hero> take first in order to be able to force a win?",
        solution=r"Work modulo $<cycle>$. If the heap is a multiple of $<cycle>$ when <rival> is "
        r"to move, then to every removal of $t$ <hero> can answer with $<cycle> - t$, and so "
        r"<rival> always faces a multiple of $<cycle>$, at last $0$. Any other first move hands "
        r"this strategy to <rival>. Because $<pile> = <rounds> \cdot <cycle> + <rest>$, the only "
        r"right number is $<answer>$.",
        answer=rest,
        value=rest,
        cycle=most + 1,
        rounds=rounds,
        rest=rest,
    )


def _lost_positions(rng: Random, story: Story) -> Draft:
    most, bound = rng.randint(2, 8), rng.randint(30, 200)
    answer = bound // (most + 1)
    return compose(
        rng,
        story,
        {"most": most, "bound": bound},
        statement=r"Two players alternately subtract an integer between $1$ and $<most>$ from a "
        r"natural number, never going below zero; the one who reaches $0$ wins. For how many of "
        r"the starting numbers $1, 2, \dots, <bound>$ does the second player have a winning "
        r"strategy?",
        solution=r"From a number divisible by $<cycle>$ no move leads to another such number, and "
        r"from any number not divisible by $<cycle>$ its remainder can be subtracted. By "
        r"induction the player to move loses precisely at the multiples of $<cycle>$, the second "
        r"player completing each subtraction to $<cycle>$. Up to $<bound>$ there are "
        r"$\left\lfloor \frac{<bound>}{<cycle>} \right\rfloor = <answer>$ of them.",
        answer=answer,
        value=answer,
        cycle=most + 1,
    )


def _avoid_the_last(rng: Random, story: Story) -> Draft:
    most = rng.randint(3, 9)
    rest, rounds = rng.randint(1, most), rng.randint(3, 20)
    pile = rounds * (most + 1) + 1 + rest
    return compose(
        rng,
        story,
        {"pile": pile, "most": most, "misere": 1},
        statement=r"A box at <place> contains $<pile>$ <things>. <hero> and <rival> alternate; on "
        r"each turn a player must take out one or more, but not more than $<most>$. The player "
        r"who has to take the last one pays for lunch. <hero> starts. Which number should <hero> "
        r"take?",
        solution=r"It is bad to be confronted with exactly one, and equally bad to be confronted "
        r"with any number that leaves remainder $1$ on division by $<cycle>$: whatever $t$ is "
        r"taken, the opponent takes $<cycle> - t$ and restores the remainder. So <hero> must move "
        r"to such a number. Since $<pile> \equiv <residue> \pmod{<cycle>}$, <hero> takes "
        r"$<answer>$.",
        answer=rest,
        value=rest,
        cycle=most + 1,
        residue=(1 + rest) % (most + 1),
    )


def _three_moves(rng: Random, story: Story) -> Draft:
    bound = rng.randint(40, 250)
    answer = sum(1 for n in range(1, bound + 1) if n % 7 in (0, 2))
    return compose(
        rng,
        story,
        {"bound": bound},
        statement=r"In a game a counter stands on one of the fields $1, 2, 3, \dots$ of a long "
        r"strip. Players move it in turn by $1$, $3$ or $4$ fields towards the field $0$; nobody "
        r"may pass beyond $0$, and a player without a move loses. How many of the fields $1$ to "
        r"$<bound>$ are lost for the player who moves first?",
        solution=r"Field $0$ is lost. A field is won if some move reaches a lost one, so $1, 3, "
        r"4$ are won, $2$ is lost (its only move leads to $1$), $5$ and $6$ are won (both reach "
        r"$2$), and $7$ is lost. From there on the pattern repeats with period $7$, since the "
        r"last four fields determine the next one: lost are the residues $0$ and $2$ modulo $7$. "
        r"Up to $<bound>$ these are $<zero> + <two> = <answer>$ fields.",
        answer=answer,
        value=answer,
        zero=bound // 7,
        two=answer - bound // 7,
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="comb-board-invariant",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Games and Processes", "Invariants"),
        technique="invariant",
        moves=("find-conserved-quantity", "compare-start-and-end", "change-of-scale"),
        key_ideas=(
            "Transform the numbers so that every permitted step preserves a simple sum or "
            "product; comparing start and end then determines the final state.",
            "Some quantity computed from the whole position is the same after each step, so the "
            "order of the steps is irrelevant and the end is forced.",
        ),
        forms=(_merge_by_sum, _merge_by_product, _merge_reciprocals, _splitting_piles),
    ),
    Family(
        key="comb-subtraction-game",
        domains=(Domain.COMBINATORICS,),
        topic=("Combinatorics", "Games and Processes", "Winning Strategies"),
        technique="modular-arithmetic",
        moves=("reduce-modulo", "find-period", "answer-each-move"),
        key_ideas=(
            "The lost positions are those in certain residue classes, because each move of the "
            "opponent can be answered so that the residue is restored.",
            "Reduce the size of the heap by the fixed period; the player who can always return to "
            "the good remainder wins the game.",
        ),
        forms=(_first_move, _lost_positions, _avoid_the_last, _three_moves),
    ),
)
