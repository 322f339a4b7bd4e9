"""Notices about data: the work went on, and the user should know."""

from __future__ import annotations

from typing import Final

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import NUMBER, either, option
from plumbline.errors.registry import Message, diagnostic

_CLASSES: Final = either('classes=["A", "B", ...]', "--classes A,B,...")


@diagnostic("N201", "Judged cases are missing from a system")
def missing_cases(path: str, cases: list[str], judged: int, rule: str) -> Message:
    """Cases come from the gold. A system that does not answer a case gets the worst value there.

    `--missing skip` leaves such cases out of that system's mean, as trec_eval does without -c; means of different
    systems are then over different cases.
    """
    verb = "is" if len(cases) == 1 else "are"
    return Message(
        f"{len(cases)} of {plural(judged, 'judged case')} {verb} missing, {rule}: {listing(cases)}",
        Place(path),
    )


@diagnostic("N202", "A system answers cases that the gold does not have")
def extra_cases(path: str, cases: list[str]) -> Message:
    """A case without judgements cannot be scored, so it is ignored."""
    return Message(f"{plural(len(cases), 'case')} not in the gold, ignored: {listing(cases)}", Place(path))


@diagnostic("N203", "A metric is undefined in some cases")
def undefined_cases(metric: str, system: str, cases: list[str], total: int, reason: str, rule: str) -> Message:
    """Undefined is not 0. Such cases are left out of the mean unless `--undefined` says otherwise."""
    verb = "are" if ", " in metric else "is"
    where = f" in {len(cases)} of {plural(total, 'case')} ({listing(cases)})" if total > 1 else ""
    tail = f"; {rule}" if total > 1 else ""
    return Message(
        f"{metric} of {system} {verb} undefined{where}: {reason}{tail}",
        None,
        f"{option('undefined', 'zero')} counts them as 0, as trec_eval does" if "left out" in rule and total > 1 else None,
    )


@diagnostic("N204", "Some grades are fractional")
def fractional_grades(path: str, count: int, example: float) -> Message:
    """Fractional grades are used as they are: as gain by DCG and its kin, and compared with the relevance level."""
    return Message(
        f"{plural(count, 'fractional grade')} (such as {example:g}) used as given; relevant means grade >= rel (1 by default)",
        Place(path),
    )


@diagnostic("N205", "Equal scores decide much of the order")
def tied(path: str, tied: int, items: int, full: int, cases: int, rule: str | None) -> Message:
    """Where scores are equal, the tie rule decides the order, not the system.

    Scores rounded to few digits or stored in 16 bits make false ties. `--ties average` gives the expectation over
    all orders of equal scores, `--ties best` and `--ties worst` the bounds.
    """
    fully_tied = f"{full} of {plural(cases, 'case')} fully tied; " if full else ""
    share = f"{tied / max(items, 1):.0%} of the items share their score with another"
    decided = "these items share a level" if rule is None else f"the order is decided by {rule}"
    return Message(f"{fully_tied}{share}: {decided}", Place(path))


@diagnostic("N206", "No retrieved item is judged")
def nothing_judged(path: str, cases: int) -> Message:
    """Scores of 0 are right then, but say more about the gold than about the system; the item ids may not match."""
    return Message(
        f"0% of the retrieved items are judged, in {plural(cases, 'case')}: do the item ids match the gold's?", Place(path)
    )


@diagnostic("N207", "Ids match only after Unicode normalisation")
def normalisation(path: str, count: int, example: str) -> Message:
    """Ids are compared byte by byte; the same letters can be written in composed and decomposed form."""
    return Message(
        f"{plural(count, 'id')} would match the gold after Unicode normalisation (such as {example})",
        Place(path),
        "write both files in one form, e.g. NFC",
    )


@diagnostic("N208", "Repeated rows were ignored")
def repeated(path: str, count: int, what: str, example: Place, rule: str) -> Message:
    """A repeated judgement with the same grade changes nothing. Other repeats are kept as `--on-duplicate` says."""
    return Message(f"{plural(count, f'repeated {what}')} ignored ({rule}), such as {example}", Place(path))


@diagnostic("N209", "Some grades are negative")
def negative_grades(path: str, count: int) -> Message:
    """A negative grade is read as trec_eval reads it: in the pool, but not judged; never relevant, and its gain is 0."""
    return Message(f"{plural(count, 'negative grade')} read as unjudged: not relevant, gain 0", Place(path))


