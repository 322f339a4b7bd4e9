"""Problems with folds: what cannot be split, and what leaks."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import COLUMN, option
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
        f"item {name} occurs in rows {first} and {second}", Place(path), f"name another column with {option('item')}, or none"
    )


@diagnostic("E487", "The folds do not belong to the items")
def foreign_items(path: str, names: list[str], number: int) -> Message:
    """Every item of the folds must be in the table of items."""
    return Message(f"{plural(number, 'item')} of the folds not in the items: {listing(names)}", Place(path), "check the files")


@diagnostic("E488", "A fold is not a number")
def not_a_number(path: str, row: int, column: str, text: str | None) -> Message:
    """The folds that are checked are numbered, and so are repeats, as `plumbline split` writes them."""
    problem = "is empty" if text is None else f"{text!r} is not a whole number"
    return Message(f"row {row}: the {column} {problem}", Place(path), "number folds and repeats from 0 or 1")


@diagnostic("E489", "Nothing is left to train on")
def nothing_to_train_on(fold: int, gap: str) -> Message:
    """The gap before the first test is longer than all that came before it."""
    return Message(f"nothing is left to train on before fold {fold} with a gap of {gap}", None, "a shorter gap, or fewer folds")


@diagnostic("E490", "A share is not between 0 and 1")
def bad_share(share: float) -> Message:
    """Something must be trained on, and something tested."""
    return Message(f"{option('hold_out')} {share:g} leaves one part empty", None, "give a share between 0 and 1, such as 0.2")


@diagnostic("E491", "An output has answers about what was trained on")
def leaked(place: Place | None, path: str, item: str, fold: str, tested_in: str, number: int) -> Message:
    """A learner knows what it was trained on, so such answers would make its scores too high.

    Every fold is tested with learners that have not seen its items. Answers about what a learner has seen are read only where
    their `part` is `train`; they are never mixed with the others.
    """
    tested = f"; fold {tested_in} tests it" if tested_in else ""
    more = f" ({plural(number, 'such answer')})" if number > 1 else ""
    return Message(
        f"item {item} is in the training part of fold {fold} and in its outputs{tested}{more}",
        place or Place(path),
        "give each item the answer of the fold that tests it; mark answers about training items by train in a column part",
    )


@diagnostic("E492", "An output names a fold that is not there")
def unknown_fold(place: Place, fold: str, known: list[str]) -> Message:
    """The folds of outputs are those of the file of folds, under the same names."""
    return Message(f"there is no fold {fold}", place, f"the folds are {listing(known)}")


@diagnostic("E493", "Outputs do not say which fold answered")
def needs_columns(path: str, times: int) -> Message:
    """An item that is tested in several repeats has an answer in each, and only columns can tell them apart."""
    return Message(
        f"items are tested {times} times, and the outputs do not say by which fold and repeat",
        Place(path),
        "write a column fold, and a column repeat if there are several",
    )


@diagnostic("E494", "Folds of items need a gold without cases")
def several_cases(path: str, cases: int) -> Message:
    """Each fold becomes a case. Where the gold has cases already, such as queries, whole cases are split."""
    return Message(
        f"the gold has {plural(cases, 'case')}, and the folds name items",
        Place(path),
        "split the cases instead: a table case,fold; or leave the case column out of the gold",
    )


@diagnostic("E495", "Whole cases are tested in several folds")
def cases_again(path: str) -> Message:
    """The items of an output show which repeat an answer is from; whole cases cannot show that."""
    return Message(
        "a case is tested in several folds or repeats", Place(path), "give one repeat, in which every case is tested once"
    )


@diagnostic("E496", "The folds do not belong to the gold")
def not_in_gold(path: str, gold: str, names: list[str], number: int) -> Message:
    """Everything that folds name must be in the gold, as its items or as its cases."""
    return Message(
        f"{plural(number, 'item')} of the folds not in {gold}: {listing(names, 5, number)}", Place(path), "check the files"
    )


@diagnostic("E497", "A number of labels cannot be read")
def not_a_size(column: str, text: str) -> Message:
    """A learning curve goes over numbers of labels, or shares of them, which are above 0."""
    return Message(f"{column} {text!r} is not a number from 1e-9 to 1e15", None, f"name another column with {option('sizes')}")


@diagnostic("E498", "Too few sizes for a learning curve")
def few_sizes(column: str, number: int, least: int) -> Message:
    """A curve has a limit, a gap and a speed, and so needs three sizes or more; four or more show whether it fits."""
    return Message(f"{column} has {plural(number, 'size')}, and a curve needs {least} or more", None, "train with more sizes")


@diagnostic("E499", "A table of scores has folds that were not named")
def unnamed_folds(place: Place, column: str) -> Message:
    """Folds share training data, so a plain test over them would find differences that are not there.

    A column that is called fold is neither a metric nor a system. Name it, so that a test made for folds is used, or leave it
    out, if folds do not matter.
    """
    return Message(
        f"the column {column} tells folds apart, which share training data: a plain test would have too small a p",
        place,
        f"name it with {option('folds', column)} (or {option('runs', column)} for repetitions), or leave the column out",
    )


@diagnostic("E479", "A part of a fold is unknown")
def unknown_part(path: str, row: int, text: str | None) -> Message:
    """An item of a fold is tested, trained on, or not named; no other word is taken for one of these."""
    problem = "is empty" if text is None else f"{text!r} is neither train nor test"
    return Message(f"row {row}: the part {problem}", Place(path), "write train or test, and leave out rows that are neither")


@diagnostic("N480", "A class is missing from a fold")
def missing_class(where: list[str], number: int, *, stratified: bool) -> Message:
    """Metrics of a class are undefined in a fold whose test or training part does not have it."""
    return Message(
        f"a class is missing in {plural(number, 'part')} of folds: {listing(where)}",
        None,
        "make fewer folds" if stratified else f"spread the classes with {option('stratify', COLUMN)}, or make fewer folds",
    )


@diagnostic("N481", "Folds differ in size")
def uneven(smallest: int, largest: int, reason: str) -> Message:
    """Groups and moments are not divided, so folds cannot have the same size."""
    return Message(f"folds have {smallest:,} to {largest:,} items: {reason}")


@diagnostic("N482", "Items are in no test")
def untested(number: int, names: list[str], reason: str) -> Message:
    """Means over folds say nothing about items that are never tested."""
    return Message(f"{plural(number, 'item')} in no test: {listing(names)}{reason}")


@diagnostic("N483", "Something is in no test")
def not_tested(path: str, what: str, names: list[str], number: int) -> Message:
    """What no fold tests is left out: items of the gold, and answers about other items."""
    return Message(f"{plural(number, what)} that no fold tests left out: {listing(names, 5, number)}", Place(path))


@diagnostic("N484", "A system has no learning curve")
def no_curve(systems: list[str], least: int) -> Message:
    """A curve needs scores of three sizes or more; sizes at which a system has no score are left out of its curve."""
    return Message(
        f"no curve for {listing(systems, 5, len(systems))}: fewer than {least} sizes with a score, "
        "or scores too large to add up"
    )
