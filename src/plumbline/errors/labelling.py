"""Problems with the labels of items: unknown ones, missing ones, scores in their place."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import NUMBER, option, switch
from plumbline.errors.registry import Message, diagnostic
from plumbline.errors.table import first_place, unless_systems


@diagnostic("E124", "A label is missing or is not a label")
def bad_label(place: Place, reason: str) -> Message:
    """Every item of the gold has a label; labels are text, and are compared character by character."""
    return Message(f"the label {reason}", place, "write the label as text")


@diagnostic("E195", "Gold and system have no label in common")
def no_common_label(
    path: str, gold: str, in_gold: list[str], in_system: list[str], *, numbers: bool, filtering: bool = False
) -> Message:
    """Labels are compared as text. If none is shared, every answer would be wrong, which says nothing about the system.

    Where the gold or the system has a single label, the answers may just be wrong, and are scored with a notice.
    Numbers in the place of labels may be scores: `--threshold` is the score from which an item counts as positive. A class that
    the gold happens not to have is no error if the classes are declared. In filtering, `--positive` may name the positive
    labels of both files.
    """
    ways = ["write the same labels in both files"]
    if numbers:
        filter_first = "" if filtering else f"{option('task', 'filtering')} and "
        ways.append(f"read numbers as scores with {filter_first}{option('threshold', NUMBER)}")
    if filtering:
        ways.append(f"name the positive labels of both with {option('positive')}")
    else:
        ways += [f"declare the classes with {option('classes')}", f"evaluate clusters with {option('task', 'clustering')}"]
    return Message(
        f"no label in common: {gold} has {listing(in_gold, 3)}; {path} has {listing(in_system, 3)}",
        Place(path),
        f"{', '.join(ways[:-1])}, or {ways[-1]}",
    )


@diagnostic("E126", "No item has the positive label")
def no_such_positive(path: str, positive: list[str], labels: list[str], near: list[str]) -> Message:
    """`--positive` names labels of the gold, character by character."""
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return Message(
        f"no item is labelled {' or '.join(map(repr, positive))}; the labels are {listing(labels, 8)}{hint}",
        Place(path),
        "name the positive label as the gold writes it",
    )


@diagnostic("E127", "The positive label is unknown")
def which_is_positive(path: str, labels: list[str]) -> Message:
    """A filter separates one class of interest from the rest.

    Words such as 1/0, true/false, yes/no, positive/negative and relevant/irrelevant are understood; for others
    `--positive` names the class of interest, and every other label is negative.
    """
    needs = "filtering needs 2 classes" if len(labels) > 2 else "filtering needs to know the positive class"  # noqa: PLR2004
    return Message(
        f"{needs}, found {len(labels)} ({listing(labels, 8)})",
        Place(path),
        f"pass {option('positive', *labels[-1:], *labels[:-1][:2], between=' or ')}, "
        f"or evaluate with {option('task', 'classification')}",
    )


@diagnostic("E128", "Scores need a threshold")
def needs_threshold(path: str, least: float, most: float) -> Message:
    """Scores between 0 and 1 are read as probabilities, positive from 0.5; others need `--threshold`."""
    return Message(
        f"scores from {least:g} to {most:g} and no labels: which of them are positive?",
        Place(path),
        f"pass {option('threshold', NUMBER)}: items with this score or a higher one are positive; "
        f"if they are rankings, pass {option('task', 'ranking')}",
    )


@diagnostic("E129", "A score is not a probability")
def not_probabilities(metrics: list[str], score: float) -> Message:
    """BrierScore and LogLoss compare scores with the truth, 0 or 1, so scores must lie between."""
    return Message(
        f"{listing(metrics)}: score {score:g} is not between 0 and 1", None, "give probabilities, or choose AUC, AP or EER"
    )


@diagnostic("E130", "A label is not among the classes")
def undeclared_class(path: str, labels: list[str], declared: list[str]) -> Message:
    """`--classes` names all classes of the gold, in their order."""
    return Message(
        f"{plural(len(labels), 'label')} of the gold not among the classes {listing(declared, 8)}: {listing(labels)}",
        Place(path),
        f"name every class in {option('classes')}",
    )


@diagnostic("E196", "A part of a class name is empty")
def empty_part(path: str, labels: list[str], separator: str) -> Message:
    """With `--hierarchy /` the class a/b is below the class a, so a//b, /a and a/ lack the name of a class."""
    return Message(
        f"{plural(len(labels), 'label')} with an empty part before, between or after {separator!r}: {listing(labels)}",
        Place(path),
        f"correct them, or give the text between the parts with {option('hierarchy')}",
    )


@diagnostic("E131", "Items have no answer")
def missing_items(path: str, items: list[str], count: int, total: int) -> Message:
    """Raised only with `--missing-items error`."""
    return Message(
        f"{count:,} of {plural(total, 'item')} without an answer: {listing(items, total=count)}",
        Place(path),
        f"choose another rule for them: {option('missing_items')}",
    )


@diagnostic("E132", "An output has no labels")
def no_label(path: str, *, scores: bool = False) -> Message:
    """A classifier gives every item a label, or several.

    Numbers alone are scores: of rankings, or of the positive class of a filter.
    """
    columns = option("columns", "label=NAME")
    if scores:
        task = f"{option('task', 'filtering')} with {option('positive', 'LABEL')}, or {option('task', 'ranking')}"
        return Message(
            "no column with labels, only with scores",
            Place(path),
            f"{task}, uses the scores; {columns} names a column of labels",
        )
    return Message("no column with labels", Place(path), f"call the column label, or name it: {columns}")


@diagnostic("E133", "An item is labelled twice")
def duplicate_label(place: Place, item: str, case: str, first: Place) -> Message:
    """An item has one label unless several are allowed: with `--multilabel` every row adds a label to its item."""
    return Message(
        f"item {item} is labelled twice in case {case} (first at {first_place(first, place)})",
        place,
        f"keep one label with {option('on_duplicate', 'first', 'last')}; "
        f"a classifier may give several with {switch('multilabel')}{unless_systems(first, place)}",
    )


@diagnostic("E185", "A matrix of probabilities has other columns than classes")
def other_classes(path: str, columns: int, classes: list[str]) -> Message:
    """A matrix of probabilities has a row for each item and a column for each class, in the order of the classes.

    That is the order of `--classes`, or else that of the gold's labels: numbers by value, words by alphabet.
    """
    return Message(
        f"{plural(columns, 'column')} of probabilities for {len(classes)} classes ({listing(classes, 8)})",
        Place(path),
        f"name all classes in the order of the columns with {option('classes')}, or give the column of the positive class",
    )
