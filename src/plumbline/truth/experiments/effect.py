"""The difference of two arms by one metric: interval, p, relative effect, and whether it is smaller than a margin."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, isfinite, log, nan, sqrt
from sys import float_info
from typing import TYPE_CHECKING, Any, Final, Literal

from plumbline.comparison.significance.shares import newcombe
from plumbline.lazily import special

if TYPE_CHECKING:
    from plumbline.truth.experiments.estimates import Estimate

TWO: Final = 2
_LARGEST: Final = log(float_info.max)
Relative = Literal["log", "fieller"]


@dataclass(frozen=True)
class Effect:
    """How an arm differs from the control; NaN where something is undefined, with the reason."""

    control: float
    value: float
    n_control: int
    n: int
    low: float = nan
    high: float = nan
    relative_low: float = nan
    relative_high: float = nan
    statistic: float = nan
    p: float = nan
    within: float = nan
    """p of a difference as large as the margin: small if the arms are equivalent."""
    error: float = nan
    """The standard error of the difference."""
    relative_error: float = nan
    """The standard error of the logarithm of the ratio of both."""
    narrower: float = nan
    """By what share a covariate made the standard error smaller."""
    method: str = ""
    reason: str | None = None

    @property
    def difference(self) -> float:
        """The arm minus the control."""
        return self.value - self.control

    @property
    def relative(self) -> float:
        """The difference as a share of the control; undefined unless the control is above 0."""
        return self.value / self.control - 1 if self.control > 0 else nan


def welch(control: Estimate, arm: Estimate, *, level: float, relative: Relative = "log", margin: float | None = None) -> Effect:
    """Welch's t test of two means or ratios, with the interval of their difference."""
    known: dict[str, Any] = {"control": control.value, "value": arm.value, "n_control": control.n, "n": arm.n}
    reason = _undefined(control, arm)
    if reason:
        return Effect(**known, method="Welch's t", reason=reason)

    error = sqrt(control.squared_error + arm.squared_error)
    freedom = _freedom(control.squared_error, control.n, arm.squared_error, arm.n)
    difference = arm.value - control.value
    half = float(special.stdtrit(freedom, 1 - level / 2)) * error
    low, high = _relative(control, arm, level, relative)
    within = nan if margin is None else max(float(special.stdtr(freedom, (abs(difference) - margin) / error)), 0.0)
    return Effect(
        **known,
        low=difference - half,
        high=difference + half,
        relative_low=low,
        relative_high=high,
        statistic=difference / error,
        p=2 * float(special.stdtr(freedom, -abs(difference) / error)),
        within=within,
        error=error,
        relative_error=_log_error(control, arm),
        method="Welch's t",
    )


def shares(
    control: Estimate, arm: Estimate, *, level: float, form: str, relative: Relative = "log", margin: float | None = None
) -> Effect:
    """Two shares: z of the pooled share for p, and the interval of Newcombe (1998) or of Wald."""
    plain = welch(control, arm, level=level, relative=relative, margin=margin)
    if form == "welch" or (plain.reason and not 0 < _pooled(control, arm) < 1):
        return plain

    pooled, z = _pooled(control, arm), float(special.ndtri(1 - level / 2))
    difference = arm.value - control.value
    error = sqrt(pooled * (1 - pooled) * (1 / control.n + 1 / arm.n))
    ends = newcombe(arm.value, arm.n, control.value, control.n, z) if form == "newcombe" else wald(control, arm, z)
    low, high = map(float, ends)
    unpooled = sqrt(sum(one.value * (1 - one.value) / one.n for one in (control, arm)))
    within = nan if margin is None or unpooled == 0 else float(special.ndtr((abs(difference) - margin) / unpooled))
    return Effect(
        control.value,
        arm.value,
        control.n,
        arm.n,
        low,
        high,
        plain.relative_low,
        plain.relative_high,
        difference / error,
        2 * float(special.ndtr(-abs(difference) / error)),
        within,
        unpooled,
        plain.relative_error,
        method="z of two shares, Newcombe's interval" if form == "newcombe" else "z of two shares, Wald's interval",
    )


def wald(control: Estimate, arm: Estimate, z: float) -> tuple[float, float]:
    """The difference plus and minus z standard errors."""
    error = sqrt(sum(one.value * (1 - one.value) / one.n for one in (control, arm)))
    difference = arm.value - control.value
    return difference - z * error, difference + z * error


def _pooled(control: Estimate, arm: Estimate) -> float:
    total = control.n + arm.n
    return (control.value * control.n + arm.value * arm.n) / total if total else nan


def _undefined(control: Estimate, arm: Estimate) -> str | None:
    if min(control.n, arm.n) < TWO:
        return "an arm has fewer than two units with a value"
    if not (isfinite(control.value) and isfinite(arm.value)):
        return "the denominator of an arm is 0"
    if not control.squared_error + arm.squared_error > 0:
        return "no unit of either arm differs from the others"
    return None


def _freedom(first: float, n_first: int, second: float, n_second: int) -> float:
    """The degrees of freedom of Welch and Satterthwaite."""
    largest = max(first, second)
    if not 0 < largest < inf:
        return inf
    one, other = first / largest, second / largest  # squares of very large or small errors leave the range
    return (one + other) ** 2 / (one**2 / (n_first - 1) + other**2 / (n_second - 1))


def _log_error(control: Estimate, arm: Estimate) -> float:
    if control.value <= 0 or arm.value <= 0:
        return nan
    return sqrt(_of_value(control) + _of_value(arm))


def _of_value(one: Estimate) -> float:
    """The squared standard error as a share of the squared value; infinite if it is too large for the machine."""
    error = sqrt(one.squared_error) / abs(one.value)
    return error * error


def ends_of_ratio(middle: float, half: float) -> tuple[float, float]:
    """The relative effect at both ends of an interval of the logarithm of the ratio; NaN where nothing is known of it."""
    return (exp(middle - half) - 1, exp(middle + half) - 1) if middle + half < _LARGEST else (nan, nan)


def _relative(control: Estimate, arm: Estimate, level: float, form: Relative) -> tuple[float, float]:
    """The interval of the relative effect: that of the logarithm of the ratio, or Fieller's; NaN where there is none."""
    if control.value <= 0 or (form == "log" and arm.value <= 0):
        return nan, nan

    of_control, of_arm = _of_value(control), (_of_value(arm) if arm.value else nan)
    if form == "log":
        t = float(special.stdtrit(_freedom(of_control, control.n, of_arm, arm.n), 1 - level / 2))
        half, middle = t * sqrt(of_control + of_arm), log(arm.value / control.value)
        return ends_of_ratio(middle, half)
    t = float(special.stdtrit(_freedom(control.squared_error, control.n, arm.squared_error, arm.n), 1 - level / 2))
    room = 1 - t * t * of_control
    if room <= 0:  # the control is not shown to differ from 0: the interval has no end
        return nan, nan
    middle = arm.value / control.value
    root = t * sqrt(max(arm.squared_error * room + control.squared_error * middle * middle, 0.0)) / control.value
    low, high = (middle - root) / room - 1, (middle + root) / room - 1
    return (low, high) if isfinite(low) and isfinite(high) else (nan, nan)
