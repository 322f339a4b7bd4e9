"""A leaderboard that admits ties: a partial order of systems, and the tiers that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.float64]


def edges(difference: Numbers, uir: Numbers, p: Numbers, uir_threshold: float, level: float) -> Flags:
    """Whether a robustly beats b, `[a, b]`: a better mean, unanimous enough, and significant after correction."""
    with np.errstate(invalid="ignore"):
        return np.asarray((difference > 0) & (uir >= uir_threshold) & (p < level))


def tiers(beats: Flags) -> NDArray[np.int64]:
    """The tier of each system: 1 for those whom nobody robustly beats, else one more than the last tier that beats it.

    Where cases are missing, pairs are compared on different cases, and systems may beat each other in a circle: those of a
    circle share a tier, below all that beat any of them.
    """
    reach = _reached(beats)
    above = reach & ~reach.T
    tier = np.ones(len(beats), dtype=np.int64)
    for system in np.argsort(above.sum(axis=0), kind="stable"):  # who is above one has fewer above
        tier[system] += tier[above[:, system]].max(initial=0)
    return tier


def around(beats: Flags, baseline: int) -> NDArray[np.int64]:
    """The tier of each system where only pairs with a baseline are tested: who beats it, who does neither, who loses.

    The baseline is in the middle. Tiers without a system are left out, so that the first one is 1.
    """
    place = 1 + beats[baseline].astype(np.int64) - beats[:, baseline]
    return np.asarray(np.unique(place, return_inverse=True)[1] + 1)


def circles(beats: Flags) -> Flags:
    """The systems that beat each other in a circle."""
    reach = _reached(beats)
    return np.asarray((reach & reach.T).any(axis=1))


def _reached(beats: Flags) -> Flags:
    """Whether there is a chain of systems from a down to b, each of which beats the next one."""
    reach = beats
    for _ in range(len(beats).bit_length()):  # each round doubles the length of the chains
        steps = reach.astype(np.float32)
        reach = reach | (steps @ steps > 0)
    return reach


def closest(beats: Flags) -> Flags:
    """The edges that do not follow from others: those that a drawing of the order needs."""
    through = (beats.astype(np.float32) @ beats.astype(np.float32)) > 0
    return np.asarray(beats & ~through)
