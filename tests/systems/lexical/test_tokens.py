"""What a token is, as a table of cases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from saber_mteb.systems.lexical.tokens import Unreadable, math_aware, split_math
from saber_mteb.systems.structure.isolation import NativeWorker
from saber_mteb.systems.structure.library import find_pya0


@pytest.mark.parametrize(
    ("text", "formulas", "words"),
    [
        ("no math here", [], ["no", "math", "here"]),
        ("$x$", ["x"], []),
        ("$$x$$", ["x"], []),
        ("$$a$b$$", ["a$b"], []),
        (r"\(x\)\[Y\]", ["x", "Y"], []),
        ("Find $X^2$ Now", ["X^2"], ["find", "now"]),
        ("a$x$b", ["x"], ["a", "b"]),
        ("over\n$x\ny$ lines", ["x\ny"], ["over", "lines"]),
        ("$$", [""], []),
        ("$$$$", [""], []),
        ("price $5", [], ["price"]),
        ("12 a1 b_2 don't naïve", [], ["don", "t"]),
        (r"\begin{align}x\end{align}", [], ["begin", "align", "x", "end", "align"]),
        (r"\$5 and \$6", ["5 and \\"], []),
    ],
)
def test_formulas_and_words(text: str, formulas: list[str], words: list[str]) -> None:
    assert split_math(text) == (formulas, words)


def test_math_tokens_come_first_and_are_classes(pya0_library: Path) -> None:
    """Class numbers as pya0's own README shows them: LIM 269, VAR 260, ARROW 270, INFTY 261 …"""
    with math_aware(pya0_library) as tokenize:
        (tokens,) = tokenize([r"As $\lim_{n \to \infty}$ shows"])
    assert tokens == ["269", "274", "260", "270", "260", "as", "shows"]


def test_the_native_process_returns_what_the_library_returns(pya0_library: Path) -> None:
    """Against pya0 called directly, span by span, as its author's package exports it."""
    import pya0

    texts = [
        r"If $x_1+\sqrt{2}\ge\frac{a}{b}$ then \[\sum_{k=1}^n k = \binom{n+1}{2}\] holds",
        r"$\angle ABC = 60^\circ$ and \(\overline{AB} \parallel \vec{v}\) or $\mathbb{R}^n$",
        r"$$\begin{pmatrix}1&2\\3&4\end{pmatrix}$$ broken: $\frac{1}{$ and $}{\foo$",
        "no formula",
        "$α ≤ β$ $日本$ $\\text{if } x$",
    ]
    expected = []
    for text in texts:
        formulas, words = split_math(text)
        math = [str(token[0]) for formula in formulas for token in pya0.tokenize(formula)]
        expected.append([*math, *words])
    with math_aware(pya0_library) as tokenize:
        assert tokenize(texts) == expected
    assert all(re.fullmatch(r"\d+|[a-z]+", token) for tokens in expected for token in tokens)


def test_characters_that_c_strings_cannot_hold_cost_nothing(pya0_library: Path) -> None:
    with math_aware(pya0_library) as tokenize:
        nul, surrogate, plain = tokenize(["$x\x00y$ a\x00b", "$x\ud800$ c\udfff", "$x y$ a b"])
    assert nul == plain
    assert not isinstance(surrogate, Unreadable)
    assert surrogate[-1] == "c"


def test_an_unreadable_text_is_named(fake_library: Path) -> None:
    with math_aware(fake_library) as tokenize:
        good, bad, plain = tokenize(["$x y$ a", "$ABORT$ me", "words"])
    assert (good, plain) == (["1", "1", "a"], ["words"])
    assert isinstance(bad, Unreadable)
    assert "'$ABORT$ me'" in bad.reason
    assert "SIGABRT" in bad.reason
    assert re.match(r"text [0-9a-f]{12} ", bad.reason)


def test_texts_without_formulas_start_no_process(
    fake_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: NativeWorker) -> None:
        raise RuntimeError("started")

    monkeypatch.setattr(NativeWorker, "_started", refuse)
    with math_aware(fake_library) as tokenize:
        assert tokenize(["only words", ""]) == [["only", "words"], []]
        with pytest.raises(RuntimeError, match="started"):
            tokenize(["$x$"])


def test_the_library_is_not_imported_into_this_process(pya0_library: Path) -> None:
    """Looking for it must not run pya0's ``__init__``, which imports nltk and edits sys.path."""
    import subprocess
    import sys

    program = (
        "import sys; from saber_mteb.systems.lexical.tokens import *; "
        "source = token_source('bm25', TokenKind.MATH_AWARE, '0.3.7')\n"
        "with source() as tokenize: tokenize(['$x$'])\n"
        "print(sorted({'pya0', '_pya0', 'nltk'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    assert find_pya0("x", "0.3.7") == pya0_library
