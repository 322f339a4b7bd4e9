"""Where the mean curves of two systems cross: every root, isolated by bounds that hold and not by sampling alone.

The mean of convex curves is convex. Between two points it lies below its chord and above its tangents, and its slope grows. So
the difference of two systems in a cell of alphas is bounded by values and slopes at both ends, and so is its slope. A cell
without a zero, or with a steady slope (then its ends tell whether there is one zero), needs no further look; any other is
split. Differences below `NOISE` times the size of the means are taken for rounding errors: a run of them between equal signs is
a touch, between opposite signs a crossing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.comparison.weighting.blends import Blend, Flags, Numbers, Rows

NOISE: Final = 1e-14
"""Differences that are smaller than this times the means are no differences."""
CLOSE: Final = 1e-13
"""Alphas that are closer than this are one."""
BUDGET: Final = 8192
"""A pair with more undecided cells than this is decided by the signs at their ends, and is marked as such."""
_CELLS: Final = 127
_SPLIT: Final = 0.4871
"""Not in the middle, where crossings of round numbers lie."""
_MOST_STEPS: Final = 100
_BLOCK: Final = 1 << 17
"""How many cells of the first grid are looked at together."""


@dataclass(frozen=True, eq=False)
class Roots:
    """Alphas by pair (a before b), sorted by pair and alpha."""

    pair: Rows
    alpha: Numbers
    touch_pair: Rows
    touch_alpha: Numbers
    start: NDArray[np.int8]
    """By pair: the sign of a - b right after alpha = 0; 0 for identical curves."""
    unsure: Flags
    """By pair: whether two crossings very close to each other may have been missed."""


@dataclass(frozen=True, eq=False)
class _Cells:
    """Stretches of alpha, each of one pair; `at_low` and `at_high` hold the means of a and b and their slopes."""

    pair: Rows
    low: Numbers
    high: Numbers
    at_low: Numbers
    at_high: Numbers

    def __getitem__(self, which: Flags | Rows) -> _Cells:
        ends = (self.at_low[:, which], self.at_high[:, which])
        return _Cells(self.pair[which], self.low[which], self.high[which], *ends)

    def signs(self, noise: Numbers) -> tuple[Numbers, Numbers]:
        """The sign of a - b at both ends, 0 for a rounding error."""
        low, high = (_sign(ends[0] - ends[1], noise[self.pair]) for ends in (self.at_low, self.at_high))
        return low, high


def _joined(parts: list[_Cells]) -> _Cells:
    first, *rest = parts
    if not rest:
        return first
    flat = [np.concatenate([getattr(part, name) for part in parts]) for name in ("pair", "low", "high")]
    ends = [np.concatenate([getattr(part, name) for part in parts], axis=1) for name in ("at_low", "at_high")]
    return _Cells(*flat, *ends)


def roots(blend: Blend, a: Rows, b: Rows) -> Roots:
    """All crossings and touches of the pairs with alpha strictly between 0 and 1; each pair shares a case."""
    grid = (1 - np.cos(np.pi * np.arange(_CELLS + 1) / _CELLS)) / 2
    sizes = blend.sizes()
    noise = NOISE * np.maximum(sizes[a, b], sizes[b, a])
    top, where = np.zeros(len(a)), np.zeros(len(a))
    for alpha in (0.0, 1.0) if blend.mean == "arithmetic" else grid.tolist():
        means = blend.against(alpha)
        difference = means[a, b] - means[b, a]
        larger = np.abs(difference) > np.abs(top)
        top, where = np.where(larger, difference, top), np.where(larger, alpha, where)
    different = np.abs(top) > noise
    if blend.mean == "arithmetic":
        return _straight(blend, a, b, noise, np.where(different, np.sign(top), 0.0))
    isolated, unsure = _isolated(blend, a, b, grid, noise, different)
    runs, left, right, flat = _runs(isolated, noise)
    crossing, touch = left * right < 0, left * right > 0
    alpha = _polished(blend, a, b, runs[crossing], order=0)
    alpha[flat[crossing]] = _sharpened(blend, a, b, runs[crossing & flat], alpha[flat[crossing]], noise)
    touched = _polished(blend, a, b, runs[touch], order=1)
    met = _met(blend, a, b, runs[touch], touched, noise / 2)
    touch[touch] = met
    touched = touched[met]
    before = np.bincount(runs.pair[crossing][alpha < where[runs.pair[crossing]]], minlength=len(a))
    start = np.where(different, np.sign(top) * (1 - 2 * (before % 2)), 0).astype(np.int8)
    return Roots(runs.pair[crossing], alpha, runs.pair[touch], touched, start, unsure)


def _straight(blend: Blend, a: Rows, b: Rows, noise: Numbers, top: Numbers) -> Roots:
    """Straight lines cross where the difference at one end, through what it loses on the way to the other, says."""
    low, high = (means[a, b] - means[b, a] for means in (blend.against(0.0), blend.against(1.0)))
    low_sign, high_sign = _sign(low, noise), _sign(high, noise)
    pair = np.flatnonzero(low_sign * high_sign < 0)
    start = np.where(low_sign == 0, top, low_sign).astype(np.int8)
    nothing = np.empty(0, np.intp)
    alpha = low[pair] / (low[pair] - high[pair])
    return Roots(pair, alpha, nothing, np.empty(0), start, np.zeros(len(a), np.bool_))


def _isolated(blend: Blend, a: Rows, b: Rows, grid: Numbers, noise: Numbers, wanted: Flags) -> tuple[_Cells, Flags]:
    """The cells with a change of sign or a zero at an end, and the pairs that ran out of their budget."""
    kept, undecided, unsure = [], [], np.zeros(len(a), np.bool_)
    pair = np.flatnonzero(wanted)
    step = max(_BLOCK // max(len(pair), 1), 1)
    for start in range(0, _CELLS, step):
        points = grid[start : start + step + 1]
        levels = np.array([_level(blend, a[pair], b[pair], alpha) for alpha in points.tolist()])
        low, high = np.repeat(points[:-1], len(pair)), np.repeat(points[1:], len(pair))
        at_low, at_high = (np.concatenate([*part], axis=1) for part in (levels[:-1], levels[1:]))
        done, more = _judged(_Cells(np.tile(pair, len(points) - 1), low, high, at_low, at_high), noise)
        kept.append(done)
        undecided.append(more)
    cells = _joined(undecided)
    while len(cells.pair):
        over = np.bincount(cells.pair, minlength=len(a)) > BUDGET
        unsure |= over
        kept.append(_telling(cells[over[cells.pair]], noise))
        done, cells = _judged(_split(blend, a, b, cells[~over[cells.pair]]), noise)
        kept.append(done)
    return _joined(kept), unsure


def _level(blend: Blend, a: Rows, b: Rows, alpha: float) -> Numbers:
    """The means of a and b and their slopes at one alpha."""
    return np.array([part[rows] for part in (blend.against(alpha), blend.against(alpha, 1)) for rows in ((a, b), (b, a))])


def _split(blend: Blend, a: Rows, b: Rows, cells: _Cells) -> _Cells:
    middle = cells.low + _SPLIT * (cells.high - cells.low)
    at_middle = blend.pairs(a[cells.pair], b[cells.pair], middle, (0, 1))
    left = _Cells(cells.pair, cells.low, middle, cells.at_low, at_middle)
    return _joined([left, _Cells(cells.pair, middle, cells.high, at_middle, cells.at_high)])


def _judged(cells: _Cells, noise: Numbers) -> tuple[_Cells, _Cells]:
    """The decided cells that tell something, and the undecided ones."""
    slack, width = noise[cells.pair], cells.high - cells.low
    (low_a, low_b, slope_low_a, slope_low_b), (high_a, high_b, slope_high_a, slope_high_b) = cells.at_low, cells.at_high
    ends = low_a - low_b, high_a - high_b
    with np.errstate(invalid="ignore", over="ignore"):
        least = np.minimum(*ends) - sag(low_a, high_a, slope_low_a, slope_high_a, width)
        most = np.maximum(*ends) + sag(low_b, high_b, slope_low_b, slope_high_b, width)
        slopes = np.abs([slope_low_a, slope_low_b, slope_high_a, slope_high_b]).max(axis=0)
        steady = (slope_low_a - slope_high_b > NOISE * slopes) | (slope_high_a - slope_low_b < -NOISE * slopes)
    clear = (least > slack) | (most < -slack)
    level = (least >= -slack) & (most <= slack)
    decided = clear | level | steady | (width <= CLOSE)
    return _telling(cells[decided & ~clear], noise), cells[~decided]


def sag(low: Numbers, high: Numbers, slope_low: Numbers, slope_high: Numbers, width: Numbers) -> Numbers:
    """How far a convex curve can lie below its chord."""
    chord = (high - low) / width
    turn = slope_high - slope_low
    part = np.divide(chord - slope_low, turn, out=np.zeros_like(chord), where=turn > 0)
    return np.maximum(width * part * (slope_high - chord), 0.0)


def _telling(cells: _Cells, noise: Numbers) -> _Cells:
    low, high = cells.signs(noise)
    return cells[(low != high) | (low == 0)]


def _sign(values: Numbers, noise: Numbers) -> Numbers:
    return np.where(np.abs(values) > noise, np.sign(values), 0.0)


def _runs(cells: _Cells, noise: Numbers) -> tuple[_Cells, Numbers, Numbers, Flags]:
    """Neighbouring cells joined over the zeros between them, the sign at both ends, and whether there are zeros between."""
    cells = cells[np.lexsort((cells.low, cells.pair))]
    low, high = cells.signs(noise)
    first = (low != 0) | (np.diff(cells.pair, prepend=-1) != 0)
    starts = np.flatnonzero(first)
    lasts = np.append(starts[1:], len(first))[: len(starts)] - 1
    joined = _Cells(cells.pair[starts], cells.low[starts], cells.high[lasts], cells.at_low[:, starts], cells.at_high[:, lasts])
    return joined, low[starts], high[lasts], starts < lasts


def _polished(blend: Blend, a: Rows, b: Rows, runs: _Cells, *, order: int) -> Numbers:
    """The point of each run where a - b is 0 (order 0), or its slope (order 1), or its bend (order 2)."""

    def difference(which: Rows, alpha: Numbers) -> Numbers:
        means = blend.pairs(a[runs.pair[which]], b[runs.pair[which]], alpha, (order,))
        return np.asarray(means[0] - means[1])

    if order < 2:  # noqa: PLR2004 - the bend is not known yet
        low, high = (ends[2 * order] - ends[2 * order + 1] for ends in (runs.at_low, runs.at_high))
    else:
        low, high = (difference(np.arange(len(alpha)), alpha) for alpha in (runs.low, runs.high))
    return _solved(difference, (runs.low, runs.high), (low, high))


def _sharpened(blend: Blend, a: Rows, b: Rows, runs: _Cells, alpha: Numbers, noise: Numbers) -> Numbers:
    """The middle of a crossing at which the curves also have the same slope: the difference alone is too flat to tell."""
    middle = _polished(blend, a, b, runs, order=2)
    return np.where(_met(blend, a, b, runs, middle, noise), middle, alpha)


def _met(blend: Blend, a: Rows, b: Rows, runs: _Cells, alpha: Numbers, noise: Numbers) -> Flags:
    """Whether there is no difference but noise; half of it for touches, so that no touch is made by noise at the edge of it."""
    means = blend.pairs(a[runs.pair], b[runs.pair], alpha, (0,))
    return np.asarray(np.abs(means[0] - means[1]) <= noise[runs.pair])


def _solved(
    function: Callable[[Rows, Numbers], Numbers], places: tuple[Numbers, Numbers], values: tuple[Numbers, Numbers]
) -> Numbers:
    """Chandrupatla's method (1997) for many brackets at once: inverse quadratic steps where they are safe, else halves.

    `scipy.optimize.elementwise.find_root` is the same method. Its import alone takes 0.18 s and 25 MB, a fifth of what
    `plumbline compare` needs for a few systems.
    """
    (x1, x2), (f1, f2) = places, values
    signs = np.sign(f1) * np.sign(f2)
    answer = np.where(signs > 0, (x1 + x2) / 2, np.where(np.abs(f1) < np.abs(f2), x1, x2))
    which = np.flatnonzero(signs < 0)
    x1, x2, f1, f2 = x1[which], x2[which], f1[which], f2[which]
    step = np.clip(f1 / (f1 - f2), 0.05, 0.95)
    for _ in range(_MOST_STEPS):
        if not len(which):
            break
        x = x1 + step * (x2 - x1)
        f = function(which, x)
        same = np.sign(f) == np.sign(f1)
        x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
        x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
        x1, f1 = x, f
        answer[which] = np.where(np.abs(f1) < np.abs(f2), x1, x2)
        go = (f1 != 0) & (np.abs(x2 - x1) > CLOSE)
        which, x1, x2, x3, f1, f2, f3 = (part[go] for part in (which, x1, x2, x3, f1, f2, f3))
        with np.errstate(invalid="ignore", divide="ignore"):
            xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
            safe = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            leap = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        least = 0.5 * CLOSE / np.abs(x2 - x1)
        step = np.clip(np.where(safe, leap, 0.5), least, 1 - least)
    return answer
