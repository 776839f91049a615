"""Checks the recipe of a card against what its engine implements."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from saber_mteb._errors import SaberError

if TYPE_CHECKING:
    from saber_mteb.systems.card import Card

Recipe = TypeVar("Recipe", bound=BaseModel)


def read_recipe(card: Card, model: type[Recipe]) -> Recipe:
    """Return a card's recipe as the engine's own type.

    Raises:
        SaberError: If the recipe says something that the engine does not do, naming the fields.
    """
    try:
        return model.model_validate(card.recipe)
    except ValidationError as error:
        faults = "; ".join(
            f"recipe.{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()
        )
        raise SaberError(
            f"The card '{card.key}' cannot be run by the engine '{card.engine}': {faults}"
        ) from error
