"""Control-C: one line and exit code 130, however often it is pressed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_MESSAGE = b"interrupted\n"
_SHOW_CURSOR = b"\x1b[?25h"  # the bar hides it


@contextmanager
def interruptible() -> Iterator[None]:
    """End in order at the first SIGINT, at once at the second.

    Either way what is finished is kept: each append to a store is a transaction.

    Raises:
        SystemExit: With 130, after the first.
    """
    pressed = False

    def first(_: int, __: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, again)
        raise KeyboardInterrupt

    def again(_: int, __: FrameType | None) -> None:
        os.write(2, (_SHOW_CURSOR if sys.stderr.isatty() else b"") + _MESSAGE)
        os._exit(130)

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as nohup and a shell's & set it
        signal.signal(signal.SIGINT, first)
    try:
        yield
    except BaseException:
        # Typer makes a silent exit of it, and who is interrupted in a library may see any error.
        if pressed:
            # Python's own end gives SIGINT back to the system, which would kill.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            sys.stderr.flush()
            os.write(2, _MESSAGE)
            raise SystemExit(130) from None
        raise
