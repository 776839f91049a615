"""Systems that compare the structure of formulas, and the process their native code runs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card


def build(card: Card) -> System:
    """Return the system of a card with the engine ``approach0``.

    Raises:
        SaberError: If pya0 is not installed in the recipe's version, or the recipe is not valid.
    """
    from saber_mteb.systems.recipes import read_recipe
    from saber_mteb.systems.structure.approach0 import ApproachZero
    from saber_mteb.systems.structure.library import find_pya0
    from saber_mteb.systems.structure.recipe import ApproachZeroRecipe

    recipe = read_recipe(card, ApproachZeroRecipe)
    return ApproachZero(find_pya0(card.key, recipe.pya0))
