"""The kind of machine, without whose it is."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from saber_mteb.running import hardware
from saber_mteb.running.hardware import Hardware, hardware_profile


def test_nothing_tells_whose_machine_it_is() -> None:
    told = json.dumps(asdict(hardware_profile())) + hardware_profile().slug
    assert platform.node() not in told
    assert str(Path.home()) not in told
    assert "/" not in hardware_profile().slug


@pytest.mark.parametrize(
    ("cpu", "gpu", "slug"),
    [
        ("AMD EPYC 7763 64-Core Processor", None, "amd-epyc-7763-64-core-8-cores"),
        ("Apple M3 Pro", None, "apple-m3-pro-8-cores"),
        ("aarch64", "NVIDIA GH200 480GB", "nvidia-gh200-480gb-aarch64-8-cores"),
        ("../x", None, "x-8-cores"),
    ],
)
def test_slugs(cpu: str, gpu: str | None, slug: str) -> None:
    assert Hardware(cpu, 8, 64, gpu).slug == slug


@pytest.mark.parametrize(("quota", "cores"), [("150000 100000", 2), ("max 100000", 8)])
def test_a_container_may_use_less_than_the_machine_has(
    quota: str, cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(hardware.sys, "platform", "linux")
    limit = tmp_path / "cpu.max"
    limit.write_text(quota + "\n")
    assert hardware._usable_cores(limit) == cores


def test_the_model_of_the_processor_is_read(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor : 0\nmodel name\t: Intel(R)  Xeon(R) Gold\nflags : fpu\n")
    assert hardware._cpu_model(cpuinfo) == "Intel(R) Xeon(R) Gold"


@pytest.mark.parametrize(
    ("initialised", "device", "gpu"),
    [
        (True, None, "NVIDIA H200"),
        (False, None, None),
        (True, "cpu", None),
        (False, "cuda:1", "NVIDIA H200"),
    ],
)
def test_a_gpu_counts_if_it_is_used(
    initialised: bool, device: str | None, gpu: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda = SimpleNamespace(
        is_initialized=lambda: initialised, get_device_name=lambda _: "NVIDIA H200"
    )
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=cuda))
    assert hardware_profile(device).gpu == gpu


def test_torch_is_not_imported_for_it() -> None:
    code = (
        "import sys; from saber_mteb.running.hardware import hardware_profile as p; "
        "p(); p('cuda'); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
