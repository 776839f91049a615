"""How many problems each family writes, in which forms, and which families ask the queries.

Families that share first domain and technique make up a *cell*. Every cell writes as many documents
as a group of a pool holds, so that each query finds a full group of relatives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini.pools import GROUP_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from saber_mteb.construction.mini.family import Family

QUERIES_PER_DOMAIN = 10
# The documents of a family are numbered from 0, and it has one query at most.
_QUERY_SERIAL = -1


@dataclass(frozen=True, slots=True)
class Choice:
    """One problem to be written: a form of a family and a serial number within the family."""

    family: Family
    form: int
    serial: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written; no family asks two queries."""

    queries: tuple[Choice, ...]
    documents: tuple[Choice, ...]


def make_plan(families: Sequence[Family], rng: Random) -> Plan:
    """Choose the queries, ten of each first domain, and the forms of all documents.

    Raises:
        SaberError: If a domain has too few families that can ask a query.
    """
    queries = tuple(
        Choice(family, rng.randrange(len(family.forms)), _QUERY_SERIAL)
        for domain in Domain
        for family in _askers(families, domain, rng)
    )
    asked = {query.family.key: query.form for query in queries}
    sizes = _sizes(families)
    documents = tuple(
        Choice(family, form, serial)
        for family in families
        for serial, form in enumerate(
            _forms(len(family.forms), asked.get(family.key), sizes[family.key])
        )
    )
    return Plan(queries, documents)


def cell(family: Family) -> tuple[str, str]:
    """Return first domain and technique of a family."""
    return family.topic[0], family.technique


def _askers(families: Iterable[Family], domain: Domain, rng: Random) -> list[Family]:
    """Choose the families of a domain that ask, as many different cells as possible.

    A family can ask if its technique occurs in another domain too: without such relatives the
    pool has no summary-only candidates.
    """
    families = tuple(families)
    homes: dict[str, set[str]] = {}
    for family in families:
        homes.setdefault(family.technique, set()).add(family.topic[0])
    able = [f for f in families if f.topic[0] == domain.value and len(homes[f.technique]) > 1]
    if len(able) < QUERIES_PER_DOMAIN:
        raise SaberError(
            f"{len(able)} families of {domain.value} share their technique with another domain; "
            f"{QUERIES_PER_DOMAIN} are needed to ask the queries. Add families."
        )
    rng.shuffle(able)
    seen: Counter[str] = Counter()
    rounds: dict[str, int] = {}
    for family in able:
        rounds[family.key] = seen[family.technique]
        seen[family.technique] += 1
    able.sort(key=lambda family: rounds[family.key])
    return able[:QUERIES_PER_DOMAIN]


def _sizes(families: Iterable[Family]) -> dict[str, int]:
    """Share the documents of each cell evenly among its families."""
    members: dict[tuple[str, str], list[str]] = {}
    for family in families:
        members.setdefault(cell(family), []).append(family.key)
    return {
        key: GROUP_SIZE // len(keys) + (position < GROUP_SIZE % len(keys))
        for keys in members.values()
        for position, key in enumerate(keys)
    }


def _forms(n_forms: int, asked: int | None, size: int) -> list[int]:
    """Return the forms of a family's documents: the form of its query once, the others in turn.

    A document in the query's form differs from the query in numbers and story only; a pool full
    of such twins would measure string matching.
    """
    others = [form for form in range(n_forms) if form != asked]
    forms = [] if asked is None else [asked]
    forms += [others[position % len(others)] for position in range(size - len(forms))]
    return forms
