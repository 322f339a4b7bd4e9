"""Is what a metric praises praised by the others? Strictness in both published definitions.

`fall` (Amigó, Gonzalo and Verdejo 2013, section 4.1): the greatest difference between the rank that the metric gives to an
output and the rank that another metric gives to it, over all outputs, as a share of the number of outputs and negative. Equal
values share their mean rank. 0 is strictest.

`floor` (Amigó, Gonzalo, Verdejo and Spina 2019, section 6.3): the lowest rank by another metric within the top outputs of this
one. A rank is the share of outputs that are at most as good, so that equal values share the highest one. 1 is strictest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.studies.outputs import Outputs

    Numbers = NDArray[np.float64]
    Counts = NDArray[np.int64]

GREATEST: Final = 10
"""So many falls are averaged, beside the greatest one, which a single odd output decides."""
TOP: Final = 20
"""The percentage of outputs at the top that the floor is about."""
PERCENTS: Final = tuple(range(1, 101))


@dataclass(frozen=True)
class Fall:
    """The greatest fall from one metric to others, negative, and where it happens."""

    value: float
    mean: float
    """Of the ten greatest falls."""
    other: int
    """Of the other metrics, the number of the one in which the output falls so far."""
    output: int


def fall(ranks: Numbers, others: Numbers) -> Fall:
    """From mean ranks of all outputs by one metric, `[output]`, and by others, `[other, output]`."""
    falls = ranks - others
    other, output = np.unravel_index(int(falls.argmax()), falls.shape)
    few = min(GREATEST, falls.size)
    greatest = np.partition(falls, -few, axis=None)[-few:]
    count = ranks.size
    return Fall(-float(greatest.max()) / count, -float(greatest.mean()) / count, int(other), int(output))


@dataclass(frozen=True, eq=False)
class Floors:
    """For each number of outputs at the top, the lowest rank by another metric, and where it is."""

    at_most: Counts
    """How many outputs are at most as good as each one, highest first."""
    lowest: Counts
    """The least of such counts by another metric, among the outputs so far."""
    output: Counts
    """The output that has it."""
    other: Counts
    """Of the other metrics, the number of the one by which it has it."""

    def top(self, percent: int) -> int:
        """The place of the last of the top outputs: those with rank(m, o) >= 1 - percent / 100."""
        enough = self.at_most * 100 >= (100 - percent) * len(self.at_most)
        return int(np.count_nonzero(enough)) - 1

    def at(self, percent: int) -> float:
        """The floor of the top outputs."""
        return float(self.lowest[self.top(percent)]) / len(self.at_most)


def floors(at_most: Counts, others: Counts) -> Floors:
    """From counts of outputs that are at most as good, by one metric, `[output]`, and by others, `[other, output]`."""
    which = others.argmin(axis=0)
    low = others[which, np.arange(at_most.size)]
    order = np.argsort(-at_most, kind="stable")
    lowest = np.minimum.accumulate(low[order])
    places = np.arange(at_most.size)
    falls_here = np.r_[True, lowest[1:] < lowest[:-1]]
    at = np.maximum.accumulate(np.where(falls_here, places, 0))
    return Floors(at_most[order], lowest, order[at], which[order[at]])


def strictness(outputs: Outputs, against: Sequence[int], top: int = TOP) -> pl.DataFrame:
    """A row for each metric with both values, and the output and metric that decide each of them."""
    rows: list[tuple[str | float | None, ...]] = []
    for index, metric in enumerate(outputs.cube.metrics):
        others = [other for other in against if other != index]
        if not others:
            rows.append((metric, *[None] * 9))
            continue
        fell = fall(outputs.ranks[index], outputs.ranks[others])
        lows = floors(outputs.at_most[index], outputs.at_most[others])
        last = lows.top(top)
        fell_in = outputs.cube.metrics[others[fell.other]]
        low_in = outputs.cube.metrics[others[int(lows.other[last])]]
        where, bottom = outputs.name(fell.output), outputs.name(int(lows.output[last]))
        rows.append((metric, fell.value, fell.mean, fell_in, *where, lows.at(top), low_in, *bottom))
    schema = {
        "metric": pl.String,
        "fall": pl.Float64,
        "ten_falls": pl.Float64,
        "fall_in": pl.String,
        "fall_system": pl.String,
        "fall_case": pl.String,
        "floor": pl.Float64,
        "floor_in": pl.String,
        "floor_system": pl.String,
        "floor_case": pl.String,
    }
    counts = {"top": pl.lit(top), "outputs": pl.lit(len(outputs)), "left_out": pl.lit(outputs.left_out)}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(**counts)


def curve(outputs: Outputs, against: Sequence[int]) -> pl.DataFrame:
    """`metric, top, floor`: the floor within the top 1 % to 100 % of the outputs."""
    rows: list[tuple[str, int, float]] = []
    for index, metric in enumerate(outputs.cube.metrics):
        others = [other for other in against if other != index]
        if others:
            lows = floors(outputs.at_most[index], outputs.at_most[others])
            rows += [(metric, percent, lows.at(percent)) for percent in PERCENTS]
    return pl.DataFrame(rows, schema={"metric": pl.String, "top": pl.Int64, "floor": pl.Float64}, orient="row")
