"""Problems with the rows of a file: columns, numbers, duplicates, cases."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import NAME, either, option
from plumbline.errors.registry import Message, diagnostic
from plumbline.errors.usage import numbers_of_lists


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
        f"item {item} is listed twice in case {case} (first at {first_place(first, place)})",
        place,
        f"keep one copy with {option('on_duplicate', 'first', 'last', 'best')}{unless_systems(first, place)}",
    )


@diagnostic("E105", "An item is judged twice with different grades")
def duplicate_judgement(place: Place, item: str, case: str, first: Place) -> Message:
    """A repeated judgement with the same grade is harmless and gives only a notice; different grades need a decision."""
    return Message(
        f"item {item} has two different grades in case {case} (first at {first_place(first, place)})",
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


@diagnostic("E199", "A row of a run has no tag")
def no_tag(place: Place, tags: list[str]) -> Message:
    """If some rows name their system, it is unclear to which system the others belong."""
    return Message(
        f"the row has no run tag, and others have ({listing(tags)})",
        place,
        f"name its system, read only the rows of one with {option('tag', NAME)}, or all as one run with {option('tag', 'any')}",
    )


@diagnostic("E187", "Files of one system have several run tags")
def several_tags_of_files(path: str, tags: list[str]) -> Message:
    """The files of a folder, or of a pattern with a name, are one system together; a run tag tells systems apart."""
    return Message(f"{len(tags)} run tags in files of one system ({listing(tags)})", Place(path), _each_a_system(path))


@diagnostic("E188", "Files that belong together have different columns")
def other_columns(path: str, first: str) -> Message:
    """The files of a folder, or of a pattern with a name, are one gold or one output together, so that all are read alike."""
    return Message(
        f"other columns or other kinds of values than in {first}", Place(path), "write all files of a gold or a system alike"
    )


@diagnostic("E108", "Gold and system seem to be swapped")
def swapped(place: Place, looks_like: str, columns: int, expected: str) -> Message:
    """The gold comes first on the command line, the systems follow."""
    return Message(
        f"looks like {looks_like} ({columns} columns) where {expected} should be: are the arguments swapped?",
        place,
        f"give {expected.partition(' (')[0]} here; where a gold and systems are given, the gold comes first",
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
    remedy = f"give {numbers_of_lists('gold' if what == 'grade' else what)}" if value.startswith("[") else "write a JSON number"
    return Message(f"the {what} of item {item} in case {case} is {value}, not a number", Place(path), remedy)


@diagnostic("E114", "An id is not text")
def bad_id(place: Place, what: str, reason: str) -> Message:
    """Ids are text and are compared character by character: "007" is not "7"."""
    return Message(f"the {what} id {reason}", place, "write ids as text")


@diagnostic("E115", "Gold and system have no case in common")
def no_common_case(path: str, gold: str, in_gold: list[str], in_system: list[str]) -> Message:
    """The case ids of both files are compared as text. If none is shared, every score would be a meaningless 0."""
    examples = [listing(cases, 3) or "no column of cases" for cases in (in_gold, in_system)]
    return Message(
        f"no case in common: {gold} has {examples[0]}; {path} has {examples[1]}",
        Place(path),
        "check that both files use the same case ids"
        if in_gold and in_system
        else "give both files a column of cases, or neither",
    )


@diagnostic("E116", "Two systems have the same name")
def same_name(name: str, first: str, second: str) -> Message:
    """A system is named after its file; two files of one name in different folders need names of their own."""
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


@diagnostic("E123", "A quoted field does not end")
def open_quote(place: Place) -> Message:
    """A field that starts with a quotation mark goes on, across line ends too, until the next single one."""
    return Message("a quoted field does not end", place, "close the quotation mark, or write two of them inside the field")


@diagnostic("E125", "Gold and system have no item in common")
def no_common_item(path: str, gold: str, in_gold: list[str], in_system: list[str]) -> Message:
    """The item ids of both files are compared as text. If none is shared, nothing can be scored."""
    return Message(
        f"no item in common: {gold} has {listing(in_gold, 3)}; {path} has {listing(in_system, 3)}",
        Place(path),
        "check that both files use the same item ids, and the same case ids if there are cases",
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


def first_place(first: Place, place: Place) -> str:
    """Where something was first: the line, or the file and the line if that is another file."""
    return first.brief if first.path == place.path else str(first)


def unless_systems(first: Place, place: Place) -> str:
    """What to type if two files of one system were meant as two systems; nothing if both rows are in one file."""
    return "" if first.path == place.path else "; " + _each_a_system("runs/")


def _each_a_system(path: str) -> str:
    """What to type if the files of a folder are systems."""
    pattern = path if "*" in path else f"{path.rstrip('/')}/*"
    return "if each file is a system, give a pattern without a name, such as " + either(f'"{pattern}"', f"'{pattern}'")
