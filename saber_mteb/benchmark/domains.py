"""The five mathematical domains a query can carry."""

from __future__ import annotations

from enum import StrEnum


class Domain(StrEnum):
    """A domain label, spelled as in the data set (order: as in the published tables)."""

    ALGEBRA = "Algebra"
    GEOMETRY = "Geometry"
    NUMBER_THEORY = "Number Theory"
    COMBINATORICS = "Combinatorics"
    CALCULUS = "Calculus and Analysis"

    @property
    def slug(self) -> str:
        """The label as it appears inside metric names.

        >>> Domain.CALCULUS.slug
        'calculus_and_analysis'
        """
        return self.value.lower().replace(" ", "_")
