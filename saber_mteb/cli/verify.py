"""``saber-mteb verify``: does this machine see the data and the numbers that were published?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saber_mteb.cli.run import AsJson, BenchmarkOption, DocumentsRevision, QueriesRevision

EXAMPLE = "Example: saber-mteb verify bm25"


def verify(
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY]...", help="Systems to run; the lexical ones if none."),
    ] = None,
    benchmark: BenchmarkOption = "saber-math",
    expected: Annotated[
        Path | None, typer.Option(help="Other expected facts than the published ones (TOML).")
    ] = None,
    queries_revision: QueriesRevision = None,
    documents_revision: DocumentsRevision = None,
    as_json: AsJson = False,
) -> None:
    """Check every known fact of the data, run systems, and compare with the published figures.

    Exits with 1 if anything differs.
    """
    raise NotImplementedError
