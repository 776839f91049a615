"""What every model that mteb and the published table share would be shown by our task.

mteb's own loaders and wrappers run, unchanged, on one query and three documents; only what they
call last (a checkpoint, a tokenizer, a vendor's client) is replaced by something that writes down
what it was given. `prompts.json` pins the result; after a change that is meant:

    SABER_MTEB_UPDATE_PROMPTS=1 pytest tests/_mteb/test_prompts.py

`{query}` and `{document}` stand for the texts of the task. `<own … prompt>` means that the
checkpoint's files decide, which nobody can see without them.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import mteb
import numpy as np
import pytest
import torch
from mteb.models.model_implementations import MODEL_REGISTRY

from saber_mteb._mteb._metadata import QUERY_PROMPT
from saber_mteb._mteb.tasks import task_for
from saber_mteb.benchmark.records import Benchmark, Problem

FILE = Path(__file__).with_name("prompts.json")
PINNED: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
UPDATE = bool(os.environ.get("SABER_MTEB_UPDATE_PROMPTS"))

QUERY = "How many primes are even?"
DOCUMENTS = [f"Problem: Is {n} a prime?\n\nSolution: Divide." for n in (2, 3, 4)]


@pytest.fixture(scope="module")
def tiny() -> Benchmark:
    return Benchmark(
        name="SABERMathMini",
        queries=(Problem(id="0", statement=QUERY, solution="One."),),
        documents=tuple(
            Problem(id=str(n), statement=f"Is {n} a prime?", solution="Divide.") for n in (2, 3, 4)
        ),
        candidates=np.array([[0, 1, 2]]),
        grades=np.array([[5.0, 3.5, 0.0]]),
        synthetic=True,
    )


class Record:
    """What the replaced ends were given: the whole text of one input, and named options."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, str]]] = []

    def note(self, text: str, **options: Any) -> None:
        self.seen.append((text, {k: str(v) for k, v in options.items() if v is not None}))

    def described(self) -> dict[str, str]:
        """One template per role; all documents must have been wrapped alike."""
        found: dict[str, set[str]] = {}
        for text, options in self.seen:
            template, document = text.replace(QUERY, "{query}"), False
            for known in DOCUMENTS:
                document = document or known in template
                template = template.replace(known, "{document}")
            role = {(True, False): "query", (False, True): "document"}.get(
                ("{query}" in template, document), "pair"
            )
            shown = f"{template}  {json.dumps(options)}" if options else template
            found.setdefault(role, set()).add(shown)
        assert all(len(templates) == 1 for templates in found.values()), found
        return {role: templates.pop() for role, templates in sorted(found.items())}


def vectors(count: int) -> np.ndarray:
    return np.random.default_rng(0).random((count, 4), dtype=np.float32)


def checkpoint(record: Record, *, sparse: bool = False, tokens: bool = False) -> type:
    """A stand-in for the three encoders of sentence-transformers and PyLate's ColBERT."""

    class Checkpoint:
        max_seq_length = 512
        similarity_fn_name = "cosine"

        def __init__(self, *_: Any, **__: Any) -> None:
            self.prompts = {"query": "<own query prompt>", "document": "<own document prompt>"}
            self.tokenizer = MagicMock()

        def _first_module(self) -> MagicMock:
            return MagicMock()

        def _note(self, texts: list[str], prompt: str | None, own: str, **options: Any) -> Any:
            for text in texts:
                record.note((own if prompt is None else prompt) + text, **options)
            if tokens:
                return [torch.from_numpy(vectors(3)) for _ in texts]
            return torch.from_numpy(vectors(len(texts))) if sparse else vectors(len(texts))

        def encode(self, texts: list[str], prompt: str | None = None, **kwargs: Any) -> Any:
            options = {k: kwargs[k] for k in ("task", "is_query", "prompt_name") if k in kwargs}
            return self._note(texts, prompt, "<own default prompt>", **options)

        def encode_query(self, texts: list[str], prompt: str | None = None, **_: Any) -> Any:
            return self._note(texts, prompt, self.prompts["query"])

        def encode_document(self, texts: list[str], prompt: str | None = None, **_: Any) -> Any:
            return self._note(texts, prompt, self.prompts["document"])

        def similarity(self, left: Any, right: Any) -> torch.Tensor:
            return torch.as_tensor(left) @ torch.as_tensor(right).T

    return Checkpoint


