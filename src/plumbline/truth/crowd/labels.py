"""From probabilities to one label for each item: ties, grades, posteriors and entropies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import polars as pl

from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.agreement.ratings import Ratings
    from plumbline.truth.crowd.votes import Fit, Votes

    Numbers = NDArray[np.float64]

Ties = Literal["undecided", "first", "random", "lower", "higher"]
_SAME: Final = 1e-9


def tied_items(posterior: Numbers) -> NDArray[np.bool_]:
    """Whether two labels of an item are equally probable, and none is more so."""
    best = posterior >= posterior.max(axis=1, keepdims=True) - _SAME
    return np.asarray(best.sum(axis=1) > 1)


def chosen_labels(votes: Votes, posterior: Numbers, ties: Ties, seed: int) -> NDArray[np.int64]:
    """The label of each item; -1 where a tie leaves it undecided."""
    best = posterior >= posterior.max(axis=1, keepdims=True) - _SAME
    tied = best.sum(axis=1) > 1
    chosen = posterior.argmax(axis=1)
    if ties == "undecided":
        chosen[tied] = -1
    elif ties == "lower":
        chosen[tied] = best[tied].argmax(axis=1)
    elif ties == "higher":
        chosen[tied] = best.shape[1] - 1 - best[tied][:, ::-1].argmax(axis=1)
    elif ties == "random":
        draws = np.random.default_rng(seed).random(best.shape)
        chosen[tied] = np.where(best, draws, -1.0)[tied].argmax(axis=1)
    else:
        eligible = best[votes.item, votes.label]
        items, places = np.unique(votes.item[eligible], return_index=True)
        first = np.full(votes.items, -1)
        first[items] = votes.label[eligible][places]
        chosen = np.where(tied & (first >= 0), first, chosen)
    return np.asarray(chosen)


def gold_table(ratings: Ratings, votes: Votes, fit: Fit, chosen: NDArray[np.int64], *, numbers: bool) -> pl.DataFrame:
    """`case, item, label, grade, expected, posterior, entropy, votes`; grades and expected grades only of numbers."""
    cases = pl.Series(ratings.cases, dtype=pl.String)
    labels = pl.Series([*ratings.categories, None], dtype=pl.String)
    posterior = fit.posterior
    safe = np.where(posterior > 0, posterior, 1.0)
    entropy = -(posterior * np.log2(safe)).sum(axis=1)
    top = np.where(chosen >= 0, posterior[np.arange(votes.items), np.maximum(chosen, 0)], posterior.max(axis=1))
    columns: dict[str, pl.Series] = {
        CASE: cases.gather(ratings.case),
        ITEM: pl.Series(ratings.items, dtype=pl.String),
        LABEL: labels.gather(np.where(chosen >= 0, chosen, len(ratings.categories))),
    }
    if numbers:
        expected = posterior @ ratings.values
        grade = fit.grades if fit.grades is not None else np.where(chosen >= 0, ratings.values[np.maximum(chosen, 0)], np.nan)
        columns["grade"] = pl.Series(grade, dtype=pl.Float64, nan_to_null=True)
        columns["expected"] = pl.Series(expected, dtype=pl.Float64)
    columns["posterior"] = pl.Series(top)
    columns["entropy"] = pl.Series(np.abs(entropy))
    columns["votes"] = pl.Series(np.bincount(votes.item, minlength=votes.items))
    return pl.DataFrame(columns)
