"""Full lists, unjudged items included: what relations between all items need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.align.keys import starts
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.ties import Ranks


@dataclass(frozen=True)
class FullLists:
    """The lists of one system, cases together and best first."""

    case: NDArray[np.int32]
    new_level: NDArray[np.bool_]
    """Whether the score is another one than before, or the case."""
    judged: NDArray[np.int64]
    """The gold's row of each item, -1 if it has none."""
    words: NDArray[np.float64] | None
    """How long each item is, where that is known."""
    items: pl.Series | None = None
    """The items; kept only where they are needed."""

    @classmethod
    def of(
        cls,
        ranks: Ranks,
        judged: NDArray[np.int64],
        depth: int | None,
        words: Callable[[pl.Series], NDArray[np.float64]] | None,
        *,
        keep: bool = False,
    ) -> FullLists:
        """From the order of all rows; `judged` are the gold's rows of the judged ones, `depth` cuts lists."""
        case, value = ranks.ordered.case, ranks.ordered.value
        known = np.full(len(case), -1, dtype=np.int64)
        known[ranks.judged] = judged
        first = starts(case)
        new_level = np.zeros(len(case), dtype=np.bool_)
        new_level[1:] = value[1:] != value[:-1]
        new_level[first] = True
        items = ranks.ordered.item(_settled(ranks)) if keep or words is not None else None
        length = None if words is None or items is None else words(items)
        chosen = _chosen(case, first, depth)
        return cls(
            case[chosen],
            new_level[chosen],
            known[chosen],
            None if length is None else length[chosen],
            items[chosen] if keep and items is not None else None,
        )


def _settled(ranks: Ranks) -> NDArray[np.int64]:
    """The row that ends up at each place: judged ones where the tie rule puts them, the others around them as they were."""
    rows = np.arange(len(ranks.ordered.case))
    if np.array_equal(ranks.judged, ranks.before):
        return rows
    settled = np.empty_like(rows)
    settled[ranks.judged] = ranks.before
    settled[np.delete(rows, ranks.judged)] = np.delete(rows, ranks.before)
    return settled


def _chosen(case: NDArray[np.int32], first: NDArray[np.int64], depth: int | None) -> slice | NDArray[np.int64]:
    """The rows down to the depth, cases in the order of the gold; in a file they may stand in another one."""
    in_order = bool(np.all(case[1:] >= case[:-1]))
    if depth is None and in_order:
        return slice(None)
    place = np.arange(len(case)) - np.repeat(first, np.diff(np.append(first, len(case))))
    rows = np.flatnonzero(place < (len(case) if depth is None else depth))
    return rows if in_order else rows[np.argsort(case[rows], kind="stable")]
