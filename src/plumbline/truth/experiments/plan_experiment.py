"""plan_experiment(): how many units an experiment takes, or what its units can detect."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil, inf, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Final, Unpack

import polars as pl

from plumbline.comparison.margins import Margin
from plumbline.errors import BadUsage, usage
from plumbline.errors import experiments as problems
from plumbline.errors.faces import option
from plumbline.options.experiments import PlanOptions
from plumbline.options.option import checked, documented
from plumbline.render.grid import Cell, Grid, Sentences
from plumbline.render.result import Result, described
from plumbline.truth.experiments import counting
from plumbline.truth.experiments.assignment import planned_shares
from plumbline.truth.experiments.effect import TWO
from plumbline.truth.experiments.estimates import estimates
from plumbline.truth.experiments.metric import parsed_metric, with_covariates
from plumbline.truth.experiments.power import MOST_UNITS, Design
from plumbline.truth.experiments.units import read_units
from plumbline.truth.experiments.wording import amount, share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

POWER: Final = 0.8
STEPS: Final = (0.5, 0.75, 1.0, 1.5, 2.0)
"""Multiples of the change that the table shows."""
EVERYONE: Final = "everyone"
LEAST: Final = 1e-100
MOST: Final = 1e100
"""Between which the square of everything that a plan computes with is a number."""
TELLING: Final = 1e9
"""A change of so many times the baseline is not told as a share of it."""


@dataclass(frozen=True, repr=False, eq=False)
class ExperimentPlan(Result):
    """How large an experiment has to be.

    Example:
        >>> import plumbline
        >>> plan = plumbline.plan_experiment(baseline=0.20625, detect=0.01)
        >>> plan.units
        51670
    """

    heading: ClassVar[str] = "Plan of an experiment"
    summary: tuple[str, ...]
    """The answer in sentences."""
    units: int
    """The units of all arms."""
    arm_units: tuple[int, ...]
    """The units of each arm, the control first."""
    change: float
    """The change that these units detect."""
    power: float
    table: pl.DataFrame
    """`change, relative, units, per_arm`: how many units other changes take."""
    made: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """How many units changes around the planned one take."""
        return self.table

    def grid(self) -> Grid:
        """The same for people."""
        rows = tuple(
            (
                Cell(amount(row["change"])),
                Cell("" if row["relative"] is None else share(row["relative"])),
                Cell(f"{row['per_arm']:,}"),
                Cell(f"{row['units']:,}"),
            )
            for row in self.table.iter_rows(named=True)
        )
        return Grid(("change to detect", "relative", "smallest arm", "all arms"), rows, self.made.get("caption", ""))

    def to_blocks(self) -> Sequence[Block]:
        """The answer, and the table."""
        return [Sentences(self.summary), self.grid()]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as dicts, lists, texts and numbers."""
        numbers = {"units": self.units, "arm_units": list(self.arm_units), "change": self.change, "power": self.power}
        rows = self.table.to_dicts()
        return {
            "summary": list(self.summary),
            **numbers,
            "table": rows,
            "made": dict(self.made),
            "notices": described(self.notices),
        }


