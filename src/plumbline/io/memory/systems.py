"""The names and sources of systems, from dicts, lists, patterns and single outputs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from plumbline.errors import BadData, BadUsage, table, usage
from plumbline.errors.urls import without_secrets
from plumbline.io.memory.arrays import is_array
from plumbline.io.memory.frames import is_frame
from plumbline.io.paths import decoded, exists, is_pattern, matching, name_of, split_name

if TYPE_CHECKING:
    from plumbline.io.table import AnyValue, Readable, Table


def named_systems(systems: Readable) -> dict[str, Any]:
    """One dict from name to source, whatever form the systems came in."""
    if isinstance(systems, Mapping):
        return of_names(systems) if _is_dict_of_systems(systems) else {"system": systems}
    if isinstance(systems, (str, os.PathLike)):
        return unique(expanded(systems))
    if isinstance(systems, Iterable) and not hasattr(type(systems), "columns") and not hasattr(systems, "read"):
        return unique([pair for system in systems for pair in expanded(system)])
    return {name_of(getattr(systems, "name", "system")) if hasattr(systems, "read") else "system": systems}


def _is_dict_of_systems(systems: Mapping[Any, Any]) -> bool:
    """`{name: path, frame or {case: {...}}}`, not one bare `{case: {item: number}}`."""
    for value in systems.values():
        if isinstance(value, Mapping):
            return any(issubclass(kind, Mapping) for kind in set(map(type, value.values())))
        return True
    return True


def expanded(system: Readable) -> list[tuple[str, Any]]:
    """The name and source of each system that a path, a pattern or `NAME=PATH` stands for."""
    if hasattr(system, "read"):
        return [(name_of(str(getattr(system, "name", "system"))), system)]
    if not isinstance(system, (str, os.PathLike)):
        raise BadUsage(usage.bad_object(f"a list with a {type(system).__name__}", "a list of paths or a dict {name: system}"))
    text = os.fspath(system)
    name, path = split_name(text)
    if name:
        return [(decoded(name), path)]
    if text == "-":
        return [("stdin", text)]
    if is_pattern(text):
        return [(name_of(path), path) for path in matching(text)]
    return [(name_of(text), text)]


def _called(source: Readable) -> str:
    """What messages call a source."""
    return without_secrets(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else f"a {type(source).__name__}"


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The systems by name; no two have the same."""
    named: dict[str, Any] = {}
    for name, source in pairs:
        if name in named:
            raise BadData(table.same_name(name, _called(named[name]), _called(source)))
        named[name] = source
    return named


def of_names(systems: Mapping[Any, Any]) -> dict[str, Any]:
    """The same with names that are text: 1 and "1" are one name."""
    return unique([(str(name), source) for name, source in systems.items()])


def ranking_systems(gold: Readable, systems: Readable, gold_table: Table | None = None) -> dict[str, Any]:
    """The systems of a ranking task, which do not depend on the gold."""
    return named_systems(systems)


def label_systems(gold: Readable, systems: Readable, gold_table: Table | None = None) -> dict[str, Any]:
    """The same for labels, where an output may be an array or a dict as deep as the gold."""
    if is_array(gold) and not isinstance(systems, Mapping):
        return {"system": systems} if is_array(systems) else named_systems(systems)
    if not isinstance(systems, Mapping):
        return named_systems(systems)
    if isinstance(gold, Mapping):
        named = _depth(systems) > _depth(gold) or _depth(systems) == 0 or _names_sources(systems, gold)
        return of_names(systems) if named else {"system": systems}
    if is_array(gold) and is_array(next(iter(systems.values()), None)):
        return of_names(systems)
    return of_names(systems) if _depth(systems) != 1 or _holds_sources(systems) else {"system": systems}


def _depth(data: AnyValue) -> int:
    """How many dicts are nested; the values of the first of each decide."""
    return 1 + max(map(_depth, list(data.values())[:1]), default=0) if isinstance(data, Mapping) else 0


def _names_sources(systems: Mapping[Any, Any], gold: Mapping[Any, Any]) -> bool:
    """Whether the values are frames, open files or paths, although the gold is a dict; a label may be called like a file."""
    values = list(systems.values())
    if values and all(is_frame(value) or hasattr(value, "read") for value in values):
        return True
    paths = bool(values) and all(isinstance(value, (str, os.PathLike)) and exists(value) for value in values)
    return paths and systems.keys().isdisjoint(gold.keys())


def _holds_sources(systems: Mapping[Any, Any]) -> bool:
    """Whether the values are frames, arrays, open files or paths of files, not labels."""
    value = next(iter(systems.values()), None)
    return not isinstance(value, (str, int, float, bool, list, tuple, set)) or (isinstance(value, str) and exists(value))
