"""The value of a metric in each of two arms, with its variance: means, ratios by the delta method, and CUPED for both.

A ratio of sums is linear in its columns close to its value, so that every metric is a weighted sum of columns with one
covariance matrix behind it (Deng et al. 2018). CUPED subtracts what a covariate from before the start predicts; its slope comes
from all units of both arms, and the covariate is centred on their common mean (Deng et al. 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.truth.experiments.sums import Moments, together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.experiments.metric import Metric, Quantity


@dataclass(frozen=True)
class Estimate:
    """The value of a metric in an arm."""

    value: float
    variance: float
    """Of a unit, so that variance / n is the squared standard error."""
    n: int
    plain_variance: float = float("nan")
    """The same without a covariate."""

    @property
    def squared_error(self) -> float:
        """The squared standard error."""
        return self.variance / self.n if self.n > 0 else float("nan")


def ratio(quantity: Quantity, moments: Moments) -> tuple[float, NDArray[np.float64]]:
    """The value of a quantity, and how much it changes with the mean of each column."""
    weights = np.zeros(len(moments.columns))
    numerator = moments.at(quantity.numerator)
    if quantity.denominator is None:
        weights[numerator] = 1.0
        return float(moments.mean[numerator]), weights
    denominator = moments.at(quantity.denominator)
    below = float(moments.mean[denominator])
    if below == 0 or np.isnan(below):
        return float("nan"), np.full(len(weights), np.nan)
    value = float(moments.mean[numerator]) / below
    weights[numerator] += 1.0 / below
    weights[denominator] -= value / below
    return value, weights


def estimate(quantity: Quantity, moments: Moments) -> Estimate:
    """The value of a quantity in one arm, as it is."""
    value, weights = ratio(quantity, moments)
    variance = max(float(weights @ moments.covariance @ weights), 0.0)
    return Estimate(value, variance, moments.n, variance)


def estimates(metric: Metric, control: Moments, arm: Moments) -> tuple[Estimate, Estimate]:
    """Both arms, adjusted by the covariate if the metric has one that varies."""
    if metric.before is None:
        return estimate(metric.of, control), estimate(metric.of, arm)
    both = together(control, arm)
    centre, slope = _slope(metric.of, metric.before, both)
    return _adjusted(metric, control, centre, slope), _adjusted(metric, arm, centre, slope)


def _slope(of: Quantity, before: Quantity, both: Moments) -> tuple[float, float]:
    """The covariate of all units, and how much the metric grows with it; 0 if it does not vary."""
    _, weights = ratio(of, both)
    centre, covariate = ratio(before, both)
    variance = float(covariate @ both.covariance @ covariate)
    return centre, float(weights @ both.covariance @ covariate) / variance if variance > 0 else 0.0


def _adjusted(metric: Metric, moments: Moments, centre: float, slope: float) -> Estimate:
    value, weights = ratio(metric.of, moments)
    before, covariate = ratio(metric.before, moments) if metric.before else (0.0, np.zeros_like(weights))
    rest = weights - slope * covariate
    plain = max(float(weights @ moments.covariance @ weights), 0.0)
    variance = max(float(rest @ moments.covariance @ rest), 0.0)
    return Estimate(value - slope * (before - centre), variance, moments.n, plain)
