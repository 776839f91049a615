"""The published figures as the program sees them, against facts of the tables themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark import Domain, Setting
from saber_mteb.results.published import load_golden, load_published


def test_53_systems_in_three_settings() -> None:
    rows = load_published()
    assert len(rows) == 159
    assert len({row.key for row in rows}) == 53
    assert {row.setting for row in rows} == set(Setting)
    unpublished = [(row.key, row.setting) for row in rows if row.overall is None]
    assert unpublished == [("approach0", Setting.FULL_FULL)]


def test_a_row_as_printed() -> None:
    [row] = [
        row
        for row in load_published()
        if (row.key, row.setting) == ("bm25", Setting.STATEMENT_FULL)
    ]
    assert row.overall is not None
    assert (row.overall.value, row.overall.decimals, row.overall.ci_low) == (0.4165, 4, 0.4084)
    assert row.domains[Domain.CALCULUS].value == 0.393
    assert row.domains[Domain.CALCULUS].rounding == pytest.approx(0.0005)
    assert row.domains[Domain.COMBINATORICS].ci_high == 0.4446
    assert row.category == "CLASSICAL"
    assert row.source == "results/tables/RESULTS_main_statement-full.md@1338557"


def test_golden_values_round_to_the_printed_ones() -> None:
    """Two sources of the same run must agree to the printed decimals."""
    golden = load_golden()
    rows = {row.setting: row for row in load_published() if row.key == golden.key}
    for setting in Setting:
        printed = rows[setting].overall
        assert printed is not None
        assert golden.overall[setting] == pytest.approx(printed.value, abs=printed.rounding)
        for domain in Domain:
            score = rows[setting].domains[domain]
            found = golden.domains[setting][domain]
            assert found == pytest.approx(score.value, abs=score.rounding)
    assert {setting: len(v) for setting, v in golden.first_queries.items()} == {
        Setting.STATEMENT_FULL: 60,
        Setting.STATEMENT_STATEMENT: 60,
    }


def test_broken_files(tmp_path: Path) -> None:
    file = tmp_path / "figures"
    file.write_text("key,setting\nbm25,nowhere\n", encoding="utf-8")
    with pytest.raises(SaberError, match="published results"):
        load_published(file)
    with pytest.raises(SaberError, match="golden values"):
        load_golden(file)
