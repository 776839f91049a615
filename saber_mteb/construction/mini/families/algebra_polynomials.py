"""Algebra: roots of cubics, symmetric systems, sums of selected coefficients."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import ordinal, polynomial, signed, tex

if TYPE_CHECKING:
    from random import Random


def _cubic(rng: Random) -> tuple[int, int, int]:
    """Draw p, q, r such that x^3 - p x^2 + q x - r has three positive irrational roots."""
    while True:
        a, b, c = sorted(rng.sample(range(1, 10), 3))
        p, q, r = a + b + c, a * b + b * c + c * a, a * b * c + rng.choice((-1, 1))
        discriminant = p * p * q * q - 4 * q**3 - 4 * p**3 * r + 18 * p * q * r - 27 * r * r
        if discriminant > 0 and r > 0 and all(k**3 - p * k**2 + q * k - r for k in range(1, r + 1)):
            return p, q, r


def _reciprocals(rng: Random, story: Story) -> Draft:
    p, q, r = _cubic(rng)
    value = Fraction(q * q - 2 * p * r, r * r)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $\alpha,\beta,\gamma$ be the zeros of ${polynomial([1, -p, q, -r])}$. Find "
            rf"$\frac{{1}}{{\alpha^2}}+\frac{{1}}{{\beta^2}}+\frac{{1}}{{\gamma^2}}$.",
        ),
        solution=rf"Comparing coefficients with $(x-\alpha)(x-\beta)(x-\gamma)$ gives "
        rf"$\alpha+\beta+\gamma={p}$, $\alpha\beta+\beta\gamma+\gamma\alpha={q}$ and "
        rf"$\alpha\beta\gamma={r}$. Over the common denominator the expression is "
        rf"$\frac{{(\alpha\beta)^2+(\beta\gamma)^2+(\gamma\alpha)^2}}{{(\alpha\beta\gamma)^2}}$, "
        rf"whose numerator is ${q}^2-2\cdot {r}\cdot {p}={q * q - 2 * p * r}$. The value is "
        rf"${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 1, "p": p, "q": q, "r": r},
    )


def _enlarged_box(rng: Random, story: Story) -> Draft:
    p, q, r = _cubic(rng)
    c = rng.randint(1, 5)
    value = c**3 + p * c**2 + q * c + r
    return Draft(
        statement=rf"A box for {story.things} is built at {story.place}. Its length, width and "
        rf"height in decimetres are the three solutions of ${polynomial([1, -p, q, -r])}=0$. "
        rf"{story.hero} asks for a box that is ${c}$ dm longer, ${c}$ dm wider and ${c}$ dm "
        rf"higher. How many litres (cubic decimetres) will the new box hold?",
        solution=rf"If $u,v,w$ are the edges, then $u+v+w={p}$, $uv+vw+wu={q}$ and $uvw={r}$ by "
        rf"Vieta. The new volume is $(u+{c})(v+{c})(w+{c})=uvw+{c}(uv+vw+wu)+{c**2}(u+v+w)"
        rf"+{c**3}={r}+{c * q}+{c * c * p}+{c**3}={value}$, and the edges themselves are "
        rf"never needed.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "p": p, "q": q, "r": r, "c": c},
    )


def _cubes_of_roots(rng: Random, story: Story) -> Draft:
    p, q, r = _cubic(rng)
    value = p**3 - 3 * p * q + 3 * r
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The equation $t(t^2+{q})={p}t^2{signed(r)}$ has three different real solutions. "
            rf"Each of them is raised to the third power. Compute the total of the results.",
        ),
        solution=rf"In normal form the equation is ${polynomial([1, -p, q, -r], 't')}=0$, so its "
        rf"solutions have sum $e_1={p}$, pairwise products with sum $e_2={q}$ and product "
        rf"$e_3={r}$. The first power sums are $s_1={p}$ and $s_2=e_1^2-2e_2={p * p - 2 * q}$. "
        rf"Adding the equation over its three solutions gives $s_3=e_1s_2-e_2s_1+3e_3="
        rf"{p}\cdot {p * p - 2 * q}-{q}\cdot {p}+3\cdot {r}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "p": p, "q": q, "r": r},
    )


def _pairwise_sums(rng: Random, story: Story) -> Draft:
    p, q, r = _cubic(rng)
    value = r - p * q
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A monic cubic $g$ vanishes at $a+b$, $b+c$ and $c+a$, where $a,b,c$ are the points "
            rf"at which the graph of $f(x)={polynomial([1, -p, q, -r])}$ meets the horizontal "
            rf"axis. What is the constant term of $g$?",
        ),
        solution=rf"The constant term is $g(0)=-(a+b)(b+c)(c+a)$. Because $a+b+c={p}$, the three "
        rf"factors are ${p}-c$, ${p}-a$ and ${p}-b$, so their product is $f({p})={p}^3-{p}\cdot "
        rf"{p}^2+{q}\cdot {p}-{r}={p * q - r}$. Hence $g(0)={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "p": p, "q": q, "r": r},
    )


def _sum_and_squares(rng: Random, story: Story) -> Draft:
    s = rng.randint(3, 12)
    product = rng.choice([k for k in range(-15, 16) if k and 4 * k < s * s])
    squares = s * s - 2 * product
    value = s**3 - 3 * s * product
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Real numbers $x$ and $y$ satisfy $x+y={s}$ and $x^2+y^2={squares}$. Evaluate "
            rf"$x^3+y^3$.",
        ),
        solution=rf"Squaring the first equation, $2xy={s}^2-{squares}={2 * product}$, so "
        rf"$xy={product}$. Then $x^3+y^3=(x+y)\left((x+y)^2-3xy\right)={s}\left({s * s}"
        rf"{signed(-3 * product)}\right)={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "s": s, "squares": squares},
    )


def _three_power_sums(rng: Random, story: Story) -> Draft:
    a, b, c = (rng.randint(-4, 6) for _ in range(3))
    while a * b * c * (a + b + c) == 0 or len({a, b, c}) < 3:
        a, b, c = (rng.randint(-4, 6) for _ in range(3))
    p1, p2, p3 = (a**k + b**k + c**k for k in (1, 2, 3))
    pairs = (p1 * p1 - p2) // 2
    value = a * b * c
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Three numbers add up to ${p1}$, their squares add up to ${p2}$, and their cubes add "
            rf"up to ${p3}$. What is the product of the three numbers?",
        ),
        solution=rf"Write $e_1,e_2,e_3$ for the sum, the sum of pairwise products and the product. "
        rf"Then $e_1={p1}$ and $e_2=\frac{{e_1^2-{p2}}}{{2}}={pairs}$. The identity "
        rf"$a^3+b^3+c^3-3abc=(a+b+c)(a^2+b^2+c^2-ab-bc-ca)$ reads ${p3}-3e_3={p1}"
        rf"\left({p2}{signed(-pairs)}\right)={p1 * (p2 - pairs)}$. Therefore $e_3={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "p1": p1, "p2": p2, "p3": p3},
    )


def _hidden_quadratic(rng: Random, story: Story) -> Draft:
    while True:
        s, p = rng.randint(5, 14), rng.randint(2, 24)
        # Only the assignment (sum, product) = (s, p) may give real numbers, not its swap.
        if s * s >= 4 * p and p * p < 4 * s and s != p:
            break
    u, v, value = s + p, s * p, s * s - 2 * p
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Two real numbers $x,y$ are such that $x+y+xy={u}$ and $x^2y+xy^2={v}$. Find all "
            rf"possible values of $x^2+y^2$.",
        ),
        solution=rf"Let $\sigma=x+y$ and $\pi=xy$. The equations say $\sigma+\pi={u}$ and "
        rf"$\sigma\pi={v}$, so $\sigma$ and $\pi$ are the zeros ${s}$ and ${p}$ of "
        rf"${polynomial([1, -u, v], 'z')}$ in some order. Real $x,y$ require $\sigma^2\ge 4\pi$. "
        rf"For $\sigma={p}$, $\pi={s}$ this fails, since ${p * p}<{4 * s}$; for $\sigma={s}$, "
        rf"$\pi={p}$ it holds. So $x^2+y^2=\sigma^2-2\pi={s * s}-{2 * p}={value}$ is the only "
        rf"value.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "u": u, "v": v},
    )


def _secret_pair(rng: Random, story: Story) -> Draft:
    s = rng.randint(3, 9)
    product = rng.choice([k for k in range(1, s * s // 4 + 1) if 4 * k < s * s])
    n = rng.choice((4, 5))
    squares = s * s - 2 * product
    value = (
        squares**2 - 2 * product**2
        if n == 4
        else squares * (s**3 - 3 * s * product) - product**2 * s
    )
    step = (
        rf"x^4+y^4=(x^2+y^2)^2-2(xy)^2={squares}^2-2\cdot {product}^2"
        if n == 4
        else rf"x^5+y^5=(x^2+y^2)(x^3+y^3)-(xy)^2(x+y)={squares}\cdot {s**3 - 3 * s * product}"
        rf"-{product}^2\cdot {s}"
    )
    return Draft(
        statement=rf"{story.hero} has chosen two secret numbers and tells {story.rival} only that "
        rf"their sum is ${s}$ and that the area of a rectangle with these side lengths is "
        rf"${product}$. {story.rival} answers: that is enough to know the sum of their "
        rf"{ordinal(n)} powers! Which number does {story.rival} have in mind?",
        solution=rf"With $x+y={s}$ and $xy={product}$ we get $x^2+y^2={s}^2-2\cdot {product}="
        rf"{squares}$"
        + (
            ""
            if n == 4
            else rf" and $x^3+y^3={s}^3-3\cdot {product}\cdot {s}={s**3 - 3 * s * product}$"
        )
        + rf". Now ${step}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "s": s, "p": product, "n": n},
    )


def _even_coefficients(rng: Random, story: Story) -> Draft:
    a, b, c, n = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 3), rng.randint(4, 7)
    plus, minus = (a + b + c) ** n, (a - b + c) ** n
    value = (plus + minus) // 2
    middle = f"({a - b + c})" if a - b + c < 0 else str(a - b + c)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Expand $({polynomial([a, b, c])})^{{{n}}}$ in powers of $x$. Find the sum of the "
            rf"coefficients of $x^0,x^2,x^4,\dots,x^{{{2 * n}}}$.",
        ),
        solution=rf"Call the polynomial $P$. In $P(1)$ every coefficient counts once, in $P(-1)$ "
        rf"those of odd powers change sign. So the wanted sum is $\frac{{P(1)+P(-1)}}{{2}}="
        rf"\frac{{{a + b + c}^{{{n}}}+{middle}^{{{n}}}}}{{2}}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "a": a, "b": b, "c": c, "n": n},
    )


def _every_third(rng: Random, story: Story) -> Draft:
    n, r = rng.randint(5, 12), rng.randint(0, 2)
    value = 3 ** (n - 1)
    shift = f"x^{{-{r}}}" if r else ""
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $(1+x+x^2)^{{{n}}}=a_0+a_1x+\cdots+a_{{{2 * n}}}x^{{{2 * n}}}$. Prove that the "
            rf"sum $a_{{{r}}}+a_{{{r + 3}}}+a_{{{r + 6}}}+\cdots$ over every third coefficient is "
            rf"a power of $3$, and give its value.",
        ),
        solution=rf"Let $\omega\ne 1$ be a cube root of unity. Then $1+\omega+\omega^2=0$, so the "
        rf"polynomial vanishes at $\omega$ and at $\omega^2$. The average of ${shift}"
        rf"(1+x+x^2)^{{{n}}}$ over $x=1,\omega,\omega^2$ keeps exactly the coefficients whose "
        rf"index leaves remainder ${r}$ modulo $3$; hence their sum is $\frac{{3^{{{n}}}+0+0}}"
        rf"{{3}}=3^{{{n - 1}}}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "n": n, "r": r},
    )


def _even_total(rng: Random, story: Story) -> Draft:
    n, top = rng.randint(4, 9), rng.choice((2, 4))
    value = ((top + 1) ** n + 1) // 2
    body = "+".join(["1", "x", *(f"x^{k}" for k in range(2, top + 1))])
    return Draft(
        statement=rf"There are ${n}$ numbered boxes at {story.place}. Into each box {story.hero} "
        rf"puts at least $0$ and at most ${top}$ {story.things}, all alike. In how many ways can "
        rf"this be done if the total number of {story.things} used must be even?",
        solution=rf"One box contributes the polynomial $f(x)={body}$, so the number of ways to use "
        rf"$m$ {story.things} is the coefficient of $x^m$ in $f(x)^{{{n}}}$. Averaging the values "
        rf"at $1$ and $-1$ leaves the even exponents. As $f(1)={top + 1}$ and $f(-1)=1$, the "
        rf"count is $\frac{{{top + 1}^{{{n}}}+1}}{{2}}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "n": n, "top": top},
    )


def _binomials_in_steps(rng: Random, story: Story) -> Draft:
    n = rng.randint(8, 20)
    double_cosine = {0: 2, 1: 1, 2: -1, 3: -2, 4: -1, 5: 1}[n % 6]
    value = (2**n + double_cosine) // 3
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Only the entries with a position divisible by three are kept in the row of Pascal's "
            rf"triangle that starts $1,{n},\dots$. In other words, find $\binom{{{n}}}{{0}}+"
            rf"\binom{{{n}}}{{3}}+\binom{{{n}}}{{6}}+\cdots$.",
        ),
        solution=rf"Insert the three cube roots of unity $1,\omega,\omega^2$ into $(1+x)^{{{n}}}$ "
        rf"and add: because $1+\omega^k+\omega^{{2k}}$ is $3$ if $3\mid k$ and $0$ otherwise, "
        rf"three times the wanted sum equals $2^{{{n}}}+(1+\omega)^{{{n}}}+(1+\omega^2)^{{{n}}}$. "
        rf"Here $1+\omega$ and $1+\omega^2$ are the conjugate sixth roots of unity "
        rf"$e^{{\pm i\pi/3}}$, so the last two terms give $2\cos\frac{{{n}\pi}}{{3}}="
        rf"{double_cosine}$. The sum is $\frac{{2^{{{n}}}{signed(double_cosine)}}}{{3}}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "n": n},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="alg-cubic-roots",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Polynomials", "Roots and Coefficients"),
        technique="symmetric-functions",
        moves=("vieta", "express-by-elementary-symmetric", "newton-identities"),
        key_ideas=(
            "The roots are never computed; their elementary symmetric functions are read off the "
            "coefficients, and the requested symmetric expression is written in terms of them.",
            "Use the relations between roots and coefficients, then rewrite the symmetric quantity "
            "through sum, pairwise products and product of the roots.",
        ),
        forms=(_reciprocals, _enlarged_box, _cubes_of_roots, _pairwise_sums),
    ),
    Family(
        key="alg-symmetric-system",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Equations", "Systems of Equations"),
        technique="symmetric-functions",
        moves=("express-by-elementary-symmetric", "newton-identities", "vieta"),
        key_ideas=(
            "Replace the unknowns by their sum and product, which the symmetric conditions "
            "determine, and express the wanted power sum through these two quantities.",
            "Because all conditions are symmetric, pass to elementary symmetric functions of the "
            "unknowns; power sums then follow without finding the unknowns themselves.",
        ),
        forms=(_sum_and_squares, _three_power_sums, _hidden_quadratic, _secret_pair),
    ),
    Family(
        key="alg-coefficient-filter",
        domains=(Domain.ALGEBRA, Domain.COMBINATORICS),
        topic=("Algebra", "Polynomials", "Coefficients"),
        technique="generating-function",
        moves=("roots-of-unity-filter", "evaluate-polynomial", "encode-as-coefficients"),
        key_ideas=(
            "Evaluating the generating polynomial at all roots of unity of a suitable order and "
            "averaging keeps exactly the coefficients whose index lies in one residue class.",
            "Coefficients at equally spaced positions are isolated by averaging the values of the "
            "polynomial at roots of unity, most of which are easy to compute.",
        ),
        forms=(_even_coefficients, _every_third, _even_total, _binomials_in_steps),
    ),
)
