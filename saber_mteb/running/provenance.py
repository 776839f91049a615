"""What must be known to repeat a run."""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from saber_mteb.running.hardware import hardware_profile
from saber_mteb.running.ranking import Ranker, encodes
from saber_mteb.systems.base import Role

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark, Pool
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.running.session import Session
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card

# Packages that decide a score or read the data; those not installed are left out.
_RECORDED = (
    "saber-mteb", "numpy", "scipy", "pyarrow", "huggingface-hub", "pya0",
    "mteb", "torch", "transformers", "sentence-transformers",
)  # fmt: skip


def provenance(
    card: Card,
    system: System | Ranker,
    benchmark: Benchmark,
    setting: Setting,
    *,
    rows: range,
    limit: int | None,
) -> dict[str, Any]:
    """Return what made a run of our own engine, with the first texts as the system saw them."""
    first = benchmark.pools(setting, [rows[0]])[0]
    return {
        **computed_here(system, first),
        "command": ["saber-mteb", *sys.argv[1:]],
        "system": {
            "name": card.name,
            "revision": card.revision,
            "protocol": "paper",
            "engine": card.engine,
            "recipe": card.recipe,
            "recipe_hash": card.recipe_hash,
        },
        "benchmark": data_provenance(benchmark),
        "limit": limit,
        "rows": {"start": rows.start, "stop": rows.stop, "step": rows.step},
        **(system.computed(setting) if isinstance(system, Ranker) else {}),
    }


def computed_here(system: System | Ranker, first: Pool) -> dict[str, Any]:
    """Return what the process knows that computes: its machine, and the texts of a first pool."""
    query, document = first.query, first.documents[0]
    if encodes(system):
        query = system.finish(query, Role.QUERY).text
        document = system.finish(document, Role.DOCUMENT).text
    # None where the stores had everything and no model was loaded.
    device = getattr(system, "device_used", None)
    return {
        **environment_provenance(),
        "device": device,
        "hardware": asdict(hardware_profile(device)),
        "first_query": query,
        "first_document": document,
    }


def effort(session: Session, seconds: float) -> dict[str, Any]:
    """Return what a run took: batch limits, counts, seconds whole and by phase, peak memory."""
    return {
        "seconds": seconds,
        "batches": asdict(session.policy),
        "counted": asdict(session.tally),
        "peak_memory_mb": peak_memory_mb(),
    }


def peak_memory_mb() -> dict[str, float]:
    """Return the peak resident memory of this process and, if torch uses one, of its GPU, in MB."""
    import resource

    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = {"rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6}
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        peak["gpu"] = torch.cuda.max_memory_allocated() / 1e6
    return peak


def environment_provenance() -> dict[str, Any]:
    """Return versions of what decides a score, and the kind of machine (no name, no path)."""
    found = {}
    for package in _RECORDED:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "versions": found,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def data_provenance(benchmark: Benchmark) -> dict[str, Any]:
    """Return which data were asked."""
    return {
        "name": benchmark.name,
        "synthetic": benchmark.synthetic,
        "queries_revision": benchmark.source.queries_revision,
        "documents_revision": benchmark.source.documents_revision,
        "content_hash": benchmark.content_hash,
    }
