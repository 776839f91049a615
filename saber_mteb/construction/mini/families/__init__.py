"""All problem families, in a fixed order that the generated files depend on."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from saber_mteb.construction.mini.family import Family

_MODULES = (
    "algebra_series",
    "algebra_polynomials",
    "algebra_inequalities",
    "algebra_functions",
    "number_theory_equations",
    "number_theory_divisors",
    "number_theory_congruences",
    "number_theory_sums",
    "number_theory_sets",
)


def all_families() -> tuple[Family, ...]:
    """Return every family of every module."""
    found: list[Family] = []
    for name in _MODULES:
        found += import_module(f"{__name__}.{name}").FAMILIES
    return tuple(found)
