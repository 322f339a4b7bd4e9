"""Problems with experiments: arms, units and metrics that cannot be analysed, and what should be known about a result."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, nearest, plural
from plumbline.errors.faces import COLUMN, option, switch
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E500", "A column of an experiment is not there")
def unknown_column(name: str, columns: list[str]) -> Message:
    """Metrics are columns of the table of units, ratios of two columns, or quantiles of one."""
    near = nearest(name, columns, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the columns are {listing(columns, 12)}"
    return Message(f"there is no column {name!r}", None, hint)


@diagnostic("E501", "The column of the arms is not known")
def no_column(path: str, what: str, columns: list[str]) -> Message:
    """A table of units has a column that says in which arm each unit is, called variant, group or arm, say."""
    return Message(
        f"no column is called {what}", Place(path), f"name it with {option(what)}; the columns are {listing(columns, 12)}"
    )


@diagnostic("E502", "There are no units")
def no_units(path: str) -> Message:
    """An experiment needs a row for each unit, or for each arm where units were counted."""
    return Message("there is no row below the heading", Place(path), "give a table with a row for each unit")


@diagnostic("E503", "A table has no heading")
def no_header(path: str) -> Message:
    """Units are a table whose columns have names."""
    return Message("this is not a table with named columns", Place(path), "write a heading such as unit,variant,converted")


@diagnostic("E504", "Too few or too many arms")
def wrong_arms(path: str, column: str, arms: list[str], number: int) -> Message:
    """An experiment compares a control with one arm or with several; an arm without any unit cannot be compared."""
    if number < 2:  # noqa: PLR2004 - a control and another arm
        return Message(
            f"{column} has {plural(number, 'arm')}: {listing(arms)}",
            Place(path),
            f"name another column with {option('variant')}",
        )
    return Message(
        f"{column} has {number:,} different values, such as {listing(arms, 3)}: they do not look like arms",
        Place(path),
        f"name another column with {option('variant')}",
    )


@diagnostic("E505", "An arm has no unit")
def empty_arm(name: str, arms: list[str]) -> Message:
    """Every arm that is named must have units; an empty one points to a fault of the assignment or of the log."""
    return Message(f"no unit is in arm {name!r}", None, f"the arms are {listing(arms)}")


@diagnostic("E506", "The shares of the arms cannot be read")
def bad_shares(text: str, arms: list[str]) -> Message:
    """Shares are numbers above 0, one for each arm: those of 50:50 are in the order of the arms, the control first.

    They lie between a millionth and a million.
    """
    example = ",".join(f"{arm}=1" for arm in arms[:3])
    return Message(
        f"shares {text!r} do not fit the arms {listing(arms)}", None, f"write {':'.join('1' for _ in arms)} or {example}"
    )


@diagnostic("E507", "A unit is in two arms")
def unit_in_two_arms(place: Place | None, unit: str, arms: list[str], number: int, first: Place | None = None) -> Message:
    """A unit that saw two variants tells nothing about either, and shows that the assignment failed.

    If there are few, `--on-duplicate drop` leaves them out of the analysis, and a notice says how many there were.
    """
    others = f"; {number - 1:,} others likewise" if number > 1 else ""
    before = "" if first is None or first.line is None else f" (first at line {first.line:,})"
    return Message(f"unit {unit} is in {' and in '.join(arms[:3])}{before}{others}", place, option("on_duplicate", "drop"))


@diagnostic("E508", "A unit has several rows")
def unit_twice(place: Place | None, unit: str, rows: int, number: int) -> Message:
    """Rows of one unit are not independent: standard errors would be too small.

    `--on-duplicate sum` adds up the rows of each unit, as for a table with a row for each session.
    """
    return Message(
        f"unit {unit} has {plural(rows, 'row')}; {plural(number, 'unit')} with several",
        place,
        f"{option('on_duplicate', 'sum')} adds them up, or name another column with {option('unit')}",
    )


@diagnostic("E509", "A value is not a number")
def not_a_value(place: Place, column: str, text: str, number: int) -> Message:
    """Values of metrics are finite numbers, or yes and no; an empty cell is a missing value."""
    others = f"; {number - 1:,} other cells likewise" if number > 1 else ""
    return Message(f"{column}: {text!r} is not a finite number{others}", place, "correct it, or leave the cell empty")


@diagnostic("E510", "A column does not hold numbers")
def not_numbers(path: str, column: str, kind: str) -> Message:
    """Metrics are made of numbers, or of yes and no."""
    return Message(f"column {column} holds {kind}, not numbers", Place(path), "choose another column")


@diagnostic("E511", "There is nothing to measure")
def no_metrics(path: str, columns: list[str]) -> Message:
    """Unless metrics are named, every column of numbers is one, apart from units, arms and what was before the start."""
    return Message(
        "no column of numbers is left to be a metric",
        Place(path),
        f"the columns are {listing(columns, 12)}; {option('metrics', COLUMN)} says which cell is not a number",
    )


@diagnostic("E512", "There is no such metric")
def unknown_metric(name: str, metrics: list[str]) -> Message:
    """Margins, covariates and directions name a metric of the experiment."""
    near = nearest(name, metrics, n=1)
    return Message(
        f"there is no metric {name!r}", None, f"did you mean {near[0]}?" if near else f"there are {listing(metrics)}"
    )


@diagnostic("E513", "The metric of a covariate is not clear")
def whose_covariate(name: str, metrics: list[str]) -> Message:
    """A covariate belongs to one metric: the only one, or the one whose column its name begins with."""
    return Message(f"which metric does {name} predict?", None, f"write METRIC={name}; the metrics are {listing(metrics)}")


@diagnostic("E514", "A ratio needs a ratio from before")
def covariate_of_ratio(metric: str, covariate: str) -> Message:
    """The covariate of a ratio is the same ratio from before the start, or else it is on another scale."""
    return Message(
        f"{metric} is a ratio, and {covariate} is not", None, "write both columns, such as clicks_before / views_before"
    )


@diagnostic("E515", "A quantile cannot have this")
def quantile_has_no(metric: str, what: str) -> Message:
    """Quantiles are not sums, so they can neither be adjusted, nor watched, nor made of sums."""
    return Message(f"{metric} is a quantile, which has no {what}", None, "leave the metric or the option out")


@diagnostic("E516", "An arm has no value of a metric")
def no_values(metric: str, arm: str, reason: str) -> Message:
    """A mean needs a unit with a value, and a ratio a denominator other than 0 in every arm."""
    return Message(f"{metric} is undefined in arm {arm}: {reason}", None, "check the column, or leave the metric out")


@diagnostic("E517", "A look cannot be read")
def bad_look(text: str) -> Message:
    """Group-sequential bounds need the number of planned looks, and which of them this is."""
    return Message(f"look {text!r} cannot be read", None, "write 2/5 for the second of five equally spaced looks")


@diagnostic("E518", "Options of an experiment contradict each other")
def contradiction(first: str, second: str, reason: str) -> Message:
    """Both cannot be followed at once, and neither is left out silently."""
    return Message(f"{first} and {second} cannot go together: {reason}", None, "leave one of them out")


@diagnostic("E519", "Counted sums do not fit")
def bad_sums(path: str, reason: str) -> Message:
    """A table of sums has a row for each arm with `n`, and for each quantity `x_sum` and `x_sum_of_squares`.

    Ratios and covariates need `x_y_sum_of_products` too. With one quantity, or a column `metric`, `sum` and `sum_of_squares`
    do. Shares need no sum of squares.
    """
    return Message(reason, Place(path), "write variant,n,orders_sum,orders_sum_of_squares")


@diagnostic("E520", "The arms share too few values to be paired")
def nothing_paired(column: str, number: int) -> Message:
    """Pairs are values of a column, such as days, on which both arms have units; there must be two at least."""
    return Message(f"both arms share {plural(number, 'value')} of {column}", None, f"leave {option('paired')} out")


@diagnostic("E521", "A plan lacks a number")
def incomplete_plan(reason: str) -> Message:
    """A plan needs what is known of the metric, and two of these three: the change to detect, the units and the power."""
    return Message(reason, None, f"for example {option('baseline', 0.2)} {option('detect', 0.01)}")


@diagnostic("E522", "A change cannot be detected")
def impossible_change(reason: str) -> Message:
    """The share that results must lie between 0 and 1, and a change must not be 0."""
    return Message(reason, None, f"give another {option('detect')}")


@diagnostic("E523", "The rows of a table cannot be read")
def unreadable_rows(path: str, reason: str) -> Message:
    """Large tables are read piece by piece; a line with too many columns, or a damaged piece, stops that."""
    return Message(f"the rows cannot be read: {reason}", Place(path), "check the file with plumbline check")


@diagnostic("E524", "Values are too large")
def too_large(path: str, column: str) -> Message:
    """Squares of values must not exceed the largest number that computers calculate with."""
    return Message(
        f"{column}: the squares of its values are too large to be added", Place(path), "use a larger unit of measurement"
    )


@diagnostic("N500", "The arms have the wrong sizes")
def mismatch(counts: list[str], shares: str, p: str, *, withheld: bool) -> Message:
    """A sample ratio mismatch: if units are assigned as planned, such sizes are improbable.

    Some units of an arm got lost, or were assigned in another way, and they may differ from the rest: the effect cannot be
    trusted. Below 0.001 the verdict is withheld unless `--accept-imbalance` is given.
    """
    consequence = "no verdict" if withheld else "find out why before you trust the effect"
    advice = f"look for lost units; {switch('accept_imbalance')} gives a verdict all the same" if withheld else None
    return Message(f"{', '.join(counts)}: with {shares} this has {p}, a sample ratio mismatch; {consequence}", None, advice)


@diagnostic("N501", "Units without an arm")
def no_arm(number: int) -> Message:
    """Rows whose arm is empty cannot be compared."""
    return Message(f"{plural(number, 'row')} without an arm, left out")


@diagnostic("N502", "Units without a value")
def missing_values(metric: str, number: int, total: int) -> Message:
    """Units without a value of a metric are left out of this metric; if arms lose different units, effects are distorted."""
    return Message(f"{number:,} of {plural(total, 'unit')} without a value of {metric}, left out of it")


@diagnostic("N503", "A covariate differs between the arms")
def covariate_differs(covariate: str, arm: str, p: str) -> Message:
    """Before the start arms differ by chance only; a covariate that differs may have been measured after it.

    Adjusting for something that the variant changed takes away a part of its effect.
    """
    return Message(f"{covariate} differs between the control and {arm} ({p}): was it measured before the start?")


@diagnostic("N504", "The experiment looks as if it were still running")
def still_running(reason: str) -> Message:
    """Ordinary p-values are right for one look, at the planned end.

    Whoever looks often, and stops at a good moment, finds effects that are not there.
    """
    return Message(
        f"this looks like an experiment that is still running: {reason}", None, f"{switch('peek')} keeps the error rate"
    )


@diagnostic("N505", "Units were dropped")
def dropped(number: int) -> Message:
    """Units that are in two arms were left out, as requested."""
    return Message(f"{plural(number, 'unit')} in two arms, left out")


@diagnostic("N506", "No column names the units")
def unnamed_units() -> Message:
    """Whether a unit is in two arms, or has several rows, can only be checked if units have names."""
    return Message("no column names the units, so that every row counts as one", None, f"name it with {option('unit')}")


@diagnostic("N507", "A segment is small")
def small_segments(number: int, names: list[str], least: int) -> Message:
    """A segment with few units varies a lot, but counts as much as any other segment in UIR."""
    return Message(f"{plural(number, 'segment')} with fewer than {least} units in an arm: {listing(names)}")


@diagnostic("N508", "The control was guessed")
def guessed_control(name: str, arms: list[str]) -> Message:
    """No arm is called control, A or 0, so the first one in the alphabet stands in for it."""
    return Message(f"{name} is taken as the control of {listing(arms)}", None, option("control"))


@diagnostic("N509", "A planned size was assumed")
def assumed_plan(units: str) -> Message:
    """Intervals that are always valid are tightest at one size, which should be the planned one."""
    return Message(
        f"intervals are tightest at {units} units, as no plan was given", None, f"tell the plan with {option('planned')}"
    )


@diagnostic("N510", "Sums without squares")
def no_squares(names: list[str]) -> Message:
    """Without a sum of squares a quantity can only be a share: its values are 0 and 1."""
    return Message(f"{listing(names)}: no sum of squares, taken as yes or no")


@diagnostic("N511", "Values that only one arm has")
def unpaired(column: str, number: int) -> Message:
    """Pairs need units of both arms."""
    return Message(f"{plural(number, 'value')} of {column} with units of one arm only, left out")


@diagnostic("N512", "A covariate is not used")
def unused_covariates(names: list[str]) -> Message:
    """A column from before the start that predicts a metric makes its interval narrower, at no cost."""
    return Message(f"{listing(names)} could make intervals narrower", None, option("before", names[0]))
