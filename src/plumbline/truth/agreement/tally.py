"""What every coefficient is made of: sums over units, so that any weighting of the units is one product.

A row of weights says how often each unit counts: all once, those of a case, those of a bootstrap draw. The sums of all rows are
made at once, and coefficients work on all of them at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.truth.agreement.ratings import Ratings

    Numbers = NDArray[np.float64]

MOST_ASSESSORS: Final = 50
"""Above this, the answers of each assessor are not told apart: only Cohen and Conger need that."""
_LARGEST: Final = 2 * 10**7
"""Numbers in the table of all units; a larger one is not made, and every weighting is summed up alone."""
_WIDEST_KEY: Final = 62
"""Bits of a number that tells apart all answers to a unit."""
PAIR: Final = 2


@dataclass(frozen=True, eq=False)
class Tally:
    """Sums over units, a row for each weighting of them; K categories, A assessors."""

    units: Numbers
    """Units with a judgement."""
    shared: Numbers
    """Units with two or more."""
    matches: Numbers
    """`[row, K, K]`: pairs of judgements of a unit, as a share of its pairs."""
    shares: Numbers
    """`[row, K]`: the share of each category among the judgements of a unit."""
    coincidences: Numbers
    """`[row, K, K]`: pairs of judgements of a unit, divided by its judgements less one (Krippendorff)."""
    marginals: Numbers
    """`[row, A, K]`: how often each assessor chose each category; no assessors if there are too many."""
    shared_marginals: Numbers
    """The same, of units with two or more judgements."""

    @property
    def categories(self) -> int:
        """How many categories there are."""
        return int(self.shares.shape[1])

    @property
    def assessors(self) -> int:
        """How many assessors are told apart."""
        return int(self.marginals.shape[1])


@dataclass(frozen=True, eq=False)
class Tallied:
    """Ratings whose sums can be made for any weighting of units."""

    ratings: Ratings

    @cached_property
    def patterns(self) -> tuple[NDArray[np.int64], Ratings, Numbers]:
        """The pattern of each unit, a unit of each pattern, and how many units have it; every unit is one if need be."""
        ratings = self.ratings
        base = len(ratings.categories) + 1
        apart = np.arange(ratings.units), ratings, np.ones(ratings.units)
        if len(ratings.assessors) * np.log2(base) > _WIDEST_KEY or not len(ratings.unit):
            return apart
        terms = (ratings.category + 1) * (base ** np.arange(len(ratings.assessors)))[ratings.assessor]
        keys = np.zeros(ratings.units, dtype=np.int64)
        starts = np.flatnonzero(np.append(True, ratings.unit[1:] != ratings.unit[:-1]))
        keys[ratings.unit[starts]] = np.add.reduceat(terms, starts)
        first, pattern, count = _different(keys, base ** len(ratings.assessors))
        if len(first) == ratings.units:
            return apart
        begin, end = np.searchsorted(ratings.unit, first), np.searchsorted(ratings.unit, first, side="right")
        rows = np.concatenate([np.arange(low, high) for low, high in zip(begin, end, strict=True)])
        some = replace(
            ratings,
            unit=np.repeat(np.arange(len(first)), end - begin),
            assessor=ratings.assessor[rows],
            category=ratings.category[rows],
            case=ratings.case[first],
            items=(),
        )
        return pattern, some, count.astype(np.float64)

    def all_units(self) -> Tally:
        """Every unit once."""
        return self._of_patterns(self.patterns[2][None])

    def by(self, groups: NDArray[np.int64], count: int) -> Tally:
        """A row for each group of units."""
        pattern, some, _ = self.patterns
        weights = np.zeros((count, some.units))
        np.add.at(weights, (groups, pattern), 1.0)
        return self._of_patterns(weights)

    def draws(self, resamples: int, seed: int, groups: NDArray[np.int64] | None = None, count: int = 0) -> Tally:
        """A row for each bootstrap draw of units, or of groups of units."""
        generator = np.random.default_rng(seed)
        pattern, some, each = self.patterns
        if groups is None:
            return self._of_patterns(
                generator.multinomial(int(each.sum()), each / each.sum(), size=resamples).astype(np.float64)
            )
        of_group = np.zeros((count, some.units))
        np.add.at(of_group, (groups, pattern), 1.0)
        drawn = generator.multinomial(count, np.full(count, 1.0 / count), size=resamples).astype(np.float64)
        return self._of_patterns(drawn @ of_group)

    def nudged(self, step: float, groups: NDArray[np.int64] | None = None, count: int = 0) -> Tally:
        """Every unit once, and each unit, or group of units, a little more in one row."""
        pattern, some, each = self.patterns
        if groups is None:
            return self._of_patterns(each[None] + step * np.eye(some.units))
        of_group = np.zeros((count, some.units))
        np.add.at(of_group, (groups, pattern), 1.0)
        return self._of_patterns(each[None] + step * of_group)

    def _of_patterns(self, weights: Numbers) -> Tally:
        some = self.patterns[1]
        size = len(some.categories)
        assessors = len(some.assessors) if len(some.assessors) <= MOST_ASSESSORS else 0
        width = PAIR + 2 * size**2 + size + 2 * assessors * size
        step = max(1, _LARGEST // width)
        sums = np.zeros((len(weights), width))
        for start, block in _blocks(some, step):
            rows = _rows(block, assessors)
            sums += weights[:, start : start + len(rows)] @ rows
        return _split(sums, size, assessors)


def _different(keys: NDArray[np.int64], possible: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each different key, the place of each row's key among them, and how many rows have it."""
    if possible > len(keys):
        _, first, place, count = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        return first, place, count
    every = np.bincount(keys, minlength=possible)
    present = every > 0
    first = np.empty(possible, dtype=np.int64)
    first[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)
    return first[present], (np.cumsum(present) - 1)[keys], every[present]


