"""Python objects and JSON that hold an organization: told by how they are nested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadData, Place, files, organizations
from plumbline.io.columns.names import CLUSTER_CASES
from plumbline.io.memory.clusters import cluster_lists, is_list, listed
from plumbline.io.memory.labels import nested_labels
from plumbline.io.memory.levels import Levels, level_table
from plumbline.io.memory.objects import nested_table
from plumbline.io.organizations import by_grades, by_labels, by_scores, one_level
from plumbline.schema import ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.io.table import ReadOptions, Table

LEVELS: Final = "levels"


def has_levels(record: object) -> bool:
    """Whether an object is the organization of one case: `{"case": .., "levels": [..]}`."""
    return isinstance(record, Mapping) and any(isinstance(key, str) and key.strip().lower() == LEVELS for key in record)


def organization_object(
    data: Any,  # noqa: ANN401 - anything nested
    label: str,
    reader: str,
    options: ReadOptions,
    lines: Sequence[int] | None = None,
) -> Table:
    """Levels of one case or of several, a ranking, a filter or a clustering; what is none of them is named.

    The elements of a file have lines.
    """
    if isinstance(data, Mapping):
        return _of_mapping(data, label, reader, options, lines)
    elements = listed(data) if is_list(data) else []
    if not elements:
        raise BadData(files.no_data(label))
    if any(map(has_levels, elements)):
        names = [f"record {row}" for row in range(1, len(elements) + 1)]
        return level_records(elements, _places(label, names, lines), label, reader)
    return _of_levels({ONLY_CASE: elements}, [Place(label)], label, reader)


def _places(label: str, names: Iterable[Any], lines: Sequence[int] | None) -> list[Place]:
    """Where the elements are: on their lines, or under their names."""
    if lines is not None:
        return [Place(label, line) for line in lines]
    return [Place(f"{label}, {name}") for name in names]


def level_records(records: Sequence[Any], places: Sequence[Place], label: str, reader: str) -> Table:
    """A table from objects with the keys `case` and `levels`."""
    found = [_record(record, place, alone=len(records) == 1) for record, place in zip(records, places, strict=True)]
    return level_table(found, label, reader)


def _record(record: Any, place: Place, *, alone: bool) -> Levels:  # noqa: ANN401 - as above
    if not isinstance(record, Mapping):
        raise BadData(organizations.other_keys(place, "no object, as the others are"))
    names = {str(key).strip().lower(): key for key in record}
    if LEVELS not in names:
        raise BadData(organizations.other_keys(place, f"no levels; the keys are {', '.join(map(str, record))}"))
    cases = [name for name in names if name in CLUSTER_CASES]
    odd = [str(key) for name, key in names.items() if name != LEVELS and name not in cases[:1]]
    if odd:
        raise BadData(organizations.other_keys(place, f"unknown key {odd[0]}"))
    if not cases and not alone:
        raise BadData(organizations.other_keys(place, "no case, and there are several objects"))
    return Levels(record[names[cases[0]]] if cases else ONLY_CASE, record[names[LEVELS]], place)


def _of_mapping(data: Mapping[Any, Any], label: str, reader: str, options: ReadOptions, lines: Sequence[int] | None) -> Table:
    if has_levels(data):
        return level_records([data], [Place(label, lines[0] if lines else None)], label, reader)
    values = list(data.values())
    if any(map(is_list, values)):
        return _of_levels(data, _places(label, data, lines), label, reader)
    if not any(isinstance(value, Mapping) for value in values):
        return _of_items({ONLY_CASE: data} if data else {}, label, reader, options)
    odd = next((case for case, value in data.items() if not isinstance(value, Mapping)), None)
    if odd is not None:
        raise BadData(organizations.not_nested(Place(label), f"what stands for case {odd}", "no object", "one, as the others"))
    if any(is_list(inner) for value in values for inner in value.values()):
        found = cluster_lists(data, label, reader)
        if found is not None:
            return one_level(found)
    return _of_items(data, label, reader, options)


def _of_items(data: Mapping[Any, Mapping[Any, Any]], label: str, reader: str, options: ReadOptions) -> Table:
    """`{case: {item: number}}` is a ranking or holds judgements, `{case: {item: label}}` a filter or a clustering."""
    first = next((value for inner in data.values() for value in inner.values() if value is not None), None)
    if isinstance(first, (str, bool)):
        return by_labels(nested_labels(data, label, reader, options))
    numbers = nested_table(data, label, reader, options)
    return by_grades(numbers) if options.role == "gold" else by_scores(numbers)


def _of_levels(data: Mapping[Any, Any], places: Sequence[Place], label: str, reader: str) -> Table:
    """`{case: levels}`; where no level has a list inside, it may have been meant as a clustering."""
    found = [Levels(case, levels, place) for (case, levels), place in zip(data.items(), places, strict=True)]
    made = level_table(found, label, reader)
    if made.frame.is_empty() or made.frame["label"].null_count() < len(made.frame):
        return made
    told = organizations.read_values_as(
        label,
        "lists of items without clusters inside",
        "levels, best first, where every item is alone",
        "clusters of one level are [[[...], [...]]] or {case: {cluster: [items]}}",
    )
    return replace(made, notices=(told,))
