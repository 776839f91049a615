"""Puts our tasks, benchmark and systems into mteb's registries, which it fills at import only."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any

from saber_mteb._errors import SaberError

if TYPE_CHECKING:
    from types import ModuleType

    from mteb import AbsTask
    from mteb.benchmarks.benchmark import Benchmark

_LOCK = RLock()
_TASKS_MODULE = "saber_mteb._mteb.tasks"
_postponed = False


def register() -> None:
    """Make ``SABERMath``, ``SABERMathMini``, ``SABER-Math`` and our systems known to mteb.

    May be called any number of times and from any thread. A task, benchmark or model that mteb
    already has under the same name is left alone.

    Raises:
        SaberError: If mteb is not installed, or is a version whose registries are not where we
            know them.
    """
    # Outside our lock: two threads, one in here and one in `import mteb` whose start-up hook calls
    # this function, would otherwise each hold what the other waits for.
    _import_mteb()
    global _postponed
    try:
        from saber_mteb._mteb.tasks import SABERMath, SABERMathMini
    except ImportError:
        if _TASKS_MODULE not in sys.modules:
            raise
        # Our task module is what imports mteb right now, and the start-up hook called us from
        # inside that import. The last line of the module resumes.
        _postponed = True
        return
    with _LOCK:
        _postponed = False
        _register_tasks([SABERMath, SABERMathMini])
        _register_benchmark()
        _register_models()


def resume() -> None:
    """Do the registration that came too early, if one did."""
    if _postponed:
        register()


def _register_tasks(tasks: list[type[AbsTask]]) -> None:
    module = import_module("mteb.get_tasks")  # the attribute mteb.get_tasks is the function
    by_name = _private(module, "_TASKS_REGISTRY", dict)
    in_order = _private(module, "TASK_LIST", tuple)
    for task in tasks:
        if task.metadata.name not in by_name:
            by_name[task.metadata.name] = task
            in_order += (task,)
            setattr(import_module("mteb.tasks"), task.__name__, task)
    vars(module)["TASK_LIST"] = in_order


def _register_benchmark() -> None:
    """Add ours when someone first asks for a benchmark.

    Importing all of mteb's to add one would cost every `import mteb` 0.2 s (2.26) to 0.9 s (2.16).
    """
    lookup = import_module("mteb.benchmarks.get_benchmark")
    theirs = _private(lookup, "_build_registry", Callable)
    if theirs.__module__ == __name__:
        return

    @cache
    def with_ours() -> dict[str, Benchmark]:
        from saber_mteb._mteb._benchmark import NAME, saber_math_benchmark

        registry: dict[str, Benchmark] = theirs()
        if NAME not in registry:
            registry[NAME] = saber_math_benchmark()
        return registry

    vars(lookup)["_build_registry"] = with_ours


def _register_models() -> None:
    from saber_mteb._mteb._metas import model_metas

    registry = _private(import_module("mteb.models.model_implementations"), "MODEL_REGISTRY", dict)
    for meta in model_metas():
        registry.setdefault(meta.name, meta)


def _import_mteb() -> None:
    try:
        import_module("mteb")
    except ModuleNotFoundError as error:
        if error.name != "mteb":
            raise
        raise SaberError(
            "mteb is not installed; the tasks need it: pip install 'saber-mteb[mteb]'"
        ) from error


def _private(module: ModuleType, name: str, kind: Any) -> Any:  # noqa: ANN401
    """Return a registry of mteb, which promises none of them to anyone."""
    found = getattr(module, name, None)
    if found is None or not isinstance(found, kind):
        version = getattr(sys.modules["mteb"], "__version__", "of unknown version")
        raise SaberError(
            f"mteb {version} is an unsupported version: it has no {module.__name__}.{name} "
            f"of type {kind.__name__}. Install one that works: pip install 'saber-mteb[mteb]'"
        )
    return found
