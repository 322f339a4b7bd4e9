"""Two rankings of the same items, and how much they agree: what the measures of `correlation` are made of.

Pairs of items are never listed: in how many pairs an item is the lower one by both rankings is counted by comparing ever larger
blocks of the sorted items, in time in proportion to n log^2 n.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import levels
from plumbline.errors import BadUsage, usage
from plumbline.lazily import stats

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]
    Counts = NDArray[np.int64]

FEWEST: Final = 2
"""Items that make an order."""


@dataclass(frozen=True, eq=False)
class Both:
    """Two rankings as levels, and for each item how the rankings see the others."""

    x: Counts
    y: Counts

    @classmethod
    def of(cls, x: ArrayLike, y: ArrayLike) -> Both:
        """From scores, higher is better."""
        return cls(*_two(x, y))

    @property
    def count(self) -> int:
        """How many items there are."""
        return len(self.x)

    @cached_property
    def higher(self) -> Counts:
        """Others that are higher by both."""
        return _dominated(self.x, self.y)

    @cached_property
    def constant(self) -> bool:
        """Whether a ranking has no two different items, so that nothing can be correlated."""
        return not (self.x.any() and self.y.any())


def _two(x: ArrayLike, y: ArrayLike) -> tuple[Counts, Counts]:
    """Both as levels; they must be as long as each other and have no gaps."""
    one, other = (np.asarray(values, dtype=np.float64) for values in (x, y))
    if one.shape != other.shape or one.ndim != 1:
        raise BadUsage(usage.bad_object(f"lists of {one.size} and {other.size} scores", "a score of each item in both"))
    if np.isnan(one).any() or np.isnan(other).any():
        raise BadUsage(usage.bad_object("scores that are not a number", "only the items that both rankings have"))
    return levels(one), levels(other)


def tau_a(both: Both) -> float:
    """Kendall's tau of all pairs: tau_b times the share of pairs that the two rankings tell apart, in the geometric mean."""
    if both.count < FEWEST:
        return np.nan
    if both.constant:
        return 0.0
    told_apart = [1 - (_sizes(values) - 1).sum() / (both.count * (both.count - 1)) for values in (both.x, both.y)]
    return float(tau_b(both) * np.sqrt(told_apart[0] * told_apart[1]))


def tau_b(both: Both) -> float:
    """Kendall's tau of the pairs that are told apart."""
    if both.constant:
        return np.nan

    return float(stats.kendalltau(both.x, both.y).statistic)


def weighted_tau(both: Both) -> float:
    """Vigna's tau with additive hyperbolic weights: the mean of those by the ranks of x and of y."""
    if both.constant:
        return np.nan

    return float(stats.weightedtau(both.x, both.y).statistic)


def spearman(both: Both) -> float:
    """The correlation of ranks."""
    if both.constant:
        return np.nan

    return float(np.corrcoef(stats.rankdata([both.x, both.y], axis=1))[0, 1])


def _sizes(values: Counts) -> Counts:
    """For each item, how many have its value, itself included."""
    return np.bincount(values)[values]


def tau_ap(both: Both, *, reverse: bool = False) -> float:
    """From the top of y down, with x as the truth; `back`: the other way round."""
    x, y = (both.y, both.x) if reverse else (both.x, both.y)
    if both.count < FEWEST:
        return np.nan
    by = y.max() - y
    sizes = np.bincount(by)
    above = np.cumsum(sizes) - sizes
    right = both.higher + _tied_below(x, y) / 2.0
    mean = np.bincount(by, weights=right) / sizes
    before = np.arange(1, both.count)  # how many items come before each item but the first
    group = np.repeat(np.arange(len(sizes)), sizes)[1:]
    expected = mean[group] + (before - above[group]) / 2.0  # half of the tied ones that come before are rightly there
    return float(2.0 * np.mean(expected / before) - 1.0)


def tau_ap_symmetric(both: Both) -> float:
    """The mean of both ways."""
    return (tau_ap(both) + tau_ap(both, reverse=True)) / 2.0


def tau_ap_b(both: Both) -> float:
    """The mean of both ways, each item compared with those strictly above it."""
    halves = []
    for levels_of in (both.x, both.y):
        sizes = np.bincount(levels_of, minlength=1)
        above = both.count - np.cumsum(sizes)[levels_of]
        known = above > 0
        halves.append(2.0 * float(np.mean(both.higher[known] / above[known])) - 1.0 if known.any() else np.nan)
    return sum(halves) / 2.0


OF_BOTH: Final[Mapping[str, Callable[[Both], float]]] = {
    "tau_a": tau_a,
    "tau_b": tau_b,
    "tau_ap": tau_ap,
    "tau_ap_symmetric": tau_ap_symmetric,
    "tau_ap_b": tau_ap_b,
    "spearman": spearman,
    "weighted_tau": weighted_tau,
}


def _tied_below(x: Counts, y: Counts) -> Counts:
    """For each item: how many others are tied with it by x and higher by y."""
    width = int(y.max(initial=0)) + 2
    key = x * width + y
    ordered = np.sort(key)
    return np.searchsorted(ordered, (x + 1) * width - 1) - np.searchsorted(ordered, key, side="right")


def _dominated(x: Counts, y: Counts) -> Counts:
    """For each item: how many others are higher by both."""
    order = np.lexsort((x, -y))  # highest by y first; those tied by y with the lowest x first, so that none counts
    counts = np.empty(len(x), dtype=np.int64)
    counts[order] = _greater_before(x[order])
    return counts


def _greater_before(values: Counts) -> Counts:
    """For each place: how many places before it have a greater value. Neighbouring blocks are compared, ever larger ones."""
    count = len(values)
    size = 1 << max(count - 1, 0).bit_length()
    low = int(values.min(initial=0))
    filled = np.zeros(size, dtype=np.int64)
    filled[:count] = values - low + 1
    counts, step, width = np.zeros(size, dtype=np.int64), int(filled.max()) + 1, 1
    while width < size:
        block = np.arange(size // (2 * width))[:, None]
        left, right = np.split(filled.reshape(-1, 2 * width) + block * step, 2, axis=1)
        up_to = np.searchsorted(np.sort(left, axis=1).ravel(), right.ravel(), side="right").reshape(right.shape)
        counts.reshape(-1, 2 * width)[:, width:] += (block + 1) * width - up_to
        width *= 2
    return counts[:count]
