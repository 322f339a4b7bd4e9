"""A mean from few true values and many predictions of them (Angelopoulos et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.lazily import special

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]
    Stratum = tuple[Numbers, Numbers, Numbers]
    """True values of a sample, predictions of the same, predictions of all others."""

TWO = 2


@dataclass(frozen=True)
class Powered:
    """A mean with its interval, and how many true values it is worth."""

    value: float
    error: float
    low: float
    high: float
    weight: float
    """How far predictions are trusted: 0 is the plain mean of the true values."""
    worth: float
    """How many true values a plain mean of the same error would need; no more than there are true and predicted values."""


def powered_mean(
    true: ArrayLike,
    predicted: ArrayLike,
    unlabelled: ArrayLike,
    *,
    weight: float | None = None,
    confidence: float = 0.95,
    large_sample: bool = False,
) -> Powered:
    r"""The mean of true values, improved by predictions.

    $$\theta = \bar Y + \lambda (\bar f_N - \bar f_n)$$

    Args:
        true: The true values of a random sample.
        predicted: The predictions of the same.
        unlabelled: The predictions of all others.
        weight: Lambda, between 0 and 1; the one with the smallest variance if none is given.
        confidence: The confidence level of the interval.
        large_sample: Normal quantiles and variances that divide by n, as in the paper.

    Returns:
        The mean, and how many true values it is worth.
    """
    y, f, others = (np.asarray(values, dtype=np.float64) for values in (true, predicted, unlabelled))
    n, many = len(y), len(others)
    freedom = 0 if large_sample else 1
    trusted = tuned_weight(y, f, others) if weight is None else weight
    classical = y.var(ddof=freedom) / n
    variance = (y - trusted * f).var(ddof=freedom) / n
    if trusted:
        variance += trusted**2 * others.var(ddof=freedom) / many
    value = y.mean() + (trusted * (others.mean() - f.mean()) if trusted else 0.0)
    half = quantile(confidence, n, normal=large_sample) * np.sqrt(variance)
    worth = min(n * classical / variance, n + many) if variance > 0 else float(n)
    return Powered(
        float(value), float(np.sqrt(variance)), float(value - half), float(value + half), float(trusted), float(worth)
    )


def stratified_mean(strata: Sequence[Stratum], *, weight: float | None = None, confidence: float = 0.95) -> Powered:
    r"""The mean over strata whose shares of all cases are known, improved by predictions within each.

    $$\theta = \sum_h \frac{N_h}{N} \theta_h, \quad \mathrm{var} = \sum_h \left(\frac{N_h}{N}\right)^2 \mathrm{var}_h$$

    Predictions are trusted alike in all strata, with the lambda of the smallest variance of the whole: few true values of a
    stratum do not tell how good its predictions are. The degrees of freedom are Satterthwaite's.

    Args:
        strata: True values and their predictions, both of a random sample of the stratum, and the predictions of all others.
        weight: Lambda, between 0 and 1; the best one if none is given.
        confidence: The confidence level of the interval.

    Returns:
        The mean, and how many true values, drawn from the same strata, it is worth.
    """
    sizes = np.array([len(y) + len(others) for y, _, others in strata], dtype=np.float64)
    shares, drawn = sizes / sizes.sum(), np.array([len(y) for y, _, _ in strata])
    trusted = common_weight(strata) if weight is None else weight
    parts = [powered_mean(y, f, others, weight=trusted if len(others) else 0.0) for y, f, others in strata]
    plain = [y.var(ddof=1) / len(y) for y, _, _ in strata]
    variances = shares**2 * np.array([part.error**2 for part in parts])
    variance, classical = variances.sum(), (shares**2 * np.array(plain)).sum()
    freedom = variance**2 / (variances**2 / (drawn - 1)).sum() if variance > 0 else drawn.sum() - len(strata)
    value = float((shares * np.array([part.value for part in parts])).sum())
    half = quantile(confidence, freedom + 1, normal=False) * np.sqrt(variance)
    worth = min(drawn.sum() * classical / variance, sizes.sum()) if variance > 0 else float(drawn.sum())
    return Powered(value, float(np.sqrt(variance)), float(value - half), float(value + half), float(trusted), float(worth))


def common_weight(strata: Sequence[Stratum]) -> float:
    """The lambda of the smallest variance of a stratified mean, between 0 and 1; of one stratum, that of `tuned_weight`."""
    gain = cost = 0.0
    for y, f, others in strata:
        n, many = len(y), len(others)
        if n >= TWO and many:
            square = float(n + many) ** 2
            gain += square * float(((y - y.mean()) * (f - f.mean())).mean()) / n
            cost += square * float(np.concatenate([f, others]).var(ddof=1)) * (1 / n + 1 / many)
    return float(np.clip(gain / cost, 0.0, 1.0)) if cost > 0 else 0.0


def tuned_weight(y: Numbers, f: Numbers, others: Numbers) -> float:
    """The lambda of the smallest variance, between 0 and 1."""
    n, many = len(y), len(others)
    if n < TWO or many == 0:
        return 0.0
    spread = np.concatenate([f, others]).var(ddof=1)
    if spread <= 0:
        return 0.0
    together = ((y - y.mean()) * (f - f.mean())).mean()
    return float(np.clip(together / ((1 + n / many) * spread), 0.0, 1.0))


def quantile(confidence: float, n: float, *, normal: bool) -> float:
    """How many standard errors an interval reaches on each side."""
    upper = (1 + confidence) / 2
    return float(special.ndtri(upper) if normal else special.stdtrit(n - 1, upper))
