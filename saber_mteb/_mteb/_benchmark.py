"""The benchmark ``SABER-Math`` of mteb: one task, one column per setting."""

from __future__ import annotations

from typing import Any

from mteb.benchmarks import benchmark as mteb_benchmark
from mteb.benchmarks.benchmark import Benchmark, BenchmarkAggregation

from saber_mteb._mteb._metadata import SABER_MATH
from saber_mteb._mteb.tasks import SABERMath
from saber_mteb.benchmark.settings import Setting

NAME = "SABER-Math"


def saber_math_benchmark() -> Benchmark:
    """Return the benchmark; mteb before custom groupings (2.16 to 2.2x) shows the mean only."""
    aggregations: list[Any] = [BenchmarkAggregation.MEAN_TASK]
    if hasattr(mteb_benchmark, "CustomGrouping"):
        aggregations.append(_by_setting())
    return Benchmark(
        name=NAME,
        display_name=NAME,
        tasks=[SABERMath()],
        description=SABER_MATH["description"],
        reference=SABER_MATH["reference"],
        citation=SABER_MATH["bibtex_citation"],
        aggregations=tuple(aggregations),
        show_zero_shot=False,
    )


def _by_setting() -> object:
    groups = [
        mteb_benchmark.CustomGroup(
            label=setting.value, tasks=[SABERMath().filter_eval_splits([setting.value])]
        )
        for setting in Setting
    ]
    return mteb_benchmark.CustomGrouping(name="Setting", groups=tuple(groups))
