"""One pool after another, each distinct text tokenised once, a death costs its own pools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from saber_mteb.benchmark import Pool
from saber_mteb.systems.lexical.ranking import jaccard
from saber_mteb.systems.lexical.system import LexicalSystem
from saber_mteb.systems.lexical.tokens import math_aware
from saber_mteb.systems.registry import build_system, find_card

MakePool = Callable[..., Pool]
MATH_AWARE = ("bm25", "tf-idf", "jaccard")
NO_TOK = ("bm25-no-tok", "tf-idf-no-tok", "jaccard-no-tok")


def test_each_distinct_text_is_tokenised_once_over_all_pools(make_pool: MakePool) -> None:
    asked: list[str] = []

    def tokenize(texts: Sequence[str]) -> list[list[str]]:
        asked.extend(texts)
        return [text.split() for text in texts]

    system = LexicalSystem(lambda: nullcontext(tokenize), jaccard)
    pools = [make_pool("a", "a b", "c"), make_pool("c", "a", "a b"), make_pool("a", "a b", "c")]
    answers = list(system.score(pools))
    assert sorted(asked) == ["a", "a b", "c"]
    assert [answer.scores.tolist() for answer in answers] == [[0.5, 0.0], [0.0, 0.0], [0.5, 0.0]]


def test_answers_stream(make_pool: MakePool) -> None:
    """The first answer is there before the second pool is read."""

    def tokenize(texts: Sequence[str]) -> list[list[str]]:
        if "late" in texts:
            raise AssertionError("read too early")
        return [text.split() for text in texts]

    system = LexicalSystem(lambda: nullcontext(tokenize), jaccard)
    answers = system.score([make_pool("a", "a"), make_pool("late", "a")])
    assert next(answers).scores.tolist() == [1.0]


@pytest.mark.parametrize("order", ["ABORT", "KILL", "EXIT", "RAISE"])
def test_a_death_costs_the_pools_that_need_the_text(
    fake_library: Path, make_pool: MakePool, order: str
) -> None:
    system = LexicalSystem(partial(math_aware, fake_library), jaccard)
    bad = f"$x$ ${order}$"
    pools = [
        make_pool("$x y$ a", "$x$ a", "b"),
        make_pool("a", "a", bad, "b"),
        make_pool("b", "$x$ a", "b"),
        make_pool(bad, "a"),
        make_pool("$x y$ a", "$x$ a", "b"),
    ]
    answers = list(system.score(pools))
    assert [answer.scores is None for answer in answers] == [False, True, False, True, False]
    assert all(bad in (answers[place].failure or "") for place in (1, 3))
    np.testing.assert_array_equal(answers[0].scores, answers[4].scores)
    assert answers[2].scores.tolist() == [0.0, 1.0]


def test_a_hang_costs_the_pools_that_need_the_text(fake_library: Path, make_pool: MakePool) -> None:
    system = LexicalSystem(partial(math_aware, fake_library, timeout=0.3), jaccard)
    answers = list(system.score([make_pool("a", "$HANG$"), make_pool("a", "$x$ a", "a")]))
    assert answers[0].scores is None
    assert "longer than 0.3 s" in (answers[0].failure or "")
    assert answers[1].scores.tolist() == [0.5, 1.0]


@pytest.mark.parametrize("key", [*MATH_AWARE, *NO_TOK])
def test_every_card_prefers_the_same_mathematics(
    key: str, make_pool: MakePool, request: pytest.FixtureRequest
) -> None:
    if key in MATH_AWARE:
        request.getfixturevalue("pya0_library")
    pool = make_pool(
        r"Find the minimum of $\frac{a}{b}+\frac{b}{a}$ for positive reals",
        r"Show that $\frac{a}{b}+\frac{b}{a} \ge 2$ for positive reals",
        "How many subsets of a ten element set have even size?",
        "A train leaves the station at noon.",
        "",
    )
    (answer,) = build_system(find_card(key)).score([pool])
    assert answer.scores.argmax() == 0
    assert answer.scores[3] == 0.0


def test_math_aware_equals_the_packages_on_pya0_tokens(
    pya0_library: Path, make_pool: MakePool
) -> None:
    """TF-IDF as the reference runs it: TfidfVectorizer with a tokeniser and ``lowercase=False``."""
    import pya0
    from rank_bm25 import BM25Okapi
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.metrics.pairwise import cosine_similarity

    from saber_mteb.systems.lexical.tokens import split_math

    def tokens(text: str) -> list[str]:
        formulas, words = split_math(text)
        return [str(t[0]) for formula in formulas for t in pya0.tokenize(formula)] + words

    documents = [
        r"Let $x^2+y^2=z^2$ be a Triple. Solve for $x$.",
        r"The triple $a_n = 2^n$ of 12 numbers \(a, b\)",
        r"\[\int_0^1 x\,dx\] equals a half",
        "words only, and solve",
        r"$\sin x + \cos x$",
    ]
    pool = make_pool(r"Solve $x^2 = 2$ for the triple", *documents)
    (bm25,) = build_system(find_card("bm25")).score([pool])
    expected = BM25Okapi([tokens(text) for text in documents]).get_scores(tokens(pool.query))
    np.testing.assert_allclose(bm25.scores, expected, rtol=1e-9)
    vectorizer = TfidfVectorizer(tokenizer=tokens, token_pattern=None, lowercase=False)
    fitted = vectorizer.fit_transform(documents)
    (tf_idf,) = build_system(find_card("tf-idf")).score([pool])
    expected = cosine_similarity(vectorizer.transform([pool.query]), fitted)[0]
    np.testing.assert_allclose(tf_idf.scores, expected, rtol=1e-9)
