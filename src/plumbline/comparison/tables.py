"""The tables of a comparison as frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.significance.effects import effects, t_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.comparison import Comparison

    Rows = NDArray[np.intp]


def _named(found: Comparison, a: Rows, b: Rows) -> pl.DataFrame:
    names = pl.Series(found.systems, dtype=pl.String)
    return pl.DataFrame({"a": names.gather(pl.Series(a)), "b": names.gather(pl.Series(b))})


def significance(found: Comparison) -> pl.DataFrame:
    """Every pair with the better one first: the difference, its interval and size, p before and after correction.

    With a baseline, only the pairs with it.
    """
    sizes, spread = effects(found.score.values), t_intervals(found.score.values)
    a, b = np.nonzero(np.triu(np.ones((len(found.systems),) * 2, dtype=np.bool_), 1))
    if found.baseline is not None:
        index = found.systems.index(found.baseline)
        mine = (a == index) | (b == index)
        a, b = a[mine], b[mine]
    swapped = np.nan_to_num(found.differences[a, b]) < 0
    a, b = np.where(swapped, b, a), np.where(swapped, a, b)
    columns = {
        "difference": found.differences,
        "low": spread.low,
        "high": spread.high,
        "effect": sizes.cohen,
        "p": found.tested.p,
        "corrected": found.p,
    }
    made = {name: pl.Series(table[a, b], nan_to_null=True) for name, table in columns.items()}
    return _named(found, a, b).with_columns(**made, robust=pl.Series(found.beats[a, b]), cases=pl.Series(sizes.cases[a, b]))


def shares(found: Comparison) -> pl.DataFrame:
    """Every ordered pair: by which share of all weightings a beats b."""
    a, b = np.nonzero(~np.eye(len(found.systems), dtype=np.bool_))
    return _named(found, a, b).with_columns(
        share=pl.Series(found.shares.pairs[a, b], nan_to_null=True),
        always=pl.Series(found.always[a, b]),
        cases=pl.Series(found.shares.cases[a, b]),
    )


_OWN: Final = ("tier", "system", "score", "wins", "beats", "beaten_by", "reference", "uir")


def metric_columns(found: Comparison) -> dict[str, str]:
    """The column of each metric; one that is called like another column of the leaderboard says that it is a metric."""
    names = dict.fromkeys(found.cube.metrics)
    for metric in names:
        column = metric
        while column in _OWN or (column != metric and column in names):
            column = f"{column} (metric)"
        names[metric] = column
    return {metric: str(column) for metric, column in names.items()}


def leaderboard(found: Comparison) -> pl.DataFrame:
    """Systems by tier, then by score."""
    means = found.score.means
    known = {name: (reference, uir) for name, _, reference, uir, _ in found.references.iter_rows()}
    rows = {
        "tier": pl.Series(found.tiers).set(pl.Series(np.isnan(means)), None),
        "system": list(found.systems),
        "score": pl.Series(means, nan_to_null=True),
        **{
            name: pl.Series(values, nan_to_null=True)
            for name, values in zip(metric_columns(found).values(), found.cube.means, strict=True)
        },
        "wins": pl.Series(found.shares.best, nan_to_null=True),
        "beats": found.beats.sum(axis=1),
        "beaten_by": found.beats.sum(axis=0),
        "reference": pl.Series([known[name][0] for name in found.systems], dtype=pl.String),
        "uir": pl.Series([known[name][1] for name in found.systems], dtype=pl.Float64),
    }
    rank = pl.Series(found.score.ranks, dtype=pl.Int64)
    return pl.DataFrame(rows).sort("tier", rank, nulls_last=True, maintain_order=True)
