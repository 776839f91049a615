"""Which files hold the train split: a name list in, the files in row order out."""

from __future__ import annotations

import pytest

from saber_mteb._errors import SaberError
from saber_mteb.benchmark.hub.layout import train_files


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["README.md", "data/train-00000-of-00001.parquet"], ["data/train-00000-of-00001.parquet"]),
        (
            ["data/train-00001-of-00002.parquet", "data/train-00000-of-00002.parquet"],
            ["data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"],
        ),
        (["queries.parquet", "queries.jsonl"], ["queries.parquet"]),
        (["train.jsonl", "test.jsonl"], ["train.jsonl"]),
        (
            ["default/train/0000.parquet", "default/test/0000.parquet"],
            ["default/train/0000.parquet"],
        ),
        (["data/train.parquet", "extra/train.parquet"], ["data/train.parquet"]),
        (["constrained.parquet"], ["constrained.parquet"]),
        (["test.parquet", "train.jsonl"], ["train.jsonl"]),
        (["test.parquet"], []),
        (["README.md", "data.csv"], []),
    ],
)
def test_train_files(names: list[str], expected: list[str]) -> None:
    assert train_files(names) == expected


@pytest.mark.parametrize(
    "names",
    [
        ["data/train-00000-of-00002.parquet"],
        ["data/train-00001-of-00002.parquet"],
        ["data/train-00000-of-00002.parquet", "data/train-00000-of-00001.parquet"],
        ["data/train-00000-of-00001.parquet", "data/train.parquet"],
    ],
)
def test_missing_shards_are_refused(names: list[str]) -> None:
    with pytest.raises(SaberError, match="the train split is not complete"):
        train_files(names)


def test_two_possible_folders_are_refused() -> None:
    with pytest.raises(SaberError, match="any of the folders a, b"):
        train_files(["a/train.parquet", "b/train.parquet"])
