"""Problems with tables of scores that are to be compared: their form, their values, their cases."""

from __future__ import annotations

from typing import Final

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import COLUMN, option
from plumbline.errors.registry import Message, diagnostic

SIZE: Final = "number of labels"
"""What stands in the place of folds on a learning curve."""
FORMS: Final = (
    "long (system,case,metric,value / A,q1,AP,0.31), wide (system,case,AP,P@10 / A,q1,0.31,0.4) "
    "or a matrix of one metric (case,A,B / q1,0.31,0.28)"
)
"""The forms of tables of scores, each with an example: a header and a row."""


@diagnostic("E158", "The form of a table of scores is unclear")
def unknown_form(place: Place, reason: str, advice: str | None = None) -> Message:
    """Scores come in one of three forms, which the names of the columns distinguish.

    Long: `system, case, metric, value`. Wide: `system, case` and a column for each metric. Matrix: a row for each case and a
    column for each system, all of one metric, which is named after the file or given as `METRIC=FILE`; a column with the cases
    is not needed. Usual names are understood: model, run, method, team; topic, query, task, dataset, instance, user; measure;
    score, result. With `METRIC=FILE`, a table with a system column and no case column has a row for each system and a column
    for each case.
    """
    return Message(reason, place, f"give {FORMS}{'; ' + advice if advice else ''}")


@diagnostic("E159", "A column is ambiguous")
def two_columns(place: Place, what: str, columns: list[str]) -> Message:
    """Each column has a name of its own, and one of them is the system, one the case, one the metric, one the value.

    If several columns identify a case (a data set and a query), join them into one.
    """
    return Message(
        f"{what}: {listing(columns, 12)}", place, "give each column a name of its own, and rename those that are not meant"
    )


@diagnostic("E396", "The column of runs or folds is not there")
def no_such_column(place: Place, role: str, name: str, columns: list[str]) -> Message:
    """Repeated runs of a system, and folds of cross-validation, are told apart by a column of the table of scores."""
    stated = f"the columns are {listing(columns, 12)}" if columns else "scores in nested dicts have no columns"
    remedy = f"name it with {option('sizes', COLUMN)}" if role == SIZE else "name a column of the table"
    return Message(f"no column {name!r} for the {role}; {stated}", place, remedy)


@diagnostic("E379", "Several pairs of systems could be meant")
def unclear_pair(systems: list[str]) -> Message:
    """A verdict is about two systems. If there are more, name two, or one that is compared with the baseline."""
    return Message(f"there are {len(systems)} systems, and a verdict is about two", None, f"name two of {listing(systems)}")


@diagnostic("E160", "A score is not a number")
def bad_score(place: Place, whose: str, value: str, reason: str) -> Message:
    """Scores are decimal numbers such as 3, -0.5 or 1e-3, between -1e300 and 1e300.

    NA, NaN, null and an empty field are missing values, and are counted. In a column with nothing else true is 1, false 0.
    """
    return Message(f"the score {value!r} of {whose} {reason}", place, "write a decimal number, or NA; or leave out the column")


@diagnostic("E161", "A score occurs twice with different values")
def two_scores(place: Place, whose: str, values: tuple[str, str], first: str) -> Message:
    """A system has one value of a metric in a case; which of two is right is not guessed. Equal values give only a notice."""
    return Message(
        f"{whose} is {values[1]} here and {values[0]} before ({first})",
        place,
        f"keep one row; compare takes {option('runs', 'COLUMN')} for repeated runs; or tell the cases apart in the case column",
    )


@diagnostic("E162", "Nearly all scores are missing")
def too_sparse(systems: int, cases: int, metrics: int, count: int) -> Message:
    """All systems are compared on the same cases; where each case has one system, columns are probably confused."""
    sides = ", ".join([plural(systems, "system"), plural(cases, "case"), plural(metrics, "metric")])
    return Message(
        f"{sides}, and only {plural(count, 'value')}",
        None,
        "check which columns are the system and the case",
    )


@diagnostic("E163", "There are no scores")
def no_scores(what: str) -> Message:
    """There is nothing to compare if every value is NA, NaN, null or empty."""
    return Message(f"{what} has no value in any case", None, "check how the table was written")


@diagnostic("E164", "Metrics cover different cases")
def other_cases(place: Place | None, reason: str) -> Message:
    """Rows of matrices without a case column are the cases in their order, so all matrices have as many.

    Matrices with a case column name their cases the same way.
    """
    return Message(reason, place, "add a case column to each file, with the same names")


@diagnostic("E165", "A file of several metrics was given one name")
def several_metrics(place: Place, name: str, metrics: list[str]) -> Message:
    """`METRIC=FILE`, or a dict `{metric: source}`, names the only metric of a file."""
    return Message(
        f"{name} is one metric, and the file has {len(metrics)}: {listing(metrics)}", place, "give the file without a name"
    )


@diagnostic("E166", "The metrics cannot be weighted this way")
def unfit_metrics(what: str, reason: str, advice: str) -> Message:
    """F (the weighted harmonic mean) and the geometric mean are for metrics of 0 and more that are better when higher.

    A metric that is better when lower, or that can be negative, does not fit: turning its sign makes it negative, and
    any other transformation (one minus it, one divided by it) would be an arbitrary choice of scale. The weighted
    arithmetic mean takes such metrics with their sign turned; its weights are then rates of exchange between the units of
    the metrics. Curves over one weight need exactly two metrics; shares of all weightings take any number.
    """
    return Message(f"{what}: {reason}", None, advice)


