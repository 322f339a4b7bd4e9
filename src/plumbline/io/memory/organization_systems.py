"""The names and sources of systems whose outputs are organizations."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.io.memory.clusters import is_list, listed
from plumbline.io.memory.compose import Composed
from plumbline.io.memory.organizations import has_levels
from plumbline.io.memory.systems import expanded, named_systems, of_names, unique
from plumbline.schema import CASE, ONLY_CASE

if TYPE_CHECKING:
    from plumbline.io.table import AnyValue, Readable, Table

_OF_LEVELS: Final = 2
"""How deep a list of levels is at least."""


def organization_systems(gold: Readable, systems: Readable, gold_table: Table | None = None) -> dict[str, Any]:
    """Names and sources; if the gold has no cases, the lists of a dict are systems, not cases."""
    if isinstance(systems, Composed):
        return unique(_pairs(systems))
    if isinstance(systems, Mapping):
        return of_names(systems) if _are_named(systems, gold_table) else {"system": systems}
    if isinstance(systems, (list, tuple)) and any(isinstance(system, Composed) for system in systems):
        return unique([pair for system in systems for pair in _pairs(system)])
    if isinstance(systems, (list, tuple)) and any(is_list(system) or isinstance(system, Mapping) for system in systems):
        return {"system": systems}
    return named_systems(systems)


def _pairs(system: Readable) -> list[tuple[str, Any]]:
    """A composition is called after the file that orders the items; a pattern means one for each file."""
    if not isinstance(system, Composed):
        return expanded(system)
    if not isinstance(system.priority, (str, os.PathLike)) and not hasattr(system.priority, "read"):
        return [("system", system)]
    return [(name, Composed(source, system.clusters)) for name, source in expanded(system.priority)]


def _are_named(systems: Mapping[Any, Any], gold_table: Table | None) -> bool:
    """`{name: source}`, not one organization `{case: levels}`, `{case: {item: number}}` or `{case: {cluster: [items]}}`."""
    if has_levels(systems):
        return False
    without_cases = gold_table is not None and ONLY_CASE not in systems and _cases(gold_table) <= {ONLY_CASE}
    values = [value for value in systems.values() if value is not None]
    if any(map(is_list, values)):
        return without_cases or any(map(_holds_objects, values))
    if not values or not all(isinstance(value, Mapping) for value in values):
        return not values or not all(isinstance(value, (int, float)) for value in values)
    if any(map(has_levels, values)):
        return True
    inner = [one for value in values for one in value.values()]
    if any(map(is_list, inner)):
        return any(_depth(one) >= _OF_LEVELS for one in inner) or all(is_list(one) and not listed(one) for one in inner)
    return without_cases or any(isinstance(one, Mapping) for one in inner)


def _cases(gold: Table) -> set[str]:
    return {*gold.frame[CASE].unique().cast(pl.String).to_list(), *gold.empty_cases}


def _holds_objects(value: AnyValue) -> bool:
    """Whether a list holds objects with levels, as those of a JSON file."""
    return is_list(value) and any(map(has_levels, listed(value)))


def _depth(value: AnyValue) -> int:
    """How deep lists are nested, at the deepest element."""
    return 1 + max(map(_depth, listed(value)), default=0) if is_list(value) else 0
