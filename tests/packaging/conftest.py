"""Built distributions and empty environments to put them into."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Environment:
    """A virtual environment and a folder elsewhere to work in, with a home that is empty."""

    folder: Path
    work: Path

    @property
    def bin(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def site_packages(self) -> Path:
        scheme = {"base": str(self.folder), "platbase": str(self.folder)}
        return Path(sysconfig.get_path("purelib", "venv", vars=scheme))

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment with no way to the network."""
        variables = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("PYTHON", "HF_", "SABER_MTEB", "VIRTUAL_ENV"))
        }
        variables |= {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.work),
            # Port 9 of this machine answers nobody: any request fails at once.
            "HTTP_PROXY": "http://127.0.0.1:9",
            "HTTPS_PROXY": "http://127.0.0.1:9",
        }
        done = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.work,
            env=variables,
            capture_output=True,
            text=True,
        )
        assert not check or done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done

    def install(self, *requirements: str) -> None:
        """Install with the pip of the tests' own Python, which may use its configured registry."""
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "-q", "--python", str(self.bin / "python")),
                *("install", *requirements),
            ],
            check=True,
            cwd=ROOT,
        )


@pytest.fixture(scope="session")
def make_environment(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., Environment]:
    """Make an empty environment.

    With ``borrow`` it sees the packages of the tests' own environment without installing them
    again: a path line of a .pth file is searched last and the .pth files there are not read, so
    that the tests' own editable saber-mteb stays out.
    """

    def make(*, borrow: bool) -> Environment:
        folder = tmp_path_factory.mktemp("environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
        environment = Environment(folder / "venv", folder / "elsewhere")
        environment.work.mkdir()
        if borrow:
            path = environment.site_packages / "borrowed.pth"
            path.write_text(sysconfig.get_path("purelib") + "\n")
        return environment

    return make


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as a release is: sdist first, the wheel from that."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return next(folder.glob("*.whl"))
