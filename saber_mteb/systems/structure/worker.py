"""Runs the native library pya0 in a process of its own; started by `isolation.NativeWorker`.

Started as a plain script (``python -I -S worker.py LIBRARY SECONDS``), so that neither our package
nor site-packages is imported: it is up in 20 ms, against 1.6 s for ``import pya0``, whose
``__init__`` pulls in nltk and pandas for things that are not needed here.

A frame on the pipe is a length (8 bytes, little endian) and as many bytes of JSON. The parent sends
a list of jobs in one frame; one frame goes back per job, as soon as it is done, so the parent knows
which job was in hand when the process died. Everything the library prints goes to the null device.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import sys
import tempfile
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType


def read_frame(stream: IO[bytes]) -> Any:  # noqa: ANN401 - JSON
    """Return the next frame's content, or None at the end of the stream."""
    header = stream.read(8)
    if len(header) < 8:
        return None
    length = int.from_bytes(header, "little")
    body = stream.read(length)
    return json.loads(body) if len(body) == length else None


def write_frame(stream: IO[bytes], content: object) -> None:
    """Write one frame and flush; escapes keep even lone surrogates intact."""
    body = json.dumps(content).encode("ascii")
    stream.write(len(body).to_bytes(8, "little") + body)
    stream.flush()


def tokenize(library: ModuleType, spans: list[str]) -> list[str]:
    """Return the first element of every token tuple of every span: the class of the token."""
    return [str(token[0]) for span in spans for token in library.tokenize(span)]


def search(
    library: ModuleType, folder: str, documents: list[str], query: list[dict[str, str]]
) -> list[float]:
    """Index the documents in an empty folder, search once, and return one score per document.

    The folder is removed here as well as by the parent, which may be gone by then.
    """
    try:
        # Each attempt in a folder of its own: one that died while indexing leaves documents.
        attempt = tempfile.mkdtemp(dir=folder)
        _index(library, attempt, documents)
        return _scores(library, attempt, query, len(documents))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _index(library: ModuleType, folder: str, documents: list[str]) -> None:
    index = library.index_open(folder, option="w")
    writer = library.index_writer(index)
    for document in documents:
        library.writer_add_doc(writer, content=document)
    library.writer_flush(writer)
    library.writer_maintain(writer, force=True)
    library.writer_close(writer)
    library.index_close(index)


def _scores(
    library: ModuleType, folder: str, query: list[dict[str, str]], size: int
) -> list[float]:
    index = library.index_open(folder, option="r")
    found = json.loads(library.search(index, query, topk=size))
    library.index_close(index)
    if found["ret_code"] not in ANSWERED:
        raise RuntimeError(found["ret_str"])
    scores = [0.0] * size
    for hit in found.get("hits", []):
        scores[hit["docid"] - 1] = float(hit["score"])  # ids count from 1 in the order of adding
    return scores


# The engine's codes for: hits, nothing it recognises in the query, no hit. The others refuse.
ANSWERED = (0, 1, 2)

OPERATIONS: Mapping[str, Callable[..., Any]] = {"tokenize": tokenize, "search": search}


def _answer(library: ModuleType, job: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"value": OPERATIONS[job["operation"]](library, **job["arguments"])}
    except Exception as error:  # whatever the library raises costs this job only
        return {"failure": f"{type(error).__name__}: {error}"}


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("_pya0", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a module: {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Keep the two pipes for ourselves and point the descriptors 0, 1, 2 at the null device."""
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    return jobs, answers


def _limit() -> None:
    """Leave no core file behind, and outlive Ctrl-C: the end of the pipe is what stops us."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def main(library_path: str, seconds: float) -> None:
    """Answer jobs until the pipe closes; the kernel's alarm ends a job that takes too long.

    The alarm keeps its default action, which ends the process even inside native code, and also
    when the parent is gone and nobody would be left to notice the hang.
    """
    jobs, answers = _take_pipes()
    _limit()
    try:
        library = _load(library_path)
    except Exception as error:
        write_frame(answers, {"failure": f"{type(error).__name__}: {error}"})
        return
    write_frame(answers, {"value": "ready"})
    while (batch := read_frame(jobs)) is not None:
        for job in batch:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            answer = _answer(library, job)
            signal.setitimer(signal.ITIMER_REAL, 0)
            write_frame(answers, answer)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
