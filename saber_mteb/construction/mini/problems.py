"""Turning families into problems: which form, which story, which numbers."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.construction.mini.stories import STORIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from saber_mteb.construction.mini.family import Draft, Family, Story

_ATTEMPTS = 200


@dataclass(frozen=True, slots=True)
class WorkedProblem:
    """A draft and where it came from.

    Attributes:
        family: The family that wrote it.
        form: Which of the family's surface forms it has.
        story: What it is dressed in.
        key_idea: The sentence drawn for it.
        draft: The texts.
    """

    family: Family
    form: int
    story: Story
    key_idea: str
    draft: Draft


class ProblemWriter:
    """Writes problems whose statements all differ.

    Args:
        seed: Any text. Together with family and serial number it fixes a problem, so that adding a
            family changes no problem of another.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._statements: set[str] = set()

    def write(self, family: Family, serial: int) -> WorkedProblem:
        """Write the problem of a family with a serial number; forms take turns.

        Raises:
            SaberError: If the form yields no statement that is new.
        """
        form = serial % len(family.forms)
        for attempt in range(_ATTEMPTS):
            rng = Random(f"{self._seed}/{family.key}/{serial}/{attempt}")
            story = rng.choice(STORIES)
            key_idea = rng.choice(family.key_ideas)
            draft = family.forms[form](rng, story)
            if draft.statement not in self._statements:
                self._statements.add(draft.statement)
                return WorkedProblem(family, form, story, key_idea, draft)
        raise SaberError(
            f"Form {form} of family {family.key} gave no new statement in {_ATTEMPTS} attempts; "
            "widen the range of its parameters or ask for fewer problems."
        )


def quotas(families: Sequence[Family], total: int) -> Iterator[tuple[Family, int]]:
    """Share a number of problems among families as evenly as possible."""
    base, rest = divmod(total, len(families))
    for position, family in enumerate(families):
        yield family, base + (position < rest)
