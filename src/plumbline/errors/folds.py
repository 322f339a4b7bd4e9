"""Problems with folds: what cannot be split, and what leaks."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E480", "Too few items to split")
def too_few(what: str, number: int, folds: int) -> Message:
    """Every fold needs an item to test, or a whole group, or a moment of its own."""
    return Message(
        f"{plural(number, what)} cannot make {folds} folds", None, f"give {option('folds')} up to {number}, or more data"
    )


@diagnostic("E481", "Too many sets to leave out")
def too_many_sets(sets: int, items: int, left_out: int, most: int) -> Message:
    """Leaving out every set of p items makes a fold for each of them."""
    return Message(
        f"there are {sets:,} sets of {left_out} of {items:,} items, more than {most:,}",
        None,
        f"use {option('folds')} with {option('repeats')} instead",
    )


@diagnostic("E482", "A column of items is not there")
def no_column(path: str, name: str, columns: list[str]) -> Message:
    """Folds are made by columns of the table of items."""
    return Message(f"no column {name}", Place(path), f"the columns are {listing(columns)}")


@diagnostic("E483", "A moment cannot be read")
def not_a_moment(path: str, row: int, text: str) -> Message:
    """Times are numbers, dates such as 2026-03-01, or dates with a time of day."""
    return Message(f"row {row}: {text!r} is neither a number nor a date", Place(path), "write dates as 2026-03-01")


@diagnostic("E484", "A duration cannot be read")
def bad_duration(text: str) -> Message:
    """A gap has the unit of the column of times: a number, or days, hours, minutes and seconds where it has dates."""
    return Message(f"gap {text!r} cannot be read", None, "write 7d, 12h, 30m or 45s for dates, a number for numbers")


@diagnostic("E485", "Ways to split contradict each other")
def contradiction(names: list[str]) -> Message:
    """Items are split in one way at a time."""
    return Message(f"{listing(names)} cannot go together", None, "leave one of them out")


@diagnostic("E486", "An item is named twice")
def item_twice(path: str, name: str, first: int, second: int) -> Message:
    """Folds name items, so that each must have a name of its own."""
    return Message(
        f"item {name} stands in rows {first} and {second}", Place(path), f"name another column with {option('item')}, or none"
    )


@diagnostic("E487", "The folds do not belong to the items")
def foreign_items(path: str, names: list[str], number: int) -> Message:
    """Every item of the folds must be in the table of items."""
    return Message(f"{plural(number, 'item')} of the folds not in the items: {listing(names)}", Place(path), "check the files")


@diagnostic("E489", "Nothing is left to train on")
def nothing_to_train_on(fold: int, gap: str) -> Message:
    """The gap before the first test is longer than all that came before it."""
    return Message(f"nothing is left to train on before fold {fold} with a gap of {gap}", None, "a shorter gap, or fewer folds")


@diagnostic("E490", "A share is not between 0 and 1")
def bad_share(share: float) -> Message:
    """Something must be trained on, and something tested."""
    return Message(f"{option('hold_out')} {share:g} leaves one part empty", None, "give a share between 0 and 1, such as 0.2")


@diagnostic("N480", "A class is missing from a fold")
def missing_class(where: list[str], number: int) -> Message:
    """Metrics of a class are undefined in a fold whose test or training part does not have it."""
    return Message(
        f"a class is missing in {plural(number, 'part')} of folds: {listing(where)}",
        None,
        f"{option('stratify')} or fewer folds",
    )


@diagnostic("N481", "Folds differ in size")
def uneven(smallest: int, largest: int, reason: str) -> Message:
    """Groups and moments are kept whole, so that folds cannot have the same size."""
    return Message(f"folds have {smallest:,} to {largest:,} items: {reason}")


@diagnostic("N482", "Items are in no test")
def untested(number: int, names: list[str], reason: str) -> Message:
    """Means over folds say nothing about items that are never tested."""
    return Message(f"{plural(number, 'item')} in no test: {listing(names)}{reason}")
