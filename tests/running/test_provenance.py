"""What a result says about how it was made."""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.job import Job
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.reporting import Tally
from saber_mteb.running.shards import Shard
from saber_mteb.systems.base import OutOfMemory
from saber_mteb.systems.card import Card, Paradigm, Weights

POLICY = BatchPolicy(max_texts=6, max_tokens=500, timeout=30)


def made(system: Any, benchmark: Any, output: Path, cache: Path | None = None, **of: Any) -> Any:
    """Run a job and return its provenance by setting."""
    card = Card(
        key="stub",
        display_name="Stub",
        description="A stub.",
        paradigm=Paradigm.BI_ENCODER,
        engine="stub",
        recipe={"dtype": "bfloat16", "query_prompt": "query: "},
        weights=Weights(name="org/stub", revision="abc", folder="/a/secret/place"),
        sources={},
    )
    job = Job(card, system, benchmark, tuple(Setting), policy=POLICY, **of)
    done = job.execute(output, cache=cache)
    text = (done.folder.path / "saber/Bench/provenance.json").read_text()
    assert "secret" not in text
    return json.loads(text)["settings"]


def test_everything_that_is_needed_to_repeat_a_run(recorders: Any, tmp_path: Path) -> None:
    blocks = made(recorders.RecordingEncoder(), recorders.bench(), tmp_path)
    assert list(blocks) == [setting.value for setting in Setting]
    for block in blocks.values():
        for package in ("saber-mteb", "numpy", "pyarrow", "mteb"):
            assert block["versions"][package] == version(package)
        system = block["system"]
        assert (system["name"], system["revision"], system["protocol"]) == (
            "org/stub",
            "abc",
            "paper",
        )
        assert system["recipe"]["dtype"] == "bfloat16"
        assert len(system["recipe_hash"]) == 40
        assert block["benchmark"]["content_hash"] == recorders.bench().content_hash
        assert block["batches"] == {"max_texts": 6, "max_tokens": 500, "timeout": 30}
        assert block["rows"] == {"start": 0, "stop": 9, "step": 1}
        assert (block["n_queries"], block["n_scored"], block["failures"]) == (9, 9, {})
        assert set(block["hardware"]) == {"cpu", "cores", "ram_gb", "gpu"}
        assert block["python"] == ".".join(map(str, sys.version_info[:3]))


def test_the_first_texts_stand_as_the_model_saw_them(recorders: Any, tmp_path: Path) -> None:
    encoder, benchmark = recorders.RecordingEncoder(), recorders.bench()
    blocks = made(encoder, benchmark, tmp_path)
    for setting in Setting:
        pool, block = benchmark.pools(setting)[0], blocks[setting.value]
        assert block["first_query"] == f"query: {pool.query}"
        assert block["first_document"] == f"document: {pool.documents[0]}"
        assert {block["first_query"], block["first_document"]} <= set(encoder.asked)


def test_the_first_texts_of_a_shard_are_its_own(recorders: Any, tmp_path: Path) -> None:
    benchmark = recorders.bench()
    blocks = made(recorders.RecordingEncoder(), benchmark, tmp_path, shard=Shard(3, 4))
    pool = benchmark.pools(Setting.FULL_FULL)[2]
    assert blocks["full-full"]["first_query"] == f"query: {pool.query}"
    assert blocks["full-full"]["rows"] == {"start": 2, "stop": 9, "step": 4}


def test_what_was_computed_is_counted(recorders: Any, tmp_path: Path) -> None:
    encoder = recorders.RecordingEncoder(max_tokens=25)
    lack = iter([True])

    def once(_: list[str]) -> None:
        if next(lack, False):
            raise OutOfMemory("too little")

    encoder.before = once
    block = made(encoder, recorders.bench(), tmp_path)["full-full"]
    counted = block["counted"]
    lengths = [len(text.split()) for text in encoder.asked]
    assert counted["texts"] == len(lengths)
    assert counted["tokens"] == sum(min(length, 25) for length in lengths)
    assert counted["tokens"] <= counted["computed_tokens"] <= 1.3 * counted["tokens"]
    assert counted["truncated"] == sum(length > 25 for length in lengths)
    assert counted["splits"] >= 1
    assert counted["reused"] == 0
    assert set(counted["seconds"]) == {"loading", "encoding", "scoring"}
    # Between what Python with numpy needs at least and what this test could ever need.
    assert 20 < block["peak_memory_mb"]["rss"] < 50_000


