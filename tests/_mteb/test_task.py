"""The task inside `mteb.evaluate`: its own metric, exactly, and nothing unusable counted."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteb
import numpy as np
import pytest
import pytrec_eval

from saber_mteb._errors import SaberError, UsageError
from saber_mteb._mteb._metadata import QUERY_PROMPT
from saber_mteb._mteb.tasks import SABERMath, SABERMathMini, SaberTask, task_for
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Callable

    from saber_mteb.benchmark.records import Benchmark

HEADLINE = "statement-full"


def scores_of(model: object, task: SaberTask, split: str = HEADLINE, **kwargs: Any) -> dict:
    task.filter_eval_splits([split])
    options = {"cache": None, "show_progress_bar": False} | kwargs
    result = mteb.evaluate(model, task, **options)
    return result.task_results[0].scores[split][0]


@pytest.fixture(scope="module")
def answers(small: Benchmark) -> np.ndarray:
    """Distinct scores of every candidate of every query."""
    rng = np.random.default_rng(7)
    return rng.permuted(np.tile(np.arange(small.pool_size) / 7, (8, 1)), axis=1)


@pytest.fixture
def answering(small: Benchmark, ranker: Callable) -> Callable:
    """Make a search model that gives the scores of a table (queries × pool positions)."""

    def make(table: np.ndarray) -> object:
        rows = {
            str(query): dict(zip(map(str, small.candidates[query].tolist()), row, strict=True))
            for query, row in enumerate(table.tolist())
        }
        return ranker(lambda query, document: rows[query][document])

    return make


def test_every_number_equals_our_own_evaluation(
    small: Benchmark, answers: np.ndarray, answering: Callable
) -> None:
    run = Run(Setting.STATEMENT_FULL, np.arange(8), answers.astype(np.float32))
    expected = evaluate(run, small).as_metrics()
    found = scores_of(answering(answers), task_for(small))
    assert {name: found[name] for name in expected} == expected
    assert found["main_score"] == expected["ndcg_exp_at_10"]
    assert found["n_scored"] == 8
    assert not any(name.startswith("ndcg_float") for name in found)


def test_main_score_agrees_with_pytrec_on_integer_gains(
    small: Benchmark, answers: np.ndarray, answering: Callable
) -> None:
    """round(1000·(2^grade − 1)) with pytrec's linear gain is the exponential nDCG to 1e-5."""
    gains = np.round(1000 * (2**small.grades - 1)).astype(int)

    def table(values: np.ndarray) -> dict:
        return {
            str(q): dict(zip(map(str, small.candidates[q].tolist()), row, strict=True))
            for q, row in enumerate(values.tolist())
        }

    measured = pytrec_eval.RelevanceEvaluator(table(gains), {"ndcg_cut_10"}).evaluate(
        table(answers)
    )
    expected = np.mean([query["ndcg_cut_10"] for query in measured.values()])
    found = scores_of(answering(answers), task_for(small))
    assert found["main_score"] == pytest.approx(expected, abs=1e-5)
    # mteb's own measure on the integer view is another number altogether.
    assert abs(found["ndcg_at_10"] - expected) > 0.01


