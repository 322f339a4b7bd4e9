"""Problems with the request: names, parameters, options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import listing, nearest, needing
from plumbline.errors.faces import FILE, either, option, switch
from plumbline.errors.registry import Message, diagnostic

if TYPE_CHECKING:
    from collections.abc import Sequence


UNKNOWN_METRIC: Final = "E301"
_ALL_METRICS: Final = either("plumbline.all_metrics(task)", "plumbline metrics")


@diagnostic(UNKNOWN_METRIC, "The metric is unknown")
def unknown_metric(name: str, near: list[str], homes: Sequence[str] = ()) -> Message:
    """`plumbline metrics` lists all names; lookup ignores case, and trec_eval's names are accepted.

    A metric of another task is known only there; choose the task with `--task`.
    """
    hint = f": did you mean {' or '.join(near)}?" if near else ""
    way_out = f"evaluate with {option('task', *homes, between=' or ')}" if homes else f"{_ALL_METRICS} lists all names"
    known = bool(homes) and not near
    return Message(f"{name!r} is a metric of another task" if known else f"unknown metric {name!r}{hint}", None, way_out)


@diagnostic("E400", "The metrics are of several tasks")
def metrics_apart(task: str, others: list[str], homes: list[str]) -> Message:
    """All metrics of a request are of one task; `--task` chooses it, and `plumbline metrics` lists its metrics."""
    listed = "; ".join(f"{name} is of {home}" for name, home in zip(others, homes, strict=True))
    return Message(
        f"no task has all these metrics: {listed}; the others are of {task}",
        None,
        f"leave out {listing(others, 4)}, or ask for the metrics of one task at a time",
    )


@diagnostic("E302", "A metric name cannot be read")
def malformed_name(name: str, reason: str) -> Message:
    """Names are written `Name(parameter=value,...)@cutoff`, for example `nDCG(gain=exp)@10`."""
    return Message(f"cannot read the metric name {name!r}: {reason}", None, "write for example nDCG(gain=exp)@10")


@diagnostic("E303", "A parameter is unknown")
def unknown_parameter(metric: str, parameter: str, known: list[str]) -> Message:
    """`plumbline metrics NAME` shows the parameters of a metric."""
    return Message(f"{metric} has no parameter {parameter!r}", None, f"it has {listing(known, 12)}" if known else "it has none")


@diagnostic("E304", "A parameter is out of range")
def bad_parameter(metric: str, parameter: str, value: str, rule: str) -> Message:
    """Every parameter has a rule; `plumbline metrics NAME` shows it."""
    return Message(f"{metric}: {parameter} = {value} is not allowed", None, f"{parameter} must be {rule}")


@diagnostic("E305", "A parameter is missing")
def missing_parameter(metric: str, parameter: str, example: str) -> Message:
    """Some metrics have no sensible default for their main parameter."""
    return Message(f"{metric} needs {parameter}", None, f"write for example {example}")


@diagnostic("E306", "The option is not available")
def bad_option(name: str, value: str, allowed: list[str]) -> Message:
    """The option accepts only the values that the help names."""
    near = nearest(value.lower(), allowed, n=1)
    hint = f": did you mean {near[0]}?" if near else ""
    return Message(f"{name} = {value!r} is not known{hint}", None, f"choose {'|'.join(allowed)}")


@diagnostic("E183", "The columns cannot be understood")
def bad_columns(meaning: str, meanings: list[str]) -> Message:
    """`--columns` names the column of each meaning once, such as `--columns case=user_id,item=asin,score=proba`."""
    wrong = f"gives {meaning!r} no column, or there is no such meaning" if meaning else "names a meaning twice"
    example = either('columns={"case": "user_id", "item": "asin"}', "--columns case=user_id,item=asin")
    return Message(f"{option('columns')} {wrong}", None, f"write for example {example}; meanings are {listing(meanings, 12)}")


@diagnostic("E184", "No file has the column")
def no_such_columns(columns: list[str]) -> Message:
    """A column that `--columns` names is in the gold or in an output. Files without a heading have no names for columns."""
    which = "column" if len(columns) == 1 else "columns"
    return Message(
        f"{option('columns')} names the {which} {listing(columns)}, and no file has {'it' if len(columns) == 1 else 'them'}",
        None,
        "write the name as in the first line of the file",
    )


@diagnostic("E370", "The reader does not fit the task")
def unfit_reader(name: str, about: str, fitting: list[str]) -> Message:
    """Some formats hold only clusterings or labels, and are read where a task needs those."""
    return Message(
        f"the reader {name} cannot be used here; it reads {about}", None, f"choose {'|'.join(fitting)}, or another task"
    )


@diagnostic("E397", "The word for all run tags is a run tag")
def tag_named_any(path: str, word: str) -> Message:
    """`any` reads all rows as one run. If a run has that name, it is not clear whether that run is meant."""
    return Message(
        f"{path} has a run that is called {word}, and {option('tag', word)} reads all runs as one",
        None,
        "give that run another tag, or put the runs into files of their own",
    )


@diagnostic("E308", "There is no such case or system")
def unknown_name(what: str, name: str, near: list[str]) -> Message:
    """The name is compared as text with those in the files."""
    hint = f"did you mean {' or '.join(near)}?" if near else f"check the {what} names"
    return Message(f"there is no {what} {name!r}", None, hint)


@diagnostic("E353", "The name of a metric is expected")
def no_name_of_a_metric(kind: str) -> Message:
    """Metrics are given by their names, as text."""
    return Message(
        f"a metric is given by its name, not by a value of type {kind}",
        None,
        'give a name such as "nDCG@10", or a list of names',
    )


@diagnostic("E309", "The data cannot be understood")
def bad_object(given: str, expected: str) -> Message:
    """From Python, data can be paths, dicts, data frames or file objects."""
    return Message(f"cannot read {given}", None, f"give {expected}")


def numbers_of_lists(name: str) -> str:
    """What to write where a case has a list of ids."""
    numbered = "dict.fromkeys(ids, 1)" if name == "gold" else "{item: -place for place, item in enumerate(ids)}"
    return f"a dict {{case: {{item: number}}}}; a list of ids{'' if name == 'gold' else ', best first,'} becomes {numbered}"


@diagnostic("E310", "An extra package is needed")
def needs_extra(what: str, extra: str) -> Message:
    """Rarely needed packages are extras, so that the installation stays small."""
    return Message(f"{what} needs a package that is not installed", None, f"pip install 'plumbline[{extra}]'")


@diagnostic("E360", "A package is needed")
def needs_package(what: str, package: str) -> Message:
    """Some results can be handed to another library, which then has to be installed."""
    return Message(f"{what} needs the package {package}, which is not installed", None, f"pip install {package}")


@diagnostic("E361", "The output format is unknown")
def unknown_format(name: str, near: list[str], known: list[str]) -> Message:
    """Every result can be written in every output format; `plumbline COMMAND --help` lists them."""
    hint = f"did you mean {near[0]}? " if near else ""
    return Message(f"there is no output format {name!r}", None, f"{hint}choose {'|'.join(known)}")


@diagnostic("E362", "An output format cannot hold the result")
def format_needs_scores(name: str, result: str) -> Message:
    """The layout of trec_eval has a metric, a case and a value on each line, so it can hold only scores of systems."""
    return Message(
        f"the format {name} holds scores of systems, not a result of the kind {result}", None, "choose another format"
    )


@diagnostic("E311", "The code is unknown")
def unknown_code(code: str, known: list[str]) -> Message:
    """Codes look like E104 or N201."""
    return Message(f"no diagnostic has the code {code!r}", None, f"the codes are {', '.join(known)}")


@diagnostic("E312", "A metric needs an order")
def needs_order(metrics: list[str]) -> Message:
    """`--ties levels` keeps items with equal scores together as one level.

    Metrics that take the list as a set, and Reliability and Sensitivity, can be computed from levels; others look at ranks.
    """
    return Message(
        f"{needing(metrics)} an order, and {option('ties', 'levels')} leaves equal scores without one",
        None,
        f"use {option('ties', 'id', 'average', 'best', 'worst')}",
    )


@diagnostic("E317", "There is no confusion matrix")
def no_confusion() -> Message:
    """A confusion matrix counts how often items of one class were given another, so every item needs exactly one label."""
    return Message(
        "a confusion matrix needs one label per item", None, "choose P, R, F(P,R) with average=none for several labels"
    )


@diagnostic("E321", "A metric needs features")
def needs_features(metrics: list[str], *, only_distances: bool) -> Message:
    """Internal criteria look at the items themselves: at their features, or at the distances between them.

    Silhouette and Dunn need distances, which features have too; the others need features.
    """
    if only_distances:
        return Message(f"{needing(metrics)} features, not distances alone", None, f"give {option('features', FILE)}")
    return Message(
        f"{needing(metrics)} the features of items, or their distances",
        None,
        f"give {option('features', FILE)} or {option('distances', FILE)}",
    )


@diagnostic("E319", "The distance is given already")
def distance_is_given(metrics: list[str]) -> Message:
    """Distances that are given take precedence over features, so the parameter `distance` would have no effect."""
    return Message(f"{listing(metrics, 4)}: distances were given", None, "leave out the parameter distance, or the distances")


@diagnostic("E320", "A metric needs a gold")
def needs_gold(metrics: list[str]) -> Message:
    """Without a gold only internal criteria can be computed, such as Silhouette and Dunn."""
    return Message(f"{needing(metrics)} a gold", None, "use plumbline.evaluate(gold, systems, ...)")


@diagnostic("E324", "Relations of both kinds cannot be explained together")
def both_kinds(metric: str) -> Message:
    """A loss has a cause within one kind of relations only: `over=both` and `over=joint` are about two kinds."""
    name = metric.partition("(")[0]
    return Message(f"{metric} is over both kinds of relations", None, f"ask for {name}(over=priority) or {name}(over=related)")


@diagnostic("E325", "An option is for another task")
def not_for_task(given: str, task: str, homes: list[str]) -> Message:
    """An option that would change nothing is refused, so that nobody relies on it."""
    return Message(
        f"{given} has no meaning for {option('task', task)}",
        None,
        f"leave it out; it is for {option('task', *homes, between=' or ')}",
    )


@diagnostic("E350", "The case is not named")
def which_case(count: int, cases: list[str]) -> Message:
    """`plumbline why` explains one score, so the case has to be named if there are several."""
    return Message(
        f"there are {count:,} cases, and none is named", None, f"add {option('case', *cases[:2], between=' or ')}, for example"
    )


@diagnostic("E351", "A mean over orders has no terms")
def no_terms_of_a_mean() -> Message:
    """With ties="average" a score is the mean over all orders of equal scores, which is not a sum of terms of one order."""
    return Message(
        f"{option('ties', 'average')} cannot be broken down into terms",
        None,
        f"use {option('ties', 'id', 'best', 'worst')} to look at one order",
    )


@diagnostic("E352", "Too many equal scores with different grades")
def too_many_ranks(rows: int) -> Message:
    """With `--ties average` an item may be at every rank of its equal scores, and each grade is looked at there.

    Thousands of equal scores whose items have thousands of different grades need more memory than machines have.
    """
    return Message(
        f"{option('ties', 'average')} needs {rows:,} ranks of a single list",
        None,
        f"use {option('ties', 'id', 'best', 'worst')}, or fewer different grades",
    )


@diagnostic("E339", "An option needs another one")
def goes_with(given: str, other: str) -> Message:
    """An option that would change nothing is refused, so that nobody relies on it."""
    return Message(f"{given} changes nothing without {other}", None, f"add {other}, or leave {given} out")


@diagnostic("E318", "Two metrics do not make a trade-off")
def not_a_trade_off(metrics: list[str]) -> Message:
    """A sweep weighs two metrics against each other by F, so both must be better when higher."""
    return Message(
        f"{listing(metrics)}: a trade-off needs two metrics that are better when higher",
        None,
        either('e.g. metrics=["Purity", "InvPurity"]', "e.g. -m Purity -m InvPurity"),
    )


@diagnostic("E313", "A metric needs one label per item")
def needs_single_labels(metrics: list[str]) -> Message:
    """Some metrics have a meaning only where every item has exactly one label."""
    return Message(
        f"{listing(metrics, 4)}: items have several labels", None, "choose Accuracy, HammingLoss, P, R, F(P,R), Jaccard or ICM"
    )


@diagnostic("E314", "A metric needs several labels per item")
def needs_several_labels(metrics: list[str]) -> Message:
    """An average over items (`average=samples`) has a meaning only where items can have several labels."""
    return Message(
        f"{listing(metrics, 4)}: items have one label",
        None,
        f"choose average=macro|micro|weighted, or pass {switch('multilabel')}",
    )


@diagnostic("E315", "A metric is text and not a number")
def not_a_number(metrics: list[str]) -> Message:
    """A string of grades can be looked at case by case, but neither combined nor compared."""
    return Message(f"{listing(metrics, 4)}: text, not a number", None, "choose metrics that are numbers, such as AP")


@diagnostic("E371", "The option is unknown or does not fit")
def bad_keyword(function: str, problem: str, advice: str) -> Message:
    """Every public function says in `help()` which options it has and what each of them takes."""
    return Message(f"{function}: {problem}", None, advice)
