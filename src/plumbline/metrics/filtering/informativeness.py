"""Informativeness-based metrics: every output that ignores the gold is equally useless."""

from __future__ import annotations

from math import log

import numpy as np

from plumbline.metrics.filtering.settings import COUNTS
from plumbline.metrics.filtering.utility import accuracy
from plumbline.metrics.registry import NEVER, metric
from plumbline.views.confusion import Confusion, Numbers, ratio

ONE_CLASS = "the gold has no positive or no negative item there"


@metric(
    "Lam",
    range=(0, 1),
    paper="cormack2005",
    better="lower",
    undefined=ONE_CLASS,
    **COUNTS,
    claims=("definiteness", "fixed quality"),
)
def logistic_average_misclassification(t: Confusion) -> Numbers:
    r"""Logistic average of the two misclassification rates (lam%), as a share.

    $$logit^{-1}\Big(\tfrac{1}{2}\big(logit\,P(\neg S|G) + logit\,P(S|\neg G)\big)\Big)$$

    A rate of exactly 0 or 1 on one side alone decides the value; smoothing fixes that. An output that accepts or
    discards everything scores 0.5, as every output that ignores the gold does.
    """
    wrong = np.sqrt(t.not_S_if_G * t.S_if_not_G)
    right = np.sqrt(t.S_if_G * t.not_S_if_not_G)
    return np.where(wrong + right == 0, 0.5, wrong / (wrong + right))


@metric(
    "Odds",
    range=(0, None),
    paper="amigo2019",
    undefined="it is infinite, since one kind of error does not occur, or one class is absent from the gold",
    **COUNTS,
    claims=("fixed quality",),
    ideal_below_best="without errors it is infinite, which is undefined",
)
def odds_ratio(t: Confusion) -> Numbers:
    r"""How many times the odds of being accepted are higher for positive items.

    $$\frac{P(S|G) \, P(\neg S|\neg G)}{P(\neg S|G) \, P(S|\neg G)}$$

    Accepting or discarding everything gives 1, the value of every output that ignores the gold.
    """
    right, wrong = t.S_if_G * t.not_S_if_not_G, t.not_S_if_G * t.S_if_not_G
    return np.where((right == 0) & (wrong == 0), 1.0, ratio(right, wrong))


@metric(
    "Phi",
    range=(-1, 1),
    paper="amigo2019",
    undefined="the gold or the output has one class only",
    aliases={"MCC": {}},
    elsewhere={"sklearn": "matthews_corrcoef"},
    **COUNTS,
    claims=("strict monotonicity", "fixed quality"),
)
def phi(t: Confusion) -> Numbers:
    r"""Correlation of output and gold.

    $$\frac{P(S, G) P(\neg S, \neg G) - P(S, \neg G) P(\neg S, G)}{\sqrt{P(G) P(\neg G) P(S) P(\neg S)}}$$

    scikit-learn returns 0 where the output has one class only; here that is undefined.
    """
    difference = t.S_and_G * t.not_S_and_not_G - t.S_and_not_G * t.not_S_and_G
    return ratio(difference, np.sqrt(t.G * t.not_G * t.S * t.not_S))


@metric(
    "MAAc",
    linear=True,
    range=(0, 1),
    paper="amigo2019",
    undefined=ONE_CLASS,
    aliases={"BalancedAccuracy": {}},
    elsewhere={"sklearn": "balanced_accuracy_score"},
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "fixed quality"),
)
def macro_average_accuracy(t: Confusion) -> Numbers:
    r"""Mean of the accuracies within each class.

    $$\frac{P(S|G) + P(\neg S|\neg G)}{2}$$
    """
    return (t.S_if_G + t.not_S_if_not_G) / 2.0


@metric(
    "Chi",
    linear=True,
    range=(0, 1),
    paper="amigo2019",
    undefined=ONE_CLASS,
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "fixed quality"),
)
def chi(t: Confusion) -> Numbers:
    r"""The chi measure in probabilities, which is MAAc to the last digit.

    $$\frac{P(S|G) P(\neg S|\neg G) - P(S|\neg G) P(\neg S|G) + 1}{2}$$

    The products cancel, so this is another way of writing MAAc.
    """
    return (t.S_if_G * t.not_S_if_not_G - t.S_if_not_G * t.not_S_if_G + 1.0) / 2.0


@metric(
    "Kappa",
    range=(-1, 1),
    paper="cohen1960",
    undefined="gold and output have the same single class",
    elsewhere={"sklearn": "cohen_kappa_score"},
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "fixed quality"),
)
def kappa(t: Confusion) -> Numbers:
    r"""Accuracy beyond that of a random output of the same size.

    $$\frac{Accuracy - A}{1 - A}, \quad A = P(S) P(G) + P(\neg S) P(\neg G)$$
    """
    by_chance = t.S * t.G + t.not_S * t.not_G
    return ratio(accuracy(t) - by_chance, 1.0 - by_chance)


@metric(
    "MI",
    range=(0, log(2)),
    paper="amigo2019",
    undefined=NEVER,
    elsewhere={"sklearn": "mutual_info_score"},
    **COUNTS,
    claims=("definiteness", "strong definiteness", "fixed quality"),
    ideal_below_best="it is the entropy of the gold, which is ln 2 only if both classes are equally frequent",
)
def mutual_information(t: Confusion) -> Numbers:
    r"""What the output tells about the gold, in nats.

    $$\sum P(s, g) \, \ln \frac{P(s, g)}{P(s) P(g)}$$

    An output that is wrong on every item tells as much as one that is right on every item.
    """
    cells = ((t.S_and_G, t.S * t.G), (t.S_and_not_G, t.S * t.not_G), (t.not_S_and_G, t.not_S * t.G))
    last = (t.not_S_and_not_G, t.not_S * t.not_G)
    first, *others = (np.where(both == 0, 0.0, both * np.log(both / chance)) for both, chance in (*cells, last))
    return np.maximum(sum(others, first), 0.0)


@metric(
    "Youden",
    linear=True,
    range=(-1, 1),
    paper="youden1950",
    undefined=ONE_CLASS,
    aliases={"Informedness": {}},
    **COUNTS,
    claims=("strict monotonicity", "definiteness", "fixed quality"),
)
def youden(t: Confusion) -> Numbers:
    r"""Recall plus specificity minus one.

    $$P(S|G) + P(\neg S|\neg G) - 1$$
    """
    return t.S_if_G + t.not_S_if_not_G - 1.0
