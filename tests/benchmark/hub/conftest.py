"""The loopback hub with two tiny tables of the real schema, one shard each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

QUERIES, DOCUMENTS = "sabermath/SaberMath-queries", "sabermath/SaberMath-documents"
SHARD = "data/train-00000-of-00001.parquet"


@pytest.fixture
def hub(
    hub: Any,
    queries: dict[str, list[Any]],
    documents: dict[str, list[Any]],
    parquet_bytes: Callable[[dict[str, list[Any]]], bytes],
) -> Any:
    """The hub, filled."""
    hub.put(QUERIES, {"README.md": b"# Queries", SHARD: parquet_bytes(queries)})
    hub.put(DOCUMENTS, {"README.md": b"# Documents", SHARD: parquet_bytes(documents)})
    return hub
