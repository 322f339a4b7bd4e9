"""Corrections of p-values for testing many pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.comparison.significance.registry import correction, find_correction
from plumbline.comparison.significance.result import as_scores, pair_indices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]


@correction("none", title="none", paper=None, choose_if="only one pair is of interest")
def none(p: Numbers) -> Numbers:
    """Leave the p-values as they are."""
    return p


@correction("bonferroni", title="Bonferroni", paper="dunn1961", choose_if="the literature that you compare with reports it")
def bonferroni(p: Numbers) -> Numbers:
    """Multiply by the number of p-values: the probability of any false claim stays below alpha, whatever their dependence."""
    return np.minimum(p * len(p), 1.0)


@correction("holm", title="Holm", paper="holm1979", choose_if="nothing speaks against it; it is the default")
def holm(p: Numbers) -> Numbers:
    """Holm's step-down form of Bonferroni: the same promise, and never larger p-values."""
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return corrected


@correction(
    "benjamini_hochberg",
    title="Benjamini-Hochberg",
    paper="benjamini1995",
    choose_if="some false claims among many are acceptable",
)
def benjamini_hochberg(p: Numbers) -> Numbers:
    """The share of false claims among all claims stays below alpha, if p-values are independent or positively dependent."""
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    times = len(p) / np.arange(1, len(p) + 1)
    corrected[order] = np.minimum(np.minimum.accumulate((p[order] * times)[::-1])[::-1], 1.0)
    return corrected


def corrected(p: ArrayLike, name: str = "holm", *, baseline: int | None = None) -> Numbers:
    """A table of p-values `[S, S]` corrected over its family: all pairs, or with a baseline the pairs that it is in.

    With a baseline the other pairs are not tested: they become NaN. Pairs without a p are no part of the family. The table
    stays symmetric, with 1 on the diagonal. Tests that are `familywise` need no correction.
    """
    return corrected_together([as_scores(p)], name, baseline=baseline)[0]


def corrected_together(
    tables: Sequence[Numbers], name: str = "holm", *, baseline: int | None = None, familywise: bool = False
) -> list[Numbers]:
    """Several tables of p-values, such as those of several metrics, corrected as one family.

    A `familywise` test already accounts for the pairs of its table, so that only the number of tables is left to correct for.
    """
    if familywise:
        return [np.minimum(table * len(tables), 1.0) for table in tables]
    correct = find_correction(name)
    size = len(tables[0])
    a, b = pair_indices(size, baseline)
    family = correct(np.concatenate([table[a, b] for table in tables]))
    out = []
    for p in np.split(family, len(tables)):
        table = np.full((size, size), np.nan)
        table[a, b] = table[b, a] = p
        np.fill_diagonal(table, 1.0)
        out.append(table)
    return out


def family_size(*tables: ArrayLike, baseline: int | None = None) -> int:
    """How many p-values are corrected together."""
    scores = [as_scores(table) for table in tables]
    return sum(int(np.count_nonzero(~np.isnan(table[pair_indices(len(table), baseline)]))) for table in scores)
