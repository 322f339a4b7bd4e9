"""Who voted how: agreement with the rest, accuracy on gold items, spammer score, speed, and flags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.lazily import special

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.crowd.votes import Votes

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]

FREE_LOADER: Final = "free-loader"
TOO_FAST: Final = "too fast"
ONE_ANSWER: Final = "one answer"
REVERSED: Final = "reversed"
FLAGS: Final = (FREE_LOADER, TOO_FAST, ONE_ANSWER, REVERSED)
SPAMMER: Final = 0.1
"""An assessor whose spammer score is surely below this answers as if without looking."""
DRAWS: Final = 400
CONFIDENCE: Final = 0.95
FEWEST: Final = 10
"""Assessors with fewer judgements get no flag."""
SAME: Final = 0.98
"""From this share on, answers are all the same."""
VARIED: Final = 0.9
"""Unless so many answers of everybody are the same."""
TWO: Final = 2


@dataclass(frozen=True, eq=False)
class Voters:
    """What there is to know about assessors beside their votes."""

    names: tuple[str, ...]
    values: Numbers
    numbers: bool
    """Whether labels are numbers."""
    gold: Codes
    """The label of gold items; -1 for all others."""
    seconds: Numbers | None
    """The seconds of each vote."""
    fast: float | None = None
    seed: int = 0


def spammer_scores(rates: Numbers) -> Numbers:
    """0 for answers that do not depend on the truth, 1 for perfect ones (Raykar and Yu 2012).

    Rates are `[..., truth, answer]`; with two labels the score is (sensitivity + specificity - 1) squared.
    """
    size = rates.shape[-1]
    if size < TWO:
        return np.full(rates.shape[:-2], np.nan)
    away = rates - rates.mean(axis=-2, keepdims=True)  # pairs are apart by as much as each is from the mean, times their number
    return np.asarray((away**2).sum(axis=(-1, -2)) / (size - 1))


def assessor_table(votes: Votes, posterior: Numbers, voters: Voters) -> pl.DataFrame:
    """A row for each assessor, with flags."""
    count = np.bincount(votes.assessor, minlength=votes.assessors)
    agreement, compared = _with_the_rest(votes)
    right, asked, low, high = _on_gold(votes, voters.gold)
    confusion = votes.by_assessor(posterior)
    rates = (confusion + 1 / votes.labels) / (confusion + 1 / votes.labels).sum(axis=2, keepdims=True)
    upper, at_most_right = _drawn(confusion, voters.seed)
    answers = np.bincount(votes.assessor * votes.labels + votes.label, minlength=votes.assessors * votes.labels)
    commonest = answers.reshape(votes.assessors, -1).max(axis=1) / np.maximum(count, 1)
    seconds = _median_seconds(votes, voters.seconds)
    everyone = np.bincount(votes.label, minlength=votes.labels).max() / max(len(votes.label), 1)
    flags = {
        FREE_LOADER: upper < SPAMMER,
        TOO_FAST: seconds < _fast(voters),
        ONE_ANSWER: (commonest >= SAME) & (everyone < VARIED),
        REVERSED: at_most_right < 1,
    }
    known = count >= FEWEST
    words = [
        ", ".join(name for name, has in flags.items() if enough and has[place]) or None for place, enough in enumerate(known)
    ]
    columns = {
        "assessor": pl.Series(voters.names, dtype=pl.String),
        "judgements": pl.Series(count),
        "agreement": _series(agreement),
        "compared": pl.Series(compared.astype(np.int64)),
        "gold_items": pl.Series(asked.astype(np.int64)),
        "accuracy": _series(right),
        "accuracy_low": _series(low),
        "accuracy_high": _series(high),
        "spammer_score": _series(spammer_scores(rates)),
        "spammer_high": _series(upper),
        "bias": _series(_bias(votes, voters.values) if voters.numbers else np.full(votes.assessors, np.nan)),
        "seconds": _series(seconds),
        "commonest_answer": _series(commonest),
        "flags": pl.Series(words, dtype=pl.String),
    }
    return pl.DataFrame(columns)


def _series(values: Numbers) -> pl.Series:
    return pl.Series(values, dtype=pl.Float64, nan_to_null=True)


def _total(votes: Votes, of_vote: NDArray[Any]) -> Numbers:
    """What the votes of each assessor add up to."""
    return np.bincount(votes.assessor, weights=of_vote.astype(np.float64), minlength=votes.assessors).astype(np.float64)


def _with_the_rest(votes: Votes) -> tuple[Numbers, Numbers]:
    """How often an assessor's vote is that of most others on the item; items where the others are tied do not count."""
    others = votes.counts[votes.item]
    rows = np.arange(len(votes.item))
    others[rows, votes.label] -= 1
    most = others.max(axis=1)
    clear = (most > 0) & ((others == most[:, None]).sum(axis=1) == 1)
    same = clear & (others[rows, votes.label] == most)
    compared = _total(votes, clear)
    agreed = _total(votes, same)
    return np.divide(agreed, compared, out=np.full(len(agreed), np.nan), where=compared > 0), compared


