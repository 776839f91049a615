"""``saber-mteb merge``: put the shards of a run together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saber_mteb.benchmark.settings import Setting
from saber_mteb.cli.run import AsJson, BenchmarkOption, DocumentsRevision, QueriesRevision

EXAMPLE = "Example: saber-mteb merge bm25 --benchmark mini"


def merge(
    system: Annotated[
        str, typer.Argument(help="A system, or the folder of results its shards lie in.")
    ],
    benchmark: BenchmarkOption = "saber-math",
    setting: Annotated[
        list[Setting] | None, typer.Option(help="Only this setting; can be repeated.")
    ] = None,
    output: Annotated[Path, typer.Option(help="The results tree.")] = Path("results"),
    queries_revision: QueriesRevision = None,
    documents_revision: DocumentsRevision = None,
    as_json: AsJson = False,
) -> None:
    """Put the shards that `saber-mteb run --shard i/n` left together as the result of the system.

    Every number is computed anew from all scores. Nothing is written if a shard is missing or does
    not fit the others.
    """
    from saber_mteb.benchmark import check_benchmark_name, load_benchmark
    from saber_mteb.cli.output import print_json
    from saber_mteb.cli.run import as_document, show
    from saber_mteb.running.merging import merge_shards
    from saber_mteb.running.shard_results import find_folder

    check_benchmark_name(benchmark)
    asked = load_benchmark(
        benchmark, queries_revision=queries_revision, documents_revision=documents_revision
    )
    outcome = merge_shards(find_folder(system, output, asked.name), asked, setting)
    if as_json:
        print_json(as_document(outcome))
    else:
        show(outcome)
