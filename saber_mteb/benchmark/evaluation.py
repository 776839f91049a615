"""What a run is worth: the metric over all queries and over each domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.metric import Gain, ndcg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.runs import Run

MAIN_SCORE = "ndcg_exp_at_10"


@dataclass(frozen=True)
class DomainScore:
    """Mean nDCG@10 over the scored queries that carry a label, and how many those are."""

    ndcg: float
    n_queries: int


@dataclass(frozen=True)
class Evaluation:
    """The numbers of one run.

    Attributes:
        overall: Mean nDCG@10, exponential gain, over scored queries (not over domains).
        overall_linear: The same with linear gain.
        domains: By label; a query with two labels counts in both. Labels without queries lack.
        n_queries: Queries that were asked.
        n_scored: Queries that have a score; fewer than asked means the setting is *partial*.
        tied_share: Share of scored queries with a tie across rank 10.
        rows: Query rows, shape ``(n_queries,)``.
        values: nDCG@10 by query, shape ``(n_queries,)``, NaN where it failed.
    """

    overall: float
    overall_linear: float
    domains: Mapping[Domain, DomainScore]
    n_queries: int
    n_scored: int
    tied_share: float
    rows: NDArray[np.int64]
    values: NDArray[np.float64]

    @property
    def partial(self) -> bool:
        """True if any query has no score."""
        return self.n_scored < self.n_queries

    def as_metrics(self) -> dict[str, float]:
        """Return the flat names and values that result files carry, full precision."""
        metrics: dict[str, float] = {
            MAIN_SCORE: self.overall,
            "ndcg_linear_at_10": self.overall_linear,
        }
        for domain, score in self.domains.items():
            metrics[f"{MAIN_SCORE}_{domain.slug}"] = score.ndcg
            metrics[f"n_queries_{domain.slug}"] = score.n_queries
        metrics["n_queries"] = self.n_queries
        metrics["n_scored"] = self.n_scored
        metrics["tied_cutoff_share"] = self.tied_share
        return metrics


def evaluate(run: Run, benchmark: Benchmark) -> Evaluation:
    """Compute every number of a run.

    Raises:
        SaberError: If no query of the run has a score.
    """
    import numpy as np

    grades = benchmark.grades[run.rows]
    result = ndcg(run.scores, grades)
    scored = ~np.isnan(result.values)
    if not scored.any():
        reason = next(iter(run.failures.values()), "its scores are not finite numbers")
        raise SaberError(
            f"No query of {run.setting} has a score, so there is nothing to average; "
            f"the first failure: {reason}"
        )
    linear = ndcg(run.scores[scored], grades[scored], gain=Gain.LINEAR)
    return Evaluation(
        overall=float(result.values[scored].mean()),
        overall_linear=float(linear.values.mean()),
        domains=domain_scores(run, benchmark, result.values),
        n_queries=len(run.rows),
        n_scored=int(scored.sum()),
        tied_share=float(result.tied_cutoff[scored].mean()),
        rows=run.rows,
        values=result.values,
    )


def random_expectation(benchmark: Benchmark) -> float:
    """Return the mean nDCG@10 that a random order of each pool can expect; no system needed."""
    import numpy as np

    return float(ndcg(np.zeros_like(benchmark.grades), benchmark.grades).values.mean())


def domain_scores(
    run: Run, benchmark: Benchmark, values: NDArray[np.float64]
) -> dict[Domain, DomainScore]:
    """Average per-query values over the queries of each domain, failed ones left out."""
    import numpy as np

    scores = {}
    for domain in Domain:
        carries = np.array([domain in benchmark.queries[row].domains for row in run.rows.tolist()])
        chosen = values[carries & ~np.isnan(values)]
        if len(chosen):
            scores[domain] = DomainScore(ndcg=float(chosen.mean()), n_queries=len(chosen))
    return scores
