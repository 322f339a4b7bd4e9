"""Notices: the work went on, and the user should know."""

from __future__ import annotations

from plumbline.errors.base import Diagnostic, Place, diagnostic, listing, plural, say


@diagnostic("N201", "Judged cases are missing from a system")
def missing_cases(path: str, cases: list[str], judged: int, rule: str) -> Diagnostic:
    """Cases come from the gold. A system that does not answer a case gets the worst value there.

    `--missing skip` leaves such cases out of that system's mean, as trec_eval does without -c; means of different
    systems are then over different cases.
    """
    verb = "is" if len(cases) == 1 else "are"
    return say(
        f"{len(cases)} of {plural(judged, 'judged case')} {verb} missing, {rule}: {listing(cases)}",
        Place(path),
    )


@diagnostic("N202", "A system answers cases that the gold does not have")
def extra_cases(path: str, cases: list[str]) -> Diagnostic:
    """Without judgements nothing can be said about a case, so it is ignored."""
    return say(f"{plural(len(cases), 'case')} not in the gold, ignored: {listing(cases)}", Place(path))


@diagnostic("N203", "A metric is undefined in some cases")
def undefined_cases(metric: str, system: str, cases: list[str], total: int, reason: str, rule: str) -> Diagnostic:
    """Undefined is not 0. Such cases are left out of the mean unless `--undefined` says otherwise."""
    verb = "are" if ", " in metric else "is"
    where = f" in {len(cases)} of {plural(total, 'case')} ({listing(cases)})" if total > 1 else ""
    tail = f"; {rule}" if total > 1 else ""
    return say(
        f"{metric} of {system} {verb} undefined{where}: {reason}{tail}",
        None,
        "--undefined zero counts them as 0, as trec_eval does" if "left out" in rule and total > 1 else None,
    )


@diagnostic("N204", "Some grades are fractional")
def fractional_grades(path: str, count: int, example: str) -> Diagnostic:
    """Fractional grades are used as they are: as gain by DCG and its kin, and compared with the relevance level."""
    return say(
        f"{plural(count, 'fractional grade')} (such as {example}) used as given; relevant means grade >= rel (1 by default)",
        Place(path),
    )


@diagnostic("N205", "Equal scores decide much of the order")
def tied(path: str, share: float, full: int, cases: int, rule: str) -> Diagnostic:
    """Where scores are equal, the tie rule decides the order, not the system.

    Scores rounded to few digits or stored in 16 bits make false ties. `--ties average` gives the expectation over
    all orders of equal scores, `--ties best` and `--ties worst` the interval.
    """
    whole = f"{full} of {plural(cases, 'case')} fully tied; " if full else ""
    return say(f"{whole}{share:.0%} of the items share their score with another: the order is decided by {rule}", Place(path))


@diagnostic("N206", "No retrieved item is judged")
def nothing_judged(path: str, cases: int) -> Diagnostic:
    """Scores of 0 are right then, but say more about the gold than about the system; the item ids may not match."""
    return say(
        f"0% of the retrieved items are judged, in {plural(cases, 'case')}: do the item ids match the gold's?", Place(path)
    )


@diagnostic("N207", "Ids match only after Unicode normalisation")
def normalisation(path: str, count: int, example: str) -> Diagnostic:
    """Ids are compared byte by byte; the same letters can be written in composed and decomposed form."""
    return say(
        f"{plural(count, 'id')} would match the gold after Unicode normalisation (such as {example})",
        Place(path),
        "write both files in one form, e.g. NFC",
    )


@diagnostic("N208", "Repeated rows were ignored")
def repeated(path: str, count: int, what: str, example: str, rule: str) -> Diagnostic:
    """A repeated judgement with the same grade changes nothing. Other repeats are kept as `--on-duplicate` says."""
    return say(f"{plural(count, f'repeated {what}')} ignored ({rule}), such as {example}", Place(path))


@diagnostic("N209", "Some grades are negative")
def negative_grades(path: str, count: int) -> Diagnostic:
    """A negative grade is read as trec_eval reads it: in the pool, but not judged; never relevant, and its gain is 0."""
    return say(f"{plural(count, 'negative grade')} read as unjudged: not relevant, gain 0", Place(path))


