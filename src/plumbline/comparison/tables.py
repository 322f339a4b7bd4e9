"""The tables of a comparison as frames."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.average import best_first
from plumbline.comparison.bands import pareto
from plumbline.comparison.concordance import PairClass, classes
from plumbline.comparison.correlation.between import by_metric
from plumbline.comparison.evidence import Evidence
from plumbline.comparison.leaderboard import around, tiers
from plumbline.comparison.significance.correlated_bayes import correlated_posterior
from plumbline.comparison.significance.effects import effects
from plumbline.comparison.significance.result import pair_indices
from plumbline.comparison.thresholds import PairEvidence
from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.parametric import parametric
from plumbline.comparison.unanimity.repeats import uir_by_repeat
from plumbline.comparison.verdict import kinds_of
from plumbline.comparison.weighting.weighting import f_curves
from plumbline.errors import BadUsage, usage
from plumbline.errors.faces import either, option

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.concordance import Classes
    from plumbline.comparison.cube import Cube
    from plumbline.comparison.measured import Measured

    Rows = NDArray[np.intp]


@dataclass(frozen=True, repr=False, eq=False)
class Tables(Evidence):
    """The tables of a comparison as polars frames, made when they are first used."""

    @cached_property
    def leaderboard(self) -> pl.DataFrame:
        """Every system, best first, and outputs that ignore the gold where their score puts them.

        The columns are `system, band, score`, the mean of each metric, `rank_low, rank_high, wins, pareto, reference, uir` and
        `floor`. `band` groups systems that are not shown to be worse than the best one of the band, `rank_low` and `rank_high`
        are the ranks that a system may have; with a baseline they are null, since not all pairs are tested. `wins` is the
        share of weightings by which nobody is better, `pareto` says that no other system is at least as good by every metric.
        By the rule of the UIR paper there are `tier, beats, beaten_by` too.
        """
        return _leaderboard(self)

    @cached_property
    def significance(self) -> pl.DataFrame:
        """Every pair, with the better system first and a row for each measure.

        The columns are `a, b, metric, difference, low, high, lowest, highest, relative, effect, p, corrected, winner, verdict,
        detectable` and `units`. Differences are in the unit of the metric; `low` and `high` are the ends of the 95 % interval.
        Where there are too few cases for one, `lowest` and `highest` are the extreme differences of cases; else they are null.
        """
        return _significance(self)

    @cached_property
    def unanimity(self) -> pl.DataFrame:
        """`a, b, uir, a_ge_b, b_ge_a, biased, cases, p`: p is that of a sign test on strict improvements.

        Folds depend on each other: no p.
        """
        table = self.improvements.table()
        return table if self.overlap is None else table.with_columns(p=pl.lit(None, pl.Float64))

    @cached_property
    def uir_by_repeat(self) -> pl.DataFrame:
        """`a, b, repeat, uir, folds`: of folds that were drawn repeatedly, the UIR of each repeat by itself."""
        return uir_by_repeat(self.cube, self.repeats, self.eps)

    @cached_property
    def intervals(self) -> pl.DataFrame:
        """`a, b, uir, low, high`: the UIR with the 95 % interval that drawing cases anew would give; folds have none."""
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
    def class_table(self) -> pl.DataFrame:
        """`a, b, class, winner`: what Wilcoxon's tests of the metrics say together about each pair, in words."""
        return _class_table(self)

    @cached_property
    def threshold_groups(self) -> pl.DataFrame:
        """`pairs_are, pairs, difference, uir`: Tables 5 and 6 of the UIR paper for these scores."""
        return self._pair_evidence.groups()

    @cached_property
    def thresholds(self) -> pl.DataFrame:
        """`threshold, accepted, every_weighting, concordant, opposite, better_score`: Figure 10 of the UIR paper."""
        return self._pair_evidence.thresholds()

    @cached_property
    def _pair_evidence(self) -> PairEvidence:
        return PairEvidence.of(effects(self.score.values).mean_difference, self.improvements.uir, self.always, self.classes)

    @cached_property
    def correlations(self) -> pl.DataFrame:
        """How much the rankings of systems by each metric agree: Kendall, Spearman, tau_AP, RBO."""
        return by_metric(self.cube)

    @cached_property
    def posterior(self) -> pl.DataFrame:
        """`a, b, metric, better, equal, worse, region`: how probably a is better than b, if folds are the units.

        By the Bayesian correlated t test, with the better system first. The region is the difference that counts as equal: the
        margin of the comparison, or 0.
        """
        return _posterior(self)

    @cached_property
    def references(self) -> pl.DataFrame:
        """`system, improves, reference, uir, reference_of, score` of each system, best first: the paper's Table 7."""
        return _references(self)

    @cached_property
    def weights(self) -> pl.DataFrame:
        """`a, b, low, high, always, cases`: the alphas for which a beats b; unless there are two metrics, shares instead."""
        return _shares(self) if self.win_intervals is None else self.win_intervals.table()

    @cached_property
    def leads(self) -> pl.DataFrame:
        """`system, low, high`: the alphas for which each system is the best; unless there are two metrics, shares instead."""
        return self.shares.table() if self.best_for is None else self.best_for.table()

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


