"""``saber-mteb mteb``: MTEB's own command, with our tasks and systems registered."""

from __future__ import annotations

import typer

EXAMPLE = "Example: saber-mteb mteb run -t SABERMathMini -m saber/bm25"

# Everything behind `mteb` belongs to MTEB, `--help` included.
PASS_THROUGH = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "help_option_names": [],
    "allow_interspersed_args": False,
}


def mteb(context: typer.Context) -> None:
    """Pass everything on to MTEB's own command after registering our tasks and systems.

    Works where the start-up hook does not (`python -S`, `pip install --target`).
    """
    from saber_mteb._mteb.command import run_mteb_command

    run_mteb_command(context.args)
