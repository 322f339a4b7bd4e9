"""Where the systems of an improvement graph stand: tiers as rows, few crossings, names that do not cover each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.labels import clipped, text_width

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.float64]

PADDING: Final = 14
SUB_ROW: Final = 24
TIER_GAP: Final = 60
CROWDED_GAP: Final = 84
"""The same with many edges, which then run less flat."""
MOST_LOUD: Final = 40
"""Edges from which on there are many."""
MARGIN: Final = 16
SWEEPS: Final = 8


@dataclass(frozen=True, eq=False)
class Layout:
    """Places in pixels from the upper left corner, one for each system."""

    x: Numbers
    y: Numbers
    half: Numbers
    """Half the width of each name."""
    lines: tuple[float, ...]
    """Heights between tiers."""
    tops: tuple[float, ...]
    """The height of the first row of each tier."""
    height: float


def name_width(name: str) -> float:
    """About how wide the box of a name is."""
    return text_width(clipped(name)) + PADDING


def placed(names: list[str], tiers: list[int], edges: Flags, width: float) -> Layout:
    """A place for each system, tiers from top to bottom; within a tier near those that it is joined to."""
    share = _shares(tiers, edges)
    widths = np.array([name_width(name) for name in names])
    gap = TIER_GAP if edges.sum() <= MOST_LOUD else CROWDED_GAP
    x, y = np.zeros(len(names)), np.zeros(len(names))
    lines, tops, top = [], [], float(MARGIN)
    for tier in sorted(set(tiers)):
        members = sorted((at for at, of in enumerate(tiers) if of == tier), key=lambda at: share[at])
        x[members], stagger = _across(widths[members], width)
        y[members] = top + (np.arange(len(members)) % stagger) * SUB_ROW
        tops.append(top)
        lines.append(top - gap / 2)
        top += (stagger - 1) * SUB_ROW + gap
    return Layout(x, y, widths / 2, tuple(lines[1:]), tuple(tops), top - gap + MARGIN)


def _across(widths: Numbers, width: float) -> tuple[Numbers, int]:
    """Places of one tier from left to right, and in how many rows they keep apart."""
    widest, count = float(widths.max()), len(widths)
    room = max(width - widest, 1.0)
    if count == 1:
        return np.array([width / 2]), 1
    if count * widest <= width:
        return (np.arange(count) + 0.5) * width / count, 1
    step = room / (count - 1)
    return np.asarray(widest / 2 + np.arange(count) * step), min(int(np.ceil(widest / step)), count)


def _shares(tiers: list[int], edges: Flags) -> Numbers:
    """How far to the right each system stands in its tier, between 0 and 1: near the mean of those it is joined to."""
    joined = (edges | edges.T).astype(np.float64)
    by_tier = [[at for at, of in enumerate(tiers) if of == tier] for tier in sorted(set(tiers))]
    share = np.zeros(len(tiers))
    for members in by_tier:
        share[members] = _spread(len(members))
    for sweep in range(SWEEPS):
        for members in by_tier if sweep % 2 == 0 else by_tier[::-1]:
            count = joined[members].sum(axis=1)
            pull = np.divide(joined[members] @ share, count, out=share[members].copy(), where=count > 0)
            order = np.argsort(pull, kind="stable")
            share[np.array(members)[order]] = _spread(len(members))
    return share


def _spread(count: int) -> Numbers:
    return (np.arange(count) + 0.5) / count
