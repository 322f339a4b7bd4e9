"""What stands beside a leaderboard: bands, ranges of ranks, trade-offs, and systems that are the same."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.float64]


def bands(order: Sequence[int], wins: Flags) -> NDArray[np.int64]:
    """The band of each system, 1 for the best one's; `wins[a, b]` says whether a is shown to be better than b.

    A band starts with the best system that is in none yet, and holds the systems after it, up to the first one that is shown
    to be worse than the one it starts with. So bands follow the order, and no system stands above a better one.
    """
    band = np.zeros(len(wins), dtype=np.int64)
    first, number = -1, 0
    for system in order:
        if first < 0 or wins[first, system]:
            first, number = system, number + 1
        band[system] = number
    return band


def rank_ranges(wins: Flags, known: Flags) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The best and the worst rank that each system may have, if what is shown about all pairs is true at once.

    A system that k others are shown to beat has rank k + 1 at best; one that is shown to beat k others has k below it. If the
    tests of all pairs are corrected together, the ranges of all systems hold at once. Systems without a score have no rank: 0.
    """
    among = wins & known[:, None] & known
    best = 1 + among.sum(axis=0)
    worst = int(known.sum()) - among.sum(axis=1)
    return np.where(known, best, 0), np.where(known, worst, 0)


def pareto(means: Numbers) -> Flags:
    """Systems for which no other one is at least as good by every metric and better by one; means `[metric, system]`.

    More is better. A system that lacks a metric is not optimal, and says nothing against others.
    """
    with np.errstate(invalid="ignore"):
        no_worse = (means[:, :, None] >= means[:, None, :]).all(axis=0)
        better = (means[:, :, None] > means[:, None, :]).any(axis=0)
    return np.asarray(~np.isnan(means).any(axis=0) & ~(no_worse & better).any(axis=0))


def same_everywhere(values: Numbers) -> list[list[int]]:
    """Groups of systems that have the same value of every metric on every case; values `[metric, system, case]`."""
    groups: dict[bytes, list[int]] = {}
    for at in range(values.shape[1]):
        row = values[:, at]
        if not np.isnan(row).all():
            groups.setdefault(blake2b(row.tobytes()).digest(), []).append(at)
    return [group for group in groups.values() if len(group) > 1]
