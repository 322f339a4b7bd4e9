"""Looking again and again: intervals and p that are right at every look, and bounds for a few planned looks.

The mixture sequential probability ratio test (Johari et al. 2022) averages the likelihood ratio over effects with mean 0 and
deviation tau. Its inverse is the asymptotic confidence sequence of Waudby-Smith et al. (2024): an effect is outside the
interval if and only if its p is below the level. Tau is given, or follows from the size at which the interval shall be
tightest.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, log, nan, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.lazily import optimize, special
from plumbline.truth.experiments.effect import ends_of_ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.experiments.effect import Effect

PLANNED: Final = 5_000
"""Units of all arms at which intervals are tightest if no plan is given."""
FEWEST: Final = 100
"""Units of an arm from which p and intervals are given: with fewer, the normal distribution is no good approximation."""
_STEPS: Final = 801
"""Points of a grid of sums over which the densities of planned looks are integrated."""


def sharpness(planned: float, level: float) -> float:
    """Rho squared, by which the sequence is tightest at the planned number of units."""
    return (-2 * log(level) + log(1 - 2 * log(level))) / planned


def mixture_variance(squared_error: float, n: float, planned: float, level: float) -> float:
    """Tau squared of the mixture that is tightest at the planned number of units."""
    return squared_error * n * sharpness(planned, level)


def half_width(squared_error: float, tau_squared: float, level: float) -> float:
    """Half the width of the interval that is valid at every look."""
    total = squared_error + tau_squared
    return sqrt(squared_error * total / tau_squared * 2 * log(sqrt(total / squared_error) / level))


def msprt(difference: float, squared_error: float, tau_squared: float) -> float:
    """P of the mixture sequential probability ratio test at one look."""
    total = squared_error + tau_squared
    logarithm = 0.5 * log(total / squared_error) - tau_squared * difference**2 / (2 * squared_error * total)
    return min(1.0, exp(logarithm))


def always_valid(effect: Effect, *, planned: float, level: float, mixture: float | None, margin: float | None) -> Effect:
    """The same effect, with an interval and a p that hold at every look."""
    method = "always valid"
    if effect.reason is None and min(effect.n, effect.n_control) < FEWEST:
        reason = f"an arm has fewer than {FEWEST} units, too few to look at"
        return replace(effect, **_UNKNOWN, method=method, reason=reason)
    if effect.reason is not None:
        return replace(effect, method=method)
    n, variance = effect.n + effect.n_control, effect.error**2
    tau = mixture**2 if mixture else mixture_variance(variance, n, planned, level)
    half = half_width(variance, tau, level)
    low, high = nan, nan
    if effect.control > 0 and effect.value > 0 and effect.relative_error > 0:
        squared = effect.relative_error**2
        scaled = (mixture / effect.control) ** 2 if mixture else mixture_variance(squared, n, planned, level)
        around, width = log(effect.value / effect.control), half_width(squared, scaled, level)
        low, high = ends_of_ratio(around, width)
    within = nan if margin is None else _within(effect.difference, variance, tau, margin)
    return replace(
        effect,
        low=effect.difference - half,
        high=effect.difference + half,
        relative_low=low,
        relative_high=high,
        statistic=effect.difference / effect.error,
        p=msprt(effect.difference, variance, tau),
        within=within,
        method=method,
    )


_UNKNOWN: Final[dict[str, Any]] = dict.fromkeys(
    ("low", "high", "relative_low", "relative_high", "statistic", "p", "within"), nan
)


def _within(difference: float, variance: float, tau: float, margin: float) -> float:
    """P of equivalence: the larger p of both ends of the margin, 1 where the difference is beyond it."""
    return 1.0 if abs(difference) >= margin else msprt(margin - abs(difference), variance, tau)


def obrien_fleming(look: int, looks: int, level: float) -> float:
    """The level of one of several equally spaced looks, small at first (O'Brien and Fleming 1979).

    At look k the statistic must exceed c times the root of looks / k; c makes all looks together wrong as often as the level.
    """
    least = float(special.ndtri(1 - level / 2))
    constant = (
        least if looks == 1 else float(optimize.brentq(lambda c: _crossing(c, looks) - level, least, least + 2.0, xtol=1e-10))
    )
    return 2 * float(special.ndtr(-constant * sqrt(looks / look)))


def _crossing(constant: float, looks: int) -> float:
    """How probable it is that the sum crosses its bound at any look if there is no effect: the bound is the same at each."""
    bound = constant * sqrt(looks)
    grid = np.linspace(-bound, bound, _STEPS)
    weights = _simpson(grid)
    inside = np.exp(-(grid**2) / 2) / sqrt(2 * np.pi)
    crossed = 2 * float(special.ndtr(-bound))
    step = np.exp(-((grid[:, None] - grid[None, :]) ** 2) / 2) / sqrt(2 * np.pi)
    beyond = special.ndtr(grid - bound) + special.ndtr(-bound - grid)
    for _ in range(1, looks):
        crossed += float((inside * weights * beyond).sum())
        inside = step @ (inside * weights)
    return crossed


def _simpson(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.ones(len(grid))
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    return np.asarray(weights * (grid[1] - grid[0]) / 3)


def tightest(planned: float | None) -> float:
    """The number of units at which intervals are tightest."""
    return PLANNED if planned is None or planned == inf else planned
