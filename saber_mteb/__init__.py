"""SABER-Math: which retriever finds the mathematics you need?

The names below are loaded when first used, so that ``import saber_mteb`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from saber_mteb._mteb import register
    from saber_mteb.benchmark import load_benchmark
    from saber_mteb.benchmark.domains import Domain
    from saber_mteb.benchmark.evaluation import evaluate
    from saber_mteb.benchmark.metric import ndcg
    from saber_mteb.benchmark.settings import Setting
    from saber_mteb.running.engine import run_system
    from saber_mteb.systems.registry import build_system, find_card

__all__ = [
    "Domain",
    "Setting",
    "build_system",
    "evaluate",
    "find_card",
    "load_benchmark",
    "ndcg",
    "register",
    "run_system",
]

__version__ = "0.1.0"

_HOMES = {
    "Domain": "saber_mteb.benchmark.domains",
    "Setting": "saber_mteb.benchmark.settings",
    "build_system": "saber_mteb.systems.registry",
    "evaluate": "saber_mteb.benchmark.evaluation",
    "find_card": "saber_mteb.systems.registry",
    "load_benchmark": "saber_mteb.benchmark",
    "ndcg": "saber_mteb.benchmark.metric",
    "register": "saber_mteb._mteb",
    "run_system": "saber_mteb.running.engine",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each name has its own type, given above
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
