"""One measure of all systems: its values, and what they say about every pair."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME, mean_of_known, ranks
from plumbline.comparison.shared import shared_cases
from plumbline.comparison.significance.effects import sizes
from plumbline.comparison.significance.pairs import Pairs
from plumbline.comparison.significance.result import Remark
from plumbline.comparison.significance.two_samples import two_samples
from plumbline.large import largest_of_rows, made

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.significance.effects import Intervals, Sizes
    from plumbline.comparison.significance.result import SignificanceResult
    from plumbline.comparison.significance.two_samples import TwoSamples

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

CLOSE: Final = 1e-9
"""Differences that are further apart are not the same."""


@dataclass(frozen=True, eq=False)
class Measured:
    """A metric, or the score that combines all of them, with its differences and its test; tables are `[a, b]`.

    In the tables more is always better: a difference is positive where a is better, also by a metric that is better when lower.
    """

    name: str
    lower: bool
    """Whether the metric is better when lower, so that sentences turn the sign back."""
    values: Numbers
    """`[system, case]`, higher is better, NaN where there is none."""
    test: SignificanceResult
    """The significance test before any correction."""
    spread: Intervals
    """Confidence intervals of the differences."""
    unit: str = "case"
    """What was drawn and swapped: cases, or the items of the cases, or folds."""
    groups: TwoSamples | None = None
    """The pairs that have no case in common and are compared as two groups of cases, if there are any."""

    @cached_property
    def at_most(self) -> Flags:
        """Where no draw reached the observed difference, so that p is only known to be no larger."""
        return np.zeros(self.test.p.shape, dtype=np.bool_) if self.test.bounded is None else self.test.bounded

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs of systems, with what is known of their differences."""
        return Pairs.of(self.values)

    @cached_property
    def largest(self) -> float:
        """The largest absolute value; 0 without any."""
        return float(largest_of_rows(self.values).max(initial=0.0))

    @cached_property
    def sizes(self) -> Sizes:
        """Differences of the means over the cases that both have, and their sizes."""
        return sizes(self.pairs)

    @cached_property
    def difference(self) -> Numbers:
        """By how much a is better on average."""
        paired = self.sizes.mean_difference
        return paired if self.groups is None else np.where(np.isnan(paired), self.groups.difference, paired)

    @cached_property
    def shared(self) -> Flags:
        """The cases that every system has; the cases of each system where there is no such case, or one has none at all."""
        known = self.pairs.known
        some = np.asarray(known.any(axis=1))
        if not some.any():
            return np.zeros(known.shape[1], dtype=np.bool_)
        return np.asarray(known.all(axis=0) if some.all() else known[some].all(axis=0))

    @cached_property
    def means(self) -> Numbers:
        """The mean of each system, over the cases that all have if there are any, else over its own; NaN without a value."""
        shared = self.shared
        return mean_of_known(self.values[:, shared] if shared.any() and not shared.all() else self.values)

    @cached_property
    def ranks(self) -> list[int | None]:
        """The rank of each system by its mean; None without a value."""
        return ranks(self.means, scale=largest_of_rows(self.values))

    @cached_property
    def pair_means(self) -> Numbers:
        """The mean of b over the cases that it shares with a, `[a, b]`, or over its own if they share none; NaN without any."""
        known, filled = self.pairs.known, self.pairs.filled
        counts = known.sum(axis=1)
        alone = np.divide(filled.sum(axis=1), counts, out=np.full(len(counts), np.nan), where=counts > 0)
        if self.pairs.complete:
            return np.tile(alone, (len(counts), 1))
        present = made(known.shape, lambda rows: known[rows].astype(np.float64))
        sums, shared = present @ filled.T, shared_cases(known)
        with np.errstate(over="ignore"):
            return np.asarray(np.divide(sums, shared, out=np.tile(alone, (len(counts), 1)), where=shared > 0))

    @property
    def opposite(self) -> Flags:
        """Whether the test prefers the system with the worse mean, as a test of ranks may."""
        a, b = self.test.statistic, self.test.statistic.T
        return np.asarray(np.where(self.difference > 0, a < b, a > b) & (self.difference != 0))

    @property
    def sign(self) -> float:
        """What turns a table into the unit of the metric."""
        return -1.0 if self.lower else 1.0

    def extremes(self, a: NDArray[np.intp], b: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
        """The lowest and the highest difference of a case of each pair, in the unit of the metric.

        They stand where an interval would, if there are too few cases for one; NaN for other pairs, with a single case, and if
        no case differs, or all do by the same amount.
        """
        out = np.full((2, len(a)), np.nan)
        few = np.isnan(self.spread.low[a, b]) & ~np.isnan(self.sizes.mean_difference[a, b]) & (self.unit == "case")
        differences = self.sign * (self.values[a[few]] - self.values[b[few]])
        known = ~np.isnan(differences)
        ends = np.array(
            [
                differences.min(axis=1, where=known, initial=np.inf),
                differences.max(axis=1, where=known, initial=-np.inf),
            ]
        )
        ends[:, np.isclose(ends[0], ends[1], rtol=SAME, atol=0.0) | (known.sum(axis=1) == 1)] = np.nan
        out[:, few] = ends
        return out[0], out[1]

    def shown_means(self) -> Numbers:
        """The means in the unit of the metric."""
        return np.asarray(self.means * self.sign)


def with_groups(measure: Measured, resamples: int, seed: int, *, welch: bool = False) -> Measured:
    """Pairs without a common case tested as two groups of cases; a measure without such pairs stays as it is.

    p is that of Welch's t test, or of dealing the scores to both groups at random; the latter too if all scores have one of two
    values, for which Welch's p is too small: of 10 and 50 successes and failures it is below 0.05 in up to 26 %.
    """
    test, spread = measure.test, measure.spread
    known = np.asarray(measure.pairs.known.any(axis=1))
    apart = (test.cases == 0) & known[:, None] & known
    if not apart.any():
        return measure
    groups = two_samples(measure.values, level=spread.level, resamples=resamples, seed=seed, normal=welch)
    by_t = ~groups.two_valued & welch
    return replace(
        measure,
        test=replace(
            test,
            p=np.where(apart, np.where(by_t, groups.welch, groups.p), test.p),
            cases=np.where(apart, groups.cases + groups.cases.T, test.cases),
            exact=None if test.exact is None else np.where(apart, groups.exact, test.exact),
            bounded=np.where(apart, groups.bounded & ~by_t, measure.at_most),
            remarks=(*_about(test.remarks, ~apart), *_how(groups, apart, by_t)),
        ),
        spread=replace(
            spread,
            low=np.where(apart, groups.low, spread.low),
            high=np.where(apart, groups.high, spread.high),
            cases=np.where(apart, groups.cases + groups.cases.T, spread.cases),
        ),
        groups=groups,
    )


def without_single_cases(measure: Measured) -> Measured:
    """Pairs with one common case have no p: nothing can be exchanged with anything."""
    test = measure.test
    single = (test.cases == 1) & ~np.eye(len(test.p), dtype=np.bool_)
    if not single.any():
        return measure
    remarks = (*_about(test.remarks, ~single), Remark(single, "one case in common, which cannot be tested"))
    return replace(measure, test=replace(test, p=np.where(single, np.nan, test.p), remarks=remarks))


def without_other_differences(measure: Measured) -> Measured:
    """Pairs have neither p nor interval where items were left out that count in the scores: both would be about less."""
    test, spread = measure.test, measure.spread
    with np.errstate(invalid="ignore"):
        other = np.abs(test.statistic - measure.difference) > CLOSE
    if not other.any():
        return measure
    remark = Remark(other, "the items of the cases that both have do not make the difference, so there is no p")
    low, high = (np.where(other, np.nan, end) for end in (spread.low, spread.high))
    return replace(
        measure,
        test=replace(test, p=np.where(other, np.nan, test.p), remarks=(*_about(test.remarks, ~other), remark)),
        spread=replace(spread, low=low, high=high),
    )


def _how(groups: TwoSamples, apart: Flags, by_t: Flags) -> list[Remark]:
    """How pairs without a common case were tested."""
    apart, few = apart & ~np.isnan(groups.difference), apart & np.isnan(groups.difference)
    single = [Remark(few, "no case in common, and a single case of one system, which cannot be tested")]
    start = "no case in common, compared as two groups of cases by"
    drawn = f"{groups.resamples:,} random ways to deal the scores to both (seed {groups.seed})"
    exact = groups.exact & ~by_t
    return [
        Remark(apart & by_t, f"{start} Welch's t test"),
        Remark(apart & exact, f"{start} Welch's t in all ways to deal the scores to both"),
        Remark(apart & ~exact & ~by_t, f"{start} Welch's t in {drawn}"),
        *single,
    ]


def _about(remarks: tuple[Remark | str, ...], where: Flags) -> list[Remark | str]:
    """The remarks, about these pairs only."""
    return [replace(one, where=one.where & where) if isinstance(one, Remark) else one for one in remarks]
