"""Cumulated gain, discounted and normalised."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import BadData, table
from plumbline.metrics.ranking.gains import Discount, Gain, discount_of_rank, gain_of_grade, gain_of_item
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Cutoff, Level
from plumbline.views.ranked import Ranked, some
from plumbline.views.terms import Terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.views.ideal import Ideal

    Numbers = NDArray[np.float64]

NO_GAIN = "the gold has no item with a gain there"
LARGEST_EXPONENT = 1000
"""2 to this power is still a 64-bit float, with room for sums."""


def _cut(lists: Ranked, worth: Numbers, k: int | None) -> Numbers:
    return worth if k is None else np.where(lists.rank <= k, worth, 0.0)


def _discounted(lists: Ranked, gain: Gain, discount: Discount) -> Numbers:
    return gain_of_item(lists, gain) * discount_of_rank(discount, lists.rank)


def ideal_dcg(lists: Ranked, gain: Gain, discount: Discount, k: int | None) -> Numbers:
    """The discounted gain of the ideal list; NaN where nothing can be gained."""
    if gain == "exp" and lists.top_grade > LARGEST_EXPONENT:
        raise BadData(table.gain_too_large(LARGEST_EXPONENT, lists.top_grade))
    return lists.ideal_total(f"{gain} {discount}", partial(gain_of_grade, gain), partial(discount_of_rank, discount), k)


@metric("CG", range=(0, None), paper="jarvelin2002", at="k", linear=True, undefined=NO_GAIN, claims=("closeness threshold",))
def cumulated_gain(lists: Ranked, *, k: Cutoff | None = None, gain: Gain = "linear") -> Terms:
    r"""Sum of the gains of the items shown.

    $$CG@k = \sum_{i \le k} g_i$$

    `gain=linear` takes the grade, `gain=exp` takes 2^grade - 1.
    """
    return Terms(_cut(lists, gain_of_item(lists, gain), k), given=ideal_dcg(lists, gain, "burges", None) > 0)


@metric(
    "DCG",
    range=(0, None),
    paper="jarvelin2002",
    at="k",
    linear=True,
    undefined=NO_GAIN,
    claims=("priority", "deepness", "closeness threshold"),
)
def discounted_gain(lists: Ranked, *, k: Cutoff | None = None, gain: Gain = "linear", discount: Discount = "burges") -> Terms:
    r"""Sum of the gains, each discounted by its rank.

    $$DCG@k = \sum_{i \le k} \frac{g_i}{\log_2(i + 1)}$$

    `discount=jarvelin` divides by 1 at rank 1 and by log2(i) below, as the original paper does with base 2.
    `gain=exp` takes 2^grade - 1.
    """
    return Terms(_cut(lists, _discounted(lists, gain, discount), k), given=ideal_dcg(lists, gain, "burges", None) > 0)


@metric(
    "nDCG",
    range=(0, 1),
    paper="jarvelin2002",
    at="k",
    linear=True,
    undefined=NO_GAIN,
    aliases={"ndcg_cut_{k}": {}},
    elsewhere={"trec_eval": "ndcg, ndcg_cut_k", "ir_measures": "nDCG, nDCG@k", "ranx": "ndcg@k", "sklearn": "ndcg_score"},
    claims=("priority", "deepness", "closeness threshold"),
)
def normalised_gain(lists: Ranked, *, k: Cutoff | None = None, gain: Gain = "linear", discount: Discount = "burges") -> Terms:
    r"""Discounted cumulated gain as a share of the best that the case allows.

    $$nDCG@k = \frac{DCG@k}{ideal\ DCG@k}$$

    The ideal list holds all judged items, not only those shown, and is cut at k too. Defaults are trec_eval's: the grade as
    gain and log2(i + 1). scikit-learn averages over equal scores, as `ties="average"` does here.
    """
    return Terms(_cut(lists, _discounted(lists, gain, discount), k), over=ideal_dcg(lists, gain, discount, k))


@metric(
    "nDCGrel",
    range=(0, None),
    paper="treceval",
    undefined=NO_GAIN,
    aliases={"ndcg_rel": {}},
    elsewhere={"trec_eval": "ndcg_rel"},
    claims=("priority", "deepness", "closeness threshold"),
)
def gain_at_relevant(lists: Ranked) -> Terms:
    r"""NDCG averaged over the ranks of the relevant items.

    $$\frac{1}{n} \Big( \sum_{i : g_i > 0} nDCG@i + (n - n_{shown}) \cdot nDCG \Big)$$

    n counts the items with a gain; one that is not shown counts with the value at the end of the list. An experimental
    measure of trec_eval.
    """
    best, worth, positive = lists.ideal, _discounted(lists, "linear", "burges"), lists.grade > 0
    ideal = lists.ideal_at_rank(lambda grades: best.running(grades * discount_of_rank("burges", best.position)))
    total = ideal_dcg(lists, "linear", "burges", None)
    gained = lists.gained_items()
    at_rank = np.where(positive, lists.running_sum(worth) / ideal, 0.0)
    unseen = lists.each((gained - lists.sum(positive)) / total) * worth
    return Terms(at_rank + unseen, over=some(gained))


@metric(
    "RnDCG",
    range=(0, None),
    paper="treceval",
    undefined=NO_GAIN,
    aliases={"Rndcg": {}},
    elsewhere={"trec_eval": "Rndcg"},
    claims=("priority", "closeness threshold"),
)
def gain_at_levels(lists: Ranked, *, rel: Level | None = None) -> Terms:
    r"""NDCG averaged over the ranks at which the gain of the ideal list changes.

    $$\frac{1}{m} \sum_{c} nDCG@c$$

    With 5 items of grade 2 and 10 of grade 1 the ranks c are 5 and 15; the end of the list is one more, if it is longer than
    one past the ideal list. An experimental measure of trec_eval; as there, `rel` does not change gains, but there is no value
    if no item has that grade.
    """
    best, length = lists.ideal, lists.gained_items()
    share = lists.ideal_at_rank(lambda _: _inverse_below(best), beyond=0.0)
    total = ideal_dcg(lists, "linear", "burges", None)
    levels = lists.case_fact("gain levels", lambda: best.per_case(_ends_level(best).astype(np.float64)))
    longer = lists.shown > length + 1
    defined = length > 0 if rel is None else lists.some_relevant(rel)
    worth = _discounted(lists, "linear", "burges") * (share + lists.each(longer / total))
    return Terms(worth, over=np.where(defined, levels + longer, np.nan))


def _ends_level(best: Ideal) -> NDArray[np.bool_]:
    """Whether the gain of the ideal list changes after a position."""
    last = best.position == best.length[best.case]
    changes: NDArray[np.bool_] = last | (best.grade != np.append(best.grade[1:], np.nan))
    return changes


def _inverse_below(best: Ideal) -> NDArray[np.float64]:
    """For each position of the ideal list, the sum of 1 / ideal DCG over the level ends from there on."""
    dcg = best.running(best.grade * discount_of_rank("burges", best.position))
    inverse = np.where(_ends_level(best), 1.0 / dcg, 0.0)
    return best.per_case(inverse)[best.case] - best.running(inverse) + inverse
