"""What a card of a sentence-transformers model may say."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class SentenceTransformerRecipe(BaseModel):
    """Parameters of `SentenceTransformerEncoder`; not the device, which is no part of a recipe."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dtype: Literal["float32", "bfloat16", "float16"]
    query_prompt: str = ""
    document_prompt: str = ""
