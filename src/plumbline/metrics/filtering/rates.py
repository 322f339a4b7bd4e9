"""The conditional probabilities themselves, and the class-oriented family that is made of them."""

from __future__ import annotations

import polars as pl

from plumbline.metrics.filtering.settings import COUNTS
from plumbline.metrics.registry import metric
from plumbline.views.confusion import Confusion, ratio

NO_POSITIVE = "the gold has no positive item there"
NO_NEGATIVE = "the gold has no negative item there"


@metric(
    "P",
    range=(0, 1),
    paper="vanrijsbergen1979",
    undefined="the output has no positive item there",
    aliases={"Precision": {}, "PPV": {}},
    elsewhere={"sklearn": "precision_score"},
    **COUNTS,
)
def precision(t: Confusion) -> pl.Expr:
    r"""Share of positive items among those accepted.

    $$P(G|S)$$
    """
    return t.G_if_S


@metric(
    "R",
    linear=True,
    range=(0, 1),
    paper="vanrijsbergen1979",
    undefined=NO_POSITIVE,
    aliases={"Recall": {}, "TPR": {}},
    elsewhere={"sklearn": "recall_score"},
    **COUNTS,
    claims=("definiteness", "growing quality"),
)
def recall(t: Confusion) -> pl.Expr:
    r"""Share of accepted items among the positive ones.

    $$P(S|G)$$
    """
    return t.S_if_G


@metric(
    "Specificity",
    linear=True,
    range=(0, 1),
    paper="yerushalmy1947",
    undefined=NO_NEGATIVE,
    aliases={"TNR": {}},
    **COUNTS,
    claims=("definiteness",),
)
def specificity(t: Confusion) -> pl.Expr:
    r"""Share of discarded items among the negative ones.

    $$P(\neg S|\neg G)$$
    """
    return t.not_S_if_not_G


@metric(
    "FPR",
    linear=True,
    range=(0, 1),
    paper="yerushalmy1947",
    better="lower",
    undefined=NO_NEGATIVE,
    aliases={"Fallout": {}},
    **COUNTS,
    claims=("definiteness",),
)
def false_positive_rate(t: Confusion) -> pl.Expr:
    r"""Share of accepted items among the negative ones.

    $$P(S|\neg G)$$
    """
    return t.S_if_not_G


@metric(
    "FNR",
    linear=True,
    range=(0, 1),
    paper="yerushalmy1947",
    better="lower",
    undefined=NO_POSITIVE,
    aliases={"Miss": {}},
    **COUNTS,
    claims=("definiteness", "growing quality"),
)
def false_negative_rate(t: Confusion) -> pl.Expr:
    r"""Share of discarded items among the positive ones.

    $$P(\neg S|G)$$
    """
    return t.not_S_if_G


@metric("NPV", range=(0, 1), paper="yerushalmy1947", undefined="the output has no negative item there", **COUNTS)
def negative_predictive_value(t: Confusion) -> pl.Expr:
    r"""Share of negative items among those discarded.

    $$P(\neg G|\neg S)$$
    """
    return t.not_G_if_not_S


@metric(
    "Jaccard",
    range=(0, 1),
    paper="jaccard1912",
    undefined="neither the gold nor the output has a positive item there",
    elsewhere={"sklearn": "jaccard_score"},
    **COUNTS,
    claims=("definiteness", "growing quality"),
)
def jaccard(t: Confusion) -> pl.Expr:
    r"""Size of the intersection of output and gold over the size of their union.

    $$\frac{P(S, G)}{P(S) + P(G) - P(S, G)}$$
    """
    return ratio(t.S_and_G, t.S + t.G - t.S_and_G)
