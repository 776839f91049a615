"""Our systems through mteb: the same texts, the same scores, the same failures."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mteb
import numpy as np
import pytest
from datasets import Dataset

from saber_mteb._errors import SaberError
from saber_mteb._mteb._search import SystemSearch
from saber_mteb._mteb.tasks import SABERMath, task_for
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import run_system
from saber_mteb.systems.base import PoolScores
from saber_mteb.systems.registry import build_system, load_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from saber_mteb.benchmark.records import Benchmark, Pool

CARDS = sorted(load_cards())


class ByText:
    """Scores depend on every character, so that one stripped space would show."""

    def __init__(self, failing: str | None = None) -> None:
        self.failing = failing
        self.seen: list[Pool] = []

    def score(self, pools: Sequence[Pool]) -> Iterator[PoolScores]:
        self.seen += pools
        for pool in pools:
            if pool.query_id == self.failing:
                yield PoolScores(None, "the tokenizer crashed")
                continue
            lengths = [len(pool.query) * 0.01 + len(text) for text in pool.documents]
            yield PoolScores(np.array(lengths, dtype=np.float64) / 7)


def through_mteb(model: SystemSearch, benchmark: Benchmark, **kwargs: Any) -> Any:
    options = {"cache": None, "show_progress_bar": False} | kwargs
    return mteb.evaluate(model, task_for(benchmark), **options).task_results[0]


def test_a_system_sees_exactly_the_pools_of_the_benchmark(
    small: Benchmark, named: Callable
) -> None:
    system = ByText()
    model = SystemSearch(system)
    model.mteb_model_meta = named()
    through_mteb(model, small)
    assert system.seen == [pool for setting in Setting for pool in small.pools(setting)]
    assert any(text != text.strip() for pool in system.seen for text in pool.documents)


def test_a_failed_query_keeps_its_reason(
    small: Benchmark, named: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    model = SystemSearch(ByText(failing="3"))
    model.mteb_model_meta = named()
    with caplog.at_level(logging.WARNING, logger="mteb"):
        result = through_mteb(model, small)
    assert caplog.text.count("query 3 failed: the tokenizer crashed") == 3
    expected = run_system(ByText(failing="3"), small, [Setting.FULL_FULL])[Setting.FULL_FULL]
    found = result.scores["full-full"][0]
    assert found["main_score"] == evaluate(expected, small).overall
    assert found["n_scored"] == 7


@pytest.mark.skipif(not CARDS, reason="the registry holds no card yet")
@pytest.mark.parametrize("key", CARDS)
def test_every_system_scores_the_same_in_mteb(key: str, small: Benchmark) -> None:
    """To 1e-12: `mteb run -m saber/KEY` and `saber-mteb run KEY` are one engine."""
    card = load_cards()[key]
    try:
        runs = run_system(build_system(card), small, list(Setting))
    except SaberError as error:
        pytest.skip(str(error))
    result = through_mteb(mteb.get_model(card.name), small)
    for setting, run in runs.items():
        expected = evaluate(run, small).as_metrics()
        found = result.scores[setting.value][0]
        assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-12)


@pytest.mark.skipif(not CARDS, reason="the registry holds no card yet")
def test_model_metadata_of_a_card(tmp_path: Path) -> None:
    from saber_mteb._mteb._metas import model_metas

    metas = {meta.name: meta for meta in model_metas()}
    for key in CARDS:
        card = load_cards()[key]
        meta = metas[f"saber/{key}"]
        assert meta.revision == card.recipe_hash
        assert (meta.release_date, meta.license) == (card.release_date, card.license)
        assert mteb.get_model_meta(card.name) == meta


def test_without_candidates_a_system_says_what_it_is(named: Callable) -> None:
    model = SystemSearch(ByText())
    model.mteb_model_meta = named()
    queries = Dataset.from_dict({"id": ["q"], "text": ["a"]})
    with pytest.raises(SaberError, match=r"SABERMath is a retrieval task without candidates"):
        model.search(
            queries,
            task_metadata=SABERMath.metadata,
            hf_split="test",
            top_ranked=None,
        )


def test_reranking_tasks_of_others_work_and_titles_count(named: Callable) -> None:
    system = ByText()
    model = SystemSearch(system)
    model.index(
        Dataset.from_dict({"id": ["x", "y"], "text": ["one", " two"], "title": ["T", ""]}),
        task_metadata=None,
    )
    queries = Dataset.from_dict({"id": ["q", "no candidates"], "text": ["a", "b"]})
    found = model.search(
        queries, task_metadata=None, hf_split="test", top_ranked={"q": ["y", "x"]}, top_k=10
    )
    assert found == {"q": {"y": pytest.approx(4.01 / 7), "x": pytest.approx(5.01 / 7)}}
    assert system.seen[0].documents == (" two", "T one")
