"""First run, later runs, and what is told and used when the hub fails (in this process)."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark import Benchmark, load_benchmark

QUERIES, DOCUMENTS = "sabermath/SaberMath-queries", "sabermath/SaberMath-documents"
SHARD = "data/train-00000-of-00001.parquet"
ToBytes = Callable[[dict[str, list[Any]]], bytes]

pytestmark = pytest.mark.usefixtures("in_process")


def load(**options: str) -> Benchmark:
    return load_benchmark("saber-math", **options)


def offline(patch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    patch.setattr(constants, "HF_HUB_OFFLINE", True)


def test_first_run_downloads_and_records_the_commits(hub: Any) -> None:
    benchmark = load()
    assert benchmark.name == "SABERMath"
    assert len(benchmark.documents) == 6
    assert benchmark.source.queries_revision == hub.commit(QUERIES)
    assert benchmark.revision == f"q:{hub.commit(QUERIES)}+d:{hub.commit(DOCUMENTS)}"
    assert len(hub.downloads()) == 2
    load()
    assert len(hub.downloads()) == 2


def test_second_run_needs_no_hub(hub: Any, in_process: pytest.MonkeyPatch) -> None:
    first = load()
    asked = len(hub.requests)
    offline(in_process)
    second = load()
    assert second.revision == first.revision
    assert second.queries == first.queries
    assert len(hub.requests) == asked


def test_pinned_commits_are_not_asked_for_again(hub: Any, in_process: pytest.MonkeyPatch) -> None:
    in_process.setenv("SABER_MTEB_QUERIES_REVISION", hub.commit(QUERIES))
    load(documents_revision=hub.commit(DOCUMENTS))
    asked = len(hub.requests)
    assert load(documents_revision=hub.commit(DOCUMENTS)).source.queries_revision
    assert len(hub.requests) == asked


def test_a_new_commit_is_fetched_and_the_option_beats_the_environment(
    hub: Any, in_process: pytest.MonkeyPatch, queries: dict[str, list[Any]], parquet_bytes: ToBytes
) -> None:
    old = load().source.queries_revision
    queries["problem"][0] = "Solve $x=2$."
    hub.put(QUERIES, {SHARD: parquet_bytes(queries)})
    assert load().queries[0].statement == "Solve $x=2$."
    hub.put(QUERIES, {SHARD: parquet_bytes(queries)}, revision="v1")
    in_process.setenv("SABER_MTEB_QUERIES_REVISION", "nowhere")
    assert load(queries_revision="v1").source.queries_revision != old


@pytest.mark.parametrize("form", ["plain", "jsonl", "shards", "converted"])
def test_layouts(
    hub: Any, documents: dict[str, list[Any]], parquet_bytes: ToBytes, form: str
) -> None:
    whole = parquet_bytes(documents)
    halves = [
        parquet_bytes({name: column[part] for name, column in documents.items()})
        for part in (slice(0, 2), slice(2, None))
    ]
    lines = b"".join(
        b'{"problem": "Document %d", "solution": "Solution %d"}\n' % (n, n) for n in range(6)
    )
    files = {
        "plain": {"documents.parquet": whole},
        "jsonl": {"documents.jsonl": lines},
        "shards": {f"data/train-0000{n}-of-00002.parquet": half for n, half in enumerate(halves)},
        "converted": {"documents.csv": b"problem,solution\n"},
    }
    hub.put(DOCUMENTS, files[form])
    branch = "main"
    if form == "converted":
        branch = "refs/convert/parquet"
        hub.put(DOCUMENTS, {"default/train/0000.parquet": whole}, revision=branch)
    benchmark = load()
    assert [document.statement for document in benchmark.documents] == documents["problem"]
    assert benchmark.source.documents_revision == hub.commit(DOCUMENTS, branch)


# What the hub does, and what the user must read; every message also names the folder option.
REFUSALS = {
    "private": ({"match": "GET /api", "status": 401}, r"answered 401 .*hf auth login"),
    "gated": ({"match": "GET /api", "status": 403, "code": "GatedRepo"}, r"403 .*no access"),
    "forbidden": ({"match": "HEAD", "status": 403}, r"answered 403 .*no access"),
    "no such repo": ({"match": "GET /api", "status": 404, "code": "RepoNotFound"}, r"not there"),
    "no such file": ({"match": "HEAD", "status": 404, "code": "EntryNotFound"}, r"404 .*not there"),
    "too many": ({"match": "GET /api", "status": 429}, r"429 .*too many requests"),
    "broken": ({"match": "GET /api", "status": 500}, r"answered 500 .*the hub is at fault"),
    "broken file": ({"match": "HEAD", "status": 503}, r"answered 503 .*the hub is at fault"),
    "broken body": ({"match": "GET /datasets", "status": 500}, r"500 .*the hub is at fault"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_is_told_once_and_clearly(hub: Any, hub_server: Any, case: str) -> None:
    options, expected = REFUSALS[case]
    hub.troubles.append(hub_server.Trouble(**options))
    started = time.monotonic()
    with pytest.raises(SaberError, match=expected) as caught:
        load()
    message = str(caught.value)
    assert time.monotonic() - started < 5
    assert "sabermath/SaberMath-queries" in message
    assert hub.url in message
    assert "--benchmark DIR" in message
    assert "SecretToken" not in message
    assert "\n" not in message


def test_an_unknown_revision(hub: Any) -> None:
    with pytest.raises(SaberError, match=r"revision 'v9'\): there is no such revision"):
        load(documents_revision="v9")


def test_trouble_that_passes_is_waited_out(hub: Any, hub_server: Any) -> None:
    hub.troubles.append(hub_server.Trouble("GET /api", status=500, times=2))
    hub.troubles.append(hub_server.Trouble("HEAD", status=502, times=1))
    assert len(load().queries) == 4


def test_a_cut_is_resumed(hub: Any, hub_server: Any) -> None:
    hub.troubles.append(hub_server.Trouble("GET /datasets", cut_after=300, times=1))
    assert len(load().queries) == 4


def test_a_half_download_is_never_used(
    hub: Any, hub_server: Any, in_process: pytest.MonkeyPatch
) -> None:
    hub.troubles.append(hub_server.Trouble("GET .*documents/resolve", cut_after=300))
    started = time.monotonic()
    with pytest.raises(SaberError, match=r"broke while fetching .*SaberMath-documents"):
        load()
    assert time.monotonic() - started < 30

    hub.troubles.clear()
    offline(in_process)
    with pytest.raises(SaberError, match="HF_HUB_OFFLINE is set and the cache holds no complete"):
        load()


def test_the_rest_is_fetched_after_a_half_download(hub: Any, hub_server: Any) -> None:
    hub.troubles.append(hub_server.Trouble("HEAD .*documents/resolve", status=404))
    with pytest.raises(SaberError, match="404"):
        load()
    hub.troubles.clear()
    hub.requests.clear()
    assert len(load().documents) == 6
    assert len(hub.downloads()) == 1


@pytest.mark.parametrize("status", [401, 500])
def test_a_complete_copy_stands_in_for_a_failing_hub(
    hub: Any, hub_server: Any, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    first = load()
    hub.troubles.append(hub_server.Trouble("documents/revision", status=status))
    with caplog.at_level(logging.WARNING):
        assert load().revision == first.revision
    assert f"answered {status}" in caplog.text
    assert "Using the copy in the cache" in caplog.text


def test_tables_of_two_days_are_never_mixed(
    hub: Any, hub_server: Any, queries: dict[str, list[Any]], parquet_bytes: ToBytes
) -> None:
    """The hub has new queries but fails for the documents: both come from the cache."""
    first = load()
    queries["candidates"] = [[number, 0, 1] for number in (2, 3, 4, 5)]
    hub.put(QUERIES, {SHARD: parquet_bytes(queries)})
    hub.troubles.append(hub_server.Trouble("documents/revision", status=500))
    assert load().revision == first.revision


def test_a_truncated_file_in_the_cache_is_fetched_again(
    hub: Any, environment: dict[str, str], in_process: pytest.MonkeyPatch
) -> None:
    load()
    for path in Path(environment["HF_HOME"]).rglob("blobs/*"):
        path.write_bytes(path.read_bytes()[:-20])
    offline(in_process)
    with pytest.raises(SaberError, match="no complete copy"):
        load()
    in_process.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    assert len(load().queries) == 4


def test_a_broken_manifest_is_ignored(
    environment: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    load()
    [manifest] = Path(environment["SABER_MTEB_CACHE"]).rglob("*.json")
    manifest.write_text("{", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        load()
    assert "cannot be used and is ignored" in caplog.text
    assert json.loads(manifest.read_text(encoding="utf-8"))["version"] == 1


def test_a_cache_that_cannot_be_written_costs_a_warning(
    in_process: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    in_process.setenv("SABER_MTEB_CACHE", str(tmp_path / "file"))
    with caplog.at_level(logging.WARNING):
        assert len(load().queries) == 4
    assert "set SABER_MTEB_CACHE to a folder" in caplog.text


def test_published_tables_with_a_fault_are_refused(
    hub: Any, queries: dict[str, list[Any]], parquet_bytes: ToBytes
) -> None:
    queries["candidates"][1] = [3, 4, 6]
    hub.put(QUERIES, {SHARD: parquet_bytes(queries)})
    with pytest.raises(SaberError, match=r"train-00000-of-00001\.parquet, row 1: candidate 6"):
        load()
