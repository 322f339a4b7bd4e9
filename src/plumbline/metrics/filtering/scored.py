"""Metrics of scores: how sure a filter is, and how well its scores separate the classes."""

from __future__ import annotations

from sys import float_info

import polars as pl

from plumbline.metrics.filtering.informativeness import ONE_CLASS
from plumbline.metrics.filtering.rates import NO_POSITIVE
from plumbline.metrics.filtering.settings import SCORES
from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Tiny
from plumbline.views.scored import Scored


@metric(
    "AUC",
    range=(0, 1),
    paper="bradley1997",
    undefined=ONE_CLASS,
    aliases={"AUROC": {}, "ROCAUC": {}},
    elsewhere={"sklearn": "roc_auc_score"},
    **SCORES,
)
def area_under_curve(v: Scored) -> pl.Expr:
    r"""Probability that a positive item has a higher score than a negative one; equal scores count one half.

    $$\frac{1}{P N} \sum_{+} \Big( N_{below} + \tfrac{1}{2} N_{equal} \Big)$$

    Labels without scores count as scores 0 and 1.
    """
    below = v.all_negatives - v.accepted_negatives + v.negatives / 2.0
    return (v.positives * below).sum() / (v.P * v.N)


@metric(
    "AP", range=(0, 1), paper="buckley2000", undefined=NO_POSITIVE, elsewhere={"sklearn": "average_precision_score"}, **SCORES
)
def average_precision(v: Scored) -> pl.Expr:
    r"""Mean of the precision at each score, weighted by the recall that is gained there.

    $$\sum_t (R_t - R_{t-1}) \, P_t$$

    Items with equal scores are accepted together, so their order does not matter.
    """
    precision = v.accepted_positives / (v.accepted_positives + v.accepted_negatives)
    return (v.positives * precision).sum() / v.P


@metric(
    "BrierScore",
    range=(0, 1),
    paper="brier1950",
    better="lower",
    undefined=NEVER,
    aliases={"Brier": {}},
    elsewhere={"sklearn": "brier_score_loss"},
    **SCORES,
)
def brier_score(v: Scored) -> pl.Expr:
    r"""Mean squared distance of scores from the truth.

    $$\frac{1}{n} \sum (score - gold)^2$$

    Scores must be probabilities.
    """
    p = v.probability
    return (v.positives * (1.0 - p) ** 2 + v.negatives * p**2).sum() / (v.P + v.N)


@metric(
    "LogLoss",
    range=(0, None),
    paper="good1952",
    better="lower",
    undefined=NEVER,
    elsewhere={"sklearn": "log_loss"},
    **SCORES,
    ideal_below_best="clip keeps certain answers away from 0 and 1",
)
def log_loss(v: Scored, *, clip: Tiny = float_info.epsilon) -> pl.Expr:
    r"""Mean negative logarithm of the probability that was given to the truth, in nats.

    $$-\frac{1}{n} \sum \ln P(gold)$$

    Scores must be probabilities; they are kept away from 0 and 1 by `clip`, so that one error does not cost infinitely much.
    """
    p = v.probability.clip(clip, 1.0 - clip)
    return -(v.positives * p.log() + v.negatives * (1.0 - p).log()).sum() / (v.P + v.N)


@metric("EER", range=(0, 1), paper="martin1997", better="lower", undefined=ONE_CLASS, **SCORES)
def equal_error_rate(v: Scored) -> pl.Expr:
    r"""Error rate at the threshold where misses and false alarms are equally frequent.

    $$P(S|\neg G) = P(\neg S|G)$$

    Between two thresholds the ROC curve is a straight line.
    """
    gap = v.accepted_negatives * v.all_positives - (v.all_positives - v.accepted_positives) * v.all_negatives
    before = gap - v.negatives * v.all_positives - v.positives * v.all_negatives  # whole numbers, so that signs are exact
    alarms = (v.accepted_negatives - v.negatives - before / (gap - before) * v.negatives) / v.all_negatives
    return (alarms * ((before < 0) & (gap >= 0))).sum()
