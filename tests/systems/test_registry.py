"""The cards load, names are found or suggested, and the recipe decides the revision."""

from __future__ import annotations

from pathlib import Path

import pytest

from saber_mteb._errors import SaberError, UsageError
from saber_mteb._resources import resource_folder
from saber_mteb.systems.card import Card, Paradigm
from saber_mteb.systems.registry import ENGINES, build_system, find_card, load_cards, read_card

CARDS = load_cards()


def test_every_file_of_the_registry_is_a_card() -> None:
    files = {path.stem for path in resource_folder("model_registry").glob("*.toml")}
    assert set(CARDS) == files
    lexical = {
        f"{name}{suffix}" for name in ("bm25", "tf-idf", "jaccard") for suffix in ("", "-no-tok")
    }
    assert lexical | {"approach0"} <= files


@pytest.mark.parametrize("key", CARDS)
def test_a_card_is_complete(key: str) -> None:
    card = CARDS[key]
    assert card.engine in ENGINES
    assert card.description.endswith(".")
    assert {"key", "recipe"} <= set(card.sources)
    assert all(len(source) > 10 for source in card.sources.values())


def test_recipe_hashes_are_distinct() -> None:
    assert len({card.recipe_hash for card in CARDS.values()}) == len(CARDS)


def test_a_card_is_found_by_key_and_by_full_name() -> None:
    assert find_card("bm25") is find_card("saber/bm25")
    assert find_card("bm25").name == "saber/bm25"


@pytest.mark.parametrize(
    ("typo", "meant"), [("bm52", "bm25"), ("jacard", "jaccard"), ("saber/tfidf", "tf-idf")]
)
def test_a_near_miss_gets_a_suggestion(typo: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"Did you mean.*'{meant}'"):
        find_card(typo)


def card_text(**changes: str) -> str:
    fields = {
        "key": '"mine"',
        "display_name": '"Mine"',
        "description": '"A test."',
        "paradigm": '"lexical"',
        "engine": '"jaccard"',
        "recipe": '{ tokens = "whitespace" }',
        "sources": '{ key = "a test" }',
    }
    return "\n".join(f"{name} = {value}" for name, value in (fields | changes).items() if value)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"paradigm": '"magic"'}, "paradigm"),
        ({"engine": ""}, "engine"),
        ({"colour": '"red"'}, "colour"),
        ({"recipe": '"none"'}, "recipe"),
        ({"key": '"No Spaces"'}, "key"),
        ({"description": "broken"}, "Invalid value"),
    ],
)
def test_a_malformed_card_is_named_with_its_field(
    tmp_path: Path, changes: dict[str, str], field: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(card_text(**changes))
    with pytest.raises(SaberError) as caught:
        read_card(path)
    assert str(path) in str(caught.value)
    assert field in str(caught.value)


def test_a_card_under_another_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "yours.toml"
    path.write_text(card_text())
    with pytest.raises(SaberError, match=r"yours\.toml: the key is 'mine'"):
        read_card(path)


def card(**changes: object) -> Card:
    fields = {
        "key": "mine",
        "display_name": "Mine",
        "description": "A test.",
        "paradigm": Paradigm.LEXICAL,
        "engine": "bm25",
        "recipe": {
            "tokens": "whitespace",
            "statistics": "pool",
            "k1": 1.5,
            "b": 0.75,
            "epsilon": 0.25,
        },
        "sources": {"key": "a test"},
    }
    return Card.model_validate(fields | changes)


def test_the_revision_follows_the_recipe_and_nothing_else() -> None:
    base = card()
    assert len(base.recipe_hash) == 40
    assert card(description="Other words.", license="MIT").recipe_hash == base.recipe_hash
    assert card(recipe={**base.recipe, "k1": 1.2}).recipe_hash != base.recipe_hash
    assert card(engine="jaccard").recipe_hash != base.recipe_hash
    reordered = dict(reversed(base.recipe.items()))
    assert card(recipe=reordered).recipe_hash == base.recipe_hash


@pytest.mark.parametrize(
    ("recipe", "field"),
    [
        ({"k1": "much"}, "recipe.k1"),
        ({"delta": 1.0}, "recipe.delta"),
        ({"tokens": "letters"}, "recipe.tokens"),
        ({"statistics": "corpus"}, "recipe.statistics"),
        ({"pya0": "0.3.7"}, "'pya0' names a version"),
        ({"tokens": "math-aware"}, "'pya0' names a version"),
    ],
)
def test_a_recipe_that_no_engine_implements_is_refused(
    recipe: dict[str, object], field: str
) -> None:
    with pytest.raises(SaberError) as caught:
        build_system(card(recipe={**card().recipe, **recipe}))
    assert field in str(caught.value)
    assert "'mine'" in str(caught.value)
