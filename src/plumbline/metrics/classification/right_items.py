"""Right and wrong items."""

from __future__ import annotations

from plumbline.metrics.classification.settings import PER_LIST
from plumbline.metrics.registry import NEVER, metric
from plumbline.views.classes import Classes, Numbers


@metric(
    "Accuracy",
    linear=True,
    range=(0, 1),
    paper="sokolova2009",
    claims=("strict monotonicity", "definiteness", "strong definiteness", "exchange of classes"),
    undefined=NEVER,
    aliases={"SubsetAccuracy": {}},
    elsewhere={"sklearn": "accuracy_score"},
    **PER_LIST,
)
def accuracy(v: Classes) -> Numbers:
    r"""Share of items whose label, or whole set of labels, is right.

    $$\frac{1}{n} \sum [labels = gold]$$

    With several labels per item this is what others call subset accuracy or exact match.
    """
    return v.exact / v.n


@metric(
    "ErrorRate",
    linear=True,
    range=(0, 1),
    paper="sokolova2009",
    claims=("strict monotonicity", "definiteness", "strong definiteness", "exchange of classes"),
    better="lower",
    undefined=NEVER,
    elsewhere={"sklearn": "zero_one_loss"},
    **PER_LIST,
)
def error_rate(v: Classes) -> Numbers:
    r"""Share of items whose label, or whole set of labels, is wrong.

    $$1 - Accuracy$$
    """
    return 1.0 - v.exact / v.n


@metric(
    "HammingLoss",
    linear=True,
    range=(0, 1),
    paper="sokolova2009",
    claims=(
        "strict monotonicity",
        "definiteness",
        "strong definiteness",
        "exchange of classes",
        "strict monotonicity, several labels",
        "one step closer, hierarchy",
        "one step too far, hierarchy",
        "nearness, hierarchy",
    ),
    better="lower",
    undefined="no item has any label",
    elsewhere={"sklearn": "hamming_loss"},
    **PER_LIST,
)
def hamming_loss(v: Classes) -> Numbers:
    r"""Share of wrong decisions about single labels.

    $$\frac{1}{n K} \sum_{k} (FP_k + FN_k)$$

    K is the number of classes that were declared, or that occur in the case. With one label per item it is the error
    rate, as in scikit-learn.
    """
    if not v.several:
        return 1.0 - v.exact / v.n
    return v.over_classes(v.fp + v.fn) / (v.n * v.sum(v.is_class))


@metric(
    "BalancedAccuracy",
    linear=True,
    range=(0, 1),
    paper="brodersen2010",
    claims=("strict monotonicity", "definiteness", "strong definiteness", "robustness to imbalance", "exchange of classes"),
    undefined=NEVER,
    single_label=True,
    aliases={"MAAc": {}},
    elsewhere={"sklearn": "balanced_accuracy_score"},
    **PER_LIST,
)
def balanced_accuracy(v: Classes) -> Numbers:
    r"""Mean recall of the classes that the gold has.

    $$\frac{1}{K} \sum_k \frac{TP_k}{TP_k + FN_k}$$
    """
    return v.mean(v.tp / v.wanted, among=v.wanted > 0)
