"""Full-precision values of one system without a model, the sharpest check there is.

``golden_jaccard_no_tok.json`` holds what the authors' repository stores for Jaccard over
whitespace tokens (file and commit in its ``source``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.settings import Setting

_FIRST = "per_query_first"


@dataclass(frozen=True, slots=True)
class GoldenValues:
    """nDCG@10 of one system as stored by the authors.

    Attributes:
        key: Key of the system.
        overall: Mean over all queries, by setting.
        domains: Mean over the queries of a domain, by setting.
        first_queries: Values of the query rows 0, 1, 2, …, by setting, for some settings.
        source: File and commit.
    """

    key: str
    overall: Mapping[Setting, float]
    domains: Mapping[Setting, Mapping[Domain, float]]
    first_queries: Mapping[Setting, tuple[float, ...]]
    source: str


def load_golden(path: Path | None = None) -> GoldenValues:
    """Return the golden values, or those of a file of the same form.

    Raises:
        SaberError: If the file cannot be read as such.
    """
    path = path or Path(__file__).with_name("golden_jaccard_no_tok.json")
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        means = {Setting(name): values for name, values in document["aggregate"].items()}
        [first] = [document[name] for name in document if name.startswith(_FIRST)]
        return GoldenValues(
            key=document["model"],
            overall={setting: float(values["overall"]) for setting, values in means.items()},
            domains={
                setting: {domain: float(values[domain]) for domain in Domain if domain in values}
                for setting, values in means.items()
            },
            first_queries={
                Setting(name): tuple(map(float, values)) for name, values in first.items()
            },
            source=document["source"],
        )
    except (OSError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise SaberError(
            f"{path}: cannot be read as golden values ({error!r}); "
            "expected 'model', 'source', 'aggregate' and 'per_query_first…' by setting."
        ) from error
