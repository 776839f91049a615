"""Reads the cards and turns a card into a system."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import ValidationError

from saber_mteb._errors import SaberError, UsageError, nearest
from saber_mteb._resources import resource_folder
from saber_mteb.systems.card import Card

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from saber_mteb.systems.base import System

# engine -> module whose `build(card)` returns the system; imported only when it is asked for.
ENGINES: Mapping[str, str] = MappingProxyType(
    {
        "bm25": "saber_mteb.systems.lexical",
        "tf-idf": "saber_mteb.systems.lexical",
        "jaccard": "saber_mteb.systems.lexical",
        "approach0": "saber_mteb.systems.structure",
        "sentence-transformers": "saber_mteb.systems.dense",
    }
)


@lru_cache(maxsize=1)
def load_cards() -> Mapping[str, Card]:
    """Return every card of the registry by key, sorted.

    Raises:
        SaberError: If a card is not valid, naming file and field.
    """
    paths = sorted(resource_folder("model_registry").glob("*.toml"))
    return MappingProxyType({card.key: card for card in map(read_card, paths)})


def read_card(path: Path) -> Card:
    """Read and check one card; its file name must be its key.

    Raises:
        SaberError: If it cannot be read as a card.
    """
    try:
        card = Card.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise SaberError(f"{path}: not a valid card: {error}") from error
    if card.key != path.stem:
        raise SaberError(f"{path}: the key is '{card.key}'; it must equal the file name.")
    return card


def find_card(name: str) -> Card:
    """Return the card of a key (``bm25``) or full name (``saber/bm25``).

    Raises:
        UsageError: If there is none, with the nearest names.

    >>> find_card("saber/bm25").key
    'bm25'
    """
    cards = load_cards()
    key = name.removeprefix("saber/")
    if key in cards:
        return cards[key]
    raise UsageError(
        f"No system is called '{name}'.{nearest(key, list(cards))} "
        "`saber-mteb systems list` shows all of them."
    )


def resolve(
    system: str, *, name: str | None = None, revision: str | None = None, dtype: str | None = None
) -> Card:
    """Return the card of what a user asked for: a key of the registry, or ``st:MODEL``.

    Args:
        system: Key, full name, or a prefix and a folder or hub id.
        name: ``org/name`` by which the results of a model without a card shall be known.
        revision: Its revision.
        dtype: Another number format than the card's.

    Raises:
        UsageError: If there is no such system, or something is asked of it that it has not.
    """
    prefix, colon, model = system.partition(":")
    if colon and prefix == "st":
        from saber_mteb.systems.dense import card_of_model

        card = card_of_model(model, name, revision)
    elif name or revision:
        raise UsageError(
            f"'{system}' has its name and revision; --name and --revision are for st:."
        )
    else:
        card = find_card(system)
    if dtype is None:
        return card
    if "dtype" not in card.recipe:
        raise UsageError(f"'{system}' has no weights, so there is no --dtype to choose.")
    return card.model_copy(update={"recipe": {**card.recipe, "dtype": dtype}})


def build_system(card: Card, device: str | None = None) -> System:
    """Return the system that a card describes.

    Args:
        card: The card.
        device: As torch names it; None takes what there is.

    Raises:
        SaberError: If something it needs is not installed, with the install line.
        UsageError: If a device is asked of a system without weights.
    """
    module = import_module(ENGINES[card.engine])
    if device is None:
        system: System = module.build(card)
    elif card.weights is None:
        raise UsageError(f"'{card.key}' has no weights and runs on the CPU, without --device.")
    else:
        system = module.build(card, device)
    return system
