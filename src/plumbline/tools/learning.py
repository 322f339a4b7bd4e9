"""learning(): what more labels would bring, and from how many on another learner is better."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.average import mean_of_known
from plumbline.comparison.reading import read_repeated
from plumbline.errors import BadUsage, folds
from plumbline.errors.base import READ_AS, plural
from plumbline.errors.comparisons import SIZE
from plumbline.options.folds import LearningOptions
from plumbline.options.option import checked, documented
from plumbline.render.grid import Cell, Grid, Sentences, number
from plumbline.render.result import Result, described
from plumbline.schema import METRIC, SYSTEM
from plumbline.tools.learning_fit import FARTHEST, FEWEST_SIZES, crossings, fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.repeated import Repeated
    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block
    from plumbline.tools.learning_fit import Curves

    Numbers = NDArray[np.float64]

DRAWS: Final = 1000
LIKELY: Final = 0.5
"""Curves cross if they do in more than this share of the draws; otherwise the data do not tell."""
ENDS: Final = (0.025, 0.975)
LEAST: Final = 1e-9
MOST: Final = 1e15
"""Sizes from which powers can be taken, and of which a float still has every whole number."""
ALONG: Final = 60
"""Points of a curve that is drawn."""


@dataclass(frozen=True, repr=False)
class LearningCurves(Result):
    """Scores over the number of labels, curves through them, and where the curves cross.

    Attributes:
        table: `system, metric, size, value, repetitions`: the mean score at each size.
        curves: `system, metric, limit, gap, speed`: the score is `limit - gap * size ** -speed`; `doubled` is the score with
            twice as many labels, `limit_low` and `limit_high` hold 95 % of the limits of the draws, `needed` is the size at
            which the target is reached.
        crossings: `a, b, metric, size, low, high, share, more`: from this size on a is better than b, in this share of the
            draws; `more` is how many labels it is beyond the largest size. Null where the data do not tell.
        lines: `system, metric, size, value`: points along the curves.
        notices: What should be known about the scores.

    Example:
        >>> import plumbline, polars as pl
        >>> rows = [(name, n, 0.9 - gap * n**-0.5) for name, gap in (("a", 1.0), ("b", 2.0)) for n in (50, 100, 200, 400)]
        >>> table = pl.DataFrame(rows, schema=["system", "size", "Accuracy"], orient="row")
        >>> plumbline.learning(table).curves["limit"].round(2).to_list()
        [0.9, 0.9]
    """

    table: pl.DataFrame
    curves: pl.DataFrame
    crossings: pl.DataFrame
    lines: pl.DataFrame = field(repr=False)
    target: float | None = None
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """`system, metric, size, value, repetitions`."""
        return self.table

    def grid(self) -> Grid:
        """The curves: the last score, that with twice as many labels, and the limit."""
        largest = self.table.filter(pl.col("size") == pl.col("size").max())
        last = {(row[0], row[1]): row[3] for row in largest.iter_rows()}
        rows = tuple(
            (
                Cell(row[SYSTEM]),
                Cell(row[METRIC]),
                Cell(number(last.get((row[SYSTEM], row[METRIC])), 3)),
                Cell(number(row["doubled"], 3)),
                Cell(number(row["limit"], 3)),
                Cell("" if row["limit_low"] is None else f"{row['limit_low']:.3f} to {row['limit_high']:.3f}"),
                *([Cell("" if row["limit"] is None else _labels(row["needed"]))] if self.target is not None else []),
            )
            for row in self.curves.iter_rows(named=True)
        )
        sizes = self.table["size"].unique().sort().to_list()
        target = (f"labels for {self.target:g}",) if self.target is not None else ()
        return Grid(
            (SYSTEM, METRIC, f"with {sizes[-1]:,g}", "with twice as many", "limit", "95 % of the draws", *target),
            rows,
            f"{plural(len(sizes), 'size')}, {sizes[0]:,g} to {sizes[-1]:,g} labels; power laws by least squares",
            keep=2,
        )

    def to_blocks(self) -> Sequence[Block]:
        """What crosses, then the curves."""
        return [Sentences(tuple(self.summary)), self.grid()]

    @property
    def summary(self) -> list[str]:
        """For each pair, which system overtakes which, and whether more labels would bring the trailing one ahead."""
        largest = max(self.table["size"].to_list())
        rows = list(self.crossings.iter_rows(named=True))
        settled = {(row["b"], row["a"], row[METRIC]) for row in rows if row["more"] == 0}
        shown = [row for row in rows if row["size"] is not None or (row["a"], row["b"], row[METRIC]) not in settled]
        return [_sentence(row, largest) for row in shown]

    def to_dict(self) -> dict[str, Any]:
        """The scores, the curves, where they cross, and the notices."""
        tables = {name: getattr(self, name).to_dicts() for name in ("table", "curves", "crossings")}
        return {"summary": self.summary, "target": self.target, **tables, "notices": described(self.notices)}


def _labels(size: float | None) -> str:
    return "not reached" if size is None else f"{_rounded(size):,}"


def _rounded(size: float) -> int:
    """Two digits: an extrapolation has no more."""
    digits = max(len(str(int(size))) - 2, 0)
    return int(round(size, -digits))


def _sentence(row: dict[str, Any], largest: float) -> str:
    by = f"{row['a']} is behind {row['b']} by {row[METRIC]} with {largest:,g} labels"
    if row["size"] is None:
        return f"{by}; whether and when it would overtake it cannot be told from these data."
    ends = f" [{_rounded(row['low']):,}, {_rounded(row['high']):,}]" if row["low"] is not None else ""
    if row["more"] == 0:
        return f"{row['a']} is ahead of {row['b']} by {row[METRIC]} from about {_rounded(row['size']):,} labels{ends} on."
    return (
        f"{by}, and would overtake it with about {_rounded(row['size']):,} labels{ends}: "
        f"{plural(_rounded(row['more']), 'more label')}{_often(row['share'])}."
    )


def _often(share: float | None) -> str:
    return "" if share is None else f" (in {share:.0%} of the draws)"


@documented(LearningOptions)
def learning(
    scores: Any,  # noqa: ANN401 - as compare
    metrics: Sequence[str] | str | None = None,
    **options: Unpack[LearningOptions],
) -> LearningCurves:
    """Fit learning curves to scores of several sizes of the training set.

    Args:
        scores: A table of scores as `compare` takes it, with a column for the number of labels that each score took.
        metrics: The metrics to look at; all of the table if none is given.
        **options: See `plumbline.options.folds.LearningOptions`.

    Returns:
        The curves, where they cross, and how many more labels that would take.

    Raises:
        BadData: If the table cannot be read, or a size is not a number.
        BadUsage: If there are fewer than three sizes, or an option is unknown.

    Example:
        >>> import plumbline, polars as pl
        >>> limits = {"slow": (0.9, 3.0), "fast": (0.7, 1.0)}
        >>> rows = [(name, n, top - gap * n**-0.5) for name, (top, gap) in limits.items() for n in (50, 100, 200)]
        >>> table = pl.DataFrame(rows, schema=["system", "size", "Accuracy"], orient="row")
        >>> plumbline.learning(table).summary
        ['slow is ahead of fast by Accuracy from about 100 labels on.']
    """
    given = checked(options, LearningOptions, "learning")
    column = given.get("sizes", "size")
    lower = given.get("lower", ())
    cube, repeated, notices = read_repeated(
        scores, lower=lower, metrics=metrics, runs=given.get("runs"), folds=column, called=SIZE
    )
    assert repeated is not None  # noqa: S101 - for type checkers: folds were asked for
    sizes = _sizes(repeated, column)
    rng = np.random.default_rng(given.get("seed", 0))
    parts = [
        _of_metric(_Metric(name, cube.systems, sizes, repeated, at, -1.0 if down else 1.0), given.get("target"), rng)
        for at, (name, down) in enumerate(zip(cube.metrics, cube.lower.tolist(), strict=True))
    ]
    table, curves, crossed, lines = (pl.concat(group) for group in zip(*parts, strict=True))
    about = [notice for notice in notices if notice.code != READ_AS]
    without = curves.filter(pl.col("limit").is_null())[SYSTEM].unique(maintain_order=True).to_list()
    if without:
        about.append(folds.no_curve(without, FEWEST_SIZES))
    return LearningCurves(table, curves, crossed, lines, given.get("target"), tuple(about))


def _sizes(repeated: Repeated, column: str) -> Numbers:
    """The sizes as numbers."""
    values = pl.Series(repeated.folds, dtype=pl.String).cast(pl.Float64, strict=False)
    wrong = [name for name, value in zip(repeated.folds, values, strict=True) if value is None or not LEAST <= value <= MOST]
    if wrong:
        raise BadUsage(folds.not_a_size(column, wrong[0]))
    if len(values) < FEWEST_SIZES:
        raise BadUsage(folds.few_sizes(column, len(values), FEWEST_SIZES))
    return values.to_numpy()


@dataclass(frozen=True, eq=False)
class _Metric:
    """One metric of all systems over sizes."""

    name: str
    systems: tuple[str, ...]
    sizes: Numbers
    repeated: Repeated
    at: int
    sign: float

    def values(self, fold: int) -> Numbers:
        """`[system, repetition]` at one size, higher is better."""
        chosen = self.repeated.values[self.at][:, :, self.repeated.fold == fold]
        return np.asarray(self.sign * chosen.reshape(len(self.systems), -1))

    def shown(self, values: Numbers) -> Numbers:
        """In the unit of the metric."""
        return np.asarray(self.sign * values)


def _of_metric(metric: _Metric, target: float | None, rng: np.random.Generator) -> tuple[pl.DataFrame, ...]:
    """The means, the curves, where they cross, and points along them."""
    order = np.argsort(metric.sizes)
    sizes, columns = metric.sizes[order], [metric.values(int(at)) for at in order]
    means = np.stack([mean_of_known(values) for values in columns], axis=1)
    counts = np.stack([(~np.isnan(values)).sum(axis=1) for values in columns], axis=1)
    highest = _highest(means * metric.sign, metric.sign)
    weights = counts.mean(axis=0)
    curves = fitted(sizes, means, weights, highest)
    repetitions = min(values.shape[1] for values in columns)
    drawn = None
    if repetitions > 1:
        draws = np.stack(
            [mean_of_known(values[:, rng.integers(0, values.shape[1], (DRAWS, values.shape[1]))]) for values in columns]
        )
        drawn = fitted(sizes, np.moveaxis(draws, 0, -1), weights, highest)
    points = pl.DataFrame(
        {
            SYSTEM: np.repeat(metric.systems, len(sizes)),
            METRIC: [metric.name] * means.size,
            "size": np.tile(sizes, len(metric.systems)),
            "value": pl.Series(metric.shown(means).ravel(), nan_to_null=True),
            "repetitions": counts.ravel(),
        }
    )
    return (
        points,
        _curve_rows(metric, curves, drawn, sizes, target),
        _crossings(metric, curves, drawn, sizes),
        _lines(metric, curves, sizes),
    )


def _highest(means: Numbers, sign: float) -> float:
    """The best score that is possible: 1, or 0 for errors, where all scores are shares; else unknown."""
    shares = bool(((means >= 0) & (means <= 1) | np.isnan(means)).all())
    return (1.0 if sign > 0 else 0.0) if shares else np.inf


def _curve_rows(metric: _Metric, curves: Curves, drawn: Curves | None, sizes: Numbers, target: float | None) -> pl.DataFrame:
    doubled = curves.at(np.array([2 * sizes[-1]]))[:, 0]
    none = np.full(len(curves.limit), np.nan)
    ends = np.tile(none, (2, 1)) if drawn is None else np.stack([_ends(limits) for limits in drawn.limit], axis=1)
    low, high = np.sort(metric.shown(ends), axis=0)
    needed = none if target is None else curves.needed(metric.sign * target)
    has_end = ~np.isnan(curves.limit)
    columns = {
        "limit": metric.shown(curves.limit),
        "gap": metric.shown(curves.gap),
        "speed": curves.speed,
        "doubled": metric.shown(doubled),
        "limit_low": np.where(has_end, low, np.nan),
        "limit_high": np.where(has_end, high, np.nan),
        "needed": np.where(needed <= FARTHEST * sizes[-1], needed, np.nan),
    }
    names = {SYSTEM: list(metric.systems), METRIC: [metric.name] * len(metric.systems)}
    return pl.DataFrame({**names, **{name: pl.Series(values, nan_to_null=True) for name, values in columns.items()}})


def _ends(limits: Numbers) -> Numbers:
    """Between which 95 % of the draws lie that have a curve."""
    known = limits[~np.isnan(limits)]
    with np.errstate(over="ignore", invalid="ignore"):
        ends = np.quantile(known, ENDS) if len(known) else np.full(2, np.nan)
    return np.where(np.isfinite(ends), ends, np.nan)


def _crossings(metric: _Metric, curves: Curves, drawn: Curves | None, sizes: Numbers) -> pl.DataFrame:
    """Where the first of a pair overtook the other one, or would if it is behind with the largest size."""
    last = curves.at(sizes[-1:])[:, 0]
    rows = []
    for a, b in permutations(range(len(metric.systems)), 2):
        behind = bool(last[a] < last[b])
        ends = (sizes[-1], FARTHEST * sizes[-1]) if behind else (sizes[0], sizes[-1])
        size = float(crossings(_one(curves, a), _one(curves, b), *ends))
        if np.isnan(size) and not behind:
            continue
        low = high = share = None
        if drawn is not None:
            crossed = crossings(_one(drawn, a), _one(drawn, b), sizes[0], FARTHEST * sizes[-1])
            share = float((~np.isnan(crossed)).mean())
            if share > 0:
                low, high = (float(end) for end in np.nanquantile(crossed, ENDS))
        known = not np.isnan(size) and (share is None or share > LIKELY)
        crossing = (size, low, high, share, max(size - sizes[-1], 0.0)) if known else (None, None, None, share, None)
        rows.append((metric.systems[a], metric.systems[b], metric.name, *crossing))
    numbers = dict.fromkeys(("size", "low", "high", "share", "more"), pl.Float64)
    return pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String, METRIC: pl.String, **numbers}, orient="row")


def _one(curves: Curves, at: int) -> Curves:
    return type(curves)(curves.limit[at], curves.gap[at], curves.speed[at])


def _lines(metric: _Metric, curves: Curves, sizes: Numbers) -> pl.DataFrame:
    along = np.geomspace(sizes[0], 2 * sizes[-1], ALONG)
    return pl.DataFrame(
        {
            SYSTEM: np.repeat(metric.systems, ALONG),
            METRIC: [metric.name] * (ALONG * len(metric.systems)),
            "size": np.tile(along, len(metric.systems)),
            "value": pl.Series(metric.shown(curves.at(along)).ravel(), nan_to_null=True),
        }
    )