def tested_pairs(comparison: Tables) -> tuple[Rows, Rows]:
    """All pairs, or those with the baseline, each once and with the better system first."""
    a, b = pair_indices(len(comparison.systems), comparison.baseline_at)
    swapped = comparison.second_first[a, b]
    return np.where(swapped, b, a), np.where(swapped, a, b)


def _significance(comparison: Tables) -> pl.DataFrame:
    """Every pair with the better one first, a row for each measure; with a baseline, only the pairs with it."""
    a, b = tested_pairs(comparison)
    kinds = kinds_of(comparison, a, b)
    parts = [
        _named(comparison, a, b).with_columns(
            metric=pl.lit(measure.name),
            difference=_column(measure.difference[a, b] * measure.sign),
            low=_column((measure.spread.high if measure.lower else measure.spread.low)[a, b] * measure.sign),
            high=_column((measure.spread.low if measure.lower else measure.spread.high)[a, b] * measure.sign),
            **dict(zip(("lowest", "highest"), map(_column, measure.extremes(a, b)), strict=True)),
            relative=_column(_relative(measure, a, b)),
            effect=_column(measure.sizes.cohen[a, b]),
            p=_column(measure.test.p[a, b]),
            corrected=_column(comparison.corrected[at][a, b]),
            winner=_winners(comparison, comparison.wins[at][a, b], comparison.wins[at][b, a], a, b),
            verdict=pl.Series(kinds, dtype=pl.String),
            detectable=_column(_finite(comparison.detectable[at][a, b])),
            units=pl.Series(measure.test.cases[a, b]),
        )
        for at, measure in enumerate(comparison.measures)
    ]
    order = pl.Series("order", np.tile(np.arange(len(a)), len(parts)))
    return pl.concat(parts).with_columns(order).sort("order", maintain_order=True).drop("order")


def _posterior(comparison: Tables) -> pl.DataFrame:
    if comparison.overlap is None:
        raise BadUsage(usage.goes_with(either("posterior", "--show posterior"), option("folds")))
    a, b = tested_pairs(comparison)
    parts = []
    for measure in comparison.measures:
        region = np.zeros_like(measure.difference)
        if comparison.margin is not None:
            region = comparison.margin.of(measure, comparison.baseline_at)
        of = correlated_posterior(measure.values, comparison.overlap, region)
        tables = {"better": of.better, "equal": of.equal, "worse": of.worse, "region": region}
        columns = {name: _column(table[a, b]) for name, table in tables.items()}
        parts.append(_named(comparison, a, b).with_columns(metric=pl.lit(measure.name), **columns))
    order = pl.Series("order", np.tile(np.arange(len(a)), len(parts)))
    return pl.concat(parts).with_columns(order).sort("order", maintain_order=True).drop("order")


