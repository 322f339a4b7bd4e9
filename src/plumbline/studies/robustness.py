"""Does a metric rank the systems alike on all cases? The mean Spearman correlation over pairs of cases.

Amigó, Gonzalo and Verdejo 2013, section 4.1; Amigó, Gonzalo, Verdejo and Spina 2019, section 6.4, which draws 1,000 pairs of
cases. The mean over all pairs takes no longer than one over a sample, since correlations are products of ranks: it is the
default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.significance.result import complete
from plumbline.large import cells, empty, portions
from plumbline.lazily import stats
from plumbline.studies.outputs import sizes_of_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]

FEWEST: Final = 2
"""Cases that make a pair."""


@dataclass(frozen=True)
class Robustness:
    """The mean correlation over pairs of cases, and what it is of."""

    value: float | None
    pairs: int
    cases: int
    """Cases that take part."""
    tied: int
    """Cases on which all systems have the same value, which have no correlation with another one."""


def robustness(values: Numbers, pairs: int | None = None, seed: int = 0) -> Robustness:
    """Of the values of one metric, `[system, case]`, without gaps; over all pairs of cases, or over some that are drawn."""
    unit, varies = _unit_ranks(values)
    cases = unit.shape[1]
    tied = int((~varies).sum())
    every = cases * (cases - 1) // 2
    if cases < FEWEST:
        return Robustness(None, 0, cases, tied)
    if pairs is None or pairs >= every:
        total = float((unit.sum(axis=1) ** 2).sum())  # the sum of all correlations, those of a case with itself included
        return Robustness((total - cases) / (cases * (cases - 1)), every, cases, tied)
    first, second = _drawn(cases, pairs, seed)
    return Robustness(float(np.einsum("sp,sp->", unit[:, first], unit[:, second])) / pairs, pairs, cases, tied)


def _unit_ranks(values: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """The ranks of the systems on each case, centred and of length 1, and which cases tell systems apart."""
    systems, cases = values.shape
    unit, varies, filled = empty((cases, systems)), np.zeros(cases, dtype=np.bool_), 0
    (step,) = sizes_of_steps(values[None])
    for some in portions(unit.shape):
        ranks = stats.rankdata(np.rint(values[:, some] / step), axis=0)
        centred = ranks - ranks.mean(axis=0)
        length = np.sqrt((centred**2).sum(axis=0))
        varies[some] = kept = length > 0
        start, filled = filled, filled + int(np.count_nonzero(kept))
        unit[start:filled] = (centred[:, kept] / length[kept]).T
    return unit[:filled].T, varies


def _drawn(cases: int, pairs: int, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of different cases, each as likely as any other, with replacement."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, cases, size=pairs)
    second = rng.integers(0, cases - 1, size=pairs)
    return first, second + (second >= first)


def table(cube: Cube, pairs: int | None = None, seed: int = 0) -> pl.DataFrame:
    """A row for each metric; systems without any value are left out, then cases on which one of the others lacks one."""
    rows = []
    for metric, values in zip(cube.metrics, cube.signed, strict=True):
        systems, cases, _ = complete(values)
        result = robustness(cells(values, systems, cases), pairs, seed)
        missing = (len(cube.systems) - len(systems), len(cube.cases) - len(cases))
        reason = None if result.value is not None else "fewer than two cases tell the systems apart"
        rows.append(
            (metric, result.value, result.pairs, result.cases, result.tied, missing[1], len(systems), missing[0], reason)
        )
    names = ("pairs", "cases", "cases_tied", "cases_lacking", "systems", "systems_lacking")
    schema = {"metric": pl.String, "robustness": pl.Float64, **dict.fromkeys(names, pl.Int64), "reason": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")
