"""Area under the ROC curve of a ranking."""

from __future__ import annotations

from plumbline.metrics.registry import metric
from plumbline.metrics.rules import Level
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Value


@metric(
    "AUC",
    range=(0, 1),
    paper="bradley1997",
    linear="full lists",
    empty=0.0,
    undefined="the gold has no relevant or no irrelevant item there",
    elsewhere={"sklearn": "roc_auc_score"},
    claims=("priority", "deepness threshold"),
)
def area_under_curve(lists: Ranked, *, rel: Level = 1.0) -> Value:
    r"""Probability that a relevant item stands above a judged irrelevant one.

    $$AUC = \frac{1}{R N} \sum_{r} \Big( N - n_{above}(r) \Big)$$

    Judged items only. An item that is not shown stands below all that are; two items that are not shown count one half.
    """
    R, N = lists.R(rel), lists.N(rel)
    wins = lists.total(lists.relevant(rel) * (lists.each(N) - lists.misses(rel)))
    unseen_relevant = R - lists.total(lists.relevant(rel))
    unseen_irrelevant = N - lists.total(lists.nonrelevant(rel))
    return Value((wins + unseen_relevant * unseen_irrelevant / 2.0) / (R * N), given=lists.some_relevant(rel) & (N > 0))
