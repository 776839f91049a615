"""Finds the data folders that lie at the top of the repository and inside the wheel."""

from __future__ import annotations

from pathlib import Path

from saber_mteb._errors import SaberError

_PACKAGE = Path(__file__).resolve().parent


def resource_folder(name: str) -> Path:
    """Return the folder ``model_registry`` or ``leaderboard`` of this checkout or install.

    In a wheel the folders sit in ``saber_mteb/_data``; in a checkout (also an editable install)
    they sit beside the package.

    Raises:
        SaberError: If the folder is in neither place.

    >>> resource_folder("model_registry").name
    'model_registry'
    """
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise SaberError(
        f"The data folder '{name}' is missing from this installation; reinstall saber-mteb."
    )
