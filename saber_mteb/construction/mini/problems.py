"""Turning families into problems: which form, which story, which numbers."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.construction.mini.stories import STORIES

if TYPE_CHECKING:
    from saber_mteb.construction.mini.family import Draft, Family, Story
    from saber_mteb.construction.mini.plan import Choice

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
        seed: Any text. Together with family, form and serial number it fixes a problem, so that
            adding a family changes no problem of another.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._statements: set[str] = set()

    def write(self, choice: Choice) -> WorkedProblem:
        """Write one problem.

        Raises:
            SaberError: If the form yields no statement that is new.
        """
        family, form = choice.family, choice.form
        for attempt in range(_ATTEMPTS):
            rng = Random(f"{self._seed}/{family.key}/{form}/{choice.serial}/{attempt}")
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
