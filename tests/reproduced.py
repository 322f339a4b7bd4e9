"""Scripts of the folder reproductions as modules."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

FOLDER = Path(__file__).parents[1] / "reproductions"


def script(name: str) -> ModuleType:
    """A script as a module, with its neighbours found as if it were run."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


def readme() -> str:
    """What the folder says about itself."""
    return (FOLDER / "README.md").read_text(encoding="utf-8")
