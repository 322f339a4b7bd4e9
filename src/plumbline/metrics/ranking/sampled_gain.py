"""Cumulated gain and precision estimated from a stratified sample of the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Level
from plumbline.views.ranked import Ranked
from plumbline.views.sampled import SampledGold, SampledLists, estimated
from plumbline.views.terms import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Counting = Literal["nearest", "floor"]

NO_GAIN: Final = "the gold has no item with a grade above 0 there"
NO_ERROR: Final = "the gold has no item with a grade above 0 there, or a stratum has one judged item only"
FEW: Final = "the gold has no relevant item there, or a stratum shows one judged item only"
BEATEN: Final = "its estimate counts judged items for those of their stratum that are not judged"
HALF: Final = 0.5


def _gains(shown: SampledLists) -> Numbers:
    return np.maximum(shown.grade, 0.0) / np.log2(shown.rank + 1.0)


def _totals(shown: SampledLists, worth: Numbers) -> Numbers:
    """The worth of judged items shown, each stratum scaled up to all pooled items shown; nothing where none is judged."""
    pooled, judged = shown.by_stratum(np.ones(len(shown.rank))), shown.by_stratum(shown.grade >= 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(judged > 0, pooled / judged, 0.0) * shown.by_stratum(np.where(shown.grade >= 0, worth, 0.0))
    return np.asarray(each.sum(axis=1))


def _root(shown: SampledLists, worth: Numbers) -> Numbers:
    """The standard error of these totals: items of a stratum that a list shows are a sample of those pooled there."""
    judged_ones = shown.grade >= 0
    pooled, judged = shown.by_stratum(np.ones(len(shown.rank))), shown.by_stratum(judged_ones)
    worth = np.where(judged_ones, worth, 0.0)
    sums, squares = shown.by_stratum(worth), shown.by_stratum(worth**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(judged > 1, (squares - sums**2 / judged) / (judged - 1), np.nan)
        each = np.where(pooled > judged, pooled**2 * (1.0 - judged / pooled) * variance / judged, 0.0)
    return np.asarray(np.sqrt(np.maximum(each.sum(axis=1), 0.0)))


def _counts(gold: SampledGold, count: Counting) -> tuple[Numbers, Numbers]:
    """The grades above 0, best first, and how many items of each there are in each case, as whole numbers."""
    grades = np.unique(gold.grade[gold.grade > 0])[::-1]
    estimates = np.zeros((len(grades), gold.cases))
    for place, grade in enumerate(grades):
        estimates[place] = gold.per_case(gold.weight * (gold.grade == grade))
    return grades, np.floor(estimates + (HALF if count == "nearest" else 1e-9))


def _ideal(grades: Numbers, counts: Numbers, k: int | None) -> Numbers:
    """The gain of the best list of each case, of so many items of each grade."""
    ends = np.minimum(np.cumsum(counts, axis=0), np.inf if k is None else k)
    longest = int(ends.max(initial=0.0))
    discounts = np.concatenate(([0.0], np.cumsum(1.0 / np.log2(np.arange(2.0, longest + 2.0)))))
    steps = discounts[ends.astype(np.int64)]
    return np.asarray((grades[:, None] * np.diff(steps, axis=0, prepend=0.0)).sum(axis=0))


def _slopes(gold: SampledGold, k: int | None) -> Numbers:
    """What one more item of the grade of each item adds to the ideal list of its case."""
    grades, counts = _counts(gold, "nearest")
    slopes, ideal = np.zeros(len(gold.grade)), _ideal(grades, counts, k)
    for place, grade in enumerate(grades):
        more = counts.copy()
        more[place] += 1.0
        of_grade = gold.grade == grade
        slopes[of_grade] = (_ideal(grades, more, k) - ideal)[gold.case[of_grade]]
    return slopes


@metric(
    "infNDCG",
    range=(0, None),
    paper="yilmaz2008b",
    at="k",
    undefined=NO_GAIN,
    elsewhere={"sample_eval": "infNDCG (k=1000; versions of 2012 and later: count=floor)"},
    claims=("priority", "deepness", "closeness threshold"),
    ideal_can_be_beaten=BEATEN,
)
def inferred_gain(lists: Ranked, *, k: Cutoff | None = None, count: Literal["nearest", "floor"] = "nearest") -> Value:
    r"""Normalised discounted cumulated gain estimated from a stratified sample of the pool.

    $$\frac{1}{ideal} \sum_s \frac{d_s}{judged_s} \sum_{i \text{ in } s} \frac{g_i}{\log_2(i + 1)}$$

    Of the items shown, d are pooled and some of them judged, in each stratum s. The ideal list has as many items of each grade
    as are estimated, rounded to the nearest whole number, or down with `count=floor`.
    """

    def value(shown: SampledLists) -> Numbers:
        ideal, kept = _ideal(*_counts(shown.gold, count), k)[shown.case], shown.cut(k)
        return _totals(kept, _gains(kept)) / np.where(ideal > 0, ideal, np.nan)

    return Value(estimated(lists, value), given=lists.some_gain())


@metric("infNDCGError", range=(0, None), paper="yilmaz2008b", better="neither", error_of="infNDCG", at="k", undefined=NO_ERROR)
def error_of_inferred_gain(lists: Ranked, *, k: Cutoff | None = None) -> Value:
    r"""Standard error of infNDCG from drawing the items that were judged.

    $$\frac{1}{ideal} \sqrt{\sum_s N_s^2 \Big( 1 - \frac{n_s}{N_s} \Big) \frac{v_s}{n_s}}$$

    v is the variance, over the judged items of the stratum, of what an item changes in the gain of the list less the value
    times what it changes in the ideal list. This error says nothing about other cases.
    """

    def error(shown: SampledLists) -> Numbers:
        gold, kept = shown.gold, shown.cut(k)
        ideal = _ideal(*_counts(gold, "nearest"), k)[shown.case]
        ideal = np.where(ideal > 0, ideal, np.nan)
        gains = np.where(kept.grade >= 0, _gains(kept), 0.0)
        value = _totals(kept, gains) / ideal
        pooled, judged = kept.by_stratum(np.ones(len(kept.rank))), kept.by_stratum(kept.grade >= 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(judged > 0, pooled / judged, 0.0)
            mean = np.where(judged > 0, kept.by_stratum(gains) / judged, 0.0)
        share = gold.drawn[gold.cell] / gold.pooled[gold.cell]
        centred = np.where(kept.grade >= 0, gains - mean[kept.of, kept.stratum], 0.0)
        part = scale[kept.of, kept.stratum] * share[kept.number] * centred
        return kept.error_of_total(part, _slopes(gold, k), value) / ideal

    return Value(estimated(lists, error), given=lists.some_gain())


@metric(
    "iP",
    range=(0, 1),
    paper="yilmaz2008b",
    at="k",
    elsewhere={"sample_eval": "iPk"},
    claims=("deepness threshold", "closeness threshold"),
    ideal_below_best="a case may have fewer than k relevant items",
    ideal_can_be_beaten=BEATEN,
)
def inferred_precision(lists: Ranked, *, k: Cutoff, rel: Level = 1.0) -> Value:
    r"""Share of relevant items among the first k, estimated from a stratified sample of the pool.

    $$\frac{1}{k} \sum_s d_s \frac{rel_s}{judged_s}$$

    Of the first k items, d are pooled, and some of them judged, in each stratum s; those outside the pool are irrelevant.
    """

    def value(shown: SampledLists) -> Numbers:
        kept = shown.cut(k)
        return _totals(kept, (kept.grade >= rel).astype(np.float64)) / k

    return Value(estimated(lists, value), given=lists.some_relevant(rel))


@metric("iPError", range=(0, None), paper="yilmaz2008b", better="neither", error_of="iP", at="k", undefined=FEW)
def error_of_inferred_precision(lists: Ranked, *, k: Cutoff, rel: Level = 1.0) -> Value:
    r"""Standard error of iP@k from drawing the items that were judged.

    $$\frac{1}{k} \sqrt{\sum_s d_s^2 \Big( 1 - \frac{judged_s}{d_s} \Big) \frac{p_s (1 - p_s)}{judged_s - 1}}$$

    p is the share of relevant items among those judged. This error says nothing about other cases.
    """

    def error(shown: SampledLists) -> Numbers:
        kept = shown.cut(k)
        return _root(kept, (kept.grade >= rel).astype(np.float64)) / k

    return Value(estimated(lists, error), given=lists.some_relevant(rel))