@diagnostic("N210", "A case has the name of the row of means")
def case_called_all(name: str) -> Message:
    """The mean is written as case `all`. A case of that name is written as `all (case)` in CSV and TSV.

    JSON and JSON Lines distinguish the two by the field `kind`.
    """
    return Message(f"a case is called {name!r}, like the row of means: it is written as {name + ' (case)'!r}")


@diagnostic("N211", "The order of equal scores was sampled")
def sampled_ties(metrics: list[str], lists: int, samples: int) -> Message:
    """With `--ties average` most metrics have an exact expectation.

    For the others all orders are tried where they are few, and a seeded sample is drawn where they are many.
    """
    return Message(f"{listing(metrics)}: mean over {samples:,} sampled orders of equal scores in {plural(lists, 'list')}")


@diagnostic("N212", "A file was read as this kind")
def read_as(path: str, reader: str, why: str) -> Message:
    """Shown with `--verbose`. `--reader` overrules the choice."""
    return Message(f"read as {reader}: {why}", Place(path))


@diagnostic("N213", "Control characters in names")
def control_characters(path: str, count: int) -> Message:
    """Names with control or direction characters are shown with these spelled out, so that they cannot act on a terminal."""
    return Message(f"{plural(count, 'case id')} with control characters, shown escaped", Place(path))


@diagnostic("N216", "Lists were cut")
def cut_lists(path: str, lists: int, depth: int) -> Message:
    """`--depth` looks only at the first items of each list, in the order that scores and the tie rule give."""
    return Message(f"{plural(lists, 'list')} cut after {depth:,} items", Place(path))


@diagnostic("N217", "Unjudged items were dropped")
def dropped_unjudged(path: str, items: int) -> Message:
    """`--judged-only` drops items without a judgement before ranking, so the others move up."""
    return Message(f"{plural(items, 'unjudged item')} dropped before ranking", Place(path))


@diagnostic("N215", "Text after the last column was ignored")
def extra_columns(path: str, count: int, example: str) -> Message:
    """trec_eval ignores what follows the last column of a line, so `--as trec_eval` does; otherwise it is an error."""
    return Message(f"{plural(count, 'line')} with text after the last column, ignored, such as {example}", Place(path))


@diagnostic("N218", "The first line may be a heading")
def maybe_heading(place: Place, line: str, heading: str) -> Message:
    """A file of labels needs no header; a first line with unknown column names counts as an item.

    It looks like a heading if it holds no digit, its label occurs on no other line, and the lines below are of another kind.
    Known column names, such as `item,label`, make a heading; `--reader plain` says that there is none.
    """
    return Message(
        f"the first line was read as data: {line!r}",
        place,
        f"if it is a heading, write {heading} in its place; if it is data, say so with {option('reader', 'plain')}",
    )


@diagnostic("N214", "A case is listed without items")
def empty_cases(path: str, cases: list[str]) -> Message:
    """A list without items is scored like a missing case; a case that a gold of labels lists without items is left out."""
    return Message(f"{plural(len(cases), 'case')} without items: {listing(cases)}", Place(path))


@diagnostic("N227", "A label looks like noise")
def maybe_noise(path: str, count: int, label: str) -> Message:
    """Clustering libraries give this label to items outside every cluster; without an option they form one cluster.

    `--noise=-1` makes each of these items a cluster of its own.
    """
    return Message(
        f"{plural(count, 'item')} labelled {label}, read as one cluster: noise? {_noise(label)} makes each its own", Place(path)
    )


def _noise(label: str) -> str:
    """The option with an equals sign: the usual label is -1, which looks like a flag."""
    return either(f'noise="{label}"', f"--noise={label}")


@diagnostic("N219", "A system answers items that the gold does not have")
def extra_items(path: str, items: list[str], count: int, *, counted: bool = False) -> Message:
    """An item without a label in the gold cannot be scored, so it is ignored. Items are matched within their case.

    In coreference it is a mention that the system invented: it makes its cluster larger and counts against precision, as
    `--missing-items one-sided` says.
    """
    fate = "counted by the output alone" if counted else "ignored"
    return Message(f"{plural(count, 'item')} not in the gold, {fate}: {listing(items, total=count)}", Place(path))


@diagnostic("N220", "Items have no answer")
def missing_items(path: str, items: list[str], count: int, total: int, rule: str) -> Message:
    """A filter's output is the set of what it accepts, so an item without an answer is negative.

    `--missing-items wrong` counts it as wrong. For a classifier it is wrong in any case. In a clustering it is a cluster
    of its own, or what `--missing-items one-cluster|drop|absent|one-sided` says; in files of coreference, `one-sided`.
    """
    return Message(
        f"{count:,} of {plural(total, 'item')} without an answer, {rule}: {listing(items, total=count)}", Place(path)
    )


