"""The connection to Ray: what is started here stops here and listens to this machine only."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from saber_mteb._errors import SaberError

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Resources:
    """What one task reserves; Ray places it where that is free.

    Attributes:
        num_cpus: Cores, may be a fraction.
        num_gpus: Accelerators, may be a fraction.
        memory: Bytes of main memory; None reserves none.
    """

    num_cpus: float = 1
    num_gpus: float = 0
    memory: int | None = None

    def __str__(self) -> str:
        memory = f", {self.memory / 1e9:g} GB of memory" if self.memory else ""
        return f"{self.num_cpus:g} CPUs and {self.num_gpus:g} GPUs{memory}"


@dataclass(frozen=True, slots=True)
class Cluster:
    """A connected Ray.

    Attributes:
        ray: The module.
        own: Whether it was started here, on this machine, and ends with the run.
    """

    ray: ModuleType
    own: bool

    def slots(self, needs: Resources) -> int:
        """Return how many tasks the whole cluster can run at once."""
        totals = self.ray.cluster_resources()
        wanted = {"CPU": needs.num_cpus, "GPU": needs.num_gpus, "memory": needs.memory or 0}
        shares = [totals.get(name, 0) / amount for name, amount in wanted.items() if amount]
        return int(min(shares, default=1))


@contextmanager
def connected(needs: Resources) -> Iterator[Cluster]:
    """Yield the cluster that this process is connected to, or connect it.

    Then it is the cluster that RAY_ADDRESS names, or one of this machine alone that lives until the
    block ends. Meanwhile stdout goes to stderr: Ray writes there about lost workers, and stdout is
    where the result of a command goes.

    Raises:
        SaberError: If Ray is not installed or cannot be reached, or if this machine alone can never
            give what a task needs.
    """
    address = os.environ.get("RAY_ADDRESS") or LOCAL
    ray = _imported(address)
    with redirect_stdout(sys.stderr):
        if ray.is_initialized():
            yield Cluster(ray, own=False)
            return
        try:
            _start(ray, address)
            cluster = Cluster(ray, own=address == LOCAL)
            if cluster.own and not cluster.slots(needs):
                raise SaberError(
                    f"A task needs {needs}, more than this machine has; "
                    "name a cluster that has it with RAY_ADDRESS."
                )
            yield cluster
        finally:
            ray.shutdown()


def _imported(address: str) -> ModuleType:
    if address == LOCAL:
        # Ray reads both when it is imported: no reports to its makers, and with this name, which
        # says less than it does, all its servers listen on the loopback interface only.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        import ray
    except ImportError as error:
        raise SaberError(
            f'The Ray engine needs ray ({error}): pip install "saber-mteb[ray]".'
        ) from error
    module: ModuleType = ray
    return module


def _start(ray: ModuleType, address: str) -> None:
    own: dict[str, Any] = {}
    try:
        if address == LOCAL:
            own = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        else:
            _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except (OSError, RuntimeError, ValueError) as error:
        raise SaberError(
            f"Ray could not be started or reached at '{address}' ({error}). RAY_ADDRESS names a "
            "running cluster as host:port; without it, one is started on this machine."
        ) from error


def _knock(address: str) -> None:
    """Find out in seconds that nobody is there; Ray itself tries for a quarter of an hour.

    Raises:
        OSError: If nobody is.
        ValueError: If it is no address of a machine, but "auto", which can lead to a cluster that
            has ended, or one of Ray's client, which does not pass answers on one by one.
    """
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdigit():
        raise ValueError("not of the form host:port")
    socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
