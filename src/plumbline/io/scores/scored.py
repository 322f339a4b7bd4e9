"""All scores in one block of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic


@dataclass(frozen=True, eq=False)
class Scored:
    """All scores: names in the order in which they occur, values `[metric, system, case]`, and which of them are present."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    cases: tuple[str, ...]
    values: NDArray[np.float64]
    present: NDArray[np.bool_]
    """Whether there is a row, with or without a value."""
    notices: tuple[Diagnostic, ...]
