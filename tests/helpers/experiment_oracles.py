"""Experiments a second time, unit by unit and without sums: slow and obvious."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Arm:
    """The columns of the units of an arm."""

    numerator: Numbers
    denominator: Numbers
    before: Numbers
    before_denominator: Numbers


def linearised(arm: Arm) -> tuple[Numbers, Numbers]:
    """What each unit adds to the ratio and to the covariate, close to their values."""
    ratio = arm.numerator.mean() / arm.denominator.mean()
    covariate = arm.before.mean() / arm.before_denominator.mean()
    return (
        ratio + (arm.numerator - ratio * arm.denominator) / arm.denominator.mean(),
        covariate + (arm.before - covariate * arm.before_denominator) / arm.before_denominator.mean(),
    )


def cuped(control: Arm, arm: Arm) -> tuple[float, float]:
    """Difference and t of the adjusted ratios: the slope comes from all units, linearised by what all of them show."""
    everyone = Arm(
        *(
            np.concatenate([getattr(control, name), getattr(arm, name)])
            for name in ("numerator", "denominator", "before", "before_denominator")
        )
    )
    value, covariate = linearised(everyone)
    slope = np.cov(value, covariate)[0, 1] / covariate.var(ddof=1)
    rest = []
    for one in (control, arm):
        mine, its_covariate = linearised(one)
        rest.append(mine - slope * (its_covariate - covariate.mean()))
    difference = rest[1].mean() - rest[0].mean()
    error = np.sqrt(sum(one.var(ddof=1) / len(one) for one in rest))
    return float(difference), float(difference / error)


def drawn_quantiles(values: Numbers, share: float, draws: int, seed: int) -> Numbers:
    """The quantile of samples that are really drawn."""
    rng = np.random.default_rng(seed)
    samples = np.sort(rng.choice(values, size=(draws, len(values))), axis=1)
    place = int(np.ceil(len(values) * share - 1e-9))
    return np.asarray(samples[:, max(place, 1) - 1])


def sequential_p(control: Numbers, arm: Numbers, tau: float) -> float:
    """The inverse of the likelihood ratio averaged over effects, by integrating it."""
    error = np.sqrt(control.var(ddof=1) / len(control) + arm.var(ddof=1) / len(arm))
    difference = arm.mean() - control.mean()
    effects = np.linspace(-12 * tau, 12 * tau, 200_001)
    ratio = np.exp((difference * effects - effects**2 / 2) / error**2)
    average = np.trapezoid(ratio * stats.norm.pdf(effects, scale=tau), effects)
    return float(min(1.0, 1 / average))
