"""All problem families, in a fixed order that the generated files depend on."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.construction.mini.family import Family

_MODULES = (
    "algebra_functions",
    "algebra_inequalities",
    "algebra_polynomials",
    "algebra_series",
    "calculus_extrema",
    "calculus_integrals",
    "calculus_processes",
    "calculus_reductions",
    "calculus_series",
    "calculus_squares",
    "combinatorics_paths",
    "combinatorics_processes",
    "combinatorics_recurrences",
    "combinatorics_selections",
    "combinatorics_structures",
    "combinatorics_totals",
    "combinatorics_words",
    "geometry_areas",
    "geometry_arrangements",
    "geometry_circles",
    "geometry_coordinates",
    "geometry_measure",
    "geometry_optima",
    "geometry_paths",
    "geometry_sides",
    "geometry_solids",
    "geometry_triangles",
    "number_theory_congruences",
    "number_theory_divisors",
    "number_theory_equations",
    "number_theory_sets",
    "number_theory_sums",
)


def all_families() -> tuple[Family, ...]:
    """Return every family of every module."""
    found: list[Family] = []
    for name in _MODULES:
        found += import_module(f"{__name__}.{name}").FAMILIES
    return tuple(found)
