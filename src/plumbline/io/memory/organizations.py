"""Python objects and JSON that hold an organization: levels of clusters of items, or nested dicts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import polars as pl

from plumbline.errors import BadData, Diagnostic, Place, clusterings, files, organizations, table
from plumbline.io.columns.levels import by_grades, by_labels, by_scores, one_level
from plumbline.io.columns.names import CLUSTER_CASES
from plumbline.io.columns.text import encodable
from plumbline.io.memory.clusters import cluster_lists, is_list, listed
from plumbline.io.memory.nested import nested_labels, nested_table
from plumbline.io.table import Table
from plumbline.schema import CASE, ITEM, LABEL, ONLY_CASE, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.io.table import AnyValue, ReadOptions

LEVELS: Final = "levels"
_IDS: Final = frozenset({str, int})
_SURROGATE: Final = "holds a lone surrogate, which is not a character"


def has_levels(record: object) -> bool:
    """Whether an object is the organization of one case: `{"case": .., "levels": [..]}`."""
    return isinstance(record, Mapping) and any(isinstance(key, str) and key.strip().lower() == LEVELS for key in record)


def organization_object(
    data: AnyValue,
    label: str,
    reader: str,
    options: ReadOptions,
    lines: Sequence[int] | None = None,
) -> Table:
    """Levels of one case or of several, a ranking, a filter or a clustering; anything else is an error.

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
    cases = [_record(record, place, alone=len(records) == 1) for record, place in zip(records, places, strict=True)]
    return level_table(cases, label, reader)


def _record(record: AnyValue, place: Place, *, alone: bool) -> Levels:
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
        raise BadData(
            organizations.not_nested(Place(label), f"the value of case {odd}", "not an object", "one, like the others")
        )
    if any(is_list(inner) for value in values for inner in value.values()):
        clusters = cluster_lists(data, label, reader)
        if clusters is not None:
            return one_level(clusters)
    return _of_items(data, label, reader, options)


def _of_items(data: Mapping[Any, Mapping[Any, Any]], label: str, reader: str, options: ReadOptions) -> Table:
    """`{case: {item: number}}` is a ranking or holds judgements, `{case: {item: label}}` a filter or a clustering."""
    first = next((value for inner in data.values() for value in inner.values() if value is not None), None)
    if isinstance(first, (str, bool)):
        labels = nested_labels(data, label, reader, options)
        if VALUE in labels.frame.columns:  # and not scores, since some values are fractions
            return by_labels(labels)
    numbers = nested_table(data, label, reader, options)
    return by_grades(numbers) if options.role == "gold" else by_scores(numbers)


def _of_levels(data: Mapping[Any, Any], places: Sequence[Place], label: str, reader: str) -> Table:
    """`{case: levels}`; if no level has a list inside, a clustering may have been meant."""
    cases = [Levels(case, levels, place) for (case, levels), place in zip(data.items(), places, strict=True)]
    made = level_table(cases, label, reader)
    if made.frame.is_empty() or made.frame["label"].null_count() < len(made.frame):
        return made
    remark = organizations.read_values_as(
        label,
        "lists of items without clusters inside",
        "levels, best first, where every item is alone",
        "clusters of one level are [[[...], [...]]] or {case: {cluster: [items]}}",
    )
    return replace(made, notices=(remark,))


class Levels(NamedTuple):
    """The levels of one case, and their place."""

    case: Any
    levels: Any
    place: Place


