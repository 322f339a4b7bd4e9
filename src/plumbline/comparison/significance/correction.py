"""Corrections of p values for testing many pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.result import as_scores, members, share
from plumbline.errors import BadUsage, usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray


def none(p: ArrayLike) -> NDArray[np.float64]:
    """The p values as they are."""
    return np.array(p, dtype=np.float64)


def bonferroni(p: ArrayLike) -> NDArray[np.float64]:
    """Times the number of p values: the probability of any false claim stays below alpha, whatever their dependence."""
    given = np.asarray(p, dtype=np.float64)
    return np.asarray(np.minimum(given * np.count_nonzero(~np.isnan(given)), 1.0))


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Holm's step-down form of Bonferroni: the same promise, and never larger p values."""
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")  # what is not a number comes last
    known = np.count_nonzero(~np.isnan(given))
    out = np.full(given.shape, np.nan)
    times = np.arange(known, 0, -1)
    out[order[:known]] = np.minimum(np.maximum.accumulate(given[order[:known]] * times), 1.0)
    return out


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """The share of false claims among all claims stays below alpha, if p values are independent or positively dependent."""
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    known = np.count_nonzero(~np.isnan(given))
    out = np.full(given.shape, np.nan)
    times = known / np.arange(1, known + 1)
    out[order[:known]] = np.minimum(np.minimum.accumulate((given[order[:known]] * times)[::-1])[::-1], 1.0)
    return out


CORRECTIONS: Final[dict[str, Callable[[ArrayLike], NDArray[np.float64]]]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "benjamini_hochberg": benjamini_hochberg,
    "none": none,
}
"""By the names that `corrected` knows."""


def corrected(p: ArrayLike, correction: str = "holm", *, baseline: int | None = None) -> NDArray[np.float64]:
    """A table of p values `[S, S]` corrected over its family: all pairs, or with a baseline the pairs that it is in.

    With a baseline the other pairs are not tested: they become not a number. Pairs without a p are no part of the family. The
    table stays symmetric, with 1 on the diagonal. Tests whose `.familywise` is set need no correction.
    """
    if correction not in CORRECTIONS:
        raise BadUsage(usage.bad_option("correction", correction, list(CORRECTIONS)))
    table = as_scores(p)
    a, b = members(len(table), baseline)
    out = np.full(table.shape, np.nan)
    out[a, b] = out[b, a] = CORRECTIONS[correction](table[a, b])
    np.fill_diagonal(out, 1.0)
    return out


def family(p: ArrayLike, *, baseline: int | None = None) -> int:
    """How many p values are corrected together."""
    table = as_scores(p)
    return int(np.count_nonzero(~np.isnan(table[members(len(table), baseline)])))


def fewest_resamples(family_size: int, alpha: float = 0.05) -> int:
    """How often a drawn test must draw so that the smallest p it can give is below `alpha` after Bonferroni or Holm.

    A drawn p is never below 1 / (B + 1). With 10,000 draws and the 4,950 pairs of 100 systems, Holm makes at least 0.49 of
    it: nothing can be significant, however large the differences are. Draw more, correct by Benjamini-Hochberg, name a
    baseline, or take randomised Tukey, which needs no correction.
    """
    share("alpha", alpha)
    fewest = max(1, int(np.floor(family_size / alpha)))
    return fewest if family_size * (1.0 / (fewest + 1)) < alpha else fewest + 1  # 1 / 0.00001 is less than 100,000
