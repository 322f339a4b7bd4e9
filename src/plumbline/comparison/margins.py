"""Margins: differences that do not matter, as a number or as a share of the mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from plumbline.errors import BadUsage, usage
from plumbline.render.saving import saveable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.measured import Measured


@saveable
@dataclass(frozen=True)
class Margin:
    """The largest difference of two means that does not matter.

    Attributes:
        value: A number in the unit of the metric, or a share of a mean.
        relative: Whether it is a share.
    """

    value: float
    relative: bool = False

    @classmethod
    def parse(cls, given: float | str) -> Self:
        """Read `0.01` as a difference and `2%` as a share of the mean.

        Raises:
            BadUsage: It is neither, or not above 0.
        """
        text = str(given).strip()
        try:
            value = float(text.removesuffix("%"))
        except ValueError:
            value = math.nan
        if not (value > 0 and math.isfinite(value)):
            raise BadUsage(usage.bad_option("margin", text, ["a number above 0", "a percentage of the mean such as 2%"]))
        return cls(value / 100, relative=True) if text.endswith("%") else cls(value)

    def __str__(self) -> str:
        return f"{self.value * 100:.12g} %" if self.relative else f"{self.value:g}"

    def of(self, measure: Measured, baseline: int | None = None) -> NDArray[np.float64]:
        """The margin of each pair in the unit of the metric, `[a, b]`.

        A share is one of the baseline's mean, or without a baseline of the smaller of the two means.
        """
        means = np.abs(measure.means)
        if not self.relative:
            return np.full((len(means), len(means)), self.value)
        if baseline is not None:
            return np.full((len(means), len(means)), self.value * means[baseline])
        return np.asarray(self.value * np.minimum(means[:, None], means))
