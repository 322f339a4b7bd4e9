"""Agreement beyond chance."""

from __future__ import annotations

from typing import Literal

import numpy as np

from plumbline.metrics.classification.settings import PER_LIST
from plumbline.metrics.registry import metric
from plumbline.views.classes import Classes, Numbers
from plumbline.views.terms import ratio_values as ratio

ONE_CLASS = "gold and output have the same single class"


@metric(
    "Kappa",
    range=(-1, 1),
    paper="cohen1960",
    claims=("strict monotonicity", "definiteness", "robustness to imbalance", "exchange of classes"),
    undefined=ONE_CLASS,
    single_label=True,
    elsewhere={"sklearn": "cohen_kappa_score"},
    **PER_LIST,
)
def kappa(v: Classes, *, weights: Literal["none", "linear", "quadratic"] = "none") -> Numbers:
    r"""Agreement beyond that of two independent raters with the same class sizes.

    $$\frac{p_o - p_e}{1 - p_e}$$

    `weights` takes the distance between ordered classes into account (their order is that of `--classes`, of numbers,
    or of the alphabet); an item without an answer is then as far away as possible.
    """
    if weights == "none":
        by_chance = v.sum(v.wanted * v.given) / (v.n * v.n)
        return ratio(v.sum(v.tp) / v.n - by_chance, 1.0 - by_chance)
    power = 1 if weights == "linear" else 2
    return 1.0 - ratio(v.distance(power), _expected_distance(v, power))


def _expected_distance(v: Classes, power: int) -> Numbers:
    """The sum of distances if the answers were dealt out anew, whatever the gold; no answer is far from everything."""
    wanted, given, at = v.wanted, np.where(v.is_class, v.given, 0.0), v.position
    unanswered = v.sum(v.given - given) * v.over_classes(wanted * v.farthest**power)
    if power == 1:
        upto_wanted, upto_given = v.running_sum(wanted), v.running_sum(given)
        after_wanted, after_given = v.each(v.sum(wanted)) - upto_wanted, v.each(v.sum(given)) - upto_given
        return (v.sum(upto_wanted * after_given + upto_given * after_wanted) + unanswered) / v.n
    squares = v.sum(wanted * at**2) * v.sum(given) + v.sum(given * at**2) * v.sum(wanted)
    return (squares - 2.0 * v.sum(wanted * at) * v.sum(given * at) + unanswered) / v.n


@metric(
    "MCC",
    range=(-1, 1),
    paper="gorodkin2004",
    claims=("strict monotonicity", "exchange of classes"),
    undefined="the gold or the output has one class only",
    single_label=True,
    elsewhere={"sklearn": "matthews_corrcoef"},
    **PER_LIST,
)
def correlation(v: Classes) -> Numbers:
    r"""Correlation of output and gold, for any number of classes.

    $$\frac{n \sum_k TP_k - \sum_k w_k g_k}{\sqrt{(n^2 - \sum_k g_k^2)(n^2 - \sum_k w_k^2)}}$$

    w are the items that a class should have, g those that it was given; no answer is a class of its own. scikit-learn
    returns 0 where one side has one class only; here that is undefined.
    """
    covariance = v.n * v.sum(v.tp) - v.sum(v.wanted * v.given)
    spread = (v.n**2 - v.sum(v.wanted**2)) * (v.n**2 - v.sum(v.given**2))
    return ratio(covariance, np.sqrt(spread))
