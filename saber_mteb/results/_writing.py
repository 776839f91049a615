"""Writes files so that a reader sees the old one or the new one, never a half."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

from saber_mteb._errors import SaberError


def write_bytes(path: Path, data: bytes) -> None:
    """Write through a temporary file in the same folder, then rename; makes parent folders.

    Raises:
        SaberError: If the place cannot be written; what stood there before is untouched.
    """
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise SaberError(
            f"{path} could not be written ({error.strerror or error}); "
            "choose another folder with --output or free space. Nothing there was changed."
        ) from error


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write readable JSON with a final newline; NaN as mteb writes it, in measures of its own."""
    text = json.dumps(content, indent=2, ensure_ascii=False)
    write_bytes(path, (text + "\n").encode())


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        SaberError: If the file is missing, not JSON, or not an object.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SaberError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise SaberError(f"{path} is not JSON ({error}); delete it or restore it.") from error
    if not isinstance(content, dict):
        raise SaberError(f"{path} holds a JSON {type(content).__name__}, expected an object.")
    return content
