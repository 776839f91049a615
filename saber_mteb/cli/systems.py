"""``saber-mteb systems``: what the registry holds."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    help="The systems of the registry.",
    epilog="Example: saber-mteb systems list",
    no_args_is_help=True,
)


@app.command("list", epilog="Example: saber-mteb systems list --json")
def list_systems(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")] = False,
) -> None:
    """List every system: key, name, paradigm and what it is."""
    from saber_mteb.cli.output import print_json, print_table
    from saber_mteb.systems.registry import load_cards

    cards = load_cards().values()
    if as_json:
        rows = [
            {**card.model_dump(mode="json"), "name": card.name, "revision": card.revision}
            for card in cards
        ]
        print_json({"systems": rows})
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table()
    for column in ("Key", "Name in MTEB", "Paradigm", "What it is"):
        table.add_column(column, no_wrap=column != "What it is")
    for card in cards:
        table.add_row(*map(escape, (card.key, card.name, card.paradigm.value, card.description)))
    print_table(table)
