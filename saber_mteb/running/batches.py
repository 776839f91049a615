"""Runs one batch on a model: halves it when memory runs out, gives up when it hangs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
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
Result = TypeVar("Result")


@dataclass
class BatchRunner:
    """Calls a model with batches of at most what has fitted so far.

    Attributes:
        policy: The timeout.
        tally: Counts splits.
        axes: Of what the model returns: 1 for a score per item, 2 for a vector per item.
        ceiling: Tokens above which a batch is halved without trying, once memory has run out.
    """

    policy: BatchPolicy
    tally: Tally
    axes: int
    ceiling: float = field(default=float("inf"), init=False)
    _row: tuple[int, ...] | None = field(default=None, init=False)

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
            SaberError: If a single item does not fit, the model hangs, or it returns something
                else than one row per item, all of one shape.
        """
        import numpy as np

        if tokens <= self.ceiling or len(items) == 1:
            try:
                return self._checked(self._call(call, items), len(items))
            except OutOfMemory as error:
                if len(items) == 1:
                    raise SaberError(
                        f"One text of {tokens} tokens does not fit into memory ({error}); "
                        "use a device with more of it or a smaller dtype."
                    ) from error
                self.ceiling = tokens // len(items) * ((len(items) + 1) // 2)
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
        what = f"A batch of {len(items)} texts"
        return call_within(self.policy.timeout, lambda: call(items), what)

    def _checked(self, rows: NDArray[np.float32], expected: int) -> NDArray[np.float32]:
        import numpy as np

        with np.errstate(over="ignore"):
            found = np.asarray(rows, dtype=np.float32)
        width = found.shape[1:] if self._row is None else self._row
        if found.ndim != self.axes or found.shape != (expected, *width):
            kind = "score" if self.axes == 1 else "vector"
            raise SaberError(
                f"The system returned an array of shape {found.shape} for a batch of {expected}; "
                f"it must return one {kind} for each, all of one length. Finished batches are kept."
            )
        self._row = found.shape[1:]
        return found


def call_within(seconds: float | None, call: Callable[[], Result], what: str) -> Result:
    """Call in a thread of its own; one that hangs is left behind and ends with the process.

    Args:
        seconds: How long it may take; None calls directly and waits for ever.
        call: What to call.
        what: What it is, for the message.

    Raises:
        SaberError: If it takes longer. What it raises itself is passed on.
    """
    if seconds is None:
        return call()
    outcome: Future[Result] = Future()

    def work() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:  # handed over to the caller
            outcome.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    wait([outcome], timeout=seconds)
    if not outcome.done():
        raise SaberError(
            f"{what} took longer than {seconds:g} s; the system hangs or needs a larger "
            "--batch-timeout. What is finished is kept: the same command goes on."
        )
    return outcome.result()
