"""Counts, sums and sums of products of groups of units: all that means, ratios and their errors need.

They add up, so that days and segments become one arm without reading the units again. Values are shifted by a constant near
their mean before they are squared, or else large values with little variation would lose all their digits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """Some units: how many, the mean of each column, and the covariance of each two."""

    columns: tuple[str, ...]
    n: int
    mean: Numbers
    covariance: Numbers

    def at(self, column: str) -> int:
        """The place of a column."""
        return self.columns.index(column)


@dataclass(frozen=True, eq=False)
class Sums:
    """Groups of units, such as the arm of a day."""

    keys: pl.DataFrame
    """What each group is: its arm, its segment, its day."""
    columns: tuple[str, ...]
    shift: Numbers
    """What was subtracted of each column."""
    n: NDArray[np.int64]
    known: NDArray[np.int64]
    """How many units have a value, `[group, column]`."""
    first: Numbers
    """Sums, `[group, column]`."""
    second: Numbers
    """Sums of products, `[group, column, column]`."""
    shares: frozenset[str] = frozenset()
    """The columns whose values are 0 or 1."""

    def only(self, columns: Sequence[str]) -> Sums:
        """The same with some columns."""
        places = [self.columns.index(name) for name in columns]
        return replace(
            self,
            columns=tuple(columns),
            shift=self.shift[places],
            known=self.known[:, places],
            first=self.first[:, places],
            second=self.second[np.ix_(range(len(self.n)), places, places)],
        )

    def complete(self) -> Sums | None:
        """The same if every unit that has a value of one column has one of all; None if not."""
        if len(self.columns) == 1:
            return replace(self, n=self.known[:, 0])
        return self if (self.known == self.n[:, None]).all() else None

    def moments(self, groups: NDArray[np.bool_] | None = None) -> Moments:
        """Some groups, or all, as one."""
        chosen = np.ones(len(self.n), dtype=np.bool_) if groups is None else groups
        return self._moments(int(self.n[chosen].sum()), self.first[chosen].sum(axis=0), self.second[chosen].sum(axis=0))

    def running(self, groups: NDArray[np.bool_], moment: NDArray[np.int64], moments: int) -> list[Moments]:
        """Some groups, each of which belongs to one of several moments: all up to each moment as one."""
        sizes = np.zeros(moments, dtype=np.int64)
        firsts, seconds = np.zeros((moments, *self.first.shape[1:])), np.zeros((moments, *self.second.shape[1:]))
        for total, parts in ((sizes, self.n), (firsts, self.first), (seconds, self.second)):
            np.add.at(total, moment[groups], parts[groups])
            np.cumsum(total, axis=0, out=total)
        return [self._moments(int(n), first, second) for n, first, second in zip(sizes, firsts, seconds, strict=True)]

    def _moments(self, n: int, first: Numbers, second: Numbers) -> Moments:
        if n == 0:
            unknown = np.full(len(self.columns), np.nan)
            return Moments(self.columns, 0, unknown, np.full(second.shape, np.nan))
        mean = first / n
        covariance = (second - np.outer(first, mean)) / (n - 1) if n > 1 else np.full(second.shape, np.nan)
        return Moments(self.columns, n, self.shift + mean, covariance)


def together(one: Moments, other: Moments) -> Moments:
    """Two sets of units as one."""
    n = one.n + other.n
    step = other.mean - one.mean
    between = np.outer(step, step) * one.n * other.n / n
    within = one.covariance * (one.n - 1) + other.covariance * (other.n - 1)
    return Moments(one.columns, n, one.mean + step * other.n / n, (within + between) / (n - 1))
