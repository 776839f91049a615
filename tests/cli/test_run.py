"""``saber-mteb run`` from the outside: what it prints, writes, and refuses."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from saber_mteb import Setting, evaluate, load_benchmark
from saber_mteb.results.run_file import read_run


def test_every_number_can_be_recomputed_from_the_run_file(cli: Any, folder: Path) -> None:
    done = cli("run", "jaccard-no-tok", "--benchmark", folder, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert list(report["settings"]) == [setting.value for setting in Setting]
    root = folder.parent / report["folder"]
    stored = json.loads((root / "my-bench.json").read_text())
    benchmark = load_benchmark(str(folder))
    assert stored["dataset_revision"] == benchmark.content_hash
    for setting in Setting:
        path = root / "saber" / "my-bench" / "run" / f"{setting}.json.gz"
        run = read_run(path, pool_size=12, rows=range(6))
        recomputed = evaluate(run, benchmark).as_metrics()
        assert recomputed == report["settings"][setting.value]
        (scores,) = stored["scores"][setting.value]
        assert recomputed.items() <= scores.items()
        assert scores["main_score"] == recomputed["ndcg_exp_at_10"]


def test_scores_are_those_of_plain_sets(cli: Any, folder: Path) -> None:
    """The run file against Jaccard written out here."""
    cli("run", "jaccard-no-tok", "--benchmark", folder, "--setting", "statement-statement")
    (path,) = folder.parent.glob("results/saber__jaccard-no-tok/*/saber/my-bench/run/*")
    content = json.loads(gzip.decompress(path.read_bytes()))
    queries = [json.loads(line) for line in (folder / "queries.jsonl").open()]
    documents = [json.loads(line) for line in (folder / "documents.jsonl").open()]
    for row, query in enumerate(queries):
        asked = set(query["problem"].lower().split())
        for position, score in content["queries"][str(row)]:
            words = set(documents[query["candidates"][position]]["problem"].lower().split())
            expected = len(asked & words) / len(asked | words)
            assert np.float32(score) == np.float32(expected)


def test_a_later_setting_joins_the_earlier_ones(cli: Any, folder: Path) -> None:
    for setting in ("full-full", "statement-full"):
        done = cli("run", "jaccard-no-tok", "-b", folder, "--setting", setting)
        assert done.returncode == 0, done.stderr
    (result,) = folder.parent.glob("results/saber__jaccard-no-tok/*/my-bench.json")
    assert set(json.loads(result.read_text())["scores"]) == {"full-full", "statement-full"}
    provenance = json.loads((result.parent / "saber/my-bench/provenance.json").read_text())
    assert set(provenance["settings"]) == {"full-full", "statement-full"}
    block = provenance["settings"]["full-full"]
    assert block["first_document"].startswith("Problem: ")
    assert block["versions"]["numpy"] == np.__version__


def test_results_of_other_data_are_not_kept(cli: Any, folder: Path) -> None:
    cli("run", "jaccard-no-tok", "-b", folder, "--setting", "full-full")
    lines = (folder / "documents.jsonl").read_text().splitlines()
    (folder / "documents.jsonl").write_text("\n".join([lines[0].replace("w", "v"), *lines[1:]]))
    cli("run", "jaccard-no-tok", "-b", folder, "--setting", "statement-full")
    (result,) = folder.parent.glob("results/saber__jaccard-no-tok/*/my-bench.json")
    assert set(json.loads(result.read_text())["scores"]) == {"statement-full"}
    provenance = json.loads((result.parent / "saber/my-bench/provenance.json").read_text())
    assert set(provenance["settings"]) == {"statement-full"}


def test_a_trial_is_stored_apart(cli: Any, folder: Path) -> None:
    done = cli("run", "jaccard-no-tok", "-b", folder, "--limit", 2, "--json")
    report = json.loads(done.stdout)
    assert report["folder"].endswith("experiments/limit-2")
    assert {m["n_queries"] for m in report["settings"].values()} == {2}
    assert not list(folder.parent.glob("results/*/*/my-bench.json"))


def test_table_and_json_have_their_own_streams(cli: Any, folder: Path) -> None:
    done = cli("run", "jaccard-no-tok", "-b", folder)
    assert "statement-full" in done.stdout
    assert "Written to results" in done.stdout
    assert done.stderr == ""


def test_the_mini_benchmark_says_what_it_is(cli: Any) -> None:
    done = cli("run", "jaccard-no-tok", "-b", "mini", "--limit", 3)
    assert "synthetic, for trying things out, not comparable with SABER-Math" in " ".join(
        done.stdout.split()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "bm52"], "Did you mean 'bm25'"),
        (["run", "bm25-no-tok", "-b", "mimi"], "Did you mean 'mini'"),
        (["run", "bm25-no-tok", "-b", "no/such/folder"], "does not exist"),
        (["run", "bm25-no-tok", "-b", "mini", "--setting", "statement-ful"], "statement-full"),
        (["run", "bm25-no-tok", "-b", "mini", "--limit", "0"], "--limit"),
        (["run"], "Missing argument"),
        (["rum"], "No such command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_wrong_usage_is_exit_2(cli: Any, arguments: list[str], message: str) -> None:
    done = cli(*arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_bad_data_is_exit_1_in_one_message(cli: Any, folder: Path) -> None:
    text = (folder / "queries.jsonl").read_text().replace('"Geometry"', '"Geometri"')
    (folder / "queries.jsonl").write_text(text)
    done = cli("run", "bm25-no-tok", "-b", folder)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert "queries.jsonl" in done.stderr
    assert "Geometry" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unwritable_output_is_exit_1(cli: Any, folder: Path) -> None:
    (folder.parent / "blocked").write_text("mine")
    done = cli("run", "jaccard-no-tok", "-b", folder, "--output", "blocked")
    assert done.returncode == 1
    assert "could not be written" in done.stderr
    assert (folder.parent / "blocked").read_text() == "mine"


def test_help_names_every_command(cli: Any) -> None:
    done = cli("--help")
    for command in ("run", "verify", "doctor", "mteb", "systems", "results"):
        assert command in done.stdout


@pytest.mark.parametrize("command", ["run", "verify", "doctor", "systems list"])
def test_every_help_has_an_example(cli: Any, command: str) -> None:
    done = cli(*command.split(), "--help")
    assert f"Example: saber-mteb {command.split()[0]}" in done.stdout
