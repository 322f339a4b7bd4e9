"""Learning curves as arrays: power laws through mean scores, drawn anew from the repetitions, and where two of them cross.

A curve is `limit - gap * n ** -speed`: the score that very many labels would give, how far away one label is, and how fast
the gap closes. A learner that does not get better has a gap of 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

SPEEDS: Final = np.geomspace(0.02, 3.0, 160)
"""The speeds that are tried; for each of them the rest of the curve is a straight line."""
FEWEST_SIZES: Final = 3
"""A curve has three numbers."""
FARTHEST: Final = 10.0
"""Curves are followed up to this many times the largest size."""
STEPS: Final = 400


@dataclass(frozen=True, eq=False)
class Curves:
    """Power laws of any number of systems or draws; arrays of one shape."""

    limit: Numbers
    gap: Numbers
    speed: Numbers

    def at(self, sizes: Numbers) -> Numbers:
        """The scores at some sizes, in a new last axis."""
        with np.errstate(over="ignore"):
            return np.asarray(self.limit[..., None] - self.gap[..., None] * sizes ** -self.speed[..., None])

    def needed(self, target: float) -> Numbers:
        """The size from which on the score is reached; infinite where it never is, 0 where it is from the first label on."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            size = (self.gap / (self.limit - target)) ** (1.0 / self.speed)
        reached = np.where(self.limit > target, size, np.inf)
        return np.asarray(np.where(self.limit - self.gap >= target, 0.0, reached))


def fitted(sizes: Numbers, scores: Numbers, weights: Numbers, highest: float = np.inf) -> Curves:
    """The curve of least squares through each row of mean scores.

    Args:
        sizes: The numbers of labels.
        scores: Mean scores `[..., size]`, higher is better; NaN where there is none.
        weights: How many repetitions each mean has, `[size]`.
        highest: The largest score that is possible, which no curve exceeds.

    Returns:
        The curves, of the shape of the rows; NaN with fewer than three scores, and where a number is too large for the machine.
    """
    rows = scores.reshape(-1, len(sizes))
    known = np.isfinite(rows)
    rows = np.where(known, rows, 0.0)
    unit = np.ldexp(1.0, np.frexp(np.maximum(np.abs(rows).max(axis=1), 1.0))[1] - 1)  # squares of large scores have to fit, too
    rows, highest_of = rows / unit[:, None], highest / unit
    best = Curves(*(np.full(len(rows), np.nan) for _ in range(3)))
    lowest = np.where(known.sum(axis=1) >= FEWEST_SIZES, np.inf, -np.inf)
    heavy = np.where(known, weights, 0.0)
    share = np.divide(heavy, heavy.sum(axis=1)[:, None], out=np.zeros_like(heavy), where=known)
    for speed in SPEEDS:
        closing = sizes**-speed
        limit, gap = _line(closing, rows, share, highest_of)
        errors = ((rows - (limit[:, None] - gap[:, None] * closing)) ** 2 * share).sum(axis=1)
        better = errors < lowest - 1e-15
        for kept, new in ((best.limit, limit), (best.gap, gap), (best.speed, np.full(len(rows), speed)), (lowest, errors)):
            kept[better] = new[better]
    shape = scores.shape[:-1]
    with np.errstate(over="ignore"):
        limit, gap = best.limit * unit, best.gap * unit
    fits = np.isfinite(limit) & np.isfinite(gap)
    return Curves(*(np.where(fits, column, np.nan).reshape(shape) for column in (limit, gap, best.speed)))


def _line(closing: Numbers, rows: Numbers, share: Numbers, highest: Numbers) -> tuple[Numbers, Numbers]:
    """The best limit and gap for one speed; a curve never falls, and never exceeds the highest score."""
    centre, means = share @ closing, (rows * share).sum(axis=1)
    apart = closing - centre[:, None]
    spread = (apart**2 * share).sum(axis=1)
    slope = np.divide(((rows - means[:, None]) * apart * share).sum(axis=1), spread, out=np.zeros_like(means), where=spread > 0)
    gap = np.maximum(-slope, 0.0)
    limit = means + gap * centre
    above = limit > highest
    rest, squares = np.where(np.isfinite(highest), highest, 0.0)[:, None] - rows, share @ closing**2
    held = np.divide((rest * closing * share).sum(axis=1), squares, out=np.zeros_like(means), where=squares > 0)
    return np.where(above, highest, limit), np.where(above, np.maximum(held, 0.0), gap)


def crossings(first: Curves, second: Curves, smallest: float, largest: float) -> Numbers:
    """The last size between two ends at which the first curve overtakes the second; NaN where it does not.

    Curves of draws are taken pairwise, so that both have one shape.
    """
    sizes = np.geomspace(smallest, largest, STEPS)
    with np.errstate(over="ignore", invalid="ignore"):
        ahead = first.at(sizes) - second.at(sizes)
    turns = (ahead[..., :-1] < 0) & (ahead[..., 1:] >= 0)
    last = STEPS - 2 - np.argmax(turns[..., ::-1], axis=-1)
    before, after = (np.take_along_axis(ahead, (last + step)[..., None], axis=-1)[..., 0] for step in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.clip(np.where(after > before, -before / (after - before), 0.0), 0.0, 1.0)
    ratio = sizes[1] / sizes[0]
    return np.asarray(np.where(turns.any(axis=-1), sizes[last] * ratio**part, np.nan))
