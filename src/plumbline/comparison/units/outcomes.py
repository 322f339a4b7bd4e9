"""What every system answered about every item, as codes: a list is then no more than how often each code occurs.

Each task whose metrics are computed from decisions about items has a hook `units`, a function that makes `Outcomes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.metrics.measure import Measure

    Numbers = NDArray[np.float64]
    Integers = NDArray[np.int64]


class Lists(NamedTuple):
    """Many lists of one system in one case, as drawn."""

    counts: Numbers
    """How often each code occurs, `[list, code]`."""
    codes: Integers
    """The code of each column, in ascending order."""


class Scorer(Protocol):
    """Computes measures of drawn lists by the ordinary computation of the task."""

    def __call__(self, lists: Sequence[Lists], measures: list[Measure]) -> pl.DataFrame:
        """A row for each list, all lists of the first system first, and a column for each measure."""
        ...


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Items with what the gold and the systems say about them; items with equal codes count alike."""

    measures: list[Measure]
    """The measures that can be computed from these codes."""
    case: Integers
    """The case of each item."""
    stratum: Integers
    """The class that the gold gives to each item."""
    codes: Integers
    """`[system, item]`."""
    score: Scorer
    unit: Integers | None = None
    """What items belong to that are exchanged and drawn together unless single items are asked for, such as documents."""

    def values(self, lists: Sequence[Lists]) -> Numbers:
        """`[measure, system, list]`; not a number where a measure is undefined."""
        frame = self.score(lists, self.measures)
        columns = [frame[measure.name].to_numpy().astype(np.float64, copy=False) for measure in self.measures]
        return np.asarray(np.stack(columns)).reshape(len(self.measures), len(lists), -1)


def outcomes_of(aligned: Alignment, measures: list[Measure]) -> list[Outcomes]:
    """The outcomes of all items for some of the measures at a time, which together are all of them."""
    made: list[Outcomes] = task_named(aligned.task).hook("units")(aligned, measures)
    return made
