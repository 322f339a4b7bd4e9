"""Dicts of dicts."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import polars as pl

from plumbline.errors import BadData, table
from plumbline.io.columns.text import id_column
from plumbline.io.memory.labels import nested_labels
from plumbline.io.table import NestedOrigin, Table
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.io.table import ReadOptions, Role


def nested_table(data: Mapping[str, Mapping[str, Any]], label: str, reader: str, options: ReadOptions) -> Table:
    """A table from `{case: {item: number}}`; order="file" takes the order of the keys."""
    if options.of_labels:
        return nested_labels(data, label, reader, options)
    cases = id_column(chain.from_iterable(repeat(case, len(inner)) for case, inner in data.items()), label, "case")
    items = id_column(chain.from_iterable(inner.keys() for inner in data.values()), label, "item")
    numbers = list(chain.from_iterable(inner.values() for inner in data.values()))
    _check_types(numbers, cases, items, label, options.role)
    values = pl.Series(VALUE, numbers, dtype=pl.Float64, strict=False)
    if options.role == "output" and options.order == "file":
        values = pl.Series(VALUE, range(0, -len(numbers), -1), dtype=pl.Float64)
    elif options.role == "output" and options.order == "rank":
        values = -values
    frame = pl.DataFrame([cases.cast(pl.Categorical).alias(CASE), items.alias(ITEM), values.alias(VALUE)])
    empty = tuple(str(case) for case, inner in data.items() if not inner)
    return Table(frame, label, reader, NestedOrigin(label, cases, items), empty_cases=empty)


def _check_types(numbers: list[Any], cases: pl.Series, items: pl.Series, label: str, role: Role) -> None:
    what = "grade" if role == "gold" else "score"
    odd = {kind for kind in set(map(type, numbers)) if kind is bool or not hasattr(kind, "__float__") or kind is str}
    if odd:
        row = next(index for index, number in enumerate(numbers) if type(number) in odd)
        found = "null" if numbers[row] is None else f"{numbers[row]!r}"
        raise BadData(table.json_value(label, cases[row], items[row], found, what))
    try:
        all(map(float, numbers))
    except OverflowError:
        row = next(index for index, number in enumerate(numbers) if abs(number) > 2**1023)
        raise BadData(table.json_value(label, cases[row], items[row], "too large", what)) from None
