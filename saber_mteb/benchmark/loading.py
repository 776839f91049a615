"""Loads a benchmark by name or from a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError, UsageError, nearest

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark

SABER_MATH = "saber-math"
MINI = "mini"
FORMATS = (".parquet", ".jsonl")
ACCEPTED = (
    f"Accepted are '{SABER_MATH}', '{MINI}', or a folder that holds queries.parquet and "
    "documents.parquet (or both as .jsonl)."
)

# Names of tasks and of mteb's own files in a result folder, which no folder may take.
RESERVED = frozenset({"sabermath", "sabermathmini", "model_meta", "run_settings"})


def load_benchmark(
    name_or_folder: str,
    *,
    queries_revision: str | None = None,
    documents_revision: str | None = None,
) -> Benchmark:
    """Load and check a benchmark.

    A name wins over a folder of the same name; write ``./mini`` for the folder.

    Args:
        name_or_folder: ``saber-math`` (fetched from the Hugging Face hub, cached), ``mini`` (the
            embedded synthetic benchmark), or a folder that holds ``queries`` and ``documents``,
            both ``.parquet`` or both ``.jsonl``.
        queries_revision: Commit, tag or branch of the hub's queries; only for ``saber-math``.
            Falls back to SABER_MTEB_QUERIES_REVISION, then to the pinned one.
        documents_revision: The same for the documents (SABER_MTEB_DOCUMENTS_REVISION).

    Raises:
        UsageError: If there is no such benchmark.
        SaberError: If its tables cannot be fetched or read, or something is wrong in them.

    >>> load_benchmark("sabermath")
    Traceback (most recent call last):
        ...
    saber_mteb._errors.UsageError: No benchmark is called 'sabermath'. Did you mean 'saber-math'? \
Accepted are 'saber-math', 'mini', or a folder that holds queries.parquet and documents.parquet \
(or both as .jsonl).
    """
    if name_or_folder == SABER_MATH:
        return _load_saber_math(queries_revision, documents_revision)
    if queries_revision or documents_revision:
        raise UsageError(
            f"Revisions belong to '{SABER_MATH}' on the hub; '{name_or_folder}' has none."
        )
    if name_or_folder == MINI:
        return _load_mini()
    return _load_folder(_existing_folder(name_or_folder))


def check_benchmark_name(name_or_folder: str) -> None:
    """Check, without loading anything, that there is such a benchmark.

    Raises:
        UsageError: If it is neither a known name nor a folder.
    """
    if name_or_folder not in (SABER_MATH, MINI):
        _existing_folder(name_or_folder)


def _load_saber_math(queries_revision: str | None, documents_revision: str | None) -> Benchmark:
    from saber_mteb.benchmark.hub import DOCUMENTS, QUERIES, fetch_tables
    from saber_mteb.benchmark.records import Source
    from saber_mteb.benchmark.tables import read_table
    from saber_mteb.benchmark.validation import TOLERABLE, assemble

    fetched = fetch_tables(QUERIES.at(queries_revision), DOCUMENTS.at(documents_revision))
    return assemble(
        read_table(fetched.queries.paths),
        read_table(fetched.documents.paths),
        name="SABERMath",
        source=Source(fetched.queries.commit, fetched.documents.commit),
        tolerated=TOLERABLE,
    )


def _load_mini() -> Benchmark:
    from saber_mteb.benchmark.tables import read_table
    from saber_mteb.benchmark.validation import assemble

    folder = Path(__file__).parent / "mini"
    return assemble(
        read_table([folder / "queries.jsonl"]),
        read_table([folder / "documents.jsonl"]),
        name="SABERMathMini",
        synthetic=True,
    )


def _load_folder(folder: Path) -> Benchmark:
    from saber_mteb.benchmark.tables import read_table
    from saber_mteb.benchmark.validation import assemble

    suffix = _format_of(folder)
    return assemble(
        read_table([folder / f"queries{suffix}"]),
        read_table([folder / f"documents{suffix}"]),
        name=benchmark_name(folder.resolve().name),
    )


def _existing_folder(text: str) -> Path:
    path = Path(text).expanduser()
    if path.is_dir():
        return path
    if path.exists():
        raise UsageError(f"'{text}' is a file; give the folder it lies in. {ACCEPTED}")
    if os.sep in text or "/" in text or text.startswith((".", "~")):
        raise UsageError(f"The folder '{text}' does not exist. {ACCEPTED}")
    suggestion = nearest(text, [MINI, SABER_MATH])
    raise UsageError(f"No benchmark is called '{text}'.{suggestion} {ACCEPTED}")


def _format_of(folder: Path) -> str:
    """Return the one format in which the folder holds both tables."""
    found = {
        suffix: [
            table for table in ("queries", "documents") if (folder / f"{table}{suffix}").exists()
        ]
        for suffix in FORMATS
    }
    present = [suffix for suffix in FORMATS if found[suffix]]
    if len(present) == 2:
        files = ", ".join(f"{table}{suffix}" for suffix in present for table in found[suffix])
        raise SaberError(
            f"{folder} holds tables in two formats ({files}), which may differ; "
            "keep both tables in one format and move the other files away."
        )
    if not present:
        names = sorted(path.name for path in folder.iterdir())[:5]
        raise SaberError(
            f"{folder} holds no tables (found: {', '.join(names) or 'nothing'}). {ACCEPTED}"
        )
    suffix = present[0]
    if len(found[suffix]) < 2:
        there = found[suffix][0]
        lacking = "documents" if there == "queries" else "queries"
        raise SaberError(
            f"{folder} holds {there}{suffix} but no {lacking}{suffix}; both are needed."
        )
    return suffix


def benchmark_name(folder_name: str) -> str:
    """Return a name for files: letters, digits, ``._-``, and not that of a published benchmark.

    >>> benchmark_name("my bench (v2)"), benchmark_name("SABERMath"), benchmark_name("…")
    ('my-bench-v2', 'SABERMath-local', 'benchmark')
    """
    name = re.sub(r"[^\w.-]+", "-", folder_name).strip("-._")[:100] or "benchmark"
    # Compared in lower case: two such files are one on Windows and macOS.
    return f"{name}-local" if name.lower() in RESERVED else name
