"""Who is the best for which alpha, of many systems: only those that might be are compared pair by pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.weighting.blends import Mean, blend
from plumbline.comparison.weighting.roots import NOISE, roots
from plumbline.comparison.weighting.weighting import Leads, win_intervals

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube
    from plumbline.comparison.weighting.blends import Flags, Rows

_LOOKED_AT: Final = np.linspace(0.0, 1.0, 33)[1:-1]
"""The alphas at which somebody is the best, and is compared with all others."""


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
    means = np.array([curves.values(alpha).mean(axis=1) for alpha in _LOOKED_AT.tolist()])
    pilots = np.unique(means.argmax(axis=1))
    left: Flags = np.ones(len(cube.systems), dtype=np.bool_)
    for pilot in pilots.tolist():
        others = np.flatnonzero(left)
        below = (means[:, pilot, None] > means[:, others] * (1 + NOISE)).all(axis=0)
        others = others[below & (others != pilot)]
        solved = roots(curves, np.full(len(others), pilot), others)
        crossed = np.bincount(solved.pair, minlength=len(others)) > 0
        left[others[(solved.start > 0) & ~crossed & ~solved.unsure]] = False
    return np.flatnonzero(left)
