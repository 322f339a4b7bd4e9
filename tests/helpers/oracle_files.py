"""Oracles that stand in the test file of their metric."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def load_oracles(task: str) -> None:
    """Import the test files of the task's metrics, so that the oracles in them are registered."""
    package = importlib.import_module(f"tests.metrics.{task}")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
