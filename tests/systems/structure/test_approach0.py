"""Approach Zero on real mathematics."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from saber_mteb.benchmark import Pool
from saber_mteb.systems.registry import build_system, find_card
from saber_mteb.systems.structure import approach0, worker
from saber_mteb.systems.structure.approach0 import (
    ApproachZero,
    document_content,
    query_keywords,
)

MakePool = Callable[..., Pool]


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("words only", [("term", "words only")]),
        ("$x$", [("tex", "x")]),
        (
            r"Let \( x \) be \[y\].",
            [("term", "Let"), ("tex", "x"), ("term", "be"), ("tex", "y"), ("term", ".")],
        ),
        ("$$a$$ $b$", [("tex", "a"), ("tex", "b")]),
        (r"\begin{align*}x&=1\end{align*}", [("tex", "x&=1")]),
        (r"\begin{equation}x\end{equation} ok", [("tex", "x"), ("term", "ok")]),
        (r"\begin{gather}x\end{gather}", [("term", r"\begin{gather}x\end{gather}")]),
        ("$ $ gap", [("term", "gap")]),
        ("", []),
        (" \n", []),
        ("$x\x00y$ \ud800", [("tex", "x y"), ("term", "?")]),
    ],
)
def test_keywords(text: str, keywords: list[tuple[str, str]]) -> None:
    found = [(keyword["type"], keyword["str"]) for keyword in query_keywords(text)]
    assert found == keywords


def test_documents_carry_their_formulas_in_tags() -> None:
    content = document_content("Problem: $x^2$\n\nSolution: \\[y\\] done")
    assert content == "Problem: [imath]x^2[/imath] Solution: [imath]y[/imath] done"


@pytest.fixture
def system(pya0_library: Path) -> ApproachZero:
    return build_system(find_card("approach0"))


def scores(system: ApproachZero, pool: Pool) -> np.ndarray:
    (answer,) = system.score([pool])
    assert answer.failure is None
    assert answer.scores is not None
    return answer.scores


def test_equal_structure_beats_equal_words(system: ApproachZero, make_pool: MakePool) -> None:
    pool = make_pool(
        r"Determine all integers satisfying $x^2 + y^2 = z^2$",
        r"Determine all integers satisfying $\sin t$",
        r"Right triangles: $p^2 + q^2 = r^2$",
        r"An apple a day",
    )
    equal_words, equal_structure, nothing = scores(system, pool)
    assert equal_structure > equal_words > nothing == 0.0


def test_a_document_that_is_no_hit_scores_zero(system: ApproachZero, make_pool: MakePool) -> None:
    found = scores(system, make_pool(r"$\int_0^1 e^x dx$", "apples", r"$\int_0^2 e^t dt$", ""))
    assert found[[0, 2]].tolist() == [0.0, 0.0]
    assert found[1] > 0


def test_a_query_without_formulas_is_searched_by_words(
    system: ApproachZero, make_pool: MakePool
) -> None:
    found = scores(system, make_pool("pigeonhole principle", "the pigeonhole", "a circle", "$x$"))
    assert found[0] > 0
    assert found[1:].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("query", ["", "   ", "zzzz qqqq"])
def test_a_query_that_finds_nothing_is_no_failure(
    system: ApproachZero, make_pool: MakePool, query: str
) -> None:
    assert scores(system, make_pool(query, "a circle", "$x$")).tolist() == [0.0, 0.0]


def test_a_query_that_crashes_the_engine_fails_alone(
    system: ApproachZero, make_pool: MakePool
) -> None:
    deadly = " ".join(f"$x^{{{n}}}+y$" for n in range(300))
    fine = make_pool("$a^2$", "$b^2$", "words")
    first, crashed, last = system.score([fine, make_pool(deadly, "$b^2$", "words"), fine])
    assert crashed.scores is None
    assert "SIGSEGV" in (crashed.failure or "")
    assert "x^{0}+y" in (crashed.failure or "")
    np.testing.assert_array_equal(first.scores, last.scores)
    assert first.scores[0] > 0


def test_scores_do_not_depend_on_what_was_searched_before(
    system: ApproachZero, make_pool: MakePool
) -> None:
    pools = [
        make_pool(
            f"Find $x^{n}+{n}$ for every integer", *(f"$y^{m}+{m}$ integer" for m in range(9))
        )
        for n in range(3)
    ]
    together = [answer.scores for answer in system.score(pools)]
    np.testing.assert_array_equal(together, [scores(system, pool) for pool in pools])


@pytest.mark.parametrize("code", [5, 6])
def test_a_query_that_the_engine_refuses_is_not_one_without_hits(code: int) -> None:
    reply = f'{{"ret_code": {code}, "ret_str": "Too many keywords in query", "tot_pages": 0}}'
    library = SimpleNamespace(
        index_open=lambda folder, option: None,
        index_close=lambda index: None,
        search=lambda index, query, topk: reply,
    )
    with pytest.raises(RuntimeError, match="Too many keywords"):
        worker._scores(library, "folder", [], 3)


def test_order_of_documents_is_kept(system: ApproachZero, make_pool: MakePool) -> None:
    """Scores follow the documents, not the hits: reversing the pool reverses the scores."""
    documents = [f"$x^{n}+{n}y$ and {'word ' * n}" for n in range(1, 12)]
    forward = scores(system, make_pool("$x^3+3y$ word", *documents))
    backward = scores(system, make_pool("$x^3+3y$ word", *reversed(documents)))
    assert len(set(forward.tolist())) > 3
    np.testing.assert_allclose(forward, backward[::-1])


def test_every_document_can_be_a_hit(system: ApproachZero, make_pool: MakePool) -> None:
    """topk is the pool: 150 hits are 150 positive scores."""
    documents = [f"integer number {n} with $x^2+{n}$" for n in range(150)]
    assert (scores(system, make_pool("integer $x^2$", *documents)) > 0).all()


def test_nothing_is_left_behind(
    pya0_library: Path, make_pool: MakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the index of a search that worked nor that of one that crashed."""
    monkeypatch.setattr(approach0, "_index_parent", lambda: None)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    deadly = " ".join(f"$x^{{{n}}}+y$" for n in range(300))
    pools = [make_pool("$a$", "$a$"), make_pool(deadly, "$a$"), make_pool("$a$", "$a$")]
    answers = list(ApproachZero(pya0_library).score(pools))
    assert [answer.failure is None for answer in answers] == [True, False, True]
    assert list(tmp_path.iterdir()) == []


def test_without_room_in_memory_the_index_goes_to_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path) -> object:
        return type("Usage", (), {"free": 64 << 20})  # what containers get by default

    monkeypatch.setattr(approach0.shutil, "disk_usage", full)
    assert approach0._index_parent() is None

    def absent(_: Path) -> object:
        raise FileNotFoundError

    monkeypatch.setattr(approach0.shutil, "disk_usage", absent)
    assert approach0._index_parent() is None
