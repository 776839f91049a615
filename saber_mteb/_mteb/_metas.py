"""Our cards as model metadata of mteb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteb.models.model_meta import ModelMeta

from saber_mteb._mteb._search import load_system
from saber_mteb.results.mteb_format import model_meta
from saber_mteb.systems.registry import load_cards

if TYPE_CHECKING:
    from saber_mteb.systems.card import Card


def model_metas() -> list[ModelMeta]:
    """Return the metadata of every system that mteb can run through us."""
    return [_model_meta(card) for card in load_cards().values()]


def _model_meta(card: Card) -> ModelMeta:
    fields = model_meta(
        name=card.name,
        revision=card.revision,
        release_date=card.release_date,
        license=card.license,
        reference=card.reference,
    )
    # These two are written to model_meta.json but are no fields.
    del fields["loader"], fields["is_cross_encoder"]
    return ModelMeta(loader=load_system, **fields)
