"""Concordant, opposite and non-significant differences: what several metrics say together about each pair."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.result import share
from plumbline.comparison.significance.wilcoxon import wilcoxon

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.significance.result import SignificanceResult


class PairClass(IntEnum):
    """What the metrics say together about a pair of systems."""

    UNKNOWN = -1
    """By some metric the two have no case in common."""
    NON_SIGNIFICANT = 0
    """No metric differs significantly."""
    CONCORDANT = 1
    """At least one metric differs significantly, and all that do in the same direction."""
    OPPOSITE = 2
    """One metric is significantly better and another significantly worse."""


@dataclass(frozen=True, eq=False)
class Classes:
    """The class of each pair of systems, `[S, S]`, a in rows and b in columns."""

    codes: NDArray[np.int8]
    """A `PairClass` for each pair, the same from both sides; non-significant on the diagonal."""
    winner: NDArray[np.int8]
    """Of concordant pairs: 1 where a is better, -1 where b is; 0 elsewhere."""
    tests: tuple[SignificanceResult, ...]
    """The test of each metric."""
    alpha: float

    def counts(self) -> dict[str, int]:
        """How many pairs are in each class, each pair once."""
        upper = self.codes[np.triu_indices(len(self.codes), 1)]
        return {one.name.lower(): int(np.count_nonzero(upper == one)) for one in PairClass}


def classes(cube: Cube, alpha: float = 0.05) -> Classes:
    """Concordant, opposite and non-significant pairs by Wilcoxon's test of each metric, as in section 6.1 of the UIR paper.

    Significant is p < alpha. The paper has two metrics; with more, a pair is opposite as soon as two of them differ
    significantly in opposite directions. p-values are not corrected. The direction of a significant difference is that of
    the test: whose ranks have the larger sum.
    """
    share("alpha", alpha)
    tests = tuple(wilcoxon(values) for values in cube.signed)
    systems = len(cube.systems)
    better, worse = np.zeros((systems, systems), dtype=bool), np.zeros((systems, systems), dtype=bool)
    unknown = np.zeros((systems, systems), dtype=bool)
    for tested in tests:
        significant = tested.p < alpha
        better |= significant & (tested.statistic > tested.statistic.T)
        worse |= significant & (tested.statistic < tested.statistic.T)
        unknown |= np.isnan(tested.p)
    codes = np.where(
        better & worse, PairClass.OPPOSITE, np.where(better | worse, PairClass.CONCORDANT, PairClass.NON_SIGNIFICANT)
    )
    codes = np.where(unknown, PairClass.UNKNOWN, codes).astype(np.int8)
    winner = np.where(codes == PairClass.CONCORDANT, better.astype(np.int8) - worse.astype(np.int8), 0).astype(np.int8)
    return Classes(codes, winner, tests, alpha)
