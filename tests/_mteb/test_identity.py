"""Two models must never share a stored result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import mteb
import pytest

from saber_mteb._errors import SaberError
from saber_mteb._mteb.tasks import task_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from sentence_transformers import SentenceTransformer

    from saber_mteb.benchmark.records import Benchmark

HEADLINE = ["statement-full"]


def test_unnamed_local_models_are_refused_before_anything_is_encoded(
    small: Benchmark, minilm: SentenceTransformer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """mteb files each under the same stand-in and gives the second the first one's score."""
    cache = mteb.ResultCache(tmp_path)
    encoded: list[object] = []
    monkeypatch.setattr(type(minilm), "encode", lambda *a, **k: encoded.append(a))
    for _ in range(2):
        with pytest.raises(SaberError, match=r"(?s)no name and no revision.*model_copy"):
            mteb.evaluate(minilm, task_for(small).filter_eval_splits(HEADLINE), cache=cache)
    assert encoded == []
    assert not list(tmp_path.rglob("*.json"))


def test_the_remedy_in_the_message_keeps_two_models_apart(
    small: Benchmark, minilm: SentenceTransformer, tmp_path: Path
) -> None:
    cache = mteb.ResultCache(tmp_path)
    scores = []
    for revision, length in (("1", 256), ("2", 3)):
        minilm.max_seq_length = length
        model = mteb.SentenceTransformerEncoderWrapper(minilm)
        model.mteb_model_meta = model.mteb_model_meta.model_copy(
            update={"name": "your-org/your-model", "revision": revision}
        )
        task = task_for(small).filter_eval_splits(HEADLINE)
        result = mteb.evaluate(model, task, cache=cache, show_progress_bar=False)
        scores.append(result.task_results[0].get_score())
    assert scores[0] != scores[1]
    folders = {path.parent.name for path in tmp_path.rglob("SABERMathMini.json")}
    assert folders == {"1", "2"}


@pytest.mark.parametrize(
    ("fields", "lacks"),
    [
        ({"name": "me/model", "revision": None}, "'me/model' has no revision"),
        ({"name": None, "revision": "1"}, "has no name,"),
        ({"name": "no_model_name/available", "revision": "1"}, "has no name,"),
    ],
)
def test_half_an_identity_is_none(
    small: Benchmark, ranker: Callable, fields: dict[str, str | None], lacks: str
) -> None:
    """A name alone is shared by every checkpoint of a training run."""
    model = ranker(lambda query, document: 0.0, **fields)
    with pytest.raises(SaberError, match=lacks):
        mteb.evaluate(model, task_for(small).filter_eval_splits(HEADLINE), cache=None)


def test_a_prediction_file_belongs_to_one_model(
    small: Benchmark, ranker: Callable, tmp_path: Path
) -> None:
    """mteb would keep the first one's name over the second one's predictions."""
    options = {"cache": None, "prediction_folder": tmp_path, "show_progress_bar": False}
    first = ranker(lambda query, document: float(document), name="org/first")
    second = ranker(lambda query, document: -float(document), name="org/second")
    mteb.evaluate(first, task_for(small).filter_eval_splits(HEADLINE), **options)
    mteb.evaluate(first, task_for(small).filter_eval_splits(["full-full"]), **options)
    with pytest.raises(SaberError, match=r"holds predictions of org/first at 1; use another"):
        mteb.evaluate(second, task_for(small), **options)
    written = json.loads((tmp_path / "SABERMathMini_predictions.json").read_text())
    assert set(written["default"]) == {"statement-full", "full-full"}
