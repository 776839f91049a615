"""``saber-mteb run``: score a system over a benchmark and keep the result."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from saber_mteb.benchmark.settings import Setting

if TYPE_CHECKING:
    from saber_mteb.running.job import Outcome
    from saber_mteb.running.ranking import Ranker
    from saber_mteb.systems.base import System
    from saber_mteb.systems.card import Card


class Engine(StrEnum):
    """Where a run is computed."""

    LOCAL = "local"
    RAY = "ray"


EXAMPLE = "Example: saber-mteb run bm25 --benchmark mini --setting statement-full --json"

BenchmarkOption = Annotated[
    str,
    typer.Option(
        "--benchmark",
        "-b",
        help="saber-math, mini, or a folder with the two tables.",
        metavar="NAME",
    ),
]
QueriesRevision = Annotated[
    str | None,
    typer.Option(help="Commit or branch of the queries data set.", metavar="REV"),
]
DocumentsRevision = Annotated[
    str | None,
    typer.Option(help="Commit or branch of the documents data set.", metavar="REV"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]


def run(
    system: Annotated[
        str,
        typer.Argument(
            help="A system, e.g. bm25 (`saber-mteb systems list` shows all), or st:MODEL for any "
            "sentence-transformers folder or hub id."
        ),
    ],
    benchmark: BenchmarkOption = "saber-math",
    setting: Annotated[
        list[Setting] | None, typer.Option(help="Only this setting; can be repeated.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first N queries: a trial, stored apart.")
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only every Nth query; `saber-mteb merge` joins shards."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="ORG/MODEL", help="Name of a model without a card.")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(metavar="REV", help="Revision of a model without a card.")
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Texts in one batch at most.")] = 32,
    max_tokens_per_batch: Annotated[
        int, typer.Option(min=1, help="Texts of a batch times the length of its longest.")
    ] = 32_768,
    batch_timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Stop if one batch takes longer; waits by default."),
    ] = None,
    device: Annotated[str | None, typer.Option(help="As torch names it, e.g. cuda:1.")] = None,
    dtype: Annotated[
        str | None, typer.Option(help="Another number format than the card's; stored apart.")
    ] = None,
    engine: Annotated[
        Engine, typer.Option(help="local: this process; ray: tasks on a cluster (RAY_ADDRESS).")
    ] = Engine.LOCAL,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Neither use nor keep scores and vectors of the cache.")
    ] = False,
    output: Annotated[Path, typer.Option(help="The results tree.")] = Path("results"),
    queries_revision: QueriesRevision = None,
    documents_revision: DocumentsRevision = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no log.")] = False,
    as_json: AsJson = False,
) -> None:
    """Score a system over a benchmark, in all three settings unless some are named.

    Writes MTEB's result file and, beneath it in `saber/`, the run files that every number can be
    recomputed from. A run that was stopped goes on where it was: give the same command.
    """
    from saber_mteb._cache import cache_folder
    from saber_mteb.benchmark import check_benchmark_name, load_benchmark
    from saber_mteb.cli.output import hush, print_json, progress
    from saber_mteb.running.job import Job
    from saber_mteb.running.planning import BatchPolicy
    from saber_mteb.running.shards import Shard
    from saber_mteb.systems.registry import resolve

    if quiet:
        hush()
    card = resolve(system, name=name, revision=revision, dtype=dtype)
    asked = Shard.parse(shard) if shard else None
    check_parts(limit, shard, dtype)
    check_benchmark_name(benchmark)
    job = Job(
        card=card,
        system=ranker(card, engine, device, fresh=fresh),
        benchmark=load_benchmark(
            benchmark, queries_revision=queries_revision, documents_revision=documents_revision
        ),
        settings=tuple(setting or Setting),
        limit=limit,
        shard=asked,
        experiment=f"dtype-{dtype}" if dtype else None,
        policy=BatchPolicy(batch_size, max_tokens_per_batch, batch_timeout),
    )
    with progress(f"{card.name} on {job.benchmark.name}", quiet=quiet) as reporter:
        outcome = job.execute(output, cache=None if fresh else cache_folder(), reporter=reporter)
    if as_json:
        print_json(as_document(outcome))
    else:
        show(outcome)


def ranker(card: Card, engine: Engine, device: str | None, *, fresh: bool) -> System | Ranker:
    """Return the system itself, or a cluster in its place.

    Raises:
        SaberError: If something it needs is not installed.
        UsageError: If a device of this machine is asked of a cluster.
    """
    from saber_mteb._errors import UsageError
    from saber_mteb.systems.registry import build_system

    if engine is Engine.LOCAL:
        return build_system(card, device)
    if device is not None:
        raise UsageError("--device names a device of this machine; a cluster has its own.")
    from saber_mteb.running.ray_engine import RayRanker

    return RayRanker(card, keep=not fresh)


def check_parts(limit: int | None, shard: str | None, dtype: str | None) -> None:
    """Refuse parts of a run that exclude each other.

    Raises:
        UsageError: If both are given.
    """
    from saber_mteb._errors import UsageError

    if shard and limit:
        raise UsageError("--limit and --shard both choose queries; give one of them.")
    if shard and dtype:
        raise UsageError("Shards are merged as the card's own recipe; give no --dtype with them.")


def as_document(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as the JSON that ``--json`` prints."""
    from saber_mteb.cli.output import SYNTHETIC

    benchmark = outcome.benchmark
    return {
        "system": outcome.folder.name,
        "revision": outcome.folder.revision,
        "benchmark": benchmark.name,
        "benchmark_revision": benchmark.revision,
        "note": SYNTHETIC if benchmark.synthetic else None,
        "settings": {
            setting.value: evaluation.as_metrics()
            for setting, evaluation in outcome.evaluations.items()
        },
        "failures": {
            setting.value: {str(row): reason for row, reason in run.failures.items()}
            for setting, run in outcome.runs.items()
        },
        "folder": str(outcome.folder.path),
    }


def show(outcome: Outcome) -> None:
    """Print the outcome as a table."""
    from rich.markup import escape
    from rich.table import Table

    from saber_mteb.benchmark.domains import Domain
    from saber_mteb.benchmark.evaluation import random_expectation
    from saber_mteb.cli.output import SYNTHETIC, print_table

    if not outcome.evaluations:
        typer.echo(f"Written to {outcome.folder.path}; `saber-mteb merge` joins all shards.")
        return
    benchmark = outcome.benchmark
    note = f" ({SYNTHETIC})" if benchmark.synthetic else ""
    table = Table(
        title=escape(f"{outcome.folder.name} on {benchmark.name}{note}: nDCG@10"),
        title_justify="left",
    )
    table.add_column("Setting", no_wrap=True)
    columns = ("All", *(domain.value for domain in Domain), "Scored", "Tied at 10")
    for column in columns:
        table.add_column(column, justify="right")
    for setting, result in outcome.evaluations.items():
        domains = (result.domains.get(domain) for domain in Domain)
        table.add_row(
            setting.value + (" ‡" if result.partial else ""),
            f"[bold]{result.overall:.4f}[/bold]",
            *(f"{score.ndcg:.3f}" if score else "–" for score in domains),
            f"{result.n_scored}/{result.n_queries}",
            f"{result.tied_share:.1%}",
        )
    table.add_section()
    table.add_row("random order", f"{random_expectation(benchmark):.4f}")
    print_table(table)
    for setting, run in outcome.runs.items():
        for row, reason in list(run.failures.items())[:3]:
            typer.echo(f"‡ {setting}: query {row} failed: {reason}")
    typer.echo(f"Written to {outcome.folder.path}")