def test_constant_scorer_gets_the_random_expectation(small: Benchmark, ranker: Callable) -> None:
    """Also where mteb's own MRR or nDCG would depend on how a library sorts equal scores."""
    gains = 2**small.grades - 1
    discounts = 1 / np.log2(np.arange(2, 12))
    ideal = np.sort(gains, axis=1)[:, ::-1][:, :10] @ discounts
    expected = (gains.mean(axis=1) * discounts.sum() / ideal).mean()
    found = scores_of(ranker(lambda query, document: 1.0), task_for(small))
    assert found["main_score"] == pytest.approx(expected, abs=1e-12)
    assert found["tied_cutoff_share"] == 1.0


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda row: row.__setitem__(3, float("nan")), "1 of 15 scores are NaN or infinite"),
        (lambda row: row.__setitem__(0, float("inf")), "1 of 15 scores are NaN or infinite"),
        (lambda row: row.__setitem__(0, 1e300), "1 of 15 scores are NaN or infinite"),
        (lambda row: row.__setitem__(2, None), "1 of 15 candidates have no score"),
        (lambda row: row.__setitem__(slice(0, 15), [None] * 15), "15 of 15 candidates have no"),
    ],
)
def test_an_unusable_answer_fails_its_query_only(
    small: Benchmark,
    answers: np.ndarray,
    answering: Callable,
    spoil: Callable,
    reason: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = answers.astype(object)
    spoil(table[2])
    with caplog.at_level(logging.WARNING, logger="mteb.saber_mteb"):
        found = scores_of(answering(table), task_for(small))
    kept = [0, 1, 3, 4, 5, 6, 7]
    run = Run(Setting.STATEMENT_FULL, np.array(kept), answers[kept].astype(np.float32))
    assert found["main_score"] == evaluate(run, small).overall
    assert (found["n_queries"], found["n_scored"]) == (8, 7)
    assert f"query 2 failed: {reason}" in caplog.text
    assert "1 of 8 queries failed" in caplog.text


def test_a_document_that_is_no_candidate_fails_its_query(
    small: Benchmark, answers: np.ndarray, answering: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    model = answering(answers)
    search = model.search
    model.search = lambda *args, **kwargs: (
        found := search(*args, **kwargs),
        found["5"].update({"39": 1.0}),
    )[0]
    found = scores_of(model, task_for(small))
    assert found["n_scored"] == 7
    assert "query 5 failed: 1 documents have a score that are not among its 15" in caplog.text


def test_nothing_usable_at_all_is_an_error(small: Benchmark, ranker: Callable) -> None:
    with pytest.raises(SaberError, match=r"No query of statement-full has a score.* 15 of 15 scor"):
        scores_of(ranker(lambda query, document: float("nan")), task_for(small))


def test_nan_from_a_cross_encoder_is_not_a_score(small: Benchmark, named: Callable) -> None:
    """mteb lets these pass: a third of the pairs NaN once scored 0.558."""

    class ThirdNaN:
        mteb_model_meta = named(name="test/ce", model_type=["cross-encoder"])

        def __init__(self, model_name: str = "", revision: str = "", **_: Any) -> None: ...

        def predict(self, inputs1: Any, inputs2: Any, **_: Any) -> np.ndarray:
            queries = [text for batch in inputs1 for text in batch["text"]]
            scores = np.linspace(0, 1, len(queries))
            first = dict.fromkeys(queries)
            spoiled = list(first)[:3]
            scores[[q in spoiled for q in queries]] = np.nan
            return scores

    found = scores_of(ThirdNaN(), task_for(small))
    assert (found["n_scored"], found["n_queries"]) == (5, 8)
    assert 0 < found["main_score"] < 1


def test_texts_ids_and_grades_of_a_split(small: Benchmark) -> None:
    task = task_for(small)
    task.load_data()
    for setting in Setting:
        split = task.dataset["default"][setting.value]
        documents = dict(zip(split["corpus"]["id"], split["corpus"]["text"], strict=True))
        pools = small.pools(setting)
        assert list(split["queries"]["text"]) == [pool.query for pool in pools]
        assert set(documents) == {i for pool in pools for i in pool.document_ids}
        assert set(split["corpus"].column_names) == {"id", "text"}
        for pool in pools:
            assert split["top_ranked"][pool.query_id] == list(pool.document_ids)
            assert tuple(documents[i] for i in pool.document_ids) == pool.documents
            relevant = split["relevant_docs"][pool.query_id]
            grades = small.grades[int(pool.query_id)]
            assert list(relevant.values()) == [int(grade >= 3) for grade in grades]
    assert task.metadata.revision == small.content_hash


def test_an_unknown_split_is_named_with_the_nearest(small: Benchmark) -> None:
    task = task_for(small).filter_eval_splits(["statement-ful"])
    with pytest.raises(UsageError, match=r"'statement-ful'. Did you mean 'statement-full'"):
        task.load_data()


def test_a_later_run_adds_only_the_missing_settings(
    small: Benchmark, answers: np.ndarray, answering: Callable, tmp_path: Path
) -> None:
    cache = mteb.ResultCache(tmp_path)
    model = answering(answers)
    asked: list[str] = []
    search = model.search
    model.search = lambda queries, **kwargs: (
        asked.append(kwargs["hf_split"]) or search(queries, **kwargs)
    )
    for splits in ([HEADLINE], None, None):
        task = task_for(small).filter_eval_splits(splits)
        mteb.evaluate(model, task, cache=cache, show_progress_bar=False)
    assert asked == ["statement-full", "statement-statement", "full-full"]
    results = cache.load_results(include_remote=False)
    table = results.to_dataframe(aggregation_level="split")
    assert sorted(table["split"]) == sorted(setting.value for setting in Setting)
    assert table["test/model"].notna().all()
    stored = results.model_results[0].task_results[0]
    assert stored.dataset_revision == small.content_hash


def test_results_of_other_data_are_not_merged_with(
    small: Benchmark, answers: np.ndarray, answering: Callable, tmp_path: Path
) -> None:
    """The revision is known before anything is loaded, since mteb compares it then."""
    cache = mteb.ResultCache(tmp_path)
    other = replace(small, grades=small.grades / 2)
    first = task_for(small).filter_eval_splits([HEADLINE])
    second = task_for(other).filter_eval_splits([HEADLINE, "full-full"])
    for task in (first, second):
        mteb.evaluate(answering(answers), task, cache=cache, show_progress_bar=False)
    stored = cache.load_results(include_remote=False).model_results[0].task_results[0]
    run = Run(Setting.STATEMENT_FULL, np.arange(8), answers.astype(np.float32))
    assert stored.dataset_revision == other.content_hash
    assert stored.get_score([HEADLINE]) == pytest.approx(evaluate(run, other).overall, abs=1e-6)


def test_the_revision_is_known_before_the_task_is_loaded(
    small: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("saber_mteb.benchmark.load_benchmark", lambda name: small)
    monkeypatch.setenv("SABER_MTEB_QUERIES_REVISION", "so that no other test's data is taken")
    task = SABERMathMini()
    assert task.metadata.revision == small.content_hash
    assert not task.data_loaded
    task.load_data()
    assert task.metadata.dataset["revision"] == small.content_hash


def test_how_to_submit_is_told_once_and_only_without_predictions(
    small: Benchmark, ranker: Callable, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = ranker(lambda query, document: float(document))
    with caplog.at_level(logging.INFO, logger="mteb"):
        mteb.evaluate(model, task_for(small), cache=None, show_progress_bar=False)
        assert caplog.text.count("saber-mteb results import-mteb DIR") == 1
        assert "--prediction-folder DIR" in caplog.text
        caplog.clear()
        scores_of(model, task_for(small), prediction_folder=tmp_path)
        assert "import-mteb" not in caplog.text


def test_descriptive_statistics_stay_out_of_site_packages(
    small: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    theirs = Path(mteb.__file__).parent / "descriptive_stats"
    before = sorted(theirs.rglob("SABER*"))
    statistics = task_for(small).calculate_descriptive_statistics()
    assert statistics[HEADLINE]["num_queries"] == 8
    assert sorted(theirs.rglob("SABER*")) == before == []
    (written,) = tmp_path.rglob("*.json")
    assert small.content_hash in written.name
    assert task_for(small).metadata.n_samples[HEADLINE] == statistics[HEADLINE]["num_samples"]


@pytest.mark.parametrize("task", [SABERMath, SABERMathMini])
def test_metadata_is_complete(task: type[SaberTask]) -> None:
    metadata = task.metadata
    assert metadata.is_filled()
    assert metadata.type == "Reranking"
    assert metadata.main_score == "ndcg_exp_at_10"
    assert metadata.eval_splits == ["statement-full", "statement-statement", "full-full"]
    assert metadata.prompt == {"query": QUERY_PROMPT}
    assert re.fullmatch(
        r"Given a math problem query, retrieve .* relevant to the query", QUERY_PROMPT
    )
    assert max(task.k_values) >= 150
    assert task.metadata.name == task.__name__


def test_the_mini_task_says_what_it_is(small: Benchmark, caplog: pytest.LogCaptureFixture) -> None:
    description = SABERMathMini.metadata.description
    for words in ("Synthetic", "for trying things out", "not comparable with SABER-Math"):
        assert words in description
    task_for(small).load_data()
    assert "synthetic, for trying things out, not comparable with SABER-Math" in caplog.text


def test_pools_larger_than_150_are_not_cut(small: Benchmark) -> None:
    wide = replace(
        small,
        name="Wide",
        documents=small.documents * 5,
        candidates=np.arange(8)[:, None] + np.arange(180),
        grades=np.tile(np.linspace(0, 5, 180), (8, 1)),
    )
    model = mteb.get_model("mteb/baseline-random-encoder")
    assert scores_of(model, task_for(wide))["n_scored"] == 8