@diagnostic("N210", "A case is called as the mean row is")
def case_called_all(name: str) -> Diagnostic:
    """The mean is written as case `all`. A case of that name is written as `all (case)` in CSV and TSV.

    JSON and JSON Lines tell both apart by their field `kind`.
    """
    return say(f"a case is called {name!r}, as the mean row is: it is written as {name + ' (case)'!r}")


@diagnostic("N211", "The order of equal scores was sampled")
def sampled_ties(metrics: list[str], lists: int, samples: int) -> Diagnostic:
    """With `--ties average` most metrics have an exact expectation.

    For the others all orders are tried where they are few, and a seeded sample is drawn where they are many.
    """
    return say(f"{listing(metrics)}: mean over {samples:,} sampled orders of equal scores in {plural(lists, 'list')}")


@diagnostic("N212", "A file was read as this kind")
def read_as(path: str, reader: str, why: str) -> Diagnostic:
    """Shown with `--verbose`. `--reader` overrules the choice."""
    return say(f"read as {reader}: {why}", Place(path))


@diagnostic("N213", "Control characters in names")
def control_characters(path: str, count: int) -> Diagnostic:
    """Names with control or direction characters are shown with these spelled out, so that they cannot act on a terminal."""
    return say(f"{plural(count, 'case id')} with control characters, shown escaped", Place(path))


@diagnostic("N216", "Lists were cut")
def cut_lists(path: str, lists: int, depth: int) -> Diagnostic:
    """`--depth` looks only at the first items of each list, in the order that scores and the tie rule give."""
    return say(f"{plural(lists, 'list')} cut after {depth:,} items", Place(path))


@diagnostic("N217", "Unjudged items were dropped")
def dropped_unjudged(path: str, items: int) -> Diagnostic:
    """`--judged-only` drops items without a judgement before ranking, so that the others move up."""
    return say(f"{plural(items, 'unjudged item')} dropped before ranking", Place(path))


@diagnostic("N215", "Text after the last column was ignored")
def extra_columns(path: str, count: int, example: str) -> Diagnostic:
    """trec_eval ignores what follows the last column of a line, so `--as trec_eval` does; otherwise it is an error."""
    return say(f"{plural(count, 'line')} with text after the last column, ignored, such as {example}", Place(path))


@diagnostic("N218", "The first line may be a heading")
def maybe_heading(place: Place, line: str, heading: str) -> Diagnostic:
    """A file of labels needs no header; a first line with unknown column names counts as an item.

    It looks like one if it holds no digit, its label stands on no other line, and the lines below are of another kind.
    Names of columns that are known, such as `item,label`, make a heading; `--reader plain` says that there is none.
    """
    return say(
        f"the first line was read as data: {line!r}",
        place,
        f"if it is a heading, write {heading} in its place; if it is data, say so with --reader plain",
    )


@diagnostic("N214", "A case is listed without items")
def empty_cases(path: str, cases: list[str]) -> Diagnostic:
    """A list without items is scored like a missing case; a case that a gold of labels lists without items is left out."""
    return say(f"{plural(len(cases), 'case')} without items: {listing(cases)}", Place(path))


@diagnostic("N227", "A label looks like noise")
def maybe_noise(path: str, count: int, label: str) -> Diagnostic:
    """Clustering libraries give this label to items outside every cluster; read as it stands, it is one cluster.

    `--noise=-1` makes each of these items a cluster of its own.
    """
    return say(
        f"{plural(count, 'item')} labelled {label}, read as one cluster: noise? --noise={label} makes each its own", Place(path)
    )


@diagnostic("N219", "A system answers items that the gold does not have")
def extra_items(path: str, items: list[str]) -> Diagnostic:
    """Without a label in the gold nothing can be said about an item, so it is ignored."""
    return say(f"{plural(len(items), 'item')} not in the gold, ignored: {listing(items)}", Place(path))


@diagnostic("N220", "Items have no answer")
def missing_items(path: str, items: list[str], count: int, total: int, rule: str) -> Diagnostic:
    """A filter's output is the set of what it accepts, so that an item without an answer is negative.

    `--missing-items wrong` counts it as wrong. For a classifier it is wrong in any case. In a clustering it is a cluster
    of its own, or what `--missing-items one-cluster|drop|absent` says.
    """
    return say(f"{count:,} of {plural(total, 'item')} without an answer, {rule}: {listing(items, total=count)}", Place(path))


