"""What verdicts are based on: the measures with their tests, unanimity and weightings, as arrays `[a, b]`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from plumbline.average import best_first
from plumbline.comparison.bands import bands, rank_ranges
from plumbline.comparison.leaderboard import edges
from plumbline.comparison.measured import Measured, with_groups, without_other_differences, without_single_cases
from plumbline.comparison.ranges import largest_difference, largest_visible
from plumbline.comparison.significance.correction import corrected, corrected_together, family_size
from plumbline.comparison.significance.draws import default_resamples, needed_resamples
from plumbline.comparison.significance.effects import t_intervals
from plumbline.comparison.significance.equivalence import equivalence
from plumbline.comparison.significance.intervals import mean_intervals
from plumbline.comparison.significance.power import detectable, detectable_by_intervals, fewest_cases
from plumbline.comparison.significance.progress import part
from plumbline.comparison.significance.registry import UNCORRECTED, find_correction, find_test
from plumbline.comparison.significance.resampled_t import tested_by_folds
from plumbline.comparison.unanimity.unanimity import THRESHOLD
from plumbline.comparison.weighed import Weighed
from plumbline.errors.base import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.margins import Margin
    from plumbline.comparison.repeated import Repeated
    from plumbline.comparison.significance.effects import Intervals
    from plumbline.comparison.significance.result import SignificanceResult

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Tests = Mapping[str, tuple[SignificanceResult, Intervals]]

LEVEL: Final = 0.05
COVERED: Final = 0.95
"""The level of confidence intervals."""
Rule = Literal["significant", "unanimous"]
"""When a system is better than another one: by the tests of the metrics, or by the rule of the UIR paper."""


@dataclass(frozen=True, repr=False, eq=False)
class Evidence(Weighed):
    """Scores, the settings of a comparison, and what follows from them for each pair; computed when it is first used."""

    test: str = "randomization"
    """The significance test."""
    correction: str = "holm"
    """The correction for testing many pairs by several metrics."""
    level: float = LEVEL
    """A difference is significant below this p, and shown if its interval does not include 0 either."""
    uir_threshold: float = THRESHOLD
    """The Unanimous Improvement Ratio from which an improvement is called unanimous."""
    baseline: str | None = None
    """The only system that the others are tested against; None if all pairs are tested."""
    resamples: int | None = None
    """How often a test draws, if it draws at all; None stands for as often as the correction needs."""
    primary: str | None = None
    """The measure that decides, which was named; None if all metrics count alike, and the first one orders the leaderboard."""
    combined: bool = False
    """Whether the combined score was requested, and so is tested as well."""
    rule: Rule = "significant"
    """When a system is better than another one."""
    margin: Margin | None = None
    """The largest difference that does not matter, if one was given."""
    floor: Cube | None = None
    """Outputs that ignore the gold: they are shown, and neither tested nor compared."""
    unit: str = "case"
    """What was swapped and drawn: cases, or the items of cases, or folds."""
    unit_tests: Tests | None = None
    """The test and the intervals of each measure where the units are not cases."""
    about_items: str = ""
    """Why items cannot be the units, or how they can be, for where cases are too few; empty if they are."""
    repeated: Repeated | None = field(default=None, repr=False, compare=False)
    """The scores of every run of a system, where runs were told apart."""
    overlap: float | None = None
    """The number of test items divided by that of training items, where folds are the units."""
    repeats: int = 1
    """How often the items were split, where folds are the units: the folds of one repeat after those of the other."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that are compared, in the order in which they were given."""
        return self.cube.systems

    @property
    def baseline_at(self) -> int | None:
        """The number of the baseline."""
        return None if self.baseline is None else self.systems.index(self.baseline)

    # --- measures -----------------------------------------------------------------------------------------------------------

    @cached_property
    def measures(self) -> tuple[Measured, ...]:
        """Every metric, and the combined score if it was requested."""
        columns = list(zip(self.cube.metrics, self.cube.signed, self.cube.lower.tolist(), strict=True))
        if self.has_score:
            columns.append((self.score.name, self.score.values, False))
        made = []
        for at, (name, values, lower) in enumerate(columns):
            with part(at / len(columns), (at + 1) / len(columns)):
                made.append(self._measured(name, values, lower=lower))
        return tuple(made)

    @property
    def has_score(self) -> bool:
        """Whether the combined score is one of the measures."""
        return self.combined and len(self.cube.metrics) > 1

    def _measured(self, name: str, values: Numbers, *, lower: bool) -> Measured:
        if self.unit_tests is not None and name in self.unit_tests:
            test, spread = self.unit_tests[name]
            made = Measured(name, lower, values, test, spread, self.unit)
            return made if test.resamples is None else without_other_differences(made)  # a test of counts has other statistics
        if self.overlap is not None:
            return Measured(name, lower, values, *tested_by_folds(self.test, values, self.overlap), "fold")
        tested = find_test(self.test)
        test = tested(values, resamples=self._draws, seed=self.seed)
        spread = t_intervals(values, level=COVERED) if tested.normal else mean_intervals(values, COVERED)
        paired = without_single_cases(Measured(name, lower, values, test, spread))
        made = with_groups(paired, self._draws, self.seed, welch=tested.name == "t")
        return replace(made, spread=made.spread.within(largest_visible(name, values)))

    @property
    def _draws(self) -> int:
        return self.resamples or default_resamples(
            self.test, self.correction, self._tests_planned, self.level, len(self.cube.cases)
        )

    @property
    def _tests_planned(self) -> int:
        """The size of the largest family, as far as it is known before anything is tested."""
        return self._pairs_planned * max(len(family) for family in self._families(len(self.cube.metrics) + self.has_score))

    @property
    def _pairs_planned(self) -> int:
        others = len(self.systems) - 1
        return others if self.baseline is not None else (others + 1) * others // 2

    @property
    def primary_at(self) -> int:
        """The number of the measure that orders the leaderboard."""
        if self.primary is None:
            return len(self.cube.metrics) if self.has_score else 0
        names = [*self.cube.metrics, self.score.name]
        return names.index(self.primary)

    @property
    def decided_by_one(self) -> bool:
        """Whether one measure decides: it was named, or is the combined score, or the only one, or cases are few."""
        return self.chosen_by_user or len(self.cube.metrics) == 1 or self.first_decides

    @property
    def chosen_by_user(self) -> bool:
        """Whether the measure that decides was named, or is the combined score."""
        return self.primary is not None or self.has_score

    @cached_property
    def first_decides(self) -> bool:
        """Whether the first metric is tested apart, since with so few cases nothing could be significant by all together.

        It depends on the numbers of cases, systems and metrics alone, and not on scores, so that the level is kept.
        """
        metrics = len(self.cube.metrics)
        if self.chosen_by_user or metrics == 1 or self.unit_tests is not None or self.overlap is not None:
            return False
        return self._fewest(1) <= self.cube.most_shared < self._fewest(metrics)

    def _fewest(self, metrics: int) -> int:
        """The number of cases below which no pair can be significant if so many metrics are corrected together."""
        correct = find_correction(self.correction).factor
        factor = float(metrics) if find_test(self.test).familywise else correct(metrics * self._pairs_planned)
        return fewest_cases(self.test, factor, self.level, systems=len(self.systems))

    @property
    def main(self) -> Measured:
        """The measure that orders the leaderboard."""
        return self.measures[self.primary_at]

    def _families(self, measures: int) -> list[list[int]]:
        """The measures that are corrected together: all, or the one that decides and then the others."""
        if not self.decided_by_one:
            return [list(range(measures))]
        others = [at for at in range(measures) if at != self.primary_at]
        return [[self.primary_at], *([others] if others else [])]

    # --- significance -------------------------------------------------------------------------------------------------------

    @property
    def test_result(self) -> SignificanceResult:
        """The significance test of the measure that orders the leaderboard."""
        return self.main.test

    @cached_property
    def needed_draws(self) -> int | None:
        """How many draws would be enough; None unless there are so few that nothing can be significant."""
        result = self.test_result
        drawn = result.cases > 0 if result.exact is None else (result.cases > 0) & ~result.exact
        if result.resamples is None or not drawn.any() or self.unit_tests is not None:
            return None
        needed = needed_resamples(self.test, self.correction, self._tests_planned, self.level, len(self.cube.cases))
        return needed if result.resamples < needed else None

    @cached_property
    def corrected(self) -> Numbers:
        """P after correction, `[measure, a, b]`; with a baseline, only the pairs with it are tested."""
        out = np.empty((len(self.measures), len(self.systems), len(self.systems)))
        for family in self._families(len(self.measures)):
            tables = corrected_together(
                [self.measures[at].test.p for at in family],
                self.correction,
                baseline=self.baseline_at,
                familywise=self.test_result.familywise,
            )
            for at, table in zip(family, tables, strict=True):
                out[at] = table
        return out

    @property
    def p(self) -> Numbers:
        """The corrected p of the measure that orders the leaderboard."""
        table: Numbers = self.corrected[self.primary_at]
        return table

    @property
    def differences(self) -> Numbers:
        """By how much a is better than b by that measure, over the cases that both have."""
        return self.main.difference

    @cached_property
    def wins(self) -> Flags:
        """Whether a is significantly better than b and nothing speaks against it, `[measure, a, b]`."""
        with np.errstate(invalid="ignore"):
            better = np.stack([measure.difference > 0 for measure in self.measures])
            return np.asarray(better & (self.corrected < self.level) & ~self.around_zero & ~self.opposite)

    @cached_property
    def around_zero(self) -> Flags:
        """Whether the interval of the difference includes 0, `[measure, a, b]`; its level is that of the test.

        A small p then comes from differences that are not spread alike on both sides, such as few large wins and many small
        losses; or it is about the items of some cases, and says nothing about other cases.
        """
        ends = (measure.spread.at_level(1 - self.level, measure.difference) for measure in self.measures)
        return np.stack([(low <= 0) & (high >= 0) for low, high in ends])

    @cached_property
    def opposite(self) -> Flags:
        """Whether the test prefers the system with the worse mean, as a test of ranks may, `[measure, a, b]`."""
        return np.stack([measure.opposite for measure in self.measures])

    @cached_property
    def beats(self) -> Flags:
        """Whether a is better than b by the rule of the comparison, `[a, b]`.

        By default: significantly better by a measure (by the one that decides, if there is one) and significantly worse by
        none. By the rule of the UIR paper: a better mean score, unanimous enough, and significant.
        """
        if self.rule == "unanimous":
            return edges(self.differences, self.improvements.uir, self.p, self.uir_threshold, self.level)
        return self.better

    @cached_property
    def better(self) -> Flags:
        """Whether a is significantly better than b by a measure (the one that decides, if there is one), and worse by none."""
        won = self.wins[self.primary_at] if self.decided_by_one else self.wins.any(axis=0)
        return np.asarray(won & ~self.trades)

    @cached_property
    def second_first(self) -> Flags:
        """Whether b is named before a, `[a, b]`: it is better, or else has the better mean, or else the higher UIR."""
        sign = np.zeros(self.better.shape)
        for table in (self.better.astype(float) - self.better.T, self.differences, self.improvements.uir):
            sign = np.where(sign == 0, np.sign(np.nan_to_num(table)), sign)
        return np.asarray((sign < 0) | ((sign == 0) & np.tri(len(sign), k=-1, dtype=np.bool_)))

    @cached_property
    def trades(self) -> Flags:
        """Whether a and b trade one metric for another one: each is significantly better by some, `[a, b]`."""
        won = self.wins[: len(self.cube.metrics)].any(axis=0)
        return np.asarray(won & won.T)

    @cached_property
    def equal(self) -> Flags:
        """Whether a and b are shown to differ by less than the margin by every measure, `[a, b]`; the tests are corrected.

        For each measure two one-sided tests, each at half the level, so that of two systems the interval that is printed lies
        within the margin; of several measures the largest p counts, and pairs are corrected together.
        """
        if self.margin is None:
            return np.zeros((len(self.systems),) * 2, dtype=np.bool_)
        paired = [measure for measure in self.measures if measure.unit == "case"]
        if not paired:
            return self._equal_by_items()
        normal, at = find_test(self.test).normal, self.baseline_at
        tables = [equivalence(of.pairs, self.margin.of(of, at), normal=normal).p for of in paired]
        with np.errstate(invalid="ignore"):
            return np.asarray(
                corrected(np.maximum.reduce(tables), self.correction, baseline=self.baseline_at) < self.level / 2
            ) & ~np.eye(len(self.systems), dtype=np.bool_)

    def _equal_by_items(self) -> Flags:
        """The same where items are the units: every interval lies within the margin.

        For another level than that of the interval, and for more pairs, half-widths grow as those of a normal distribution.
        """
        assert self.margin is not None  # noqa: S101 - for type checkers: the caller has looked
        pairs = family_size(self.main.test.p, baseline=self.baseline_at)
        level = self.level / find_correction(self.correction).factor(pairs)
        within = []
        for measure in self.measures:
            low, high = measure.spread.at_level(1 - level, measure.difference)
            within.append(np.maximum(-low, high) < self.margin.of(measure, self.baseline_at))
        return np.asarray(np.logical_and.reduce(within)) & ~np.eye(len(self.systems), dtype=np.bool_)

    @cached_property
    def detectable(self) -> Numbers:
        """The difference that the units could have shown with a power of 80 %, `[measure, a, b]`, after the correction.

        It is infinite if even the largest difference that the metric allows is too small.
        """
        out = np.full(self.corrected.shape, np.nan)
        for family in self._families(len(self.measures)):
            share = self._factor(family)
            for at in family:
                measure, level = self.measures[at], self.level / share
                if measure.unit == "case":
                    out[at] = detectable(measure.pairs, level=level).difference
                if (unknown := np.isnan(out[at])).any():
                    out[at] = np.where(unknown, detectable_by_intervals(measure.spread, level=level), out[at])
                out[at][out[at] > largest_difference(measure.name, measure.values)] = np.inf
        return out

    def _factor(self, family: list[int]) -> float:
        """By how much the correction multiplies the smallest p of a family."""
        if self.test_result.familywise:
            return float(len(family))
        size = family_size(*(self.measures[at].test.p for at in family), baseline=self.baseline_at)
        return find_correction(self.correction).factor(size)

    @cached_property
    def fewest_units(self) -> int:
        """The number of cases below which no difference can be significant; 1 where items are the units."""
        if self.main.unit != "case":
            return 1
        return fewest_cases(self.test, self._factor([self.primary_at]), self.level, systems=len(self.systems))

    @cached_property
    def correction_used(self) -> str:
        """The correction in words, with the number of p-values that were corrected together."""
        families = self._families(len(self.measures))
        if self.test_result.familywise:
            several = f", and is corrected for {len(families[0])} metrics" if len(families[0]) > 1 else ""
            return f"none, the test accounts for all pairs{several}"
        title = find_correction(self.correction).title
        if self.correction == UNCORRECTED:
            return title
        tests = [self.measures[at].test.p for at in families[0]]
        pairs = family_size(tests[0], baseline=self.baseline_at)
        by = f" by {len(tests)} metrics" if len(tests) > 1 else ""
        if self.first_decides:
            few = f"{plural(self.cube.most_shared, 'case')} are too few for all {len(self.cube.metrics)} metrics"
            by = f" by {self.main.name}, which decides, as {few}"
        rest = "; the other metrics are corrected separately" if len(families) > 1 else ""
        return f"{title} over {plural(pairs, 'pair')}{by}{rest}"

    @cached_property
    def test_remarks(self) -> str:
        """How p was computed and what was left out, for the pairs that were tested."""
        return self.test_result.describe(self.baseline_at)

    # --- order --------------------------------------------------------------------------------------------------------------

    @cached_property
    def order(self) -> list[int]:
        """The systems by the measure that orders the leaderboard, best first."""
        return best_first(self.main.ranks)

    @cached_property
    def bands(self) -> NDArray[np.int64]:
        """The band of each system: those that are not shown to be worse than the best one of the band."""
        return bands(self.order, self.wins[self.primary_at])

    @cached_property
    def rank_ranges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The best and the worst rank that each system may have by the measure that orders the leaderboard."""
        return rank_ranges(self.wins[self.primary_at], ~np.isnan(self.main.means))
