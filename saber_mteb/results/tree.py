"""Where things lie in a results tree; the only place that turns names into folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.benchmark.settings import Setting


@dataclass(frozen=True, slots=True)
class ResultFolder:
    """The folder of one system, revision and recipe.

    MTEB's files lie in the folder itself; what is ours lies one level deeper, in
    ``saber/<task>/``, because MTEB's result cache reads every JSON of the folder and because
    several tasks share it.

    Attributes:
        root: The results tree.
        name: ``org/name``.
        revision: Commit of the weights, or the recipe hash of a system without weights.
        experiment: Slug of a recipe other than the default one, e.g. ``limit-20``.
    """

    root: Path
    name: str
    revision: str
    experiment: str | None = None

    @property
    def path(self) -> Path:
        """The folder, named as MTEB names it.

        >>> ResultFolder(Path("results"), "saber/bm25", "f00").path.as_posix()
        'results/saber__bm25/f00'
        >>> ResultFolder(Path("r"), "saber/bm25", "f00", "limit-5").path.as_posix()
        'r/saber__bm25/f00/experiments/limit-5'
        """
        folder = self.root / slug(self.name) / slug(self.revision)
        return folder / "experiments" / self.experiment if self.experiment else folder

    @property
    def model_meta(self) -> Path:
        """MTEB's description of the model."""
        return self.path / "model_meta.json"

    def task_result(self, task: str) -> Path:
        """MTEB's result of a task."""
        return self.path / f"{task}.json"

    def run(self, task: str, setting: Setting) -> Path:
        """The run file of a setting, from which every number can be recomputed."""
        return self.path / "saber" / task / "run" / f"{setting}.json.gz"

    def provenance(self, task: str) -> Path:
        """How the runs of a task were made."""
        return self.path / "saber" / task / "provenance.json"

    def latency(self, task: str, hardware: str) -> Path:
        """What was timed over a task on a kind of machine, named by its slug."""
        return self.path / "saber" / task / "latency" / f"{hardware}.json"


def slug(name: str) -> str:
    """Return a name as MTEB writes it into a path.

    >>> slug("Qwen/Qwen3-Embedding-0.6B")
    'Qwen__Qwen3-Embedding-0.6B'
    """
    return name.replace("/", "__").replace(" ", "_")
