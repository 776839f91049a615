"""Without pya0, or with another version, the message says what to do."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark import Pool, Setting
from saber_mteb.systems.registry import build_system, find_card
from saber_mteb.systems.structure import library


@pytest.fixture
def without_pya0(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(library, "version", absent)
    monkeypatch.setattr(library, "find_spec", lambda _: None)


@pytest.mark.usefixtures("without_pya0")
@pytest.mark.parametrize("key", ["bm25", "tf-idf", "jaccard", "approach0"])
def test_without_pya0_the_message_says_what_to_do(key: str) -> None:
    with pytest.raises(SaberError) as caught:
        build_system(find_card(key))
    message = str(caught.value)
    assert message.startswith(f"'{key}' needs the native library pya0")
    assert "pip install pya0==0.3.7" in message
    assert "-no-tok" in message


@pytest.mark.usefixtures("without_pya0")
@pytest.mark.parametrize("key", ["bm25-no-tok", "tf-idf-no-tok", "jaccard-no-tok"])
def test_no_tok_systems_need_no_pya0(key: str) -> None:
    pool = Pool(Setting.STATEMENT_FULL, "0", "an even prime", ("0", "1"), ("even prime", "circle"))
    (answer,) = build_system(find_card(key)).score([pool])
    assert answer.scores is not None
    assert answer.scores[1] == 0.0


def test_a_module_hidden_from_the_import_system_counts_as_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pya0", None)
    with pytest.raises(SaberError, match="which is not here"):
        build_system(find_card("bm25"))


def test_another_version_is_refused(pya0_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recipe's hash promises the scores of one version."""
    monkeypatch.setattr(library, "version", lambda _: "0.3.9")
    with pytest.raises(SaberError, match=r"defined with pya0 0\.3\.7; 0\.3\.9 is installed"):
        build_system(find_card("jaccard"))
