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
    from rich.progress import Progress
    from rich.table import Table

    from saber_mteb.running.reporting import Reporter

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


def hush() -> None:
    """Say nothing on stderr but errors."""
    logging.getLogger("saber_mteb").setLevel(logging.ERROR)


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
def progress(label: str, *, quiet: bool = False) -> Iterator[Reporter]:
    """Show one bar on stderr, only on a terminal: phase, units done, rate, time left.

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
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns,
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    ) as bars:
        yield _Bar(bars, label)


class _Bar:
    """One bar that starts again with each phase."""

    def __init__(self, bars: Progress, label: str) -> None:
        self._bars = bars
        self._label = label
        self._task = bars.add_task(label, total=None, rate="")

    def start(self, phase: str, total: int) -> None:
        """Begin a phase of so many units."""
        self._bars.reset(self._task, total=total, description=f"{self._label}: {phase}", rate="")

    def advance(self, units: int = 1) -> None:
        """Count units of the current phase as done."""
        self._bars.advance(self._task, units)
        speed = self._bars.tasks[0].speed
        if speed:
            self._bars.update(self._task, rate=f"{speed:.3g}/s")
