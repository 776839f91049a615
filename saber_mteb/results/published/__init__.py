"""What the authors of SABER-Math published, as printed in their tables, with the source of each."""

from __future__ import annotations

from saber_mteb.results.published.golden import GoldenValues, load_golden
from saber_mteb.results.published.rows import PublishedRow, PublishedScore, load_published

__all__ = ["GoldenValues", "PublishedRow", "PublishedScore", "load_golden", "load_published"]
