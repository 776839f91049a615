"""Algebra: paired function values, functional equations, products of shifted unknowns."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import paren, polynomial, signed, tex

if TYPE_CHECKING:
    from random import Random


def _exponential_quotient(rng: Random, story: Story) -> Draft:
    c, n = rng.randint(2, 9), rng.randint(12, 99)
    value = Fraction(n - 1, 2)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $f(x)=\frac{{{c * c}^x}}{{{c * c}^x+{c}}}$. Compute $f\left(\frac{{1}}{{{n}}}"
            rf"\right)+f\left(\frac{{2}}{{{n}}}\right)+\cdots+f\left(\frac{{{n - 1}}}{{{n}}}"
            rf"\right)$.",
        ),
        solution=rf"Multiplying numerator and denominator of $f(1-x)$ by ${c * c}^x$ gives "
        rf"$f(1-x)=\frac{{{c * c}}}{{{c * c}+{c}\cdot {c * c}^x}}=\frac{{{c}}}{{{c}+{c * c}^x}}$, "
        rf"hence $f(x)+f(1-x)=1$. Write the sum forwards and backwards, one below the other: "
        rf"each of the ${n - 1}$ columns adds to $1$. Twice the sum is ${n - 1}$, and the sum "
        rf"itself is ${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 1, "c": c, "n": n},
    )


def _numbers_and_reciprocals(rng: Random, story: Story) -> Draft:
    n, e = rng.randint(10, 99), rng.randint(2, 5)
    value = Fraction(2 * n - 1, 2)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A machine turns a number $x$ into $\frac{{x^{e}}}{{1+x^{e}}}$. It is fed with the "
            rf"integers $1,2,\dots,{n}$ and with the reciprocals $\frac12,\frac13,\dots,"
            rf"\frac{{1}}{{{n}}}$. What do all its outputs add up to?",
        ),
        solution=rf"The outputs of $x$ and $\frac1x$ are $\frac{{x^{e}}}{{1+x^{e}}}$ and "
        rf"$\frac{{1}}{{x^{e}+1}}$, together $1$. The ${n - 1}$ pairs made of $2,\dots,{n}$ and "
        rf"their reciprocals contribute ${n - 1}$; the number $1$ has no partner and contributes "
        rf"$\frac12$. Altogether this is ${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 2, "n": n, "e": e},
    )


def _tangents(rng: Random, story: Story) -> Draft:
    low = rng.randint(1, 20)
    high = 45 - low
    exponent = (high - low + 1) // 2
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The product of the numbers $1+\tan k^\circ$, extended over all integers $k$ with "
            rf"${low}\le k\le {high}$, is a power of two. Find the exponent.",
        ),
        solution=rf"If $\alpha+\beta=45^\circ$, the addition formula gives $\tan\beta="
        rf"\frac{{1-\tan\alpha}}{{1+\tan\alpha}}$, so $1+\tan\beta=\frac{{2}}{{1+\tan\alpha}}$ and "
        rf"$(1+\tan\alpha)(1+\tan\beta)=2$. The degrees from ${low}$ to ${high}$ fall into "
        rf"${exponent}$ such pairs $k,45-k$; the product is $2^{{{exponent}}}$, and the exponent "
        rf"is "
        rf"${exponent}$.",
        answer=str(exponent),
        value=str(exponent),
        parameters={"form": 3, "low": low, "high": high},
    )


def _point_symmetric_cubic(rng: Random, story: Story) -> Draft:
    a, b, c = rng.randint(2, 20), rng.randint(2, 9), rng.choice((-9, -7, -4, -2, 2, 3, 5, 8))
    # (x - a)^3 + b (x - a) + c
    coefficients = [1, -3 * a, 3 * a * a + b, -(a**3) - a * b + c]
    value = (2 * a + 1) * c
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Find the sum of all values that $g(x)={polynomial(coefficients)}$ takes at the "
            rf"integers from $0$ to ${2 * a}$ inclusive.",
        ),
        solution=rf"In terms of the distance from ${a}$ the polynomial reads $g({a}+t)=t^3"
        rf"{signed(b)}t{signed(c)}$. The graph is symmetric about the point $({a},{c})$: "
        rf"$g({a}+t)+g({a}-t)={2 * c}$. Thus values at equal distance from the middle average "
        rf"${c}$, and the ${2 * a + 1}$ values have sum ${2 * a + 1}\cdot {paren(c)}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, **{f"c{i}": k for i, k in enumerate(coefficients)}, "a": a},
    )


def _reflected_argument(rng: Random, story: Story) -> Draft:
    a, c, v = rng.randint(1, 9), rng.randint(2, 6), rng.randint(2, 15)
    p, q = rng.randint(1, 6), rng.randint(-9, 9)
    v += 2 * v == a  # the reflection must not fix v

    def right(x: int) -> int:
        return p * x * x + q

    value = Fraction(right(v) - c * right(a - v), 1 - c * c)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The function $f$ is defined for all real numbers and satisfies $f(x)+{c}f({a}-x)="
            rf"{polynomial([p, 0, q])}$ identically. What is $f({v})$?",
        ),
        solution=rf"Put $x={v}$ and then $x={a - v}$: $f({v})+{c}f({a - v})={right(v)}$ and "
        rf"$f({a - v})+{c}f({v})={right(a - v)}$. These are two linear equations in two unknown "
        rf"values. Subtract ${c}$ times the second from the first: ${1 - c * c}f({v})="
        rf"{right(v)}-{c}\cdot {paren(right(a - v))}={right(v) - c * right(a - v)}$. Thus "
        rf"$f({v})={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 1, "a": a, "c": c, "v": v, "p": p, "q": q},
    )


def _reciprocal_argument(rng: Random, story: Story) -> Draft:
    c, k, v = rng.randint(2, 6), rng.randint(1, 9), rng.randint(2, 9)
    value = Fraction(k * (c - v * v), v * (c * c - 1))
    scale = "" if k == 1 else f"{k}"
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Determine $f({v})$ if the value of $f$ at a nonzero number, plus ${c}$ times its "
            rf"value at the reciprocal of that number, always equals "
            + ("the number itself." if k == 1 else rf"${k}$ times the number."),
        ),
        solution=rf"In symbols, $f(x)+{c}f\left(\frac1x\right)={scale}x$. Replacing $x$ by "
        rf"$\frac1x$ exchanges the two unknown values: $f\left(\frac1x\right)+{c}f(x)="
        rf"\frac{{{k}}}{{x}}$. Eliminating $f\left(\frac1x\right)$ leaves $({c * c}-1)f(x)="
        rf"\frac{{{c * k}}}{{x}}-{scale}x$. For $x={v}$ this yields $f({v})={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 2, "c": c, "k": k, "v": v},
    )


def _three_cycle(rng: Random, story: Story) -> Draft:
    v, p, q = rng.randint(2, 9), rng.randint(1, 6), rng.randint(-6, 6)

    def right(x: Fraction) -> Fraction:
        return p * x + q

    x1, x2, x3 = Fraction(v), Fraction(1, 1 - v), Fraction(v - 1, v)
    value = (right(x1) - right(x2) + right(x3)) / 2
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"For all real $x$ other than $0$ and $1$, $h(x)+h\left(\frac{{1}}{{1-x}}\right)="
            rf"{polynomial([p, q])}.$ Calculate $h({v})$.",
        ),
        solution=rf"The map $x\mapsto\frac{{1}}{{1-x}}$ sends ${v}$ to ${tex(x2)}$, this to "
        rf"${tex(x3)}$, and that back to ${v}$. Writing $A,B,C$ for $h$ at these three points, we "
        rf"get $A+B={tex(right(x1))}$, $B+C={tex(right(x2))}$ and $C+A={tex(right(x3))}$. "
        rf"Adding the first and third equations and subtracting the second gives "
        rf"$2A={tex(2 * value)}$, so $h({v})={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 3, "v": v, "p": p, "q": q},
    )


def _price_machine(rng: Random, story: Story) -> Draft:
    s, v = rng.randint(8, 20), rng.randint(2, 7)
    m, n = rng.choice(((2, 3), (3, 4), (2, 5), (3, 5), (4, 5), (1, 4), (1, 3)))
    s += s == 2 * v
    numerator = m * v * v - n * (s - v) ** 2
    value = Fraction(numerator, m * m - n * n)
    first = "the" if m == 1 else f"${m}$ times the"
    return Draft(
        statement=rf"At {story.place} a strange till assigns a price to every number, whole or "
        rf"not, "
        rf"positive or negative. {story.hero} finds out: whenever two numbers have sum ${s}$, "
        rf"{first} price of the one plus ${n}$ times the price of the other is the square of the "
        rf"one. Which price does the till assign to ${v}$?",
        solution=rf"Call the prices of ${v}$ and ${s - v}$ by $P$ and $Q$. The rule may be used "
        rf"with either of the two as the one: ${m}P+{n}Q={v * v}$ and ${m}Q+{n}P={(s - v) ** 2}$. "
        rf"Solving for $P$ by elimination of $Q$, $({m * m}-{n * n})P={m}\cdot {v * v}-{n}\cdot "
        rf"{(s - v) ** 2}={numerator}$, and $P={tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 4, "s": s, "v": v, "m": m, "n": n},
    )


def _shifted_triple(rng: Random, story: Story) -> Draft:
    c = rng.randint(1, 5)
    x, y, z = rng.sample(range(1, 12), 3)
    rights = [x * y + c * (x + y), y * z + c * (y + z), z * x + c * (z + x)]
    factors = [right + c * c for right in rights]
    value = x * y * z
    k = "" if c == 1 else str(c)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Positive numbers $x,y,z$ satisfy $xy+{k}x+{k}y={rights[0]}$, $yz+{k}y+{k}z="
            rf"{rights[1]}$ and $zx+{k}z+{k}x={rights[2]}$. Find $xyz$.",
        ),
        solution=rf"Adding ${c * c}$ to each equation makes the left sides factor: $(x+{c})(y+{c})="
        rf"{factors[0]}$, $(y+{c})(z+{c})={factors[1]}$, $(z+{c})(x+{c})={factors[2]}$. The "
        rf"product "
        rf"of all three is the square of $(x+{c})(y+{c})(z+{c})$, which is therefore "
        rf"${(x + c) * (y + c) * (z + c)}$. Dividing by each equation in turn, $z+{c}={z + c}$, "
        rf"$x+{c}={x + c}$, $y+{c}={y + c}$. Hence $xyz={x}\cdot {y}\cdot {z}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "c": c, "r0": rights[0], "r1": rights[1], "r2": rights[2]},
    )


def _common_factor(rng: Random, story: Story) -> Draft:
    total = rng.randint(6, 20)
    x = rng.randint(1, total - 2)
    y = rng.randint(1, total - x - 1)
    z = total - x - y
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Three positive numbers are each multiplied by the sum of all three. The results are "
            rf"${x * total}$, ${y * total}$ and ${z * total}$. How large is the sum of the squares "
            rf"of the three numbers?",
        ),
        solution=rf"Let $S$ be the sum. Adding the three results takes out the common factor: "
        rf"$S\cdot S={(x + y + z) * total}$, so $S={total}$. The numbers are the results divided "
        rf"by "
        rf"$S$, namely ${x}$, ${y}$ and ${z}$, and ${x}^2+{y}^2+{z}^2={x * x + y * y + z * z}$.",
        answer=str(x * x + y * y + z * z),
        value=str(x * x + y * y + z * z),
        parameters={"form": 2, "a": x * total, "b": y * total, "c": z * total},
    )


def _sum_and_product(rng: Random, story: Story) -> Draft:
    p, q = rng.sample((7, 11, 13, 17, 19, 23, 29, 31, 37), 2)
    total, value = p * q - 1, p + q - 2
    return Draft(
        statement=rf"{story.hero} and {story.rival} both brought some {story.things} to "
        rf"{story.place}. Multiply their two numbers of {story.things}, then add both numbers to "
        rf"the product: the result is ${total}$. How many {story.things} did they bring together?",
        solution=rf"Let them have $u$ and $v$ {story.things}. The given number is $uv+u+v$, one "
        rf"less than $(u+1)(v+1)$. So $(u+1)(v+1)={total + 1}={min(p, q)}\cdot {max(p, q)}$, where "
        rf"both brackets exceed $1$ and both factors on the right are prime. The brackets must be "
        rf"these two primes, and $u+v={p}+{q}-2={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "total": total},
    )


def _cube_identity(rng: Random, story: Story) -> Draft:
    a, b, c = rng.sample(range(1, 9), 3)
    value = 3 * (a + b) * (b + c) * (c + a)
    s = a + b + c
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Without multiplying out any large number, show that ${s}^3-{a}^3-{b}^3-{c}^3$ is "
            rf"a product of small factors, and evaluate it.",
        ),
        solution=rf"As ${s}={a}+{b}+{c}$, consider $E=(u+v+w)^3-u^3-v^3-w^3$. It becomes $0$ when "
        rf"$u=-v$, so $u+v$ divides it, and by symmetry so do $v+w$ and $w+u$. Degrees agree, "
        rf"hence "
        rf"$E=\lambda(u+v)(v+w)(w+u)$, and $u=v=w=1$ shows $24=8\lambda$, $\lambda=3$. Here the "
        rf"value is $3\cdot {a + b}\cdot {b + c}\cdot {c + a}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "a": a, "b": b, "c": c},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="alg-paired-values",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Functions", "Sums of Function Values"),
        technique="symmetry-pairing",
        moves=("pair-mirror-arguments", "constant-pair-total", "count-pairs"),
        key_ideas=(
            "The values of the function at mirrored arguments have a constant total, so grouping "
            "the arguments in such pairs evaluates the whole sum or product at once.",
            "Match every argument with its reflected partner; each pair contributes the same "
            "amount, and counting the pairs finishes the computation.",
        ),
        forms=(
            _exponential_quotient,
            _numbers_and_reciprocals,
            _tangents,
            _point_symmetric_cubic,
        ),
    ),
    Family(
        key="alg-functional-equation",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Functions", "Functional Equations"),
        technique="substitution",
        moves=("substitute-argument", "eliminate-unknowns", "involution"),
        key_ideas=(
            "Substituting the transformed argument back into the equation produces further linear "
            "relations between the same unknown values, which elimination then solves.",
            "Apply the equation again at the image of the argument until the arguments cycle, then "
            "solve the resulting linear system for the wanted value.",
        ),
        forms=(_reflected_argument, _reciprocal_argument, _three_cycle, _price_machine),
    ),
    Family(
        key="alg-hidden-product",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Equations", "Factoring Expressions"),
        technique="factorisation",
        moves=("add-constant-to-factor", "factor-expression", "multiply-equations"),
        key_ideas=(
            "Adding a suitable constant or a common factor turns each sum into a product of simple "
            "brackets, and these products can be multiplied, divided and compared.",
            "Recognise the expression as a product of shifted quantities; working with the factors "
            "instead of the terms makes the answer immediate.",
        ),
        forms=(_shifted_triple, _common_factor, _sum_and_product, _cube_identity),
    ),
)