@diagnostic("N221", "A system uses labels that the gold does not have")
def unknown_labels(path: str, count: int, near: list[tuple[str, str | None]], rule: str) -> Diagnostic:
    """Labels are text and compared character by character: "1" is not "1.0", and "spam " is not "spam"."""
    shown = ", ".join(f'"{text}"' + (f' (did you mean "{hint}"?)' if hint else "") for text, hint in near)
    more = f" and {count - len(near)} more" if count > len(near) else ""
    return say(f"{plural(count, 'label')} not in the gold, {rule}: {shown}{more}", Place(path))


@diagnostic("N222", "An output is read as a set of accepted items")
def retrieved_set(path: str) -> Diagnostic:
    """A TREC run, or a list of items without labels and scores, names what a filter accepts; everything else is negative.

    `--threshold` accepts only items with this score or a higher one.
    """
    return say("every item in it counts as accepted, every other item as discarded", Place(path))


@diagnostic("N223", "Scores became decisions")
def default_threshold(path: str, threshold: float) -> Diagnostic:
    """Scores between 0 and 1 without labels are read as probabilities."""
    return say(f"scores read as probabilities: positive from {threshold:g}", Place(path), "--threshold NUMBER sets another")


@diagnostic("N224", "Classes are left out of an average")
def skipped_classes(metrics: list[str], system: str, classes: int, cases: int) -> Diagnostic:
    """A class without predicted items has no precision, one without items in the gold has no recall: 0/0 is not 0."""
    where = f" in {plural(cases, 'case')}" if cases > 1 else ""
    word = "class is" if classes == 1 else "classes are"
    return say(f"{listing(metrics, 4)} of {system}: {classes:,} {word} undefined{where} and left out of the average")


@diagnostic("N225", "A baseline was drawn")
def drawn_floor(metrics: list[str], baselines: list[str], draws: int) -> Diagnostic:
    """The expectation of a random output is exact where the measure is linear in the counts; others are drawn, with a seed."""
    return say(f"{listing(metrics, 4)} of the baselines {listing(baselines)}: mean of {draws:,} seeded draws")


@diagnostic("N226", "Which systems beat every baseline")
def floor_verdict(metrics: list[str], beating: list[str], systems: int) -> Diagnostic:
    """A baseline ignores the gold. A system that does not beat all of them has shown nothing by that metric."""
    who = f": {listing(beating)}" if 0 < len(beating) < systems else ""
    verb = "beats" if len(beating) == 1 else "beat"
    some = f"{len(beating)} of {plural(systems, 'system')} {verb}"
    every = "the system beats" if systems == 1 else f"all {systems:,} systems beat"
    count = "no system beats" if not beating else every if len(beating) == systems else some
    return say(f"by {listing(metrics, 8)} {count} every output that ignores the gold{who}")


@diagnostic("N230", "Clusters without items")
def empty_clusters(path: str, clusters: list[str]) -> Diagnostic:
    """A cluster is what its items share, so that an empty one is nothing."""
    return say(f"{plural(len(clusters), 'empty cluster')} ignored: {listing(clusters)}", Place(path))


@diagnostic("N231", "Text was read as Latin-1")
def read_as_latin1(path: str) -> Diagnostic:
    """A table of clusters that is not UTF-8 is read byte by byte: names of clusters need only differ.

    Ids beyond ASCII would not match those of a file in UTF-8.
    """
    return say("not UTF-8, read as Latin-1", Place(path), "convert it: iconv -f LATIN1 -t UTF-8 FILE")


@diagnostic("N228", "Classes are ordered by alphabet")
def alphabetical(classes: list[str]) -> Diagnostic:
    """Ordinal metrics need the order of the classes: numbers have one, words do not."""
    return say(f"the classes are ordered by alphabet ({listing(classes, 8)})", None, "--classes A,B,... gives their order")


@diagnostic("N229", "Means are over different cases")
def different_cases(metrics: list[str], least: int, most: int) -> Diagnostic:
    """Where a metric is undefined for one system and not for another, their means are not over the same cases."""
    return say(
        f"{listing(metrics, 4)}: the means of the systems are over {least:,} to {most:,} cases",
        None,
        "--undefined zero counts every case for every system",
    )