@documented(PlanOptions)
def plan_experiment(
    history: Any = None,
    metric: str | None = None,
    **options: Unpack[PlanOptions],
) -> ExperimentPlan:
    """Say how many units an experiment takes, what change a number of units can detect, or with what power.

    Args:
        history: A table of units without an experiment, from which the baseline and the deviation of the metric are taken;
            None if they are given as numbers.
        metric: A column of the history, or a ratio of two such as `ctr = clicks / views`.
        **options: See `plumbline.options.experiments.PlanOptions`.

    Returns:
        The units of each arm, and how many units other changes take.

    Raises:
        BadUsage: If a number is missing, or the change is impossible.

    Example:
        >>> import plumbline
        >>> plan = plumbline.plan_experiment(baseline=10, deviation=4, detect="5%")
        >>> plan.arm_units
        (1005, 1005)
    """
    given = checked(options, PlanOptions, "plan_experiment")
    design, source = _design(history, metric, given)
    change = None if given.get("detect") is None else _change(given["detect"], design.baseline)
    if change is not None and not design.fits(change):
        raise BadUsage(problems.impossible_change(f"a change of {amount(change)} from {amount(design.baseline)} is impossible"))
    units, power = given.get("units"), given.get("power")
    if change is None and units is None:
        raise BadUsage(problems.incomplete_plan("neither the change to detect nor the number of units is given"))
    if None not in (change, units, power):
        raise BadUsage(problems.incomplete_plan("the change, the units and the power are given: one of them must be left open"))
    if units is None:
        power = POWER if power is None else power
        if not design.countable(change or 0.0, power):
            raise BadUsage(problems.impossible_change(f"a change of {amount(change)} takes more than {MOST_UNITS:,} units"))
        arms = design.arm_units(change or 0.0, power)
    else:
        power = POWER if power is None and change is None else power
        change = design.change(units, power or POWER) if change is None else change
        if change == inf:
            raise BadUsage(problems.impossible_change(f"{units:,} units detect no change at all"))
        power = design.power(change, units) if power is None else power
        arms = tuple(int(units * one / sum(design.shares)) for one in design.shares)
    change = change or 0.0
    return ExperimentPlan(
        tuple(_sentences(design, given, change, power or POWER, arms, source)),
        sum(arms),
        arms,
        change,
        power or POWER,
        _table(design, change, power or POWER),
        made={
            "baseline": design.baseline,
            "deviation": design.deviation,
            "level": design.level,
            "inflation": design.inflation,
            "caption": f"power {power or POWER:.4g}, level {design.level:g}, two-sided"
            + (f", Bonferroni over {len(design.shares) - 1} comparisons" if len(design.shares) > TWO else ""),
        },
    )


def _design(history: Any, metric: str | None, given: Mapping[str, Any]) -> tuple[Design, str]:
    """What is known, from numbers or from a table."""
    shares = _shares(given)
    if (given.get("cluster_size") is None) != (given.get("icc") is None):
        raise BadUsage(usage.goes_with(option("cluster_size"), option("icc")))
    inflation = 1 + (given.get("cluster_size", 1.0) - 1) * given.get("icc", 0.0)
    level = given.get("level", 0.05)
    if history is not None:
        baseline, deviation, source = _from_history(history, metric, given)
        return Design(baseline, deviation, level, shares, inflation), source
    if "before" in given or metric is not None:
        raise BadUsage(problems.incomplete_plan("a metric and a covariate are columns of a table, and none is given"))
    if given.get("baseline") is None:
        raise BadUsage(problems.incomplete_plan("the value of the metric today is not given"))
    baseline, deviation = given["baseline"], given.get("deviation")
    if deviation is None and not 0 < baseline < 1:
        raise BadUsage(problems.incomplete_plan(f"{baseline:g} is not a share, and its deviation is not given"))
    for value in (baseline, deviation or 0.0):
        if value and not LEAST <= abs(value) <= MOST:
            raise BadUsage(problems.incomplete_plan(f"{value:g} is not between {LEAST:g} and {MOST:g}"))
    if deviation == 0:
        raise BadUsage(problems.incomplete_plan("a metric that does not vary needs no experiment"))
    return Design(baseline, deviation, level, shares, inflation), ""


def _shares(given: Mapping[str, Any]) -> tuple[float, ...]:
    text, arms = given.get("share"), given.get("arms", TWO)
    count = len(text.replace("/", ":").split(":")) if text is not None and "arms" not in given else arms
    if count < TWO:
        raise BadUsage(problems.bad_shares(str(text), ["control", "treatment"]))
    numbers = planned_shares(text, [f"arm {at}" for at in range(count)])
    return tuple(one / sum(numbers) for one in numbers)


