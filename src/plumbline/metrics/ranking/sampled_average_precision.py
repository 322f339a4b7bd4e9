"""Average precision estimated from a stratified sample of the pool, or from items drawn with probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Level
from plumbline.views.ranked import Ranked
from plumbline.views.sampled import SampledLists, estimated
from plumbline.views.terms import Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

EPSILON: Final = 0.00001
BEATEN: Final = "its estimate rewards items that are pooled but not judged above a relevant one"
NO_ERROR: Final = "the gold has no relevant item there, or a stratum has one judged item only"


def _precisions(lists: SampledLists, rel: float) -> Numbers:
    """The estimated precision at each item shown: 1, and the expected relevant items above it, stratum by stratum."""
    expected = np.zeros(len(lists.rank))
    relevant, judged = lists.grade >= rel, lists.grade >= 0
    for stratum in range(lists.gold.strata):
        inside = lists.stratum == stratum
        seen, hits = lists.above(inside & judged), lists.above(inside & relevant)
        expected += lists.above(inside) * (hits + EPSILON) / (seen + 3.0 * EPSILON)
    return (1.0 + expected) / lists.rank


def _xinfap(lists: SampledLists, rel: float, limit: int | None) -> Numbers:
    total = lists.gold.total(rel)[lists.case]
    hits = np.where(lists.grade >= rel, _precisions(lists, rel) * lists.gold.weight[lists.number], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(total > 0, lists.sum(hits) / total, np.nan)
    return value if limit is None else value * np.maximum(total / limit, 1.0)


def _said_about_others(lists: SampledLists, rel: float) -> Numbers:
    """What each judged item changes in the precisions at relevant items below, by standing for its stratum above them."""
    relevant, judged = lists.grade >= rel, lists.grade >= 0
    weight, changes = lists.gold.weight[lists.number], np.zeros(len(lists.rank))
    share = (lists.gold.drawn / np.maximum(lists.gold.pooled, 1.0))[lists.gold.cell][lists.number]
    for stratum in range(lists.gold.strata):
        inside = lists.stratum == stratum
        seen, hits = lists.above(inside & judged), lists.above(inside & relevant)
        at = np.where(relevant & (seen > 0), weight * lists.above(inside) / lists.rank / np.maximum(seen, 1.0), 0.0)
        below, expected = lists.below(at), lists.below(at * hits / np.maximum(seen, 1.0))
        changes += np.where(inside & judged, share * (relevant * below - expected), 0.0)
    return changes


@metric(
    "xinfAP",
    range=(0, None),
    paper="yilmaz2008b",
    elsewhere={"sample_eval": "infAP (versions of 2012 and later: limit=1000)"},
    samples={"limit": (2,)},
    claims=("priority", "closeness threshold"),
    ideal_can_be_beaten=BEATEN,
)
def stratified_average_precision(lists: Ranked, *, limit: Cutoff | None = None, rel: Level = 1.0) -> Value:
    r"""Average precision estimated from a stratified sample of the pool.

    $$\frac{1}{\hat R} \sum_{i \text{ relevant}} \frac{N_s}{n_s} \cdot \frac{1}{i} \Big( 1 + \sum_t d_t \,
      \frac{rel_t + \epsilon}{judged_t + 3 \epsilon} \Big), \quad \hat R = \sum_s r_s \frac{N_s}{n_s}$$

    d, rel and judged count the items above rank i that are pooled, relevant and judged, in each stratum t. Of its stratum s, N
    items are pooled and n judged. With `limit` the value is multiplied by R / limit where more are estimated to be relevant:
    TRECVID lists hold 1000 items, and its script has done so since 2012, which turns .2453 into .3430 on the same files.
    """
    return Value(estimated(lists, lambda shown: _xinfap(shown, rel, limit)), given=lists.some_relevant(rel))


@metric(
    "xinfAPError",
    range=(0, None),
    paper="yilmaz2008b",
    better="neither",
    error_of="xinfAP",
    undefined=NO_ERROR,
)
def error_of_stratified_average_precision(lists: Ranked, *, rel: Level = 1.0) -> Value:
    r"""Standard error of xinfAP from drawing the items that were judged.

    $$\frac{1}{\hat R} \sqrt{\sum_s N_s^2 \Big( 1 - \frac{n_s}{N_s} \Big) \frac{v_s}{n_s}}$$

    v is the variance, over the judged items of the stratum, of what each changes in the sum: by being relevant itself, and by
    what it says about items above others that are not judged. This error says nothing about other cases: for a mean over n
    cases, the error from drawing items is the root of the sum of squares, divided by n.
    """

    def error(shown: SampledLists) -> Numbers:
        value, total = _xinfap(shown, rel, None), shown.gold.total(rel)[shown.case]
        part = np.where(shown.grade >= rel, _precisions(shown, rel), 0.0) + _said_about_others(shown, rel)
        relevant = shown.gold.relevant(rel).astype(np.float64)
        return shown.error_of_total(part, relevant, value) / np.where(total > 0, total, np.nan)

    return Value(estimated(lists, error), given=lists.some_relevant(rel))


def _statap(shown: SampledLists, rel: float) -> tuple[Numbers, Numbers]:
    """The value of each list, and the precision at each item."""
    hits = np.where(shown.grade >= rel, shown.gold.weight[shown.number], 0.0)
    running = np.cumsum(hits) - hits
    first = np.searchsorted(shown.of, shown.of)
    precision = (1.0 + (running - running[first] if len(running) else running)) / shown.rank
    total = shown.gold.total(rel)[shown.case]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total > 0, shown.sum(precision * hits) / total, np.nan), precision


@metric(
    "statAP",
    range=(0, None),
    paper="aslam2006",
    claims=("priority", "closeness threshold"),
)
def statistical_average_precision(lists: Ranked, *, rel: Level = 1.0) -> Value:
    r"""Average precision estimated from items that were judged with known probabilities.

    $$\frac{1}{\hat R} \sum_i \frac{rel_i}{\pi_i} \cdot \frac{1}{i} \Big( 1 + \sum_{j < i} \frac{rel_j}{\pi_j} \Big),
      \quad \hat R = \sum \frac{rel}{\pi}$$

    The probabilities come from prels, `case item grade method probability`; with strata they are the share of the stratum that
    is judged.
    """
    return Value(estimated(lists, lambda shown: _statap(shown, rel)[0]), given=lists.some_relevant(rel))


@metric("statAPError", range=(0, None), paper="aslam2006", better="neither", error_of="statAP")
def error_of_statistical_average_precision(lists: Ranked, *, rel: Level = 1.0) -> Value:
    r"""Standard error of statAP from drawing the items that were judged.

    $$\frac{1}{\hat R} \sqrt{\sum_i \frac{1 - \pi_i}{\pi_i^2} (c_i - AP \cdot rel_i)^2}$$

    c is what the item changes in the sum. It holds where items were drawn independently of each other, and says nothing about
    other cases.
    """

    def error(shown: SampledLists) -> Numbers:
        value, precision = _statap(shown, rel)
        gold = shown.gold
        relevant = shown.grade >= rel
        below = np.where(relevant, gold.weight[shown.number] / shown.rank, 0.0)
        last = shown.sum(below)[shown.of]
        running = np.cumsum(below)
        first = np.searchsorted(shown.of, shown.of)
        so_far = running - (running[first] - below[first] if len(running) else running)
        change = np.where(relevant, precision + last - so_far, 0.0)
        open_share = (1.0 - gold.probability) * gold.weight**2 * gold.relevant(rel)
        residual = (change - value[shown.of]) ** 2 - value[shown.of] ** 2  # those that are not shown have change 0
        seen = shown.sum(np.where(relevant, open_share[shown.number] * residual, 0.0))
        variance = seen + gold.per_case(open_share)[shown.case] * value**2
        total = gold.total(rel)[shown.case]
        return np.sqrt(np.maximum(variance, 0.0)) / np.where(total > 0, total, np.nan)

    return Value(estimated(lists, error), given=lists.some_relevant(rel))
