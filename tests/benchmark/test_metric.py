"""nDCG against pytrec_eval, a plain loop, all permutations, and its own laws.

Axes everywhere: rows are queries, columns are candidates.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.metric import Gain, ndcg

GAINS = {Gain.EXPONENTIAL: lambda g: 2.0**g - 1.0, Gain.LINEAR: lambda g: g}


def plain_ndcg(scores: list[float], grades: list[float], k: int, gain: Gain) -> float:
    """One query without ties, in loops, sharing nothing with the implementation."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    dcg = sum(GAINS[gain](grades[i]) / math.log2(r + 2) for r, i in enumerate(order[:k]))
    best = sorted((GAINS[gain](g) for g in grades), reverse=True)[:k]
    ideal = sum(g / math.log2(r + 2) for r, g in enumerate(best))
    return dcg / ideal if ideal else 0.0


def permuted_ndcg(scores: list[float], grades: list[float], k: int, gain: Gain) -> float:
    """The mean over every order that sorts the scores: the definition of expected nDCG."""
    values = []
    for order in itertools.permutations(range(len(scores))):
        ranked = [scores[i] for i in order]
        if ranked == sorted(ranked, reverse=True):
            fake = [0.0] * len(order)
            for position, i in enumerate(order):
                fake[i] = -float(position)
            values.append(plain_ndcg(fake, grades, k, gain))
    return sum(values) / len(values)


def test_worked_example() -> None:
    """Grades 5, 3.4, 2.6, 1.2, 0.3 ranked c, a, b, e, d."""
    grades = [5.0, 3.4, 2.6, 1.2, 0.3]
    scores = [4.0, 3.0, 5.0, 1.0, 2.0]
    assert ndcg([scores], [grades]).values[0] == pytest.approx(0.74613, abs=5e-6)
    linear = ndcg([scores], [grades], gain=Gain.LINEAR).values[0]
    assert linear == pytest.approx(0.88654, abs=5e-6)


