"""Scripts of the folder reproductions as modules."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.comparison.cube import Cube
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from types import ModuleType

VARIABLE = "PLUMBLINE_SHARED"
FOLDER = Path(__file__).parents[2] / "reproductions"


def script(name: str) -> ModuleType:
    """A script as a module, with its neighbours found as if it were run."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


@cache
def scored_collections() -> list[Any]:
    """The collections of the UIR paper with the scores of their systems, which several scripts look at."""
    scored: list[Any] = script("unanimity_scores").collections(shared("data"))
    return scored


def cube(values: Any) -> Cube:
    """Two metrics of some systems on some cases."""
    array = np.array(values, dtype=np.float64)
    systems, cases = (tuple(f"{kind}{at}" for at in range(count)) for kind, count in zip("sc", array.shape[1:], strict=True))
    return Cube(("P", "R"), systems, cases, array, np.array([False, False]))


def readme() -> str:
    """What the folder says about itself."""
    return (FOLDER / "README.md").read_text(encoding="utf-8")
