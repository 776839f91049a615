"""Finds the native module of pya0 without importing it."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from saber_mteb._errors import SaberError


def find_pya0(key: str, wanted: str) -> Path:
    """Return the file of pya0's native module, for a system whose scores are those of one version.

    Args:
        key: The key of the system that asks, for the message.
        wanted: The version that the system's recipe names.

    Raises:
        SaberError: If pya0 is missing (it has wheels for Linux x86-64 only) or another version.
    """
    try:
        found = version("pya0")
        spec = find_spec("pya0")
    except PackageNotFoundError:
        found, spec = None, None
    folders = list(spec.submodule_search_locations or []) if spec else []
    modules = [module for folder in folders for module in sorted(Path(folder).glob("_pya0*.so"))]
    advice = (
        f"`pip install pya0=={wanted}` brings it on Linux x86-64; on any other machine use the "
        "lexical systems whose name ends in '-no-tok', which need no native code."
    )
    if not modules:
        raise SaberError(f"'{key}' needs the native library pya0, which is not here. {advice}")
    if found != wanted:
        raise SaberError(
            f"'{key}' is defined with pya0 {wanted}; {found} is installed and may score "
            f"differently. {advice}"
        )
    return modules[0]


def clean(text: str) -> str:
    r"""Return the text as the library can take it: C strings of valid UTF-8.

    >>> clean("a\x00b\ud800")
    'a b?'
    """
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


def name_text(text: str) -> str:
    """Return what a message calls a text: the start of its SHA-256 and its first characters.

    >>> name_text("Find the value of x.")
    "text 89667cf40b65 ('Find the value of x.')"
    """
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    start = text if len(text) <= 60 else f"{text[:60]}…"
    return f"text {digest[:12]} ({start!r})"
