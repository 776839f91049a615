"""``saber-mteb cache``: what is kept between runs, and making room."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from saber_mteb.running.stores.housekeeping import StoreContent

Folder = Annotated[
    Path | None,
    typer.Option("--cache", help="The folder; SABER_MTEB_CACHE or the user's cache by default."),
]

app = typer.Typer(
    help="Scores and vectors kept between runs.",
    epilog="Example: saber-mteb cache info",
    no_args_is_help=True,
)


@app.command("info", epilog="Example: saber-mteb cache info --json")
def info(
    cache: Folder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")] = False,
) -> None:
    """Say where the cache is, how large it is, and what it holds of which system."""
    from saber_mteb._cache import cache_folder
    from saber_mteb.cli.output import print_json
    from saber_mteb.running.stores.housekeeping import survey

    folder = cache or cache_folder()
    contents = survey(folder)
    if as_json:
        print_json({"path": str(folder), "stores": [_as_document(one) for one in contents]})
    else:
        typer.echo(f"{folder}: {_readable(sum(one.size for one in contents))}")
        _show(contents)


@app.command("prune", epilog="Example: saber-mteb cache prune --embeddings --older-than 90")
def prune(
    embeddings: Annotated[bool, typer.Option("--embeddings", help="Only vectors.")] = False,
    scores: Annotated[bool, typer.Option("--scores", help="Only scores.")] = False,
    older_than: Annotated[
        float | None,
        typer.Option(
            metavar="DAYS", min=0, help="Only of systems with nothing new for so many days."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    cache: Folder = None,
) -> None:
    """Delete vectors and scores; both unless one is named. Runs compute them again."""
    from saber_mteb._cache import cache_folder
    from saber_mteb.running.stores import housekeeping

    folder = cache or cache_folder()
    wanted = {name for name, on in (("embeddings", embeddings), ("scores", scores)) if on}
    contents = [one for one in housekeeping.survey(folder) if not wanted or one.path.stem in wanted]
    if not contents:
        typer.echo(f"{folder}: nothing to prune.")
        return
    if not yes:
        _show(contents)
        age = "" if older_than is None else f" of systems with nothing new for {older_than:g} days"
        typer.confirm(f"Delete this{age}?", abort=True)
    freed = sum(housekeeping.prune(one.path, older_than=older_than) for one in contents)
    typer.echo(f"Freed {_readable(freed)}.")


def _show(contents: Sequence[StoreContent]) -> None:
    from rich.table import Table

    from saber_mteb.cli.output import print_table

    table = Table()
    for column in ("File", "Size", "System", "Holds", "Records"):
        table.add_column(column, no_wrap=True)
    for one in contents:
        table.add_row(one.path.name, _readable(one.size))
        for amount in one.amounts:
            table.add_row("", "", _system(amount.recipe), amount.kind, str(amount.records))
    if contents:
        print_table(table)
    for one in contents:
        if one.problem:
            typer.echo(one.problem)


def _as_document(content: StoreContent) -> dict[str, Any]:
    return {
        "path": str(content.path),
        "bytes": content.size,
        "problem": content.problem,
        "holds": [
            {
                "kind": amount.kind,
                "recipe": amount.recipe,
                "system": _system(amount.recipe),
                "records": amount.records,
            }
            for amount in content.amounts
        ],
    }


def _system(recipe: str) -> str:
    """Return the keys of the registry that have a recipe, or the recipe itself."""
    from saber_mteb.systems.registry import load_cards

    # The engine adds its version to the hash.
    found = recipe.partition(" ")[0]
    keys = [card.key for card in load_cards().values() if card.recipe_hash == found]
    return ", ".join(keys) or recipe


def _readable(size: float) -> str:
    """Return bytes in the unit people read: 1536 is 1.5 KiB."""
    for unit in ("bytes", "KiB", "MiB"):
        if abs(size) < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
