"""Python objects and JSON that list the items of each cluster, and the systems of a clustering task."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.errors import BadData, clusterings, notices
from plumbline.io.columns.text import id_column
from plumbline.io.memory.arrays import is_array
from plumbline.io.memory.systems import label_systems, of_names
from plumbline.io.paths import is_pattern, names_files
from plumbline.io.table import NestedOrigin, Table
from plumbline.lazily import pl
from plumbline.schema import CASE, ITEM, ONLY_CASE, VALUE

if TYPE_CHECKING:
    from plumbline.io.table import AnyValue, Readable

_LISTS: Final = (list, tuple, set, frozenset)
_PLAIN: Final = {str, int, float, bool, dict, type(None)}
"""What most values are, and no list is."""
_TO_LIST: Final = ("tolist", "to_list")
"""The methods that arrays and series of all libraries have."""
_NESTED: Final = 2
"""How deep a list of clusters is."""


def cluster_lists(data: AnyValue, label: str, reader: str = "dict") -> Table | None:
    """A table from `{case: {cluster: [items]}}`, `{cluster: [items]}`, `{case: [[items]]}` or `[[items]]`, or None."""
    cases = _cases(data, label)
    if cases is None:
        return None
    rows = [(case, cluster, item) for case, lists in cases.items() for cluster, items in lists for item in items]
    empty = [f"{case}/{cluster}" for case, lists in cases.items() for cluster, items in lists if not items]
    keys = pl.Series([f"{case}/{cluster}" for case, cluster, _ in rows], dtype=pl.String)
    items = id_column([item for _, _, item in rows], label, "item")
    columns = [
        pl.Series(CASE, [case for case, _, _ in rows], dtype=pl.String).cast(pl.Categorical),
        items.alias(ITEM),
        pl.Series(VALUE, [cluster for _, cluster, _ in rows], dtype=pl.String),
    ]
    return Table(
        pl.DataFrame(columns),
        label,
        reader,
        NestedOrigin(label, keys, items),
        notices=(notices.empty_clusters(label, empty),) if empty else (),
        empty_cases=tuple(case for case, lists in cases.items() if not any(items for _, items in lists)),
    )


def _cases(data: AnyValue, label: str) -> dict[str, list[tuple[str, list[Any]]]] | None:
    if isinstance(data, _LISTS):
        return {ONLY_CASE: _clusters(enumerate(data), label)} if _depth(data) == _NESTED else None
    if not isinstance(data, Mapping):
        return None
    values = list(data.values())
    if not any(isinstance(value, Mapping) or _depth(value) == _NESTED for value in values):
        return {ONLY_CASE: _clusters(data.items(), label)} if any(map(is_list, values)) else None
    members_of = {str(case): _members(value) for case, value in data.items()}
    together = [(f"{case}/{name}", value) for case, members in members_of.items() for name, value in members]
    if not any(is_list(value) for _, value in together):
        return None
    _check_alike(together, label)
    return {case: _clusters(members, label) for case, members in members_of.items()}


def _members(case: AnyValue) -> list[tuple[Any, Any]]:
    if isinstance(case, Mapping):
        return list(case.items())
    return list(enumerate(listed(case) if is_list(case) else [case]))


def _clusters(members: Iterable[tuple[Any, Any]], label: str) -> list[tuple[str, list[Any]]]:
    named = [(str(name), value) for name, value in members]
    _check_alike(named, label)
    return [(name, listed(value)) for name, value in named]


def _check_alike(members: list[tuple[str, Any]], label: str) -> None:
    """All are lists of items, or none is."""
    single = next((name for name, value in members if not is_list(value)), None)
    if single is not None:
        listed = next((name for name, value in members if is_list(value)), "another")
        raise BadData(clusterings.mixed_clusters(label, listed, single))


def is_list(value: AnyValue) -> bool:
    """Whether it is a list, a set or an array, not text, a number or a dict."""
    if type(value) in _PLAIN:
        return False
    return isinstance(value, _LISTS) or (
        not isinstance(value, str) and hasattr(value, "__len__") and any(hasattr(value, name) for name in _TO_LIST)
    )


def listed(value: AnyValue) -> list[Any]:
    """Its elements."""
    if isinstance(value, _LISTS):
        return list(value)
    elements: list[Any] = getattr(value, next(name for name in _TO_LIST if hasattr(value, name)))()
    return elements


def _depth(value: AnyValue) -> int:
    """0 for no list, 1 for a list of items, 2 for a list of lists; the first element decides."""
    if not is_list(value):
        return 0
    return 1 + (isinstance(value, _LISTS) and is_list(next(iter(value), None)))


def cluster_systems(gold: Readable, systems: Readable, gold_table: Table | None) -> dict[str, Any]:
    """Names and sources, where an output may list the items of each cluster.

    Whether a dict holds cases is decided by the gold table.
    """
    if isinstance(systems, Mapping):
        return of_names(systems) if _are_named(gold, systems, gold_table) else {"system": systems}
    if _depth(systems) == _NESTED:
        return {"system": systems}
    if isinstance(systems, (str, os.PathLike)):
        return label_systems(gold, _after_folder(systems))
    if isinstance(systems, (list, tuple)) and any(map(is_pattern, systems)):
        return label_systems(gold, [_after_folder(system) for system in systems])
    return label_systems(gold, systems)


def _are_named(gold: Readable, systems: Mapping[Any, Any], gold_table: Table | None) -> bool:
    """Whether a dict holds systems: it is deeper than one clustering, or than one for each case if the gold has cases."""
    value: Any = next((value for value in systems.values() if value is not None), None)
    nested = 1
    while isinstance(value, Mapping):
        value, nested = next(iter(value.values()), None), nested + 1
    if nested == 1 and _is_source(value):
        return True
    depth = _depth(value)
    of_labels = depth == 1 and nested == 1 and not isinstance(gold, Mapping) and _depth(gold) < _NESTED
    arrays = of_labels and (is_array(gold) or hasattr(value, "ndim"))
    levels = nested if depth == _NESTED or arrays else nested - 1
    return levels > (gold_table is not None and _cases_of(gold_table) != [ONLY_CASE])


def _cases_of(gold: Table) -> list[str]:
    names = gold.names_of_cases
    return gold.frame[CASE].cast(pl.String).unique().to_list() if names is None else names


def _is_source(value: AnyValue) -> bool:
    """A path, a pattern, a frame or an open file, not a label."""
    if isinstance(value, (str, os.PathLike)):
        return names_files(value)
    return not isinstance(value, (int, float, np.generic, type(None))) and not is_list(value)


def _after_folder(system: Readable) -> AnyValue:
    """The XML files of a pattern are one system, called after their folder; other files are one each."""
    if is_pattern(system) and os.fspath(system).lower().endswith(".xml"):
        return f"{Path(system).resolve().parent.name}={os.fspath(system)}"
    return system
