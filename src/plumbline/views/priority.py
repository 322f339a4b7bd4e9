"""Reliability over priority: whatever one side puts above something else, the other side should too.

Documents that occur once on both sides are points in two orders, and what they rightly are above and below is a sum over
points before and after (dominance). Documents that occur several times ask for such sums at each pair of their levels, and
only among themselves are they counted pair by pair (repeated).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.align.sides import list_sums, summed
from plumbline.views.dominance import dominance
from plumbline.views.repeated import OfDocuments, repeated
from plumbline.views.weighing import level_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.sides import Side, Sides
    from plumbline.views.weighing import Absent, Weighted

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Prioritised:
    """For each list the Reliability of its relations, and, if requested, what was lost to known causes."""

    value: Numbers
    causes: tuple[Numbers, ...] = ()
    """To documents that the other side lacks, and to its ties."""


def prioritised(
    sides: Sides, weighted: tuple[Weighted, Weighted], absent: Absent, *, credit: bool = False, causes: bool = False
) -> tuple[Prioritised, Prioritised]:
    """Reliability and Sensitivity: x judged by g and g by x, in one pass; `weighted` are those of x and of g.

    `credit` counts every document as rightly above the tail when it is looked at from the document;
    `causes` computes the losses by cause as well.
    """
    times = sides.times(sides.x), sides.times(sides.g)
    levels = _levels(sides, sides.x), _levels(sides, sides.g)
    once = (times[0] <= 1) & (times[1] <= 1)
    comparable = np.ones_like(once) if absent == "tail" else (times[0] > 0) & (times[1] > 0)
    points = _points(sides, once & comparable, times[0])
    per_doc = [_per_document(sides, side, of_side) for side, of_side in zip((sides.x, sides.g), weighted, strict=True)]
    if bool((comparable & ~once).any()):
        several = repeated(sides, weighted, per_doc, levels, points, comparable & ~once)
        around, pairs = several.around, several.pairs
    else:
        weights = np.stack([of_side.w[points] for of_side in per_doc])
        (around,) = dominance(sides.home[points], levels[0][points], levels[1][points], weights)
        pairs = np.zeros(sides.count), np.zeros(sides.count)
    results = []
    for at, side in enumerate((sides.x, sides.g)):
        simple = list_sums(sides.home[points], per_doc[at].shared[points] * around[at], sides.count)
        judged = _Judged(sides, side, weighted[at], times[at], times[1 - at], levels[1 - at])
        value = judged.value(pairs[at] + simple, credit=credit)
        results.append(Prioritised(value, judged.causes(absent, credit=credit) if causes else ()))
    return results[0], results[1]


def _points(sides: Sides, chosen: NDArray[np.bool_], times: Integers) -> Integers:
    """Documents that occur once, list by list in the order of x, those that x lacks last: nearly sorted sorts quickly."""
    mine, rest = sides.x.doc, sides.g.doc
    docs = np.concatenate((mine[chosen[mine]], rest[chosen[rest] & (times[rest] == 0)]))
    home = sides.home[docs]
    return docs if np.all(home[1:] >= home[:-1]) else docs[np.argsort(home, kind="stable")]


def _per_document(sides: Sides, side: Side, weighted: Weighted) -> OfDocuments:
    made = OfDocuments(np.zeros(len(sides.home)), np.zeros(len(sides.home)))
    made.w[side.doc], made.shared[side.doc] = weighted.w, weighted.shared
    return made


def _levels(sides: Sides, side: Side) -> Integers:
    """The level of each document that occurs once; below all levels where it does not occur."""
    levels = np.full(len(sides.home), int(side.level.max(initial=-1)) + 1, dtype=np.int64)
    levels[side.doc] = side.level
    return levels


@dataclass(frozen=True)
class _Judged:
    """One side, and what the other one has of its documents."""

    sides: Sides
    side: Side
    weighted: Weighted
    times: Integers
    other_times: Integers
    other_levels: Integers

    @cached_property
    def rightly(self) -> Numbers:
        """With which probability each occurrence is rightly above the tail."""
        doc = self.side.doc
        return np.asarray(np.minimum(self.times, self.other_times)[doc] / self.times[doc])

    @cached_property
    def per_tail(self) -> Numbers:
        """What the tail gives to each unit of weight above it."""
        above = 1.0 - self.weighted.tail
        return np.divide(self.weighted.tail, above, out=np.zeros_like(above), where=above > 0)

    def value(self, pairs: Numbers, *, credit: bool) -> Numbers:
        """The pairs and the tail together, undefined where nothing is put above anything."""
        side = self.weighted
        from_document = side.shared if credit else side.shared * self.rightly
        value = pairs + side.tail * self._sums(from_document) + self.per_tail * self._sums(side.w * self.rightly)
        asserts = self._sums((side.other > 0).astype(np.float64)) > 0
        return np.where(asserts, value, np.nan)

    def causes(self, absent: Absent, *, credit: bool) -> tuple[Numbers, Numbers]:
        """What was lost to documents that the other side lacks, and to its ties."""
        wrongly = 1.0 - self.rightly
        lost = self.per_tail * self._sums(self.weighted.w * wrongly) + self._lost_to_absent(absent)
        if not credit:
            lost += self.weighted.tail * self._sums(self.weighted.shared * wrongly)
        return lost, self._lost_to_ties()

    def _sums(self, values: Numbers) -> Numbers:
        return self.sides.sums(self.side, values)

    def _lost_to_absent(self, absent: Absent) -> Numbers:
        """Relations between documents of which the other side lacks one; one of its tail is only wrong above something."""
        lacking = self.other_times[self.side.doc] == 0
        of_all = _Around.of(self.side, self.weighted.w)
        of_lacking = _Around.of(self.side, np.where(lacking, self.weighted.w, 0.0))
        if absent == "unknown":
            lost = np.where(lacking, of_all.above + of_all.below, of_lacking.above + of_lacking.below)
        else:
            lost = np.where(lacking, of_all.below, 0.0) + of_lacking.above
        return self._sums(self.weighted.shared * lost)

    def _lost_to_ties(self) -> Numbers:
        """Relations between documents that the other side has in one level, both of which occur once on both sides."""
        mine = np.flatnonzero(((self.times == 1) & (self.other_times == 1))[self.side.doc])
        lists, doc, level = self.side.lists[mine], self.side.doc[mine], self.side.level[mine]
        together = lists * (int(self.other_levels.max(initial=0)) + 1) + self.other_levels[doc]
        apart = _numbered(together * (int(level.max(initial=0)) + 1) + level)
        together = _numbered(together)
        weights = self.weighted.w[mine]
        others = summed(together, weights)[together] - summed(apart, weights)[apart]
        return summed(lists, self.weighted.shared[mine] * others, self.sides.count)


_UNIT: Final = float(2**60)
"""Sums are kept in whole numbers, so that what other lists add cancels exactly."""


@dataclass(frozen=True)
class _Around:
    """Sums over the levels above and below each occurrence."""

    above: Numbers
    below: Numbers

    @classmethod
    def of(cls, side: Side, values: Numbers) -> _Around:
        starts = level_starts(side)
        sizes = np.diff(np.append(starts, len(values)))
        home = side.lists[starts]
        running = np.concatenate(([0], np.cumsum(np.rint(values * _UNIT).astype(np.int64))))
        first, last = np.searchsorted(side.lists, home), np.searchsorted(side.lists, home, side="right")
        above = (running[starts] - running[first]) / _UNIT
        below = (running[last] - running[starts + sizes]) / _UNIT
        return cls(np.repeat(above, sizes), np.repeat(below, sizes))


def _numbered(keys: Integers) -> Integers:
    return np.unique(keys, return_inverse=True)[1]
