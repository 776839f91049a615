"""Every kind of model that mteb knows runs on the task, with the texts we mean it to see."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import mteb
import numpy as np
import pytest
from mteb.models.model_implementations import MODEL_REGISTRY

from saber_mteb._errors import SaberError
from saber_mteb._mteb import register
from saber_mteb._mteb.predictions import read_predictions
from saber_mteb._mteb.tasks import task_for
from saber_mteb.benchmark import load_benchmark
from saber_mteb.benchmark.settings import Setting

if TYPE_CHECKING:
    from pathlib import Path

    from mteb.models.model_meta import ModelMeta
    from sentence_transformers import SentenceTransformer

    from saber_mteb.benchmark.records import Benchmark

HEADLINE = "statement-full"


def evaluated(model: object, benchmark: Benchmark, **kwargs: Any) -> dict[str, Any]:
    options = {"cache": None, "show_progress_bar": False} | kwargs
    task = task_for(benchmark).filter_eval_splits([HEADLINE])
    return mteb.evaluate(model, task, **options).task_results[0].scores[HEADLINE][0]


def plain_ndcg(scores: np.ndarray, grades: np.ndarray) -> float:
    """The metric of the data set, one query at a time; scores are distinct."""
    values = []
    for row, graded in zip(scores, grades, strict=True):
        ranked = sorted(zip(row, graded, strict=True), reverse=True)
        gains = [2**grade - 1 for _, grade in ranked]
        best = sorted(gains, reverse=True)
        discounted = [sum(g / np.log2(i + 2) for i, g in enumerate(x[:10])) for x in (gains, best)]
        values.append(discounted[0] / discounted[1])
    return float(np.mean(values))


@pytest.mark.parametrize(
    "name",
    [
        "mteb/baseline-random-encoder",
        "mteb/baseline-random-cross-encoder",
        "mteb/baseline-random-colbert",
        "mteb/baseline-random-sparse-encoder",
        "mteb/baseline-no-reranking",
    ],
)
def test_baselines_of_mteb(name: str, small: Benchmark) -> None:
    if name not in MODEL_REGISTRY:
        pytest.skip(f"mteb {mteb.__version__} has no {name}")
    found = evaluated(mteb.get_model(name), small)
    assert found["n_scored"] == found["n_queries"] == 8
    assert 0 < found["main_score"] < 1


def test_the_first_stage_order_scores_what_its_order_is_worth(small: Benchmark) -> None:
    """An outside model whose answer is known: position in the candidate list."""
    if "mteb/baseline-no-reranking" not in MODEL_REGISTRY:
        pytest.skip(f"mteb {mteb.__version__} has no mteb/baseline-no-reranking")
    found = evaluated(mteb.get_model("mteb/baseline-no-reranking"), small)
    by_position = np.tile(-np.arange(small.pool_size), (8, 1))
    assert found["main_score"] == pytest.approx(plain_ndcg(by_position, small.grades), abs=1e-12)


def test_bm25_of_mteb_is_refused_where_it_loses_candidates(
    small: Benchmark, caplog: pytest.LogCaptureFixture
) -> None:
    """It searches the whole corpus and then keeps what happens to be a candidate."""
    if not (find_spec("bm25s") and find_spec("Stemmer")):
        pytest.skip("bm25s and PyStemmer are not installed (mteb[bm25s])")
    wide = replace(
        small,
        documents=small.documents * 8,
        candidates=np.arange(320).reshape(8, 40),
        grades=np.tile(np.linspace(0, 5, 40), (8, 1)),
    )
    with pytest.raises(SaberError, match=r"No query .* of 40 candidates have no score"):
        evaluated(mteb.get_model("mteb/baseline-bm25s"), wide)
    assert "8 of 8 queries failed" in caplog.text


@pytest.fixture
def meta_of_minilm(named: Any) -> ModelMeta:
    return named(name="sentence-transformers/all-MiniLM-L6-v2", revision="from-a-package")


def test_a_real_bi_encoder(
    small: Benchmark, minilm: SentenceTransformer, meta_of_minilm: ModelMeta, tmp_path: Path
) -> None:
    """Scores are the cosines of what the model says about the bare texts, without any prompt."""
    model = mteb.SentenceTransformerEncoderWrapper(minilm)
    model.mteb_model_meta = model.mteb_model_meta.merge(meta_of_minilm)
    found = evaluated(model, small, prediction_folder=tmp_path)

    pools = small.pools(Setting.STATEMENT_FULL)
    queries = minilm.encode([pool.query for pool in pools], normalize_embeddings=True)
    cosines = np.stack(
        [
            minilm.encode([text.strip() for text in pool.documents], normalize_embeddings=True) @ q
            for pool, q in zip(pools, queries, strict=True)
        ]
    )
    run = read_predictions(tmp_path, small).runs[Setting.STATEMENT_FULL]
    np.testing.assert_allclose(run.scores, cosines, atol=1e-5)
    assert found["main_score"] == pytest.approx(plain_ndcg(run.scores, small.grades), abs=1e-9)
    assert found["n_scored"] == 8


def test_a_real_cross_encoder(
    small: Benchmark, minilm_folder: Path, tmp_path: Path, meta_of_minilm: ModelMeta
) -> None:
    """Real transformer, untrained head: the pairs are right if its own `predict` agrees."""
    import torch
    from mteb.models.sentence_transformer_wrapper import CrossEncoderWrapper

    torch.manual_seed(0)
    # By path: given the object, mteb 2.16 asks newer transformers for a field they lack.
    model = CrossEncoderWrapper(str(minilm_folder), device="cpu", num_labels=1, max_length=128)
    model.mteb_model_meta = model.mteb_model_meta.merge(meta_of_minilm)
    found = evaluated(model, small, prediction_folder=tmp_path)

    pool = small.pools(Setting.STATEMENT_FULL)[4]
    expected = model.model.predict([(pool.query, text.strip()) for text in pool.documents])
    run = read_predictions(tmp_path, small).runs[Setting.STATEMENT_FULL]
    np.testing.assert_allclose(run.scores[4], expected, atol=1e-5)
    assert found["n_scored"] == 8


@pytest.mark.parametrize("max_tokens", [32, pytest.param(256, marks=pytest.mark.slow)])
def test_the_mini_task_by_name_with_a_real_model(
    minilm: SentenceTransformer, meta_of_minilm: ModelMeta, max_tokens: int
) -> None:
    """As `mteb run -t SABERMathMini --eval-splits statement-full`; 256 tokens are the model's."""
    register()
    minilm.max_seq_length = max_tokens
    task = mteb.get_task("SABERMathMini", eval_splits=[HEADLINE])
    model = mteb.SentenceTransformerEncoderWrapper(minilm)
    model.mteb_model_meta = model.mteb_model_meta.merge(meta_of_minilm)
    (result,) = mteb.evaluate(model, task, cache=None, show_progress_bar=False).task_results
    found = result.scores[HEADLINE][0]
    assert result.dataset_revision == load_benchmark("mini").content_hash
    assert found["n_scored"] == found["n_queries"] == 50
    assert 0.2 < found["main_score"] < 0.95
    print(f"MiniLM ({max_tokens} tokens) on SABERMathMini {HEADLINE}: {found['main_score']:.4f}")
