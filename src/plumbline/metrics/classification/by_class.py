"""Metrics of one class at a time: averaged over classes, over items, or given for each class."""

from __future__ import annotations

from plumbline.metrics.classification.settings import AVERAGED, PER_CLASS
from plumbline.metrics.registry import Parameter, metric
from plumbline.metrics.rules import Share
from plumbline.views.classes import Counts, Numbers
from plumbline.views.terms import harmonic_values as harmonic
from plumbline.views.terms import ratio_values as ratio


@metric(
    "P",
    range=(0, 1),
    paper="vanrijsbergen1979",
    claims=(
        "definiteness",
        "strong definiteness",
        "exchange of classes",
        "one step too far, hierarchy",
        "nearness, hierarchy",
    ),
    undefined="the output has no item in the class, or in any class that is averaged",
    aliases={"Precision": {}},
    elsewhere={"sklearn": "precision_score(zero_division=nan)"},
    **PER_CLASS,
)
def precision(c: Counts) -> Numbers:
    r"""Share of right items among those given to a class.

    $$\frac{TP}{TP + FP}$$

    Averages: `macro` counts every class alike, `weighted` by its items in the gold, `micro` counts every item alike,
    `samples` is the mean over items with several labels, `none` shows each class. Classes in which it is undefined are
    left out of an average and counted in a notice.
    """
    return ratio(c.tp, c.tp + c.fp)


@metric(
    "R",
    linear=True,
    range=(0, 1),
    paper="vanrijsbergen1979",
    claims=(
        "strict monotonicity",
        "definiteness",
        "strong definiteness",
        "robustness to imbalance",
        "exchange of classes",
        "rare classes, several labels",
        "one step closer, hierarchy",
        "nearness, hierarchy",
        "rare classes, hierarchy",
    ),
    undefined="the gold has no item in the class, or in any class that is averaged",
    aliases={"Recall": {}},
    elsewhere={"sklearn": "recall_score(zero_division=nan)"},
    **PER_CLASS,
)
def recall(c: Counts) -> Numbers:
    r"""Share of the items of a class that were given to it.

    $$\frac{TP}{TP + FN}$$
    """
    return ratio(c.tp, c.tp + c.fn)


@metric(
    "F",
    range=(0, 1),
    paper="vanrijsbergen1979",
    claims=(
        "strict monotonicity",
        "definiteness",
        "strong definiteness",
        "exchange of classes",
        "rare classes, several labels",
        "one step closer, hierarchy",
        "one step too far, hierarchy",
        "nearness, hierarchy",
        "rare classes, hierarchy",
    ),
    combines=("P", "R"),
    undefined="neither the gold nor the output has an item in the class",
    elsewhere={"sklearn": "fbeta_score"},
    **{**PER_CLASS, "settings": (Parameter("of", str, "classes", choices=("classes", "averages")), *AVERAGED)},
)
def f_of_class(c: Counts, *, alpha: Share = 0.5) -> Numbers:
    r"""Weighted harmonic mean of precision and recall of each class.

    $$\frac{1}{\alpha / P + (1 - \alpha) / R}$$

    It is averaged over classes, as scikit-learn does. `of=averages` is the harmonic mean of the two averages instead,
    which is never lower; papers call both macro F. `beta` can be given for alpha = 1 / (1 + beta^2).
    """
    return harmonic(precision(c), recall(c), alpha)


@metric(
    "Jaccard",
    range=(0, 1),
    paper="jaccard1912",
    claims=(
        "strict monotonicity",
        "definiteness",
        "strong definiteness",
        "exchange of classes",
        "rare classes, several labels",
        "one step closer, hierarchy",
        "one step too far, hierarchy",
        "nearness, hierarchy",
        "rare classes, hierarchy",
    ),
    undefined="neither the gold nor the output has an item in the class",
    elsewhere={"sklearn": "jaccard_score"},
    **PER_CLASS,
)
def jaccard(c: Counts) -> Numbers:
    r"""Items that are in a class on both sides over those that are in it on either side.

    $$\frac{TP}{TP + FP + FN}$$
    """
    return ratio(c.tp, c.tp + c.fp + c.fn)
