"""What a problem family of the mini benchmark is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.benchmark.domains import Domain


@dataclass(frozen=True, slots=True)
class Story:
    """The surface a problem is dressed in; chosen independently of its mathematics.

    Attributes:
        key: Stable name.
        hero: Given name of the person who acts, e.g. ``Mira``.
        rival: Given name of a second person.
        place: Noun phrase with article, e.g. ``the town library``.
        thing: Countable noun, singular, e.g. ``book``.
        things: The same, plural.
        openings: Sentences that can stand before any problem, already complete.
    """

    key: str
    hero: str
    rival: str
    place: str
    thing: str
    things: str
    openings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """One worked problem.

    Attributes:
        statement: LaTeX text with ``$...$`` mathematics.
        solution: Complete worked solution in LaTeX that ends in the answer.
        answer: The answer as LaTeX, exactly as it appears in the solution (without dollars).
        value: The answer as an exact expression that sympy parses, e.g. ``"3*sqrt(2)/4"``.
        parameters: What was drawn, enough for a test to compute the answer by other means.
    """

    statement: str
    solution: str
    answer: str
    value: str
    parameters: dict[str, int]


Form = Callable[[Random, Story], Draft]


@dataclass(frozen=True, slots=True)
class Family:
    """Problems that share topic and technique.

    Attributes:
        key: Stable name, unique over all families.
        domains: One label, or two for mathematics on a border.
        topic: Path from the domain down, two or three steps below it.
        technique: Key of the main idea (see ``techniques.py``), shared across topics and domains.
        moves: Steps of the solution, most important first, as short stable names; families that
            use the same step share the name.
        key_ideas: One-sentence summaries of the solution's core idea (20 to 30 words, no
            numbers), equivalent in meaning; one is drawn for each problem.
        forms: Surface forms of the problem: different wordings or dual questions, same idea.
    """

    key: str
    domains: tuple[Domain, ...]
    topic: tuple[str, ...]
    technique: str
    moves: tuple[str, ...]
    key_ideas: tuple[str, ...]
    forms: tuple[Form, ...]
