"""Fetches the published tables from the Hugging Face hub and keeps them for offline use."""

from __future__ import annotations

from saber_mteb.benchmark.hub.fetching import DOCUMENTS, QUERIES, HubDataset, Request, fetch_tables
from saber_mteb.benchmark.hub.manifest import TableCopy, TablePair

__all__ = [
    "DOCUMENTS",
    "QUERIES",
    "HubDataset",
    "Request",
    "TableCopy",
    "TablePair",
    "fetch_tables",
]
