r"""The expectation of a cascade over all orders of equal scores, exactly.

A reader goes down the list and stops at an item with a probability of its own; the score is the expected worth of the place
where that happens. ERR is one, and so are RR and Success, where the first relevant item stops the reader.

Within a group of m items that may be in any order, let $q_s$ be the mean of $\prod (1 - stop_j)$ over all sets of s items: the
probability to get past s of its places. The reader stops at its place i with probability $q_{i-1} - q_i$. One item more makes
$q'_s = \frac{n + 1 - s}{n + 1} q_s + \frac{s}{n + 1} (1 - stop) q_{s-1}$ out of the q of n items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import LIST, OFFSET, SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]
    Worth = Callable[[Numbers], Numbers]

STOPS: Final = "stops"
"""The column with the probability to stop at an item."""
_TOGETHER: Final = 2_000_000
"""So many numbers are worked on at a time."""


@dataclass(frozen=True)
class Cascade:
    """Where a reader stops: a probability for each judged item, and what stopping at a rank down to a cutoff is worth."""

    stops: Numbers | NDArray[np.bool_]
    worth: Worth
    cutoff: int | None = None

    def down_to(self, depth: int | None) -> Worth:
        """What a rank is worth; nothing below the cutoff or the depth."""
        last = min(np.inf if bound is None else bound for bound in (self.cutoff, depth))
        return lambda ranks: np.where(ranks <= last, self.worth(ranks), 0.0)


def expected_worth(rows: pl.DataFrame, count: int, worth: Worth) -> Numbers:
    """The expected worth of so many lists; `rows` has the judged items with their group and the probability to stop."""
    rows = rows.filter(pl.col(STOPS) > 0).sort(LIST, OFFSET, maintain_order=True)
    if rows.is_empty():
        return np.zeros(count)
    groups = _Groups.of(rows)
    inside = groups.stops[groups.first] * worth(groups.offset.astype(np.float64) + 1.0)
    for some in groups.alike():
        inside[some] = groups.worth_of(some, worth)
    table = pl.DataFrame({LIST: groups.list, "goes on": np.multiply.reduceat(1.0 - groups.stops, groups.first)})
    reached = table.select(pl.col("goes on").cum_prod().shift(1, fill_value=1.0).over(LIST)).to_series().to_numpy()
    return np.asarray(np.bincount(groups.list, weights=inside * reached, minlength=count), dtype=np.float64)


@dataclass(frozen=True)
class _Groups:
    """Groups of equal scores, list by list from the top, and the items of each at which somebody stops."""

    stops: Numbers
    first: Places
    """Where the items of each group begin."""
    counts: Places
    list: Places
    offset: Places
    """The places above each group."""
    size: Places
    """Its places, those of other items included."""

    @classmethod
    def of(cls, rows: pl.DataFrame) -> _Groups:
        """The groups of rows that are in order."""
        lists, offset = rows[LIST].to_numpy(), rows[OFFSET].to_numpy()
        new = np.append(True, (lists[1:] != lists[:-1]) | (offset[1:] != offset[:-1]))
        first = np.flatnonzero(new)
        counts = np.diff(np.append(first, len(rows)))
        return cls(rows[STOPS].to_numpy(), first, counts, lists[first], offset[first], rows[SIZE].to_numpy()[first])

    def alike(self) -> Iterator[Places]:
        """Groups of one size, in portions that fit into memory; a group of one item needs no mean."""
        for size in np.unique(self.size[self.size > 1]).tolist():
            groups = np.flatnonzero(self.size == size)
            portion = max(1, _TOGETHER // size)
            for start in range(0, len(groups), portion):
                yield groups[start : start + portion]

    def worth_of(self, some: Places, worth: Worth) -> Numbers:
        """What stopping within each of some groups of one size is worth, for a reader who reaches it."""
        places, most = int(self.size[some[0]]), int(self.counts[some].max())
        past = np.ones((len(some), places + 1))
        chosen = np.arange(places + 1, dtype=np.float64)
        for step in range(most):  # items that nobody stops at come first: they leave every mean at 1
            index = self.counts[some] - most + step
            passing = np.where(index >= 0, 1.0 - self.stops[self.first[some] + np.maximum(index, 0)], 1.0)[:, None]
            known = places - most + step + 1
            s = chosen[1 : known + 1]
            past[:, 1 : known + 1] = ((known - s) * past[:, 1 : known + 1] + s * passing * past[:, :known]) / known
        ranks = self.offset[some].astype(np.float64)[:, None] + 1.0 + chosen[:-1]
        return np.asarray(((past[:, :-1] - past[:, 1:]) * worth(ranks)).sum(axis=1))
