"""The outputs that all metrics have a value for, and their ranks among each other by each metric.

An output is what one system gives on one case. All outputs of all systems and cases are ranked together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from plumbline.comparison.significance.pairs import DIGITS
from plumbline.large import empty, gathered, made, portions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]
    Rows = NDArray[np.intp]


def steps(values: Numbers) -> Numbers:
    """Values as whole numbers of steps of the last significant digit, `[metric, ...]`; what is not a number stays so.

    Values carry noise of the last binary digits: those that agree to 12 significant digits of the metric's largest value are
    equal.
    """
    out = empty(values.shape)
    for given, rounded, step in zip(values, out, sizes_of_steps(values), strict=True):
        for rows in portions(given.shape):
            rounded[rows] = np.rint(given[rows] / step)
    return out


def sizes_of_steps(values: Numbers) -> Numbers:
    """The size of a step of the last significant digit, for each metric."""
    scale = np.array([_largest(given) for given in values])
    exponent = np.floor(np.log10(scale, out=np.zeros_like(scale), where=scale > 0)) + 1
    return np.asarray(np.maximum(10.0 ** (exponent - DIGITS), np.finfo(float).tiny))


def _largest(values: Numbers) -> float:
    """The largest absolute value, 0 without any."""
    sizes = (np.abs(values[rows]) for rows in portions(values.shape))
    return max(float(np.max(some, initial=0.0, where=~np.isnan(some))) for some in sizes)


def mean_steps(cube: Cube) -> Numbers:
    """The mean of each system by each metric over the cases that it has, more is better, as steps: `[metric, system]`."""
    return steps(np.stack([_means(values) for values in cube.signed]))


def _means(values: Numbers) -> Numbers:
    """The mean of the known numbers of each row; not a number without any."""
    counts = gathered(values.shape, lambda rows: (~np.isnan(values[rows])).sum(axis=1))
    sums = gathered(values.shape, lambda rows: np.where(np.isnan(values[rows]), 0.0, values[rows]).sum(axis=1))
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))


def mean_ranks(values: Numbers) -> Numbers:
    """Ranks of all outputs by each metric, `[metric, output]`; 1 is the worst, equal values share their mean rank."""
    return _ranked(values, lambda ordered, row: (counted(ordered, row, "left") + counted(ordered, row, "right") + 1) / 2)


def counts_at_most(values: Numbers) -> NDArray[np.int64]:
    """How many numbers of its row are at most as large as each one, itself included."""
    return _ranked(values, lambda ordered, row: counted(ordered, row, "right"), np.int64)


def _ranked(
    values: Numbers, numbers_of: Callable[[Numbers, Numbers], NDArray[Any]], dtype: DTypeLike = np.float64
) -> NDArray[Any]:
    """What the function makes of each row in order and some numbers of it; numbers that are equal but for noise are equal."""
    out = empty(values.shape, dtype)
    for row, numbers in zip(steps(values), out, strict=True):
        ordered = in_order(row)
        for some in portions(row.shape):
            numbers[some] = numbers_of(ordered, row[some])
    return out


def in_order(numbers: Numbers) -> Numbers:
    """The same numbers, the lowest first."""
    ordered = made(numbers.shape, lambda some: numbers[some])
    ordered.sort()
    return ordered


def counted(ordered: Numbers, numbers: Numbers, side: Literal["left", "right"]) -> NDArray[np.int64]:
    """How many of the ordered numbers are less than each of some others, or, on the right side, at most as large."""
    order = np.argsort(numbers)  # neighbours are found next to each other, which reads less of a file
    counts = np.empty(len(numbers), dtype=np.int64)
    counts[order] = np.searchsorted(ordered, numbers[order], side)
    return counts


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
        known = cube.known
        system, case = (empty((int(np.count_nonzero(known)),), np.intp) for _ in range(2))
        end = 0
        for rows in portions(known.shape):
            systems, cases = np.nonzero(known[rows])
            start, end = end, end + len(systems)
            system[start:end], case[start:end] = systems + rows.start, cases
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
        return self._chosen(self.cube.signed)

    @cached_property
    def given(self) -> Numbers:
        """The values as they were given, `[metric, output]`."""
        return self._chosen(self.cube.values)

    def _chosen(self, values: Numbers) -> Numbers:
        """Numbers of the outputs; those of one output stand side by side."""
        shape = (len(self), len(values))
        return made(shape, lambda some: values[:, self.system[some], self.case[some]].T).T

    @cached_property
    def ranks(self) -> Numbers:
        """Mean ranks, `[metric, output]`: 1 is the worst."""
        return mean_ranks(self.values)

    @cached_property
    def at_most(self) -> NDArray[np.int64]:
        """How many outputs are at most as good as each one, itself included, `[metric, output]`."""
        return counts_at_most(self.values)

    def name(self, output: int) -> tuple[str, str]:
        """The system and the case of an output."""
        return self.cube.systems[self.system[output]], self.cube.cases[self.case[output]]
