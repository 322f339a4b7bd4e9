"""The tables of a comparison as frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline._version import __version__
from plumbline.average import best_first
from plumbline.comparison.concordance import classes
from plumbline.comparison.correlation.between import by_metric
from plumbline.comparison.evidence import Evidence
from plumbline.comparison.significance.effects import effects, t_intervals
from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.parametric import parametric
from plumbline.comparison.weighting.weighting import f_curves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.concordance import Classes

    Rows = NDArray[np.intp]


@dataclass(frozen=True, repr=False, eq=False)
class Tables(Evidence):
    """The tables of a comparison as polars frames, made when they are first used."""

    @cached_property
    def leaderboard(self) -> pl.DataFrame:
        """`tier, system, score`, the mean of each metric, `wins`, `beats`, `beaten_by`, `reference`, `uir`; best first.

        `wins` is the share of weightings by which nobody is better, `beats` and `beaten_by` count robust differences.
        """
        return _leaderboard(self)

    @cached_property
    def significance(self) -> pl.DataFrame:
        """`a, b, difference, low, high, effect, p, corrected, robust, cases` of every pair with the better one first."""
        return _significance(self)

    @cached_property
    def unanimity(self) -> pl.DataFrame:
        """`a, b, uir, a_ge_b, b_ge_a, biased, cases, p`: p is that of a sign test on strict improvements."""
        return self.improvements.table()

    @cached_property
    def intervals(self) -> pl.DataFrame:
        """`a, b, uir, low, high`: the UIR with the 95 % interval that drawing cases anew would give."""
        return _intervals(self)

    @cached_property
    def parametric(self) -> pl.DataFrame:
        """`a, b, uir`: the UIR that normally distributed differences would have; the paper prefers the counted one."""
        return _parametric_uir(self)

    @cached_property
    def classes(self) -> Classes:
        """Whether the metrics differ significantly in one direction (concordant), in both (opposite), or not at all."""
        return classes(self.cube, self.level)

    @cached_property
    def correlations(self) -> pl.DataFrame:
        """How much the rankings of systems by each metric agree: Kendall, Spearman, tau_AP, RBO."""
        return by_metric(self.cube)

    @cached_property
    def references(self) -> pl.DataFrame:
        """`system, improves, reference, uir, score` of each system, best first: the paper's Table 7."""
        return _references(self)

    @cached_property
    def weights(self) -> pl.DataFrame:
        """`a, b, low, high, always, cases`: the alphas for which a beats b; unless there are two metrics, shares instead."""
        return _shares(self) if self.win_intervals is None else self.win_intervals.table()

    @cached_property
    def leads(self) -> pl.DataFrame:
        """`system, low, high`: the alphas for which each system is the best; unless there are two metrics, shares instead."""
        return self.shares.table() if self.win_intervals is None else self.win_intervals.leads.table()

    def curves(self, steps: int = 100) -> pl.DataFrame:
        """The mean score of each system along the weight of the first of two metrics.

        Args:
            steps: The number of steps from alpha = 0 to alpha = 1.

        Returns:
            `system, alpha, value, cases, left_out`, a row for each system and alpha.

        Raises:
            BadUsage: If there are not exactly two metrics.

        Example:
            >>> import plumbline
            >>> p = {"a": {"q1": 0.5, "q2": 1.0}, "b": {"q1": 1.0, "q2": 0.5}}
            >>> r = {"a": {"q1": 0.5, "q2": 0.5}, "b": {"q1": 0.2, "q2": 0.5}}
            >>> curves = plumbline.compare({"P": p, "R": r}).curves(steps=2)
            >>> [(system, round(value, 3)) for system, alpha, value, *_ in curves.rows() if alpha == 0.5]
            [('a', 0.583), ('b', 0.417)]
        """
        return f_curves(self.cube, np.linspace(0.0, 1.0, steps + 1), self.score.mean).table()


def _named(comparison: Tables, a: Rows, b: Rows) -> pl.DataFrame:
    names = pl.Series(comparison.systems, dtype=pl.String)
    return pl.DataFrame({"a": names.gather(pl.Series(a)), "b": names.gather(pl.Series(b))})


