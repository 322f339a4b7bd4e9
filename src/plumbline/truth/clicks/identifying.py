"""Whether a log can tell attraction from examination: items that change their ranks link the ranks with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.lazily import sparse

if TYPE_CHECKING:
    from plumbline.truth.clicks.log import ClickLog


@dataclass(frozen=True)
class Links:
    """How far ranks are linked by items."""

    items: int
    """Items of cases."""
    moving: int
    """Those that were shown at two ranks or more."""
    groups: int
    """Groups of ranks that no item links; 1 if examination can be compared between all ranks."""


def links_of(log: ClickLog) -> Links:
    """Count the items at several ranks, and the groups of ranks that they connect."""
    ranks = np.broadcast_to(np.arange(log.depth), log.pair.shape)
    places = np.unique(log.pair[log.shown] * log.depth + ranks[log.shown])
    pair, rank = places // log.depth, places % log.depth
    at_ranks = np.bincount(pair, minlength=log.pairs)
    size = log.depth + log.pairs
    graph = sparse.coo_array((np.ones(len(pair)), (rank, log.depth + pair)), shape=(size, size))
    _, label = sparse.csgraph.connected_components(graph, directed=False)
    return Links(int((at_ranks > 0).sum()), int((at_ranks > 1).sum()), len(np.unique(label[np.unique(rank)])))
