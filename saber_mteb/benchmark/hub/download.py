"""Talks to the hub: which commit, which files, and their bytes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.hub.failures import ALTERNATIVE, HubError, explain, may_pass
from saber_mteb.benchmark.hub.layout import train_files
from saber_mteb.benchmark.hub.manifest import TableCopy, cached_file

# The hub converts most data sets to parquet here, whatever their authors uploaded.
CONVERTED = "refs/convert/parquet"

TIMEOUT_SECONDS = 10
# A hub in trouble answers 5xx for seconds; more waiting would leave the user without a word.
PAUSES_SECONDS = (1.0, 2.0)

_T = TypeVar("_T")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listing:
    """A commit and the size of each of its files (None where the hub does not say)."""

    commit: str
    sizes: Mapping[str, int | None]


def download(repo: str, revision: str) -> TableCopy:
    """Fetch the train split of a data set; files that are here already are not fetched again.

    Raises:
        HubError: If the hub cannot be reached, refuses, or has no such table.
    """
    listing = _list_files(repo, revision)
    names = _choose(listing, repo, revision)
    # Only for the default: the branch holds no other revision than the newest.
    if not names and revision == "main":
        try:
            listing = _list_files(repo, CONVERTED)
        except HubError:
            logger.info("%s has no branch %s", repo, CONVERTED)
        else:
            names = _choose(listing, repo, CONVERTED)
    if not names:
        raise HubError(
            f"The data set '{repo}' (revision '{revision}') holds no parquet or JSON lines files "
            f"for split 'train'; found {', '.join(sorted(listing.sizes)[:8]) or 'nothing'}. "
            f"Check the revision. {ALTERNATIVE}"
        )
    paths = tuple(_on_hub(partial(_fetch, repo, listing, name), repo, revision) for name in names)
    return TableCopy(repo, revision, listing.commit, tuple(names), paths)


def _choose(listing: Listing, repo: str, revision: str) -> list[str]:
    try:
        return train_files(listing.sizes)
    except SaberError as error:
        raise HubError(f"The data set '{repo}' (revision '{revision}'): {error}.") from error


def _list_files(repo: str, revision: str) -> Listing:
    from huggingface_hub import HfApi

    info = _on_hub(
        lambda: HfApi().dataset_info(
            repo, revision=revision, timeout=TIMEOUT_SECONDS, files_metadata=True
        ),
        repo,
        revision,
    )
    if not info.sha:
        raise HubError(f"The hub names no commit for '{repo}' (revision '{revision}').")
    return Listing(info.sha, {file.rfilename: file.size for file in info.siblings or ()})


def _fetch(repo: str, listing: Listing, name: str) -> Path:
    """Return the file's path; what has not the size that the hub states is fetched again."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url

    expected = listing.sizes[name]
    here = cached_file(repo, listing.commit, name)
    if here is not None and expected in (None, here.stat().st_size):
        return here
    # Asked first because hf_hub_download repeats a failing look-up for up to minutes.
    url = hf_hub_url(repo, name, repo_type="dataset", revision=listing.commit)
    get_hf_file_metadata(url, timeout=TIMEOUT_SECONDS)
    path = Path(
        hf_hub_download(
            repo,
            name,
            repo_type="dataset",
            revision=listing.commit,
            etag_timeout=TIMEOUT_SECONDS,
            force_download=here is not None,
        )
    )
    if expected not in (None, path.stat().st_size):
        raise HubError(
            f"'{name}' of '{repo}' has {path.stat().st_size} bytes, the hub states {expected}; "
            "it is not used. Run it again later."
        )
    return path


def _on_hub(call: Callable[[], _T], repo: str, revision: str) -> _T:
    """Make a call, again after a pause if the hub is in trouble, and explain its failure.

    Everything that the call can raise is foreign: errors of httpx, of its successor in newer
    clients, of the storage back end, of the operating system.
    """
    from huggingface_hub import constants

    pauses = iter(PAUSES_SECONDS)
    while True:
        try:
            return call()
        except SaberError:
            raise
        except Exception as error:
            pause = next(pauses, None)
            if pause is None or not may_pass(error):
                raise explain(error, repo, revision, constants.ENDPOINT) from error
            logger.warning("The hub is in trouble (%s); trying again.", type(error).__name__)
            time.sleep(pause)
