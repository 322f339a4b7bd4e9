"""The pairs of systems that tests compare: their differences case by case, means, deviations and ranks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.shared import shared_cases
from plumbline.comparison.significance.result import Remark, as_scores
from plumbline.large import gathered, known_values, made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

DIGITS: Final = 12
"""Significant digits, relative to the largest score of the two systems, to which differences are told apart."""
BLOCK: Final = 2**20
"""How many numbers one step holds in memory (8 MB)."""
IN_CACHE: Final = 2**17
"""How many numbers are best looked at together if several steps follow each other (1 MB)."""
FEWEST_FOR_A_VARIANCE: Final = 2
MANY: Final = 2**22
"""Differences from which on matrix products are used instead of sums over every difference."""
ALIKE: Final = 1e-3
"""Systems whose differences vary by less than this share of their own variance are summed difference by difference."""
SMALL: Final = 1e-4
"""So are those whose differences vary by less than this share of the scores, since the scores carry few of their digits."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of systems, each once, and their differences in blocks of bounded size."""

    values: NDArray[np.float64]
    """Scores `[system, case]`, higher is better, NaN where there is none."""
    a: NDArray[np.intp] = field(init=False)
    b: NDArray[np.intp] = field(init=False)

    def __post_init__(self) -> None:
        a, b = np.triu_indices(len(self.values), 1)
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "b", b)

    @classmethod
    def of(cls, values: ArrayLike | Pairs) -> Pairs:
        """The pairs of a table of finite scores; pairs stay as they are, with what is known of them."""
        return values if isinstance(values, Pairs) else cls(as_scores(values))

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Where there is a score, `[system, case]`."""
        return known_values(self.values)

    @cached_property
    def complete(self) -> bool:
        """Whether every system has every score."""
        return bool(self.known.all())

    @cached_property
    def filled(self) -> NDArray[np.float64]:
        """The scores with 0 where there is none."""
        if self.complete:
            return self.values
        return made(self.values.shape, lambda rows: np.where(self.known[rows], self.values[rows], 0.0))

    @cached_property
    def scale(self) -> NDArray[np.float64]:
        """The largest absolute score of the two systems, for each pair."""
        largest = gathered(self.values.shape, lambda rows: np.abs(self.filled[rows]).max(axis=1, initial=0.0))
        return np.asarray(np.maximum(largest[self.a], largest[self.b]))

    @cached_property
    def cases(self) -> NDArray[np.int64]:
        """On how many cases both have a score, for each pair."""
        return shared_cases(self.known)[self.a, self.b]

    @cached_property
    def moments(self) -> Moments:
        """Mean and standard deviation of the differences of all pairs."""
        return _moments(self)

    def blocks(self) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Some pairs and their differences a - b, `[pair, case]`; NaN where one has no score."""
        step = max(1, min(BLOCK, IN_CACHE) // max(self.values.shape[1], 1))
        for start in range(0, len(self), step):
            some = slice(start, min(start + step, len(self)))
            yield some, self.differences(some)

    def differences(self, some: slice | NDArray[np.intp]) -> NDArray[np.float64]:
        """The differences a - b of some pairs, `[pair, case]`."""
        return np.asarray(self.values[self.a[some]] - self.values[self.b[some]])

    def some_blocks(self, these: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """The same for chosen pairs, given by their numbers."""
        step = max(1, min(BLOCK, IN_CACHE) // max(self.values.shape[1], 1))
        for start in range(0, len(these), step):
            some = these[start : start + step]
            yield some, self.differences(some)

    def missing(self, differences: NDArray[np.float64]) -> NDArray[np.bool_] | NDArray[np.intp]:
        """An index of the differences that have no value; it is empty if every system has every score."""
        return np.zeros(0, dtype=np.intp) if self.complete else np.isnan(differences)

    def steps(self, some: slice | NDArray[np.intp], differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differences as whole numbers of steps of the last significant digit; where one has no score, still NaN.

        Scores carry noise of the last binary digits: 0.3 - 0.2 and 0.2 - 0.1 differ. So differences that agree to 12
        significant digits, counted from the largest absolute score of the two systems, are equal, and 0 if they round to it.
        """
        return steps_of(differences, self.scale[some])

    def remark(self, where: NDArray[np.bool_], statement: str, counts: NDArray[np.int64] | None = None) -> Remark:
        """A statement that is true of some pairs; `where` and `counts` have a number for each pair."""
        total = None if counts is None else self.symmetric(counts, 0.0).astype(np.int64)
        return Remark(self.symmetric(where, 0.0).astype(np.bool_), statement, total)

    def symmetric(self, flat: NDArray[np.generic], diagonal: float = 1.0) -> NDArray[np.float64]:
        """A number for each pair as a table, the same from both sides."""
        return self.table(flat, flat, diagonal)

    def antisymmetric(self, flat: NDArray[np.float64], diagonal: float = 0.0) -> NDArray[np.float64]:
        """A number for each pair as a table, with the other sign from the other side."""
        return self.table(flat, -flat, diagonal)

    def table(self, forward: NDArray[np.generic], backward: NDArray[np.generic], diagonal: float) -> NDArray[np.float64]:
        """Numbers for a against b and for b against a as a table."""
        systems = len(self.values)
        out = np.full((systems, systems), diagonal)
        out[self.a, self.b] = forward
        out[self.b, self.a] = backward
        return out

    def counts(self) -> NDArray[np.int64]:
        """On how many cases both have a score, as a table; on the diagonal those of the system itself."""
        out = self.symmetric(self.cases, 0.0).astype(np.int64)
        np.fill_diagonal(out, self.known.sum(axis=1))
        return out


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and standard deviation of the differences, a number for each pair."""

    mean: NDArray[np.float64]
    """Exactly 0 where it is 0 but for rounding; NaN without a case."""
    deviation: NDArray[np.float64]
    """With n - 1; exactly 0 where all differences are equal but for rounding; NaN with fewer than two cases."""
    zero: NDArray[np.bool_]
    """Whether there are cases and all differences are 0 but for rounding."""


def _moments(pairs: Pairs) -> Moments:
    """Mean and standard deviation of all pairs' differences, without loss when differences are small.

    Of many scores without gaps they come from matrix products, and the pairs for which these lose digits from two passes.
    """
    out = Moments(np.full(len(pairs), np.nan), np.full(len(pairs), np.nan), np.zeros(len(pairs), dtype=bool))
    if not by_products(pairs):
        for some, differences in pairs.blocks():
            _set_moments(pairs, out, some, differences)
        return out
    products = Products.of(pairs)
    out.mean[:], out.deviation[:] = products.mean, np.sqrt(products.squares / (pairs.values.shape[1] - 1)) * products.unit
    out.mean[np.abs(out.mean) <= SAME * pairs.scale] = 0.0
    for these, differences in pairs.some_blocks(products.inexact):
        _set_moments(pairs, out, these, differences)
    return out


def _set_moments(pairs: Pairs, out: Moments, some: slice | NDArray[np.intp], d: NDArray[np.float64]) -> None:
    """The moments of some pairs in two passes; their differences are overwritten."""
    missing = pairs.missing(d)
    counted = pairs.cases[some]
    d[missing] = 0.0
    largest = farthest(d)
    unit = np.where(largest > 0, largest, 1.0)  # squares of very large or small differences leave the range
    np.divide(d, unit[:, None], out=d)
    centre = _shares(d.sum(axis=1), counted, 1)
    np.subtract(d, centre[:, None], out=d)
    d[missing] = 0.0
    spread = np.sqrt(_shares(np.einsum("ij,ij->i", d, d), counted - 1, 1)) * unit
    limit = SAME * pairs.scale[some]
    with np.errstate(invalid="ignore"):
        out.mean[some] = np.where(np.abs(centre * unit) <= limit, 0.0, centre * unit)
        out.deviation[some] = np.where(spread <= limit, 0.0, spread)
    out.zero[some] = (largest <= limit) & (counted > 0)


def by_products(pairs: Pairs) -> bool:
    """Whether matrix products are worth it: no score is missing, and there are many."""
    return pairs.complete and len(pairs) * pairs.values.shape[1] > MANY and pairs.values.shape[1] >= FEWEST_FOR_A_VARIANCE


@dataclass(frozen=True, eq=False)
class Products:
    """Sums over cases for all pairs at once: what each case has in common is taken off, then each system's mean."""

    centred: NDArray[np.float64]
    """`[system, case]`, in units of the largest."""
    unit: float
    mean: NDArray[np.float64]
    """Of the differences of each pair, in the unit of the scores."""
    squares: NDArray[np.float64]
    """The sum of squares of the centred differences, for each pair."""
    inexact: NDArray[np.intp]
    """Pairs so alike that their sums lose digits: they have to be summed directly."""

    @classmethod
    def of(cls, pairs: Pairs) -> Products:
        """The sums of a complete table."""
        common = pairs.values.mean(axis=0)
        centred = made(pairs.values.shape, lambda rows: pairs.values[rows] - common)
        means = centred.mean(axis=1)
        centred -= means[:, None]
        unit = max(float(centred.max()), -float(centred.min())) or 1.0
        centred /= unit
        squared_norms = np.einsum("ij,ij->i", centred, centred)
        both = squared_norms[pairs.a] + squared_norms[pairs.b]
        squares = both - 2.0 * (centred @ centred.T)[pairs.a, pairs.b]
        squares = np.maximum(squares, 0.0)
        rounded = np.sqrt(squares / centred.shape[1]) * unit < SMALL * pairs.scale
        inexact = np.flatnonzero(~(squares > ALIKE * both) | rounded | (both < np.finfo(float).tiny / ALIKE))
        return cls(centred, unit, means[pairs.a] - means[pairs.b], squares, inexact)


def farthest(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest absolute value of each row."""
    return np.asarray(np.maximum(differences.max(axis=1, initial=0.0), -differences.min(axis=1, initial=0.0)))


def _shares(sums: NDArray[np.float64], by: NDArray[np.int64], fewest: int) -> NDArray[np.float64]:
    return np.asarray(np.divide(sums, by, out=np.full(sums.shape, np.nan), where=by >= fewest))


def win_counts(pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many cases a wins and how many b wins, for each pair."""
    won, lost = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)
    for some, differences in pairs.blocks():
        steps = pairs.steps(some, differences)
        won[some] = np.count_nonzero(steps > 0, axis=1)
        lost[some] = np.count_nonzero(steps < 0, axis=1)
    return won, lost


def steps_of(values: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values as whole numbers of steps of the last significant digit, counted from the scale of their row."""
    exponent = np.floor(np.log10(scale, out=np.zeros_like(scale), where=scale > 0)) + 1
    step = np.maximum(10.0 ** (exponent - DIGITS), np.finfo(float).tiny)
    return np.asarray(np.rint(values / step[:, None]))


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ranks of each row, 1 for the smallest; equal values share the mean of their ranks. NaN has no rank: it gets 0."""
    rows, columns = values.shape
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    opens = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=opens[:, 1:])
    starts = np.flatnonzero(opens)
    lengths = np.diff(starts, append=rows * columns)
    ranks = np.empty(values.shape)
    shared = np.repeat(starts % max(columns, 1) + (lengths + 1) / 2, lengths).reshape(values.shape)
    np.put_along_axis(ranks, order, np.where(np.isnan(ordered), 0.0, shared), axis=1)
    return ranks
