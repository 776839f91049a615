"""Runs a job with a recording system in a process of its own; what to do is JSON on the line."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from saber_mteb.benchmark.settings import Setting
from saber_mteb.results import _writing
from saber_mteb.running import job as job_module
from saber_mteb.running.job import Job
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.systems.card import Card, Paradigm, Weights


def recorders() -> Any:
    path = Path(__file__).with_name("recorders.py")
    spec = importlib.util.spec_from_file_location("running_recorders", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["running_recorders"] = module
    spec.loader.exec_module(module)
    return module


def card(revision: str = "1", **recipe: Any) -> Card:
    return Card(
        key="stub",
        display_name="Stub",
        description="A stub.",
        paradigm=Paradigm.BI_ENCODER,
        engine="stub",
        recipe=recipe,
        weights=Weights(name="org/stub", revision=revision),
        sources={},
    )


def main(order: dict[str, Any]) -> None:
    made = recorders()
    log = Path(order["log"])

    def say(line: str) -> None:
        with log.open("a") as stream:
            stream.write(line + "\n")

    def hold(*_: object, **__: object) -> None:
        say("saving")
        time.sleep(60)

    def slow(_: int) -> None:
        say("writing")
        time.sleep(order["slow_writes"])

    if order.get("hold"):
        job_module.save_result = hold
    if order.get("slow_writes"):
        _writing.os = type("os", (), {**vars(os), "fsync": staticmethod(slow)})
    system = getattr(made, order["system"])(log=log, delay=order.get("delay", 0.0))
    Job(
        card=card(order.get("revision", "1"), **order.get("recipe", {})),
        system=system,
        benchmark=replace(made.bench(**order.get("bench", {})), name="Bench"),
        settings=tuple(Setting),
        policy=BatchPolicy(max_texts=order.get("max_texts", 8)),
    ).execute(Path(order["output"]), cache=Path(order["cache"]) if order.get("cache") else None)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
