"""Against the loopback hub: the stand-in passes, and each corruption flips exactly its check."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saber_mteb._errors import SaberError, UsageError
from saber_mteb.benchmark import load_benchmark
from saber_mteb.running.verification import Check, Verdict, load_expectations, verify

QUERIES, DOCUMENTS = "sabermath/SaberMath-queries", "sabermath/SaberMath-documents"
SHARD = "data/train-00000-of-00001.parquet"

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture
def publish(
    hub: Any,
    stand_in: Any,
    write_facts: Callable[[Any], Path],
    parquet_bytes: Callable[[dict[str, list[Any]]], bytes],
) -> Callable[[Path], None]:
    """Put the stand-in's tables on the hub."""

    def put() -> None:
        hub.put(QUERIES, {SHARD: parquet_bytes(stand_in.queries)})
        hub.put(DOCUMENTS, {SHARD: parquet_bytes(stand_in.documents)})

    return put


def run(facts: Path, *keys: str) -> dict[str, Check]:
    load = functools.partial(load_benchmark, "saber-math")
    checks = list(verify(load, load_expectations(facts), keys))
    assert len({check.name for check in checks}) == len(checks), "names must be unique"
    return {check.name: check for check in checks}


def test_the_stand_in_passes(
    hub: Any, stand_in: Any, publish: Any, write_facts: Callable[[Any], Path]
) -> None:
    publish()
    checks = run(write_facts(stand_in))
    verdicts = {name: check.verdict for name, check in checks.items()}
    unknown = [name for name, verdict in verdicts.items() if verdict is not Verdict.OK]
    assert unknown == [f"bm25-no-tok {s}" for s in stand_in.printed], checks
    # 1 tables, 3 sizes, 5 + 1 domains, 3 pools, 4 texts; by setting 6 printed and 1 means;
    # stored queries in 2 settings; 3 unknown.
    assert len(checks) == 17 + 3 * 7 + 2 + 3
    assert checks["documents"].expected == "61"
    assert hub.commit(QUERIES) in checks["tables"].note
    assert checks["bm25-no-tok full-full"].expected == "not published"


def missing_document(s: Any) -> None:
    for column in s.documents.values():
        column.pop()
    s.queries["candidates"][12] = [0 if n == 60 else n for n in s.queries["candidates"][12]]


def unused_document(s: Any) -> None:
    s.queries["candidates"][12] = [0 if n == 60 else n for n in s.queries["candidates"][12]]


def moved_block(s: Any) -> None:
    for column in s.queries.values():
        column[10:12], column[16:18] = column[16:18], column[10:12]


def grade_0_missing(s: Any) -> None:
    """Raise the worst grade of a candidate that no setting ranks near the first ten."""
    for row in range(6, 30):
        pool, grades = s.queries["candidates"][row], s.queries["relevance_scores"][row]
        position = grades.index(0.0)
        if all(_better(s, row, pool[position], setting) >= 10 for setting in s.printed):
            grades[position] = 0.05
            return
    raise LookupError("no such row")


def _better(s: Any, row: int, document: int, setting: str) -> int:
    mine = s.similarity(row, document, setting)
    pool = s.queries["candidates"][row]
    return sum(s.similarity(row, other, setting) > mine for other in pool)


def own_candidate(s: Any) -> None:
    s.documents["problem"][20] = s.queries["problem"][9]


def copy_elsewhere(s: Any) -> None:
    s.documents["problem"][40] += " "


def longer_document(s: Any) -> None:
    longest = max(
        range(61), key=lambda n: len(s.documents["problem"][n]) + len(s.documents["solution"][n])
    )
    s.documents["solution"][longest] += " " * 40


def known_query_gone(s: Any) -> None:
    s.queries["problem"][7] += " "


def wrong_first_value(s: Any) -> None:
    s.golden["per_query_first5"]["statement-full"][3] += 0.3


def wrong_stored_mean(s: Any) -> None:
    s.golden["aggregate"]["full-full"]["Geometry"] += 0.3


def wrong_printed_score(s: Any) -> None:
    s.printed["statement-statement"]["overall"] += 0.3


def wrong_printed_domain(s: Any) -> None:
    s.printed["full-full"]["Combinatorics"] -= 0.3


