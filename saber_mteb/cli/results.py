"""``saber-mteb results``: files of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saber_mteb.cli.run import AsJson

app = typer.Typer(
    help="Result files.",
    epilog="Example: saber-mteb results import-mteb predictions",
    no_args_is_help=True,
)


@app.callback()
def _results() -> None:
    """Result files."""


@app.command(
    "import-mteb", epilog="Example: saber-mteb results import-mteb predictions --output results"
)
def import_mteb(
    predictions: Annotated[
        Path, typer.Argument(help="What was given to mteb as --prediction-folder, or a file in it.")
    ],
    benchmark: Annotated[
        str | None,
        typer.Option("--benchmark", "-b", help="The folder that was asked, if it was one."),
    ] = None,
    output: Annotated[Path, typer.Option(help="The results tree.")] = Path("results"),
    as_json: AsJson = False,
) -> None:
    """Turn predictions that `mteb run --prediction-folder` kept into run files, for any model.

    The benchmark is known from the file unless it was a folder of your own. Every number is
    recomputed; files that mteb has written in the results tree stay as they are.
    """
    from saber_mteb._mteb.importing import import_predictions
    from saber_mteb.benchmark import load_benchmark
    from saber_mteb.cli.output import print_json
    from saber_mteb.cli.run import as_document, show

    asked = load_benchmark(benchmark) if benchmark else None
    outcome = import_predictions(predictions, asked, output)
    if as_json:
        print_json(as_document(outcome))
    else:
        show(outcome)
