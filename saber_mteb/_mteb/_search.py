"""Our systems as search models of mteb: the same scores from the same texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.records import Pool
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import accept
from saber_mteb.running.ranking import rank
from saber_mteb.running.session import Session
from saber_mteb.systems.registry import build_system, find_card

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from datasets import Dataset
    from mteb.abstasks.task_metadata import TaskMetadata
    from mteb.models.model_meta import ModelMeta

    from saber_mteb.systems.base import System


class SystemSearch:
    """A system behind mteb's search protocol.

    Attributes:
        failures: By query id, why the last split's query has no score; mteb only sees NaN.
    """

    # Set by mteb's loader on the instance.
    mteb_model_meta: ModelMeta

    def __init__(self, system: System) -> None:
        self._system = system
        self._documents: Mapping[str, str] = {}
        self.failures: dict[str, str] = {}

    def index(self, corpus: Dataset, **_: Any) -> None:  # noqa: ANN401
        """Keep the documents as they are; mteb's own data loader would strip their white space."""
        if "title" in corpus.column_names:
            titled = zip(corpus["title"], corpus["text"], strict=True)
            texts = [f"{title} {text}".strip() if title else text for title, text in titled]
        else:
            texts = list(corpus["text"])
        self._documents = dict(zip(corpus["id"], texts, strict=True))

    def search(
        self,
        queries: Dataset,
        *,
        task_metadata: TaskMetadata,
        hf_split: str,
        top_ranked: Mapping[str, Sequence[str]] | None = None,
        **_: Any,  # noqa: ANN401
    ) -> dict[str, dict[str, float]]:
        """Score the given candidates of each query.

        Raises:
            SaberError: If the task gives no candidates.
        """
        if top_ranked is None:
            raise SaberError(
                f"{task_metadata.name} is a retrieval task without candidates, and this system "
                "reranks given candidates; choose a reranking task."
            )
        pools = self._pools(queries, hf_split, top_ranked)
        self.failures.clear()
        results = {}
        for ranked in rank(self._system, pools, range(len(pools)), Session()):
            pool = pools[ranked.position]
            scores = accept(ranked.answer, len(pool.documents))
            if isinstance(scores, str):
                self.failures[pool.query_id] = scores
                results[pool.query_id] = dict.fromkeys(pool.document_ids, float("nan"))
            else:
                results[pool.query_id] = dict(zip(pool.document_ids, scores.tolist(), strict=True))
        return results

    def _pools(
        self, queries: Dataset, split: str, top_ranked: Mapping[str, Sequence[str]]
    ) -> list[Pool]:
        # Tasks of others have splits that are no settings; the texts are finished all the same.
        setting = Setting(split) if split in list(Setting) else Setting.STATEMENT_STATEMENT
        return [
            Pool(
                setting=setting,
                query_id=query_id,
                query=text,
                document_ids=tuple(top_ranked[query_id]),
                documents=tuple(self._documents[i] for i in top_ranked[query_id]),
            )
            for query_id, text in zip(queries["id"], queries["text"], strict=True)
            if query_id in top_ranked
        ]


def load_system(name: str, revision: str | None = None, **_: Any) -> SystemSearch:  # noqa: ANN401
    """Build the system of a card; the loader in its `ModelMeta`.

    Args:
        name: ``saber/<key>``.
        revision: Not needed: the registry accepts only the card's own.
    """
    return SystemSearch(build_system(find_card(name)))
