"""Says where on this machine what can be fetched or computed again is kept."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return our own cache: SABER_MTEB_CACHE, or ``saber-mteb`` in the user's cache folder."""
    chosen = os.environ.get("SABER_MTEB_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "saber-mteb"