def _relative(measure: Measured, a: Rows, b: Rows) -> NDArray[np.float64]:
    """The difference as a share of the second system's mean over the cases that both have; NaN where that is 0."""
    change, mean = measure.difference[a, b] * measure.sign, np.abs(measure.pair_means[a, b])
    with np.errstate(over="ignore"):
        shares = np.divide(change, mean, out=np.full(len(change), np.nan), where=mean > 0)
    return np.where(np.isfinite(shares), shares, np.nan)


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isinf(values), np.nan, values)


def _column(values: NDArray[np.float64]) -> pl.Series:
    return pl.Series(values, nan_to_null=True)


def _class_table(comparison: Tables) -> pl.DataFrame:
    """Every pair once, with the winner of a concordant one first."""
    of = comparison.classes
    a, b = np.triu_indices(len(comparison.systems), 1)
    swapped = of.winner[a, b] < 0
    a, b = np.where(swapped, b, a), np.where(swapped, a, b)
    words = [PairClass(code).name.lower().replace("_", "-") for code in of.codes[a, b].tolist()]
    won = of.winner[a, b] > 0
    winners = _winners(comparison, won, np.zeros_like(won), a, b)
    return _named(comparison, a, b).with_columns(pl.Series("class", words, dtype=pl.String), winners.alias("winner"))


def _winners(comparison: Tables, first: NDArray[np.bool_], second: NDArray[np.bool_], a: Rows, b: Rows) -> pl.Series:
    """The name of the winner of each pair, if the first or the second system has won."""
    at = np.where(first, a, np.where(second, b, -1)).tolist()
    return pl.Series([None if place < 0 else comparison.systems[place] for place in at], dtype=pl.String)


def _intervals(comparison: Tables) -> pl.DataFrame:
    """Every ordered pair: the UIR and its 95 % interval."""
    if comparison.overlap is not None:
        nobody_knows = pl.lit(None, pl.Float64)
        return comparison.unanimity.select("a", "b", "uir", low=nobody_knows, high=nobody_knows)
    low, high = interval(comparison.improvements)
    a, b = np.nonzero(~np.eye(len(comparison.systems), dtype=np.bool_))
    ends = {"low": pl.Series(low[a, b], nan_to_null=True), "high": pl.Series(high[a, b], nan_to_null=True)}
    return comparison.unanimity.select("a", "b", "uir").with_columns(**ends)


def _parametric_uir(comparison: Tables) -> pl.DataFrame:
    """Every ordered pair: the UIR of normally distributed differences."""
    a, b = np.nonzero(~np.eye(len(comparison.systems), dtype=np.bool_))
    uir = pl.Series(parametric(comparison.cube)[a, b], nan_to_null=True)
    return comparison.unanimity.select("a", "b").with_columns(uir=uir)


SHOWN: Final[dict[str, tuple[str, ...]]] = {
    "unanimity": ("unanimity",),
    "intervals": ("intervals",),
    "references": ("references",),
    "weights": ("weights",),
    "leads": ("leads",),
    "classes": ("class_table",),
    "correlations": ("correlations",),
    "parametric": ("parametric",),
    "posterior": ("posterior",),
    "repeats": ("uir_by_repeat",),
    "threshold": ("thresholds", "threshold_groups"),
}
"""The tables that can be shown beside the leaderboard, by the words that choose them."""


def _references(comparison: Tables) -> pl.DataFrame:
    """Each system, best first: whom it improves robustly, who improves it most, and for how many it is the reference."""
    order = best_first(comparison.score.ranks)
    table = comparison.improvements.references(comparison.uir_threshold, order)
    times = table["reference"].drop_nulls().value_counts().rename({"reference": "system", "count": "reference_of"})
    counted = table.join(times, on="system", how="left", maintain_order="left").with_columns(
        pl.col("reference_of").fill_null(0)
    )
    return counted.with_columns(pl.Series("score", comparison.score.means, nan_to_null=True))[order]


