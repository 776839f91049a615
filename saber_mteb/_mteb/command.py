"""MTEB's own command, started from ours after a look at the names in it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from saber_mteb._errors import UsageError, nearest
from saber_mteb._mteb._plugin import register

_TASK_FLAGS = ("-t", "--tasks")


def run_mteb_command(arguments: Sequence[str]) -> None:
    """Register our tasks and systems, check the task names, and hand over to mteb.

    mteb loads the model before it looks a task up, so that a typing error costs a model load;
    here it costs nothing.

    Raises:
        SaberError: If mteb is not installed or its version is not supported.
        UsageError: If a task name is unknown, with the nearest names.
    """
    register()
    if arguments[:1] == ["run"]:
        _check_task_names(asked_tasks(arguments))
    sys.argv = ["mteb", *arguments]
    import_module("mteb.cli").main()


def registered_task_names() -> list[str]:
    """Return the names of our tasks that mteb knows now."""
    from saber_mteb._mteb.tasks import SaberTask

    return sorted(name for name, task in _known_tasks().items() if issubclass(task, SaberTask))


def asked_tasks(arguments: Sequence[str]) -> list[str]:
    """Return the values of mteb's ``-t``.

    >>> asked_tasks(["run", "-m", "a/b", "-t", "SABERMath", "STS12", "--device", "0"])
    ['SABERMath', 'STS12']
    >>> asked_tasks(["run", "--tasks=SABERMath"])
    ['SABERMath']
    """
    names: list[str] = []
    inside = False
    for argument in arguments:
        flag, _, value = argument.partition("=")
        if argument.startswith("-"):
            inside = flag in _TASK_FLAGS
            names += [value] if inside and value else []
        elif inside:
            names.append(argument)
    return names


def _check_task_names(names: Sequence[str]) -> None:
    known = _known_tasks()
    for name in names:
        if name not in known:
            raise UsageError(
                f"mteb knows no task '{name}'.{nearest(name, list(known))} "
                "`saber-mteb mteb available-tasks` lists all of them."
            )


def _known_tasks() -> dict[str, type]:
    known: dict[str, type] = import_module("mteb.get_tasks")._TASKS_REGISTRY
    return known
