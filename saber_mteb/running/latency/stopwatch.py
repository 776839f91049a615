"""Takes the time of one piece of work on a device that may still be busy when a call returns."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from saber_mteb.systems.base import Synchronised, System

Value = TypeVar("Value")
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Timed(Generic[Value]):
    """What the work returned and the seconds it took."""

    value: Value
    seconds: float


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Reads a clock before and after, each time once the device is idle.

    Attributes:
        system: Whose device it is.
        clock: Seconds from any zero; the default goes on evenly when the time of day is set.
    """

    system: System
    clock: Clock = time.perf_counter

    def time(self, work: Callable[[], Value]) -> Timed[Value]:
        """Do the work and time it."""
        self._synchronise()
        started = self.clock()
        value = work()
        self._synchronise()
        return Timed(value, self.clock() - started)

    def _synchronise(self) -> None:
        if isinstance(self.system, Synchronised):
            self.system.synchronise()
            return
        torch = sys.modules.get("torch")
        if torch is not None and torch.cuda.is_initialized():
            torch.cuda.synchronize()
