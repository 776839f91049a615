"""What is asked: problems, settings, candidate pools, relevance grades, and the metric."""

from __future__ import annotations

from saber_mteb.benchmark.domains import Domain
from saber_mteb.benchmark.evaluation import MAIN_SCORE, DomainScore, Evaluation, evaluate
from saber_mteb.benchmark.loading import check_benchmark_name, load_benchmark
from saber_mteb.benchmark.metric import NDCG, Gain, ndcg
from saber_mteb.benchmark.records import Benchmark, Pool, Problem, Source
from saber_mteb.benchmark.runs import Run
from saber_mteb.benchmark.settings import Setting

__all__ = [
    "MAIN_SCORE",
    "NDCG",
    "Benchmark",
    "Domain",
    "DomainScore",
    "Evaluation",
    "Gain",
    "Pool",
    "Problem",
    "Run",
    "Setting",
    "Source",
    "check_benchmark_name",
    "evaluate",
    "load_benchmark",
    "ndcg",
]
