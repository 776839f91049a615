"""A loopback Hugging Face hub for every test that wants one, and a log as a library has it."""

from __future__ import annotations

import importlib.util
import io
import logging
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def quiet_logger() -> Iterator[None]:
    """Undo what the command does to our logger when a test calls it in this process."""
    logger = logging.getLogger("saber_mteb")

    def reset() -> None:
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.NOTSET)

    reset()
    yield
    reset()


@pytest.fixture(scope="session")
def hub_server() -> ModuleType:
    """The module ``hub_server.py`` beside this file."""
    path = Path(__file__).with_name("hub_server.py")
    spec = importlib.util.spec_from_file_location("hub_server", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hub_server"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hub(hub_server: ModuleType) -> Iterator[Any]:
    """A running hub without any data set."""
    with hub_server.running_hub(hub_server.Hub()) as served:
        yield served


@pytest.fixture
def parquet_bytes() -> Callable[[dict[str, list[Any]]], bytes]:
    """Turn columns into the bytes of a parquet file."""

    def write(columns: dict[str, list[Any]]) -> bytes:
        import pyarrow as pa
        from pyarrow import parquet

        buffer = io.BytesIO()
        parquet.write_table(pa.table(columns), buffer)
        return buffer.getvalue()

    return write


@pytest.fixture
def environment(hub: Any, tmp_path: Path) -> dict[str, str]:
    """What a process needs in its environment to see this hub and nothing of this machine's."""
    return {
        "HF_ENDPOINT": hub.url,
        "HF_HOME": str(tmp_path / "hf"),
        "SABER_MTEB_CACHE": str(tmp_path / "cache"),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_TOKEN": "hf_thisIsASecretToken",
    }


@pytest.fixture
def in_process(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Point this process at the hub; the client reads its environment only once, at import."""
    from huggingface_hub import constants

    home, endpoint = environment["HF_HOME"], environment["HF_ENDPOINT"]
    template = endpoint + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", f"{home}/hub")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    sleep = time.sleep  # the client's own pauses too: a second each, five times
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.02)))
    for name in ("SABER_MTEB_CACHE", "HF_TOKEN"):
        monkeypatch.setenv(name, environment[name])
    for name in ("SABER_MTEB_QUERIES_REVISION", "SABER_MTEB_DOCUMENTS_REVISION"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch
