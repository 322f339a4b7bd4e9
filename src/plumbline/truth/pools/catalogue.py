"""The orders in which a pool can be judged; nothing here imports a data frame library."""

from __future__ import annotations

from typing import Final

ORDERS: Final = {
    "rrf": "sum of 1 / (60 + rank) over the systems",
    "depth": "by the best rank, systems in the order given",
    "borda": "points for each item that a system places below",
    "move-to-front": "one system after the other, each until an item is not relevant",
    "bandit": "the system with the largest share of relevant items so far",
    "hedge": "systems weighted by how well they placed what was judged",
}
"""What each order does."""
ADAPTIVE: Final = frozenset({"move-to-front", "bandit", "hedge"})
"""Orders that depend on what was judged before."""
