"""A small Hugging Face hub on 127.0.0.1, with faults on demand.

It answers the three requests that the hub's client makes for a data set: what a revision is
(``/api/datasets/{repo}/revision/{rev}``), and HEAD and GET of a file
(``/datasets/{repo}/resolve/{rev}/{path}``), with the headers the client reads: ``X-Repo-Commit``,
``ETag``, ``Content-Length``, and ``X-Error-Code`` for refusals.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

_API = re.compile(r"/api/datasets/(?P<repo>[^/]+/[^/]+)/revision/(?P<revision>[^/]+)")
_FILE = re.compile(
    r"/datasets/(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>refs%2F[^/]+%2F[^/]+|[^/]+)/(?P<path>.+)"
)


@dataclass
class Trouble:
    """What happens to requests whose method and path match, for the first ``times`` of them.

    ``status`` answers with an error; ``cut_after`` sends so many bytes of the body and hangs up;
    ``stall`` sends them and then nothing.
    """

    match: str
    status: int = 0
    code: str = ""
    cut_after: int = -1
    stall: bool = False
    times: int = 10**9


@dataclass
class Hub:
    """Repositories as revision -> file -> bytes, the troubles to come, and what was asked."""

    repos: dict[str, dict[str, dict[str, bytes]]] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    url: str = ""

    def put(self, repo: str, files: dict[str, bytes], revision: str = "main") -> None:
        """Make these the files of a revision."""
        self.repos.setdefault(repo, {})[revision] = files

    def commit(self, repo: str, revision: str = "main") -> str:
        """Return the commit of a revision: a hash of its files, like a real one."""
        files = self.repos[repo][revision]
        text = repr(sorted((name, hashlib.sha1(data).hexdigest()) for name, data in files.items()))
        return hashlib.sha1(text.encode()).hexdigest()

    def files(self, repo: str, revision: str) -> tuple[str, dict[str, bytes]] | None:
        """Return commit and files of a branch or commit, or None if there is none."""
        for branch in self.repos[repo]:
            commit = self.commit(repo, branch)
            if revision in (branch, commit):
                return commit, self.repos[repo][branch]
        return None

    def downloads(self) -> list[str]:
        """Return the files whose bytes were asked for."""
        return [
            line.rsplit("/", 1)[1] for line in self.requests if line.startswith("GET /datasets")
        ]


@contextmanager
def running_hub(hub: Hub) -> Iterator[Hub]:
    """Serve a hub until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, *, body: bool) -> None:
            line = f"{self.command} {urlsplit(self.path).path}"
            hub.requests.append(line)
            trouble = _next_trouble(hub, line)
            if trouble is not None and trouble.status:
                self.refuse(trouble.status, trouble.code)
                return
            path = urlsplit(self.path).path
            if found := _API.fullmatch(path):
                self.describe(found["repo"], unquote(found["revision"]))
            elif found := _FILE.fullmatch(path):
                revision = unquote(found["revision"])
                self.send(found["repo"], revision, unquote(found["path"]), body, trouble)
            else:
                self.refuse(404, "")

        def refuse(self, status: int, code: str) -> None:
            self.send_response(status)
            if code:
                self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def describe(self, repo: str, revision: str) -> None:
            if repo not in hub.repos:
                self.refuse(404, "RepoNotFound")
            elif (found := hub.files(repo, revision)) is None:
                self.refuse(404, "RevisionNotFound")
            else:
                commit, files = found
                siblings = [{"rfilename": n, "size": len(data)} for n, data in files.items()]
                document = {"id": repo, "sha": commit, "siblings": siblings, "private": False}
                document |= {"disabled": False, "gated": False, "downloads": 0, "tags": []}
                data = json.dumps(document).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def send(
            self, repo: str, revision: str, path: str, body: bool, trouble: Trouble | None
        ) -> None:
            found = hub.files(repo, revision) if repo in hub.repos else None
            if found is None or path not in found[1]:
                self.refuse(404, "EntryNotFound")
                return
            commit, data = found[0], found[1][path]
            start = _range_start(self.headers.get("Range"))
            self.send_response(206 if start else 200)
            self.send_header("X-Repo-Commit", commit)
            self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(len(data) - start))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()
            if not body:
                return
            if trouble is None:
                self.wfile.write(data[start:])
                return
            self.wfile.write(data[start : max(start, trouble.cut_after)])
            self.wfile.flush()
            if trouble.stall:
                time.sleep(20)
            self.close_connection = True

    return Handler


def _next_trouble(hub: Hub, line: str) -> Trouble | None:
    for trouble in hub.troubles:
        if trouble.times > 0 and re.search(trouble.match, line):
            trouble.times -= 1
            return trouble
    return None


def _range_start(header: str | None) -> int:
    found = re.fullmatch(r"bytes=(\d+)-.*", header or "")
    return int(found[1]) if found else 0
