"""The Bayesian correlated t test (Corani and Benavoli 2015): how probably one learner is better, or practically equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.pairs import FEWEST_FOR_A_VARIANCE, Pairs
from plumbline.comparison.significance.result import as_scores, at_least
from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Posterior:
    """Probabilities of all pairs, tables `[S, S]` with a in rows and b in columns; NaN with fewer than two folds."""

    better: Numbers
    """That a is better than b by more than the region of equivalence."""
    equal: Numbers
    """That they differ by no more than it; 0 without a region, unless all folds are equal."""

    @property
    def worse(self) -> Numbers:
        """That a is worse by more than it."""
        return self.better.T


def correlated_posterior(values: ArrayLike, test_to_train: float, rope: ArrayLike = 0.0) -> Posterior:
    """The posterior of the mean difference: a t distribution with J - 1 degrees of freedom around it.

    Its scale is the standard error of the corrected resampled t test: with the correlation of folds
    rho = test / (test + train), the term rho / (1 - rho) is test / train.

    Args:
        values: Scores `[system, fold]`, of all repeats; NaN where there is none.
        test_to_train: The number of test items divided by that of training items.
        rope: The largest difference that counts as equal, one for all pairs or a table `[a, b]`.

    Returns:
        The probabilities of the three regions. If all differences of a pair are equal, one of them is 1; of a difference of
        exactly 0 without a region, both are better with probability 1/2.
    """
    at_least("test_to_train", test_to_train, 0.0)
    pairs = Pairs(as_scores(values))
    moment, folds = pairs.moments, pairs.cases
    region = np.broadcast_to(np.asarray(rope, dtype=np.float64), (len(pairs.values),) * 2)[pairs.a, pairs.b]
    scale = moment.deviation * np.sqrt(1.0 / np.maximum(folds, 1) + test_to_train)
    freedom = np.maximum(folds - 1, 1).astype(np.float64)
    below, above = (_beyond(-region, moment.mean, scale), _beyond(region, moment.mean, scale))
    worse, better = special.stdtr(freedom, below), special.stdtr(freedom, -above)
    few = folds < FEWEST_FOR_A_VARIANCE
    worse, better = np.where(few, np.nan, worse), np.where(few, np.nan, better)
    equal = np.where(region > 0, np.clip(1.0 - worse - better, 0.0, 1.0), np.where(few, np.nan, 0.0))
    return Posterior(pairs.table(better, worse, 0.0), pairs.symmetric(equal))


def _beyond(end: Numbers, mean: Numbers, scale: Numbers) -> Numbers:
    """How far an end lies from the mean, in units of the scale; infinite without any spread, 0 where both are the same."""
    distance = end - mean
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(distance == 0, 0.0, distance / scale))
