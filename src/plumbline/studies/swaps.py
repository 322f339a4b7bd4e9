"""Would other cases turn the order of two systems? The swap rate of a metric.

Voorhees and Buckley 2002: the cases are split in two halves at random, again and again. A pair of systems is swapped if one is
better in the first half and the other one in the second. The rate is given by the size of the difference in the first half, and
over all differences, where every difference counts as one however small it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.average import SAME
from plumbline.comparison.generalise.forecast import halves
from plumbline.comparison.significance.result import complete
from plumbline.large import cells, largest_of_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Flags = NDArray[np.bool_]

SPLITS: Final = 1000
BINS: Final = 21
"""Differences by hundredths of the span of a metric's values; the last bin has all from 20 hundredths on."""
FEWEST: Final = 2
MOST_SIZES: Final = 10
"""Sizes of sets of cases that are tried."""
_AT_ONCE: Final = 2**22
"""Differences in memory at once."""


@dataclass(frozen=True, eq=False)
class Swaps:
    """What became of the pairs of systems in all splits, by the size of the difference in the first half."""

    width: float
    """Of a bin, in units of the metric."""
    pairs: Counts
    swapped: Counts
    tied: int
    """Pairs that are equal in one of the halves, which are no swaps."""
    cases: int

    @property
    def rate(self) -> float | None:
        """The share of pairs that were swapped; none if nothing was split."""
        return float(self.swapped.sum() / self.pairs.sum()) if self.pairs.sum() else None


def first_halves(cases: int, splits: int = SPLITS, seed: int = 0) -> Flags:
    """Which cases are in the first half of each split, `[split, case]`."""
    return np.array(halves(cases, splits, seed), dtype=np.bool_)


def swaps(values: Numbers, inside: Flags, outside: Flags | None = None) -> Swaps:
    """Of the values of one metric, `[system, case]`, without gaps; `inside` are the first halves, `outside` the others."""
    systems, cases = values.shape
    pairs, swapped, tied = np.zeros(BINS, np.int64), np.zeros(BINS, np.int64), 0
    width = float(np.ptp(values)) / 100 if values.size else 0.0
    if systems < FEWEST or cases < FEWEST:
        return Swaps(width, pairs, swapped, tied, cases)
    a, b = np.triu_indices(systems, 1)
    least = SAME * float(largest_of_rows(values).max(initial=0.0))
    block = max(1, _AT_ONCE // len(a))
    outside = ~inside if outside is None else outside
    for start in range(0, len(inside), block):
        parts = (half[start : start + block].astype(np.float64) for half in (inside, outside))
        first, second = (_differences(values, part, a, b, least) for part in parts)
        place = _bins(np.abs(first), width)
        turned = np.sign(first) * np.sign(second)
        pairs += np.bincount(place.ravel(), minlength=BINS)
        swapped += np.bincount(place[turned < 0], minlength=BINS)
        tied += int(np.count_nonzero(turned == 0))
    return Swaps(width, pairs, swapped, tied, cases)


def _differences(values: Numbers, half: Numbers, a: NDArray[np.intp], b: NDArray[np.intp], least: float) -> Numbers:
    """Differences of the means over some cases, `[split, pair]`; what is 0 but for rounding is 0."""
    means = half @ values.T / half.sum(axis=1, keepdims=True)
    differences = means[:, a] - means[:, b]
    return np.where(np.abs(differences) <= least, 0.0, differences)


def _bins(sizes: Numbers, width: float) -> Counts:
    """The bin of each difference: the first one starts at 0."""
    scaled = sizes / width if width > 0 else np.zeros_like(sizes)
    return np.minimum(np.floor(scaled + SAME), BINS - 1).astype(np.int64)


def of_metrics(cube: Cube, splits: int, seed: int) -> dict[str, Swaps]:
    """Each metric on the systems that have a value and the cases on which all of these have one."""
    made, drawn = {}, {}
    for metric, values in zip(cube.metrics, cube.signed, strict=True):
        systems, cases, _ = complete(values)
        if len(cases) not in drawn:
            drawn[len(cases)] = first_halves(len(cases), splits, seed)
        made[metric] = swaps(cells(values, systems, cases), drawn[len(cases)])
    return made


def sizes(cases: int) -> list[int]:
    """Up to ten or so sizes, the largest of which is half of the cases."""
    half = cases // 2
    step = 1 if half <= MOST_SIZES else 5 * -(-half // (5 * MOST_SIZES))
    return sorted({*range(step, half + 1, step), half} - {0})


def samples(cases: int, size: int, splits: int, seed: int) -> tuple[Flags, Flags]:
    """Two sets of so many cases that have none in common, `[split, case]` each."""
    rng = np.random.default_rng([seed, size])
    order = rng.permuted(np.tile(np.arange(cases), (splits, 1)), axis=1)
    return order < size, (order >= size) & (order < 2 * size)


def stability(cube: Cube, splits: int, seed: int) -> pl.DataFrame:
    """`metric, size, swap_rate, tied, compared, splits`: how often two sets of so many cases order two systems differently."""
    rows = []
    for metric, values in zip(cube.metrics, cube.signed, strict=True):
        systems, cases, _ = complete(values)
        of_metric = cells(values, systems, cases)
        for size in sizes(len(cases)):
            one = swaps(of_metric, *samples(len(cases), size, splits, seed))
            rows.append((metric, size, one.rate, one.tied, int(one.pairs.sum()), splits))
    schema = {"metric": pl.String, "size": pl.Int64, "swap_rate": pl.Float64}
    return pl.DataFrame(rows, schema={**schema, **dict.fromkeys(("tied", "compared", "splits"), pl.Int64)}, orient="row")


def rates(by_metric: dict[str, Swaps], splits: int) -> pl.DataFrame:
    """`metric, swap_rate, tied, compared, swap_cases, splits`: over all differences."""
    rows = [(metric, one.rate, one.tied, int(one.pairs.sum()), one.cases, splits) for metric, one in by_metric.items()]
    counts = dict.fromkeys(("tied", "compared", "swap_cases", "splits"), pl.Int64)
    return pl.DataFrame(rows, schema={"metric": pl.String, "swap_rate": pl.Float64, **counts}, orient="row")


def by_size(by_metric: dict[str, Swaps]) -> pl.DataFrame:
    """`metric, low, high, pairs, swapped, rate`: by the size of the difference; the last bin has no end."""
    rows = []
    for metric, one in by_metric.items():
        for place, (pairs, swapped) in enumerate(zip(one.pairs.tolist(), one.swapped.tolist(), strict=True)):
            if pairs:
                high = None if place == BINS - 1 else one.width * (place + 1)
                rows.append((metric, one.width * place, high, pairs, swapped, swapped / pairs))
    counts = dict.fromkeys(("pairs", "swapped"), pl.Int64)
    schema = {"metric": pl.String, "low": pl.Float64, "high": pl.Float64, **counts, "rate": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")
