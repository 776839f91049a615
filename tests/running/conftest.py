from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def recorders() -> ModuleType:
    """The module ``recorders.py`` beside this file."""
    path = Path(__file__).with_name("recorders.py")
    spec = importlib.util.spec_from_file_location("running_recorders", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["running_recorders"] = module
    spec.loader.exec_module(module)
    return module
