"""What the two tasks say about themselves."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mteb.abstasks.task_metadata import TaskMetadata
from pydantic import PrivateAttr

from saber_mteb.benchmark.evaluation import MAIN_SCORE
from saber_mteb.benchmark.records import Benchmark  # noqa: TC001
from saber_mteb.benchmark.settings import Setting

# Instruction arm "pm" of the published experiments. Without a prompt of our own mteb would send
# its generic sentence, and a plain string would also be put before documents.
QUERY_PROMPT = (
    "Given a math problem query, retrieve documents that are mathematically relevant to the query"
)
UNRESOLVED = "resolved when the data is loaded"

_CITATION = r"""
@inproceedings{georgiev2026sabermath,
  title     = {{SABER}-Math: An Automated Reranking Benchmark for Mathematical Information
               Retrieval},
  author    = {Georgiev, Nikolay and Drencheva, Maria and Ibragimova, Kseniia and Petrov, Ivo and
               Dimitrov, Dimitar I. and Vechev, Martin},
  booktitle = {The 2026 Conference on Empirical Methods in Natural Language Processing},
  year      = {2026},
  url       = {https://openreview.net/forum?id=Tb2EKLtAS0},
}
"""

_SHARED: dict[str, Any] = {
    "type": "Reranking",
    "category": "t2t",
    "eval_splits": [setting.value for setting in Setting],
    "eval_langs": ["eng-Latn"],
    "main_score": MAIN_SCORE,
    "domains": ["Academic", "Written"],
    "task_subtypes": ["Reasoning as Retrieval"],
    "dialect": [],
    "prompt": {"query": QUERY_PROMPT},
    "reference": "https://arxiv.org/abs/2606.29894",
}

SABER_MATH: dict[str, Any] = _SHARED | {
    "name": "SABERMath",
    "description": (
        "Rerank 150 solved competition problems for each of 1000 mathematical problems by how "
        "useful they are: relevance is graded in [0, 5] by a language-model preference "
        "tournament over mathematical ideas and techniques. The three splits show statements "
        "only, statements against full problems with solutions (the headline), or both in full; "
        "the main score is nDCG@10 with gain 2^grade - 1 and real-valued grades, ties averaged."
    ),
    "dataset": {"path": "sabermath/SaberMath-queries", "revision": UNRESOLVED},
    "date": ("2026-01-01", "2026-06-30"),
    "license": "cc-by-sa-4.0",
    "annotations_creators": "LM-generated",
    "sample_creation": "found",
    "bibtex_citation": _CITATION,
}

SABER_MATH_MINI: dict[str, Any] = _SHARED | {
    "name": "SABERMathMini",
    "description": (
        "Synthetic, for trying things out, not comparable with SABER-Math: 50 queries with 30 "
        "candidates each over generated problems, graded by the generator's own structure. It "
        "comes with the saber-mteb package and needs no network."
    ),
    "dataset": {"path": "saber_mteb/benchmark/mini", "revision": UNRESOLVED},
    "date": ("2026-01-01", "2026-12-31"),
    "license": "apache-2.0",
    "annotations_creators": "algorithmic",
    "sample_creation": "created",
    "bibtex_citation": "",
}


class SaberMetadata(TaskMetadata):
    """Task metadata that knows its benchmark, so that its revision is that of the data."""

    _load: Callable[[], Benchmark] = PrivateAttr()

    @classmethod
    def of(cls, load: Callable[[], Benchmark], fields: dict[str, Any]) -> SaberMetadata:
        """Return metadata whose benchmark is read by ``load`` when first needed."""
        metadata = cls(**fields)
        metadata._load = load
        return metadata

    def benchmark(self) -> Benchmark:
        """Return the benchmark that the task asks."""
        return self._load()

    def resolved(self) -> SaberMetadata:
        """Return a copy that states the revision of the loaded data."""
        dataset = {**self.dataset, "revision": self.revision}
        return self.model_copy(update={"dataset": dataset})

    @property
    def revision(self) -> str:
        """Resolved commits or content hash: results of other data are never merged with.

        mteb compares it with stored results before it loads anything, so it is resolved here.
        """
        stated = self.dataset["revision"]
        return self.benchmark().revision if stated == UNRESOLVED else stated

    @property
    def descriptive_stat_path(self) -> Path:
        """A file in the user's cache; mteb would write into its own installed package."""
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        name = f"{self.name}-{self.dataset['revision']}.json".replace(":", "-").replace(" ", "-")
        return cache / "saber-mteb" / "descriptive_stats" / name
