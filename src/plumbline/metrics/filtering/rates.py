"""The conditional probabilities themselves, and the class-oriented family that is made of them."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.filtering.settings import COUNTS
from plumbline.metrics.registry import metric
from plumbline.views.confusion import Confusion, Numbers, ratio

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
def precision(t: Confusion) -> Numbers:
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
def recall(t: Confusion) -> Numbers:
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
def specificity(t: Confusion) -> Numbers:
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
def false_positive_rate(t: Confusion) -> Numbers:
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
def false_negative_rate(t: Confusion) -> Numbers:
    r"""Share of discarded items among the positive ones.

    $$P(\neg S|G)$$
    """
    return t.not_S_if_G


@metric("NPV", range=(0, 1), paper="yerushalmy1947", undefined="the output has no negative item there", **COUNTS)
def negative_predictive_value(t: Confusion) -> Numbers:
    r"""Share of negative items among those discarded.

    $$P(\neg G|\neg S)$$
    """
    return t.not_G_if_not_S


@metric(
    "PCFallout",
    range=(0, 1),
    paper="amigo2019",
    better="lower",
    undefined="the output has no positive item there",
    aliases={"FDR": {}},
    elsewhere={"ROCR": "pcfall"},
    **COUNTS,
)
def prediction_conditioned_fallout(t: Confusion) -> Numbers:
    r"""Share of negative items among those accepted.

    $$P(\neg G|S)$$

    One minus precision.
    """
    return 1.0 - t.G_if_S


@metric(
    "PCMiss",
    range=(0, 1),
    paper="amigo2019",
    better="lower",
    undefined="the output has no negative item there",
    aliases={"FOR": {}},
    elsewhere={"ROCR": "pcmiss"},
    **COUNTS,
)
def prediction_conditioned_miss(t: Confusion) -> Numbers:
    r"""Share of positive items among those discarded.

    $$P(G|\neg S)$$

    One minus the negative predictive value.
    """
    return 1.0 - t.not_G_if_not_S


@metric(
    "Product",
    range=(0, 1),
    paper="amigo2019",
    undefined="neither the gold nor the output has a positive item there",
    **COUNTS,
    claims=("definiteness", "growing quality"),
)
def product(t: Confusion) -> Numbers:
    r"""Precision times recall.

    $$P(G|S) \, P(S|G)$$

    It orders outputs much as F does. As in F, one part of 0 makes it 0, even where the other part is undefined.
    """
    return _zero_or(t, t.G_if_S * t.S_if_G)


@metric(
    "MeanF",
    range=(0, 1),
    paper="amigo2011",
    undefined="neither the gold nor the output has a positive item there",
    **COUNTS,
    claims=("definiteness", "growing quality"),
)
def mean_f(t: Confusion) -> Numbers:
    r"""F of precision and recall, averaged over all weights.

    $$\int_0^1 F_\alpha \, d\alpha = \frac{P(G|S) \, P(S|G)}{P(S|G) - P(G|S)} \ln \frac{P(S|G)}{P(G|S)}$$

    No weight is preferred, so that nobody has to choose one. It still prefers an output with equal precision and recall to
    one with the same mean of both.
    """
    apart = t.S_if_G / t.G_if_S - 1.0
    return _zero_or(t, t.S_if_G * np.where(apart == 0, 1.0, np.log1p(apart) / apart))


def _zero_or(t: Confusion, value: Numbers) -> Numbers:
    """0 as soon as precision or recall is 0."""
    return np.where((t.G_if_S == 0) | (t.S_if_G == 0), 0.0, value)


@metric(
    "Jaccard",
    range=(0, 1),
    paper="jaccard1912",
    undefined="neither the gold nor the output has a positive item there",
    elsewhere={"sklearn": "jaccard_score"},
    **COUNTS,
    claims=("definiteness", "growing quality"),
)
def jaccard(t: Confusion) -> Numbers:
    r"""Size of the intersection of output and gold over the size of their union.

    $$\frac{P(S, G)}{P(S) + P(G) - P(S, G)}$$
    """
    return ratio(t.S_and_G, t.S + t.G - t.S_and_G)
