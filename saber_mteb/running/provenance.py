"""What must be known to repeat a run."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.systems.card import Card

# Packages that decide a score or read the data; those not installed are left out.
_RECORDED = (
    "saber-mteb", "numpy", "scipy", "pyarrow", "huggingface-hub", "pya0",
    "mteb", "torch", "transformers", "sentence-transformers",
)  # fmt: skip


def provenance(
    card: Card, benchmark: Benchmark, setting: Setting, *, limit: int | None
) -> dict[str, Any]:
    """Return what made a run: versions, machine, command, system recipe, data, first texts seen."""
    first = benchmark.pools(setting, [0])[0]
    return {
        "versions": _versions(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "command": ["saber-mteb", *sys.argv[1:]],
        "system": {
            "name": card.name,
            "revision": card.recipe_hash,
            "engine": card.engine,
            "recipe": card.recipe,
        },
        "benchmark": {
            "name": benchmark.name,
            "synthetic": benchmark.synthetic,
            "queries_revision": benchmark.source.queries_revision,
            "documents_revision": benchmark.source.documents_revision,
            "content_hash": benchmark.content_hash,
        },
        "limit": limit,
        "first_query": first.query,
        "first_document": first.documents[0],
    }


def _versions() -> dict[str, str]:
    found = {}
    for package in _RECORDED:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
