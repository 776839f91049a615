"""Keeps what was timed: one file for each kind of machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from saber_mteb.results._writing import read_json, write_json


def save_latency(
    path: Path, conditions: Mapping[str, Any], measured: Mapping[str, Mapping[str, Any]]
) -> None:
    """Write what was measured; what an earlier call measured under the same conditions stays.

    Args:
        path: The file, see `ResultFolder.latency`.
        conditions: JSON-ready: all that the figures depend on.
        measured: JSON-ready, by what was measured.

    Raises:
        SaberError: If it cannot be written, or what stands there cannot be read.
    """
    earlier = read_json(path) if path.exists() else {}
    kept = earlier.get("measured", {}) if earlier.get("conditions") == conditions else {}
    content = {"schema": 1, "conditions": conditions, "measured": {**kept, **measured}}
    write_json(path, content)
