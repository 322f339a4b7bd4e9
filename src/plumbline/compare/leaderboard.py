"""A leaderboard that admits ties: a partial order of systems, and the tiers that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.float64]


def edges(difference: Numbers, uir: Numbers, p: Numbers, threshold: float, level: float) -> Flags:
    """Whether a robustly beats b, `[a, b]`: a better mean, unanimous enough, and significant after correction."""
    with np.errstate(invalid="ignore"):
        return np.asarray((difference > 0) & (uir >= threshold) & (p < level))


def tiers(beats: Flags, means: Numbers) -> NDArray[np.int64]:
    """The tier of each system: 1 for those whom nobody robustly beats, else one more than the last tier that beats it.

    Nobody beats a system with a better mean, so that going from the best mean down every tier above is known.
    """
    tier = np.ones(len(means), dtype=np.int64)
    for system in np.argsort(-np.where(np.isnan(means), -np.inf, means), kind="stable"):
        above = beats[:, system]
        if above.any():
            tier[system] = tier[above].max() + 1
    return tier


def closest(beats: Flags) -> Flags:
    """The edges that do not follow from others: those that a drawing of the order needs."""
    through = (beats.astype(np.float32) @ beats.astype(np.float32)) > 0
    return np.asarray(beats & ~through)
