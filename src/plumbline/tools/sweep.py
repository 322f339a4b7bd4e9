"""Where to stop: a family of outputs along a threshold, its trade-off curve, and the best point for every weighting."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.comparison.weighting.break_even import BreakEven, meeting
from plumbline.errors import BadUsage, usage
from plumbline.evaluation.evaluate import evaluate
from plumbline.io.memory.systems import label_systems, named_systems
from plumbline.metrics.names import listed
from plumbline.options.evaluation import OutputOptions
from plumbline.options.option import documented
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.present import svg_of
from plumbline.render.result import Result, described
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.scores import Scores

ALPHAS: Final = tuple(round(step / 20, 2) for step in range(21))
_SAME: Final = 1e-12
"""Values that differ by less are equal but for rounding."""
_NUMBER: Final = re.compile(r"\d*\.?\d+")


@dataclass(frozen=True, repr=False)
class Sweep(Result):
    """The trade-off of two metrics along a threshold.

    Attributes:
        points: `threshold, system` and the mean of each of the two metrics, in the order of the threshold.
        best: `alpha, threshold, system, F`: the best point for each weight of the first metric; F is the mean over cases.
        metrics: The two metrics.
        scores: The scores of all outputs.

    Example:
        >>> import plumbline
        >>> outputs = {"0.2": [0, 0, 0, 0], "0.5": [0, 0, 0, 1], "0.9": [0, 1, 2, 3]}
        >>> sweep = plumbline.sweep([0, 0, 1, 1], outputs)
        >>> sweep.best.filter(sweep.best["alpha"] == 1.0)["threshold"].item()
        0.9
    """

    points: pl.DataFrame
    best: pl.DataFrame
    metrics: tuple[str, str]
    scores: Scores

    def grid(self) -> Grid:
        """The points as plain data, with the alphas for which each is the best."""
        best = "best for alpha"
        leads = {name: rows["alpha"].to_list() for (name,), rows in self.best.group_by(SYSTEM)}
        rows = tuple(
            (
                Cell(f"{row['threshold']:g}"),
                *(Cell(number(row[name])) for name in self.metrics),
                Cell(_span(leads.get(row[SYSTEM], []))),
            )
            for row in self.points.iter_rows(named=True)
        )
        return Grid(("threshold", *self.metrics, best), rows, f"{self._balance()}; {self.scores.footer()}", drop=(best,))

    def break_even(self, ratio: float = 1.0) -> BreakEven:
        """The point of the curve where the second metric is as high as the first.

        Args:
            ratio: How many times as high as the first metric the second one shall be.

        Returns:
            The point, and whether it is one of the outputs or lies between two.

        Raises:
            BadUsage: The ratio is not a number above 0.
        """
        return meeting("outputs along the threshold", self.points.select(self.metrics).to_numpy(), ratio)

    def _balance(self) -> str:
        """The break-even point in words."""
        point = self.break_even()
        if point.recall is None:
            return f"break-even: {' and '.join(self.metrics)} are nowhere equal"
        where = "at one of the thresholds" if point.how == "point" else "between two thresholds"
        return f"break-even: {' = '.join(self.metrics)} = {number(point.recall)}, {where}"

    def to_svg(self) -> str:
        """The trade-off curve as SVG; deprecated, use `plot.sweep()`.

        Returns:
            The text of an SVG file.
        """
        return svg_of(self, "sweep")

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """The notices of the scores."""
        return self.scores.notices

    def to_polars(self) -> pl.DataFrame:
        """`threshold, system` and the mean of each of the two metrics."""
        return self.points

    def to_dict(self) -> dict[str, Any]:
        """The points, the best of them for each weight, the break-even point, and how the scores were made."""
        return {
            "metrics": list(self.metrics),
            "points": self.points.to_dicts(),
            "best": self.best.to_dicts(),
            "break_even": asdict(self.break_even()),
            "made": self.scores.made,
            "notices": described(self.notices),
        }

    def score_table(self) -> Scores:
        """The scores of all outputs."""
        return self.scores


def _span(alphas: Sequence[float]) -> str:
    if not alphas:
        return ""
    return f"{min(alphas):g}" if min(alphas) == max(alphas) else f"{min(alphas):g} to {max(alphas):g}"


@documented(OutputOptions)
def sweep(
    gold: Any,  # noqa: ANN401 - as evaluate
    outputs: Any,  # noqa: ANN401 - as evaluate
    metrics: Sequence[str] | None = None,
    *,
    task: str = "clustering",
    **options: Unpack[OutputOptions],
) -> Sweep:
    """Follow a family of outputs along its threshold.

    Args:
        gold: The right answers, as `evaluate` takes them.
        outputs: A dict from threshold to output, or paths whose names end in a number, which is the threshold.
        metrics: Two metrics; the precision and the recall of the task if none is given.
        task: The task, such as "clustering" or "filtering".
        **options: See `plumbline.options.evaluation.OutputOptions`.

    Returns:
        The mean of both metrics at every threshold, and the best threshold for each weighting.

    Raises:
        BadUsage: If an output has no threshold, or the metrics are no trade-off.

    Example:
        >>> import plumbline
        >>> gold = {"a": "x", "b": "x", "c": "y"}
        >>> outputs = {"0.2": {"a": "1", "b": "2", "c": "3"}, "0.8": {"a": "1", "b": "1", "c": "1"}}
        >>> plumbline.sweep(gold, outputs).points["threshold"].to_list()
        [0.2, 0.8]
    """
    record = task_named(task)
    wanted = listed(metrics) or list(record.trade_off or ())
    if len(wanted) != 2:  # noqa: PLR2004 - a trade-off has two sides
        raise BadUsage(usage.not_a_trade_off(wanted))
    named = named_systems(outputs) if record.table == "scores" else label_systems(gold, outputs)
    family = {str(name): source for name, source in named.items()}
    thresholds = {name: _threshold(name) for name in family}
    ordered = sorted(family, key=lambda name: thresholds[name])
    scores = evaluate(gold, {name: family[name] for name in ordered}, wanted, task=task, **options)
    if any(column.better != "higher" for column in scores.columns):
        raise BadUsage(usage.not_a_trade_off(wanted))
    first, second = (column.name for column in scores.columns)
    means = {(row[0], row[1]): row[2] for row in scores.mean.select(SYSTEM, METRIC, VALUE).iter_rows()}
    points = pl.DataFrame(
        {
            "threshold": [thresholds[name] for name in ordered],
            SYSTEM: ordered,
            **{metric: [means[name, metric] for name in ordered] for metric in (first, second)},
        },
        schema={"threshold": pl.Float64, SYSTEM: pl.String, first: pl.Float64, second: pl.Float64},
    )
    return Sweep(points, _best(scores, ordered, thresholds, (first, second)), (first, second), scores)


def threshold_of(name: str) -> float | None:
    """The threshold in the name of an output: the name itself if it is a number, or else the last number in it."""
    try:
        return float(name)
    except ValueError:
        numbers = _NUMBER.findall(name)
    return float(numbers[-1]) if numbers else None


def _threshold(name: str) -> float:
    threshold = threshold_of(name)
    if threshold is None:
        raise BadUsage(usage.bad_object(f"the output {name!r}: its name has no threshold", "names that end in a number"))
    return threshold


def _best(scores: Scores, systems: list[str], thresholds: dict[str, float], metrics: tuple[str, str]) -> pl.DataFrame:
    """For each alpha the output with the highest mean F; of equal ones that with the higher F at equal weights."""
    wide = scores.per_case.pivot(METRIC, index=[SYSTEM, CASE], values=VALUE, maintain_order=True)
    values = np.array([_f_curve(wide.filter(pl.col(SYSTEM) == name), metrics) for name in systems])
    known = np.nan_to_num(values, nan=-1.0)
    balanced = known[:, [ALPHAS.index(0.5)]]
    leader = np.argmax(np.where(known >= known.max(axis=0) - _SAME, balanced, -2.0), axis=0)
    names = [systems[place] for place in leader]
    return pl.DataFrame(
        {
            "alpha": list(ALPHAS),
            "threshold": [thresholds[name] for name in names],
            SYSTEM: names,
            "F": values[leader, np.arange(len(ALPHAS))].tolist(),
        }
    )


def _f_curve(values: pl.DataFrame, metrics: tuple[str, str]) -> NDArray[np.float64]:
    """The mean over cases of F for every alpha, as `F(...)` has it.

    It is 0 where one part is 0, also if the other is undefined, and has no value where one is below 0.
    """
    first, second = (values[name].to_numpy()[:, None] for name in metrics)
    alpha = np.array(ALPHAS)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        f = 1.0 / (np.where(alpha > 0, alpha / first, 0.0) + np.where(alpha < 1, (1 - alpha) / second, 0.0))
        f = np.where((alpha > 0) & (alpha < 1) & ((first < 0) | (second < 0)), np.nan, f)
        f = np.where(((first == 0) & (alpha > 0)) | ((second == 0) & (alpha < 1)), 0.0, f)
        known = ~np.isnan(f)
        return np.asarray(np.where(known, f, 0.0).sum(axis=0) / known.sum(axis=0))
