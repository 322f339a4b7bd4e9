"""Problems with files and objects that only clusterings have: lists of items, WePS, coreference."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, needing, plural
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E134", "Clusters are given in two ways at once")
def mixed_clusters(label: str, listed: str, single: str) -> Message:
    """A list in a dict is a cluster with its items, anything else is the cluster of one item; a dict holds one kind."""
    return Message(
        f"{listed} has a list, like a cluster, and {single} has none, like an item",
        Place(label),
        "give {cluster: [items]} or {item: cluster}, the same way in every case",
    )


@diagnostic("E135", "The XML cannot be read")
def bad_xml(place: Place, reason: str) -> Message:
    """A file that is cut or not well-formed is not read at all.

    Document types and entities are not read either: they can make a small file fill the memory, or open other files.
    """
    return Message(f"not readable XML: {reason}", place, "write plain elements: no DOCTYPE, every element closed")


@diagnostic("E136", "The XML is not a clustering")
def not_weps(place: Place, reason: str) -> Message:
    """WePS files hold a `<clustering>` of `<entity id="...">` and `<discarded>`, both with `<doc rank="..."/>` inside."""
    return Message(reason, place, 'expected <clustering><entity id="1"><doc rank="7"/></entity></clustering>')


@diagnostic("E137", "The brackets of mentions do not match")
def bad_bracket(place: Place, reason: str) -> Message:
    """A mention of entity 3 starts with `(3` and ends with `3)` in the same document; `(3)` is a mention of one word."""
    return Message(reason, place, "correct the brackets")


@diagnostic("E138", "A case occurs twice")
def same_case(place: Place, case: str, first: str) -> Message:
    """Each document has one name, and each file of a folder holds cases of its own."""
    return Message(f"case {case} occurs already ({first})", place, "give each case a name of its own")


@diagnostic("E139", "A folder holds no clusterings")
def no_clusterings(path: str) -> Message:
    """A folder is read as one gold or one output: files that end in .xml (WePS), .conll or .conllu, or else its tables."""
    return Message(
        "no file in this folder ends in .xml, .conll, .conllu, .csv, .tsv, .jsonl, .parquet or .arrow",
        Place(path),
        "give a file, or a folder of such files",
    )


@diagnostic("E140", "A document has no end")
def open_document(place: Place, case: str, line: int) -> Message:
    """In CoNLL files every `#begin document` has its `#end document`; a missing one usually means that the file was cut."""
    return Message(f"document {case} (line {line}) has no #end document; was the file cut?", place, "end it with #end document")


@diagnostic("E141", "An item has no features")
def no_features(place: Place, items: list[str], count: int, total: int, known: list[str]) -> Message:
    """Internal criteria need the features, or the distances, of every item; ids are compared as text.

    A row for each item is needed; with a case column, for each item of each case. Rows of other items are ignored.
    """
    return Message(
        f"{count:,} of {plural(total, 'item')} have no row: {listing(items, total=count)}; rows are for {listing(known, 3)}",
        place,
        "add a row for each item",
    )


@diagnostic("E142", "A metric needs a partition")
def needs_partition(metrics: list[str], where: str, witness: str) -> Message:
    """Some metrics have a meaning only where no item is in two clusters or two classes.

    Purity, pair counts, extended BCubed, Reliability and Sensitivity, Omega and ONMI are defined for overlaps as well.
    """
    return Message(
        f"{witness}, and {needing(metrics)} a partition",
        Place(where),
        "choose BCubedP, BCubedR, Rel, Sens, Omega or ONMI",
    )


@diagnostic("E143", "The number of rows differs from the number of items")
def other_number_of_rows(place: Place, rows: int, items: int) -> Message:
    """Rows without names are the items of the gold in their order, so their numbers must be equal."""
    return Message(f"{plural(rows, 'row')} for {plural(items, 'item')}", place, "give a row for each item, or an item column")


@diagnostic("E144", "An item has features twice")
def features_twice(place: Place, item: str, first: str) -> Message:
    """Each item, in each case if there is a case column, has one row of features or distances."""
    return Message(f"item {item} has a row already ({first})", place, "keep one row for each item")


@diagnostic("E145", "A distance is invalid")
def bad_distance(place: Place, item: str, other: str, value: str, reason: str) -> Message:
    """A distance is a finite number from 0, 0 from an item to itself, and the same in both directions.

    Similarities are not distances, but 1 - cosine is one.
    """
    return Message(f"the distance {value} from {item} to {other} {reason}", place, "give a symmetric matrix of distances")


@diagnostic("E197", "A weight of a membership is not above 0")
def bad_weight(place: Place, text: str) -> Message:
    """How far an item belongs to a cluster is a number above 0; the largest of an item counts as 1.

    An item that does not belong to a cluster at all has no row for it.
    """
    return Message(f"{text!r} has no weight above 0", place, "give a number above 0, or leave out the cluster")


@diagnostic("N299", "Weights of memberships are not looked at")
def idle_weights(path: str) -> Message:
    """Only fuzzy metrics look at how far an item belongs to a cluster; all others see only whether it does."""
    return Message("the weights count for FuzzyBCubedP, FuzzyBCubedR and FuzzyNMI only", Place(path))
