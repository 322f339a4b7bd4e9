"""Metrics of the C/W/L framework: the rate at which a user gains who goes on, or stops, by a rule."""

from __future__ import annotations

from math import log, log2
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np

from plumbline.errors import BadData, table
from plumbline.lazily import special
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Positive
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

TopGrade = Annotated[float, Positive()]
Target = Annotated[float, Positive()]
RATE: Final[dict[str, Any]] = {
    "range": (0, 1),
    "undefined": "the gold has no item with a gain there",
    "across_cases": True,
}
"""A gain is the grade as a share of the top grade of the gold, or of `gmax`."""
TRIED: Final[dict[str, Any]] = {"gmax": (4.0,)}
FINITE: Final = "the weights go on after the last item that the gold has"
MANY: Final = 100_000
"""How many discounts are added up one by one."""
STEPS: Final = 12
"""How far the argument of the trigamma function is moved before the series is taken, whose error is then below 1e-15."""


def _top(lists: Ranked, name: str, gmax: float | None) -> float:
    top = lists.top_grade if gmax is None else gmax
    if lists.top_grade > top:
        raise BadData(table.grade_above_max(name, top, lists.top_grade))
    return top


def _gain(lists: Ranked, top: float) -> Numbers:
    return np.maximum(lists.grade, 0.0) / top


def _trigamma(x: Numbers) -> Numbers:
    r"""The sum of 1/(x+i)^2 over all i from 0."""
    head: Numbers = (np.add.outer(np.arange(float(STEPS)), x) ** -2.0).sum(axis=0)
    y = x + float(STEPS)
    series = 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7) - 1 / (30 * y**9) + 5 / (66 * y**11)
    return head + series


@metric(
    "SDCG",
    paper="moffat2017",
    at="k",
    linear=True,
    samples=TRIED,
    elsewhere={"cwl_eval": "SDCG-k", "ir_measures": "SDCG@k (top grade fixed)"},
    ideal_below_best="fewer than k items may have the top grade",
    claims=("deepness threshold", "closeness threshold"),
    **RATE,
)
def scaled_gain(lists: Ranked, *, k: Cutoff, gmax: TopGrade | None = None) -> Terms:
    r"""Discounted cumulated gain as a share of that of k items of the top grade.

    $$SDCG@k = \frac{\sum_{i \le k} g_i / \log_2(i + 1)}{\sum_{i \le k} 1 / \log_2(i + 1)}$$

    Unlike nDCG it does not ask what was there to be found. g is the grade as a share of the top grade of the gold, or of
    `gmax`.
    """
    worth = _gain(lists, _top(lists, "SDCG", gmax)) / np.log2(lists.rank + 1.0)
    return Terms(np.where(lists.rank <= k, worth, 0.0), over=_discounts(k), given=lists.some_gain())


def _discounts(k: int) -> float:
    """The sum of the first k discounts; of very many, the rest as an integral."""
    near = min(k, MANY)
    first = float((1.0 / np.log2(np.arange(2, near + 2))).sum())
    if k == near:
        return first

    rest = log(2) * float(special.expi(log(k + 1)) - special.expi(log(near + 1)))
    return first + rest + (1.0 / log2(k + 1) - 1.0 / log2(near + 1)) / 2.0


@metric(
    "INSQ",
    paper="moffat2012",
    linear=True,
    samples=TRIED,
    elsewhere={"cwl_eval": "INSQ-T", "ir_measures": "INSQ(T)"},
    ideal_below_best=FINITE,
    claims=("priority", "deepness", "deepness threshold"),
    **RATE,
)
def inverse_squares(lists: Ranked, *, T: Target = 1.0, gmax: TopGrade | None = None) -> Terms:  # noqa: N803 - the paper's letter
    r"""Rate of gain of a user who wants T items and gives up ever more slowly.

    $$\sum_i \frac{g_i}{(i + 2T - 1)^2} \Big/ \sum_i \frac{1}{(i + 2T - 1)^2}$$

    The sum below has no end, where cwl_eval sums 1,000 terms.
    """
    every, gain = _trigamma(np.array(2.0 * T)), _gain(lists, _top(lists, "INSQ", gmax))
    return Terms(gain / (lists.rank + 2.0 * T - 1.0) ** 2, over=every, given=lists.some_gain())


@metric(
    "INST",
    paper="moffat2015",
    samples=TRIED,
    elsewhere={"cwl_eval": "INST-T", "ir_measures": "INST(T)"},
    ideal_below_best=FINITE,
    claims=("deepness threshold",),
    **RATE,
)
def adaptive_squares(lists: Ranked, *, T: Target = 1.0, gmax: TopGrade | None = None) -> Value:  # noqa: N803 - the paper's letter
    r"""INSQ for a user who gives up sooner if more has been found.

    $$\sum_i W_i g_i, \quad \frac{W_{i+1}}{W_i} = \Big( \frac{i - 1 + T + T_i}{i + T + T_i} \Big)^2$$

    T is how many items the user wants, and T_i = T less what was gained down to rank i. Between items with a gain the product
    of the ratios collapses, so that ranks without a judgement, and those after the end, are summed in closed form.
    """
    gain, place = _gain(lists, _top(lists, "INST", gmax)), lists.rank
    wanted = 2.0 * T - lists.running_sum(gain)
    before, wanted_before = lists.above(place, first=1.0), lists.above(wanted, first=2.0 * T)
    reached = lists.running_product(((before - 1.0 + wanted_before) / (place - 1.0 + wanted_before)) ** 2)
    beyond = _trigamma(lists.below(place, last=np.inf) - 1.0 + wanted)
    run = reached * (1.0 + (place - 1.0 + wanted) ** 2 * (_trigamma(place + wanted) - beyond))
    first = lists.first(place, empty=np.inf)
    head = 4.0 * T * T * (_trigamma(np.array(2.0 * T)) - _trigamma(first - 1.0 + 2.0 * T))
    return Value(lists.sum(reached * gain) / (head + lists.sum(run)), given=lists.some_gain())


@metric(
    "BPM",
    paper="zhang2017",
    at="k",
    samples=TRIED,
    elsewhere={"cwl_eval": "BPM-Static", "ir_measures": "BPM(T)@k"},
    ideal_below_best="the gold may have less to gain than T",
    claims=("deepness threshold",),
    **RATE,
)
def bejeweled_player(lists: Ranked, *, k: Cutoff, T: Target = 1.0, gmax: TopGrade | None = None) -> Value:  # noqa: N803 - the paper's letter
    r"""Rate of gain of a user who stops as soon as T has been gained, or after k items.

    $$\frac{1}{s} \sum_{i \le s} g_i, \quad s = \min \Big( \{ i : \sum_{j \le i} g_j \ge T \} \cup \{ k \} \Big)$$

    Like the player of a game, the user stops when the goal is reached or no move is left. A list that ends earlier goes on
    with nothing to gain.
    """
    top = _top(lists, "BPM", gmax)
    grades = np.maximum(lists.grade, 0.0)
    done = lists.running_sum(grades) >= T * top
    stop = -lists.max(np.where(done, -lists.rank, -np.inf), empty=-np.inf)
    stop = np.minimum(stop, k)
    gained = lists.sum(np.where(lists.rank <= lists.each(stop), grades, 0.0)) / top
    return Value(gained / stop, given=lists.some_gain())