@diagnostic("N221", "A system uses labels that the gold does not have")
def unknown_labels(path: str, count: int, near: list[tuple[str, str | None]], rule: str) -> Message:
    """Labels are text and compared character by character: "spam " is not "spam". Zeros after a point are ignored."""
    shown = ", ".join(f'"{text}"' + (f' (did you mean "{hint}"?)' if hint else "") for text, hint in near)
    more = f" and {count - len(near):,} more" if count > len(near) else ""
    return Message(f"{plural(count, 'label')} not in the gold, {rule}: {shown}{more}", Place(path))


@diagnostic("N290", "Numbers in the place of labels are read as scores")
def labels_are_scores(path: str, known: list[str]) -> Message:
    """Numbers that are not labels of the gold are scores, if the gold has two labels such as 0 and 1, or a threshold is given.

    `--threshold` is the score from which an item counts as positive. A column called `score` is always read as scores.
    """
    beside = f", as the labels of the gold are {listing(known, 3)}" if known else ""
    return Message(f"its numbers are read as scores, not as labels{beside}", Place(path))


@diagnostic("N291", "A label is written in two ways")
def respelled_labels(path: str, written: list[str], meant: list[str]) -> Message:
    """Zeros after a decimal point make no difference: `1.0` is `1`. The spelling of the gold is the one that is shown."""
    pairs = [f'"{one}" as "{other}"' for one, other in zip(written, meant, strict=True)]
    return Message(f"{plural(len(pairs), 'label')} read in the gold's spelling: {listing(pairs, 3)}", Place(path))


@diagnostic("N292", "A threshold changes nothing")
def idle_threshold(path: str) -> Message:
    """A threshold makes answers of scores; an output of labels has its answers already."""
    return Message(f"it has labels and no scores, so {option('threshold')} changes nothing", Place(path))


@diagnostic("N293", "A lowest grade changes nothing")
def idle_level(path: str, *, named: bool) -> Message:
    """`--rel` is the grade from which an item of the gold is positive; labels that are not numbers are not grades.

    `--positive` names the positive labels, and then grades do not matter either.
    """
    why = f"{option('positive')} names the positive labels" if named else "it has labels and no grades"
    return Message(f"{why}, so {option('rel')} changes nothing", Place(path))


@diagnostic("N298", "No class is above another")
def flat_hierarchy(path: str, separator: str) -> Message:
    """`--hierarchy` names the text between the parts of class names such as a/b, in which a is above b."""
    return Message(f"no label holds {separator!r}, so {option('hierarchy')} changes nothing here", Place(path))


@diagnostic("N296", "A separator splits no label")
def idle_separator(path: str, separator: str) -> Message:
    """`--label-separator` splits text into several labels; lists of labels, and files of clusters, need none."""
    return Message(f"no label holds {separator!r}, so {option('label_separator')} splits nothing here", Place(path))


@diagnostic("N297", "The task follows from the gold")
def inferred_task(task: str, reason: str) -> Message:
    """Without `--task` the task is that of the metrics, or ranking; a gold that cannot be ranked may say what it is."""
    return Message(f"evaluated as {task}: the gold {reason}", None, f"{option('task')} names another task")


@diagnostic("N277", "The task follows from the file")
def task_of_file(task: str, reason: str) -> Message:
    """Without `--task` a file is converted as a ranking, unless it cannot be one and says what it is."""
    return Message(f"read as {task}: the file {reason}", None, f"{option('task')} names another task")


@diagnostic("N294", "Ranks contradict scores")
def ranks_contradict(path: str, pairs: int, case: str) -> Message:
    """Items are ordered by their scores, as trec_eval orders them; the column of ranks has no effect.

    If a better rank stands beside a lower score, one of the two columns is wrong, or lower scores are better. In long TREC runs
    whose scores fall from line to line, only some of the ranks are looked at.
    """
    return Message(
        f"ranks and scores contradict each other in {plural(pairs, 'pair')} of neighbouring lines, first in case {case}; "
        "ordered by score",
        Place(path),
        f"{option('order', 'rank')} orders by rank",
    )


