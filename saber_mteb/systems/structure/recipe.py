"""What a card's recipe may say for Approach Zero."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class ApproachZeroRecipe(BaseModel):
    """Everything that decides the scores; a value that is not implemented is refused.

    Attributes:
        pya0: Version of the engine.
        statistics: Where document frequencies are counted: in an index of the pool alone.
        spans: What counts as a formula.
        topk: How many hits are asked for.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    pya0: str
    statistics: Literal["pool"]
    spans: Literal["$$ $ \\[ \\( equation align"]
    topk: Literal["pool size"]