@diagnostic("E167", "There is nothing to compare")
def one_system(systems: list[str]) -> Message:
    """A comparison needs two systems at least."""
    given = f"only {systems[0]}" if systems else "none"
    return Message(f"a comparison needs two systems, there is {given}", None, "give the scores of another one")


@diagnostic("N237", "The direction of a metric is assumed")
def direction(metrics: list[str], reason: str, likely: str | None = None) -> Message:
    """Whether higher or lower is better is known for the metrics of plumbline, and given by `--lower` for others.

    Lookup is by the name of the metric, in every task.
    """
    return Message(
        f"{listing(metrics, 8)}: {reason}", None, f"{option('lower', likely)} if lower is better there" if likely else None
    )


@diagnostic("N238", "The meaning of columns was guessed")
def taken_as(place: Place | None, reason: str, advice: str | None = None) -> Message:
    """A table without all of system, case, metric and value can often be read in one sensible way; the notice says which."""
    return Message(reason, place, advice)


@diagnostic("N239", "Scores occur twice")
def scores_twice(place: Place, count: int, whose: str) -> Message:
    """Rows with the same system, case, metric and value are counted once."""
    return Message(f"{plural(count, 'score')} occur twice with the same value and are counted once: {whose}", place)


@diagnostic("N240", "Some scores are missing")
def no_values(count: int, total: int, metrics: list[str], examples: list[str], systems: list[str]) -> Message:
    """NA, NaN, null, empty fields and undefined values are not 0: such cases are left out wherever the value is needed.

    Pairs of systems are compared on the cases in which both have values.
    """
    none = f"; no value at all: {listing(systems)}" if systems else ""
    verb = "is" if count == 1 else "are"
    which = f"{listing(metrics, 8)}): {listing(examples, 3, count)}"
    return Message(f"{count:,} of {plural(total, 'score')} {verb} missing and left out ({which}{none}")


@diagnostic("N241", "Systems have different cases")
def different_cases(lacking: list[str], systems: int, cases: int, common: int) -> Message:
    """Pairs of systems are compared on the cases that both have; means are over the cases of each system."""
    return Message(
        f"{len(lacking)} of {plural(systems, 'system')} lack some of the {plural(cases, 'case')}, "
        f"{common:,} of which all have: {listing(lacking)}",
    )


@diagnostic("N242", "Too few draws to show a difference")
def too_few_draws(draws: int, needed: int, level: float) -> Message:
    """A p-value from n draws is at least 1/n; after a correction for very many pairs it cannot be small."""
    return Message(
        f"with {plural(draws, 'draw')} no difference can be significant at {level:g} after the correction for that many pairs",
        None,
        f"{option('resamples', needed)} would do; or name a {option('baseline')}, or take {option('test', 't')}, "
        f"{option('test', 'randomised_tukey')} or {option('correction', 'benjamini_hochberg')}",
    )


@diagnostic("N243", "An alpha has no effect")
def no_alpha(metrics: int) -> Message:
    """`--alpha` weighs the first of two metrics against the second; one metric stands alone, and more weigh the same."""
    return Message(
        f"{option('alpha')} is for two metrics, and has no effect on {plural(metrics, 'metric')}",
        None,
        f"choose two with {option('metrics')}",
    )


@diagnostic("N281", "Metrics are combined by the arithmetic mean")
def no_harmonic_mean(lower: list[str], negative: list[str]) -> Message:
    """F is a harmonic mean, which needs metrics of 0 and more that are better when higher.

    Others are combined by the arithmetic mean, with the sign turned where lower is better; the weight is then a rate of
    exchange between the units of the metrics.
    """
    reasons = [f"{listing(lower)} better when lower"] if lower else []
    reasons += [f"{listing(negative)} below 0 in some cases"] if negative else []
    return Message(
        f"combined by the arithmetic mean instead of F: {' and '.join(reasons)}",
        None,
        f"{option('mean', 'arithmetic')} says that you want it",
    )


@diagnostic("N246", "Rows with means were left out")
def means_left_out(case: str) -> Message:
    """Tables that programs print often end with the means, as rows of a case named all; plumbline computes the means itself."""
    return Message(f"rows of the case {case!r} are taken for means and left out", None, "if it is a case, give it another name")


@diagnostic("E456", "Errors of estimates are not compared")
def only_errors(metrics: list[str]) -> Message:
    """The error of an estimate tells how much it varies with the items that were drawn for judging; it is not a score."""
    return Message(
        f"{listing(metrics)} cannot be compared: errors are not scores", None, "name metrics such as xinfAP or statAP"
    )


@diagnostic("N448", "Errors of estimates are left out")
def errors_left_out(metrics: list[str]) -> Message:
    """Two kinds of variation are kept apart.

    An estimate from a sample of the pool varies with the items that were drawn, which its error measures. A comparison asks
    whether systems would differ on other cases. The estimates of all cases vary already with what was drawn, and adding their
    errors would count that twice.
    """
    return Message(f"{listing(metrics)} left out: errors from drawing items are not scores; differences are tested over cases")