def _on_gold(votes: Votes, gold: Codes) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Accuracy on gold items, how many there are, and its exact interval (Clopper and Pearson)."""
    known = gold[votes.item]
    asked, right = _total(votes, known >= 0), _total(votes, known == votes.label)
    tail = (1 - CONFIDENCE) / 2
    some = asked > 0
    low, high, share = np.full((3, votes.assessors), np.nan)
    n, k = asked[some], right[some]
    share[some] = k / n
    low[some] = np.where(k > 0, special.betaincinv(np.maximum(k, 1), n - k + 1, tail), 0.0)
    high[some] = np.where(k < n, special.betaincinv(k + 1, np.maximum(n - k, 1), 1 - tail), 1.0)
    return share, asked, low, high


def _drawn(confusion: Numbers, seed: int) -> tuple[Numbers, Numbers]:
    """How large the spammer score, and the sum of the rates of right answers, may be by rates that the counts leave open.

    That sum is 1 for blind answers. Each draw has `[assessor, truth, answer]`; with hundreds of labels all draws would not fit.
    """
    generator = np.random.default_rng(seed)
    scores, right = np.empty((2, DRAWS, len(confusion)))
    for draw in range(DRAWS):
        gammas = generator.standard_gamma(confusion + 0.5)
        rates = gammas / gammas.sum(axis=-1, keepdims=True)
        scores[draw], right[draw] = spammer_scores(rates), np.trace(rates, axis1=1, axis2=2)
    high, most = np.quantile([scores, right], CONFIDENCE, axis=1)
    return high, most


def _bias(votes: Votes, values: Numbers) -> Numbers:
    """The mean grade minus that of the others on the same items."""
    number = values[votes.label]
    total = np.bincount(votes.item, weights=number, minlength=votes.items)[votes.item] - number
    others = np.bincount(votes.item, minlength=votes.items)[votes.item] - 1
    shared = others > 0
    difference = np.where(shared, number - total / np.maximum(others, 1), 0.0)
    count, sums = _total(votes, shared), _total(votes, difference)
    return np.asarray(np.divide(sums, count, out=np.full(len(sums), np.nan), where=count > 0))


def _median_seconds(votes: Votes, seconds: Numbers | None) -> Numbers:
    if seconds is None:
        return np.full(votes.assessors, np.nan)
    frame = pl.DataFrame({"assessor": votes.assessor, "seconds": pl.Series(seconds, nan_to_null=True)})
    medians = frame.group_by("assessor").agg(pl.col("seconds").median()).sort("assessor")
    by_assessor = np.full(votes.assessors, np.nan)
    by_assessor[medians["assessor"].to_numpy()] = medians["seconds"].fill_null(np.nan).to_numpy()
    return by_assessor


def _fast(voters: Voters) -> float:
    """The seconds below which an assessor is too fast: a third of the median vote, if none are given."""
    if voters.fast is not None:
        return voters.fast
    return float(np.nanmedian(voters.seconds / 3)) if voters.seconds is not None and not np.isnan(voters.seconds).all() else 0.0
