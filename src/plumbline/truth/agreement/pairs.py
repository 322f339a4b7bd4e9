"""Every pair of assessors: coefficients of all pairs at once, and what explains them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.lazily import sparse
from plumbline.truth.agreement.registry import coefficients
from plumbline.truth.agreement.tally import of_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.agreement.ratings import Ratings
    from plumbline.truth.agreement.scales import Scale

    Numbers = NDArray[np.float64]

SHOWN: Final = ("agreement", "kappa", "weighted_kappa", "gwet_ac1", "alpha")
_TWO: Final = 2
_DENSE: Final = 5 * 10**7


def joint_counts(ratings: Ratings) -> Numbers:
    """How often two assessors gave each two answers to the same unit, `[A, A, K, K]`."""
    size, count = len(ratings.categories), len(ratings.assessors)
    column = ratings.assessor * size + ratings.category
    if ratings.units * count * size <= _DENSE:
        answers = np.zeros((ratings.units, count * size))
        answers[ratings.unit, column] = 1.0
        joint = answers.T @ answers
    else:
        answered = sparse.csr_array((np.ones(len(column)), (ratings.unit, column)), shape=(ratings.units, count * size))
        joint = (answered.T @ answered).toarray()
    return np.asarray(joint.reshape(count, size, count, size).transpose(0, 2, 1, 3))


def pair_table(ratings: Ratings, scale: Scale, joint: Numbers | None = None) -> pl.DataFrame:
    """`a, b, items`, the coefficients of each pair with a common item, `bias`, and indexes where there are two categories.

    `bias` is the mean number of b minus that of a on common items; `severity` of nominal labels has no meaning and is null.
    """
    joint = joint_counts(ratings) if joint is None else joint
    first, second = np.triu_indices(len(ratings.assessors), 1)
    tables = joint[first, second]
    kept = tables.sum(axis=(1, 2)) > 0
    return described(ratings, scale, first[kept], second[kept], tables[kept])


def described(
    ratings: Ratings, scale: Scale, first: NDArray[np.int64], second: NDArray[np.int64], tables: Numbers
) -> pl.DataFrame:
    """A row for each pair, given how often both gave each two answers."""
    tally = of_pairs(tables)
    names = pl.Series(ratings.assessors, dtype=pl.String)
    known = coefficients()
    columns: dict[str, Any] = {"a": names.gather(first), "b": names.gather(second), "items": tally.units.astype(np.int64)}
    for name in SHOWN:
        if scale.level in known[name].levels:
            columns[name] = _known(known[name].compute(tally, scale))
    n = np.maximum(tally.units, 1)
    if scale.level in {"ordinal", "interval", "ratio"}:
        means = tally.marginals @ scale.values
        columns["bias"] = _known((means[:, 1] - means[:, 0]) / n)
    if tables.shape[1] == _TWO:
        columns |= two_categories(tables)
    return pl.DataFrame(columns)


def two_categories(tables: Numbers) -> dict[str, pl.Series]:
    """Prevalence and bias index, PABAK, and the overlap of what both call positive (Byrt 1993, Voorhees 2000)."""
    n = tables.sum(axis=(1, 2))
    neither, only_b, only_a, both = tables[:, 0, 0], tables[:, 0, 1], tables[:, 1, 0], tables[:, 1, 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "prevalence_index": _known(np.abs(both - neither) / n),
            "bias_index": _known(np.abs(only_a - only_b) / n),
            "pabak": _known(2 * (both + neither) / n - 1),
            "overlap": _known(both / (both + only_a + only_b)),
            "precision": _known(both / (both + only_b)),
            "recall": _known(both / (both + only_a)),
        }


def _known(values: Numbers) -> pl.Series:
    return pl.Series(values, dtype=pl.Float64, nan_to_null=True)
