"""The published tables of results: one row per system and setting.

``results.csv`` was transcribed from github.com/insait-institute/sabermath; its columns
``source_file`` and ``ci_source_file`` name file and commit. An empty cell was not published.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.settings import Setting

_COLUMNS = {
    Domain.ALGEBRA: "algebra",
    Domain.GEOMETRY: "geometry",
    Domain.NUMBER_THEORY: "number_theory",
    Domain.COMBINATORICS: "combinatorics",
    Domain.CALCULUS: "calculus",
}


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """A mean nDCG@10 as printed.

    Attributes:
        value: The printed number.
        decimals: How many decimals were printed: the true mean lies within half a unit of the last.
        ci_low: Lower end of the published 95 % bootstrap interval, if any.
        ci_high: Its upper end.
    """

    value: float
    decimals: int
    ci_low: float | None = None
    ci_high: float | None = None

    @property
    def rounding(self) -> float:
        """Half a unit of the last printed decimal.

        >>> PublishedScore(0.4240, decimals=4).rounding
        5e-05
        """
        return 0.5 * 10.0**-self.decimals


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One system in one setting.

    Attributes:
        key: Key of the system.
        display_name: Name in the tables.
        hf_id: Hub id of the model, None for systems without one.
        category: CLASSICAL, EMBED, RERANK or SYSTEM.
        setting: The setting.
        overall: Mean over all queries with the most decimals published; None if not published.
        domains: Mean over the queries of each domain, where published.
        source: File and commit of the figures.
        ci_source: File and commit of the intervals and of the fourth decimal.
    """

    key: str
    display_name: str
    hf_id: str | None
    category: str
    setting: Setting
    overall: PublishedScore | None
    domains: Mapping[Domain, PublishedScore]
    source: str
    ci_source: str | None


def load_published(path: Path | None = None) -> tuple[PublishedRow, ...]:
    """Return the rows of the published tables, or of a file of the same columns.

    Raises:
        SaberError: If the file cannot be read as such.
    """
    path = path or Path(__file__).with_name("results.csv")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return tuple(_row(cells) for cells in csv.DictReader(file))
    except (OSError, KeyError, ValueError, ArithmeticError) as error:
        raise SaberError(
            f"{path}: cannot be read as a table of published results ({error!r}); "
            "expected the columns key, setting, overall and those of the domains."
        ) from error


def _row(cells: Mapping[str, str]) -> PublishedRow:
    # The fourth decimal comes from the table of intervals. It is the plain mean, not the mean of
    # the resamples: no row contradicts the three decimals of the main table (158 of 158).
    overall = _score(cells, "overall_4dp", ("ci_low_4dp", "ci_high_4dp")) or _score(
        cells, "overall", ("ci_low", "ci_high")
    )
    domains = {
        domain: _score(cells, column, (f"{column}_ci_low", f"{column}_ci_high"))
        for domain, column in _COLUMNS.items()
    }
    return PublishedRow(
        key=cells["key"],
        display_name=cells.get("display_name") or cells["key"],
        hf_id=cells.get("hf_id") or None,
        category=cells.get("category") or "",
        setting=Setting(cells["setting"]),
        overall=overall,
        domains={domain: score for domain, score in domains.items() if score is not None},
        source=cells.get("source_file") or "",
        ci_source=cells.get("ci_source_file") or None,
    )


def _score(
    cells: Mapping[str, str], column: str, interval: tuple[str, str]
) -> PublishedScore | None:
    text = cells.get(column)
    if not text:
        return None
    low, high = (cells.get(name) for name in interval)
    exponent = Decimal(text).as_tuple().exponent
    return PublishedScore(
        value=float(text),
        decimals=-exponent if isinstance(exponent, int) else 0,
        ci_low=float(low) if low else None,
        ci_high=float(high) if high else None,
    )
