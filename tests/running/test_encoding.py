"""Bi-encoders: each text once, the first vector counts, scores are plain inner products."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.records import Benchmark
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running import encoding
from saber_mteb.running.engine import run_system
from saber_mteb.running.planning import BatchPolicy
from saber_mteb.running.session import Session
from saber_mteb.running.stores.embeddings import EmbeddingStore
from saber_mteb.running.stores.keys import digest
from saber_mteb.systems.base import Finished, Role

SF, SS, FF = Setting
RECIPE = "recipe 1"
SMALL = BatchPolicy(max_texts=4)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddingStore]:
    with EmbeddingStore.open(tmp_path / "cache") as opened:
        yield opened


def session(store: EmbeddingStore | None = None) -> Session:
    return Session(recipe=RECIPE, policy=SMALL, embeddings=store)


def same(one: dict[Setting, Run], other: dict[Setting, Run]) -> bool:
    return list(one) == list(other) and all(
        one[s].scores.tobytes() == other[s].scores.tobytes()
        and one[s].failures == other[s].failures
        for s in one
    )


def shown_texts(benchmark: Benchmark, settings: Sequence[Setting] = tuple(Setting)) -> set[Any]:
    pools = [pool for setting in settings for pool in benchmark.pools(setting)]
    queries = {(pool.query, Role.QUERY) for pool in pools}
    return queries | {(text, Role.DOCUMENT) for pool in pools for text in pool.documents}


@pytest.mark.parametrize("kept", [True, False])
def test_each_text_is_encoded_once_over_all_settings(
    recorders: Any, store: EmbeddingStore, kept: bool
) -> None:
    benchmark, encoder = recorders.bench(), recorders.RecordingEncoder()
    given = session(store if kept else None)
    run_system(encoder, benchmark, list(Setting), session=given)
    expected = {f"{role}: {text}" for text, role in shown_texts(benchmark)}
    assert len(encoder.asked) == len(expected) == given.tally.texts
    assert set(encoder.asked) == expected


def test_prompts_are_applied_once_to_each_text(recorders: Any) -> None:
    encoder = recorders.RecordingEncoder()
    run_system(encoder, recorders.bench(), list(Setting))
    assert len(encoder.finished) == len(set(encoder.finished))
    assert set(encoder.finished) == shown_texts(recorders.bench())
    assert all(text.count("query: ") + text.count("document: ") == 1 for text in encoder.asked)


@pytest.mark.parametrize("kept", [True, False])
def test_one_string_has_one_vector_on_both_sides(
    recorders: Any, store: EmbeddingStore, kept: bool
) -> None:
    encoder = recorders.RecordingEncoder(prompts=False)
    given = session(store if kept else None)
    (run,) = run_system(encoder, recorders.bench(), [SS], session=given).values()
    query = recorders.bench().queries[0].statement
    place = recorders.bench().pools(SS)[0].documents.index(query)
    # The batch of documents around it is computed whole, but its first vector counts.
    first = next(batch for batch in encoder.batches if query in batch)
    vector = recorders.own_vector(query) * encoder.noise(first)
    assert run.scores[0, place] == np.vecdot(vector, vector)


def test_a_side_that_is_no_part_of_the_string_tells_vectors_apart(
    recorders: Any, store: EmbeddingStore
) -> None:
    encoder = recorders.RecordingEncoder(prompts=False, sides=True, rounding=False)
    (run,) = run_system(encoder, recorders.bench(), [SS], session=session(store)).values()
    statement = recorders.bench().queries[0].statement
    as_query = recorders.own_vector(statement + "query")
    as_document = recorders.own_vector(statement + "document")
    place = recorders.bench().pools(SS)[0].documents.index(statement)
    assert run.scores[0, place] == pytest.approx(float(as_query @ as_document), rel=1e-6)
    out = np.empty((2, recorders.WIDTH), np.float32)
    store.read(RECIPE, [digest(statement, "query"), digest(statement, "document")], out)
    np.testing.assert_array_equal(out, [as_query, as_document])


def test_texts_that_a_prompt_makes_equal_are_one(recorders: Any) -> None:
    class Stripping(recorders.RecordingEncoder):  # type: ignore[name-defined,misc]
        def finish(self, text: str, role: Role) -> Finished:
            return Finished(text.split()[0])

    encoder = Stripping()
    run_system(encoder, recorders.bench(), [FF])
    assert encoder.asked == ["Problem:"]


def test_scores_are_plain_inner_products_in_float32(recorders: Any) -> None:
    benchmark = recorders.bench()
    runs = run_system(recorders.RecordingEncoder(rounding=False), benchmark, list(Setting))
    for setting, run in runs.items():
        assert run.scores.dtype == np.float32
        for row, pool in enumerate(benchmark.pools(setting)):
            query = recorders.own_vector(f"query: {pool.query}").astype(np.float64)
            for place, text in enumerate(pool.documents):
                exact = query @ recorders.own_vector(f"document: {text}").astype(np.float64)
                assert run.scores[row, place] == pytest.approx(exact, abs=2e-6)


@pytest.mark.parametrize("width", [100, 384, 1024])
@pytest.mark.parametrize("size", [5, 13, 150])
def test_equal_documents_tie_wherever_they_stand(
    recorders: Any, monkeypatch: pytest.MonkeyPatch, width: int, size: int
) -> None:
    """A matrix product by BLAS would not: its last rows are summed in another order."""
    monkeypatch.setattr(recorders, "WIDTH", width)
    benchmark = recorders.bench(queries=2, documents=size + 1, size=size)
    same_texts = tuple(replace(benchmark.documents[0], id=p.id) for p in benchmark.documents)
    benchmark = replace(benchmark, documents=same_texts)
    (run,) = run_system(recorders.RecordingEncoder(), benchmark, [SF]).values()
    assert all(len(set(row.tolist())) == 1 for row in run.scores)


def test_a_nan_fails_only_the_queries_that_need_it(recorders: Any, store: EmbeddingStore) -> None:
    benchmark = recorders.bench()
    bad = f"document: {benchmark.pools(SF)[0].documents[3]}"

    class Broken(recorders.RecordingEncoder):  # type: ignore[name-defined,misc]
        def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
            vectors: NDArray[np.float32] = super().encode(texts)
            vectors[[text.text == bad for text in texts], 0] = np.nan
            return vectors

    (run,) = run_system(Broken(), benchmark, [SF], session=session(store)).values()
    needing = {row for row, p in enumerate(benchmark.pools(SF)) if bad[10:] in p.documents}
    assert set(run.failures) == needing
    assert len(needing) < len(run.rows)
    assert all("NaN" in reason for reason in run.failures.values())
    assert store.known(RECIPE, [digest(bad, "")]) == set()

    mended = recorders.RecordingEncoder()
    (again,) = run_system(mended, benchmark, [SF], session=session(store)).values()
    assert not again.failures
    assert len(mended.batches) == 1
    whole = run_system(recorders.RecordingEncoder(), benchmark, [SF], session=session())
    assert same({SF: again}, whole)


@pytest.mark.parametrize("kept", [True, False])
def test_vectors_in_a_file_give_the_same_scores(
    recorders: Any, store: EmbeddingStore, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    expected = run_system(recorders.RecordingEncoder(), recorders.bench(), list(Setting))
    monkeypatch.setattr(encoding, "_IN_MEMORY", 0)
    for _ in range(1 + kept):
        given = replace(session(store if kept else None), policy=BatchPolicy())
        encoder = recorders.RecordingEncoder()
        found = run_system(encoder, recorders.bench(), list(Setting), session=given)
        assert same(found, expected)
    assert bool(encoder.batches) is not kept


def test_a_disk_without_room_for_vectors_is_an_error(
    recorders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "_IN_MEMORY", 0)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(SaberError, match=r"vectors do not fit on the disk.*TMPDIR"):
            run_system(recorders.RecordingEncoder(), recorders.bench(), [SF])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def vectors_of(store: EmbeddingStore, encoder: Any) -> dict[str, bytes]:
    texts = sorted(set(encoder.asked))
    out = np.empty((len(texts), 8), np.float32)
    store.read(RECIPE, [digest(text, "") for text in texts], out)
    return dict(zip(texts, (row.tobytes() for row in out), strict=True))


def test_batches_are_computed_whole_and_first_vectors_stay(
    recorders: Any, store: EmbeddingStore
) -> None:
    """First some queries, then all: the plan is another, and batches hold old and new texts."""
    benchmark, first = recorders.bench(), recorders.RecordingEncoder()
    run_system(first, benchmark, [SF], rows=[0, 1], session=session(store))
    before = vectors_of(store, first)

    second = recorders.RecordingEncoder()
    (run,) = run_system(second, benchmark, [SF], session=session(store)).values()
    again = set(first.asked) & set(second.asked)
    assert again  # else this shows nothing
    assert set(map(len, second.batches)) <= {4, len(second.batches[-1])}
    assert before.items() <= vectors_of(store, first).items()

    after = {**before, **vectors_of(store, second)}
    for row, pool in enumerate(benchmark.pools(SF)):
        query = np.frombuffer(after[f"query: {pool.query}"], np.float32)
        chosen = [np.frombuffer(after[f"document: {t}"], np.float32) for t in pool.documents]
        np.testing.assert_array_equal(run.scores[row], np.vecdot(np.stack(chosen), query))


@pytest.mark.parametrize("prompts", [True, False])
def test_with_and_without_a_store_the_bits_are_the_same(
    recorders: Any, store: EmbeddingStore, prompts: bool
) -> None:
    def go(given: Session) -> dict[Setting, Run]:
        encoder = recorders.RecordingEncoder(prompts=prompts)
        return run_system(encoder, recorders.bench(), list(Setting), session=given)

    assert same(go(session()), go(session(store)))


@pytest.mark.parametrize("prompts", [True, False])
def test_stopped_at_any_batch_it_goes_on_as_if_it_had_not(
    recorders: Any, tmp_path: Path, prompts: bool
) -> None:
    benchmark = recorders.bench()
    whole = recorders.RecordingEncoder(prompts=prompts)
    expected = run_system(whole, benchmark, list(Setting), session=session())
    assert len(whole.batches) > 10
    for stop in range(len(whole.batches)):
        first = recorders.RecordingEncoder(prompts=prompts)
        second = recorders.RecordingEncoder(prompts=prompts)

        def interrupt(_: list[str], encoder: Any = first, at: int = stop) -> None:
            if len(encoder.batches) == at:
                raise KeyboardInterrupt

        first.before = interrupt
        with ExitStack() as stack:
            cache = stack.enter_context(EmbeddingStore.open(tmp_path / str(stop)))
            with pytest.raises(KeyboardInterrupt):
                run_system(first, benchmark, list(Setting), session=session(cache))
            found = run_system(second, benchmark, list(Setting), session=session(cache))
        assert same(found, expected)
        assert first.batches + second.batches == whole.batches


def test_what_the_store_has_needs_no_model(recorders: Any, store: EmbeddingStore) -> None:
    class Unloadable(recorders.RecordingEncoder):  # type: ignore[name-defined,misc]
        @property
        def max_tokens(self) -> int | None:
            raise SaberError("the weights were loaded")

        @max_tokens.setter
        def max_tokens(self, _: int | None) -> None:
            pass

    known = run_system(
        recorders.RecordingEncoder(), recorders.bench(), [FF], session=session(store)
    )
    given = session(store)
    assert same(run_system(Unloadable(), recorders.bench(), [FF], session=given), known)
    assert given.tally.texts == 0
    assert given.tally.reused == len(shown_texts(recorders.bench(), [FF]))
    with pytest.raises(SaberError, match="weights were loaded"):
        run_system(Unloadable(), recorders.bench(), [SS], session=session(store))


def test_another_recipe_finds_nothing(recorders: Any, store: EmbeddingStore) -> None:
    run_system(recorders.RecordingEncoder(), recorders.bench(), [SF], session=session(store))
    other = recorders.RecordingEncoder()
    given = replace(session(store), recipe="recipe 2")
    run_system(other, recorders.bench(), [SF], session=given)
    assert len(other.asked) == len(shown_texts(recorders.bench(), [SF]))


def test_what_was_computed_is_counted(recorders: Any) -> None:
    encoder = recorders.RecordingEncoder(max_tokens=20)
    given = session()
    run_system(encoder, recorders.bench(), list(Setting), session=given)
    lengths = [len(text.split()) for text in encoder.asked]
    read = [[min(len(text.split()), 20) for text in batch] for batch in encoder.batches]
    assert given.tally.texts == len(lengths)
    assert given.tally.truncated == sum(length > 20 for length in lengths) > 0
    assert given.tally.tokens == sum(map(sum, read))
    assert given.tally.computed_tokens == sum(len(batch) * max(batch) for batch in read)
    assert set(given.tally.seconds) == {"loading", "encoding", "scoring"}


@pytest.mark.parametrize("shape", [(3, 8), (4,), (4, 8, 1)])
def test_a_wrong_shape_stops_the_run_and_keeps_the_rest(
    recorders: Any, store: EmbeddingStore, shape: tuple[int, ...]
) -> None:
    class Wrong(recorders.RecordingEncoder):  # type: ignore[name-defined,misc]
        def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
            vectors: NDArray[np.float32] = super().encode(texts)
            return np.zeros(shape, np.float32) if len(self.batches) == 3 else vectors

    wrong, right = Wrong(), recorders.RecordingEncoder()
    with pytest.raises(SaberError, match="must return one vector for each"):
        run_system(wrong, recorders.bench(), [SF], session=session(store))
    found = run_system(right, recorders.bench(), [SF], session=session(store))
    assert wrong.batches[:2] == wrong.batches[:-1]
    assert right.batches[0] == wrong.batches[2]
    expected = run_system(recorders.RecordingEncoder(), recorders.bench(), [SF], session=session())
    assert same(found, expected)


def test_a_model_that_hangs_keeps_what_is_finished(recorders: Any, store: EmbeddingStore) -> None:
    slow, after = recorders.RecordingEncoder(), recorders.RecordingEncoder()

    def hang(_: list[str]) -> None:
        slow.delay = 3.0 if len(slow.batches) == 2 else 0.0

    slow.before = hang
    given = replace(session(store), policy=BatchPolicy(max_texts=4, timeout=0.3))
    with pytest.raises(SaberError, match=r"took longer than 0\.3 s"):
        run_system(slow, recorders.bench(), [SF], session=given)
    run_system(after, recorders.bench(), [SF], session=given)
    whole = recorders.RecordingEncoder()
    run_system(whole, recorders.bench(), [SF], session=session())
    assert after.batches == whole.batches[2:]
