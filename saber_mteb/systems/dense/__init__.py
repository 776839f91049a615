"""Bi-encoders: one vector for each text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.systems.card import Card, Paradigm, Weights

if TYPE_CHECKING:
    from saber_mteb.systems.base import System


def build(card: Card, device: str | None = None) -> System:
    """Return the bi-encoder of a card.

    Raises:
        SaberError: If the recipe is not valid or names no weights.
    """
    from saber_mteb.systems.dense.recipe import SentenceTransformerRecipe
    from saber_mteb.systems.dense.sentence_transformer import SentenceTransformerEncoder
    from saber_mteb.systems.recipes import read_recipe

    recipe = read_recipe(card, SentenceTransformerRecipe)
    if card.weights is None:
        raise SaberError(f"The card '{card.key}' names no weights; a bi-encoder needs them.")
    folder = card.weights.folder
    return SentenceTransformerEncoder(
        model=folder or card.weights.name,
        revision=None if folder else card.weights.revision,
        device=device,
        **recipe.model_dump(),
    )


def card_of_model(model: str, name: str | None, revision: str | None) -> Card:
    """Return the card of a model that has none: the folder or hub id of a sentence-transformer.

    Raises:
        UsageError: If it is not told by which name and revision its results shall be known.
    """
    local = Path(model).expanduser().is_dir()
    if name is None and not local:
        name = model
    if name is None or revision is None:
        raise UsageError(
            f"Results of '{model}' need a name and a revision, or they could not be told from "
            "those of another model: add --name your-org/your-model --revision COMMIT."
        )
    if name.count("/") != 1:
        raise UsageError(f"The name '{name}' must have the form org/model.")
    if not local and name != model:
        raise UsageError(f"'{model}' is no folder, and on the hub its name is its id: no --name.")
    return Card(
        key="st",
        display_name=name,
        description="A sentence-transformers model without a card.",
        paradigm=Paradigm.BI_ENCODER,
        engine="sentence-transformers",
        recipe={"dtype": "float32"},
        weights=Weights(name=name, revision=revision, folder=model if local else None),
        sources={"recipe": "the command line"},
    )
