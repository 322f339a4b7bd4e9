"""Is what a metric praises praised by the others? Strictness in both published definitions.

`fall` (Amigó, Gonzalo and Verdejo 2013, section 4.1): the greatest difference between the rank that the metric gives to an
output and the rank that another metric gives to it, over all outputs, as a share of the number of outputs and negative. Equal
values share their mean rank. 0 is strictest.

`floor` (Amigó, Gonzalo, Verdejo and Spina 2019, section 6.3): the lowest rank by another metric within the top outputs of this
one. A rank is the share of outputs that are at most as good, so that equal values share the highest one. 1 is strictest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from plumbline.large import portions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def fall(ranks: Numbers, metric: int, others: Sequence[int]) -> Fall:
    """From the mean ranks of all outputs by each metric, `[metric, output]`."""
    count = ranks.shape[1]
    largest, where, greatest = -np.inf, (0, 0), np.zeros(0)
    for number, other in enumerate(others):
        for some in portions((count,)):
            falls = ranks[metric, some] - ranks[other, some]
            first = int(falls.argmax())
            if falls[first] > largest:
                largest, where = float(falls[first]), (number, some.start + first)
            greatest = np.concatenate([greatest, _highest(falls)])
        greatest = _highest(greatest)
    return Fall(-largest / count, -float(greatest.mean()) / count, *where)


def _highest(falls: Numbers) -> Numbers:
    """The ten greatest."""
    few = min(GREATEST, len(falls))
    return np.partition(falls, -few)[-few:]


class Floor(NamedTuple):
    """The lowest rank by another metric among some outputs, and where it is. Of two floors, the lesser one counts."""

    lowest: int
    """How many outputs are at most as good by the other metric."""
    better: int
    """How many are at most as good by this one, negative: of outputs that are as low, the best one is named, then the first."""
    output: int
    other: int
    """Of the other metrics, the number of the one by which it is so low."""


def floors(at_most: Counts, metric: int, others: Sequence[int]) -> list[Floor]:
    """Of the top 0 %, 1 % and so on of the outputs by a metric; the top p % are those with rank(m, o) >= 1 - p / 100.

    `at_most`, `[metric, output]`, is how many outputs are at most as good as each one.
    """
    count = at_most.shape[1]
    added: dict[int, Floor] = {}
    for some in portions((count, len(others))):
        for percent, floor in _lowest(at_most[metric, some], at_most[others, some], count):
            moved = floor._replace(output=some.start + floor.output)
            added[percent] = min(moved, added.get(percent, moved))
    every = [added[0]]  # the best output is always there
    for percent in PERCENTS:
        every.append(min(every[-1], added.get(percent, every[-1])))
    return every


def _lowest(mine: Counts, others: Counts, count: int) -> Iterator[tuple[int, Floor]]:
    """The floors of outputs by the least percentage with which each one is at the top."""
    which = others.argmin(axis=0)
    low = others[which, np.arange(mine.size)]
    percent = 100 - mine * 100 // count
    least = np.full(PERCENTS[-1] + 1, count, dtype=np.int64)
    np.minimum.at(least, percent, low)
    at = np.flatnonzero(low == least[percent])
    at = at[np.lexsort((-mine[at], percent[at]))]
    percents, first = np.unique(percent[at], return_index=True)
    for place, output in zip(percents.tolist(), at[first].tolist(), strict=True):
        yield place, Floor(int(low[output]), -int(mine[output]), output, int(which[output]))


def strictness(outputs: Outputs, against: Sequence[int], top: int = TOP) -> pl.DataFrame:
    """A row for each metric with both values, and the output and metric that decide each of them."""
    rows: list[tuple[str | float | None, ...]] = []
    for index, metric in enumerate(outputs.cube.metrics):
        others = [other for other in against if other != index]
        if not others:
            rows.append((metric, *[None] * 9))
            continue
        fell = fall(outputs.ranks, index, others)
        low = floors(outputs.at_most, index, others)[top]
        fell_in = outputs.cube.metrics[others[fell.other]]
        low_in = outputs.cube.metrics[others[low.other]]
        where, bottom = outputs.name(fell.output), outputs.name(low.output)
        rows.append((metric, fell.value, fell.mean, fell_in, *where, low.lowest / len(outputs), low_in, *bottom))
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
            lows = floors(outputs.at_most, index, others)
            rows += [(metric, percent, lows[percent].lowest / len(outputs)) for percent in PERCENTS]
    return pl.DataFrame(rows, schema={"metric": pl.String, "top": pl.Int64, "floor": pl.Float64}, orient="row")