def _from_history(history: Any, name: str | None, given: Mapping[str, Any]) -> tuple[float, float | None, str]:
    """The value and the deviation of a metric in a table of units."""
    for one in ("baseline", "deviation"):
        if one in given:
            raise BadUsage(problems.contradiction(option(one), "a table of units", "the table gives it"))
    if name is None:
        raise BadUsage(problems.incomplete_plan("the metric of the table is not named"))
    table = read_units(history)
    metric = parsed_metric(name, table.columns)
    if metric.quantile is not None:
        raise BadUsage(problems.quantile_has_no(metric.name, "plan"))
    before = given.get("before", ())
    metric = with_covariates([metric], [before] if isinstance(before, str) else list(before), table.columns)[0]
    rows = table.rows.with_columns(pl.lit(EVERYONE).alias(EVERYONE))
    everyone = replace(
        table,
        rows=rows,
        schema={**table.schema, EVERYONE: pl.String()},
        head=table.head.with_columns(pl.lit(EVERYONE).alias(EVERYONE)),
    )
    layout = counting.Layout(EVERYONE)
    every = counting.count(everyone, rows, layout, [metric])
    sums = counting.metric_sums(everyone, rows, layout, every, metric)
    moments = sums.moments()
    value, _ = estimates(metric, moments, moments)
    if value.n < TWO:
        raise BadUsage(problems.incomplete_plan(f"one unit says nothing about how much {metric.name} varies"))
    is_share = metric.before is None and metric.of.denominator is None and metric.of.numerator in sums.shares
    deviation, less = sqrt(value.variance), ""
    if metric.before is not None and value.plain_variance > 0:
        less = f", {share(1 - deviation / sqrt(value.plain_variance))} less than without {metric.before}"
    source = (
        f"{metric.name} is {amount(value.value)} in {value.n:,} units, with a standard deviation of {amount(deviation)}{less}."
    )
    return value.value, None if is_share else deviation, source


def _change(given: float | str, baseline: float) -> float:
    margin = Margin.parse(str(given).lstrip("+-"))
    change = abs(baseline) * margin.value if margin.relative else margin.value
    if change and not LEAST <= change <= MOST:
        raise BadUsage(problems.impossible_change(f"a change of {change:g} is not between {LEAST:g} and {MOST:g}"))
    return change


def _relative(change: float, baseline: float) -> float | None:
    """The change as a share of the baseline; None if that is 0, or so small that the share says nothing."""
    return change / abs(baseline) if abs(baseline) * TELLING > change else None


def _sentences(
    design: Design, given: Mapping[str, Any], change: float, power: float, arms: Sequence[int], source: str
) -> list[str]:
    lines = [source] if source else []
    relative = _relative(change, design.baseline)
    of_baseline = "" if relative is None else f" ({share(relative)} of {amount(design.baseline)})"
    detected = f"A change of {amount(change)}{of_baseline} is detected with a probability of {power:.1%}"
    sizes = f"{arms[0]:,} in each arm" if len(set(arms)) == 1 else ", ".join(f"{one:,}" for one in arms) + " in the arms"
    lines.append(f"{detected} by {sum(arms):,} units, {sizes}.")
    if design.inflation > 1:
        size = given["cluster_size"]
        clusters = sum(ceil(one / size) for one in arms)
        lines.append(f"Clusters of {size:g} make it {design.inflation:.3g} times as many: {clusters:,} clusters in all.")
    return lines


def _table(design: Design, change: float, power: float) -> pl.DataFrame:
    rows = []
    for step in STEPS:
        one = change * step
        if (
            design.fits(one)
            and design.countable(one, power)
            and (design.deviation is not None or 0 < design.baseline + one < 1 or 0 < design.baseline - one < 1)
        ):
            sizes = design.arm_units(one, power)
            rows.append((one, _relative(one, design.baseline), sum(sizes), min(sizes)))
    schema = {"change": pl.Float64, "relative": pl.Float64, "units": pl.Int64, "per_arm": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")
