"""From the predictions that mteb writes with ``--prediction-folder`` to our runs.

Needs no mteb, so that results can be checked and submitted where it is not installed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError
from saber_mteb._mteb._identity import lacking
from saber_mteb._mteb._scoring import run_from_answers
from saber_mteb.benchmark.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run

_SUFFIX = "_predictions.json"
# Task -> the name its benchmark is loaded by.
_BENCHMARKS = {"SABERMath": "saber-math", "SABERMathMini": "mini"}
_HOW_TO = "Write one with `mteb run -t SABERMath -m MODEL --prediction-folder DIR`."


@dataclass(frozen=True)
class Predictions:
    """What one prediction file of mteb holds.

    Attributes:
        model_name: ``org/name`` as mteb knows it.
        revision: Revision of the model.
        task: Task name; equals the name of the benchmark.
        benchmark: What was asked.
        runs: By setting, in the order of the settings. Queries without a usable answer have failed.
    """

    model_name: str
    revision: str
    task: str
    benchmark: Benchmark
    runs: Mapping[Setting, Run]


def read_predictions(path: Path, benchmark: Benchmark | None = None) -> Predictions:
    """Read the prediction file of one of our tasks.

    Args:
        path: The folder given as ``--prediction-folder``, or the file ``<task>_predictions.json``.
        benchmark: What was asked; found by the task's name if not given.

    Raises:
        SaberError: If there is no such file, it is not what mteb writes, its model has no name or
            revision, or it answers other queries than the benchmark has.
    """
    file = _find(Path(path), _BENCHMARKS if benchmark is None else [benchmark.name])
    content = _read(file)
    task = file.name.removesuffix(_SUFFIX)
    owner = _owner(content, file)
    benchmark = _benchmark(task, file) if benchmark is None else benchmark
    splits = content.get("default")
    if not isinstance(splits, dict) or not splits:
        raise SaberError(f"{file}: holds no predictions (no split under 'default'). {_HOW_TO}")
    unknown = sorted(set(splits) - set(Setting))
    if unknown:
        raise SaberError(
            f"{file}: '{unknown[0]}' is not a setting; expected {', '.join(Setting)}. "
            "Was it written by another task?"
        )
    runs = {
        setting: _run(splits[setting], benchmark, setting, file)
        for setting in Setting
        if setting in splits
    }
    return Predictions(
        model_name=owner.name,
        revision=owner.revision,
        task=task,
        benchmark=benchmark,
        runs=runs,
    )


def _find(path: Path, tasks: Iterable[str]) -> Path:
    if path.is_file():
        if path.name.endswith(_SUFFIX):
            return path
        raise SaberError(f"{path}: a prediction file of mteb is called <task>{_SUFFIX}. {_HOW_TO}")
    if not path.is_dir():
        raise SaberError(f"{path}: no such file or folder. {_HOW_TO}")
    found = [path / f"{task}{_SUFFIX}" for task in tasks]
    found = [file for file in found if file.is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        raise SaberError(f"{path}: holds predictions of {len(found)} tasks; name one file of them.")
    raise SaberError(f"{path}: holds no {' or '.join(tasks)}{_SUFFIX}. {_HOW_TO}")


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise SaberError(
            f"{file}: not readable as JSON ({error}). If mteb was stopped while it wrote, run it "
            "again with --overwrite-strategy always."
        ) from error
    if not isinstance(content, dict):
        raise SaberError(f"{file}: not a prediction file of mteb. {_HOW_TO}")
    return content


@dataclass(frozen=True)
class _Owner:
    name: str
    revision: str


def _owner(content: Mapping[str, Any], file: Path) -> _Owner:
    meta = content.get("mteb_model_meta")
    if not isinstance(meta, dict):
        raise SaberError(f"{file}: does not say which model wrote it ('mteb_model_meta' lacks).")
    name, revision = meta.get("model_name"), meta.get("revision")
    lacks = lacking(name, revision)
    if lacks:
        raise SaberError(
            f"{file}: the model has no {' and no '.join(lacks)}, so its result could not be told "
            "from that of another model. Run it again with both in its ModelMeta."
        )
    return _Owner(name=str(name), revision=str(revision))


def _benchmark(task: str, file: Path) -> Benchmark:
    from saber_mteb.benchmark import load_benchmark

    if task not in _BENCHMARKS:
        raise SaberError(
            f"{file}: '{task}' is none of our tasks; expected {' or '.join(_BENCHMARKS)}."
        )
    return load_benchmark(_BENCHMARKS[task])


def _run(split: object, benchmark: Benchmark, setting: Setting, file: Path) -> Run:
    where = f"{file}: {setting}"
    if not isinstance(split, dict):
        raise SaberError(f"{where}: expected an object of queries, found {type(split).__name__}.")
    rows = frozenset(map(str, range(len(benchmark.queries))))
    unknown = [query for query in split if query not in rows]
    if unknown:
        raise SaberError(
            f"{where}: query '{unknown[0]}' is not one of the {len(benchmark.queries)} rows of "
            f"{benchmark.name}. Was it written from other data?"
        )
    answers = {query: _answer(answer, f"{where}, query {query}") for query, answer in split.items()}
    return run_from_answers(answers, benchmark, setting)


def _answer(answer: object, where: str) -> dict[str, float]:
    """Return the scores of one query; ``null``, which some JSON writers put for NaN, is a NaN."""
    if not isinstance(answer, dict):
        raise SaberError(f"{where}: expected scores by document, found {type(answer).__name__}.")
    for document, score in answer.items():
        if isinstance(score, bool) or not isinstance(score, int | float | None):
            raise SaberError(f"{where}: the score of document '{document}' is {score!r}.")
    return {document: nan if score is None else score for document, score in answer.items()}
