"""``saber-mteb verify``: does this machine see the data and the numbers that were published?"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from saber_mteb.cli.run import AsJson, BenchmarkOption, DocumentsRevision, QueriesRevision

if TYPE_CHECKING:
    from saber_mteb.running.verification import Check

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
    from saber_mteb._errors import UsageError
    from saber_mteb.benchmark import check_benchmark_name, load_benchmark
    from saber_mteb.benchmark.loading import MINI
    from saber_mteb.cli.output import print_json, progress
    from saber_mteb.running import verification

    check_benchmark_name(benchmark)
    if benchmark == MINI and expected is None:
        raise UsageError("Nothing was published of the mini benchmark; it is synthetic.")
    expectations = verification.load_expectations(expected)
    checks = []
    with progress("verifying") as reporter:
        for check in verification.verify(
            lambda: load_benchmark(
                benchmark, queries_revision=queries_revision, documents_revision=documents_revision
            ),
            expectations,
            keys or (),
            reporter=reporter,
        ):
            checks.append(check)
            if not as_json:
                typer.echo(line(check))
    counts = Counter(check.verdict.value for check in checks)
    if as_json:
        print_json({"counts": counts, "checks": [asdict(check) for check in checks]})
    else:
        summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        typer.echo(f"{len(checks)} checks: {summary}")
    raise typer.Exit(1 if verification.Verdict.DIFFERS.value in counts else 0)


def line(check: Check) -> str:
    """Return a check as one line: verdict, what, expected, found, why."""
    mark = {"ok": "✓", "differs": "✗", "unknown": "?", "skipped": "·"}[check.verdict.value]
    values = f"expected {check.expected}, found {check.found}" if check.expected else check.found
    note = f" ({check.note})" if check.note else ""
    return f"{mark} {check.name}: {values}{note}"