def _shares(comparison: Tables) -> pl.DataFrame:
    """Every ordered pair: by which share of all weightings a beats b."""
    a, b = np.nonzero(~np.eye(len(comparison.systems), dtype=np.bool_))
    return _named(comparison, a, b).with_columns(
        share=pl.Series(comparison.pair_shares.pairs[a, b], nan_to_null=True),
        always=pl.Series(comparison.always[a, b]),
        cases=pl.Series(comparison.pair_shares.cases[a, b]),
    )


_COLUMNS: Final = (
    *("band", "system", "score", "rank_low", "rank_high", "wins", "pareto", "reference", "uir", "floor"),
    *("tier", "beats", "beaten_by"),
)


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
    """Systems by the measure that orders the leaderboard, outputs that ignore the gold among them."""
    columns = metric_columns(comparison)
    known = {row["system"]: row for row in comparison.references.iter_rows(named=True)}
    missing = np.isnan(comparison.main.means)
    unknown = missing | (comparison.baseline is not None)  # pairs without the baseline are not tested
    low, high = comparison.rank_ranges
    means = {
        columns[measure.name]: _column(measure.shown_means()) for measure in comparison.measures if measure.name in columns
    }
    rows = {
        "system": list(comparison.systems),
        "band": pl.Series(comparison.bands).set(pl.Series(unknown), None),
        "score": _column(comparison.main.shown_means()),
        **means,
        "rank_low": pl.Series(low).set(pl.Series(unknown), None),
        "rank_high": pl.Series(high).set(pl.Series(unknown), None),
        "wins": _column(comparison.won),
        "pareto": pl.Series(pareto(np.stack([measure.means for measure in comparison.measures[: len(columns)]]))),
        "reference": pl.Series([known[name]["reference"] for name in comparison.systems], dtype=pl.String),
        "uir": pl.Series([known[name]["uir"] for name in comparison.systems], dtype=pl.Float64),
        "floor": pl.Series([False] * len(comparison.systems), dtype=pl.Boolean),
        **(_by_the_paper(comparison, missing) if comparison.rule == "unanimous" else {}),
    }
    board = pl.DataFrame(rows)[comparison.order]
    return board if comparison.floor is None else _with_floor(comparison, comparison.floor, board)


def _by_the_paper(comparison: Tables, missing: NDArray[np.bool_]) -> dict[str, Any]:
    """The columns of the rule of the UIR paper."""
    at = comparison.baseline_at
    tier = tiers(comparison.beats) if at is None else around(comparison.beats, at)
    return {
        "tier": pl.Series(tier).set(pl.Series(missing), None),
        "beats": comparison.beats.sum(axis=1),
        "beaten_by": comparison.beats.sum(axis=0),
    }


def _with_floor(comparison: Tables, floor: Cube, board: pl.DataFrame) -> pl.DataFrame:
    """Outputs that ignore the gold where their score puts them; a system with the same score comes first."""
    columns = metric_columns(comparison)
    main = comparison.main
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # an output without any value has no mean
        means = {name: np.nanmean(values, axis=1) for name, values in zip(floor.metrics, floor.values, strict=True)}
    score = means.get(main.name, np.full(len(floor.systems), np.nan))
    rows = {
        "system": list(floor.systems),
        "score": _column(score),
        **{columns[name]: _column(values) for name, values in means.items() if name in columns},
        "floor": pl.Series([True] * len(floor.systems)),
    }
    return pl.concat([board, pl.DataFrame(rows)], how="diagonal_relaxed").sort(
        "score", descending=not main.lower, nulls_last=True, maintain_order=True
    )
