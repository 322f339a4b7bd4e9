"""Paired randomization: the answers of two systems are exchanged, unit by unit, in all ways or in ways drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.pairs import BLOCK
from plumbline.comparison.units.grouping import grouped, keys_of, sparse_counts
from plumbline.comparison.units.outcomes import Lists
from plumbline.lazily import special

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.comparison.units.outcomes import Outcomes

    Numbers = NDArray[np.float64]
    Integers = NDArray[np.int64]

MOST_EXACT: Final = 2**16
"""Up to this many different results of exchanging units, all of them are computed."""


@dataclass(frozen=True, eq=False)
class Swaps:
    """All ways to exchange the answers of two systems.

    Units that would change the counts in the same way, or in exactly the opposite one, are one group: how many of a group's
    units have their answers one way round is binomial, so that 1,000 units of a filter are two numbers.
    """

    outcomes: Outcomes
    a: int
    b: int
    unit: Integers
    """The unit of each item."""

    @cached_property
    def _columns(self) -> tuple[Integers, Integers, Integers]:
        """Every pair of case and code that occurs, and the number of that of each item by a and by b."""
        codes, case = self.outcomes.codes, self.outcomes.case
        width = int(codes.max(initial=0)) + 1
        both = np.stack([case * width + codes[system] for system in (self.a, self.b)])
        columns, number = np.unique(both, return_inverse=True)
        of_a, of_b = number.reshape(both.shape)
        return columns, of_a, of_b

    @cached_property
    def _groups(self) -> tuple[Integers, Integers, Numbers]:
        """How many units each group has, how many of them are the other way round, and what one changes `[group, column]`."""
        columns, of_a, of_b = self._columns
        marks = np.random.default_rng(0).integers(1, 2**64, size=len(columns), dtype=np.uint64)
        unit = self.unit
        units, key = keys_of(unit, marks[of_b] - marks[of_a])
        forward = np.minimum(key, -key)
        turned = key != forward
        group, first, sizes = grouped(forward)
        changes = key[first] != 0
        number = np.cumsum(changes) - 1
        representative = units[first[changes]]
        ups = sparse_counts(unit, of_b, representative, len(columns))
        downs = sparse_counts(unit, of_a, representative, len(columns))
        one = (ups - downs).multiply(np.where(turned[first[changes]], -1.0, 1.0)[:, None]).tocsr()
        different = changes[group]
        back = np.bincount(number[group[different]], weights=turned[different], minlength=len(representative))
        return sizes[changes], back.astype(np.int64), one

    @property
    def sizes(self) -> Integers:
        """How many units each group has; units on which both systems agree are in none."""
        return self._groups[0]

    @property
    def observed(self) -> Integers:
        """How many units of each group are the other way round as things are."""
        return self._groups[1]

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(np.unique(self.unit))

    @property
    def results(self) -> float:
        """How many different results there are."""
        return results_of(self.sizes)

    def values(self, exchanged: Integers) -> Iterator[tuple[slice, Numbers]]:
        """Some rows of `exchanged`, `[draw, group]`, and the values of both systems, `[measure, 2, draw, case]`."""
        columns, of_a, of_b = self._columns
        of_both = [np.bincount(number, minlength=len(columns)).astype(np.float64) for number in (of_a, of_b)]
        _, back, one = self._groups
        start = of_both[0] - one.T @ back
        width = int(self.outcomes.codes.max(initial=0)) + 1
        cases = np.unique(columns // width)
        step = max(1, BLOCK // max(len(columns), 1))
        for low in range(0, len(exchanged), step):
            some = slice(low, min(low + step, len(exchanged)))
            counts = start + (one.T @ exchanged[some].T).T
            parts = []
            for case in cases:
                columns_of_case = slice(*np.searchsorted(columns, [case * width, (case + 1) * width]))
                codes = columns[columns_of_case] - case * width
                first = counts[:, columns_of_case]
                second = (of_both[0] + of_both[1])[columns_of_case] - first
                parts.append(self.outcomes.values([Lists(first, codes), Lists(second, codes)]))
            yield some, np.stack(parts, axis=3)

    def every(self) -> tuple[Integers, Numbers]:
        """All results, as how many units of each group are exchanged, with their probabilities."""
        return every_result(self.sizes)

    def drawn(self, resamples: int, seed: int) -> Integers:
        """Results drawn at random, `[draw, group]`."""
        generator = np.random.default_rng(seed)
        alone = self.sizes == 1
        out = np.empty((resamples, len(alone)), dtype=np.int64)
        bits = generator.integers(0, 256, size=(resamples, -(-int(alone.sum()) // 8)), dtype=np.uint8)
        out[:, alone] = np.unpackbits(bits, axis=1, count=int(alone.sum()))
        out[:, ~alone] = generator.binomial(self.sizes[~alone], 0.5, size=(resamples, int((~alone).sum())))
        return out


def results_of(sizes: Integers) -> float:
    """How many different results the groups of these sizes have; infinite if that is no number."""
    with np.errstate(over="ignore"):
        return float(np.prod(sizes + 1.0))


def every_result(sizes: Integers) -> tuple[Integers, Numbers]:
    """All numbers of exchanged units of groups of these sizes, `[result, group]`, with their probabilities."""
    count = int(np.prod(sizes + 1))
    numbers = np.empty((count, len(sizes)), dtype=np.int64)
    logarithm = np.zeros(count)
    repeat = count
    for group, size in enumerate(sizes.tolist()):
        repeat //= size + 1
        k = np.arange(size + 1)
        chance = special.gammaln(size + 1) - special.gammaln(k + 1) - special.gammaln(size - k + 1) - size * np.log(2.0)
        at = np.arange(count) // repeat % (size + 1)
        numbers[:, group] = at
        logarithm += chance[at]
    return numbers, np.exp(logarithm)
