"""weights(): how much each position of a list counts in Reliability and Sensitivity, to choose n and w by looking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.present import svg_of
from plumbline.render.result import Result
from plumbline.views.discount import DISCOUNTS, curve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OWN_WEIGHTS: Final = "own weights"
_SHOWN: Final = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_BAR: Final = 30
"""How long the longest bar is."""
_WIDE: Final = 3
"""The picture shows so many times n positions."""
_LONGEST: Final = 1_000_000
"""So many positions carry w at most: the table has a row for each of three times as many."""


@dataclass(frozen=True, repr=False)
class Weights(Result):
    """How much each position of a list counts, alone and together with those before it.

    Attributes:
        table: `discount, position, weight, reached`, for three times n positions.
        n: The number of positions that carry w.
        w: The share of the score that the first n positions carry.

    Example:
        >>> import plumbline
        >>> weights = plumbline.weights(10, 0.8)
        >>> weights.table.row(9, named=True)["reached"]
        0.8
    """

    table: pl.DataFrame
    n: int
    w: float

    def grid(self) -> Grid:
        """A few positions, with bars for what the positions so far carry together."""
        several = self.table["discount"].n_unique() > 1
        shown = sorted({*(place for place in _SHOWN if place <= self._last), self.n})
        rows = tuple(
            (
                *([Cell(str(row["discount"]))] if several else []),
                Cell(str(row["position"])),
                Cell(number(row["weight"])),
                Cell(number(row["reached"])),
                Cell(_bar(row["reached"])),
            )
            for row in self.table.filter(pl.col("position").is_in(shown)).iter_rows(named=True)
        )
        heading = (*(["discount"] if several else []), "position", "weight", "so far", "")
        return Grid(heading, rows, f"the first {self.n} positions carry {self.w:g}; the rest is shared by all that follows")

    @property
    def _last(self) -> int:
        return int(self.table["position"].to_numpy().max())

    def to_svg(self) -> str:
        """The curve of each discount as SVG; deprecated, use `plot.weights()`.

        Returns:
            The text of an SVG file.
        """
        return svg_of(self, "weights")

    def to_polars(self) -> pl.DataFrame:
        """`discount, position, weight, reached`."""
        return self.table


def _bar(share: float) -> str:
    full = round(_BAR * share)
    return "█" * full + "░" * (_BAR - full)


def weights(
    n: int = 30, w: float = 0.8, *, discounts: Iterable[str] | str = "inverse_square", own: Sequence[float] | None = None
) -> Weights:
    """How much each position of a list counts in Reliability and Sensitivity, to choose n and w by looking.

    Args:
        n: The number of positions that carry `w`.
        w: The share of the score that the first n positions carry.
        discounts: How the weight falls: "inverse_square", "geometric", "logarithmic", "uniform", or several of them.
        own: Your own weights, one for each position; the first `len(own)` positions then carry `w` in these proportions.

    Returns:
        A table of weights, which can be drawn with `plot.weights()`.

    Raises:
        BadUsage: n, w, a discount or a weight is out of range.

    Example:
        >>> import plumbline
        >>> table = plumbline.weights(own=[3, 2, 1], w=0.6).table
        >>> [round(weight, 2) for weight in table["weight"][:3]]
        [0.3, 0.2, 0.1]
    """
    if not 1 <= n <= _LONGEST:
        raise BadUsage(usage.bad_parameter("weights", "n", f"{n}", f"a whole number from 1 to {_LONGEST:,}"))
    if not 0 < w < 1:
        raise BadUsage(usage.bad_parameter("weights", "w", f"{w:g}", "a number strictly between 0 and 1"))
    named = [discounts] if isinstance(discounts, str) else list(discounts)
    wrong = next((name for name in named if name not in DISCOUNTS or name == "time"), None)
    if wrong is not None:
        raise BadUsage(usage.bad_option("discount", wrong, [name for name in DISCOUNTS if name != "time"]))
    vector = None if own is None else ":".join(map(str, own))
    curves = {OWN_WEIGHTS: curve("uniform", n, w, vector)} if own is not None else {name: curve(name, n, w) for name in named}  # type: ignore[arg-type]  # checked above
    n = len(own) if own is not None else n
    positions = np.arange(_WIDE * n + 1, dtype=np.float64)
    tables = []
    for name, falling in curves.items():
        left = falling.left(positions)
        named_rows = pl.repeat(name, len(left) - 1, dtype=pl.String, eager=True)
        columns = {
            "discount": named_rows,
            "position": positions[1:].astype(np.int64),
            "weight": left[:-1] - left[1:],
            "reached": 1.0 - left[1:],
        }
        tables.append(pl.DataFrame(columns))
    return Weights(pl.concat(tables), n, w)
