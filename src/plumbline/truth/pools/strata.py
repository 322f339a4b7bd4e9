"""Strata of ranks from which items are drawn at random, each with its probability."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadUsage, pools

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.pools.lists import PooledLists

_PART: Final = re.compile(r"(\d+)(?:-(\d+))?:(\d*\.?\d+)")


@dataclass(frozen=True)
class Stratum:
    """Ranks from `first` to `last`, of whose items a share is drawn."""

    first: int
    last: int
    share: float


def parse_strata(text: str) -> tuple[Stratum, ...]:
    """Read `1-10:1 11-50:0.3`."""
    parts = text.replace(",", " ").split()
    made: list[Stratum] = []
    for part in parts:
        match = _PART.fullmatch(part)
        if match is None:
            raise BadUsage(pools.bad_strata(text, f"{part!r} is not a range of ranks with a share"))
        first, last, share = int(match[1]), int(match[2] or match[1]), float(match[3])
        if not 0 < share <= 1:
            raise BadUsage(pools.bad_strata(text, f"the share {match[3]} is not above 0 and at most 1"))
        if first != (made[-1].last + 1 if made else 1) or last < first:
            raise BadUsage(pools.bad_strata(text, f"{part!r} does not follow the ranks before it"))
        made.append(Stratum(first, last, share))
    if not made:
        raise BadUsage(pools.bad_strata(text, "there is none"))
    return tuple(made)


@dataclass(frozen=True)
class Drawn:
    """Which items were drawn, from which stratum and how probably."""

    stratum: NDArray[np.int64]
    """From 1, by the best rank of each item."""
    probability: NDArray[np.float64]
    """The share of the stratum of the case that was drawn."""
    drawn: NDArray[np.bool_]


def draw(lists: PooledLists, strata: tuple[Stratum, ...], seed: int) -> Drawn:
    """Draw without replacement from each stratum of each case, at least one item of those that have any.

    The draw depends on the items and the seed, and not on the order of systems.
    """
    limits = np.array([stratum.last for stratum in strata])
    stratum = np.searchsorted(limits, lists.best_rank) + 1
    cell = lists.case * len(strata) + stratum - 1
    pooled = np.bincount(cell, minlength=len(lists.cases) * len(strata))
    shares = np.tile([stratum.share for stratum in strata], len(lists.cases))
    wanted = np.clip(np.round(pooled * shares), np.minimum(pooled, 1), pooled)
    mixed = np.lexsort((np.random.default_rng(seed).random(len(cell)), cell))
    first = np.cumsum(pooled) - pooled
    place = np.empty(len(cell), dtype=np.int64)
    place[mixed] = np.arange(len(cell)) - first[cell[mixed]]
    return Drawn(stratum, (wanted / np.maximum(pooled, 1))[cell], place < wanted[cell])
