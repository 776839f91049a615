"""A run: what a system answered in one setting, before anything is computed from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.settings import Setting


@dataclass(frozen=True)
class Run:
    """Scores of one system in one setting.

    Attributes:
        setting: The setting the pools were shown in.
        rows: Query rows of the benchmark that were asked, shape ``(asked,)``, int64.
        scores: Shape ``(asked, pool size)``, float32: ties are ties in what is stored. A failed
            query is a row of NaN.
        failures: Reason by query row, for every failed query.
    """

    setting: Setting
    rows: NDArray[np.int64]
    scores: NDArray[np.float32]
    failures: Mapping[int, str] = field(default_factory=dict)