# Corruptions of the tables are made before they are published; the facts stay those of the intact
# stand-in, so each must be noticed by one check and by no other.
CORRUPTIONS: dict[str, tuple[Callable[[Any], None], str]] = {
    "missing document": (missing_document, "documents"),
    "unused document": (unused_document, "documents in no pool"),
    "moved block": (moved_block, "domains by row"),
    "grade 0 missing": (grade_0_missing, "worst grade"),
    "own candidate": (own_candidate, "queries in their own pool"),
    "copy elsewhere": (copy_elsewhere, "query problems among all documents"),
    "longer document": (longer_document, "longest document"),
    "known query gone": (known_query_gone, "query '{known}'"),
    "first value": (wrong_first_value, "jaccard-no-tok statement-full, stored queries"),
    "stored mean": (wrong_stored_mean, "jaccard-no-tok full-full, stored means"),
    "printed score": (wrong_printed_score, "jaccard-no-tok statement-statement"),
    "printed domain": (wrong_printed_domain, "jaccard-no-tok full-full: Combinatorics"),
}


@pytest.mark.parametrize("case", CORRUPTIONS)
def test_one_corruption_flips_one_check(
    stand_in: Any, publish: Any, write_facts: Callable[[Any], Path], case: str
) -> None:
    corrupt, name = CORRUPTIONS[case]
    name = name.format(known=stand_in.queries["problem"][7])
    facts = write_facts(stand_in)
    corrupt(stand_in)
    if case in {"first value", "stored mean", "printed score", "printed domain"}:
        facts = write_facts(stand_in)
    publish()
    checks = run(facts)
    differing = [check.name for check in checks.values() if check.verdict is Verdict.DIFFERS]
    assert differing == [name], [checks[found] for found in differing]


def test_ties_allow_what_another_sort_gives(
    stand_in: Any, publish: Any, write_facts: Callable[[Any], Path]
) -> None:
    """Python's sort breaks ties by position, numpy's as the machine likes, we average over them."""
    publish()
    name, setting = "jaccard-no-tok statement-statement, stored", "statement-statement"
    means = run(write_facts(stand_in), "jaccard-no-tok")[f"{name} means"]
    assert means.verdict is Verdict.OK
    assert means.found != means.expected
    assert means.note.startswith("order of ties ±")

    values = [stand_in.ndcg(row, setting, numpy_order) for row in range(30)]
    stand_in.golden["aggregate"][setting]["overall"] = sum(values) / 30
    stand_in.golden["per_query_first5"][setting] = values[:5]
    checks = run(write_facts(stand_in), "jaccard-no-tok")
    assert checks[f"{name} means"].note == "equal with numpy's order of ties"
    note = checks[f"{name} queries"].note
    assert note == "ties matter in 5; numpy's order of them gives the stored value in 5"


def numpy_order(scores: list[float]) -> list[int]:
    order: list[int] = np.argsort(-np.array(scores)).tolist()
    return order


def test_a_fault_of_the_tables_is_a_check(
    stand_in: Any, publish: Any, write_facts: Callable[[Any], Path]
) -> None:
    stand_in.queries["candidates"][3][0] = 61
    publish()
    checks = run(write_facts(stand_in))
    assert [check.verdict for check in checks.values()] == [Verdict.DIFFERS, Verdict.SKIPPED]
    assert "row 3: candidate 61" in checks["tables"].found


def test_no_hub_is_no_verdict(stand_in: Any, write_facts: Callable[[Any], Path]) -> None:
    with pytest.raises(SaberError, match="answered 404"):
        run(write_facts(stand_in))


def test_an_unknown_key_is_told_before_anything_is_loaded(
    hub: Any, stand_in: Any, write_facts: Callable[[Any], Path]
) -> None:
    expectations = load_expectations(write_facts(stand_in))
    with pytest.raises(UsageError, match=r"'bm52'\. Did you mean 'bm25'"):
        verify(lambda: load_benchmark("saber-math"), expectations, ["bm52"])
    assert hub.requests == []


def test_a_system_that_cannot_run_is_skipped(
    stand_in: Any,
    publish: Any,
    write_facts: Callable[[Any], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(card: object) -> None:
        raise SaberError("pya0 is not installed")

    monkeypatch.setattr("saber_mteb.running.verification.verifying.build_system", refuse)
    publish()
    checks = run(write_facts(stand_in), "jaccard")
    assert checks["jaccard"].verdict is Verdict.SKIPPED
    assert checks["jaccard"].note == "pya0 is not installed"
