"""The systems under one judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.scores import Scores

    Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Board:
    """The systems under one judge."""

    judge: str
    cube: Cube
    scores: Scores
    judged: Numbers
    """Judged@10 of each system, in the mean over cases."""

    def means(self, metric: int) -> dict[str, float]:
        """The mean of each system, higher is better."""
        values = -self.cube.means[metric] if self.cube.lower[metric] else self.cube.means[metric]
        return dict(zip(self.cube.systems, values.tolist(), strict=True))
