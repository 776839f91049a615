"""Keeps a cluster busy, collects what workers send, and goes on where they were lost."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.running.ranking import Ranked
from saber_mteb.running.ray_engine.worker import Order, Report, answer_pools
from saber_mteb.systems.base import PoolScores

if TYPE_CHECKING:
    from saber_mteb.running.ray_engine.cluster import Cluster, Resources
    from saber_mteb.running.ray_engine.tasks import Task

logger = logging.getLogger(__name__)

# So many queries lost for good: it is not the queries, it is the machines.
_TOO_MANY_LOST = 8


@dataclass
class Dispatch:
    """One run on a cluster.

    Attributes:
        cluster: Where.
        needs: What each task reserves.
        tasks: What is to be done.
        retries: Lost workers that a task without progress survives.
    """

    cluster: Cluster
    needs: Resources
    tasks: Iterator[Task]
    retries: int
    _again: deque[Task] = field(default_factory=deque)
    _running: dict[Iterator[object], Task] = field(default_factory=dict)
    _lost: int = 0
    _error: Exception | None = None

    def answers(self, order: Order) -> Iterator[Ranked | Report]:
        """Yield what workers send as it comes, and a failure for a query that they die of.

        Raises:
            SaberError: If a worker raised it, or if too many queries were lost; when all tasks that
                ran at that time have ended.
        """
        ray = self.cluster.ray
        remote = ray.remote(
            num_cpus=self.needs.num_cpus,
            num_gpus=self.needs.num_gpus,
            memory=self.needs.memory,
            num_returns="streaming",
            max_retries=0,  # Ray would begin the task anew, with what is answered
            max_calls=0,  # Ray would end a worker with an accelerator after each task
        )(answer_pools)
        shared = ray.put(order)
        try:
            while self._submit(lambda task: remote.remote(shared, task.pools, task.pending)):
                ready, _ = ray.wait(list(self._running), num_returns=1, fetch_local=False)
                yield from self._take(ready[0])
        finally:
            for stream in self._running:
                ray.cancel(stream, force=True)
        if self._error is not None:
            raise self._error

    def _submit(self, start: Callable[[Task], Iterator[object]]) -> bool:
        """Fill the cluster, with as many tasks again waiting; return whether anything runs."""
        room = 2 * max(1, self.cluster.slots(self.needs))
        while self._error is None and len(self._running) < room:
            task = self._again.popleft() if self._again else next(self.tasks, None)
            if task is None:
                break
            self._running[start(task)] = task
        return bool(self._running)

    def _take(self, stream: Iterator[object]) -> Iterator[Ranked | Report]:
        """Yield the next thing that a task has sent, or deal with its end."""
        from ray.exceptions import RayError, RayTaskError

        try:
            sent = self.cluster.ray.get(next(stream))
        except StopIteration:
            del self._running[stream]
        except RayTaskError as error:
            del self._running[stream]
            self._error = self._error or _as_raised(error)
        except RayError as error:
            yield from self._go_on(self._running.pop(stream), error)
        else:
            if isinstance(sent, Report):
                yield sent
                return
            task = self._running[stream]
            task.pending.remove(sent.position)
            task.losses = 0
            yield Ranked(task.positions[sent.position], sent.answer)

    def _go_on(self, task: Task, error: Exception) -> Iterator[Ranked]:
        """Queue what a lost worker has left undone, or fail the query that it always dies of."""
        if not task.pending:
            return
        task.losses += 1
        reason = str(error).strip().splitlines()[0]
        if task.losses <= self.retries:
            self._again.append(task)
        elif len(queries := task.split()) > 1:
            self._again.extend(queries)
        else:
            yield from self._fail(task, reason)
            return
        logger.warning("%s %d answers are asked again.", reason, len(task.pending))

    def _fail(self, task: Task, reason: str) -> Iterator[Ranked]:
        self._lost += 1
        if self._lost >= _TOO_MANY_LOST:
            self._error = self._error or SaberError(
                f"{self._lost} queries lost every worker they were given to, the last one so: "
                f"{reason} Look at memory and accelerators of the cluster. Finished answers are "
                "kept: the same command asks for the others only."
            )
        failure = f"the last {task.losses} workers that were asked died: {reason}"
        for index in task.pending:
            yield Ranked(task.positions[index], PoolScores(None, failure))


def _as_raised(error: Exception) -> Exception:
    """Return what a system raised: our own kind as it is, any other with the worker's traceback."""
    cause = getattr(error, "cause", None)
    return type(cause)(str(cause)) if isinstance(cause, SaberError) else error