def _blocks(ratings: Ratings, step: int) -> Iterator[tuple[int, Ratings]]:
    """Some units after the other, each block with its first unit."""
    if ratings.units <= step:
        yield 0, ratings
        return
    for start in range(0, ratings.units, step):
        low, high = np.searchsorted(ratings.unit, [start, start + step])
        yield (
            start,
            replace(
                ratings,
                unit=ratings.unit[low:high] - start,
                assessor=ratings.assessor[low:high],
                category=ratings.category[low:high],
                case=ratings.case[start : start + step],
                items=(),
            ),
        )


def _rows(ratings: Ratings, assessors: int) -> Numbers:
    """What each unit adds to the sums."""
    counts, judged = ratings.counts, ratings.judged
    size = len(ratings.categories)
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, np.arange(size), np.arange(size)] -= counts
    several = judged >= PAIR
    fewer_one = np.where(several, judged - 1, np.inf)
    coincidences = (pairs / fewer_one[:, None, None]).reshape(len(counts), -1)
    known = np.maximum(judged, 1)
    parts = [several[:, None], (judged > 0)[:, None], coincidences / known[:, None], counts / known[:, None], coincidences]
    if assessors:
        flat = (ratings.unit * assessors + ratings.assessor) * size + ratings.category
        answers = np.bincount(flat, minlength=len(counts) * assessors * size).reshape(len(counts), -1).astype(np.float64)
        parts += [answers, answers * several[:, None]]
    return np.concatenate(parts, axis=1)


def _split(sums: Numbers, size: int, assessors: int) -> Tally:
    ends = np.cumsum([1, 1, size**2, size, size**2, assessors * size, assessors * size])
    shared, units, matches, shares, coincidences, marginals, of_shared = np.split(sums, ends[:-1], axis=1)
    square = (len(sums), size, size)
    by_assessor = (len(sums), assessors, size)
    return Tally(
        units[:, 0],
        shared[:, 0],
        matches.reshape(square),
        shares,
        coincidences.reshape(square),
        marginals.reshape(by_assessor),
        of_shared.reshape(by_assessor),
    )


def of_pairs(joint: Numbers) -> Tally:
    """A row for each pair of assessors, from how often both gave each two answers to a unit, `[pair, K, K]`."""
    both = joint.sum(axis=(1, 2))
    first, second = joint.sum(axis=2), joint.sum(axis=1)
    marginals = np.stack([first, second], axis=1)
    symmetric = joint + joint.transpose(0, 2, 1)
    return Tally(both, both, symmetric / 2, (first + second) / 2, symmetric, marginals, marginals)
