"""The kind of machine that something ran on: no name, no path, nothing that tells whose it is."""

from __future__ import annotations

import math
import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Hardware:
    """What figures of time depend on.

    Attributes:
        cpu: Model of the processor.
        cores: Logical ones this process may use.
        ram_gb: Memory of the machine in 10^9 bytes; 0 if the system does not tell.
        gpu: Model of the GPU, if one is used.
    """

    cpu: str
    cores: int
    ram_gb: int
    gpu: str | None = None

    @property
    def slug(self) -> str:
        """A name for files.

        >>> Hardware("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", 16, 128, "NVIDIA H200").slug
        'nvidia-h200-intel-xeon-platinum-8481c-16-cores'
        >>> Hardware("AMD EPYC", 2, 16).slug
        'amd-epyc-2-cores'
        """
        cpu = re.sub(r"\((r|tm)\)|\bcpu\b|@.*|\bprocessor\b", " ", self.cpu.lower())
        text = f"{self.gpu or ''} {cpu} {self.cores} cores".lower()
        return re.sub(r"[^a-z0-9.]+", "-", text).strip("-.")


def hardware_profile(device: str | None = None) -> Hardware:
    """Describe this machine as this process uses it.

    Args:
        device: Where the system runs, as torch names it, if it was told; else a GPU counts as used
            when this process has used one.
    """
    return Hardware(
        cpu=_cpu_model(), cores=_usable_cores(), ram_gb=_ram_gb(), gpu=_gpu_model(device)
    )


def _cpu_model(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    if cpuinfo.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE)
        if found:
            return " ".join(found[1].split())
    if sys.platform == "darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
        if told:
            return told
    return platform.processor() or platform.machine()


def _usable_cores(limit: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """Return the logical cores of this process: affinity, and a container's quota of time."""
    if sys.platform == "linux":
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    if limit.exists():
        quota, _, period = limit.read_text().partition(" ")
        if quota.isdigit():
            cores = min(cores, math.ceil(int(quota) / int(period)))
    return cores


def _ram_gb() -> int:
    try:
        return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9)
    except (OSError, ValueError):
        return 0


def _gpu_model(device: str | None) -> str | None:
    """Return the GPU's model; never imports torch or starts CUDA to find out."""
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    if not (device.startswith("cuda") if device else torch.cuda.is_initialized()):
        return None
    name: str = torch.cuda.get_device_name(device)
    return name
