"""What is expected, read from a file so that a stand-in can be checked in the same way."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.results.published import GoldenValues, PublishedRow, load_golden, load_published


class Block(BaseModel):
    """Consecutive query rows (first, last) that carry the same labels."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rows: tuple[int, int]
    domains: frozenset[Domain] = Field(min_length=1)
    inferred: bool = False

    @model_validator(mode="after")
    def _in_order(self) -> Block:
        if not 0 <= self.rows[0] <= self.rows[1]:
            raise ValueError(f"rows {list(self.rows)} are not a range")
        return self


class DataFacts(BaseModel):
    """Facts about the tables; a fact that is left out is not checked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    queries: int | None = None
    documents: int | None = None
    pool_size: int | None = None
    unused_documents: int | None = None
    problems_among_documents: int | None = None
    own_candidates: int | None = None
    best_grade: float | None = None
    worst_grade: float | None = None
    longest_document: int | None = None
    known_queries: tuple[str, ...] = ()
    domain_counts: Mapping[Domain, int] = {}
    blocks: tuple[Block, ...] = ()


class ScoreFacts(BaseModel):
    """Which systems are run by default and how closely their scores must agree.

    ``results_file`` and ``golden_file`` are relative to the file of expectations; without them
    the figures that the package carries are meant.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    systems: tuple[str, ...] = ()
    golden_tolerance: float = 1e-9
    model_tolerance: float = 0.002
    notes: Mapping[str, str] = {}
    results_file: Path | None = None
    golden_file: Path | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    data: DataFacts = DataFacts()
    scores: ScoreFacts = ScoreFacts()


class Expectations(BaseModel):
    """Everything that a verification compares with."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    data: DataFacts
    scores: ScoreFacts
    published: tuple[PublishedRow, ...]
    golden: GoldenValues


def load_expectations(path: Path | None = None) -> Expectations:
    """Read the expectations of a file, those of SABER-Math by default.

    Raises:
        SaberError: If it, or a file it names, cannot be read.
    """
    path = path or Path(__file__).with_name("expected.toml")
    try:
        content = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SaberError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
        raise SaberError(f"{path}: not a valid file of expectations: {error}") from error
    scores, folder = content.scores, path.parent
    return Expectations(
        data=content.data,
        scores=scores,
        published=load_published(scores.results_file and folder / scores.results_file),
        golden=load_golden(scores.golden_file and folder / scores.golden_file),
    )
