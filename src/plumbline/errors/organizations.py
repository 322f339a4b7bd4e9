"""Problems with files and objects that hold organizations: levels, clusters inside them, and compositions."""

from __future__ import annotations

from typing import Final

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.registry import Message, diagnostic

EXAMPLE: Final = '{"case": "q1", "levels": [[["d1"], ["d2", "d3"]], [["d4"]]]}'


@diagnostic("E146", "An item occurs twice in one cluster")
def item_twice(place: Place, item: str, case: str, cluster: str | None, first: str) -> Message:
    """An item may occur in several clusters and at several levels, but only once in one cluster at one level."""
    where = f"in cluster {cluster}" if cluster is not None else "at one level"
    return Message(
        f"item {item} occurs twice {where} of case {case} (first at {first})",
        place,
        "keep one copy, or give the other a level or a cluster of its own",
    )


@diagnostic("E147", "A ranking or judgements list an item twice")
def ranked_twice(place: Place, item: str, case: str, first: str) -> Message:
    """A run and judgements have each item once in a case; repeated judgements with the same grade only get a notice.

    An item that is meant to occur at several levels needs a table with a level column, or the JSON form with levels.
    """
    return Message(
        f"item {item} is listed twice in case {case} (first at {first})",
        place,
        "keep one line; for an item at two levels write a table with the columns case,item,level",
    )


@diagnostic("E148", "A level is empty")
def empty_level(place: Place, level: str) -> Message:
    """A level without items means nothing, and the levels after it would move up."""
    return Message(f"{level} is empty", place, "leave out the level; a case with nothing prioritised has no levels: []")


@diagnostic("E149", "A cluster is empty")
def empty_cluster(place: Place, cluster: str) -> Message:
    """A cluster without items means nothing."""
    return Message(f"{cluster} is empty", place, "leave out the cluster, or write its items")


@diagnostic("E150", "Levels are not nested as expected")
def not_nested(place: Place, what: str, value: str, expected: str) -> Message:
    """The levels of a case are a list, best first; a level is a list of clusters, and a cluster is a list of items.

    An item that is alone in its cluster may stand without a list of its own.
    """
    return Message(f"{what} is {value}, expected {expected}", place, f"write for example {EXAMPLE}")


@diagnostic("E151", "An organization has unexpected keys")
def other_keys(place: Place, reason: str) -> Message:
    """An object of an organization has the keys `case` and `levels`, and no others; one object alone needs no case."""
    return Message(reason, place, f"write for example {EXAMPLE}")


@diagnostic("E152", "There is no column for a priority or a cluster")
def nothing_organized(place: Place, columns: list[str]) -> Message:
    """An organization prioritises items, clusters them, or both; a table of items alone does neither."""
    return Message(
        f"no column for the priority and none for the cluster; the columns are {listing(columns, 12)}",
        place,
        "name a column level (1 is best), score, grade or rank; or for clusters cluster",
    )


@diagnostic("E153", "An item has no level")
def no_level(place: Place, what: str) -> Message:
    """In a table with a column for the priority every row has a number; an item below all levels has no row."""
    return Message(f"the {what} is missing", place, "write a number, or leave out the row if the item is not prioritised")


@diagnostic("E154", "A cluster spans levels and cannot be written as JSON")
def spans_levels(path: str, case: str, cluster: str, count: int) -> Message:
    """In the JSON form clusters live inside levels; a ranking with a clustering has clusters with items at several levels."""
    return Message(
        f"cluster {cluster} of case {case} has items at {plural(count, 'level')}; in JSON a cluster lies within one level",
        Place(path),
        "write to .csv, .tsv or .parquet instead",
    )


@diagnostic("E155", "Two sources cannot be composed")
def not_composed(path: str, reason: str) -> Message:
    """A composition takes the order from one source and the clusters from another: a ranking or a filter, and a clustering."""
    return Message(
        f"{reason}: are they swapped?",
        Place(path),
        "give a ranking or a filter for the priority, and a clustering for the clusters",
    )


@diagnostic("N232", "The meaning of values was guessed")
def read_values_as(path: str, what: str, meaning: str, otherwise: str) -> Message:
    """Numbers can be grades, ranks, answers of a filter or names of clusters; the name of the column decides."""
    return Message(f"{what} read as {meaning}", Place(path), otherwise)


@diagnostic("N233", "Items have a cluster and no priority")
def without_priority(path: str, priority: str, items: list[str], count: int) -> Message:
    """In a composition the ranking decides which items are prioritised; clusters of other items are ignored."""
    return Message(
        f"{plural(count, 'item')} without priority in {priority}, ignored: {listing(items, total=count)}", Place(path)
    )


@diagnostic("N234", "A column was not used")
def unused_column(path: str, column: str, used: str) -> Message:
    """Where a table has a number for the priority and answers of a filter, the number decides."""
    return Message(f"column {column} not used: {used} gives the priority", Place(path))


@diagnostic("N235", "Empty cases were not written")
def cases_not_written(path: str, cases: list[str]) -> Message:
    """A table has a row for each item or span, so a case without any has none; JSON keeps it, with nothing inside."""
    return Message(f"{plural(len(cases), 'empty case')} not written: {listing(cases)}", Place(path))


@diagnostic("N236", "A cluster looks like noise")
def noise(path: str, count: int, label: str) -> Message:
    """Clustering libraries give -1 to items outside every cluster; without an option they form one cluster."""
    return Message(
        f"{plural(count, 'item')} in cluster {label}, read as one cluster: noise?",
        Place(path),
        "leave the cluster empty for an item that is alone",
    )
