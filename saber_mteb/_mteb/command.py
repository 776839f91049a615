"""MTEB's own command, started from ours after a look at the names in it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from saber_mteb._errors import UsageError, nearest
from saber_mteb._mteb._plugin import register
from saber_mteb.systems.registry import find_card


def run_mteb_command(arguments: Sequence[str]) -> None:
    """Register our tasks and systems, check the task names, and hand over to mteb.

    mteb loads the model before it looks a task up, so that a typing error costs a model load;
    here it costs nothing.

    Raises:
        SaberError: If mteb is not installed or its version is not supported.
        UsageError: If a task or one of our systems is unknown, with the nearest names.
    """
    register()
    if arguments[:1] == ["run"]:
        _check_task_names(option_values(arguments, ("-t", "--tasks")))
        for model in option_values(arguments, ("-m", "--model")):
            if model.startswith("saber/"):
                find_card(model)
    sys.argv = ["mteb", *arguments]
    import_module("mteb.cli").main()


def registered_task_names() -> list[str]:
    """Return the names of our tasks that mteb knows now."""
    from saber_mteb._mteb.tasks import SaberTask

    return sorted(name for name, task in _known_tasks().items() if issubclass(task, SaberTask))


def option_values(arguments: Sequence[str], flags: Sequence[str]) -> list[str]:
    """Return the values of an option of mteb's command.

    >>> option_values(["run", "-m", "a/b", "-t", "SABERMath", "STS12", "--device", "0"], ["-t"])
    ['SABERMath', 'STS12']
    >>> option_values(["run", "--tasks=SABERMath"], ["-t", "--tasks"])
    ['SABERMath']
    """
    names: list[str] = []
    inside = False
    for argument in arguments:
        flag, _, value = argument.partition("=")
        if argument.startswith("-"):
            inside = flag in flags
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
