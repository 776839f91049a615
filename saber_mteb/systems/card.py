"""The card of a system: one TOML file that says how it is run and where each fact is from."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Paradigm(StrEnum):
    """How a system ranks."""

    LEXICAL = "lexical"
    STRUCTURE = "structure"
    BI_ENCODER = "bi-encoder"


class Weights(BaseModel):
    """The weights of a model, by which its results are known.

    ``folder`` is where they lie on this machine, if not on the hub: no part of what they are, so
    neither hashed nor written into results.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[^/\s]+/[^/\s]+$")
    revision: str = Field(min_length=1)
    folder: str | None = Field(default=None, exclude=True)


class Card(BaseModel):
    """Everything needed to run a system and to describe it.

    ``engine`` names the implementation, ``recipe`` its parameters: together they decide every
    score, so their hash is the revision of a system without weights.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str = Field(pattern=r"^[a-z0-9][a-z0-9.\-]*$")
    display_name: str
    description: str
    paradigm: Paradigm
    engine: str
    recipe: dict[str, Any]
    weights: Weights | None = None
    release_date: str | None = None
    license: str | None = None
    reference: str | None = None
    sources: dict[str, str]

    @property
    def name(self) -> str:
        """The name in results and in MTEB: ``org/name``, ours where there are no weights."""
        return self.weights.name if self.weights else f"saber/{self.key}"

    @property
    def revision(self) -> str:
        """The revision in results: that of the weights, or the recipe's hash."""
        return self.weights.revision if self.weights else self.recipe_hash

    @property
    def recipe_hash(self) -> str:
        """SHA-256 over all that decides a score, 40 hex digits like a commit."""
        decides: dict[str, Any] = {"engine": self.engine, "recipe": self.recipe}
        if self.weights:
            decides["weights"] = self.weights.model_dump()
        text = json.dumps(decides, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:40]