class Batch(dict):  # type: ignore[type-arg]
    def to(self, _: Any) -> Batch:
        return self


def tokenizer(record: Record) -> MagicMock:
    """Keeps texts as "tokens", so that the pieces a wrapper joins can be read back."""

    def call(texts: list[str], **kwargs: Any) -> Batch:
        if "return_tensors" in kwargs:
            for text in texts:
                record.note(text)
            ones = torch.ones(len(texts), 2)
            return Batch(input_ids=ones, attention_mask=ones)
        return Batch(input_ids=[[text] for text in texts])

    def pad(inputs: Batch, **_: Any) -> Batch:
        for pieces in inputs["input_ids"]:
            record.note("".join(pieces))
        return Batch(input_ids=torch.ones(len(inputs["input_ids"]), 2))

    made = MagicMock(side_effect=call, pad=pad, encode=lambda text, **_: [text])
    made.convert_tokens_to_ids = {"no": 0, "yes": 1}.get
    return made


def network(_: Record) -> MagicMock:
    def forward(**inputs: Any) -> SimpleNamespace:
        states = torch.rand(len(inputs["input_ids"]), 2, 4)
        return SimpleNamespace(logits=states, last_hidden_state=states)

    made = MagicMock(side_effect=forward)
    made.eval.return_value = made.to.return_value = made
    return made


def replace_transformers(record: Record, patch: pytest.MonkeyPatch) -> None:
    import transformers

    # On the classes themselves, which some versions of mteb import when they are imported.
    ends = {"AutoTokenizer": tokenizer, "AutoModel": network, "AutoModelForCausalLM": network}
    for name, end in ends.items():
        patch.setattr(
            getattr(transformers, name), "from_pretrained", lambda *_, end=end, **__: end(record)
        )
    nvidia = import_module("mteb.models.model_implementations.nvidia_models")
    if hasattr(nvidia, "transformers_version"):  # mteb 2.16 asks for the one its weights need
        patch.setattr(nvidia, "transformers_version", "4.51.0")


def replace_sentence_transformers(record: Record, patch: pytest.MonkeyPatch) -> None:
    import sentence_transformers
    from sentence_transformers import sparse_encoder

    patch.setattr(sentence_transformers, "SentenceTransformer", checkpoint(record))
    patch.setattr(sparse_encoder, "SparseEncoder", checkpoint(record, sparse=True))


def replace_pylate(record: Record, patch: pytest.MonkeyPatch) -> None:
    def rerank(documents_ids: list[list[str]], **_: Any) -> list[list[dict[str, Any]]]:
        return [[{"id": i, "score": float(i)} for i in ids] for ids in documents_ids]

    models = SimpleNamespace(ColBERT=checkpoint(record, tokens=True))
    patch.setitem(sys.modules, "pylate", MagicMock(rank=SimpleNamespace(rerank=rerank)))
    patch.setitem(sys.modules, "pylate.models", models)


def replace_clients(record: Record, patch: pytest.MonkeyPatch) -> None:
    """The clients of Google (Vertex AI and Gen AI) and OpenAI."""

    def vertex_input(text: str, task_type: str | None = None) -> str:
        record.note(text, task_type=task_type)
        return text

    vertex = MagicMock(TextEmbeddingInput=vertex_input)
    vertex.TextEmbeddingModel.from_pretrained.return_value.get_embeddings = lambda batch, **_: [
        SimpleNamespace(values=row) for row in vectors(len(batch))
    ]
    patch.setitem(sys.modules, "vertexai", MagicMock())
    patch.setitem(sys.modules, "vertexai.language_models", vertex)

    async def embed_content(contents: Any, config: Any, **_: Any) -> SimpleNamespace:
        record.note(contents, task_type=getattr(config, "task_type", None))
        return SimpleNamespace(embeddings=[SimpleNamespace(values=vectors(1)[0])])

    genai = MagicMock()
    genai.Client.return_value.aio.models.embed_content = embed_content
    genai.types.EmbedContentConfig = lambda **options: SimpleNamespace(**options)
    patch.setitem(sys.modules, "google", MagicMock(genai=genai))
    patch.setitem(sys.modules, "google.genai", genai)
    patch.setitem(sys.modules, "google.genai.types", genai.types)

    def create(input: list[str], model: str, **_: Any) -> SimpleNamespace:
        for text in input:
            record.note(text)
        rows = np.random.default_rng(0).random((len(input), 3072))
        width = 1536 if model.endswith("small") else 3072
        return SimpleNamespace(data=[SimpleNamespace(embedding=row[:width]) for row in rows])

    openai = MagicMock()
    openai.OpenAI.return_value.embeddings.create = create
    patch.setitem(sys.modules, "openai", openai)
    patch.setitem(sys.modules, "tiktoken", MagicMock())


