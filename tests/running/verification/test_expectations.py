"""The shipped expectations agree with themselves; a wrong file is told clearly."""

from __future__ import annotations

from pathlib import Path

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark import Domain
from saber_mteb.running.verification import load_expectations
from saber_mteb.systems.registry import load_cards


def test_blocks_cover_every_row_once_and_give_the_published_counts() -> None:
    data = load_expectations().data
    rows = [n for block in data.blocks for n in range(block.rows[0], block.rows[1] + 1)]
    assert rows == list(range(1000)) == list(range(data.queries or 0))
    for domain in Domain:
        sizes = (b.rows[1] - b.rows[0] + 1 for b in data.blocks if domain in b.domains)
        assert sum(sizes) == data.domain_counts[domain]
    assert sum(data.domain_counts.values()) == 1156


def test_every_expected_system_has_a_card_and_published_rows() -> None:
    expectations = load_expectations()
    assert set(expectations.scores.systems) <= set(load_cards())
    assert set(expectations.scores.systems) <= {row.key for row in expectations.published}
    assert [len(text) for text in expectations.data.known_queries] == [19]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[data]\nqueries = 'many'", r"expected\.toml: not a valid file .*data\.queries"),
        ("[data]\nquerys = 3", r"data\.querys"),
        ("[[data.blocks]]\nrows = [5, 2]\ndomains = ['Algebra']", r"are not a range"),
        ("[data", r"not a valid file of expectations"),
        ("[scores]\ngolden_file = 'nowhere.json'", r"nowhere\.json: cannot be read"),
    ],
)
def test_a_wrong_file(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "expected.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SaberError, match=f"(?s){expected}"):
        load_expectations(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SaberError, match="cannot be read"):
        load_expectations(tmp_path / "nowhere.toml")
