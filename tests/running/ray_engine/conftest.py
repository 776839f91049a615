"""A real Ray cluster of two workers on this machine, started and stopped by the tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def worker_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worker-cache")


@pytest.fixture(scope="module")
def cluster(worker_cache: Path) -> Iterator[None]:
    """Two CPUs, 100 MB for objects, loopback only; workers know a folder for their stores."""
    changed = {
        "SABER_MTEB_CACHE": str(worker_cache),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_ADDRESS": "local",
    }
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    ray = pytest.importorskip("ray", reason="ray has no wheel for this Python")
    ray.init(
        address="local",
        num_cpus=2,
        object_store_memory=100 * 2**20,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        _node_ip_address="127.0.0.1",
    )
    try:
        yield
    finally:
        ray.shutdown()
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
