"""Folds of cross-validation: a t test that knows that training sets overlap (Nadeau and Bengio 2003).

Folds share most of their training data, so their scores are not independent, and the plain t test claims differences far more
often than its level says. The correction adds the share of test to training items to the variance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Pairs, moments
from plumbline.comparison.significance.result import SignificanceResult, as_scores, at_least

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


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
    from scipy.special import stdtr  # noqa: PLC0415 - scipy is slow to import

    pairs = Pairs(as_scores(values))
    moment, folds = moments(pairs), pairs.cases
    enough = folds >= FEWEST_FOR_A_VARIANCE
    freedom = np.maximum(folds - 1, 1).astype(np.float64)
    if test_to_train is not None:
        at_least("test_to_train", test_to_train, 0.0)
    ratio = 1.0 / freedom if test_to_train is None else test_to_train
    error = moment.deviation * np.sqrt(1.0 / np.maximum(folds, 1) + ratio)
    constant = enough & (moment.deviation == 0) & (moment.mean != 0)
    t = np.full(len(pairs), np.nan)
    np.divide(moment.mean, error, out=t, where=enough & (error > 0))
    t[constant] = np.copysign(np.inf, moment.mean[constant])
    t[moment.zero] = 0.0
    remarks = (
        pairs.remark(constant, "every fold differs by the same amount, t is infinite and p its limit 0"),
        pairs.remark(~enough & ~moment.zero, "fewer than two folds on which both have a score, no p"),
    )
    p = np.minimum(2 * stdtr(freedom, -np.abs(t)), 1.0)
    name = "corrected resampled t test"
    return SignificanceResult(pairs.symmetric(p), pairs.antisymmetric(t), pairs.counts(), remarks, name=name)
