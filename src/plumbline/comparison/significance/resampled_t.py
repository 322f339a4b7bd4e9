"""Folds of cross-validation: a t test that knows that training sets overlap (Nadeau and Bengio 2003).

Folds share most of their training data, so their scores are not independent, and the plain t test claims differences far more
often than its level says. The correction adds the share of test to training items to the variance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.effects import Intervals
from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Pairs
from plumbline.comparison.significance.registry import find_fold_test, fold_test
from plumbline.comparison.significance.result import SignificanceResult, as_scores, at_least
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from plumbline.comparison.significance.pairs import Moments


@fold_test(
    "corrected",
    title="corrected resampled t test",
    paper="nadeau2003",
    choose_if="there are folds of any number, once or repeated; it is the default",
)
def corrected(values: NDArray[np.float64], test_to_train: float) -> SignificanceResult:
    """Whether the mean difference over folds is far from 0, if the overlap of their training sets is counted in.

    t = mean / sqrt((1 / J + test / train) variance) with J - 1 degrees of freedom, where J is the number of folds of all
    repeats. The plain t test has no second term, and claims differences far too often.
    """
    return resampled_t(values.reshape(len(values), -1), test_to_train)


def tested_by_folds(name: str, values: NDArray[np.float64], test_to_train: float) -> tuple[SignificanceResult, Intervals]:
    """The test of this name, of scores `[system, fold]`, and the intervals; for one of single answers the corrected t test."""
    named = find_fold_test(name)
    chosen = corrected if named.of_answers else named
    shaped = values.reshape(len(values), *(chosen.shape or (1, -1)))
    return chosen(shaped, test_to_train), resampled_intervals(values, test_to_train)


def resampled_t(values: ArrayLike, test_to_train: float | None = None) -> SignificanceResult:
    """The corrected resampled t test of all pairs: t = mean / sqrt((1 / J + test / train) variance), J - 1 degrees of freedom.

    Args:
        values: Scores `[system, fold]`: one for each of J folds, of all repetitions if folds were drawn repeatedly. NaN where
            there is none.
        test_to_train: The number of test items divided by that of training items: 1 / 9 for ten folds, however often they are
            repeated. None takes all columns as the folds of one cross-validation: 1 / (J - 1). With 0 it is the plain t test.

    Returns:
        Two-sided p; half of it is that of a one-sided test. The statistic is t, positive where a is better. If all differences
        of a pair are equal, p is 1 if they are 0, otherwise its limit 0.
    """
    pairs = Pairs(as_scores(values))
    moment, folds = pairs.moments, pairs.cases
    enough = folds >= FEWEST_FOR_A_VARIANCE
    freedom, error = _error(moment, folds, test_to_train)
    constant = enough & (moment.deviation == 0) & (moment.mean != 0)
    t = np.full(len(pairs), np.nan)
    np.divide(moment.mean, error, out=t, where=enough & (error > 0))
    t[constant] = np.copysign(np.inf, moment.mean[constant])
    t[moment.zero] = 0.0
    remarks = (
        pairs.remark(constant, "every fold differs by the same amount, t is infinite and p its limit 0"),
        pairs.remark(~enough & ~moment.zero, "fewer than two folds on which both have a score, no p"),
    )
    p = np.minimum(2 * special.stdtr(freedom, -np.abs(t)), 1.0)
    return SignificanceResult(pairs.symmetric(p), pairs.antisymmetric(t), pairs.counts(), remarks)


def resampled_intervals(values: ArrayLike, test_to_train: float | None = None, level: float = 0.95) -> Intervals:
    """Confidence intervals of the mean differences that belong to the corrected resampled t test."""
    pairs = Pairs(as_scores(values))
    moment = pairs.moments
    freedom, error = _error(moment, pairs.cases, test_to_train)
    half = np.where(pairs.cases >= FEWEST_FOR_A_VARIANCE, special.stdtrit(freedom, (1 + level) / 2) * error, np.nan)
    low, high = moment.mean - half, moment.mean + half
    name = "corrected resampled t"
    return Intervals(name, pairs.table(low, -high, 0.0), pairs.table(high, -low, 0.0), level, pairs.counts(), "")


def _error(
    moment: Moments, folds: NDArray[np.int64], test_to_train: float | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The degrees of freedom and the standard error of each mean difference."""
    freedom = np.maximum(folds - 1, 1).astype(np.float64)
    if test_to_train is not None:
        at_least("test_to_train", test_to_train, 0.0)
    ratio = 1.0 / freedom if test_to_train is None else test_to_train
    return freedom, np.asarray(moment.deviation * np.sqrt(1.0 / np.maximum(folds, 1) + ratio))
