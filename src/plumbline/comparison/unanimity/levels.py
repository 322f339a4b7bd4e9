"""Small whole numbers in place of scores: who only asks which of two is higher needs no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.average import SAME

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Levels = NDArray[np.unsignedinteger[Any]]

_HUNDREDTHS: Final = 100.0
_SPAN: Final = 255
"""Hundredths from the lowest score of a case to the highest, at most: larger numbers have more bits than ranks."""
_SURE: Final = 1e9
"""Up to here a hundredth is far more than what rounding adds."""
_AT_ONCE: Final = 2**17
"""Scores in one step, about, which stay in the cache."""


def levels(values: Numbers) -> Levels:
    """The values `[system, case]` as whole numbers from 0: in the same order within each case, equal where they are equal.

    Neighbours in this order that differ by no more than rounding are equal.
    """
    count, cases = values.shape
    level = np.empty(values.shape, dtype=np.min_scalar_type(max(count - 1, _SPAN)))
    step = max(1, _AT_ONCE // count)
    for start in range(0, cases, step):
        some = slice(start, start + step)
        hundredths = _hundredths(values[:, some])
        level[:, some] = _ranks(values[:, some]) if hundredths is None else hundredths
    return level


def _hundredths(values: Numbers) -> Numbers | None:
    """By how many hundredths a score exceeds the lowest of its case, if all are whole hundredths: much faster than ranks."""
    with np.errstate(over="ignore", invalid="ignore"):
        whole = np.rint(values * _HUNDREDTHS)
        if not np.array_equal(whole / _HUNDREDTHS, values):
            return None
        lowest = whole.min(axis=0)
        whole -= lowest
    return whole if whole.max() <= _SPAN and np.abs(lowest).max() <= _SURE else None


def _ranks(values: Numbers) -> Levels:
    """How many different values of the case are lower."""
    rows = np.ascontiguousarray(values.T)
    order = rows.argsort(axis=1)
    order += np.arange(0, rows.size, rows.shape[1])[:, None]
    ordered = rows.take(order)
    level = np.zeros(rows.shape, dtype=np.min_scalar_type(len(values)))
    slack = rounding(ordered)
    with np.errstate(over="ignore", invalid="ignore"):  # two that are infinite are equal
        apart = np.diff(ordered, axis=1) > np.maximum(slack[:, 1:], slack[:, :-1])
    np.cumsum(apart, axis=1, dtype=level.dtype, out=level[:, 1:])
    ranks = np.empty(rows.size, dtype=level.dtype)
    ranks[order] = level
    return np.asarray(ranks.reshape(rows.shape).T)


def rounding(values: Numbers) -> Numbers:
    """By how much another value may differ from each of these and be equal but for rounding."""
    return np.asarray(SAME * np.abs(np.where(np.isfinite(values), values, 0.0)))
