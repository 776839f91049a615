"""Result files in MTEB's own format, written without mteb.

Shape as of mteb 2.16 to 2.26 (``TaskResult`` and ``ModelMeta.to_dict``). `mteb.ResultCache` reads
them beside those that mteb writes. Two differences: mteb rounds scores to 6 digits, ours keep full
precision; and ours lack the built-in measures that the integer view of the grades makes
meaningless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from saber_mteb.benchmark.evaluation import MAIN_SCORE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from saber_mteb.benchmark.evaluation import Evaluation
    from saber_mteb.benchmark.records import Benchmark
    from saber_mteb.benchmark.settings import Setting


def task_result(
    benchmark: Benchmark,
    evaluations: Mapping[Setting, Evaluation],
    *,
    evaluation_time: float | None,
    date: datetime,
    mteb_version: str | None = None,
) -> dict[str, Any]:
    """Return the content of ``<task>.json``.

    Args:
        benchmark: What was asked; its name is the task, its revision the dataset revision.
        evaluations: By setting; each becomes a split with the single subset ``default``.
        evaluation_time: Seconds, if known.
        date: When it was run, with a time zone.
        mteb_version: The mteb that ran it; None for our own engine.
    """
    scores = {
        setting.value: [_subset_scores(evaluation, mteb_version)]
        for setting, evaluation in evaluations.items()
    }
    return {
        "dataset_revision": benchmark.revision,
        "task_name": benchmark.name,
        "mteb_version": mteb_version,
        "scores": scores,
        "evaluation_time": evaluation_time,
        "kg_co2_emissions": None,
        "date": date.timestamp(),
        "evaluation_phases": None,
    }


def _subset_scores(evaluation: Evaluation, mteb_version: str | None) -> dict[str, Any]:
    metrics = evaluation.as_metrics()
    return {
        **metrics,
        "main_score": metrics[MAIN_SCORE],
        "hf_subset": "default",
        "languages": ["eng-Latn"],
        "mteb_version": mteb_version,
    }


def model_meta(
    *,
    name: str,
    revision: str,
    release_date: str | None,
    license: str | None,
    reference: str | None,
) -> dict[str, Any]:
    """Return the content of ``model_meta.json`` for a system without weights.

    Args:
        name: ``org/name``.
        revision: Commit or recipe hash.
        release_date: ISO date.
        license: Lower-case identifier or address.
        reference: Address of a description.

    >>> meta = model_meta(
    ...     name="saber/bm25", revision="1", release_date=None, license=None, reference=None
    ... )
    >>> meta["name"], meta["loader"]
    ('saber/bm25', 'load_system')
    """
    return {
        "loader_kwargs": {},
        "name": name,
        "revision": revision,
        "release_date": release_date,
        "languages": ["eng-Latn"],
        "n_parameters": 0,
        "n_active_parameters_override": None,
        "n_embedding_parameters": None,
        "memory_usage_mb": 0,
        "max_tokens": None,
        "embed_dim": None,
        "license": license,
        "open_weights": True,
        "public_training_code": None,
        "public_training_data": None,
        "framework": [],
        "reference": reference,
        "similarity_fn_name": None,
        "use_instructions": False,
        "training_datasets": [],
        "adapted_from": None,
        "superseded_by": None,
        "modalities": ["text"],
        "model_type": ["sparse"],
        "citation": None,
        "contacts": None,
        "experiment_kwargs": None,
        "output_dtypes": None,
        "extra_requirements_groups": None,
        "loader": "load_system",
        "is_cross_encoder": False,
    }
