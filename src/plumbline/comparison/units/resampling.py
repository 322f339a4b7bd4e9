"""Bootstrap over items: units are drawn with replacement, the same for all systems; where there are cases, these first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.pairs import BLOCK
from plumbline.comparison.units.grouping import keys_of, sparse_counts
from plumbline.comparison.units.outcomes import Lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.comparison.units.outcomes import Outcomes

    Numbers = NDArray[np.float64]
    Integers = NDArray[np.int64]

_WORTH_GROUPING = 8
"""Units are drawn group by group where there are at least so many times as many units as groups."""


@dataclass(frozen=True, eq=False)
class Pool:
    """The units that draws are made from; units of a stratum that count alike for all systems are one group."""

    outcomes: Outcomes
    unit: Integers
    """The unit of each item."""
    items: Integers
    """The items of the pool."""
    stratum: Integers | None
    """A number for each item of the pool, if the numbers of units in each stratum are kept; it is the same within a unit."""

    @cached_property
    def _groups(self) -> tuple[Integers, Integers, Integers]:
        """The stratum, the size and one unit of each group, in the order of strata."""
        codes = self.outcomes.codes[:, self.items]
        generator = np.random.default_rng(0)
        unit, width = self.unit[self.items], int(codes.max(initial=0)) + 1
        case = self.outcomes.case[self.items]
        marks = np.zeros(len(unit), dtype=np.uint64)
        _, of_case = np.unique(case, return_inverse=True)
        for of_system in codes:
            mark = generator.integers(1, 2**64, size=(int(of_case.max(initial=0)) + 1, width), dtype=np.uint64)
            marks += mark[of_case, of_system]
        units, keys = keys_of(unit, marks)
        strata = np.zeros(len(units), dtype=np.int64)
        if self.stratum is not None:
            _, first = np.unique(unit, return_index=True)
            strata = self.stratum[first]
        pairs = np.stack([strata.astype(np.uint64), keys])
        _, first, sizes = np.unique(pairs, axis=1, return_index=True, return_counts=True)
        return strata[first], sizes.astype(np.int64), units[first]

    @cached_property
    def _strata(self) -> list[Integers]:
        """The sizes of the groups of each stratum."""
        strata, sizes, _ = self._groups
        return [sizes[strata == stratum] for stratum in np.unique(strata)]

    def weights(self, generator: np.random.Generator, draws: int) -> Numbers:
        """How often units of each group are drawn, `[draw, group]`: in each stratum as many as there are."""
        parts = []
        for sizes in self._strata:
            if _worth_grouping(sizes):
                parts.append(generator.multinomial(sizes.sum(), sizes / sizes.sum(), size=draws))
                continue
            group = np.repeat(np.arange(len(sizes)), sizes)
            drawn = group[generator.integers(0, len(group), size=(draws, len(group)))] + np.arange(draws)[:, None] * len(sizes)
            parts.append(np.bincount(drawn.ravel(), minlength=draws * len(sizes)).reshape(draws, -1))
        return np.concatenate(parts, axis=1).astype(np.float64)

    @cached_property
    def _counts(self) -> list[list[tuple[object, Integers]]]:
        """For each case and system, what one unit of each group adds to the counts, and the codes of the columns."""
        _, _, wanted = self._groups
        made = []
        for case in np.unique(self.outcomes.case[self.items]):
            inside = self.items[self.outcomes.case[self.items] == case]
            of_case = []
            for of_system in self.outcomes.codes:
                codes, column = np.unique(of_system[inside], return_inverse=True)
                of_case.append((sparse_counts(self.unit[inside], column, wanted, len(codes)), codes))
            made.append(of_case)
        return made

    def draws_at_once(self) -> int:
        """How many draws fit into one block."""
        codes = sum(len(codes) for of_case in self._counts for _, codes in of_case)
        drawn = max(len(sizes) if _worth_grouping(sizes) else int(sizes.sum()) for sizes in self._strata)
        return max(1, BLOCK // max(codes, drawn, 1))

    def values(self, generator: np.random.Generator, draws: int) -> Numbers:
        """The values of all systems in so many draws, `[measure, system, draw, case]`."""
        blocks, step = [], self.draws_at_once()
        for start in range(0, draws, step):
            weights = self.weights(generator, min(step, draws - start))
            parts = []
            for of_case in self._counts:
                lists = [Lists((counts.T @ weights.T).T, codes) for counts, codes in of_case]  # type: ignore[attr-defined]  # a sparse matrix
                parts.append(self.outcomes.values(lists))
            blocks.append(np.stack(parts, axis=3))
        return np.concatenate(blocks, axis=2)


def _worth_grouping(sizes: Integers) -> bool:
    """Whether drawing how often each group occurs is faster than drawing single units."""
    return len(sizes) * _WORTH_GROUPING <= int(sizes.sum())


def resampled(
    outcomes: Outcomes, unit: Integers, *, stratified: bool, resamples: int, seed: int
) -> Iterator[tuple[slice, Numbers]]:
    """Blocks of draws: which, and the values `[measure, system, draw, case]`.

    If every unit lies in one case, cases are drawn first and units within them; otherwise cases stay and units are drawn.
    """
    generator = np.random.default_rng(seed)
    cases = np.unique(outcomes.case)
    everything = np.arange(len(outcomes.case))
    if len(cases) == 1 or spans_cases(outcomes, unit):
        pool = Pool(outcomes, unit, everything, outcomes.stratum if stratified else None)
        step = max(1, min(resamples, BLOCK // max(1, len(cases) * outcomes.codes.shape[0] * len(outcomes.measures))))
        for start in range(0, resamples, step):
            some = slice(start, min(start + step, resamples))
            yield some, pool.values(generator, some.stop - some.start)
        return
    pools = [
        Pool(outcomes, unit, inside, outcomes.stratum[inside] if stratified else None)
        for inside in (np.flatnonzero(outcomes.case == case) for case in cases)
    ]
    step = max(1, min(resamples, BLOCK // max(1, len(cases) * outcomes.codes.shape[0] * len(outcomes.measures))))
    for start in range(0, resamples, step):
        some = slice(start, min(start + step, resamples))
        place = generator.integers(0, len(cases), size=(some.stop - some.start, len(cases)))
        values = np.empty((len(outcomes.measures), len(outcomes.codes), *place.shape))
        for number, pool in enumerate(pools):
            here = place == number
            if here.any():
                values[:, :, here] = pool.values(generator, int(here.sum()))[:, :, :, 0]
        yield some, values


def observed(outcomes: Outcomes) -> Numbers:
    """The values of all systems as things are, `[measure, system, 1, case]`."""
    parts = []
    for case in np.unique(outcomes.case):
        counted = [np.unique(codes[outcomes.case == case], return_counts=True) for codes in outcomes.codes]
        parts.append(outcomes.values([Lists(count[None].astype(np.float64), codes) for codes, count in counted]))
    return np.stack(parts, axis=3)


def spans_cases(outcomes: Outcomes, unit: Integers) -> bool:
    """Whether a unit has items in several cases."""
    pairs = np.unique(np.stack([unit, outcomes.case]), axis=1)
    return bool(len(np.unique(pairs[0])) < pairs.shape[1])
