"""Light where it must be: what `import saber_mteb` and `saber-mteb --help` load."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "torch", "transformers", "sentence_transformers", "mteb", "pandas", "plotly", "pyarrow",
    "sklearn", "scipy", "huggingface_hub", "numpy", "jinja2", "pya0",
}  # fmt: skip

# Run as the console script runs: same entry point, then report what was loaded.
HELP = """
import json, sys
sys.argv = ["saber-mteb", *json.loads(sys.argv[1])]
from saber_mteb.cli import main
try:
    main()
except SystemExit as stop:
    print(json.dumps({"exit": stop.code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def loaded_by(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", HELP, json.dumps(arguments)], capture_output=True, text=True
    )
    report = json.loads(done.stderr.splitlines()[-1])
    assert report["exit"] in (0, None), done.stderr
    return {name.split(".")[0] for name in report["modules"]}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["run", "--help"],
        ["verify", "--help"],
        ["doctor", "--help"],
        ["systems", "list", "--help"],
        ["results", "import-mteb", "--help"],
    ],
    ids=" ".join,
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert not loaded_by(*arguments) & HEAVY


def test_listing_systems_needs_no_numerics() -> None:
    assert not loaded_by("systems", "list") & HEAVY


def test_import_loads_nothing_of_ours_or_heavy() -> None:
    code = "import saber_mteb, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert not {name.split(".")[0] for name in modules} & HEAVY
    ours = {name for name in modules if name.startswith("saber_mteb")}
    assert ours == {"saber_mteb"}
