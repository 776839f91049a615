"""Systems that spend the seconds of a scripted clock, for every test of latency."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def scripted() -> ModuleType:
    """The module ``scripted.py`` beside this file."""
    path = Path(__file__).with_name("scripted.py")
    spec = importlib.util.spec_from_file_location("latency_scripted", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["latency_scripted"] = module
    spec.loader.exec_module(module)
    return module
