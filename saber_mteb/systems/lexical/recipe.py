"""What a card's recipe may say for the three lexical engines."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from saber_mteb.systems.lexical.ranking import Ranker, bm25, jaccard, tf_idf
from saber_mteb.systems.lexical.tokens import TokenKind


class LexicalRecipe(BaseModel):
    """Everything that decides the scores; a value that is not implemented is refused.

    Attributes:
        tokens: How a text becomes tokens.
        pya0: Version of the library that reads formulas; for math-aware tokens and no others.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    tokens: TokenKind
    pya0: str | None = None

    @model_validator(mode="after")
    def _pya0_with_math_only(self) -> LexicalRecipe:
        if (self.tokens is TokenKind.MATH_AWARE) != (self.pya0 is not None):
            raise ValueError("'pya0' names a version with math-aware tokens, and only then")
        return self

    def ranker(self) -> Ranker:
        """Return the function that scores a pool."""
        raise NotImplementedError


class Bm25Recipe(LexicalRecipe):
    """BM25 as rank_bm25's ``BM25Okapi`` defines it."""

    statistics: Literal["pool"]
    k1: float
    b: float
    epsilon: float

    def ranker(self) -> Ranker:
        """Return BM25 with the recipe's constants."""
        return partial(bm25, k1=self.k1, b=self.b, epsilon=self.epsilon)


class TfIdfRecipe(LexicalRecipe):
    """TF-IDF as scikit-learn's ``TfidfVectorizer`` defines it by default, and the cosine."""

    statistics: Literal["pool"]
    tf: Literal["count"]
    idf: Literal["smooth"]
    norm: Literal["l2"]

    def ranker(self) -> Ranker:
        """Return TF-IDF."""
        return tf_idf


class JaccardRecipe(LexicalRecipe):
    """Intersection over union of the two token sets."""

    def ranker(self) -> Ranker:
        """Return the Jaccard coefficient."""
        return jaccard


RECIPES: Mapping[str, type[LexicalRecipe]] = MappingProxyType(
    {"bm25": Bm25Recipe, "tf-idf": TfIdfRecipe, "jaccard": JaccardRecipe}
)
