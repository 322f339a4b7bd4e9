"""Means over cases, from which undefined values are left out, and ranks by a mean."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.large import gathered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from plumbline.metrics.registry import Average

LEAST_FOR_GEOMETRIC: Final = 0.00001
"""The floor of the geometric mean, so that one 0 does not make the mean 0; it is that of trec_eval."""
SAME: Final = 1e-12
"""Means that differ by up to this share of the largest number behind them are equal but for rounding."""


def summaries(values: NDArray[np.float64], first: NDArray[np.int64], kinds: Sequence[Average]) -> NDArray[np.float64]:
    """One value from the defined values of each stretch of each row, NaN if it has none.

    A row has its own kind of average; `first` is where each stretch starts, and where the last one ends. Sums are exact: a
    mean does not depend on the order of cases, nor on how they were split among machines.
    """
    known = ~np.isnan(values)
    numbers = np.where(known, values, 0.0)
    geometric = [at for at, kind in enumerate(kinds) if kind == "geometric"]
    if geometric:
        numbers[geometric] = np.where(known[geometric], np.log(np.maximum(numbers[geometric], LEAST_FOR_GEOMETRIC)), 0.0)
    some = np.flatnonzero(first[1:] - first[:-1])
    totals, counts = np.zeros((2, len(values), len(first) - 1))
    if len(some) and len(values):
        totals = exact_sums(numbers, first)
        counts[:, some] = np.add.reduceat(known, first[some], axis=1, dtype=np.float64)
    counts[counts == 0] = np.nan
    means = totals / counts
    for at, kind in enumerate(kinds):
        if kind == "sum":
            means[at] = np.where(np.isnan(counts[at]), np.nan, totals[at])
    if geometric:
        means[geometric] = np.exp(means[geometric])
    return means


def mean_of_known(values: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """The mean of the numbers that are there, NaN if none is; it exists even where their sum is too large for the machine."""
    if axis != -1 or values.ndim == 1 or not values.size:
        return _mean_of_known(values, axis)
    if values.ndim > 2:  # noqa: PLR2004 - tables
        return np.stack([mean_of_known(table) for table in values])
    return gathered(values.shape, lambda rows: _mean_of_known(values[rows], axis))


def _mean_of_known(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    known = ~np.isnan(values)
    filled, count = np.where(known, values, 0.0), known.sum(axis=axis)
    with np.errstate(over="ignore", invalid="ignore"):
        sums = filled.sum(axis=axis)
        means = np.asarray(np.divide(sums, count, out=np.full(sums.shape, np.nan), where=count > 0))
        if np.isfinite(sums).all():
            return means
        parts = filled / np.maximum(np.expand_dims(count, axis), 1)
        return np.where(np.isfinite(sums), means, parts.sum(axis=axis))


def exact_sums(numbers: NDArray[np.float64], first: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sum of each stretch, rounded once, so that neither the order of numbers nor any cutting changes it; 0 if empty."""
    sizes = first[1:] - first[:-1]
    totals = np.zeros((len(numbers), len(sizes)))
    some = np.flatnonzero(sizes)
    if sizes.max(initial=0) <= 2:  # noqa: PLR2004 - the sum of two numbers is rounded once anyway
        totals[:, some] = np.add.reduceat(numbers, first[some], axis=1)
        return totals
    ends = list(zip(first[some].tolist(), first[some + 1].tolist(), strict=True))
    for row, total in zip(numbers, totals, strict=True):
        values = row.tolist()
        total[some] = [fsum(values[start:stop]) for start, stop in ends]
    return totals


def levels(values: ArrayLike, same: float = 0.0, scale: ArrayLike | None = None) -> NDArray[np.int64]:
    """Whole numbers in the same order, 0 for the lowest; neighbours that differ by up to `same` of their `scale` are tied.

    The scale of two neighbours is the larger one of theirs; if none is given, the largest of all values.
    """
    given = np.asarray(values, dtype=np.float64)
    sizes = np.abs(given if scale is None else np.asarray(scale, dtype=np.float64))
    sizes = np.where(np.isfinite(sizes), sizes, 0.0)
    order = np.lexsort((sizes, given))
    ordered, sizes = given[order], np.full(given.shape, sizes.max(initial=0.0)) if scale is None else sizes[order]
    with np.errstate(invalid="ignore"):  # two that are infinite are equal
        apart = ordered[1:] - ordered[:-1] > same * np.maximum(sizes[1:], sizes[:-1])
    result = np.empty(len(given), dtype=np.int64)
    result[order] = np.cumsum(np.concatenate([[0], apart])[: len(given)])
    return result


def ranks(means: ArrayLike, *, lower: bool = False, scale: ArrayLike | None = None) -> list[int | None]:
    """The rank of each mean, 1 for the best; means that differ only by rounding share a rank, and NaN has none.

    `scale` is the size of the numbers behind each mean; if none is given, the largest of the means.
    """
    given = np.asarray(means, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(given))
    level = levels(given[known] if lower else -given[known], SAME, None if scale is None else np.asarray(scale)[known])
    better = np.searchsorted(np.sort(level), level)
    result: list[int | None] = [None] * len(given)
    for at, count in zip(known.tolist(), better.tolist(), strict=True):
        result[at] = count + 1
    return result


def best_first(ranked: list[int | None]) -> list[int]:
    """The positions of a list of ranks, best first; ties stay in their order, and positions without a rank come last."""
    return sorted(range(len(ranked)), key=lambda at: ranked[at] or len(ranked) + 1)
