"""What is installed is what works: wheel, sdist and editable, used from another folder."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MakeEnvironment = Callable[..., Any]


@pytest.fixture(scope="module")
def installed(wheel: Path, make_environment: MakeEnvironment) -> Any:
    environment = make_environment(borrow=True)
    environment.install("--no-deps", str(wheel))
    return environment


def test_the_wheel_holds_what_lies_outside_the_package(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    cards = {f"saber_mteb/_data/model_registry/{p.name}" for p in ROOT.glob("model_registry/*")}
    assert cards
    assert names >= cards | {
        "saber_mteb.pth",
        "saber_mteb.start",
        "_saber_mteb_hook.py",
        "saber_mteb/py.typed",
        "saber_mteb/_data/leaderboard/README.md",
        "saber_mteb/benchmark/mini/queries.jsonl",
        "saber_mteb/benchmark/mini/documents.jsonl",
    }
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_the_sdist_builds_the_same_wheel(wheel: Path) -> None:
    """The wheel was built from the sdist, so whatever the sdist lacked would be missing above."""
    (sdist,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", "constraints.txt", "LICENSE", "startup/saber_mteb.pth"} <= names


def test_it_is_the_wheel_that_runs(installed: Any) -> None:
    code = "import saber_mteb, saber_mteb._resources as r; print(saber_mteb.__file__); "
    code += "print(r.resource_folder('model_registry')); print(r.resource_folder('leaderboard'))"
    for line in installed.run("python", "-c", code).stdout.splitlines():
        assert Path(line).is_relative_to(installed.site_packages.resolve()), line


def test_run_from_another_folder(installed: Any) -> None:
    arguments = ["run", "jaccard-no-tok", "--benchmark", "mini", "--json"]
    for command in (["saber-mteb"], ["python", "-m", "saber_mteb"]):
        report = json.loads(installed.run(*command, *arguments).stdout)
        assert set(report["settings"]) == {
            "statement-full",
            "statement-statement",
            "full-full",
        }
        assert "synthetic" in report["note"]
    assert list((installed.work / "results").rglob("statement-full.json.gz"))


def test_mteb_sees_the_task_of_a_merely_installed_package(installed: Any) -> None:
    listing = installed.run("python", "-m", "mteb", "available-tasks", "-t", "SABERMathMini")
    assert "SABERMathMini" in listing.stdout


def test_editable_install_has_the_start_up_files(make_environment: MakeEnvironment) -> None:
    environment = make_environment(borrow=True)
    environment.install("--no-deps", "--no-build-isolation", "-e", str(ROOT))
    for name in ("saber_mteb.pth", "saber_mteb.start", "_saber_mteb_hook.py"):
        source = ROOT / "startup" / name
        assert (environment.site_packages / name).read_bytes() == source.read_bytes()
    code = "import mteb; print(mteb.get_task('SABERMathMini').metadata.name)"
    assert environment.run("python", "-c", code).stdout.strip() == "SABERMathMini"


@pytest.mark.slow
def test_pip_install_and_nothing_else(wheel: Path, make_environment: MakeEnvironment) -> None:
    """The promise of the README, to the letter, with all dependencies really installed."""
    environment = make_environment(borrow=False)
    environment.install("-c", "constraints.txt", f"saber-mteb[mteb] @ {wheel.as_uri()}")
    # pya0 has a wheel for Linux x86-64 only; elsewhere the README names the -no-tok twin.
    has_pya0 = environment.run("python", "-c", "import pya0", check=False).returncode == 0
    key = "bm25" if has_pya0 else "bm25-no-tok"
    environment.run(
        *("mteb", "run", "-t", "SABERMathMini", "-m", f"saber/{key}"),
        *("--eval-splits", "statement-full", "--output-folder", "OUT"),
    )
    (result,) = (environment.work / "OUT").rglob("SABERMathMini.json")
    (scores,) = json.loads(result.read_text())["scores"]["statement-full"]
    ours = environment.run(
        *("saber-mteb", "run", key, "--benchmark", "mini"),
        *("--setting", "statement-full", "--json"),
    )
    metrics = json.loads(ours.stdout)["settings"]["statement-full"]
    assert scores["main_score"] == pytest.approx(metrics["ndcg_exp_at_10"], abs=1e-6)
    assert scores["ndcg_exp_at_10_algebra"] == pytest.approx(
        metrics["ndcg_exp_at_10_algebra"], abs=1e-6
    )
    assert result.parent.name == json.loads(ours.stdout)["revision"]
