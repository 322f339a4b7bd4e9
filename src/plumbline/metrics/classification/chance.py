"""Agreement beyond chance."""

from __future__ import annotations

from typing import Literal

import polars as pl

from plumbline.metrics.classification.settings import PER_LIST
from plumbline.metrics.registry import metric
from plumbline.views.classes import Classes, is_class
from plumbline.views.terms import ratio

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
def kappa(v: Classes, *, weights: Literal["none", "linear", "quadratic"] = "none") -> pl.Expr:
    r"""Agreement beyond that of two independent raters with the same class sizes.

    $$\frac{p_o - p_e}{1 - p_e}$$

    `weights` takes the distance between ordered classes into account (their order is that of `--classes`, of numbers,
    or of the alphabet); an item without an answer is then as far away as possible.
    """
    if weights == "none":
        by_chance = (v.wanted * v.given).sum() / (v.n * v.n)
        return ratio(v.tp.sum() / v.n - by_chance, 1.0 - by_chance)
    power = 1 if weights == "linear" else 2
    return 1.0 - ratio(v.distance(power), _expected_distance(v, power))


def _expected_distance(v: Classes, power: int) -> pl.Expr:
    """The sum of distances if the answers were dealt out anew, whatever the gold; no answer is far from everything."""
    wanted, given, at = v.wanted.filter(is_class), v.given.filter(is_class), v.position.filter(is_class)
    unanswered = v.given.filter(~is_class).sum() * (wanted * v.farthest.filter(is_class) ** power).sum()
    if power == 1:
        upto_wanted, upto_given = wanted.cum_sum(), given.cum_sum()
        between = upto_wanted * (given.sum() - upto_given) + upto_given * (wanted.sum() - upto_wanted)
        return (between.sum() + unanswered) / v.n
    squares = (wanted * at**2).sum() * given.sum() + (given * at**2).sum() * wanted.sum()
    return (squares - 2.0 * (wanted * at).sum() * (given * at).sum() + unanswered) / v.n


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
def correlation(v: Classes) -> pl.Expr:
    r"""Correlation of output and gold, for any number of classes.

    $$\frac{n \sum_k TP_k - \sum_k w_k g_k}{\sqrt{(n^2 - \sum_k g_k^2)(n^2 - \sum_k w_k^2)}}$$

    w are the items that a class should have, g those that it was given; no answer is a class of its own. scikit-learn
    returns 0 where one side has one class only; here that is undefined.
    """
    covariance = v.n * v.tp.sum() - (v.wanted * v.given).sum()
    spread = (v.n**2 - (v.wanted**2).sum()) * (v.n**2 - (v.given**2).sum())
    return ratio(covariance, spread.sqrt())
