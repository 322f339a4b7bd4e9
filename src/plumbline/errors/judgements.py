"""Problems with judgements of several assessors: columns, scales, repetitions, and what they cannot tell."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import COLUMN, option, switch
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E410", "Judgements lack a column")
def no_column(place: Place, meaning: str, columns: list[str]) -> Message:
    """A table of judgements has a row for each judgement: an item, an assessor and a label or grade, and perhaps a case.

    Without a column for the assessor, a file holds the judgements of one assessor, who is called what the file is called.
    Without columns for assessor and label, every column is an assessor.
    """
    return Message(
        f"no column for the {meaning} of a judgement; columns: {listing(columns, 8)}",
        place,
        f"name it: {option('columns', f'{meaning}={COLUMN}')}",
    )


@diagnostic("E411", "The same assessor judged an item twice, differently")
def judged_twice(place: Place, who: str, first: str, labels: tuple[str, str]) -> Message:
    """Two different judgements by one assessor cannot both count as the judgement of that assessor.

    `--on-duplicate first|last|mean` chooses one of them. `--repeats` counts them as separate readings.
    """
    return Message(
        f"{who} twice, differently: {labels[0]} ({first}), then {labels[1]}",
        place,
        f"{option('on_duplicate', 'first', 'last', 'mean')}, or {switch('repeats')} if they are separate readings",
    )


@diagnostic("E426", "Lists of judgements have different lengths")
def different_lengths(path: str, length: int, in_first: int) -> Message:
    """Labels in lists belong together by their place, so every assessor has as many of them; None stands for a missing one."""
    return Message(
        f"a list of {plural(length, 'label')}, and the first one has {in_first:,}",
        Place(path),
        "give lists of the same items in the same order, with None where there is no label, or {item: label}",
    )


@diagnostic("N310", "The same assessor judged an item twice, alike")
def judged_twice_alike(place: Place, count: int, who: str, first: str) -> Message:
    """A judgement that is repeated word for word counts once: otherwise assessors would agree with themselves."""
    more = f"; {plural(count, 'judgement')} repeated in all" if count > 1 else ""
    return Message(f"{who} twice, alike ({first}); counted once{more}", place)


@diagnostic("E412", "A grade is not on the scale")
def off_the_scale(place: Place, grade: str, scale: str, whose: str, count: int) -> Message:
    """Language models now and then answer with a grade that does not exist.

    `--scale` says which grades exist; without it, they are those of the reference. `--out-of-scale drop|clip|keep` sets what
    happens to others.
    """
    of = f" of {whose}" if whose else ""
    return Message(
        f"grade {grade} is not on the scale {scale}{of}; {plural(count, 'such grade')}",
        place,
        f"{option('scale', '0-5')} if it exists, or {option('out_of_scale', 'drop', 'clip', 'keep')}",
    )


@diagnostic("N311", "Grades that are not on the scale")
def scale_kept(count: int, scale: str, done: str, assessors: list[str]) -> Message:
    """`--out-of-scale drop|clip|keep` sets what happens to grades outside the scale."""
    return Message(f"{plural(count, 'grade')} not on the scale {scale}, {done}; by {listing(assessors)}")


@diagnostic("N312", "No item has two judgements")
def judged_once(items: int) -> Message:
    """Agreement compares judgements of the same item by different assessors. Without such items it is undefined."""
    return Message(f"no item of {items:,} has two judgements: agreement is undefined")


@diagnostic("N322", "Many items have one judgement")
def mostly_judged_once(once: int, items: int) -> Message:
    """Kappas and Gwet's coefficients estimate chance from all items, alpha from those with two judgements or more.

    If one assessor judged many items alone, and those are unlike the others, the coefficients differ widely.
    """
    return Message(
        f"{once:,} of {items:,} items have one judgement: they count in the chance of all coefficients but alpha",
        None,
        "compare what several assessors judged, or go by alpha",
    )


@diagnostic("N313", "All judgements are equal")
def all_alike(label: str) -> Message:
    """Where everybody always gives the same answer, nothing tells agreement from chance: the coefficients divide by 0."""
    return Message(f"everyone said {label} everywhere: chance-corrected agreement is undefined; raw agreement 1")


@diagnostic("N314", "Agreement of two assessors rests on few items")
def few_items(pairs: list[str], least: int) -> Message:
    """The coefficients of two assessors vary widely with so few common items."""
    return Message(f"pairs with fewer than {least} common items: {listing(pairs, 4)}")


@diagnostic("E413", "Labels have no distances")
def no_distances(labels: list[str], level: str) -> Message:
    """Ordinal agreement needs an order of the labels; interval and ratio agreement need numbers."""
    shown = ", ".join(f'"{label}"' for label in labels[:3])
    return Message(
        f"labels {shown} have no distances, which the level {level} needs",
        None,
        f"{option('levels', ','.join(labels[:3]))}, from the lowest to the highest, or {option('level', 'nominal')}",
    )


@diagnostic("E425", "A label is not among the levels")
def no_level(unknown: list[str], levels: list[str]) -> Message:
    """The levels have to name every label, from the lowest to the highest."""
    verb = "is" if len(unknown) == 1 else "are"
    return Message(
        f"{listing([f'{label!r}' for label in unknown], 3)} {verb} not among the levels {', '.join(levels)}",
        None,
        f"give all labels in {option('levels')}, from the lowest to the highest",
    )


@diagnostic("N315", "The level of the labels was guessed")
def guessed_level(level: str, reason: str) -> Message:
    """Coefficients depend on what labels are: names, an order, numbers with distances, ratios or sets.

    `--level nominal|ordinal|interval|ratio|sets` says it.
    """
    return Message(f"read as {level}: {reason}", None, option("level", "nominal", "ordinal", "interval", "ratio", "sets"))


@diagnostic("N316", "Judgements without an answer")
def no_answers(label: str, count: int, reason: str) -> Message:
    """A row without a label, or a negative grade in a TREC file, says that somebody saw the item and did not judge it."""
    return Message(f"{label}: {plural(count, 'row')} {reason}, left out")


@diagnostic("E414", "Unknown assessor")
def unknown_assessor(name: str, known: list[str]) -> Message:
    """An assessor is named as in its column, its file or its key."""
    return Message(f"there is no assessor {name!r}", None, f"choose from {listing(known, 8)}")


@diagnostic("E415", "Fewer than two assessors")
def one_assessor(names: list[str]) -> Message:
    """Agreement needs two assessors. A table has a column that names them, or each has a file."""
    whom = f"only {names[0]}" if names else "nobody"
    return Message(
        f"{whom} judged", None, f"give a file for each assessor, or name the column: {option('columns', 'assessor=COLUMN')}"
    )


@diagnostic("E416", "No such form of judgements")
def unknown_form(label: str, forms: list[str]) -> Message:
    """Judgements are read from tables, matrices, TREC files, and exports of doccano, Label Studio and Quepid."""
    return Message(f"{label}: no form of judgements fits", None, f"see {option('reader')}: {listing(forms, 8)}")


@diagnostic("E418", "Grades are needed")
def needs_grades(what: str, labels: list[str]) -> Message:
    """Means, medians, expected grades and leaderboards need labels that are numbers, or an order of them."""
    return Message(
        f"{what} needs numbers, not {listing(labels, 3)}",
        None,
        f"{option('levels', ','.join(labels[:3]))} gives labels the numbers 0, 1, 2, from the lowest to the highest",
    )


@diagnostic("E420", "Too few cases for an estimate")
def too_few_human_cases(count: int) -> Message:
    """A prediction-powered mean needs at least two cases with scores by both judges, and cases that only one has judged."""
    return Message(
        f"{plural(count, 'case')} judged by the reference: an estimate needs two or more, and others that only a judge has",
        None,
        "give judgements of more cases",
    )


@diagnostic("E422", "A case has no stratum")
def no_stratum(label: str, cases: list[str]) -> Message:
    """Strata are weighted by their share of all cases, so every case that a judge has judged needs one."""
    return Message(f"no stratum for {listing(cases, 5)}", Place(label), "give a row with case and stratum for each case")


@diagnostic("E423", "A case has several strata")
def several_strata(label: str, cases: list[str]) -> Message:
    """Strata do not overlap: a case counts once."""
    return Message(f"several strata for {listing(cases, 5)}", Place(label), "give one row for each case")


@diagnostic("E424", "Too few cases in a stratum")
def too_few_in_stratum(stratum: str, count: int, least: int, judge: str) -> Message:
    """The error of an estimate is made of how cases vary within each stratum, which one or two cases do not show."""
    return Message(
        f"stratum {stratum} has {plural(count, 'case')} judged by the reference and by {judge}: {least} or more are needed",
        None,
        "let the reference judge more of its cases, or put it together with another stratum",
    )


@diagnostic("E421", "Options that belong together")
def goes_with(given: str, lacking: str) -> Message:
    """Some options of judgements have an effect only together with another one."""
    return Message(f"{option(given)} changes nothing without {option(lacking)}", None, f"give {option(lacking)} as well")


@diagnostic("N321", "Too many assessors for all pairs")
def too_many_pairs(count: int, most: int) -> Message:
    """The table of pairs and the agreement without each assessor grow with the square of their number."""
    return Message(f"{count:,} assessors: pairs and leave-one-out are left out above {most}")
