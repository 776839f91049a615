"""The ontology of main ideas: what a solution turns on, whatever its topic or its story.

Every key is meant for several domains; a family names exactly one of them.
"""

from __future__ import annotations

from types import MappingProxyType

TECHNIQUES = MappingProxyType(
    {
        "telescoping": "Write each term as a difference of neighbours so that the sum or product "
        "collapses to its ends.",
        "symmetry-pairing": "Pair each object with its mirror image and use that every pair has "
        "the same total.",
        "mean-inequality": "Compare arithmetic and geometric means (or use Cauchy-Schwarz) and "
        "reach the case of equality.",
        "recurrence": "Relate a quantity of size n to smaller sizes and unwind the recurrence.",
        "symmetric-functions": "Work with the elementary symmetric functions of the roots "
        "instead of the roots (Vieta).",
        "modular-arithmetic": "Reduce everything modulo a fixed number and use the cycle of "
        "residues.",
        "factorisation": "Turn a sum into a product and distribute the factors of the other side.",
        "inclusion-exclusion": "Add single conditions, subtract pairs, add triples: correct the "
        "count of overlapping conditions.",
        "complementary-counting": "Count or measure what is not wanted and subtract it from the "
        "whole.",
        "double-counting": "Compute the same total in two orders: rows first or columns first, "
        "swapping sums or integrals.",
        "bijection": "Translate the objects one to one into objects that are easier to count or "
        "measure, such as placing bars among stars.",
        "substitution": "Change the variable so that the structure becomes a familiar one.",
        "completing-square": "Rewrite a quadratic expression as a sum of squares plus a constant.",
        "coordinates": "Introduce coordinates and turn the question into algebra of points and "
        "lines.",
        "extremal-principle": "Bound what is possible, then show that a largest or smallest case "
        "attains the bound.",
        "pigeonhole": "Distribute objects into fewer classes so that some class holds two of them.",
        "invariant": "Find a quantity that no allowed step changes, or whose parity never does.",
        "generating-function": "Encode the choices as coefficients of a polynomial or power "
        "series and read off the wanted one, or filter by roots of unity.",
        "derivative-optimisation": "Express the quantity as a function of one variable and find "
        "where its derivative vanishes.",
        "decomposition": "Cut the figure, region or set into pieces of known measure and add "
        "them up.",
        "scaling": "Compare a figure, sum or integral with a scaled copy of itself (similarity, "
        "self-similarity) and solve for it.",
    }
)
