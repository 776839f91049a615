"""Systems that compare tokens: BM25, TF-IDF and Jaccard."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card


def build(card: Card) -> System:
    """Return the system of a card with the engine ``bm25``, ``tf-idf`` or ``jaccard``.

    Raises:
        SaberError: If the recipe is not valid, or if it asks for math-aware tokens and pya0 is not
            installed in the recipe's version.
    """
    from saber_mteb.systems.lexical.recipe import RECIPES
    from saber_mteb.systems.lexical.system import LexicalSystem
    from saber_mteb.systems.lexical.tokens import token_source
    from saber_mteb.systems.recipes import read_recipe

    recipe = read_recipe(card, RECIPES[card.engine])
    return LexicalSystem(token_source(card.key, recipe.tokens, recipe.pya0), recipe.ranker())
