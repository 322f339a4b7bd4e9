"""Problems with the rows of a file: columns, numbers, duplicates, cases."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import NAME, NUMBER, either, option, switch
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E101", "A line has the wrong number of columns")
def wrong_columns(place: Place, count: int, expected: int, layout: str) -> Message:
    """A TREC run has six columns (case, Q0, item, rank, score, tag), TREC judgements have four (case, 0, item, grade).

    A short last line usually means that the file was cut. A longer line often has white space, or another separator, in an id.
    """
    if count < expected:
        return Message(
            f"{plural(count, 'column')}, expected {expected} ({layout}); was the file cut?", place, "correct the line"
        )
    return Message(
        f"{plural(count, 'column')}, expected {expected} ({layout}); does a value hold a separator?",
        place,
        "write ids without separators, put values between quotation marks in CSV, or use JSON",
    )


@diagnostic("E102", "A value is not a number")
def not_a_number(place: Place, what: str, text: str) -> Message:
    """Scores and grades are decimal numbers such as 3, -0.5 or 1e-3. Hexadecimal numbers and words are not read as 0."""
    return Message(f"{what} {text!r} is not a decimal number", place, "write it as a decimal number, e.g. 3, -0.5 or 1e-3")


@diagnostic("E103", "A number is NaN or infinite")
def not_finite(place: Place, what: str, text: str) -> Message:
    """NaN cannot be compared, and an infinite score hides the order of everything beyond it."""
    name = "NaN; NaN has no order" if "nan" in text.lower() else f"infinite or too large ({text})"
    return Message(f"{what} is {name}", place, "write a finite number")


@diagnostic("E104", "An item is listed twice in one case")
def duplicate_item(place: Place, item: str, case: str, first: Place) -> Message:
    """A ranking lists an item once; counted twice, a relevant item would lift the score above what is possible."""
    return Message(
        f"item {item} is listed twice in case {case} (first at {first.brief})",
        place,
        f"keep one copy with {option('on_duplicate', 'first', 'last', 'best')}",
    )


@diagnostic("E105", "An item is judged twice with different grades")
def duplicate_judgement(place: Place, item: str, case: str, first: Place) -> Message:
    """A repeated judgement with the same grade is harmless and gives only a notice; different grades need a decision."""
    return Message(
        f"item {item} has two different grades in case {case} (first at {first.brief})",
        place,
        f"keep one grade with {option('on_duplicate', 'first', 'last', 'best')}",
    )


@diagnostic("E106", "A grade is out of range")
def grade_out_of_range(place: Place, grade: str) -> Message:
    """Grades may be fractional and negative, but not beyond plus or minus 2,147,483,647."""
    return Message(f"grade {grade} is out of range", place, "grades lie between -2147483647 and 2147483647")


@diagnostic("E107", "One file holds several systems")
def several_tags(path: str, tags: list[str]) -> Message:
    """The run tag tells systems apart; items of two systems must not be mixed into one ranking."""
    return Message(
        f"{len(tags)} run tags in one file ({listing(tags)})",
        Place(path),
        f"split the file, choose one with {option('tag', NAME)}, or read all rows as one run with {option('tag', 'any')}; "
        "columns with a heading, such as system,case,item,score, may hold several systems",
    )


@diagnostic("E108", "Gold and system seem to be swapped")
def swapped(place: Place, looks_like: str, columns: int, expected: str) -> Message:
    """The gold comes first on the command line, the systems follow."""
    return Message(
        f"looks like {looks_like} ({columns} columns) where {expected} is expected: are the arguments swapped?",
        place,
        "the gold comes first, then the systems",
    )


@diagnostic("E109", "A column is missing")
def missing_column(place: Place, what: str, known: list[str], columns: list[str], guess: str | None) -> Message:
    """Tables need a column for the case, one for the item and one for the score or grade, under any usual name."""
    hint = f"; did you mean {guess}?" if guess else ""
    return Message(
        f"no column for the {what}; the columns are {listing(columns, 12)}{hint}",
        place,
        f"name the column one of: {', '.join(known)}; or say which it is with {_columns(what)}; "
        f"if the files hold something else, name it with {option('task')}",
    )


def _columns(what: str) -> str:
    """The option that names the column of a meaning; of two, the last one will do."""
    meaning = what.rpartition(" ")[2]
    return either(f'columns={{"{meaning}": "NAME"}}', f"--columns {meaning}=NAME")


@diagnostic("E110", "The separator is not supported")
def semicolons(place: Place) -> Message:
    """Spreadsheets of some languages write semicolons between columns and commas inside numbers."""
    return Message(
        "one column found: is the separator ';', and are the numbers written with a decimal comma?",
        place,
        "save the file with commas or tabs as separator and decimal points",
    )


@diagnostic("E111", "The file is not valid JSON")
def bad_json(place: Place, reason: str) -> Message:
    """JSON has no NaN, Infinity, comments or trailing commas; in JSON Lines every line is one complete object."""
    return Message(f"not valid JSON: {reason}", place, "write it with a JSON library")


@diagnostic("E112", "The JSON has an unexpected shape")
def json_shape(place: Place, shape: str, example: str) -> Message:
    """An object of objects (case, item, number) or a list of records with named fields is expected."""
    return Message(f"found {shape}", place, f"expected for example {example}")


@diagnostic("E113", "A value in the JSON has the wrong type")
def json_value(path: str, case: str, item: str, value: str, what: str) -> Message:
    """Scores and grades are JSON numbers. Text is rejected, because "10" sorts before "9"."""
    return Message(f"the {what} of item {item} in case {case} is {value}, not a number", Place(path), "write a JSON number")


@diagnostic("E114", "An id is not text")
def bad_id(place: Place, what: str, reason: str) -> Message:
    """Ids are text and are compared character by character: "007" is not "7"."""
    return Message(f"the {what} id {reason}", place, "write ids as text")


@diagnostic("E115", "Gold and system have no case in common")
def no_common_case(path: str, gold: str, in_gold: list[str], in_system: list[str]) -> Message:
    """The case ids of both files are compared as text. If none is shared, every score would be a meaningless 0."""
    return Message(
        f"no case in common: {gold} has {listing(in_gold, 3)}; {path} has {listing(in_system, 3)}",
        Place(path),
        "check that both files use the same case ids",
    )


@diagnostic("E116", "Two systems have the same name")
def same_name(name: str, first: str, second: str) -> Message:
    """A system is called after its file; two files of one name in different folders need names of their own."""
    return Message(
        f"two systems are called {name}: {first} and {second}",
        Place(second),
        "name them: "
        + either('{"a": "dir1/run.txt", "b": "dir2/run.txt"}', "plumbline evaluate GOLD a=dir1/run.txt b=dir2/run.txt"),
    )


@diagnostic("E117", "A value is undefined")
def undefined_value(metric: str, system: str, cases: list[str], reason: str) -> Message:
    """Raised only with `--undefined error`."""
    return Message(
        f"{metric} of {system} is undefined in {plural(len(cases), 'case')} ({listing(cases)}): {reason}",
        None,
        f"leave such cases out of the mean with {option('undefined', 'skip')}",
    )


@diagnostic("E118", "A case is missing")
def missing_case(path: str, cases: list[str], judged: int) -> Message:
    """Raised only with `--missing error`."""
    return Message(
        f"{len(cases)} of {plural(judged, 'judged case')} missing: {listing(cases)}",
        Place(path),
        f"count them as worst with {option('missing', 'worst')}",
    )


@diagnostic("E198", "A grade is not a probability")
def not_a_probability(metric: str, grade: float) -> Message:
    """Grades that are taken as probabilities lie between 0 and 1, as `plumbline clicks` writes them."""
    return Message(
        f"{metric}: the gold has grade {grade:g}, which is not a probability",
        None,
        "give a gold of probabilities, or leave prob out",
    )


@diagnostic("E119", "A grade is above the given maximum")
def grade_above_max(metric: str, given: float, grade: float) -> Message:
    """A maximum grade that the gold exceeds would give probabilities above 1."""
    return Message(
        f"{metric}: the gold has grade {grade:g}, above the maximum {given:g}",
        None,
        f"give a maximum of at least {grade:g}, or none to take it from the gold",
    )


@diagnostic("E122", "A gain is too large")
def gain_too_large(largest: float, grade: float) -> Message:
    """The exponential gain 2^grade - 1 of such a grade is beyond what a 64-bit number can hold."""
    return Message(
        f"gain=exp: the gold has grade {grade:g}, and 2^grade is too large beyond {largest:g}", None, "use gain=linear"
    )


@diagnostic("E120", "An id cannot be written in this format")
def unwritable_id(path: str, what: str, identifier: str) -> Message:
    """TREC files separate columns by white space, so an id with white space cannot be written there."""
    return Message(f"{what} id {identifier!r} holds white space", Place(path), "write to CSV, JSON or Parquet instead")


@diagnostic("E121", "The saved result cannot be read")
def not_saved(path: str, expected: str = "a result", actual: str = "") -> Message:
    """`plumbline.load` reads files that the method `save` of a result wrote, and `Scores.load` those that hold scores."""
    but = f", but of saved {actual}" if actual else ""
    return Message(
        f"not a file of saved {expected.removeprefix('a ')}{but}",
        Place(path),
        either("save a result with its method save", "save scores with plumbline evaluate -o FILE.parquet"),
    )


@diagnostic("E124", "A label is missing or is not a label")
def bad_label(place: Place, reason: str) -> Message:
    """Every item of the gold has a label; labels are text, and are compared character by character."""
    return Message(f"the label {reason}", place, "write the label as text")


@diagnostic("E123", "A quoted field does not end")
def open_quote(place: Place) -> Message:
    """A field that starts with a quotation mark goes on, over line ends too, until the next one that stands alone."""
    return Message("a quoted field does not end", place, "close the quotation mark, or write two of them inside the field")


@diagnostic("E125", "Gold and system have no item in common")
def no_common_item(path: str, gold: str, in_gold: list[str], in_system: list[str]) -> Message:
    """The item ids of both files are compared as text. If none is shared, nothing can be scored."""
    return Message(
        f"no item in common: {gold} has {listing(in_gold, 3)}; {path} has {listing(in_system, 3)}",
        Place(path),
        "check that both files use the same item ids, and the same case ids if there are cases",
    )


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
        ways.append(f"read numbers as scores with {option('threshold', NUMBER)}")
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
def no_label(path: str) -> Message:
    """A classifier gives every item a label, or several."""
    return Message("no column with labels", Place(path), "name the column label")


@diagnostic("E133", "An item is labelled twice")
def duplicate_label(place: Place, item: str, case: str, first: Place) -> Message:
    """An item has one label unless several are allowed: with `--multilabel` every row adds a label to its item."""
    return Message(
        f"item {item} is labelled twice in case {case} (first at {first.brief})",
        place,
        f"keep one label with {option('on_duplicate', 'first', 'last')}; "
        f"a classifier may give several with {switch('multilabel')}",
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


@diagnostic("E186", "A feature is too large")
def feature_too_large(place: Place, item: str, value: float, largest: float) -> Message:
    """Distances between items are sums of squares, which overflow for such numbers."""
    return Message(
        f"a feature of {item} is {value:g}, and squares of numbers beyond {largest:g} overflow", place, "scale the features"
    )


@diagnostic("E181", "Arrays have different lengths")
def different_lengths(path: str, length: int, in_gold: int) -> Message:
    """Values in arrays belong together by their place, so the gold and every output have as many of them."""
    return Message(
        f"{plural(length, 'value')} in the output, {in_gold:,} in the gold",
        Place(path),
        "give arrays of the same items in the same order; dicts and frames may leave items out",
    )
