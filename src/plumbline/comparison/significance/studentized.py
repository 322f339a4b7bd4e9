"""The studentized range: how far apart the largest and the smallest of k means lie by chance.

scipy.stats has it, but takes more than a second to import and milliseconds for each number; here all pairs of a hundred
systems take a fraction of a second. The trapezoidal rule serves both integrals: it converges exponentially on smooth
functions that vanish at both ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_Z: Final = np.arange(-10.0, 26.0, 0.125)
"""Where the normal variable is looked at; ranges beyond 50 have probability 0 in double precision."""
_DROP: Final = 45.0
"""The density of the deviation is followed until it has dropped by exp(-45)."""
_NODES: Final = 200
"""Beyond this many different ranges, their probabilities are interpolated between this many nodes."""
_NOTHING: Final = 1e-80
"""What is less probable than this counts as impossible when many ranges are asked for."""


def survival(ranges: ArrayLike, groups: int, freedom: float = np.inf) -> NDArray[np.float64]:
    """The probability that the studentized range of `groups` means exceeds each range, with `freedom` degrees of freedom."""
    given = np.asarray(ranges, dtype=np.float64)
    different, place = np.unique(given.ravel(), return_inverse=True)
    finite = different[np.isfinite(different)]
    probabilities = np.where(np.isnan(different), np.nan, 0.0)
    known = _interpolated(finite, groups, freedom) if len(finite) > _NODES else _direct(finite, groups, freedom)
    probabilities[np.isfinite(different)] = known
    return np.asarray(probabilities[place].reshape(given.shape))


def critical(alpha: float, groups: int, freedom: float = np.inf) -> float:
    """The range that is exceeded with probability `alpha`."""
    low, high = 0.0, 1.0
    while survival(high, groups, freedom) > alpha:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if survival(middle, groups, freedom) > alpha else (low, middle)
    return (low + high) / 2


def _interpolated(ranges: NDArray[np.float64], groups: int, freedom: float) -> NDArray[np.float64]:
    """The logarithm is smooth along the area sine, so it passes through Chebyshev nodes; what is nearly impossible is 0."""
    top = float(ranges[-1])
    while _direct(np.array([top]), groups, freedom)[0] < _NOTHING:
        top /= 1.1
    low, high = np.arcsinh(ranges[0]), np.arcsinh(top)
    middle, half = (low + high) / 2, (high - low) / 2

    nodes = np.polynomial.chebyshev.chebpts1(_NODES)
    logarithms = np.log(_direct(np.sinh(middle + half * nodes), groups, freedom))
    fitted = 2 / _NODES * np.polynomial.chebyshev.chebvander(nodes, _NODES - 1).T @ logarithms
    fitted[0] /= 2
    places = (np.arcsinh(np.minimum(ranges, top)) - middle) / half
    inside = np.exp(np.minimum(np.polynomial.chebyshev.chebval(places, fitted), 0.0))
    return np.asarray(np.where(ranges <= top, inside, 0.0))


def _direct(ranges: NDArray[np.float64], groups: int, freedom: float) -> NDArray[np.float64]:
    """One range after the other, each over all deviations at once."""
    if np.isinf(freedom):
        return _normal(ranges, groups)
    deviations, weights = _deviations(freedom)
    out: NDArray[np.float64] = np.array([weights @ _normal(one * deviations, groups) for one in ranges])
    return np.asarray(np.minimum(out, 1.0))


def _normal(ranges: NDArray[np.float64], groups: int) -> NDArray[np.float64]:
    """The same with a known deviation: `k phi(z) [Phi(z)^(k-1) - (Phi(z) - Phi(z-w))^(k-1)]` over z, without cancellation."""
    below = special.ndtr(_Z)
    others = groups - 1
    density = groups * np.exp(-(_Z**2) / 2) / np.sqrt(2 * np.pi) * below**others * (_Z[1] - _Z[0])
    useful = density > 1e-300  # noqa: PLR2004 - nearly the smallest number
    share = np.minimum(special.ndtr(_Z[useful] - ranges[:, None]) / below[useful], 1 - 2**-53)
    exceeding = -np.expm1(others * np.log1p(-share)) @ density[useful]
    return np.asarray(np.where(ranges > 0, np.minimum(exceeding, 1.0), 1.0))


def _deviations(freedom: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of an estimated deviation whose true value is 1, evenly spaced in their logarithm, and their weights."""
    low = _where_dropped(freedom, -_DROP / freedom - 1.0)
    high = _where_dropped(freedom, 3.0 + np.log1p(_DROP / freedom))
    spacing = min(0.12, 0.2 / np.sqrt(2 * freedom))
    logs = np.arange(low, high + spacing, spacing)
    weights = np.exp(freedom * (logs - np.expm1(2 * logs) / 2))
    return np.exp(logs), weights / weights.sum()


def _where_dropped(freedom: float, far: float) -> float:
    """The logarithm between 0 and `far` at which the density has dropped by the amount that is followed."""
    near = 0.0
    for _ in range(60):
        middle = (near + far) / 2
        dropped = freedom * (middle - np.expm1(2 * middle) / 2) < -_DROP
        near, far = (near, middle) if dropped else (middle, far)
    return far
