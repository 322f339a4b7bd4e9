"""What a fitted model says, as tables: every parameter, the relevance of every item, the examination of every rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.schema import CASE, ITEM
from plumbline.truth.clicks.uncertainty import between, wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import ClickLog
    from plumbline.truth.clicks.registry import ClickModel, Fit
    from plumbline.truth.clicks.uncertainty import Errors

    Numbers = NDArray[np.float64]

PARAMETERS = {
    "model": pl.String,
    "parameter": pl.String,
    CASE: pl.String,
    ITEM: pl.String,
    "rank": pl.Int64,
    "last_click": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "count": pl.Float64,
}
GOLD = {
    "model": pl.String,
    CASE: pl.String,
    ITEM: pl.String,
    **dict.fromkeys(("grade", "low", "high"), pl.Float64),
    **dict.fromkeys(("shown", "clicks"), pl.Int64),
}


def limits(fit: Fit, errors: Errors, name: str, z: float) -> tuple[Numbers, Numbers]:
    """The interval of a parameter: Wilson's of shares, on the scale of log odds of others."""
    if fit.is_counted:
        return wilson(fit.successes[name], fit.counts[name], z)
    return between(fit.parameters[name], errors.of_parameter[name], z)


def parameter_table(model: ClickModel, fit: Fit, errors: Errors, log: ClickLog, z: float) -> pl.DataFrame:
    """A row for each parameter that was observed."""
    parts = []
    for one in model.parameters:
        low, high = limits(fit, errors, one.name, z)
        columns: dict[str, Any] = {
            "value": fit.parameters[one.name].ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
            "count": fit.counts[one.name].ravel(),
        }
        frame = pl.DataFrame({name: pl.Series(values, dtype=pl.Float64, nan_to_null=True) for name, values in columns.items()})
        index = np.arange(len(frame))
        if one.by == "item":
            frame = frame.hstack(named_items(log).get_columns())
        elif one.by == "rank":
            frame = frame.with_columns(pl.Series("rank", index + 1))
        elif one.by == "rank and last click":
            places = pl.Series("rank", index // (log.depth + 1) + 1), pl.Series("last_click", index % (log.depth + 1))
            frame = frame.with_columns(*places)
        kept = frame.filter(pl.col("count") > 0).with_columns(
            pl.lit(model.name).alias("model"), pl.lit(one.name).alias("parameter")
        )
        missing = [pl.lit(None, dtype=kind).alias(name) for name, kind in PARAMETERS.items() if name not in kept.columns]
        parts.append(kept.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in PARAMETERS.items()))
    return pl.concat(parts)


def named_items(log: ClickLog) -> pl.DataFrame:
    """`case, item` of each pair, by name."""
    cases = pl.Series(log.cases, dtype=pl.String)
    return pl.DataFrame({CASE: cases.gather(log.items[CASE]), ITEM: log.items[ITEM]})


def relevance_of(model: ClickModel, fit: Fit) -> Numbers:
    """The relevance of each item: attraction, or attraction times satisfaction."""
    return np.asarray(np.prod([fit.parameters[name] for name in model.relevance], axis=0))


def gold_table(model: ClickModel, fit: Fit, errors: Errors, log: ClickLog, z: float) -> pl.DataFrame:
    """`model, case, item, grade, low, high, shown, clicks`: the probability that an item is relevant, with its interval."""
    grade = relevance_of(model, fit)
    if fit.is_counted and len(model.relevance) == 1:
        low, high = limits(fit, errors, model.relevance[0], z)
    else:
        low, high = between(grade, errors.of_relevance if errors.of_relevance is not None else np.full_like(grade, np.nan), z)
    numbers = {"grade": grade, "low": low, "high": high}
    shown, clicked = log.by_pair(log.weight), log.by_pair(log.weight * log.clicked)
    counts = {"shown": shown.astype(np.int64), "clicks": clicked.astype(np.int64)}
    return pl.DataFrame(
        [
            pl.Series("model", [model.name], dtype=pl.String).new_from_index(0, len(grade)),
            *named_items(log).get_columns(),
            *(pl.Series(name, values, dtype=pl.Float64, nan_to_null=True) for name, values in numbers.items()),
            *(pl.Series(name, values) for name, values in counts.items()),
        ]
    ).filter(pl.col("shown") > 0)


def position_table(model: ClickModel, fit: Fit, errors: Errors, log: ClickLog, z: float) -> pl.DataFrame:
    """`model, rank, shown, clicks, rate, examination, low, high, relative`: the probability that each rank is examined.

    It is the parameter of the position-based model, and the mean over sessions, before any click is known, of others. Only its
    ratio to the first rank is free of the scale that examination shares with attraction.
    """
    shown, clicked = log.by_rank(log.weight), log.by_rank(log.weight * log.clicked)
    examined = log.by_rank(log.weight * model.reach(fit.parameters, log).examined)
    with np.errstate(divide="ignore", invalid="ignore"):
        examination, rate = examined / shown, clicked / shown
        relative = examination / examination[0]
    low = high = np.full(log.depth, np.nan)
    parameter = next((one.name for one in model.parameters if one.by == "rank" and one.name == "examination"), None)
    if parameter is not None:
        low, high = limits(fit, errors, parameter, z)
    numbers = {"rate": rate, "examination": examination, "low": low, "high": high, "relative": relative}
    return pl.DataFrame(
        {
            "model": pl.Series([model.name] * log.depth, dtype=pl.String),
            "rank": np.arange(1, log.depth + 1),
            "shown": shown.astype(np.int64),
            "clicks": clicked.astype(np.int64),
            **{name: pl.Series(values, dtype=pl.Float64, nan_to_null=True) for name, values in numbers.items()},
        }
    )
