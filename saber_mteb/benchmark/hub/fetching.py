"""Decides between the hub and the copy in the cache."""

from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass

from saber_mteb.benchmark.hub.download import download
from saber_mteb.benchmark.hub.failures import HubError, offline_without_copy
from saber_mteb.benchmark.hub.manifest import TablePair, complete_copy, record_completion

_COMMIT = re.compile(r"[0-9a-f]{40}")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """A data set and the commit, tag or branch that is wanted."""

    repo: str
    revision: str

    @property
    def is_commit(self) -> bool:
        """True if what it names can never change."""
        return _COMMIT.fullmatch(self.revision) is not None


@dataclass(frozen=True, slots=True)
class HubDataset:
    """A data set on the hub.

    Attributes:
        repo: ``owner/name``.
        variable: The environment variable that overrides the revision.
        pinned: The commit that published results were computed on; None until it is known.
    """

    repo: str
    variable: str
    pinned: str | None = None

    def at(self, revision: str | None) -> Request:
        """Return the request for a revision: the given one, the environment's, the pinned, main."""
        chosen = revision or os.environ.get(self.variable) or self.pinned or "main"
        return Request(self.repo, chosen)


# Names: github.com/insait-institute/sabermath (README). Its text pins no commit.
QUERIES = HubDataset("sabermath/SaberMath-queries", "SABER_MTEB_QUERIES_REVISION")
DOCUMENTS = HubDataset("sabermath/SaberMath-documents", "SABER_MTEB_DOCUMENTS_REVISION")


def fetch_tables(queries: Request, documents: Request) -> TablePair:
    """Return both tables: from the hub, or from the cache if the hub cannot give them.

    Two commits that are completely here are not asked for again. With HF_HUB_OFFLINE set the hub
    is never asked.

    Raises:
        HubError: If neither the hub nor the cache has both tables.
    """
    from huggingface_hub import constants

    copy = complete_copy([(queries.repo, queries.revision), (documents.repo, documents.revision)])
    if copy is not None and queries.is_commit and documents.is_commit:
        return copy
    if constants.HF_HUB_OFFLINE:
        if copy is None:
            raise offline_without_copy((queries.repo, documents.repo))
        return copy
    try:
        pair = TablePair(
            queries=download(queries.repo, queries.revision),
            documents=download(documents.repo, documents.revision),
        )
    except HubError as error:
        if copy is None:
            raise
        logger.warning("%s Using the copy in the cache (commits %s).", error, _commits(copy))
        return copy
    record_completion(pair)
    return pair


def _commits(pair: TablePair) -> str:
    return f"{pair.queries.commit[:12]}, {pair.documents.commit[:12]}"
