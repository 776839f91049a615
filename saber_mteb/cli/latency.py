"""``saber-mteb latency``: time a system, query by query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from saber_mteb.cli.run import AsJson, BenchmarkOption

if TYPE_CHECKING:
    from saber_mteb.running.latency.job import LatencyOutcome

EXAMPLE = "Example: saber-mteb latency bm25 --benchmark mini --json"


class Asked(StrEnum):
    """Which views are timed."""

    COLD = "cold"
    WARM = "warm"
    BOTH = "both"


def latency(
    system: Annotated[str, typer.Argument(help="A system, as for `saber-mteb run`.")],
    benchmark: BenchmarkOption = "saber-math",
    queries: Annotated[
        int | None,
        typer.Option(
            min=1, help="Draw so many queries, 50 without it; for saber-math, the published 50."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="What queries are drawn with, 42.")] = None,
    view: Annotated[
        Asked, typer.Option(help="Documents and query, or documents embedded beforehand.")
    ] = Asked.BOTH,
    name: Annotated[
        str | None, typer.Option(metavar="ORG/MODEL", help="Name of a model without a card.")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(metavar="REV", help="Revision of a model without a card.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="As torch names it, e.g. cuda:1.")] = None,
    dtype: Annotated[
        str | None, typer.Option(help="Another number format than the card's; stored apart.")
    ] = None,
    output: Annotated[Path, typer.Option(help="The results tree.")] = Path("results"),
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no log.")] = False,
    as_json: AsJson = False,
) -> None:
    """Time a system over single queries, in statement-full, 16 texts at a time.

    Loading and warm-up do not count. Writes one file for each kind of machine, beside the result.
    Another number of queries or another seed is stored apart.
    """
    from saber_mteb.benchmark import check_benchmark_name, load_benchmark
    from saber_mteb.cli.output import hush, print_json, progress
    from saber_mteb.running.latency.job import LatencyJob
    from saber_mteb.running.latency.sample import choose_sample
    from saber_mteb.running.latency.ways import View
    from saber_mteb.systems.registry import build_system, resolve

    if quiet:
        hush()
    card = resolve(system, name=name, revision=revision, dtype=dtype)
    check_benchmark_name(benchmark)
    built = build_system(card, device)
    asked = load_benchmark(benchmark)
    job = LatencyJob(
        card=card,
        system=built,
        benchmark=asked,
        sample=choose_sample(asked, queries=queries, seed=seed),
        views=tuple(View) if view is Asked.BOTH else (View(view.value),),
        experiment=f"dtype-{dtype}" if dtype else None,
    )
    with progress(f"{card.name} on {asked.name}", quiet=quiet) as reporter:
        outcome = job.execute(output, reporter=reporter)
    if as_json:
        print_json(as_document(outcome))
    else:
        show(outcome)


def as_document(outcome: LatencyOutcome) -> dict[str, Any]:
    """Return the outcome as the JSON that ``--json`` prints; single queries are in the file."""
    from saber_mteb.cli.output import SYNTHETIC

    return {
        "system": outcome.folder.name,
        "revision": outcome.folder.revision,
        "benchmark": outcome.benchmark.name,
        "note": SYNTHETIC if outcome.benchmark.synthetic else None,
        "hardware": outcome.hardware.slug,
        "measured": {
            name: {key: value for key, value in block.items() if key != "queries"}
            for name, block in outcome.measured.items()
        },
        "file": str(outcome.path),
    }


def show(outcome: LatencyOutcome) -> None:
    """Print the outcome as a table."""
    from rich.table import Table

    from saber_mteb.cli.output import SYNTHETIC, print_table

    note = f" ({SYNTHETIC})" if outcome.benchmark.synthetic else ""
    table = Table(
        title=f"{outcome.folder.name} on {outcome.benchmark.name}{note}: seconds per query, "
        f"{outcome.hardware.slug}",
        title_justify="left",
    )
    table.add_column("View", no_wrap=True)
    for column in ("Median", "IQR", "p95", "Mean", "Texts/s", "Tokens/s", "Measured"):
        table.add_column(column, justify="right")
    for name, block in outcome.measured.items():
        if "unavailable" not in block:
            table.add_row(name, *_cells(block))
    print_table(table)
    for name, block in outcome.measured.items():
        if "unavailable" in block:
            typer.echo(f"No {name} view: {block['unavailable']}.")
        for row, reason in list(block.get("failures", {}).items())[:3]:
            typer.echo(f"‡ {name}: query {row} failed: {reason}")
    typer.echo(f"Written to {outcome.path}")


def _cells(block: Mapping[str, Any]) -> Iterator[str]:
    seconds = block["seconds"]
    if isinstance(seconds, Mapping):
        yield f"[bold]{seconds['median']:.4g}[/bold]"
        yield from (f"{seconds[key]:.4g}" for key in ("iqr", "p95", "mean"))
    else:
        # All queries together have a mean only.
        yield from ("–", "–", "–", f"{seconds / block['n_queries']:.4g}")
    for key in ("texts_per_second", "tokens_per_second"):
        yield "–" if block[key] is None else f"{block[key]:,.0f}"
    yield f"{block.get('n_measured', block['n_queries'])}/{block['n_queries']}"
