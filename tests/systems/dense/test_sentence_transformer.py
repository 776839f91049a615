"""A bi-encoder on real weights against sentence-transformers as its users call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.records import Benchmark
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import run_system
from saber_mteb.running.job import Job
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.session import Session
from saber_mteb.systems.base import Finished, OutOfMemory, Role
from saber_mteb.systems.dense.sentence_transformer import SentenceTransformerEncoder
from saber_mteb.systems.registry import build_system, resolve


@pytest.fixture(scope="module")
def encoder(minilm: Path) -> SentenceTransformerEncoder:
    return SentenceTransformerEncoder(str(minilm), device="cpu")


def finished(*texts: str) -> list[Finished]:
    return [Finished(text) for text in texts]


@pytest.fixture(scope="module")
def cosines(reference: Any, topics: Benchmark) -> dict[Setting, Any]:
    """Scores by plain `encode` and a product, shape (queries, documents), by setting."""
    found = {}
    for setting in Setting:
        pools = topics.pools(setting)
        queries = reference.encode([pool.query for pool in pools], normalize_embeddings=True)
        # Every pool has all documents.
        documents = reference.encode(list(pools[0].documents), normalize_embeddings=True)
        found[setting] = queries @ documents.T
    return found


@pytest.mark.parametrize("policy", [BatchPolicy(), BatchPolicy(max_texts=4)], ids=str)
def test_scores_are_cosines_of_plain_encode(
    encoder: Any, cosines: dict[Setting, Any], topics: Benchmark, policy: BatchPolicy
) -> None:
    runs = run_system(encoder, topics, list(Setting), session=Session(policy=policy))
    for setting, run in runs.items():
        np.testing.assert_allclose(run.scores, cosines[setting], atol=1e-5)
        # The same order, except where two scores are as good as equal.
        order = np.argsort(-run.scores, axis=1, kind="stable")
        expected = np.take_along_axis(cosines[setting], order, axis=1)
        assert (np.diff(expected, axis=1) < 1e-6).all()
        assert evaluate(run, topics).overall > 0.9


def test_tokens_are_those_that_the_model_reads(
    encoder: Any, reference: Any, topics: Benchmark
) -> None:
    texts = list(topics.pools(Setting.FULL_FULL)[0].documents)
    counts = encoder.count_tokens(finished(*texts))
    read = [int(reference.tokenize([text])["attention_mask"].sum()) for text in texts]
    assert encoder.max_tokens == 256 == reference.max_seq_length
    assert counts.clip(max=encoder.max_tokens).tolist() == read
    assert counts.max() > 256 > sorted(counts)[-2]


def test_counting_in_parts_is_counting(encoder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = finished(*("x + y " * n for n in range(11)))
    whole = encoder.count_tokens(texts)
    monkeypatch.setattr("saber_mteb.systems.dense.sentence_transformer._COUNTED_AT_ONCE", 3)
    np.testing.assert_array_equal(encoder.count_tokens(texts), whole)


def test_prompts_stand_before_the_text_and_once(minilm: Path, reference: Any) -> None:
    encoder = SentenceTransformerEncoder(
        str(minilm), device="cpu", query_prompt="query: ", document_prompt="passage: "
    )
    assert encoder.finish("a b", Role.QUERY) == Finished("query: a b")
    assert encoder.finish("a b", Role.DOCUMENT) == Finished("passage: a b")
    # A default prompt of the checkpoint must not come on top.
    encoder._loaded.prompts = {"default": "Default: "}
    encoder._loaded.default_prompt_name = "default"
    found = encoder.encode([encoder.finish("a b", Role.QUERY)])
    expected = reference.encode(["query: a b"], normalize_embeddings=True)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_another_number_format_is_used_and_rounds(minilm: Path, encoder: Any) -> None:
    import torch

    half = SentenceTransformerEncoder(str(minilm), device="cpu", dtype="bfloat16")
    texts = finished("How many primes lie below 30?", "A circle has radius 3.")
    found = half.encode(texts)
    assert next(half._loaded.parameters()).dtype == torch.bfloat16
    assert found.dtype == np.float32
    exact = encoder.encode(texts)
    assert (np.vecdot(found, exact) > 0.99).all()
    assert not np.array_equal(found, exact)


def test_nothing_is_loaded_before_it_is_needed(minilm: Path) -> None:
    encoder = SentenceTransformerEncoder(str(minilm), device="cpu")
    encoder.finish("a", Role.QUERY)
    assert encoder.device_used is None
    encoder.encode(finished("a"))
    assert encoder.device_used == "cpu"


@pytest.mark.parametrize("where", ["cpu", "gpu"])
def test_memory_that_runs_out_is_told_from_other_errors(
    encoder: Any, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    import torch

    def too_much(*_: Any, **__: Any) -> Any:
        if where == "gpu":
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 GiB\nmore")
        return torch.empty(10**16)

    monkeypatch.setattr(encoder._loaded, "encode", too_much)
    with pytest.raises(OutOfMemory, match=r"allocate") as caught:
        encoder.encode(finished("a"))
    assert "\n" not in str(caught.value)


def test_other_errors_of_the_backend_pass_through(
    encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    monkeypatch.setattr(encoder._loaded, "encode", broken)
    with pytest.raises(RuntimeError, match="mat1"):
        encoder.encode(finished("a"))


def test_a_static_model_has_no_limit_and_counts_its_own_tokens(
    reference: Any, tmp_path: Path
) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(reference.tokenizer.backend_tokenizer.to_str())
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)])
    model.save(str(tmp_path / "static"))
    encoder = SentenceTransformerEncoder(str(tmp_path / "static"), device="cpu")
    assert encoder.max_tokens is None
    assert encoder.count_tokens(finished("a b", "c")).tolist() == [2, 1]
    assert encoder.encode(finished("a b", "c")).shape == (2, 8)


@pytest.mark.parametrize("device", [None, "no-such-device", "cuda"])
def test_what_cannot_be_loaded_is_one_message(
    minilm: Path, tmp_path: Path, device: str | None
) -> None:
    import torch

    if device == "cuda" and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    model = tmp_path if device is None else minilm
    with pytest.raises(SaberError, match=r"could not be loaded: .*Expected"):
        SentenceTransformerEncoder(str(model), device=device).encode(finished("a"))


def test_a_folder_becomes_a_card_and_a_result(
    minilm: Path, topics: Benchmark, tmp_path: Path
) -> None:
    card = resolve(f"st:{minilm}", name="org/mini", revision="1")
    job = Job(card, build_system(card, "cpu"), topics, tuple(Setting))
    done = job.execute(tmp_path / "out", cache=tmp_path / "cache")
    block = json.loads((done.folder.path / "saber/Topics/provenance.json").read_text())
    counted = block["settings"]["full-full"]["counted"]
    # Four text sets, each text once: 5 + 5 queries, 15 + 15 documents.
    assert counted["texts"] == 40
    assert counted["truncated"] == 1
    assert block["settings"]["full-full"]["device"] == "cpu"

    again = build_system(card, "cpu")
    repeated = Job(card, again, topics, tuple(Setting)).execute(
        tmp_path / "out", cache=tmp_path / "cache"
    )
    assert again.device_used is None  # type: ignore[union-attr]
    for setting in Setting:
        one, two = done.runs[setting].scores, repeated.runs[setting].scores
        assert one.tobytes() == two.tobytes()


def test_another_dtype_is_another_key(minilm: Path) -> None:
    one = resolve(f"st:{minilm}", name="org/mini", revision="1")
    other = resolve(f"st:{minilm}", name="org/mini", revision="1", dtype="bfloat16")
    assert one.recipe_hash != other.recipe_hash
    assert one.revision == other.revision == "1"


@pytest.mark.parametrize(
    ("name", "revision", "message"),
    [
        (None, None, "need a name and a revision"),
        ("org/mini", None, "need a name and a revision"),
        ("mini", "1", "must have the form org/model"),
    ],
)
def test_a_folder_needs_a_name(
    tmp_path: Path, name: str | None, revision: str | None, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(f"st:{tmp_path}", name=name, revision=revision)


def test_mteb_gives_the_same(minilm: Path, topics: Benchmark) -> None:
    """Through mteb.evaluate as a search model: the same engine, so the same bits."""
    import mteb
    from mteb.models.model_meta import ModelMeta

    from saber_mteb._mteb._search import SystemSearch
    from saber_mteb._mteb.tasks import task_for

    system = SentenceTransformerEncoder(str(minilm), device="cpu")
    model = SystemSearch(system)
    model.mteb_model_meta = ModelMeta.create_empty({"name": "org/mini", "revision": "1"})
    result = mteb.evaluate(model, task_for(topics), cache=None, show_progress_bar=False)
    runs = run_system(system, topics, list(Setting))
    for setting, run in runs.items():
        (scores,) = result.task_results[0].scores[setting.value]
        expected = evaluate(run, topics).as_metrics()
        assert scores["main_score"] == expected["ndcg_exp_at_10"]
        assert expected.items() <= scores.items()
