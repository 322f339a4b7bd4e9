"""Metrics of scores: how sure a filter is, and how well its scores separate the classes."""

from __future__ import annotations

from sys import float_info
from typing import Annotated, Final

from plumbline.lazily import pl
from plumbline.metrics.filtering.informativeness import ONE_CLASS
from plumbline.metrics.filtering.rates import NO_POSITIVE
from plumbline.metrics.filtering.settings import SCORES
from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import AtLeast, Cutoff, Tiny
from plumbline.views.scored import Scored

EVEN_ODDS: Final = 0.5
"""The probability from which an item is accepted."""


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


@metric("WAUC", range=(0, 1), paper="weng2008", undefined=ONE_CLASS, **SCORES)
def weighted_area(v: Scored, *, b: Annotated[float, AtLeast(0)] = 1.0) -> pl.Expr:
    r"""Area under the ROC curve in which high recall weighs more than low recall.

    $$\int_0^1 (b + 1) \, r^b \, (1 - FPR(r)) \, dr$$

    r is recall, and FPR(r) the false positive rate at which it is reached. With b = 0 it is AUC; the larger b, the more the
    last positive items matter. Weng and Poon proposed that areas nearer to the top of the curve weigh more and more; the power
    of recall that does so here is not the formula of their paper, which could not be found.
    """
    high, low = v.accepted_positives / v.all_positives, (v.accepted_positives - v.positives) / v.all_positives
    alarms = (v.accepted_negatives - v.negatives) / v.all_negatives
    slope = v.negatives / v.all_negatives / (high - low)
    flat = (1.0 - alarms + slope * low) * (high ** (b + 1.0) - low ** (b + 1.0))
    rising = slope * (b + 1.0) / (b + 2.0) * (high ** (b + 2.0) - low ** (b + 2.0))
    area = pl.when(v.positives > 0).then(flat - rising).otherwise(0.0).sum()
    return pl.when((v.P > 0) & (v.N > 0)).then(area.clip(0.0, 1.0))


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


@metric("RMSE", range=(0, 1), paper="caruana2004", better="lower", undefined=NEVER, elsewhere={"ROCR": "rmse"}, **SCORES)
def root_mean_squared_error(v: Scored) -> pl.Expr:
    r"""Root of the mean squared distance of scores from the truth.

    $$\sqrt{\frac{1}{n} \sum (score - gold)^2}$$

    The root of BrierScore. Scores must be probabilities.
    """
    return brier_score(v).sqrt()


@metric(
    "CalibrationError",
    range=(0, 1),
    paper="caruana2004",
    better="lower",
    undefined=NEVER,
    aliases={"CAL": {}},
    elsewhere={"ROCR": "cal"},
    **SCORES,
)
def calibration_error(v: Scored, *, window: Cutoff = 100) -> pl.Expr:
    r"""How far scores are from the share of positive items with such scores.

    $$\frac{1}{m} \sum_j \Big| \frac{1}{w} \sum_{i=j}^{j+w-1} (score_i - gold_i) \Big|$$

    Items are ordered by their score. A window of w of them moves along, one item at a time; all items are one window if there
    are fewer. Items with equal scores share their positive ones equally. Scores must be probabilities.
    """
    size = v.positives + v.negatives
    p, share = v.probability, v.positives / size
    for end in (0.0, 1.0):  # items without a score have one of these, too
        share = pl.when(p == end).then(v.positives.filter(p == end).sum() / size.filter(p == end).sum()).otherwise(share)
    off = (p - share).repeat_by(size.cast(pl.UInt32)).explode()
    moved = (off.cum_sum() - off.cum_sum().shift(window, fill_value=0.0)).abs().slice(window - 1)
    items = size.sum()
    return pl.when(items < window).then(off.sum().abs() / items).otherwise(moved.mean() / window)


@metric("SAR", range=(0, 1), paper="caruana2004", undefined=ONE_CLASS, elsewhere={"ROCR": "sar"}, **SCORES)
def squared_error_accuracy_and_roc(v: Scored) -> pl.Expr:
    r"""Mean of accuracy, AUC and one minus RMSE.

    $$\frac{Accuracy + AUC + (1 - RMSE)}{3}$$

    An item is accepted from a score of one half. Scores must be probabilities.
    """
    accepted = v.probability >= EVEN_ODDS
    right = pl.when(accepted).then(v.positives).otherwise(v.negatives).sum() / (v.P + v.N)
    return (right + area_under_curve(v) + 1.0 - root_mean_squared_error(v)) / 3.0


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
