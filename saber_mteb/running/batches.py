"""Runs one batch on a model: halves it when memory runs out, gives up when it hangs."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from saber_mteb._errors import SaberError
from saber_mteb.systems.base import OutOfMemory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.running.planning import BatchPolicy
    from saber_mteb.running.reporting import Tally

logger = logging.getLogger(__name__)
Item = TypeVar("Item")


@dataclass
class BatchRunner:
    """Calls a model with batches of at most what has fitted so far.

    Attributes:
        policy: The timeout.
        tally: Counts splits.
        ceiling: Tokens above which a batch is halved without trying, once memory has run out.
    """

    policy: BatchPolicy
    tally: Tally
    ceiling: float = field(default=float("inf"), init=False)

    def run(
        self,
        call: Callable[[Sequence[Item]], NDArray[np.float32]],
        items: Sequence[Item],
        tokens: int,
    ) -> NDArray[np.float32]:
        """Return one row per item.

        Args:
            call: The model.
            items: The batch.
            tokens: What the batch computes, padding included.

        Raises:
            SaberError: If a single item does not fit, the model hangs, or it returns another
                number of rows than it was given items.
        """
        import numpy as np

        if tokens <= self.ceiling or len(items) == 1:
            try:
                return _checked(self._call(call, items), len(items))
            except OutOfMemory as error:
                if len(items) == 1:
                    raise SaberError(
                        f"One text of {tokens} tokens does not fit into memory ({error}); "
                        "use a device with more of it or a smaller dtype."
                    ) from error
                self.ceiling = tokens / 2
                logger.warning(
                    "Memory ran out on a batch of %d texts (%d tokens); halving it.",
                    *(len(items), tokens),
                )
        self.tally.splits += 1
        half = len(items) // 2
        share = tokens // len(items)
        return np.concatenate(
            [
                self.run(call, items[:half], share * half),
                self.run(call, items[half:], share * (len(items) - half)),
            ]
        )

    def _call(
        self, call: Callable[[Sequence[Item]], NDArray[np.float32]], items: Sequence[Item]
    ) -> NDArray[np.float32]:
        if self.policy.timeout is None:
            return call(items)
        return _call_within(self.policy.timeout, call, items)


def _checked(rows: NDArray[np.float32], expected: int) -> NDArray[np.float32]:
    import numpy as np

    found = np.asarray(rows, dtype=np.float32)
    if found.ndim == 0 or len(found) != expected:
        raise SaberError(
            f"The system returned an array of shape {found.shape} for a batch of {expected}; "
            "it must return one row for each. Finished batches are kept."
        )
    return found


def _call_within(
    seconds: float,
    call: Callable[[Sequence[Item]], NDArray[np.float32]],
    items: Sequence[Item],
) -> NDArray[np.float32]:
    """Call in a thread of its own; one that hangs is left behind and ends with the process."""
    outcome: queue.Queue[NDArray[np.float32] | BaseException] = queue.Queue()

    def work() -> None:
        try:
            outcome.put(call(items))
        except BaseException as error:  # handed over to the caller
            outcome.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        result = outcome.get(timeout=seconds)
    except queue.Empty:
        raise SaberError(
            f"A batch of {len(items)} texts took longer than {seconds:g} s; the system hangs or "
            "needs a larger --batch-timeout. Finished batches are kept: the same command goes on."
        ) from None
    if isinstance(result, BaseException):
        raise result
    return result
