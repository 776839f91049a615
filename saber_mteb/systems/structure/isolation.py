"""The one owner of the process in which native code runs: its crash costs one job, not the run."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from saber_mteb._errors import SaberError
from saber_mteb.systems.structure.worker import read_frame, write_frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SCRIPT = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Job:
    """One call of an operation of `worker.OPERATIONS` with its keyword arguments (JSON values)."""

    operation: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the operation returned, or the reason why it did not return."""

    value: Any = None
    failure: str | None = None


class NativeWorker:
    """Runs jobs in a child process that is restarted when it dies.

    The child answers job by job, so the job it died on is known without a search; that one is tried
    once more in a fresh process, because an earlier job may have left the damage. It fails only
    when it ends the fresh process too. A job that hangs is ended by the child's own alarm.
    The process ends with `close`, with the ``with`` block, or when this process is gone.

    Args:
        library: The file of the native module (a Python file in tests).
        timeout: Wall-clock seconds that one job may take. The slowest pool measured took under
            30 s (Approach Zero, 150 full solutions, its index on a busy disk).
    """

    def __init__(self, library: Path, timeout: float = 300.0) -> None:
        self._library = library
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, jobs: Sequence[Job]) -> list[Answer]:
        """Return one answer per job, in order.

        Raises:
            SaberError: If the library cannot be loaded at all.
        """
        answers: list[Answer] = []
        waiting = deque(jobs)
        try:
            while waiting:
                for answer in self._attempt(waiting):
                    answers.append(answer)
                    waiting.popleft()
                if waiting:
                    answers.append(self._again(waiting.popleft()))
        except BaseException:
            self.close()  # answers may still be in the pipe: the next run needs a clean one
            raise
        return answers

    def _attempt(self, jobs: Sequence[Job]) -> Iterator[Answer]:
        """Yield answers until all jobs are done or the process is dead."""
        process = self._started()
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the worker was started without pipes")
        batch = [{"operation": job.operation, "arguments": job.arguments} for job in jobs]
        try:
            write_frame(stdin, batch)
        except BrokenPipeError:
            return
        for _ in batch:
            reply = read_frame(stdout)
            if reply is None:
                return
            yield Answer(**reply)

    def _again(self, job: Job) -> Answer:
        self.close()
        for answer in self._attempt([job]):
            return answer
        return Answer(failure=self._cause_of_death())

    def _started(self, *, retry: bool = True) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SCRIPT), str(self._library), str(self._timeout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        hello = read_frame(self._process.stdout) if self._process.stdout else None
        if hello is None and retry:  # killed from outside while it started
            self.close()
            return self._started(retry=False)
        if hello is None or "failure" in hello:
            cause = hello["failure"] if hello else self._cause_of_death()
            self.close()
            raise SaberError(f"The native library {self._library} cannot be loaded: {cause}")
        return self._process

    def _cause_of_death(self) -> str:
        """Say how the process ended, e.g. ``the native code crashed (SIGSEGV)``."""
        code = self._process.wait() if self._process else 0
        if code == -signal.SIGALRM:
            return f"the native code took longer than {self._timeout:g} s"
        if code < 0:
            return f"the native code crashed ({signal.Signals(-code).name})"
        return f"the native process ended with status {code}"

    def close(self) -> None:
        """End the process and its pipes; the next `run` starts a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                # What was still buffered has no reader any more.
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
