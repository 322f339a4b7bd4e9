"""Five times two folds: the t test of Dietterich (1998) and the F test of Alpaydin (1999).

In every repeat the items are halved, and each half is tested with what the other half taught. The two training sets of a repeat
have nothing in common, so that their spread is honest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.pairs import Pairs
from plumbline.comparison.significance.registry import fold_test
from plumbline.comparison.significance.result import SignificanceResult
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


@fold_test(
    "5x2t",
    title="5x2cv t test",
    paper="dietterich1998",
    shape=(5, 2),
    choose_if="the items were halved five times, and results are to be compared with older papers",
)
def five_by_two_t(values: Numbers, _: float) -> SignificanceResult:
    """The difference of the very first fold, in units of the spread within the five repeats.

    t has 5 degrees of freedom. It rests on one of ten differences, so another order of folds gives another p; `5x2f` does not
    have this fault.
    """
    pairs, differences, variances = _halves(values)
    t = _ratio(differences[:, 0, 0], np.sqrt(variances.mean(axis=1)))
    t = np.where((differences == 0).all(axis=(1, 2)), 0.0, t)
    return _result(pairs, t, 2 * special.stdtr(5, -np.abs(t)), variances)


@fold_test(
    "5x2f",
    title="5x2cv F test",
    paper="alpaydin1999",
    shape=(5, 2),
    choose_if="the items were halved five times",
)
def five_by_two_f(values: Numbers, _: float) -> SignificanceResult:
    """The squares of all ten differences, in units of the spread within the five repeats.

    F has 10 and 5 degrees of freedom. The statistic has the sign of the mean difference.
    """
    pairs, differences, variances = _halves(values)
    f = _ratio((differences**2).sum(axis=(1, 2)), 2 * variances.sum(axis=1))
    f = np.where((differences == 0).all(axis=(1, 2)), 0.0, f)
    return _result(pairs, np.copysign(f, differences.mean(axis=(1, 2))), special.fdtrc(10, 5, f), variances)


def _halves(values: Numbers) -> tuple[Pairs, Numbers, Numbers]:
    """The pairs, their differences `[pair, repeat, half]`, and the variance within each repeat."""
    flat = Pairs(values.reshape(len(values), -1))
    differences = values[flat.a] - values[flat.b]
    scale = np.abs(np.nan_to_num(values)).max(initial=0.0)
    differences = np.where(np.abs(differences) <= 1e-12 * scale, 0.0, differences)
    return flat, differences, np.asarray(2 * differences.var(axis=2))


def _ratio(above: Numbers, below: Numbers) -> Numbers:
    """The statistic; infinite without any spread, NaN where a score is missing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(above / below)


def _result(pairs: Pairs, statistic: Numbers, p: Numbers, variances: Numbers) -> SignificanceResult:
    missing = np.asarray(np.isnan(variances).any(axis=1))
    constant = np.asarray((variances == 0).all(axis=1) & (statistic != 0))
    known = np.where(missing | np.isnan(statistic), np.nan, np.minimum(p, 1.0))
    remarks = (
        pairs.remark(constant, "both halves differ by the same amount in every repeat, p is its limit 0"),
        pairs.remark(missing, "a fold without a score of both, no p"),
    )
    return SignificanceResult(pairs.symmetric(known), pairs.antisymmetric(statistic), pairs.counts(), remarks)
