"""Who is the best for which alpha, of many systems: only those that might be are compared pair by pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.weighting.blends import Mean, blend
from plumbline.comparison.weighting.roots import NOISE, roots, sag
from plumbline.comparison.weighting.weighting import Leads, win_intervals

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube
    from plumbline.comparison.weighting.blends import Blend, Flags, Numbers, Rows

_GRID: Final = np.linspace(0.0, 1.0, 33)
"""The alphas at which means are looked at; who is the best at one of them, but for both ends, is compared with all others."""


def leads_of_contenders(cube: Cube, mean: Mean = "harmonic") -> Leads:
    """The same as `leads`, for systems that all have the same cases.

    A system that another one beats for every alpha is never the best, and whoever it beats is beaten by that one too. So the
    systems that are the best at some alphas are compared with all others, and only those that they leave over are compared
    pair by pair.
    """
    left = contenders(cube, mean)
    among = win_intervals(cube.only(systems=[cube.systems[at] for at in left.tolist()]), mean).leads
    share = np.zeros(len(cube.systems))
    share[left] = among.share
    return Leads(cube.systems, left[among.system], among.low, among.high, share, among.nobody, ())


def contenders(cube: Cube, mean: Mean) -> Rows:
    """The systems that no pilot beats for every alpha; pilots are the best ones at some alphas."""
    curves = blend(cube, mean)
    means = curves.means(_GRID)
    inner = means[1:-1]
    left: Flags = np.ones(len(cube.systems), dtype=np.bool_)
    for pilot in np.unique(inner.argmax(axis=1)).tolist():
        others = np.flatnonzero(left)
        below = (inner[:, pilot, None] > inner[:, others] * (1 + NOISE)).all(axis=0)
        others = others[below & (others != pilot)]
        clear = _clearly_below(curves, means, pilot, others)
        left[others[clear]] = False
        others = others[~clear]
        few = curves.only(np.append(pilot, others))
        solved = roots(few, np.zeros(len(others), dtype=np.intp), np.arange(1, len(others) + 1))
        crossed = np.bincount(solved.pair, minlength=len(others)) > 0
        left[others[(solved.start > 0) & ~crossed & ~solved.unsure]] = False
    return np.flatnonzero(left)


def clear_shares(cube: Cube, mean: Mean, a: Rows, b: Rows) -> Numbers:
    """The share of alphas for which `a` beats `b`, 1 or 0, where means and slopes on a grid show it; else not a number."""
    curves = blend(cube, mean)
    means = curves.means(_GRID)
    shares = np.full(len(a), np.nan)
    for sure, better, worse in ((1.0, a, b), (0.0, b, a)):
        above = (means[:, better] > means[:, worse]).all(axis=0)
        for pilot in np.unique(better[above]).tolist():
            pairs = np.flatnonzero(above & (better == pilot))
            shares[pairs[_clearly_below(curves, means, pilot, worse[pairs])]] = sure
    return shares


def _clearly_below(curves: Blend, means: Numbers, pilot: int, others: Rows) -> Flags:
    """Whether the means on the grid and the slopes of the pilot show that it is better everywhere.

    Curves are convex: between two points, those of the others lie below their chords, and that of the pilot cannot sag far.
    """
    slopes = curves.only(np.array([pilot])).means(_GRID, 1)[:, 0]
    best, width = means[:, pilot], np.diff(_GRID)
    with np.errstate(invalid="ignore", over="ignore"):
        depth = sag(best[:-1], best[1:], slopes[:-1], slopes[1:], width)
        above = best[:, None] - means[:, others]
        least = np.minimum(above[:-1], above[1:]) - depth[:, None]
        return np.asarray((least > NOISE * np.abs(means).max()).all(axis=0))
