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
    release_date: str | None = None
    license: str | None = None
    reference: str | None = None
    sources: dict[str, str]

    @property
    def name(self) -> str:
        """The name in results and in MTEB: ``org/name``, ours where there is no hub id."""
        return f"saber/{self.key}"

    @property
    def recipe_hash(self) -> str:
        """SHA-256 over engine and recipe, 40 hex digits like a commit."""
        text = json.dumps({"engine": self.engine, "recipe": self.recipe}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:40]