def _significance(comparison: Tables) -> pl.DataFrame:
    """Every pair with the better one first: the difference, its interval and size, p before and after correction.

    With a baseline, only the pairs with it.
    """
    sizes, spread = effects(comparison.score.values), t_intervals(comparison.score.values)
    a, b = np.nonzero(np.triu(np.ones((len(comparison.systems),) * 2, dtype=np.bool_), 1))
    if comparison.baseline is not None:
        index = comparison.systems.index(comparison.baseline)
        with_baseline = (a == index) | (b == index)
        a, b = a[with_baseline], b[with_baseline]
    swapped = np.nan_to_num(comparison.differences[a, b]) < 0
    a, b = np.where(swapped, b, a), np.where(swapped, a, b)
    columns = {
        "difference": comparison.differences,
        "low": spread.low,
        "high": spread.high,
        "effect": sizes.cohen,
        "p": comparison.test_result.p,
        "corrected": comparison.p,
    }
    made = {name: pl.Series(table[a, b], nan_to_null=True) for name, table in columns.items()}
    return _named(comparison, a, b).with_columns(
        **made, robust=pl.Series(comparison.beats[a, b]), cases=pl.Series(sizes.cases[a, b])
    )


def _intervals(comparison: Tables) -> pl.DataFrame:
    """Every ordered pair: the UIR and its 95 % interval."""
    low, high = interval(comparison.improvements)
    a, b = np.nonzero(~np.eye(len(comparison.systems), dtype=np.bool_))
    ends = {"low": pl.Series(low[a, b], nan_to_null=True), "high": pl.Series(high[a, b], nan_to_null=True)}
    return comparison.unanimity.select("a", "b", "uir").with_columns(**ends)


def _parametric_uir(comparison: Tables) -> pl.DataFrame:
    """Every ordered pair: the UIR of normally distributed differences."""
    a, b = np.nonzero(~np.eye(len(comparison.systems), dtype=np.bool_))
    uir = pl.Series(parametric(comparison.cube)[a, b], nan_to_null=True)
    return comparison.unanimity.select("a", "b").with_columns(uir=uir)


def _references(comparison: Tables) -> pl.DataFrame:
    """Each system, best first: whom it improves robustly, and who improves it most."""
    order = best_first(comparison.score.ranks)
    table = comparison.improvements.references(comparison.uir_threshold, order)
    return table.with_columns(pl.Series("score", comparison.score.means, nan_to_null=True))[order]


def settings(comparison: Tables) -> dict[str, Any]:
    """How the comparison was made."""
    return {
        "version": __version__,
        "metrics": list(comparison.cube.metrics),
        "score": comparison.score.name,
        "test": comparison.test_result.name,
        "note": comparison.test_remarks,
        "correction": comparison.correction_used,
        "level": comparison.level,
        "uir_threshold": comparison.uir_threshold,
        "baseline": comparison.baseline,
        "cases": len(comparison.cube.cases),
        "eps": comparison.eps,
        "resamples": comparison.test_result.resamples,
        "seed": comparison.seed,
    }


def _shares(comparison: Tables) -> pl.DataFrame:
    """Every ordered pair: by which share of all weightings a beats b."""
    a, b = np.nonzero(~np.eye(len(comparison.systems), dtype=np.bool_))
    return _named(comparison, a, b).with_columns(
        share=pl.Series(comparison.shares.pairs[a, b], nan_to_null=True),
        always=pl.Series(comparison.always[a, b]),
        cases=pl.Series(comparison.shares.cases[a, b]),
    )


_COLUMNS: Final = ("tier", "system", "score", "wins", "beats", "beaten_by", "reference", "uir")


def metric_columns(comparison: Tables) -> dict[str, str]:
    """The column of each metric; one that is called like another column of the leaderboard says that it is a metric."""
    names = dict.fromkeys(comparison.cube.metrics)
    for metric in names:
        column = metric
        while column in _COLUMNS or (column != metric and column in names):
            column = f"{column} (metric)"
        names[metric] = column
    return {metric: str(column) for metric, column in names.items()}


def _leaderboard(comparison: Tables) -> pl.DataFrame:
    """Systems by tier, then by score."""
    means = comparison.score.means
    known = {name: (reference, uir) for name, _, reference, uir, _ in comparison.references.iter_rows()}
    rows = {
        "tier": pl.Series(comparison.tiers).set(pl.Series(np.isnan(means)), None),
        "system": list(comparison.systems),
        "score": pl.Series(means, nan_to_null=True),
        **{
            name: pl.Series(values, nan_to_null=True)
            for name, values in zip(metric_columns(comparison).values(), comparison.cube.means, strict=True)
        },
        "wins": pl.Series(comparison.shares.best, nan_to_null=True),
        "beats": comparison.beats.sum(axis=1),
        "beaten_by": comparison.beats.sum(axis=0),
        "reference": pl.Series([known[name][0] for name in comparison.systems], dtype=pl.String),
        "uir": pl.Series([known[name][1] for name in comparison.systems], dtype=pl.Float64),
    }
    rank = pl.Series(comparison.score.ranks, dtype=pl.Int64)
    return pl.DataFrame(rows).sort("tier", rank, nulls_last=True, maintain_order=True)
