"""``python -m saber_mteb.construction.mini``: rewrite the embedded mini benchmark."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import saber_mteb.benchmark
from saber_mteb.construction.mini.generator import DEFAULT_SEED, generate
from saber_mteb.construction.mini.writer import write_tables


def main(arguments: list[str] | None = None) -> int:
    """Generate the tables, write them, and say where they are."""
    parser = argparse.ArgumentParser(
        prog="python -m saber_mteb.construction.mini",
        description="Write the synthetic mini benchmark (not comparable with SABER-Math).",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(saber_mteb.benchmark.__file__).parent / "mini",
        help="folder for queries.jsonl and documents.jsonl (default: the package's own)",
    )
    parser.add_argument("--seed", default=DEFAULT_SEED, help="any text (default: %(default)s)")
    options = parser.parse_args(arguments)
    for path in write_tables(generate(options.seed), options.output):
        sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
