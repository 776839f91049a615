"""Registration: everything mteb looks up by name is there, once, and nothing of theirs is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

import mteb
import pytest
from mteb.models.model_implementations import MODEL_REGISTRY

from saber_mteb._errors import SaberError
from saber_mteb._mteb import _plugin, register
from saber_mteb._mteb.tasks import SABERMath, SABERMathMini, task_for
from saber_mteb.systems.card import Card

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from saber_mteb.benchmark.records import Benchmark

get_tasks = import_module("mteb.get_tasks")


@pytest.fixture(autouse=True)
def registered() -> None:
    register()


def test_tasks_and_benchmark_are_found_by_name() -> None:
    assert isinstance(mteb.get_task("SABERMath"), SABERMath)
    assert isinstance(mteb.get_task("SABERMathMini"), SABERMathMini)
    assert mteb.tasks.SABERMath is SABERMath
    chosen = mteb.get_tasks(["SABERMath"], eval_splits=["full-full"])
    assert [task.eval_splits for task in chosen] == [["full-full"]]
    benchmark = mteb.get_benchmark("SABER-Math")
    assert [task.metadata.name for task in benchmark.tasks] == ["SABERMath"]
    assert "SABER-Math" in {b.name for b in mteb.get_benchmarks()}


def test_a_typo_in_the_name_gets_ours_as_suggestion() -> None:
    with pytest.raises(KeyError, match="Did you mean: 'SABERMathMini'"):
        mteb.get_task("SABERMathMin")


def test_registering_again_changes_nothing() -> None:
    before = (get_tasks.TASK_LIST, len(get_tasks._TASKS_REGISTRY), len(MODEL_REGISTRY))
    register()
    assert (get_tasks.TASK_LIST, len(get_tasks._TASKS_REGISTRY), len(MODEL_REGISTRY)) == before
    names = [task.metadata.name for task in get_tasks.TASK_LIST]
    assert (names.count("SABERMath"), names.count("SABERMathMini")) == (1, 1)


def test_a_class_of_mteb_with_our_name_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    class Upstream(SABERMathMini): ...

    monkeypatch.setitem(get_tasks._TASKS_REGISTRY, "SABERMath", Upstream)
    register()
    assert get_tasks._TASKS_REGISTRY["SABERMath"] is Upstream


def test_systems_are_models_and_never_replace_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    card = Card(
        key="test-only",
        display_name="Test",
        description="A system of the tests.",
        paradigm="lexical",
        engine="bm25",
        recipe={"k1": 1.5},
        release_date="1994-11-02",
        sources={},
    )
    monkeypatch.setattr(
        "saber_mteb._mteb._metas.load_cards", lambda: MappingProxyType({card.key: card})
    )
    monkeypatch.setattr("mteb.models.model_implementations.MODEL_REGISTRY", registry := {})
    register()
    meta = registry["saber/test-only"]
    assert (meta.revision, meta.release_date) == (card.recipe_hash, "1994-11-02")
    register()
    assert registry == {"saber/test-only": meta}
    assert registry["saber/test-only"] is meta


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [
        ("mteb.get_tasks", "TASK_LIST", None),
        ("mteb.get_tasks", "_TASKS_REGISTRY", ()),
        ("mteb.models.model_implementations", "MODEL_REGISTRY", None),
        ("mteb.benchmarks.get_benchmark", "_build_registry", None),
    ],
)
def test_an_unknown_inside_of_mteb_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, module: str, name: str, value: object
) -> None:
    monkeypatch.setattr(import_module(module), name, value)
    with pytest.raises(SaberError, match=rf"mteb {mteb.__version__} is an unsupported .*{name}"):
        register()


def test_without_mteb_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mteb", None)
    with pytest.raises(SaberError, match=r"mteb is not installed.*saber-mteb\[mteb\]"):
        _plugin._import_mteb()


def test_summary_table_has_a_column_for_each_setting(
    small: Benchmark, ranker: Callable, tmp_path: Path
) -> None:
    """Built by mteb from the stored files, as its leaderboard does."""
    benchmark = mteb.get_benchmark("SABER-Math")
    cache = mteb.ResultCache(tmp_path)
    result = mteb.evaluate(
        # mteb's table leaves out models that its registry lacks.
        ranker(lambda query, document: int(document) % 7, name="mteb/baseline-random-encoder"),
        task_for(replace(small, name="SABERMath")),
        cache=cache,
        show_progress_bar=False,
    ).task_results[0]
    results = cache.load_results(tasks=benchmark, include_remote=False)
    table = benchmark._create_summary_table(results._to_results_df(benchmark.tasks)).df
    if not hasattr(import_module("mteb.benchmarks.benchmark"), "CustomGrouping"):
        pytest.skip(f"mteb {mteb.__version__} has no custom groupings")
    (row,) = table.to_dicts()
    columns = {name.removeprefix("__cg__"): value for name, value in row.items()}
    for setting in SABERMath.metadata.eval_splits:
        expected = result.get_score(splits=[setting])
        assert columns[f"Setting::{setting}"] == pytest.approx(expected, abs=1e-6)


def test_stored_results_find_their_task(small: Benchmark, ranker: Callable) -> None:
    result = mteb.evaluate(
        ranker(lambda query, document: int(document)),
        task_for(small).filter_eval_splits(["statement-full"]),
        cache=None,
        show_progress_bar=False,
    ).task_results[0]
    assert isinstance(result.task, SABERMathMini)
    assert result.is_public


def test_threads_may_register_and_import_at_once() -> None:
    """One in `register`, one in `import mteb`, one in our task module: nobody waits for ever."""
    code = """
import json, threading, time
from saber_mteb._mteb import register
def later(job, delay):
    def run():
        time.sleep(delay)
        job()
    return threading.Thread(target=run, daemon=True)
def tasks():
    import saber_mteb._mteb.tasks
def theirs():
    import mteb
threads = [later(register, 0), later(theirs, 0.01), later(tasks, 0.02), later(register, 0.5)]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
import mteb
print(json.dumps([[t.is_alive() for t in threads], mteb.get_task("SABERMath").metadata.name]))
"""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [[False] * 4, "SABERMath"], done.stderr
    assert "Exception in thread" not in done.stderr