def replace_bm25s(record: Record, patch: pytest.MonkeyPatch) -> None:
    import tokenizers

    def tokenize(texts: list[str], **_: Any) -> SimpleNamespace:
        for text in texts:
            record.note(text)
        return SimpleNamespace(ids=[[] for _ in texts], vocab={})

    def encode(text: str, **_: Any) -> SimpleNamespace:
        record.note(text)
        return SimpleNamespace(tokens=text.split())

    bm25s = MagicMock(tokenize=tokenize)
    bm25s.BM25.return_value.retrieve.return_value = ([[0, 1, 2]], [[3.0, 2.0, 1.0]])
    patch.setitem(sys.modules, "bm25s", bm25s)
    patch.setitem(sys.modules, "bm25s.tokenization", bm25s.tokenization)
    patch.setitem(sys.modules, "Stemmer", MagicMock())
    subword = MagicMock(from_pretrained=lambda _: SimpleNamespace(encode=encode))
    patch.setattr(tokenizers, "Tokenizer", subword)


def watch_baseline(model: Any, record: Record) -> None:
    """The random baselines end in themselves; note what their methods are handed."""

    def texts(loader: Any) -> list[str]:
        return [text for batch in loader for text in batch["text"]]

    def noting(end: Any) -> Any:
        def encode(inputs: Any, **kwargs: Any) -> Any:
            for text in texts(inputs):
                record.note(text)
            return end(inputs, **kwargs)

        return encode

    def predict(inputs1: Any, inputs2: Any, **kwargs: Any) -> Any:
        for query, document in zip(texts(inputs1), texts(inputs2), strict=True):
            record.note(f"{query} || {document}")
        return scored(inputs1, inputs2, **kwargs)

    for name in {"encode", "_encode"} & set(dir(model)):
        setattr(model, name, noting(getattr(model, name)))
    if hasattr(model, "predict"):
        scored = model.predict
        model.predict = predict


def shown_to(name: str, tiny: Benchmark, patch: pytest.MonkeyPatch) -> dict[str, str]:
    record = Record()
    # The extras a model wants are replaced here, so mteb need not look for them.
    without = {"extra_requirements_groups": None, "modalities": ["text"]}
    meta = MODEL_REGISTRY[name].model_copy(update=without)
    for replace_end in (
        replace_transformers,
        replace_sentence_transformers,
        replace_pylate,
        replace_clients,
        replace_bm25s,
    ):
        replace_end(record, patch)
    model = meta.load_model()
    if "random" in name:
        watch_baseline(model, record)
    task = task_for(tiny).filter_eval_splits(["statement-full"])
    mteb.evaluate(model, task, cache=None, show_progress_bar=False)
    return record.described()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PINNED)
def test_pinned(name: str, tiny: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    if name not in MODEL_REGISTRY:
        pytest.skip(f"mteb {mteb.__version__} does not know {name}")
    found = shown_to(name, tiny, monkeypatch)
    for role, template in found.items():
        print(f"{name:44s} {role:9s} {template!r}")
    if UPDATE:
        PINNED[name] = found
        FILE.write_text(json.dumps(PINNED, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == PINNED[name]


def test_no_model_reads_our_instruction_before_a_document() -> None:
    """Which a plain-string prompt, or none, would have caused (mteb's own sentence on both)."""
    for name, shown in PINNED.items():
        assert QUERY_PROMPT not in shown.get("document", ""), name
        assert "Retrieve text based on user query" not in str(shown), name


def test_every_registered_model_of_the_published_table_is_pinned() -> None:
    assert len(PINNED) == 40
