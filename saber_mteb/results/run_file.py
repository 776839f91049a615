"""The run file: the candidate scores of one setting, as evidence.

``{"schema": 1, "setting": s, "k": 150, "queries": {"<row>": [[position, score], ...]}}``: per query
the candidate positions (0 to k - 1) with their scores, best first, equal scores by position. Scores
are the shortest decimals that give the same 32-bit float again. A failed query is absent. A cut
file may leave out candidates behind the tenth and all that are tied with it.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results._writing import write_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEMA = 1
_AT_LEAST = 10


def write_run(path: Path, run: Run) -> None:
    """Write a run; equal runs give equal bytes (the gzip header carries no time and no name)."""
    queries = {
        str(row): _ranked(scores)
        for row, scores in zip(run.rows.tolist(), run.scores, strict=True)
        if row not in run.failures
    }
    content = {
        "schema": SCHEMA,
        "setting": run.setting.value,
        "k": run.scores.shape[1],
        "queries": queries,
    }
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    write_bytes(path, gzip.compress(text.encode(), compresslevel=9, mtime=0))


def read_run(path: Path, *, pool_size: int, rows: Sequence[int]) -> Run:
    """Read a run file back.

    Args:
        path: The file.
        pool_size: Candidates of each query in the benchmark.
        rows: Query rows that were asked; one that the file lacks is a failed query.

    Returns:
        The run. Candidates that a cut file leaves out score just below its last one: they cannot
        reach the first ten.

    Raises:
        SaberError: If the file is not a run of this benchmark; names the query at fault.
    """
    import numpy as np

    content = _read(path)
    _check_header(path, content, pool_size)
    queries: dict[str, Any] = content["queries"]
    unknown = sorted(set(queries) - {str(row) for row in rows})
    if unknown:
        raise SaberError(f"{path}: query '{unknown[0]}' is not a row that was asked.")
    scores = np.full((len(rows), pool_size), np.nan, dtype=np.float32)
    failures = {}
    for index, row in enumerate(rows):
        if str(row) in queries:
            scores[index] = _scores(queries[str(row)], pool_size, f"{path}: query '{row}'")
        else:
            failures[row] = "not in the run file"
    return Run(
        setting=Setting(content["setting"]),
        rows=np.asarray(rows, dtype=np.int64),
        scores=scores,
        failures=failures,
    )


def _ranked(scores: NDArray[np.float32]) -> list[tuple[int, float]]:
    import numpy as np

    order = np.argsort(-scores, kind="stable")
    # str() of a float32 is the shortest decimal that reads back as that float32; + 0 makes -0 be 0.
    return [(int(i), float(str(scores[i] + np.float32(0)))) for i in order]


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(gzip.decompress(path.read_bytes()))
    except OSError as error:
        raise SaberError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (EOFError, zlib.error, ValueError) as error:
        raise SaberError(f"{path} is not a run file ({error}); write it again.") from error
    if not isinstance(content, dict):
        raise SaberError(f"{path} holds a JSON {type(content).__name__}, expected an object.")
    return content


def _check_header(path: Path, content: dict[str, Any], pool_size: int) -> None:
    missing = [key for key in ("schema", "setting", "k", "queries") if key not in content]
    if missing:
        raise SaberError(f"{path}: the field '{missing[0]}' is missing; found {sorted(content)}.")
    if content["schema"] != SCHEMA:
        raise SaberError(f"{path}: schema {content['schema']!r}, this version reads {SCHEMA}.")
    if content["setting"] not in set(Setting):
        raise SaberError(f"{path}: unknown setting {content['setting']!r}; one of {list(Setting)}.")
    if content["k"] != pool_size:
        raise SaberError(
            f"{path}: pools of {content['k']!r} candidates, the benchmark has {pool_size}."
        )
    if not isinstance(content["queries"], dict):
        raise SaberError(f"{path}: 'queries' must map query rows to ranked candidates.")


def _scores(ranking: object, pool_size: int, where: str) -> NDArray[np.float32]:
    import numpy as np

    try:
        pairs = np.asarray(ranking, dtype=np.float64)
    except (TypeError, ValueError):
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise SaberError(f"{where}: expected a list of [candidate position, score] pairs.")
    with np.errstate(over="ignore"):
        positions, values = pairs[:, 0], pairs[:, 1].astype(np.float32)
    if len(positions) < min(_AT_LEAST, pool_size):
        raise SaberError(f"{where}: {len(positions)} candidates, at least {_AT_LEAST} are needed.")
    if not np.isfinite(values).all():
        raise SaberError(f"{where}: a score is not a finite 32-bit float.")
    inside = (positions >= 0) & (positions < pool_size) & (positions == np.floor(positions))
    if not inside.all() or len(np.unique(positions)) < len(positions):
        raise SaberError(f"{where}: positions must be distinct integers from 0 to {pool_size - 1}.")
    if (np.diff(values) > 0).any():
        raise SaberError(f"{where}: candidates must be sorted by score, best first.")
    row = np.full(pool_size, np.nextafter(values.min(), np.float32(-np.inf)), dtype=np.float32)
    row[positions.astype(np.int64)] = values
    return row
