"""Arms that share days, or anything else: the values of each day are compared in pairs."""

from __future__ import annotations

from math import exp, log, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.lazily import special
from plumbline.truth.experiments.effect import TWO, Effect
from plumbline.truth.experiments.observed import margin_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.experiments.metric import Metric
    from plumbline.truth.experiments.observed import Observed, Rules

    Numbers = NDArray[np.float64]


def paired_values(observed: Observed, metric: Metric, arm: str, column: str) -> tuple[Numbers, Numbers, int]:
    """The values of the control and of an arm on the days that both have, and how many days only one has."""
    frame = observed.values[metric.name] if metric.quantile is not None else observed.sums[metric.name].keys
    days: list[Any] = frame[observed.layout.key(column)].drop_nulls().unique().sort().to_list()
    values = np.array([[observed.value(metric, name, {column: day})[0] for day in days] for name in (observed.control, arm)])
    both = np.isfinite(values).all(axis=0)
    return values[0, both], values[1, both], int((~both).sum())


def paired_effect(control: Numbers, arm: Numbers, metric: Metric, rules: Rules, column: str) -> Effect:
    """The t test of the differences of pairs."""
    pairs, method = len(control), f"paired t over {len(control):,} values of {column}"
    means = float(control.mean()), float(arm.mean())
    error = float((arm - control).std(ddof=1)) / sqrt(pairs) if pairs >= TWO else nan
    if not error > 0:
        return Effect(*means, pairs, pairs, method=method, reason="the differences of the pairs do not vary")
    freedom, difference = pairs - 1, means[1] - means[0]
    t = float(special.stdtrit(freedom, 1 - rules.level / 2))
    low, high, log_error = nan, nan, nan
    if min(means) > 0:
        log_error = float((arm / means[1] - control / means[0]).std(ddof=1)) / sqrt(pairs)
        around = log(means[1] / means[0])
        low, high = exp(around - t * log_error) - 1, exp(around + t * log_error) - 1
    margin = margin_of(metric, means[0])
    return Effect(
        *means,
        pairs,
        pairs,
        difference - t * error,
        difference + t * error,
        low,
        high,
        difference / error,
        2 * float(special.stdtr(freedom, -abs(difference) / error)),
        nan if margin is None else float(special.stdtr(freedom, (abs(difference) - margin) / error)),
        error,
        log_error,
        method=method,
    )
