"""Puts the sub-commands together and turns errors into exit codes."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from saber_mteb import __version__
from saber_mteb.cli import cache, doctor, latency, merge, mteb, results, run, systems, verify

app = typer.Typer(
    name="saber-mteb",
    help="Which retriever finds the mathematics you need? SABER-Math as a command.",
    epilog="Example: saber-mteb run bm25 --benchmark mini",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("run", epilog=run.EXAMPLE)(run.run)
app.command("latency", epilog=latency.EXAMPLE)(latency.latency)
app.command("merge", epilog=merge.EXAMPLE)(merge.merge)
app.command("verify", epilog=verify.EXAMPLE)(verify.verify)
app.command("doctor", epilog=doctor.EXAMPLE)(doctor.doctor)
app.command("mteb", epilog=mteb.EXAMPLE, context_settings=mteb.PASS_THROUGH)(mteb.mteb)
app.add_typer(systems.app, name="systems")
app.add_typer(results.app, name="results")
app.add_typer(cache.app, name="cache")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"saber-mteb {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Options of the whole command."""


def main() -> None:
    """Run the command; exit codes are 0 (done), 1 (failed), 2 (wrong usage), 130 (interrupted)."""
    from saber_mteb._errors import SaberError, UsageError
    from saber_mteb.cli.interrupting import interruptible
    from saber_mteb.cli.output import show_log

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no ✓
    show_log()
    try:
        with interruptible():
            app()
    except SaberError as error:
        typer.echo(f"error: {error}", err=True)
        raise SystemExit(2 if isinstance(error, UsageError) else 1) from None
    except OSError as error:
        typer.echo(f"error: {error}", err=True)
        raise SystemExit(1) from None
