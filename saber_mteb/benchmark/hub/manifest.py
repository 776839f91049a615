"""What says that a download is complete.

The hub client's cache cannot say it: a first run that dies between two files leaves a snapshot
folder that looks whole. So a small file of ours is written after the last byte of both tables, and
only a copy that it lists, with these sizes, is used without the hub. Both tables stand in one
file because candidates are row numbers: tables of different days must not be mixed.
"""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from saber_mteb._cache import cache_folder

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableCopy:
    """One table on this machine: the commit it is from, its files' names there and paths here."""

    repo: str
    requested: str
    commit: str
    names: tuple[str, ...]
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class TablePair:
    """The two tables of a benchmark."""

    queries: TableCopy
    documents: TableCopy


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    size: int


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    repo: str
    requested: str
    commit: str
    files: list[_File]


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    version: Literal[1] = 1
    queries: _Table
    documents: _Table


def complete_copy(wanted: Sequence[tuple[str, str]]) -> TablePair | None:
    """Return the copy whose download was finished, or None if there is none.

    Args:
        wanted: Repository and requested revision of the queries and of the documents.
    """
    path = _manifest_path(wanted)
    try:
        manifest = _Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        logger.warning("%s cannot be used and is ignored: %s", path, type(error).__name__)
        return None
    queries, documents = _locate(manifest.queries), _locate(manifest.documents)
    return TablePair(queries, documents) if queries and documents else None


def record_completion(pair: TablePair) -> None:
    """Write down that both tables are here; a cache that cannot be written costs a warning."""
    manifest = _Manifest(queries=_described(pair.queries), documents=_described(pair.documents))
    path = _manifest_path(
        [(table.repo, table.requested) for table in (pair.queries, pair.documents)]
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, suffix=".tmp", delete=False, encoding="utf-8"
        ) as file:
            file.write(manifest.model_dump_json(indent=1))
        Path(file.name).replace(path)
    except OSError as error:
        logger.warning(
            "The data are loaded, but %s cannot be written (%s), so that they will not be found "
            "without the hub; set SABER_MTEB_CACHE to a folder you can write to.",
            path,
            error.strerror,
        )


def _manifest_path(wanted: Sequence[tuple[str, str]]) -> Path:
    digest = hashlib.sha256(json.dumps([list(pair) for pair in wanted]).encode()).hexdigest()
    return cache_folder() / "hub" / f"{digest[:16]}.json"


def _described(table: TableCopy) -> _Table:
    return _Table(
        repo=table.repo,
        requested=table.requested,
        commit=table.commit,
        files=[
            _File(name=name, size=path.stat().st_size)
            for name, path in zip(table.names, table.paths, strict=True)
        ],
    )


def _locate(table: _Table) -> TableCopy | None:
    paths = [cached_file(table.repo, table.commit, file.name) for file in table.files]
    found = [path for path in paths if path is not None]
    sizes = [path.stat().st_size for path in found]
    if sizes != [file.size for file in table.files]:
        return None
    names = tuple(file.name for file in table.files)
    return TableCopy(table.repo, table.requested, table.commit, names, tuple(found))


def cached_file(repo: str, commit: str, name: str) -> Path | None:
    """Return the file in the hub client's cache, or None if it is not there."""
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(repo, name, revision=commit, repo_type="dataset")
    return Path(path) if isinstance(path, str) and Path(path).is_file() else None
