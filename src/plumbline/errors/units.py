"""Problems with items as the units of a comparison, and with clusters of items."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E390", "Clusters have items of several classes")
def mixed_clusters() -> Message:
    """Draws that keep the number of items of each class cannot draw clusters whose items belong to several classes."""
    return Message(
        "a cluster has items of several classes, so that the numbers of each class cannot be kept",
        None,
        "draw without clusters, or without keeping the numbers of each class",
    )


@diagnostic("E398", "Folds have a test of their own")
def one_test_of_folds(test: str, others: list[str]) -> Message:
    """Folds share their training data, so other tests would find differences that are not there.

    The corrected resampled t test (Nadeau and Bengio 2003) widens the spread over folds by the share of items that is tested.
    """
    return Message(
        f"the test {test} is not for folds: they share training data, and its p would be too small",
        None,
        f"leave {option('test')} out, and the corrected resampled t test is used; there are {listing(others)}",
    )


@diagnostic("E399", "A test needs other folds")
def other_folds(test: str, wanted: str, repeats: int, folds: int) -> Message:
    """The 5x2cv tests are made for five repeats of two folds, and have no meaning for others."""
    verb = "is" if repeats == 1 else "are"
    return Message(
        f"the test {test} is for {wanted}, and here there {verb} {plural(repeats, 'repeat')} of {plural(folds, 'fold')}",
        None,
        f"split with {option('repeats', '5')} and {option('folds', '2')}, or leave {option('test')} out",
    )


@diagnostic("E402", "Single answers are not known")
def no_answers(test: str, metrics: list[str]) -> Message:
    """McNemar's test counts the items that only one system got right, and so needs right and wrong answers, each item once."""
    return Message(
        f"the test {test} counts right and wrong answers, each item once, and {listing(metrics)} is not that",
        None,
        f"compare a table with 1 for right and 0 for wrong, or outputs by Accuracy, without repeats; or no {option('test')}",
    )


@diagnostic("E391", "The column of units is not there")
def no_such_column(place: Place | None, name: str, columns: list[str], near: list[str]) -> Message:
    """Units are named by a column of the gold beside item and label: the user, the document or the speaker of each item."""
    hint = f"; did you mean {near[0]}?" if near else ""
    return Message(
        f"the gold has no column {name!r}; its columns are {listing(columns, 12)}{hint}",
        place,
        "name one of them",
    )


@diagnostic("E392", "A file of the gold has no further columns")
def no_columns(label: str, name: str, reader: str) -> Message:
    """Units are read from a column with a name, which tables with a header, JSON Lines and data frames have."""
    return Message(
        f"{label} was read as {reader}, in which no column is called {name!r}",
        None,
        f"write a header line such as item,label,{name}",
    )


@diagnostic("E393", "Items have no unit")
def without_unit(items: list[str], count: int, total: int) -> Message:
    """Every item of the gold belongs to one cluster; an item that stands alone is a cluster of its own, under its own name."""
    return Message(
        f"{count:,} of {plural(total, 'item')} have no cluster: {listing(items, 3, count)}",
        None,
        "give every item of the gold one",
    )


@diagnostic("E394", "An item has two units")
def two_units(item: str, names: list[str]) -> Message:
    """The rows of an item, such as those of its labels, belong to the same cluster."""
    return Message(f"item {item} is in {listing(names)}", None, "give all rows of an item the same cluster")


@diagnostic("E395", "Items are not the units of the comparison")
def no_units(reason: str, help_: str = "") -> Message:
    """Items can be exchanged and drawn one by one where a metric is computed from decisions about single items."""
    return Message(reason, None, help_ or "give more cases: the significance test takes each case as one observation")
