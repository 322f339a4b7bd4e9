"""Lists beside a gold of which only a sample of the pool was judged.

The letters are those of the papers: of a stratum s of a case, N items are pooled, n are judged and r are relevant. A gold that
says nothing about its sample has one stratum: everything that it lists is pooled, and a negative grade means not judged.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements
    from plumbline.views.ranked import Ranked

    Numbers = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class SampledGold:
    """Every item of the gold: its case, its grade, its stratum, and for how many items it stands."""

    case: Integers
    grade: Numbers
    stratum: Integers
    strata: int
    cases: int
    given: Numbers | None
    """The probabilities of items, where the gold has them."""

    @property
    def judged(self) -> Flags:
        """Whether an item was judged."""
        return self.grade >= 0

    @property
    def cell(self) -> Integers:
        """A number for each stratum of each case."""
        return self.case * self.strata + self.stratum

    def per_cell(self, values: Numbers | Flags) -> Numbers:
        """Sums over the strata of cases."""
        return np.bincount(self.cell, weights=values, minlength=self.cases * self.strata).astype(np.float64)

    def per_case(self, values: Numbers) -> Numbers:
        """Sums over cases."""
        return np.bincount(self.case, weights=values, minlength=self.cases).astype(np.float64)

    @cached_property
    def pooled(self) -> Numbers:
        """N of each stratum of each case."""
        return self.per_cell(np.ones(len(self.case)))

    @cached_property
    def drawn(self) -> Numbers:
        """N of each stratum of each case."""
        return self.per_cell(self.judged)

    @cached_property
    def probability(self) -> Numbers:
        """How probably each item was judged: n / N of its stratum, unless the gold says it."""
        share = self.drawn / np.maximum(self.pooled, 1.0)
        return share[self.cell] if self.given is None else self.given

    @cached_property
    def weight(self) -> Numbers:
        """For how many items of the pool each judged one stands; 0 for one that is not judged."""
        return np.where(self.judged, 1.0 / np.where(self.probability > 0, self.probability, 1.0), 0.0)

    def relevant(self, rel: float) -> Flags:
        """Whether an item was judged and is relevant."""
        return self.grade >= rel

    def total(self, rel: float) -> Numbers:
        """The estimated number of relevant items of each case."""
        return self.per_case(self.weight * self.relevant(rel))


@dataclass(frozen=True)
class SampledLists:
    """The pooled items that lists show, list by list and from the top."""

    gold: SampledGold
    of: Integers
    """The list of each row."""
    count: int
    case: Integers
    """The case of each list."""
    number: Integers
    """The gold's row of each item."""
    rank: Numbers

    @property
    def grade(self) -> Numbers:
        """The grade of each item shown."""
        return self.gold.grade[self.number]

    @property
    def stratum(self) -> Integers:
        """The stratum of each item shown."""
        return self.gold.stratum[self.number]

    def sum(self, values: Numbers | Flags) -> Numbers:
        """The sum over each list."""
        return np.bincount(self.of, weights=values, minlength=self.count).astype(np.float64)

    def above(self, counted: Flags) -> Numbers:
        """How many items of the list above each one are counted."""
        running: Integers = np.cumsum(counted) - counted
        first = np.searchsorted(self.of, self.of)
        return np.asarray(running - running[first] if len(running) else running, dtype=np.float64)

    def below(self, values: Numbers) -> Numbers:
        """The sum over the items of the list below each one."""
        running = np.cumsum(values)
        last = np.searchsorted(self.of, self.of, side="right") - 1
        return np.asarray(running[last] - running if len(running) else running)

    def by_stratum(self, values: Numbers | Flags) -> Numbers:
        """Sums over the items of each list, by stratum."""
        cell = self.of * self.gold.strata + self.stratum
        sums = np.bincount(cell, weights=values, minlength=self.count * self.gold.strata)
        return sums.reshape(self.count, self.gold.strata).astype(np.float64)

    def error_of_total(self, part: Numbers, slope: Numbers, value: Numbers) -> Numbers:
        """The standard error of a total over the pool, estimated from its judged items, of `part` less value times `slope`.

        `part` is given for the items shown, and is 0 for others; `slope` for all items of the gold, `value` for each list.
        """
        gold, strata = self.gold, self.gold.strata
        cells = self.case[:, None] * strata + np.arange(strata)
        n, pooled, of_list = gold.drawn[cells], gold.pooled[cells], value[:, None]
        slope = np.where(gold.judged, slope, 0.0)
        judged, of_row = self.grade >= 0, slope[self.number]
        hidden = n - self.by_stratum(judged)
        first, second = (
            np.where(hidden > 0, gold.per_cell(slope**power)[cells] - self.by_stratum(of_row**power), 0.0) for power in (1, 2)
        )
        change = part - value[self.of] * of_row
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (self.by_stratum(change) - of_list * first) / n
            shown = self.by_stratum(np.where(judged, (change - mean[self.of, self.stratum]) ** 2, 0.0))
            others = of_list**2 * second + 2.0 * of_list * mean * first + hidden * mean**2
            variance = np.where(n > 1, (shown + others) / (n - 1), np.nan)
            each = np.where(pooled > n, pooled**2 * (1.0 - n / pooled) * variance / n, 0.0)
        return np.asarray(np.sqrt(np.maximum(each.sum(axis=1), 0.0)))

    def cut(self, depth: int | None) -> SampledLists:
        """The lists down to a rank."""
        if depth is None:
            return self
        kept = self.rank <= depth
        return SampledLists(self.gold, self.of[kept], self.count, self.case, self.number[kept], self.rank[kept])


def sampled_gold(gold: Judgements) -> SampledGold:
    """The gold with what it says about its sample."""
    case, sample = gold.case.astype(np.int64), gold.sample
    if sample is None:
        return SampledGold(case, gold.grade, np.zeros(len(case), dtype=np.int64), 1, len(gold.cases), None)
    return SampledGold(case, gold.grade, sample.stratum, sample.strata, len(gold.cases), sample.probability)


def estimated(lists: Ranked, estimate: Callable[[SampledLists], Numbers]) -> Numbers:
    """A value for each list that looks at the sample behind the gold; NaN where there is none."""
    gold = lists.gold.once("sampled gold", lambda: sampled_gold(lists.gold))
    number = np.full(len(lists.rank), -1) if lists.rows.number is None else lists.rows.number
    known = number >= 0
    return estimate(SampledLists(gold, lists.of[known], len(lists.shown), lists.case, number[known], lists.rank[known]))
