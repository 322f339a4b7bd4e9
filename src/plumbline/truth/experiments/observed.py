"""What was observed of every arm: sums by segment and day, from which the effect of any part can be taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.errors import BadData
from plumbline.errors import experiments as problems
from plumbline.truth.experiments.counting import ARM
from plumbline.truth.experiments.effect import Effect, Relative, shares, welch
from plumbline.truth.experiments.estimates import estimate, estimates
from plumbline.truth.experiments.quantiles import quantile, quantile_effect
from plumbline.truth.experiments.sequential import always_valid, tightest

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.truth.experiments.counting import Layout
    from plumbline.truth.experiments.metric import Metric
    from plumbline.truth.experiments.sums import Moments, Sums


@dataclass(frozen=True)
class Rules:
    """How an effect is tested."""

    level: float = 0.05
    proportions: str = "newcombe"
    relative: Relative = "log"
    peek: bool = False
    planned: float | None = None
    mixture: float | None = None
    resamples: int = 10_000
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Observed:
    """The sums of every metric, and the values of those that are quantiles."""

    layout: Layout
    control: str
    arms: tuple[str, ...]
    """The arms that are compared with the control."""
    sums: Mapping[str, Sums]
    values: Mapping[str, pl.DataFrame]

    def groups(self, keys: pl.DataFrame, arm: str, where: Mapping[str, Any]) -> NDArray[np.bool_]:
        """The groups of an arm, of a segment if one is given by the values of its columns."""
        chosen = keys[ARM] == arm
        for column, value in where.items():
            chosen = chosen & (keys[self.layout.key(column)] == value)
        return chosen.fill_null(value=False).to_numpy()

    def moments(self, metric: Metric, arm: str, where: Mapping[str, Any]) -> Moments:
        """The units of an arm, or of a part of it."""
        sums = self.sums[metric.name]
        return sums.moments(self.groups(sums.keys, arm, where))

    def value(self, metric: Metric, arm: str, where: Mapping[str, Any]) -> tuple[float, int]:
        """The value of a metric, not adjusted, and of how many units."""
        if metric.quantile is not None:
            some = self._values(metric, arm, where)
            return (quantile(np.sort(some), metric.quantile) if len(some) else float("nan")), len(some)
        plain = estimate(metric.of, self.moments(metric, arm, where))
        return plain.value, plain.n

    def effect(self, metric: Metric, arm: str, rules: Rules, where: Mapping[str, Any] | None = None) -> Effect:
        """How an arm differs from the control, as a whole or in a segment."""
        part = where or {}
        if metric.quantile is not None:
            control, treated = (self._values(metric, name, part) for name in (self.control, arm))
            middle = self.value(metric, self.control, part)[0]
            return quantile_effect(
                control,
                treated,
                metric.quantile,
                level=rules.level,
                resamples=rules.resamples,
                seed=rules.seed,
                margin=margin_of(metric, middle),
            )
        control_moments, moments = (self.moments(metric, name, part) for name in (self.control, arm))
        return tested(metric, control_moments, moments, self.is_share(metric), rules)

    def is_share(self, metric: Metric) -> bool:
        """Whether a metric is the share of units that have something."""
        is_plain = metric.of.denominator is None and metric.before is None
        return is_plain and metric.of.numerator in self.sums[metric.name].shares

    def _values(self, metric: Metric, arm: str, where: Mapping[str, Any]) -> NDArray[np.float64]:
        frame = self.values[metric.name]
        return frame["value"].to_numpy()[self.groups(frame, arm, where)]

    def check(self, metric: Metric) -> None:
        """Refuse a metric that has no value in an arm."""
        for arm in (self.control, *self.arms):
            value, n = self.value(metric, arm, {})
            if n == 0:
                raise BadData(problems.no_values(metric.name, arm, "no unit has a value"))
            if not np.isfinite(value):
                raise BadData(problems.no_values(metric.name, arm, f"{metric.of.denominator} is 0 in all units together"))


def margin_of(metric: Metric, control: float) -> float | None:
    """The smallest change that matters, in the unit of the metric; a share is one of the control."""
    if metric.margin is None:
        return None
    return metric.margin.value * abs(control) if metric.margin.relative else metric.margin.value


def tested(metric: Metric, control: Moments, arm: Moments, is_share: bool, rules: Rules) -> Effect:  # noqa: FBT001 - a fact
    """The effect between two sets of units, by the test that fits the metric and the rules."""
    first, second = estimates(metric, control, arm)
    margin = margin_of(metric, first.value)
    if is_share and not rules.peek:
        return shares(first, second, level=rules.level, form=rules.proportions, relative=rules.relative, margin=margin)
    effect = welch(first, second, level=rules.level, relative=rules.relative, margin=margin)
    if rules.peek:
        effect = always_valid(effect, planned=tightest(rules.planned), level=rules.level, mixture=rules.mixture, margin=margin)
    plain = (first.plain_variance / first.n + second.plain_variance / second.n) if min(first.n, second.n) else float("nan")
    if metric.before is None or not plain > 0 or effect.reason is not None:
        return effect
    return replace(effect, narrower=1 - effect.error / plain**0.5, method=f"{effect.method}, CUPED")
