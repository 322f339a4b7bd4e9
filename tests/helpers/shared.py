"""The folder of reference data that lies beside the project: found by a variable or by its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "PLUMBLINE_SHARED"


def shared(*parts: str) -> Path:
    """A path in the shared folder; the test is skipped where there is none."""
    beside = Path(__file__).resolve().parents[3] / "shared"
    path = Path(os.environ.get(VARIABLE, beside)).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no {path.name}: set {VARIABLE} to the folder of reference data", allow_module_level=True)
    return path
