"""item_evidence(): differences of systems with items as the units, where cases are too few."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.ranges import largest_difference
from plumbline.comparison.significance.effects import Intervals, quantiles, t_intervals
from plumbline.comparison.significance.intervals import mean_intervals
from plumbline.comparison.significance.result import Remark, SignificanceResult, at_least, join_remarks, pair_indices, share
from plumbline.comparison.significance.shape import FEWEST_FOR_AN_INTERVAL
from plumbline.comparison.units.means import means, signed
from plumbline.comparison.units.outcomes import outcomes_of
from plumbline.comparison.units.randomization import randomization
from plumbline.comparison.units.resampling import observed, resampled, spans_cases
from plumbline.comparison.units.swaps import Swaps
from plumbline.comparison.units.two_levels import two_level_ends
from plumbline.errors import BadUsage, units, usage
from plumbline.errors.base import plural
from plumbline.metrics.names import measures as parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.comparison.units.outcomes import Outcomes
    from plumbline.comparison.units.randomization import Tested
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.metrics.measure import Measure

    Numbers = NDArray[np.float64]
    Integers = NDArray[np.int64]


DOCUMENTS: Final = "documents"
"""What units are called that hold the spans of a document."""
FEWEST_UNITS: Final = 6
"""From so many units on, the smallest p of exchanging all of them, 2 of 2^6, is below 0.05."""


def item_evidence(  # noqa: PLR0913 - four of them have a default or are usual
    evaluation: Evaluation,
    measures: Sequence[Measure | str],
    systems: Sequence[str],
    *,
    resamples: int,
    seed: int,
    level: float = 0.95,
    clusters: NDArray[np.generic] | None = None,
    stratified: bool = False,
    single: bool = False,
) -> list[tuple[SignificanceResult, Intervals]]:
    """Significance and intervals of all differences, for each measure, with items as the units.

    Args:
        evaluation: The gold and the outputs, of a task for which `why_not` has no objection.
        measures: Measures, or names of them.
        systems: The systems in the order of the tables; one without outputs, such as a row of the floor, has no p.
        resamples: How often answers are exchanged at random where not all ways can be looked at, and how often items are drawn.
        seed: The seed of the draws.
        level: The level of the intervals.
        clusters: The cluster of each item of the gold, in its order; items of a cluster are exchanged and drawn together.
        stratified: Whether draws of items keep the number of items of each class of the gold.
        single: Whether items are units although the task has larger ones, such as documents, and enough of them.

    Returns:
        A test and the intervals for each measure, in tables `[a, b]` of a - b, positive where a is better.
    """
    share("level", level)
    at_least("resamples", resamples, 1)
    task = evaluation.request.task.name
    wanted = [measure for one in measures for measure in (parsed([one], {}, task) if isinstance(one, str) else [one])]
    aligned = evaluation.alignment((part.metric.needs for measure in wanted for part in measure.parts), items=True)
    number = np.array([aligned.systems.index(name) if name in aligned.systems else -1 for name in systems])
    made: dict[str, tuple[SignificanceResult, Intervals]] = {}
    for outcomes in outcomes_of(aligned, wanted):
        documents = outcomes.unit if clusters is None and not single and _enough(outcomes.unit) else None
        unit = _units(clusters if documents is None else documents, len(outcomes.case))
        if stratified and clusters is not None and _is_mixed(outcomes.stratum, unit):
            raise BadUsage(units.mixed_clusters())
        called = "items" if clusters is None else "clusters of items"
        settings = _Settings(resamples, seed, level, stratified, called if documents is None else DOCUMENTS)
        evidence = _Evidence(aligned, outcomes, unit, number, settings)
        made.update(zip((measure.name for measure in outcomes.measures), evidence.results(), strict=True))
    return [made[measure.name] for measure in wanted]


@dataclass(frozen=True)
class _Settings:
    resamples: int
    seed: int
    level: float
    stratified: bool
    units: str
    """What the units are called."""


def _enough(unit: Integers | None) -> bool:
    """Whether there are so many units that a difference can be significant."""
    return unit is not None and len(np.unique(unit)) >= FEWEST_UNITS


def _units(clusters: NDArray[np.generic] | None, items: int) -> Integers:
    if clusters is None:
        return np.arange(items)
    if len(clusters) != items:
        raise BadUsage(
            usage.bad_object(f"clusters of {plural(len(clusters), 'item')}", f"one for each of {plural(items, 'item')}")
        )
    return np.unique(np.asarray(clusters), return_inverse=True)[1].astype(np.int64)


def _is_mixed(stratum: Integers, unit: Integers) -> bool:
    """Whether a unit has items of several classes."""
    return bool(np.unique(np.stack([unit, stratum]), axis=1).shape[1] > len(np.unique(unit)))


class _Evidence:
    """The tables of all pairs, for the measures of one kind of outcomes."""

    def __init__(self, aligned: Alignment, outcomes: Outcomes, unit: Integers, number: Integers, settings: _Settings) -> None:
        self.aligned, self.outcomes, self.unit, self.number, self.settings = aligned, outcomes, unit, number, settings
        shape = (len(outcomes.measures), len(number), len(number))
        self.p, self.difference = np.full(shape, np.nan), np.full(shape, np.nan)
        self.low, self.high = np.full(shape, np.nan), np.full(shape, np.nan)
        self.exact, self.extreme = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
        self.left_out = np.zeros(shape, dtype=np.int64)
        self.units = np.zeros(shape[1:], dtype=np.int64)
        self.without = np.zeros(shape[1:], dtype=np.int64)
        known = np.flatnonzero(number >= 0)
        for table, diagonal in ((self.p, 1.0), (self.difference, 0.0), (self.low, 0.0), (self.high, 0.0)):
            table[:, known, known] = diagonal

    def results(self) -> list[tuple[SignificanceResult, Intervals]]:
        """All pairs on the cases that both systems have."""
        missing = self.aligned.missing.reshape(len(self.aligned.systems), -1)
        pairs: dict[bytes, list[tuple[int, int]]] = {}
        for a, b in zip(*pair_indices(len(self.number)), strict=True):
            if self.number[a] >= 0 and self.number[b] >= 0:
                lacking = missing[self.number[a]] | missing[self.number[b]]
                pairs.setdefault(lacking.tobytes(), []).append((int(a), int(b)))
                self.without[a, b] = self.without[b, a] = lacking.sum()
        for lacking, some in pairs.items():
            kept = np.flatnonzero(~np.frombuffer(lacking, dtype=np.bool_)[self.outcomes.case])
            if len(kept):
                self._compare(kept, some)
        return [self._result(at) for at in range(len(self.outcomes.measures))]

    def _compare(self, kept: Integers, pairs: list[tuple[int, int]]) -> None:
        settings, policy = self.settings, self.aligned.policy
        names = sorted({system for pair in pairs for system in pair})
        codes = self.outcomes.codes[np.ix_(self.number[names], kept)]
        outcomes = replace(self.outcomes, case=self.outcomes.case[kept], stratum=self.outcomes.stratum[kept], codes=codes)
        unit = self.unit[kept]
        count = len(np.unique(unit))
        place = {system: at for at, system in enumerate(names)}
        for a, b in pairs:
            swaps = Swaps(outcomes, place[a], place[b], unit)
            self._take(a, b, randomization(swaps, policy, settings.resamples, settings.seed))
            self.units[a, b] = self.units[b, a] = count
        self.units[names, names] = np.maximum(self.units[names, names], count)
        if count < FEWEST_FOR_AN_INTERVAL:
            return
        averaged = [measure.average == "mean" for measure in outcomes.measures]
        drawn = np.empty((len(outcomes.measures), len(names), settings.resamples))
        blocks = resampled(outcomes, unit, stratified=settings.stratified, resamples=settings.resamples, seed=settings.seed)
        for some, values in blocks:
            drawn[:, :, some] = means(values, outcomes.measures, policy)
        ends = ((1 - settings.level) / 2, (1 + settings.level) / 2)
        largest = [largest_difference(measure.name, drawn[at]) for at, measure in enumerate(outcomes.measures)]
        of_cases = signed(observed(outcomes), outcomes.measures, policy)[:, :, 0]
        in_levels = of_cases.shape[2] > 1 and not spans_cases(outcomes, unit)
        by_cases = {at: _as_units(of_cases[at], settings.level) for at in np.flatnonzero(averaged) if in_levels}
        for a, b in pairs:
            differences = drawn[:, place[a]] - drawn[:, place[b]]
            self.left_out[:, a, b] = self.left_out[:, b, a] = np.isnan(differences).sum(axis=1)
            low_high = quantiles(differences, ends)
            for at, of_means in by_cases.items():
                apart = of_cases[at, place[a]] - of_cases[at, place[b]]
                as_units = of_means[:, place[a], place[b]]
                known = differences[at][~np.isnan(differences[at])]
                spread = float(known.var()) if len(known) else np.nan
                low_high[:, at] = two_level_ends(low_high[:, at], spread, apart, as_units, settings.level)
            low, high = np.clip(low_high, np.negative(largest), largest)
            self.low[:, a, b], self.high[:, a, b] = low, high
            self.low[:, b, a], self.high[:, b, a] = -high, -low

    def _take(self, a: int, b: int, tested: Tested) -> None:
        self.p[:, a, b] = self.p[:, b, a] = tested.p
        self.difference[:, a, b], self.difference[:, b, a] = tested.difference, -tested.difference
        self.exact[:, a, b] = self.exact[:, b, a] = tested.exact
        self.extreme[:, a, b] = self.extreme[:, b, a] = tested.undefined

    def _result(self, at: int) -> tuple[SignificanceResult, Intervals]:
        settings, known = self.settings, ~np.isnan(self.p[at])
        apart = known & ~np.eye(len(known), dtype=bool)
        drawn = apart & ~self.exact[at]
        cases = len(self.aligned.cases)
        remarks = (
            Remark(apart & self.exact[at], "exact p by all ways to exchange answers"),
            Remark(drawn, f"p by exchanging answers {settings.resamples:,} times at random (seed {settings.seed})"),
            Remark(self.extreme[at] > 0, "undefined after some exchanges, which count as extreme", self.extreme[at]),
            Remark(self.without > 0, "cases that one of both lacks are left out", self.without),
            f"p is about these {cases} cases, others may differ" if cases > 1 else "",
        )
        test = SignificanceResult(
            self.p[at],
            self.difference[at],
            self.units,
            remarks,
            exact=self.exact[at],
            name=f"randomization test over {settings.units}",
            resamples=settings.resamples,
            seed=settings.seed,
        )
        left_out = Remark(self.left_out[at] > 0, "undefined in some draws, which are left out", self.left_out[at])
        note = join_remarks(
            f"{settings.resamples:,} draws of {settings.units} (seed {settings.seed}), the same for all systems",
            "the numbers of each class are kept" if settings.stratified else "",
            left_out.text(),
        )
        name = f"percentile bootstrap over {settings.units}"
        intervals = Intervals(
            name, self.low[at], self.high[at], settings.level, self.units, note, settings.resamples, settings.seed
        )
        return test, intervals


def _as_units(values: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    """Both ends of the interval of the mean of cases, `[end, a, b]`; of too few cases as if their differences were normal."""
    careful, normal = mean_intervals(values, level), t_intervals(values, level=level)
    ends = ((careful.low, normal.low), (careful.high, normal.high))
    return np.stack([np.where(np.isnan(table), plain, table) for table, plain in ends])