@dataclass(frozen=True)
class LevelsOrigin:
    """Rows of nested lists; the case that they belong to has a place."""

    label: str
    starts: tuple[int, ...]
    cases: tuple[Place, ...]

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The place of the case of each row."""
        return [self.cases[bisect_right(self.starts, row) - 1] if row >= 0 else Place(self.label) for row in rows]


class _Spot(NamedTuple):
    """The position of a cluster in a case; turned into text only for a message."""

    case: str
    level: int
    cluster: int
    place: Place

    def __str__(self) -> str:
        return f"cluster {self.cluster} at level {self.level} of case {self.case}"


@dataclass
class _Rows:
    """Rows as they are found, and what is wrong with the others."""

    items: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    wrong: list[Diagnostic] = field(default_factory=list)

    def add_case(self, case: str, levels: AnyValue, place: Place) -> None:
        """All levels of a case, best first."""
        if not is_list(levels):
            what = f"the value of levels in case {case}"
            self.wrong.append(organizations.not_nested(place, what, _kind(levels), "a list of levels"))
            return
        for number, level in enumerate(listed(levels), 1):
            if is_list(level) and len(level):
                for index, cluster in enumerate(listed(level), 1):
                    self._add_cluster(cluster, _Spot(case, number, index, place))
            elif is_list(level):
                self.wrong.append(organizations.empty_level(place, f"level {number} of case {case}"))
            else:
                what = f"level {number} of case {case}"
                self.wrong.append(organizations.not_nested(place, what, _kind(level), "a list of clusters"))

    def _add_cluster(self, cluster: AnyValue, spot: _Spot) -> None:
        if not is_list(cluster):
            self._add([cluster], None, spot)
            return
        if not len(cluster):
            self.wrong.append(organizations.empty_cluster(spot.place, str(spot)))
        self._add(listed(cluster), f"{spot.level}.{spot.cluster}", spot)

    def _add(self, members: list[Any], label: str | None, spot: _Spot) -> None:
        for item in members:
            if type(item) not in _IDS:
                self.wrong.append(_no_item(item, spot, alone=label is None))
            elif item == "":
                self.wrong.append(table.bad_id(spot.place, "item", f"in {spot} is empty"))
            elif type(item) is str and not item.isascii() and not encodable(item):
                self.wrong.append(table.bad_id(spot.place, "item", f"in {spot} {_SURROGATE}"))
            else:
                self.items.append(str(item))
                self.values.append(float(1 - spot.level))
                self.labels.append(label)


def level_table(cases: Sequence[Levels], label: str, reader: str) -> Table:
    """Level 1 has value 0, level 2 has -1; cluster 2 of level 1 is called 1.2, and an item without a list is alone."""
    names = _names(cases)
    rows, starts = _Rows(), []
    for case, one in zip(names, cases, strict=True):
        starts.append(len(rows.items))
        rows.add_case(case, one.levels, one.place)
    if rows.wrong:
        raise BadData(*rows.wrong)
    sizes = [end - start for start, end in zip(starts, [*starts[1:], len(rows.items)], strict=True)]
    of_case = pl.Series(CASE, names, dtype=pl.String).cast(pl.Categorical)
    frame = pl.DataFrame(
        [
            of_case.gather(np.repeat(np.arange(len(names)), sizes)),
            pl.Series(ITEM, rows.items, dtype=pl.String),
            pl.Series(VALUE, rows.values, dtype=pl.Float64),
            pl.Series(LABEL, rows.labels, dtype=pl.String),
        ]
    )
    empty = tuple(case for case, size in zip(names, sizes, strict=True) if not size)
    return Table(frame, label, reader, LevelsOrigin(label, tuple(starts), tuple(one.place for one in cases)), empty_cases=empty)


def _names(cases: Sequence[Levels]) -> list[str]:
    """The cases as text; each occurs once."""
    places: dict[str, Place] = {}
    for case, _, place in cases:
        if type(case) not in _IDS:
            raise BadData(table.bad_id(place, "case", f"{case!r} is a {type(case).__name__}"))
        name = str(case)
        if not name or not encodable(name):
            raise BadData(table.bad_id(place, "case", _SURROGATE if name else "is empty"))
        if name in places:
            first = places[name]
            raise BadData(clusterings.same_case(place, name, f"line {first.line}" if first.line is not None else str(first)))
        places[name] = place
    return list(places)


def _no_item(value: AnyValue, spot: _Spot, *, alone: bool) -> Diagnostic:
    if alone:
        return organizations.not_nested(spot.place, str(spot), _kind(value), "a list of items")
    if is_list(value) or isinstance(value, dict):
        return organizations.not_nested(spot.place, f"an item in {spot}", _kind(value), "text")
    return table.bad_id(spot.place, "item", f"{value!r} in {spot} is {_kind(value)}")


def _kind(value: AnyValue) -> str:
    """A short description of a value."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if is_list(value):
        return "a list"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"