@diagnostic("N295", "Comments look like data")
def commented_rows(path: str, count: int) -> Message:
    """A line that starts with # is a comment; ids that start with # need a format with named columns, such as CSV or JSON."""
    verb, look, were = (
        ("starts", "looks", "was read as a comment") if count == 1 else ("start", "look", "were read as comments")
    )
    return Message(
        f"{plural(count, 'line')} that {verb} with # {look} like data and {were}",
        Place(path),
        "if they are data, name the columns in a first line, such as case,item,score, or write JSON",
    )


@diagnostic("N222", "An output is read as a set of accepted items")
def retrieved_set(path: str) -> Message:
    """A TREC run, or a list of items without labels and scores, names what a filter accepts; everything else is negative.

    `--threshold` accepts only items with this score or a higher one.
    """
    return Message("every item in it counts as accepted, every other item as discarded", Place(path))


@diagnostic("N223", "Scores became decisions")
def default_threshold(path: str, threshold: float) -> Message:
    """Scores between 0 and 1 without labels are read as probabilities."""
    return Message(
        f"scores read as probabilities: positive from {threshold:g}", Place(path), f"{option('threshold', NUMBER)} sets another"
    )


@diagnostic("N224", "Classes are left out of an average")
def skipped_classes(metrics: list[str], system: str, classes: int, cases: int) -> Message:
    """A class without predicted items has no precision, one without items in the gold has no recall: 0/0 is not 0."""
    where = f" in {plural(cases, 'case')}" if cases > 1 else ""
    word = "class is" if classes == 1 else "classes are"
    return Message(f"{listing(metrics, 4)} of {system}: {classes:,} {word} undefined{where} and left out of the average")


@diagnostic("N230", "Clusters without items")
def empty_clusters(path: str, clusters: list[str]) -> Message:
    """A cluster without items means nothing."""
    return Message(f"{plural(len(clusters), 'empty cluster')} ignored: {listing(clusters)}", Place(path))


@diagnostic("N280", "A metric is text and has no mean")
def text_metric(names: list[str]) -> Message:
    """A string of grades is shown case by case, and `Scores.texts` has it; a table of means cannot."""
    return Message(
        f"{listing(names)}: text, which has no mean", None, f"{either('scores.texts has it', '--per-case shows it')}"
    )


@diagnostic("N282", "Items are judged for several subtopics")
def several_subtopics(path: str, subtopics: list[str]) -> Message:
    """Judgements of diversity, as of the Web tracks of TREC, have a grade for each item and subtopic.

    Metrics of diversity such as `alpha_nDCG` look at the subtopics, all others at the highest grade of an item.
    """
    return Message(
        f"items are judged for {plural(len(subtopics), 'subtopic')}: metrics that know none take the highest grade", Place(path)
    )


@diagnostic("N231", "Text was read as Latin-1")
def read_as_latin1(path: str) -> Message:
    """A table of clusters that is not UTF-8 is read byte by byte: names of clusters only need to differ.

    Ids beyond ASCII would not match those of a file in UTF-8.
    """
    return Message("not UTF-8, read as Latin-1", Place(path), "convert it: iconv -f LATIN1 -t UTF-8 FILE")


@diagnostic("N228", "Classes are in alphabetical order")
def alphabetical(classes: list[str]) -> Message:
    """Ordinal metrics need the order of the classes: numbers have one, words do not."""
    return Message(f"the classes are in alphabetical order ({listing(classes, 8)})", None, f"{_CLASSES} gives their order")


@diagnostic("N229", "Means are over different cases")
def different_cases(metrics: list[str], least: int, most: int) -> Message:
    """Where a metric is undefined for one system and not for another, their means are not over the same cases."""
    return Message(
        f"{listing(metrics, 4)}: the means of the systems are over {least:,} to {most:,} cases",
        None,
        f"{option('undefined', 'zero')} counts every case for every system",
    )


@diagnostic("N270", "An option has a new name")
def renamed_option(old: str, new: str) -> Message:
    """The old name is accepted for one version."""
    return Message(f"{old} is now {new}; the old name will be removed in the next version", None, f"write {new}")


@diagnostic("N271", "The threshold is one of scores")
def threshold_of_scores() -> Message:
    """A threshold is the score from which an item counts as positive.

    Up to version 0.1 it was the Unanimous Improvement Ratio of a robust win in `plumbline compare`, `plumbline report` and
    `plumbline plot`.
    """
    return Message(
        f"{option('threshold')} is the score from which an item counts as positive; up to version 0.1 it was the UIR of a win",
        None,
        f"write {option('uir_threshold')} for the UIR",
    )
