"""Environments that have our three start-up files at the top of site-packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STARTUP = ROOT / "startup"

FAKE_MTEB = "REGISTERED = []\nDONE = True\n"
FAKE_PLUGIN = """
def register():
    import mteb
    assert mteb.DONE
    mteb.REGISTERED.append(1)
"""


@dataclass(frozen=True)
class Site:
    """A virtual environment that starts Python through our hook."""

    python: Path
    packages: Path

    def run(
        self, *arguments: str, options: tuple[str, ...] = (), **environment: str
    ) -> subprocess.CompletedProcess[str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "SABER_"))}
        return subprocess.run(
            [str(self.python), *options, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
            # `-c` and `-m` put the working folder on the path, and with it this checkout.
            cwd=self.packages,
            env=clean | {"HF_HUB_OFFLINE": "1"} | environment,
        )

    def output(self, code: str, *options: str, **environment: str) -> str:
        """Return what a program prints; it must succeed without a warning from us."""
        done = self.run("-c", code, options=options, **environment)
        assert done.returncode == 0, done.stderr
        assert "saber" not in done.stderr
        return done.stdout.strip()


def make_site(folder: Path) -> Site:
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for file in STARTUP.iterdir():
        if file.is_file():
            shutil.copy(file, packages)
    return Site(python=folder / "bin" / "python", packages=packages)


@pytest.fixture
def fake(tmp_path: Path) -> Site:
    """With a stand-in for mteb and for our package, so that a start costs nothing."""
    site = make_site(tmp_path / "env")
    for name, text in (("mteb", FAKE_MTEB), ("saber_mteb", FAKE_PLUGIN)):
        (site.packages / name).mkdir()
        (site.packages / name / "__init__.py").write_text(text)
    (site.packages / "mteb" / "__main__.py").write_text("import mteb\nprint(mteb.REGISTERED)\n")
    (site.packages / "mteb" / "sub.py").write_text("")
    return site


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """With the packages of the environment the tests run in, and this checkout."""
    site = make_site(tmp_path_factory.mktemp("real") / "env")
    # A path line adds the packages there without running their own .pth files.
    lines = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    (site.packages / "development.pth").write_text("\n".join(lines))
    return site
