"""Algebra: means, Cauchy-Schwarz, sums of squares."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.family import Draft, Family, Story
from saber_mteb.construction.mini.stories import dressed
from saber_mteb.construction.mini.wording import signed, surd, tex

if TYPE_CHECKING:
    from random import Random


def _two_brackets(rng: Random, story: Story) -> Draft:
    p, q = rng.sample(range(1, 10), 2)
    a, b, value = p * p, q * q, (p + q) ** 2
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"For positive real $x$, what is the least value of "
            rf"$\frac{{(x+{a})(x+{b})}}{{x}}$?",
        ),
        solution=rf"Expanding, the expression is $x+\frac{{{a * b}}}{{x}}+{a + b}$. The arithmetic "
        rf"mean of $x$ and $\frac{{{a * b}}}{{x}}$ is at least their geometric mean, so "
        rf"$x+\frac{{{a * b}}}{{x}}\ge 2\sqrt{{{a * b}}}={2 * p * q}$, with equality for "
        rf"$x={p * q}$. The minimum is ${2 * p * q}+{a + b}={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "a": a, "b": b},
    )


def _open_box(rng: Random, story: Story) -> Draft:
    m = rng.randint(2, 15)
    volume, value = 4 * m**3, 12 * m * m
    return Draft(
        statement=rf"{story.hero} folds an open crate for {story.place}: square base, vertical "
        rf"walls, no lid. It has to hold ${volume}$ cubic decimetres. How many square decimetres "
        rf"of sheet metal are needed at the very least?",
        solution=rf"With base edge $s$ the height is $\frac{{{volume}}}{{s^2}}$, so the metal "
        rf"measures $s^2+4s\cdot\frac{{{volume}}}{{s^2}}=s^2+\frac{{{2 * volume}}}{{s}}+"
        rf"\frac{{{2 * volume}}}{{s}}$. The product of these three terms does not depend on $s$; "
        rf"it is ${2 * volume}^2={4 * m * m}^3$. By AM-GM their sum is at least "
        rf"$3\cdot {4 * m * m}={value}$, and $s={2 * m}$ makes the three terms equal. So the "
        rf"answer is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "volume": volume},
    )


def _weighted_product(rng: Random, story: Story) -> Draft:
    m, c = rng.randint(2, 12), rng.randint(1, 3)
    total, value = 3 * m, Fraction(4 * m**3, c)
    term = "y" if c == 1 else f"{c}y"
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Nonnegative numbers $x$ and $y$ are subject to $x+{term}={total}$. How large can "
            rf"$x^2y$ become?",
        ),
        solution=rf"Split $x$ into two equal halves. Then "
        rf"$\frac{{x}}{{2}}\cdot\frac{{x}}{{2}}\cdot "
        rf"{term}\le\left(\frac{{1}}{{3}}\left(\frac{{x}}{{2}}+\frac{{x}}{{2}}+{term}\right)"
        rf"\right)^3={m}^3$, because a geometric mean never exceeds the arithmetic one. Hence "
        rf"$x^2y\le {tex(Fraction(4, c))}\cdot {m**3}={tex(value)}$, attained for $x={2 * m}$ and "
        rf"${term}={m}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 3, "total": total, "c": c},
    )


def _three_shifts(rng: Random, story: Story) -> Draft:
    p, a = rng.randint(2, 6), rng.randint(1, 7)
    value = (a + p) ** 3
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"The product of three positive numbers is ${p**3}$. To each of them ${a}$ is added. "
            rf"Find the smallest possible product of the three new numbers.",
        ),
        solution=rf"Let the numbers be $u,v,w$. Then $(u+{a})(v+{a})(w+{a})=uvw+{a}(uv+vw+wu)+"
        rf"{a * a}(u+v+w)+{a**3}$. From $uvw={p**3}$ the inequality of the means gives "
        rf"$u+v+w\ge {3 * p}$ and $uv+vw+wu\ge 3\sqrt[3]{{(uvw)^2}}={3 * p * p}$. The product is "
        rf"therefore at least ${p**3}+{3 * a * p * p}+{3 * a * a * p}+{a**3}={value}$, and "
        rf"$u=v=w={p}$ reaches it.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "product": p**3, "a": a},
    )


def _fractions_with_sum(rng: Random, story: Story) -> Draft:
    a, b, c = rng.sample(range(1, 9), 3)
    s = rng.randint(2, 12)
    value = Fraction((a + b + c) ** 2, s)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Let $x,y,z>0$ with $x+y+z={s}$. Minimise $\frac{{{a * a}}}{{x}}+\frac{{{b * b}}}"
            rf"{{y}}+\frac{{{c * c}}}{{z}}$.",
        ),
        solution=rf"By the Cauchy-Schwarz inequality $(x+y+z)\left(\frac{{{a}^2}}{{x}}+"
        rf"\frac{{{b}^2}}{{y}}+\frac{{{c}^2}}{{z}}\right)\ge ({a}+{b}+{c})^2={(a + b + c) ** 2}$. "
        rf"Dividing by ${s}$ shows that the sum is at least ${tex(value)}$. Equality holds when "
        rf"$x:y:z={a}:{b}:{c}$, so the minimum is ${tex(value)}$.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 1, "a": a, "b": b, "c": c, "s": s},
    )


def _linear_on_sphere(rng: Random, story: Story) -> Draft:
    a, b, c = rng.choice(((1, 2, 2), (2, 3, 6), (1, 4, 8), (4, 4, 7), (2, 6, 9), (6, 6, 7)))
    r, e = rng.randint(2, 9), rng.choice((1, -1))
    norm = isqrt(a * a + b * b + c * c)
    value = r * norm
    first = "x" if a == 1 else f"{a}x"
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"A point $(x,y,z)$ has distance exactly ${r}$ from the origin. Which maximum can "
            rf"${first}{'+' if e > 0 else '-'}{b}y+{c}z$ reach?",
        ),
        solution=rf"The expression is the scalar product of $({a},{e * b},{c})$ and $(x,y,z)$. "
        rf"Cauchy-Schwarz bounds it by the product of the lengths, $\sqrt{{{a}^2+{b}^2+{c}^2}}"
        rf"\cdot {r}={norm}\cdot {r}={value}$. A point in the direction of $({a},{e * b},{c})$ "
        rf"attains the bound, so the maximum is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "a": a, "b": e * b, "c": c, "r": r},
    )


def _two_roots(rng: Random, story: Story) -> Draft:
    p, width = rng.randint(-5, 9), rng.randint(2, 20)
    m, n = rng.randint(1, 7), rng.randint(1, 7)
    q, square = p + width, (m * m + n * n) * width
    answer = surd(square)
    left = "" if m == 1 else str(m)
    right = "" if n == 1 else str(n)
    inner = f"x{signed(-p)}" if p else "x"
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Find the greatest value of the function $h(x)={left}\sqrt{{{inner}}}+{right}"
            rf"\sqrt{{{q}-x}}$ on its domain, without calculus.",
        ),
        solution=rf"Regard $h(x)$ as the scalar product of the vectors $({m},{n})$ and $(\sqrt{{"
        rf"{inner}}},\sqrt{{{q}-x}})$. The second one always has squared length $({inner})+({q}-x)"
        rf"={width}$. Hence $h(x)^2\le({m}^2+{n}^2)\cdot {width}={square}$. When $\frac{{{inner}}}"
        rf"{{{q}-x}}=\frac{{{m}^2}}{{{n}^2}}$, which happens inside the domain, both sides agree. "
        rf"The greatest value is ${answer}$.",
        answer=answer,
        value=f"sqrt({square})",
        parameters={"form": 3, "p": p, "q": q, "m": m, "n": n},
    )


def _search_times(rng: Random, story: Story) -> Draft:
    a, b, c = rng.sample(range(1, 8), 3)
    s = rng.choice([k for k in range(10, 61) if (a + b + c) ** 2 % k == 0 or k % 10 == 0])
    value = Fraction((a + b + c) ** 2, s)
    return Draft(
        statement=rf"Three helpers sort {story.things} at {story.place}. If a share $u$ of the "
        rf"${s}$ litres of coffee goes to a helper, that helper needs $\frac{{w}}{{u}}$ hours, "
        rf"where $w$ is ${a * a}$ for the first, ${b * b}$ for the second and ${c * c}$ for the "
        rf"third helper, and $u$ is measured in litres. {story.hero} wants to keep the total of "
        rf"the three working times as small as possible. How many hours is it then?",
        solution=rf"For positive shares $u_1+u_2+u_3={s}$, the squares ${a}^2,{b}^2,{c}^2$ in the "
        rf"numerators suggest Titu's form of the Cauchy inequality: the total time is at least "
        rf"$\frac{{({a}+{b}+{c})^2}}{{u_1+u_2+u_3}}=\frac{{{(a + b + c) ** 2}}}{{{s}}}$"
        rf". Shares proportional to ${a},{b},{c}$ turn this into an equality. The least total is "
        rf"${tex(value)}$ hours.",
        answer=tex(value),
        value=str(value),
        parameters={"form": 4, "a": a, "b": b, "c": c, "s": s},
    )


def _vanishing_squares(rng: Random, story: Story) -> Draft:
    b, k, a = rng.randint(2, 9), rng.randint(2, 5), rng.randint(1, 9)
    constant, value = b * b + a * a, b + k * b + a
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Real numbers $x,y,z$ satisfy $x^2+{k * k + 1}y^2+z^2+{constant}="
            rf"{2 * k}xy+{2 * b}y+{2 * a}z$. Determine $x+y+z$.",
        ),
        solution=rf"Bring everything to one side and group: $(x^2-{2 * k}xy+{k * k}y^2)+"
        rf"(y^2-{2 * b}y+{b * b})+(z^2-{2 * a}z+{a * a})=0$, that is $(x-{k}y)^2+(y-{b})^2+"
        rf"(z-{a})^2=0$. Squares of real numbers are never negative, so each one vanishes: "
        rf"$y={b}$, $x={k * b}$, $z={a}$. The sum is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 1, "k": k, "b": b, "a": a},
    )


def _least_quadratic(rng: Random, story: Story) -> Draft:
    k, c, d = rng.randint(2, 5), rng.randint(1, 6), rng.randint(1, 6)
    value = rng.randint(1, 20)
    # (x - k y - c)^2 + (y - d)^2 + value, multiplied out.
    y2, y1, constant = k * k + 1, 2 * k * c - 2 * d, c * c + d * d + value
    kxy = f"{2 * k}xy"
    y_term = f"{signed(y1)}y".replace("+1y", "+y").replace("-1y", "-y") if y1 else ""
    tail = signed(constant) if constant else ""
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"What is the smallest number that the expression $x^2-{kxy}+{y2}y^2-{2 * c}x"
            rf"{y_term}{tail}$ can take when $x$ and $y$ are arbitrary real numbers?",
        ),
        solution=rf"Complete the square in $x$ first: the terms with $x$ belong to $(x-"
        rf"{k}y-{c})^2=x^2-{kxy}{signed(k * k)}y^2-{2 * c}x+{2 * k * c}y+{c * c}"
        rf"$. What remains is $y^2-{2 * d}y{signed(constant - c * c)}=(y-{d})^2{signed(value)}$. "
        rf"Both squares vanish for $y={d}$, $x={k * d + c}$, so the minimum is ${value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 2, "k": k, "c": c, "y1": y1, "constant": constant},
    )


def _roots_and_sum(rng: Random, story: Story) -> Draft:
    a, b, c = rng.sample(range(1, 10), 3)
    p, q, r = (rng.randint(1, 5) for _ in range(3))
    shift = p * p + q * q + r * r - a - b - c
    value = (a + p * p) * (b + q * q) * (c + r * r)
    return Draft(
        statement=dressed(
            rng,
            story,
            rf"Solve in real numbers: $x+y+z{signed(shift) if shift else ''}={2 * p}\sqrt{{x-{a}}}+"
            rf"{2 * q}\sqrt{{y-{b}}}+{2 * r}\sqrt{{z-{c}}}$, and state the product $xyz$.",
        ),
        solution=rf"Put everything on the left and note that $x-{a}$ is the square of "
        rf"$\sqrt{{x-{a}}}$, and likewise for $y$ and $z$. The equation becomes "
        rf"$(\sqrt{{x-{a}}}-{p})^2+(\sqrt{{y-{b}}}-{q})^2+(\sqrt{{z-{c}}}-{r})^2=0$, because the "
        rf"constants ${p * p}+{q * q}+{r * r}-{a}-{b}-{c}={shift}$ match. All three brackets are "
        rf"zero, so $x={a + p * p}$, $y={b + q * q}$, $z={c + r * r}$ and $xyz={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 3, "a": a, "b": b, "c": c, "p": p, "q": q, "r": r},
    )


def _four_in_a_row(rng: Random, story: Story) -> Draft:
    d, c = rng.randint(1, 4), rng.randint(2, 40)
    value = c - d**4
    return Draft(
        statement=rf"{story.hero} thinks of any real number and writes down this number and the "
        rf"numbers that are ${d}$, ${2 * d}$ and ${3 * d}$ larger. The four numbers are "
        rf"multiplied and ${c}$ is added. {story.rival} wins a {story.thing} if the result is "
        rf"smaller than a limit $L$. For which largest $L$ can {story.rival} certainly not win?",
        solution=rf"Multiply the outer pair and the inner pair: $x(x+{3 * d})=x^2+{3 * d}x$ and "
        rf"$(x+{d})(x+{2 * d})=x^2+{3 * d}x+{2 * d * d}$. With $t=x^2+{3 * d}x+{d * d}$ the "
        rf"product "
        rf"is $(t-{d * d})(t+{d * d})=t^2-{d**4}$, so the result is $t^2-{d**4}+{c}\ge {value}$. "
        rf"The discriminant ${9 * d * d}-{4 * d * d}$ of $t=0$ is positive, so a real $x$ with "
        rf"$t=0$ exists and the minimum is attained. The limit is $L={value}$.",
        answer=str(value),
        value=str(value),
        parameters={"form": 4, "d": d, "c": c},
    )


FAMILIES: tuple[Family, ...] = (
    Family(
        key="alg-arithmetic-geometric-mean",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Inequalities", "Extrema under Constraints"),
        technique="mean-inequality",
        moves=("am-gm", "equality-case", "split-terms-evenly"),
        key_ideas=(
            "Split the expression into positive terms with constant product or sum, apply the "
            "inequality between arithmetic and geometric mean, and check the case of equality.",
            "The inequality of the means bounds the quantity once its terms are balanced so that "
            "the bound is constant; equal terms show that it is attained.",
        ),
        forms=(_two_brackets, _open_box, _weighted_product, _three_shifts),
    ),
    Family(
        key="alg-cauchy-schwarz",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Inequalities", "Cauchy-Schwarz Inequality"),
        technique="mean-inequality",
        moves=("cauchy-schwarz", "equality-case", "scalar-product"),
        key_ideas=(
            "Read the expression as part of a scalar product and bound it by the product of "
            "lengths; proportional vectors show that the bound is reached.",
            "The Cauchy-Schwarz inequality, with squares hidden in the numerators or coefficients, "
            "gives a constant bound, which is attained exactly for proportional entries.",
        ),
        forms=(_fractions_with_sum, _linear_on_sphere, _two_roots, _search_times),
    ),
    Family(
        key="alg-sum-of-squares",
        domains=(Domain.ALGEBRA,),
        topic=("Algebra", "Equations", "Quadratic Expressions"),
        technique="completing-square",
        moves=("complete-square", "squares-nonnegative", "equality-case"),
        key_ideas=(
            "Regroup the terms into squares plus a constant; real squares cannot be negative, "
            "which yields the extreme value or forces every square to vanish.",
            "Completing squares reveals the expression as a sum of nonnegative parts, so its "
            "minimum or its only real zero can be read off immediately.",
        ),
        forms=(_vanishing_squares, _least_quadratic, _roots_and_sum, _four_in_a_row),
    ),
)
