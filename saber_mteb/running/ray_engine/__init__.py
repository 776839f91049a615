"""The engine beyond one machine: the queries of a run as tasks on a Ray cluster."""

from __future__ import annotations

from saber_mteb.running.ray_engine.cluster import Resources
from saber_mteb.running.ray_engine.ranker import RayRanker

__all__ = ["RayRanker", "Resources"]
