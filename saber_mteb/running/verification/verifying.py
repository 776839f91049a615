"""The whole verification, one check after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.settings import Setting
from saber_mteb.running.engine import run_system
from saber_mteb.running.reporting import Silent
from saber_mteb.running.session import Session
from saber_mteb.running.verification.checks import Check, Verdict
from saber_mteb.running.verification.data_checks import check_data
from saber_mteb.running.verification.score_checks import check_golden, check_published
from saber_mteb.systems.registry import build_system, find_card

if TYPE_CHECKING:
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.running.reporting import Reporter
    from saber_mteb.running.verification.expectations import Expectations

# Systems whose scores depend on no weights and no hardware.
EXACT_CATEGORY = "CLASSICAL"


def verify(
    load: Callable[[], Benchmark],
    expectations: Expectations,
    keys: Sequence[str] = (),
    *,
    reporter: Reporter | None = None,
) -> Iterator[Check]:
    """Check the data, run systems in all three settings, and compare their scores.

    Checks come as they are known: those of the data at once, those of a system when it has run.

    Args:
        load: Returns the benchmark. A fault of its tables is a check that differs; that the hub
            cannot be reached is raised, since nothing was looked at.
        expectations: What to compare with.
        keys: Systems to run instead of the expected ones.
        reporter: Where progress goes.

    Raises:
        UsageError: If there is no system of such a key, before anything is loaded.
        SaberError: If the data cannot be fetched.
    """
    for key in keys:
        find_card(key)
    return _checks(load, expectations, tuple(keys) or expectations.scores.systems, reporter)


def _checks(
    load: Callable[[], Benchmark],
    expectations: Expectations,
    keys: Sequence[str],
    reporter: Reporter | None,
) -> Iterator[Check]:
    from saber_mteb.benchmark.hub.failures import HubError

    expected = "readable, without fault"
    try:
        benchmark = load()
    except HubError:
        raise
    except SaberError as error:
        yield Check("tables", expected, str(error), Verdict.DIFFERS)
        yield Check("everything else", "", "", Verdict.SKIPPED, "there is nothing to look at")
        return
    yield Check("tables", expected, expected, Verdict.OK, f"revision {benchmark.revision}")
    yield from check_data(benchmark, expectations.data)
    for key in keys:
        yield from _check_system(key, benchmark, expectations, reporter)


def _check_system(
    key: str, benchmark: Benchmark, expectations: Expectations, reporter: Reporter | None
) -> Iterator[Check]:
    try:
        card = find_card(key)
        session = Session(reporter=reporter or Silent())
        runs = run_system(build_system(card), benchmark, tuple(Setting), session=session)
    except SaberError as error:
        yield Check(key, "a run", "none", Verdict.SKIPPED, str(error))
        return
    published = {row.setting: row for row in expectations.published if row.key == card.key}
    golden = expectations.golden
    for setting, run in runs.items():
        row = published.get(setting)
        exact = row is None or row.category == EXACT_CATEGORY
        tolerance = 0.0 if exact else expectations.scores.model_tolerance
        note = expectations.scores.notes.get(f"{card.key} {setting}", "")
        yield from check_published(card.key, run, benchmark, row, tolerance, note)
        if golden.key == card.key:
            tolerance = expectations.scores.golden_tolerance
            yield from check_golden(run, benchmark, golden, tolerance)
