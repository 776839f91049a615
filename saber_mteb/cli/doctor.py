"""``saber-mteb doctor``: what works here, and what to do about what does not."""

from __future__ import annotations

from typing import Annotated

import typer

EXAMPLE = "Example: saber-mteb doctor --json"


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")] = False,
) -> None:
    """Say what is installed, which tasks and systems are visible, and why the others are not.

    Exits with 1 if something that is installed does not work.
    """
    from saber_mteb.cli.output import print_json, print_table
    from saber_mteb.cli.report import Verdict, examine

    findings = examine()
    broken = any(finding.verdict is Verdict.BROKEN for finding in findings)
    if as_json:
        rows = [
            {
                "area": finding.area,
                "name": finding.name,
                "verdict": finding.verdict.value,
                "detail": finding.detail,
            }
            for finding in findings
        ]
        print_json({"ok": not broken, "findings": rows})
    else:
        from rich.markup import escape
        from rich.table import Table

        table = Table(show_edge=False)
        for column in ("", "Area", "Name", "Detail"):
            table.add_column(column, no_wrap=column != "Detail")
        for finding in findings:
            table.add_row(finding.verdict.mark, finding.area, finding.name, escape(finding.detail))
        print_table(table)
    raise typer.Exit(1 if broken else 0)
