"""Real competition problems (OlympiadBench, not part of this repository) through native code."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from saber_mteb.benchmark import Pool, Setting
from saber_mteb.systems.lexical.tokens import math_aware, split_math
from saber_mteb.systems.registry import build_system, find_card

FILE = "corpora/olympiadbench-text/evaluation/data/olympiadbench/test.jsonl"


@pytest.fixture(scope="module")
def texts() -> list[str]:
    folder = os.environ.get("SABER_MTEB_TEST_DATA")
    if not folder or not (Path(folder) / FILE).exists():
        pytest.skip(f"set SABER_MTEB_TEST_DATA to a folder that holds {FILE}")
    rows = map(json.loads, (Path(folder) / FILE).read_text(encoding="utf-8").splitlines())
    return [f"Problem: {row['question']}\n\nSolution: {row['solution'][0]}" for row in rows]


def test_tokens_are_those_of_the_library(texts: list[str], pya0_library: Path) -> None:
    import pya0

    with math_aware(pya0_library) as tokenize:
        found = tokenize(texts)
    assert len(found) > 600
    for text, tokens in zip(texts, found, strict=True):
        formulas, words = split_math(text)
        math = [str(token[0]) for formula in formulas for token in pya0.tokenize(formula)]
        assert tokens == math + words


@pytest.mark.usefixtures("pya0_library")
def test_long_real_queries_crash_approach_zero_and_short_ones_do_not(texts: list[str]) -> None:
    """The published full-full row lacks 29 queries for this reason; length is what does it."""
    ids = tuple(str(row) for row in range(10))
    by_length = sorted(texts, key=len)
    pools = [
        Pool(Setting.FULL_FULL, str(row), query, ids, tuple(texts[100:110]))
        for row, query in enumerate((by_length[0], by_length[-1], by_length[20]))
    ]
    short, longest, other = build_system(find_card("approach0")).score(pools)
    assert longest.scores is None
    assert "SIGSEGV" in (longest.failure or "")
    for answer in (short, other):
        assert answer.scores is not None
        assert answer.scores.max() > 0
