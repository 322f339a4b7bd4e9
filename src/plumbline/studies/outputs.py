"""The outputs that all metrics have a value for, and their ranks among each other by each metric.

An output is what one system gives on one case. All outputs of all systems and cases are ranked together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.pairs import DIGITS
from plumbline.lazily import stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]
    Rows = NDArray[np.intp]


def steps(values: Numbers) -> Numbers:
    """Values as whole numbers of steps of the last significant digit, `[metric, ...]`; what is not a number stays so.

    Values carry noise of the last binary digits: those that agree to 12 significant digits of the metric's largest value are
    equal.
    """
    flat = np.abs(values.reshape(len(values), -1))
    scale = np.where(np.isnan(flat), 0.0, flat).max(axis=1, initial=0.0)
    exponent = np.floor(np.log10(scale, out=np.zeros_like(scale), where=scale > 0)) + 1
    step = np.maximum(10.0 ** (exponent - DIGITS), np.finfo(float).tiny)
    return np.asarray(np.rint(values / step.reshape(-1, *[1] * (values.ndim - 1))))


def mean_steps(cube: Cube) -> Numbers:
    """The mean of each system by each metric over the cases that it has, more is better, as steps: `[metric, system]`."""
    known = ~np.isnan(cube.signed)
    counts = known.sum(axis=2)
    sums = np.where(known, cube.signed, 0.0).sum(axis=2)
    return steps(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))


def mean_ranks(values: Numbers) -> Numbers:
    """Ranks of all outputs by each metric, `[metric, output]`; 1 is the worst, equal values share their mean rank."""
    return np.asarray(stats.rankdata(steps(values), axis=1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Outputs:
    """Outputs with a value of every metric."""

    cube: Cube
    system: Rows
    """The number of the system of each output."""
    case: Rows
    """The number of its case."""

    @classmethod
    def of(cls, cube: Cube) -> Outputs:
        """All that have a value of every metric."""
        system, case = np.nonzero(cube.known)
        return cls(cube, system, case)

    def __len__(self) -> int:
        return len(self.system)

    @cached_property
    def left_out(self) -> int:
        """How many outputs lack a value of some metric."""
        return int(self.cube.known.size) - len(self)

    @cached_property
    def values(self) -> Numbers:
        """The values with the sign by which more is better, `[metric, output]`."""
        return np.asarray(self.cube.signed[:, self.system, self.case])

    @cached_property
    def given(self) -> Numbers:
        """The values as they were given, `[metric, output]`."""
        return np.asarray(self.cube.values[:, self.system, self.case])

    @cached_property
    def ranks(self) -> Numbers:
        """Mean ranks, `[metric, output]`: 1 is the worst."""
        return mean_ranks(self.values)

    @cached_property
    def at_most(self) -> NDArray[np.int64]:
        """How many outputs are at most as good as each one, itself included, `[metric, output]`."""
        return np.stack([np.searchsorted(np.sort(row), row, side="right") for row in steps(self.values)]).astype(np.int64)

    def name(self, output: int) -> tuple[str, str]:
        """The system and the case of an output."""
        return self.cube.systems[self.system[output]], self.cube.cases[self.case[output]]
