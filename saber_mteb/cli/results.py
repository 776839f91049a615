"""``saber-mteb results``: files of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saber_mteb.cli.run import AsJson

app = typer.Typer(
    help="Result files.",
    epilog="Example: saber-mteb results import-mteb predictions --output results",
    no_args_is_help=True,
)


@app.callback()
def _results() -> None:
    """Result files."""
