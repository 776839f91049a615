"""How the command speaks: results on stdout, log and progress on stderr."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

SYNTHETIC = "synthetic, for trying things out, not comparable with SABER-Math"


def show_log() -> None:
    """Send our log to stderr, a line each; the library itself never adds a handler."""
    logger = logging.getLogger("saber_mteb")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False


def print_json(content: Mapping[str, Any]) -> None:
    """Print JSON on stdout; floats in full precision."""
    typer.echo(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))


def print_table(table: Table) -> None:
    """Print a table on stdout, as wide as it needs when stdout is not a terminal."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=200)
    console.print(table)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[object], None]]:
    """Show a bar on stderr, only on a terminal; yields the function that moves it by one.

    What is printed meanwhile goes above the bar if stdout is the terminal too, and untouched to
    stdout if not.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns,
        console=console,
        disable=not console.is_terminal,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    ) as bars:
        task = bars.add_task(label, total=total)
        yield lambda _: bars.advance(task)