def test_pytrec_eval_with_integer_gains() -> None:
    """trec_eval knows only integer gains: round(1000 (2^grade - 1)) makes them exponential."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    rng = np.random.default_rng(0)
    grades = rng.uniform(0, 5, size=(40, 150))
    scores = rng.normal(size=(40, 150)) + 0.3 * grades
    qrels = {
        str(q): {str(d): round(1000 * (2 ** grades[q, d] - 1)) for d in range(150)}
        for q in range(40)
    }
    run = {str(q): {str(d): float(scores[q, d]) for d in range(150)} for q in range(40)}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)
    ours = ndcg(scores, grades).values
    for q in range(40):
        assert ours[q] == pytest.approx(theirs[str(q)]["ndcg_cut_10"], abs=1e-5)


@given(st.data(), st.integers(1, 12), st.sampled_from(list(Gain)))
def test_plain_loop_without_ties(data: st.DataObject, k: int, gain: Gain) -> None:
    size = data.draw(st.integers(1, 12))
    grades = data.draw(st.lists(st.floats(0, 5), min_size=size, max_size=size))
    scores = [float(s) for s in data.draw(st.permutations(range(size)))]
    expected = plain_ndcg(scores, grades, k, gain)
    found = ndcg([scores], [grades], k=k, gain=gain)
    assert found.values[0] == pytest.approx(expected, abs=1e-12)
    assert not found.tied_cutoff[0]


@given(st.data(), st.integers(1, 6), st.sampled_from(list(Gain)))
def test_mean_over_all_permutations_of_ties(data: st.DataObject, k: int, gain: Gain) -> None:
    size = data.draw(st.integers(1, 6))
    grades = data.draw(st.lists(st.floats(0, 5), min_size=size, max_size=size))
    scores = data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=size, max_size=size))
    found = ndcg([scores], [grades], k=k, gain=gain).values[0]
    assert found == pytest.approx(permuted_ndcg(scores, grades, k, gain), abs=1e-12)


matrices = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 5), st.integers(1, 20)), elements=st.floats(0, 5)
)


@given(matrices, st.integers(1, 25), st.data())
def test_bounds_and_permutation_invariance(grades: np.ndarray, k: int, data: st.DataObject) -> None:
    scores = data.draw(hnp.arrays(np.float64, grades.shape, elements=st.sampled_from([0, 1, 2.5])))
    values = ndcg(scores, grades, k=k).values
    assert ((values >= 0) & (values <= 1)).all()
    columns = data.draw(st.permutations(range(grades.shape[1])))
    shuffled = ndcg(scores[:, columns], grades[:, columns], k=k).values
    np.testing.assert_allclose(shuffled, values, atol=1e-12)


@given(matrices, st.integers(1, 25))
def test_perfect_order_is_one(grades: np.ndarray, k: int) -> None:
    values = ndcg(grades, grades, k=k).values
    # Below 1e-300 a gain of 2^g - 1 is 0: such a query has nothing to find and scores 0.
    worth = (np.exp2(grades) - 1 > 0).any(axis=1)
    np.testing.assert_allclose(values[worth], 1.0, atol=1e-12)
    assert (values[~worth] == 0).all()


@given(matrices, st.integers(1, 25))
def test_constant_scorer_equals_the_random_expectation(grades: np.ndarray, k: int) -> None:
    values = ndcg(np.zeros_like(grades), grades, k=k).values
    gains = np.exp2(grades) - 1
    discounts = 1 / np.log2(np.arange(2, min(k, grades.shape[1]) + 2))
    ideal = -np.sort(-gains, axis=1)[:, :k] @ discounts
    expected = np.where(
        ideal > 0, gains.mean(axis=1) * discounts.sum() / np.maximum(ideal, 1e-300), 0
    )
    np.testing.assert_allclose(values, np.minimum(expected, 1), atol=1e-12)


@pytest.mark.parametrize(
    ("scores", "k", "tied"),
    [
        ([3, 2, 2, 1], 2, True),
        ([3, 3, 2, 1], 2, False),
        ([1, 1, 1, 1], 4, False),
        ([1, 1, 1, 1], 9, False),
        ([0, 1, 0, 1], 3, True),
        ([np.nan, 1, 1, 1], 2, False),
    ],
)
def test_tied_cutoff(scores: list[float], k: int, tied: bool) -> None:
    assert ndcg([scores], [[1, 2, 3, 4]], k=k).tied_cutoff.tolist() == [tied]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number_fails_its_query_only(bad: float) -> None:
    values = ndcg([[1.0, bad], [1.0, 0.0]], [[1, 0], [1, 0]]).values
    assert np.isnan(values[0])
    assert values[1] == 1.0


@pytest.mark.parametrize(
    ("scores", "grades", "k", "message"),
    [
        ([[1.0]], [[1.0, 2.0]], 10, r"shape \(1, 1\).*\(1, 2\)"),
        ([[1.0]], [[-1.0]], 10, "negative"),
        ([[1.0]], [[np.nan]], 10, "NaN"),
        ([[1.0]], [[1.0]], 0, "at least 1"),
        ([[]], [[]], 10, r"\(queries, candidates\)"),
    ],
)
def test_bad_input(scores: object, grades: object, k: int, message: str) -> None:
    with pytest.raises(SaberError, match=message):
        ndcg(scores, grades, k=k)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"gain": "nonsense"}, "no gain 'nonsense'"),
        ({"k": 1.5}, "whole number"),
        ({"grades": [[1000.0, 1.0]]}, "above 100"),
        ({"scores": [[1.0], [1.0, 2.0]]}, "no rectangular array"),
        ({"scores": [["a", "b"]]}, "no rectangular array"),
    ],
)
def test_arguments_of_the_wrong_kind(arguments: dict[str, object], message: str) -> None:
    given = {"scores": [[2.0, 1.0]], "grades": [[1.0, 5.0]], **arguments}
    with pytest.raises(SaberError, match=message):
        ndcg(given.pop("scores"), given.pop("grades"), **given)  # type: ignore[arg-type]


def test_a_gain_may_be_named() -> None:
    """A plain string is as good as the member: it must not fall back to the other gain."""
    values = [ndcg([[2.0, 1.0]], [[1.0, 5.0]], gain=g).values[0] for g in ("linear", Gain.LINEAR)]  # type: ignore[arg-type]
    assert values[0] == values[1]
    assert values[0] != ndcg([[2.0, 1.0]], [[1.0, 5.0]]).values[0]
