"""The names and sources of extractors, whose outputs may be dicts and lists themselves."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from plumbline.io.memory.clusters import is_list, listed
from plumbline.io.memory.slots import holds_slots
from plumbline.io.memory.spans import is_document
from plumbline.io.memory.systems import named_systems
from plumbline.schema import CASE

if TYPE_CHECKING:
    from plumbline.io.table import AnyValue, Readable, Table


def span_systems(gold: Readable, systems: Readable, gold_table: Table | None = None) -> dict[str, Any]:
    """Names and sources: a dict of documents of the gold is one output, and so is a list of tags or spans."""
    if isinstance(systems, Mapping):
        return (
            {"system": systems} if _is_output(gold, systems, gold_table) else {str(name): one for name, one in systems.items()}
        )
    if is_list(systems) and not any(isinstance(one, (str, os.PathLike)) or hasattr(one, "read") for one in listed(systems)):
        return {"system": systems}
    return named_systems(systems)


def _is_output(gold: Readable, systems: Mapping[Any, Any], gold_table: Table | None) -> bool:
    """Whether a dict is one output: it is a document, or its values are spans of a document or tags."""
    if is_document(systems):
        return True
    value = next(iter(systems.values()), None)
    if holds_slots(systems) and gold_table is not None:
        known = gold_table.documents.names if gold_table.documents else gold_table.frame[CASE].cast(pl.String).to_list()
        return not {str(name) for name in systems}.isdisjoint(known)
    if not is_list(value) or any(map(is_document, listed(value))):
        return False
    depth = _depth(value)
    if depth > 1:  # lists of lists of tags or spans: an output, unless documents have names
        return isinstance(gold, Mapping) and gold_table is not None and _depth(next(iter(gold.values()), None)) == depth
    return True


def _depth(value: AnyValue) -> int:
    """0 for a tag or a span, 1 for a list of them, 2 for a list of such lists; the first that is not empty decides."""
    if not is_list(value) or _is_span(value):
        return 0
    inner = [one for one in listed(value) if not is_list(one) or listed(one)]
    return 1 + (_depth(inner[0]) if inner else 0)


def _is_span(value: AnyValue) -> bool:
    return len(listed(value)) >= 3 and all(isinstance(one, int) for one in listed(value)[:2])  # noqa: PLR2004 - start, end, type
