"""Scores that survive: finished answers by query, finished batches by plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from saber_mteb.running.stores.database import Owner, Record
from saber_mteb.running.stores.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ANSWERS = "answers"
BATCHES = "batches"


@dataclass(frozen=True, slots=True)
class Scope:
    """What answers belong to; anything that changes a score changes one of these.

    Attributes:
        benchmark: Content hash of the benchmark.
        recipe: Identifies everything about the system that decides a score.
        setting: The setting the pools are shown in.
    """

    benchmark: str
    recipe: str
    setting: str


class ScoreStore(Store):
    """Scores on disk, float32 as computed; shared by runs and processes."""

    file_name: ClassVar[str] = "scores.sqlite"

    def answers(self, scope: Scope) -> dict[int, NDArray[np.float32]]:
        """Return the finished answers by query row; damaged ones are dropped and logged."""
        return self._arrays(_answers_of(scope))

    def append_answers(self, scope: Scope, answers: Mapping[int, NDArray[np.float32]]) -> None:
        """Keep answers in one transaction; a row that is already there keeps its first answer.

        Raises:
            SaberError: If the file cannot be written; then none of them is there.
        """
        self._append(_answers_of(scope), answers)

    def batches(self, plan: bytes) -> dict[int, NDArray[np.float32]]:
        """Return the scores of a plan's finished batches by their index in the plan."""
        return self._arrays(_batches_of(plan))

    def append_batch(self, plan: bytes, index: int, scores: NDArray[np.float32]) -> None:
        """Keep the scores of a batch.

        Args:
            plan: Identifies the system and which pairs are in which batch, see `digest`.
            index: The batch's place in the plan.
            scores: One per pair.

        Raises:
            SaberError: If the file cannot be written.
        """
        self._append(_batches_of(plan), {index: scores})

    def _arrays(self, owner: Owner) -> dict[int, NDArray[np.float32]]:
        import numpy as np

        records: Iterator[Record[int]] = self._database.read(owner)
        return {record.key: np.frombuffer(record.value, dtype="<f4") for record in records}

    def _append(self, owner: Owner, arrays: Mapping[int, NDArray[np.float32]]) -> None:
        import numpy as np

        records = (
            Record(int(key), np.asarray(array, dtype="<f4").tobytes())
            for key, array in arrays.items()
        )
        self._database.append(owner, records)


def _answers_of(scope: Scope) -> Owner:
    return Owner(ANSWERS, scope.recipe, f"{scope.benchmark} {scope.setting}")


def _batches_of(plan: bytes) -> Owner:
    return Owner(BATCHES, "", plan.hex())
