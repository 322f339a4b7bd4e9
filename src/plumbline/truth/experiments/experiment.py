"""experiment(): which variant is better with real users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.comparison.significance.registry import all_corrections
from plumbline.errors import BadData, BadUsage, usage
from plumbline.errors import experiments as problems
from plumbline.errors.base import plural
from plumbline.errors.faces import option, switch
from plumbline.options.experiments import ExperimentOptions
from plumbline.options.option import checked, documented
from plumbline.truth.experiments import counted, counting, segments
from plumbline.truth.experiments.assignment import SUSPECT, WITHHELD, assignment, planned_shares
from plumbline.truth.experiments.counting import ARM, Layout
from plumbline.truth.experiments.duplicates import one_row_each
from plumbline.truth.experiments.effect import TWO, welch
from plumbline.truth.experiments.estimates import estimate
from plumbline.truth.experiments.metric import Metric, parsed_metric, with_covariates, with_directions, with_margins
from plumbline.truth.experiments.observed import Observed, Rules
from plumbline.truth.experiments.pairs import paired_effect, paired_values
from plumbline.truth.experiments.result import Experiment
from plumbline.truth.experiments.sequence import growing_by_itself, sequence, still_growing, with_smallest_p
from plumbline.truth.experiments.sequential import obrien_fleming, tightest
from plumbline.truth.experiments.units import BEFORE, CONTROLS, UNITS, VARIANTS, UnitTable, read_units
from plumbline.truth.experiments.verdicts import Measured, effects_table
from plumbline.truth.experiments.wording import p_words, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.truth.experiments.assignment import Assignment
    from plumbline.truth.experiments.sums import Sums

MOST_ARMS: Final = 100


@documented(ExperimentOptions)
def experiment(
    units: Any,
    metrics: Sequence[str] | str | None = None,
    **options: Unpack[ExperimentOptions],
) -> Experiment:
    """Compare the arms of an experiment with real users, such as an A/B test.

    Args:
        units: A table with a row for each unit, such as a user: a path, a data frame or a dict of columns. Or a table of
            counted sums, with `variant, n, orders_sum, orders_sum_of_squares`.
        metrics: Columns such as `orders`, ratios such as `ctr = clicks / views`, or quantiles such as `median(seconds)`; every
            column of numbers if none is given.
        **options: See `plumbline.options.experiments.ExperimentOptions`.

    Returns:
        Effects with intervals and verdicts, and whether the assignment is sound.

    Raises:
        BadData: If a file cannot be read, a unit is in two arms, or an arm has no value.
        BadUsage: If an option or a column is unknown.

    Example:
        >>> import plumbline
        >>> units = {"variant": ["A", "B"] * 500, "converted": [0, 0, 1, 1, 0, 1, 0, 1, 0, 0] * 100}
        >>> result = plumbline.experiment(units, "converted")
        >>> print(result.summary[1])
        B is better than A by converted: +0.4 [0.3427, 0.4533] or +200.0 % [148.1 %, 262.7 %], p < 0.0001.
    """
    given = checked(options, ExperimentOptions, "experiment")
    _refuse_contradictions(given)
    table = read_units(units)
    setting = _setting(table, metrics, given)
    sizes, observed, notices = _observed(setting)
    for metric in setting.metrics:
        observed.check(metric)
    withheld = sizes.p < WITHHELD and not given.get("accept_imbalance")
    notices += tuple(_notices(setting, sizes, observed, withheld=withheld))
    rules = _rules(given)
    measured = list(_measured(setting, observed, rules))
    looks = sequence(observed, setting.metrics, setting.when, rules) if rules.peek and setting.when else pl.DataFrame()
    measured = with_smallest_p(measured, looks)
    correction = given.get("correction", "holm")
    effects = effects_table(measured, level=rules.level, correction=correction, withheld=withheld)
    by = setting.by
    parts = list(segments.segment_effects(observed, setting.metrics, by, rules))
    small = segments.small_segments(parts)
    notices += (problems.small_segments(len(small), small, segments.SMALL),) if small else ()
    of_segments = effects_table(parts, level=rules.level, correction=correction, withheld=withheld) if by else pl.DataFrame()
    unanimity = segments.unanimous(observed, setting.metrics, by, rules) if by else pl.DataFrame()
    return Experiment(
        tuple(sentences(sizes, effects, unanimity, level=rules.level, withheld=withheld, sound=sizes.p >= SUSPECT)),
        effects,
        _arms(sizes),
        of_segments,
        unanimity,
        looks,
        made=_made(sizes, rules, correction, given),
        notices=notices,
    )


@dataclass(frozen=True, eq=False)
class Setting:
    """A table of units, and which of its columns mean what."""

    table: UnitTable
    given: Mapping[str, Any]
    variant: str
    unit: str | None
    metrics: tuple[Metric, ...]
    by: tuple[str, ...]
    when: str | None
    sums: pl.DataFrame | None
    """The table as sums, if its units are counted."""

    @property
    def layout(self) -> Layout:
        """The keys by which units are counted."""
        paired = self.given.get("paired")
        keys = dict.fromkeys((*self.by, *((self.when,) if self.when else ()), *((paired,) if paired else ())))
        return Layout(self.variant, tuple(keys), frozenset({self.when} if self.when else ()))


def _refuse_contradictions(given: Mapping[str, Any]) -> None:
    for first, second, reason in (
        ("peek", "look", "looks are either planned or not"),
        ("peek", "paired", "pairs are counted at the end"),
        ("by", "paired", "pairs are of all units"),
    ):
        if given.get(first) and given.get(second):
            raise BadUsage(problems.contradiction(option(first), option(second), reason))
    if given.get("mixture") is not None and not given.get("peek"):
        raise BadUsage(usage.goes_with(option("mixture"), switch("peek")))


def _names(given: Mapping[str, Any], name: str) -> list[str]:
    """The values of an option that may be repeated."""
    value = given.get(name, ())
    return [value] if isinstance(value, str) else list(value)


def _setting(table: UnitTable, metrics: Sequence[str] | str | None, given: Mapping[str, Any]) -> Setting:
    variant = table.column(given.get("variant"), VARIANTS, "variant")
    by, when = tuple(_names(given, "by")), given.get("when")
    for column in (*by, *([when] if when else []), *([given["paired"]] if "paired" in given else [])):
        table.find(column, ())
    count = counted.count_column(table)
    keys = (*by, *((when,) if when else ()), *((given["paired"],) if "paired" in given else ()))
    sums = counted.widened(table, variant, keys) if count is not None else None
    unit = None if count is not None else table.find(given.get("unit"), UNITS)
    unit = None if unit == variant else unit
    columns = counted.quantities(sums) if sums is not None else table.columns
    wanted = [metrics] if isinstance(metrics, str) else list(metrics or ())
    if not wanted:
        taken = {variant, unit, when, given.get("paired"), *by}
        free = [column for column in columns if column not in taken and not column.endswith(BEFORE)]
        wanted = free if sums is not None else [column for column in free if table.holds_numbers(column)]
    if not wanted:
        raise BadUsage(problems.no_metrics(table.label, table.columns))
    made = list({metric.name: metric for metric in (parsed_metric(text, columns) for text in wanted)}.values())
    made = with_covariates(made, _names(given, "before"), columns)
    made = with_directions(with_margins(made, _names(given, "margin")), _names(given, "lower"))
    quantile = next((metric.name for metric in made if metric.quantile is not None), None)
    if quantile is not None and (given.get("peek") or sums is not None or given.get("look")):
        raise BadUsage(problems.quantile_has_no(quantile, "sum"))
    return Setting(table, given, variant, unit, tuple(made), by, when, sums)


def _observed(setting: Setting) -> tuple[Assignment, Observed, tuple[Diagnostic, ...]]:
    """Count everything, and see whether the arms have the right sizes."""
    table, layout, metrics = setting.table, setting.layout, setting.metrics
    summed = [metric for metric in metrics if metric.quantile is None]
    notices: list[Diagnostic] = []
    if setting.sums is not None:
        every, remarks = counted.sums_of(table, setting.sums, str(counted.count_column(table)), layout)
        notices += remarks
        sums = {metric.name: every.only(metric.columns) for metric in metrics}
        values: dict[str, pl.DataFrame] = {}
        _refuse_missing_products(table, sums)
    else:
        _refuse_many_arms(table, setting.variant)
        policy, paired = setting.given.get("on_duplicate", "error"), setting.given.get("paired")
        rows, remarks = one_row_each(table, setting.variant, setting.unit, paired, metrics, policy)
        notices += remarks
        notices += () if setting.unit is not None else (problems.unnamed_units(),)
        every = counting.count(table, rows, layout, summed)
        sums = {metric.name: counting.metric_sums(table, rows, layout, every, metric) for metric in summed}
        values = {
            metric.name: counting.unit_values(table, rows, layout, metric) for metric in metrics if metric.quantile is not None
        }
    counts = _counts(setting, every)
    lost = int(counts.filter(pl.col(ARM).is_null())["n"].sum())
    notices += (problems.no_arm(lost),) if lost else ()
    sizes, guessed = _sizes(setting, dict(counts.drop_nulls(ARM).sort(ARM).iter_rows()))
    notices += guessed
    total = sum(sizes.counts)
    for metric in summed:
        missing = total - int(sums[metric.name].n[sums[metric.name].keys[ARM].is_not_null().to_numpy()].sum())
        notices += (problems.missing_values(metric.name, missing, total),) if missing else ()
    return sizes, Observed(layout, sizes.control, sizes.arms[1:], sums, values), tuple(notices)


def _counts(setting: Setting, every: Sums) -> pl.DataFrame:
    """The units of each arm; where days are paired a unit may have a row on each of them, and counts once."""
    unit, table = setting.unit, setting.table
    if "paired" in setting.given and unit is not None:
        named = table.rows.group_by(table.text(setting.variant).alias(ARM)).agg(pl.col(unit).n_unique().alias("n"))
        return table.collected(named)
    return every.keys.select(ARM).with_columns(pl.Series("n", every.n)).group_by(ARM).agg(pl.col("n").sum())


def _refuse_many_arms(table: UnitTable, variant: str) -> None:
    arms = table.head.select(table.text(variant)).to_series().drop_nulls().unique(maintain_order=True).to_list()
    if len(arms) > MOST_ARMS:
        raise BadData(problems.wrong_arms(table.label, variant, arms, len(arms)))


def _refuse_missing_products(table: UnitTable, sums: Mapping[str, Any]) -> None:
    for name, one in sums.items():
        if np.isnan(one.second).any():
            reason = f"{name} needs {one.columns[0]}_{one.columns[1]}_{counted.PRODUCTS}"
            raise BadData(problems.bad_sums(table.label, reason))


def _sizes(setting: Setting, counts: Mapping[str, int]) -> tuple[Assignment, list[Diagnostic]]:
    """The arms, control first, and the test of their sizes."""
    given, names = setting.given, list(counts)
    if not TWO <= len(names) <= MOST_ARMS:
        raise BadData(problems.wrong_arms(setting.table.label, setting.variant, names, len(names)))
    control, notices = given.get("control"), []
    if control is None:
        control = next((name for usual in CONTROLS for name in names if name.strip().lower() == usual), None)
        if control is None:
            control = names[0]
            notices.append(problems.guessed_control(control, names))
    elif control not in counts:
        raise BadUsage(problems.empty_arm(control, names))
    arms = [control, *(name for name in names if name != control)]
    units = [counts[arm] for arm in arms]
    return assignment(arms, units, planned_shares(given.get("share"), arms)), notices


def _rules(given: Mapping[str, Any]) -> Rules:
    level = given.get("level", 0.05)
    look = given.get("look")
    return Rules(
        level if look is None else obrien_fleming(*_look(look), level),
        given.get("proportions", "newcombe"),
        given.get("relative", "log"),
        bool(given.get("peek")),
        given.get("planned"),
        given.get("mixture"),
        given.get("resamples", 10_000),
        given.get("seed", 0),
    )


def _look(text: str) -> tuple[int, int]:
    look, _, looks = text.partition("/")
    if not (look.isdecimal() and looks.isdecimal() and 1 <= int(look) <= int(looks) <= MOST_ARMS):
        raise BadUsage(problems.bad_look(text))
    return int(look), int(looks)


def _measured(setting: Setting, observed: Observed, rules: Rules) -> Iterator[Measured]:
    column = setting.given.get("paired")
    for metric in setting.metrics:
        for arm in observed.arms:
            if column is None:
                yield Measured(metric, arm, observed.effect(metric, arm, rules))
                continue
            control, treated, _ = paired_values(observed, metric, arm, column)
            if len(control) < TWO:
                raise BadUsage(problems.nothing_paired(column, len(control)))
            yield Measured(metric, arm, paired_effect(control, treated, metric, rules, column))


def _notices(setting: Setting, sizes: Assignment, observed: Observed, *, withheld: bool) -> Iterator[Diagnostic]:
    """What should be known before the effect is believed."""
    given = setting.given
    if sizes.p < SUSPECT:
        counted_arms = [f"{count:,} in {arm}" for arm, count in zip(sizes.arms, sizes.counts, strict=True)]
        equal = len(set(sizes.shares)) == 1
        shares = "equal shares" if equal else "shares of " + ":".join(f"{one:.4g}" for one in sizes.shares)
        yield problems.mismatch(counted_arms, shares, p_words(sizes.p), withheld=withheld)
    for metric in setting.metrics:
        for arm in observed.arms if metric.before is not None else ():
            moments = [observed.moments(metric, name, {}) for name in (observed.control, arm)]
            before = metric.before
            test = welch(*(estimate(before, some) for some in moments if before is not None), level=SUSPECT)
            if test.p < SUSPECT:
                yield problems.covariate_differs(str(before), arm, p_words(test.p))
    yield from _about_time(setting, sizes, observed)
    column = given.get("paired")
    if column is not None:
        alone = paired_values(observed, setting.metrics[0], observed.arms[0], column)[2]
        if alone:
            yield problems.unpaired(column, alone)
    if not given.get("before") and setting.sums is None:
        bases = {column: metric for metric in setting.metrics for column in metric.of.columns if metric.quantile is None}
        idle = [base + end for base in bases for end in BEFORE if base + end in setting.table.schema]
        if idle:
            yield problems.unused_covariates(idle)


def _about_time(setting: Setting, sizes: Assignment, observed: Observed) -> Iterator[Diagnostic]:
    """Whether somebody looks before the end, and for which size intervals are made."""
    given, total = setting.given, sum(sizes.counts)
    if given.get("peek"):
        if given.get("planned") is None and given.get("mixture") is None:
            yield problems.assumed_plan(f"{tightest(None):,}")
        return
    if given.get("look") is not None or given.get("paired") is not None:
        return
    if given.get("planned") is not None and total < given["planned"]:
        yield problems.still_running(f"{total:,} of {given['planned']:,} planned units are there")
    elif setting.when is not None and observed.sums:
        some = next(iter(observed.sums.values()))
        reason = still_growing(some.keys[setting.layout.key(setting.when)], pl.Series(some.n))
        if reason is not None and given.get("planned") is None:
            yield problems.still_running(reason)
    elif setting.sums is None and given.get("planned") is None:
        reason = growing_by_itself(setting.table)
        if reason is not None:
            yield problems.still_running(reason)


def _arms(sizes: Assignment) -> pl.DataFrame:
    total = sum(sizes.counts)
    return pl.DataFrame(
        {
            "arm": list(sizes.arms),
            "n": list(sizes.counts),
            "share": [count / total for count in sizes.counts],
            "planned": list(sizes.shares),
        }
    )


def _made(sizes: Assignment, rules: Rules, correction: str, given: Mapping[str, Any]) -> dict[str, Any]:
    total = sum(sizes.counts)
    intervals = f"{1 - rules.level:.4g} intervals" if given.get("look") else f"{1 - rules.level:.0%} intervals"
    kind = "always valid " if rules.peek else ""
    parts = [
        f"{plural(total, 'unit')} in {len(sizes.arms)} arms",
        f"{kind}{intervals}",
        f"p corrected by {all_corrections()[correction].title}",
    ]
    if rules.peek and rules.mixture is None:
        parts.append(f"tightest at {tightest(rules.planned):,} units")
    if given.get("look"):
        parts.append(f"look {given['look']}, significant below {rules.level:.2g}")
    return {
        "control": sizes.control,
        "sizes_p": sizes.p,
        "sizes_test": sizes.method,
        "level": rules.level,
        "correction": correction,
        "peek": rules.peek,
        "planned": given.get("planned"),
        "seed": rules.seed,
        "caption": "; ".join(parts),
    }
