"""Problems with evaluations in parts."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import either, option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E700", "A list is in two parts")
def cut_list(path: str, case: str, lists: int) -> Message:
    """A list is what one system returned for one case. Each part is scored by itself, so a list must be in one part."""
    return Message(
        f"{plural(lists, 'list')} of the system in more than one part, such as case {case}",
        Place(path),
        "put all rows of a list into one part",
    )


@diagnostic("E701", "A task cannot be scored in parts")
def whole_task(task: str, possible: list[str]) -> Message:
    """Rankings and organizations are scored list by list, labels and clusters counted item by item, spans document by document.

    How to cut a task that another package registered is unknown.
    """
    return Message(
        f"the task {task} cannot be scored in parts", None, f"leave out {option('engine')}; engines score {listing(possible)}"
    )


@diagnostic("E702", "A size of memory cannot be read")
def bad_size(text: str) -> Message:
    """A size is a number with a unit: kB, MB, GB and TB are powers of 1,000; KiB, MiB, GiB and TiB are powers of 1,024."""
    return Message(f"{text!r} cannot be read as a size of memory", None, f"write {option('memory', '4GB')}")


@diagnostic("E703", "The memory is too small")
def little_memory(given: int, least: int) -> Message:
    """Python and the libraries for tables take some memory before anything is read."""
    return Message(
        f"{given:,} bytes of memory are too few: at least {least:,} are needed", None, f"write {option('memory', '1GB')}"
    )


@diagnostic("E704", "An engine does not support an option")
def refused_option(name: str, engine: str, reason: str) -> Message:
    """An option that an engine does not support is refused, so that nobody relies on it."""
    return Message(f"the engine {engine} cannot keep {option(name)}: {reason}", None, f"leave out {option('engine')}")


@diagnostic("E705", "A list is too long for one part")
def large_list(path: str, case: str, rows: int, most: int) -> Message:
    """A list is scored by itself, so all its rows must fit into the memory of one worker."""
    return Message(
        f"the list of case {case} has {rows:,} rows or more, and a part can have {most:,}",
        Place(path),
        "write shorter lists: metrics with a cutoff need no more rows than that",
    )


@diagnostic("E706", "The gold is too large for the memory")
def large_gold(path: str, rows: int, needed: int, memory: int, least: int) -> Message:
    """The gold is kept in memory until the end, and what is made of it too; the program and a block of outputs come on top."""
    enough = f"{-(-least // 10**8) / 10:g}GB"
    return Message(
        f"the gold has {plural(rows, 'row')}, which take about {needed:,} of {memory:,} bytes of memory",
        Place(path),
        f"allow more with {option('memory', enough)}, or split the cases of the gold among several runs",
    )


@diagnostic("E707", "Frames live on clusters of several libraries")
def several_libraries(libraries: list[str], engine: str | None) -> Message:
    """A frame on a cluster is scored by its own library, which cannot see those of another one."""
    asked = "" if engine is None else f", and the engine is {engine}"
    return Message(
        f"there are frames of {' and '.join(libraries)}{asked}: each library scores its own frames",
        None,
        "evaluate those of each library by themselves, or turn one into a frame of pandas with toPandas() or compute()",
    )


@diagnostic("E708", "There is no space for the scores")
def large_scores(path: str, needed: int, space: int) -> Message:
    """Large tables of scores are kept in temporary files while systems are compared, in the folder that `TMPDIR` names."""
    return Message(
        f"comparing the values takes about {needed:,} bytes of temporary files, and {space:,} bytes are free",
        Place(path),
        "set TMPDIR to a folder with more space, or compare by fewer metrics: " + either("metrics=['NAME']", "-m NAME"),
    )


@diagnostic("E709", "A metric needs every item")
def needs_items(metrics: list[str]) -> Message:
    """Parts become small by counting items that are alike. These metrics look at each item, or at its features."""
    return Message(
        f"{listing(metrics)}: every item is needed at once, which no engine offers",
        None,
        f"leave out {option('engine')}, or these metrics",
    )


@diagnostic("E710", "Items are too different to be counted together")
def different_items(path: str, kinds: int, most: int) -> Message:
    """Items with the same case, label and answer are counted together. Scores that metrics read make items different."""
    return Message(
        f"{kinds:,} different kinds of items, and {most:,} can be kept",
        Place(path),
        "round the scores, or request metrics of decisions instead of metrics of scores",
    )


@diagnostic("E711", "A format cannot be scored in parts")
def listed_documents(path: str, reader: str) -> Message:
    """An engine sees only rows.

    Formats that list documents, such as CoNLL, brat and JSON with texts, are compared with the gold to see whether both are
    about the same texts.
    """
    return Message(
        f"engines read tables of spans, and this is {reader}",
        Place(path),
        f"leave out {option('engine')}, or write a table with a row for each span: plumbline convert FILE FILE.csv",
    )


@diagnostic("E712", "Records on a cluster have no order")
def numbered_records(path: str) -> Message:
    """Records are assigned to those of the gold by best match, and by their order where several fit equally."""
    return Message(
        "there is a column of records, and rows of a frame on a cluster have no order", Place(path), "write the frame to files"
    )