def test_seconds_are_those_of_the_phases(recorders: Any, tmp_path: Path) -> None:
    class Slow(recorders.RecordingEncoder):  # type: ignore[name-defined,misc]
        @property
        def max_tokens(self) -> None:
            if not self.batches:
                time.sleep(0.1)

        @max_tokens.setter
        def max_tokens(self, _: None) -> None:
            pass

    encoder = Slow(delay=0.02)
    started = time.monotonic()
    block = made(encoder, recorders.bench(), tmp_path)["full-full"]
    whole = time.monotonic() - started
    seconds = block["counted"]["seconds"]
    assert seconds["loading"] >= 0.1
    assert seconds["encoding"] >= 0.02 * len(encoder.batches) > seconds["scoring"]
    assert sum(seconds.values()) <= block["seconds"] <= whole


def test_the_device_is_the_one_that_was_used(recorders: Any, tmp_path: Path) -> None:
    class OnCpu(recorders.RecordingEncoder):  # type: ignore[name-defined,misc]
        device_used = "cpu"

    blocks = made(OnCpu(), recorders.bench(), tmp_path / "a")
    assert blocks["full-full"]["device"] == "cpu"
    assert blocks["full-full"]["hardware"]["gpu"] is None
    unknown = made(recorders.RecordingEncoder(), recorders.bench(), tmp_path / "b")
    assert unknown["full-full"]["device"] is None


def test_failures_are_listed_with_their_reasons(recorders: Any, tmp_path: Path) -> None:
    class Broken(recorders.RecordingScorer):  # type: ignore[name-defined,misc]
        def score_pairs(self, pairs: Any) -> Any:
            scores = super().score_pairs(pairs)
            hit = [pair.query == recorders.bench().queries[2].statement for pair in pairs]
            scores[hit] = float("inf")
            return scores

    blocks = made(Broken(), recorders.bench(), tmp_path)
    assert (blocks["statement-full"]["n_queries"], blocks["statement-full"]["n_scored"]) == (9, 8)
    assert "infinite" in blocks["statement-full"]["failures"]["2"]
    assert blocks["full-full"]["failures"] == {}


def test_a_repeated_run_keeps_the_record_of_the_work(recorders: Any, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = made(recorders.RecordingEncoder(), recorders.bench(), tmp_path / "a", cache)
    again = made(recorders.RecordingEncoder(), recorders.bench(), tmp_path / "a", cache)
    assert again == first
    elsewhere = made(recorders.RecordingEncoder(), recorders.bench(), tmp_path / "b", cache)
    assert elsewhere["full-full"]["counted"]["texts"] == 0
    assert elsewhere["full-full"]["counted"]["reused"] == 27


def test_another_run_does_not_borrow_a_record(recorders: Any, tmp_path: Path) -> None:
    """Without the cache the same place got other scores; their record is not that of these."""
    cache, out = tmp_path / "cache", tmp_path / "a"
    made(recorders.RecordingScorer(), recorders.bench(), out, cache)
    other = made(recorders.RecordingScorer(rounding=False), recorders.bench(), out)
    assert other["full-full"]["counted"]["texts"] > 0
    back = made(recorders.RecordingScorer(), recorders.bench(), out, cache)
    assert back["full-full"]["counted"] == {**back["full-full"]["counted"], "texts": 0}
    assert back["full-full"]["counted"]["reused"] == 27


def test_a_phase_that_ends_in_an_error_counts_too() -> None:
    tally = Tally()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), tally.phase("scoring"):
            time.sleep(0.01)
            raise ZeroDivisionError
    assert 0.02 <= tally.seconds["scoring"] < 5
