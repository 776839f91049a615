"""Refuses a model whose results mteb would keep under a name that other models share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError

if TYPE_CHECKING:
    from pathlib import Path

    from mteb.models import MTEBModels

# What mteb fills in for an object that does not say who it is.
NO_NAME = "no_model_name/available"
NO_REVISION = "no_revision_available"

_REMEDY = (
    "Give it both before evaluating, for example:\n"
    "    model = mteb.SentenceTransformerEncoderWrapper(model)  # unless it has a mteb_model_meta\n"
    "    model.mteb_model_meta = model.mteb_model_meta.model_copy(\n"
    '        update={"name": "your-org/your-model", "revision": "1"})'
)


def lacking(name: str | None, revision: str | None) -> list[str]:
    """Return which of name and revision are absent or mteb's stand-ins for it.

    >>> lacking("org/model", "no_revision_available")
    ['revision']
    """
    lacks = ["name"] if name in (None, "", NO_NAME) else []
    return [*lacks, "revision"] if revision in (None, "", NO_REVISION) else lacks


def require_identity(model: MTEBModels) -> None:
    """Demand a name and a revision.

    Without them mteb stores every local model in one place and hands the first one's score to the
    second (measured: 0.52309 reported where 0.53512 was true).

    Raises:
        SaberError: If the model lacks either, with the lines that give it both.
    """
    meta = model.mteb_model_meta
    name = getattr(meta, "name", None)
    lacks = lacking(name, getattr(meta, "revision", None))
    if lacks:
        known = "" if "name" in lacks else f" '{name}'"
        raise SaberError(
            f"This model{known} has no {' and no '.join(lacks)}, so its result could not be told "
            f"from that of another model. {_REMEDY}"
        )


def require_own_predictions(path: Path, model: MTEBModels) -> None:
    """Demand that a prediction file that is already there was written by the same model.

    mteb keeps the first model's name when a second one writes into the same file.

    Raises:
        SaberError: If another model wrote it, or it cannot be read.
    """
    if not path.exists():
        return
    try:
        owner = json.loads(path.read_text(encoding="utf-8"))["mteb_model_meta"]
        written = (owner["model_name"], owner["revision"])
    except (ValueError, LookupError, TypeError) as error:
        raise SaberError(f"{path}: not a prediction file of mteb; use another folder.") from error
    meta = model.mteb_model_meta
    if written != (meta.name, meta.revision):
        raise SaberError(
            f"{path} holds predictions of {written[0]} at {written[1]}; use another prediction "
            f"folder for {meta.name} at {meta.revision}."
        )
