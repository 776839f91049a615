"""The results tree keeps what belongs together and nothing that contradicts itself."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.evaluation import evaluate
from saber_mteb.benchmark.records import Benchmark, Problem
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.results._writing import write_json
from saber_mteb.results.store import SettingOutcome, save_result
from saber_mteb.results.tree import ResultFolder

SF, FF = Setting.STATEMENT_FULL, Setting.FULL_FULL


def benchmark(first: str = "d0") -> Benchmark:
    documents = tuple(Problem(str(i), f"d{i}" if i else first, "s") for i in range(12))
    queries = (Problem("0", "q0", "s"), Problem("1", "q1", "s"))
    candidates = np.tile(np.arange(12), (2, 1))
    grades = np.linspace(0, 5, 24).reshape(2, 12)
    return Benchmark("Tiny", queries, documents, candidates, grades)


def save(
    root: Path, asked: Benchmark, *settings: Setting, seed: int = 0, **options: Any
) -> ResultFolder:
    folder = ResultFolder(root, "org/model", "1")
    outcomes = {}
    for setting in settings:
        scores = np.random.default_rng(seed).normal(size=(2, 12)).astype(np.float32)
        run = Run(setting, np.arange(2), scores)
        made = {"benchmark": {"content_hash": asked.content_hash}}
        outcomes[setting] = SettingOutcome(run, evaluate(run, asked), made)
    save_result(
        folder,
        asked,
        outcomes,
        model_meta={"name": "org/model"},
        date=datetime.now(UTC),
        seconds=1.0,
        **options,
    )
    return folder


def stored(folder: ResultFolder) -> dict[str, Any]:
    return json.loads(folder.task_result("Tiny").read_text())["scores"]


def test_other_data_replace_results_and_runs_and_say_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    save(tmp_path, benchmark(), SF)
    with caplog.at_level(logging.WARNING, logger="saber_mteb"):
        folder = save(tmp_path, benchmark("changed"), FF)
    assert set(stored(folder)) == {FF}
    assert not folder.run("Tiny", SF).exists()
    assert folder.run("Tiny", FF).exists()
    assert "holds results of other data" in caplog.text


def test_what_mteb_has_written_stays_to_the_byte(tmp_path: Path) -> None:
    """mteb's files hold NaN in measures of its own; importing the same run leaves them alone."""
    folder = save(tmp_path, benchmark(), SF)
    path = folder.task_result("Tiny")
    content = json.loads(path.read_text())
    content["scores"][SF][0] |= {"nauc_map_at_1": float("nan")}
    path.write_text(json.dumps(content))
    folder.model_meta.write_text('{"name": "theirs"}')
    before = path.read_bytes()
    save(tmp_path, benchmark(), SF, mteb_wins=True)
    assert path.read_bytes() == before
    assert json.loads(folder.model_meta.read_text()) == {"name": "theirs"}
    save(tmp_path, benchmark(), FF, mteb_wins=True)
    assert set(stored(folder)) == {SF, FF}
    assert np.isnan(stored(folder)[SF][0]["nauc_map_at_1"])


def test_a_run_that_contradicts_the_result_is_refused(tmp_path: Path) -> None:
    folder = save(tmp_path, benchmark(), SF)
    before = folder.run("Tiny", SF).read_bytes()
    with pytest.raises(SaberError, match="not of the same run"):
        save(tmp_path, benchmark(), SF, seed=1, mteb_wins=True)
    assert folder.run("Tiny", SF).read_bytes() == before


def test_a_name_too_long_for_the_disk(tmp_path: Path) -> None:
    with pytest.raises(SaberError, match="could not be written"):
        write_json(tmp_path / ("x" * 300) / "a.json", {})
