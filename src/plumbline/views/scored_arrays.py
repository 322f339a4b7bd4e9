"""The view of scored filters as arrays, for very many lists whose items have the same few scores.

A metric is written once, as arithmetic on a view. On `Scored` it makes an expression of polars; on `ScoredArrays` the same
formula is computed at once, with a row for each score and a column for each list. What arrays cannot do raises `TypeError` or
`AttributeError`, and the metric is computed by polars instead.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Array = NDArray[Any]

_CHUNK: Final = 16
"""Running sums are made of so many rows at a time, for all lists and chunks at once."""


class Cells:
    """Numbers `[score, list]`, `[score, 1]` or `[list]`, with the operators that formulas use."""

    __hash__ = None  # type: ignore[assignment]  # as for arrays
    __array_ufunc__ = None

    def __init__(self, view: ScoredArrays, array: Array, *, vanishing: bool = False) -> None:
        """`vanishing` says that a number is 0 or not a number where the list has no item with the score."""
        self.view, self.array, self.vanishing = view, array, vanishing

    def _with(self, other: Any, do: Callable[..., Array], *, turned: bool = False, vanishing: bool = False) -> Cells:  # noqa: ANN401 - cells or a number
        if not isinstance(other, (Cells, int, float)):
            raise TypeError(type(other).__name__)
        right = other.array if isinstance(other, Cells) else other
        return Cells(self.view, do(right, self.array) if turned else do(self.array, right), vanishing=vanishing)

    def __add__(self, other: object) -> Cells:
        return self._with(other, np.add, vanishing=self.vanishing and _vanishes(other))

    def __radd__(self, other: object) -> Cells:
        return self._with(other, np.add)

    def __sub__(self, other: object) -> Cells:
        return self._with(other, np.subtract, vanishing=self.vanishing and _vanishes(other))

    def __rsub__(self, other: object) -> Cells:
        return self._with(other, np.subtract, turned=True)

    def __mul__(self, other: object) -> Cells:
        return self._with(other, np.multiply, vanishing=self.vanishing or _vanishes(other))

    def __rmul__(self, other: object) -> Cells:
        return self._with(other, np.multiply, vanishing=self.vanishing)

    def __truediv__(self, other: object) -> Cells:
        return self._with(other, self.view.divided, vanishing=self.vanishing)

    def __rtruediv__(self, other: object) -> Cells:
        return self._with(other, self.view.divided, turned=True)

    def __pow__(self, other: object) -> Cells:
        return self._with(other, np.power)

    def __lt__(self, other: object) -> Cells:
        return self._with(other, np.less)

    def __le__(self, other: object) -> Cells:
        return self._with(other, np.less_equal)

    def __gt__(self, other: object) -> Cells:
        return self._with(other, np.greater)

    def __ge__(self, other: object) -> Cells:
        return self._with(other, np.greater_equal)

    def __and__(self, other: object) -> Cells:
        return self._with(other, np.bitwise_and)

    def __or__(self, other: object) -> Cells:
        return self._with(other, np.bitwise_or)

    def __neg__(self) -> Cells:
        return Cells(self.view, np.negative(self.array), vanishing=self.vanishing)

    def __bool__(self) -> bool:
        raise TypeError

    def sqrt(self) -> Cells:
        """The root of each number."""
        return Cells(self.view, np.sqrt(self.array))

    def log(self) -> Cells:
        """The natural logarithm of each number."""
        return Cells(self.view, np.log(self.array))

    def clip(self, low: float, high: float) -> Cells:
        """Each number, or the end of the range that it leaves."""
        return Cells(self.view, np.clip(self.array, low, high))

    def sum(self) -> Cells:
        """For each list the sum over the scores that its items have."""
        if self.array.ndim == 1:
            raise TypeError
        return Cells(self.view, self.view.total(self.array, vanishing=self.vanishing))


def _vanishes(other: object) -> bool:
    return isinstance(other, Cells) and other.vanishing


class ScoredArrays:
    """What `Scored` offers, for lists that are given by how many positive and negative items each score has."""

    def __init__(self, scores: Numbers, positives: Numbers, negatives: Numbers) -> None:
        """`scores` in descending order `[score]`; both counts `[score, list]`, and many may be 0."""
        self.scores, self._positives, self._negatives = scores, positives, negatives
        self.needs_probabilities = False

    @cached_property
    def positives(self) -> Cells:
        """Positive items with this score."""
        return Cells(self, self._positives, vanishing=True)

    @cached_property
    def negatives(self) -> Cells:
        """Negative items with this score."""
        return Cells(self, self._negatives, vanishing=True)

    @cached_property
    def accepted_positives(self) -> Cells:
        """Positive items with this score or a higher one."""
        return Cells(self, running_sums(self._positives))

    @cached_property
    def accepted_negatives(self) -> Cells:
        """Negative items with this score or a higher one."""
        return Cells(self, running_sums(self._negatives))

    @cached_property
    def P(self) -> Cells:
        """The positive items of each list."""
        return self.positives.sum()

    @cached_property
    def N(self) -> Cells:
        """The negative items of each list."""
        return self.negatives.sum()

    @property
    def all_positives(self) -> Cells:
        """The same for every score."""
        return self.P

    @property
    def all_negatives(self) -> Cells:
        """The same for every score."""
        return self.N

    @property
    def probability(self) -> Cells:
        """The score as a probability; an item without a score is as wrong as it can be."""
        self.needs_probabilities = True
        return Cells(self, np.clip(self.scores, 0.0, 1.0)[:, None])

    @cached_property
    def _absent(self) -> Numbers:
        """1 where a list has no item with a score, 0 elsewhere."""
        return np.asarray((self._positives + self._negatives == 0).astype(np.float64))

    @cached_property
    def _present(self) -> Numbers:
        return np.asarray(1.0 - self._absent)

    def divided(self, upper: Array, lower: Array) -> Array:
        """Quotients; those of absent scores, which nobody asks for, are kept from being 0 / 0."""
        each = np.ndim(lower) > 1 and np.shape(lower) == self._positives.shape
        return np.asarray(np.divide(upper, lower + self._absent if each else lower))

    def total(self, array: Array, *, vanishing: bool) -> Numbers:
        """The sum over the scores that occur in each list."""
        values = np.broadcast_to(array, self._positives.shape).astype(np.float64, copy=False)
        sums = np.asarray(values.sum(axis=0) if vanishing else np.einsum("ij,ij->j", values, self._present))
        unknown = ~np.isfinite(sums)
        if unknown.any():
            sums[unknown] = np.where(self._absent[:, unknown] > 0, 0.0, values[:, unknown]).sum(axis=0)
        return sums


def running_sums(counts: Numbers) -> Numbers:
    """The sums of all rows up to each, as `cumsum(axis=0)`: exact for whole numbers, and several times as fast."""
    rows, lists = counts.shape
    if rows <= _CHUNK:
        return counts.cumsum(axis=0)
    padded = np.zeros((-(-rows // _CHUNK) * _CHUNK, lists))
    padded[:rows] = counts
    chunks = padded.reshape(-1, _CHUNK, lists)
    for at in range(1, _CHUNK):
        chunks[:, at] += chunks[:, at - 1]
    chunks[1:] += running_sums(chunks[:-1, -1])[:, None]
    return padded[:rows]
