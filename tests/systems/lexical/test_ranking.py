"""The three scores equal those of the packages that define them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from saber_mteb.benchmark import Pool, Setting
from saber_mteb.systems.lexical.ranking import bm25, jaccard, tf_idf
from saber_mteb.systems.lexical.terms import PoolTerms, Vocabulary, lay_out
from saber_mteb.systems.registry import build_system, find_card

Tokens = list[str]
Scores = NDArray[np.float64]


def by_rank_bm25(query: Tokens, documents: list[Tokens]) -> Scores:
    if not any(documents):
        return np.zeros(len(documents))  # rank_bm25 divides by zero
    return BM25Okapi(documents).get_scores(query)


def by_scikit_learn(query: Tokens, documents: list[Tokens]) -> Scores:
    if not any(documents):
        return np.zeros(len(documents))  # scikit-learn refuses an empty vocabulary
    vectorizer = TfidfVectorizer(analyzer=list)
    fitted = vectorizer.fit_transform(documents)
    return cosine_similarity(vectorizer.transform([query]), fitted)[0]


def by_sets(query: Tokens, documents: list[Tokens]) -> Scores:
    pairs = [(set(query), set(document)) for document in documents]
    return np.array([len(a & b) / len(a | b) if a | b else 0.0 for a, b in pairs])


def ours_bm25(query: Tokens, documents: list[Tokens]) -> Scores:
    return bm25(pool_of(query, documents), k1=1.5, b=0.75, epsilon=0.25)


def ours_tf_idf(query: Tokens, documents: list[Tokens]) -> Scores:
    return tf_idf(pool_of(query, documents))


def ours_jaccard(query: Tokens, documents: list[Tokens]) -> Scores:
    return jaccard(pool_of(query, documents))


def pool_of(query: Tokens, documents: list[Tokens]) -> PoolTerms:
    vocabulary = Vocabulary()
    vocabulary.intern(["in", "no", "document"])  # numbers do not start at the pool's own terms
    terms = [vocabulary.intern(tokens) for tokens in (query, *documents)]
    return lay_out(vocabulary, terms[0], terms[1:])


PAIRS = [(ours_bm25, by_rank_bm25), (ours_tf_idf, by_scikit_learn), (ours_jaccard, by_sets)]
Function = Callable[[Tokens, list[Tokens]], Scores]

# A small alphabet makes frequent terms (negative idf), repeats and overlaps the rule.
few = st.lists(st.sampled_from("abcdefgh"), max_size=12)
many = st.lists(st.text(min_size=1, max_size=3), max_size=8)
texts = st.one_of(few, many)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@given(query=texts, documents=st.lists(texts, min_size=1, max_size=12))
def test_equal_to_the_defining_package(
    ours: Function, theirs: Function, query: Tokens, documents: list[Tokens]
) -> None:
    np.testing.assert_allclose(
        ours(query, documents), theirs(query, documents), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_equal_on_a_pool_of_the_real_size(ours: Function, theirs: Function) -> None:
    generator = np.random.default_rng(5)
    words = generator.zipf(1.3, size=(151, 200)) % 5000
    query, *documents = [[str(word) for word in row] for row in words]
    np.testing.assert_allclose(
        ours(query, documents), theirs(query, documents), rtol=1e-9, atol=1e-9
    )


def test_bm25_by_hand() -> None:
    """Three documents of mean length: idf ln(2.5 / 1.5) times (1 · 2.5) / (1 + 1.5) = 1."""
    scores = ours_bm25(["x", "w"], [["x"], ["y"], ["z"]])
    np.testing.assert_allclose(scores, [0.5108256237659907, 0.0, 0.0])


def test_bm25_counts_a_repeated_query_token_again() -> None:
    documents = [["x", "a"], ["b"], ["c"], ["d"]]
    once, twice = ours_bm25(["x"], documents), ours_bm25(["x", "x"], documents)
    assert once[0] > 0
    np.testing.assert_allclose(twice, 2 * once)


@pytest.mark.parametrize("ours", [ours for ours, _ in PAIRS])
@pytest.mark.parametrize(
    ("query", "documents"),
    [([], [["a"], []]), (["a"], [[], []]), ([], [[]]), (["a"], [])],
    ids=["empty query", "no document has a token", "nothing at all", "no documents"],
)
def test_nothing_to_compare_scores_zero(
    ours: Function, query: Tokens, documents: list[Tokens]
) -> None:
    assert ours(query, documents).tolist() == [0.0] * len(documents)


def test_two_empty_sets_are_not_alike() -> None:
    assert ours_jaccard([], [[]]).tolist() == [0.0]


# From here on: the cards, from raw text to scores, against the packages fed with the same text.

weird = st.text(st.characters(exclude_categories=()), max_size=40)
wordy = st.lists(
    st.sampled_from(["Let", "let", "x", "$x^2$", "ΣΊΣΥΦΟΣ", "İ", "straße", "x_1", "a-b", "\u00a0"]),
    max_size=10,
).map(" ".join)
raw = st.one_of(weird, wordy)


def score(key: str, query: str, documents: list[str]) -> Scores:
    ids = tuple(str(row) for row in range(len(documents)))
    pool = Pool(Setting.STATEMENT_FULL, "0", query, ids, tuple(documents))
    (answer,) = build_system(find_card(key)).score([pool])
    assert answer.scores is not None
    return answer.scores


@given(query=raw, documents=st.lists(raw, min_size=1, max_size=6))
def test_bm25_no_tok_from_text(query: str, documents: list[str]) -> None:
    theirs = by_rank_bm25(query.lower().split(), [text.lower().split() for text in documents])
    np.testing.assert_allclose(score("bm25-no-tok", query, documents), theirs, rtol=1e-9, atol=1e-9)


@given(query=raw, documents=st.lists(raw, min_size=1, max_size=6))
def test_jaccard_no_tok_from_text(query: str, documents: list[str]) -> None:
    theirs = by_sets(query.lower().split(), [text.lower().split() for text in documents])
    assert score("jaccard-no-tok", query, documents).tolist() == theirs.tolist()


@given(query=raw, documents=st.lists(raw, min_size=1, max_size=6))
def test_tf_idf_no_tok_from_text(query: str, documents: list[str]) -> None:
    vectorizer = TfidfVectorizer()
    try:
        fitted = vectorizer.fit_transform(documents)
    except ValueError as error:
        assert "empty vocabulary" in str(error)
        theirs = np.zeros(len(documents))
    else:
        theirs = cosine_similarity(vectorizer.transform([query]), fitted)[0]
    np.testing.assert_allclose(
        score("tf-idf-no-tok", query, documents), theirs, rtol=1e-9, atol=1e-9
    )
