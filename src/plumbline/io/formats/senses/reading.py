"""Keys of word senses: words are cases, instances are items, and senses are clusters with weights."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, clusterings, files, table
from plumbline.io.bytes.lines import Fields, checked_text, data_lines
from plumbline.io.formats.senses import COMMENT, LEAST
from plumbline.io.rows import Row, table_of_rows
from plumbline.schema import WEIGHT

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Table


def read_key(content: Content, options: ReadOptions) -> Table:
    """A row for each sense of an instance; a sense without a weight has the largest weight of its line."""
    rows: list[Row] = []
    weights: list[float] = []
    for number, line in data_lines(checked_text(content)):
        fields = Fields.of(number, line)
        end = next((at for at in range(len(fields)) if fields[at].startswith(COMMENT)), len(fields))
        if end < LEAST:
            raise BadData(table.wrong_columns(fields.place(content.label), end, LEAST, "word instance sense/weight"))
        senses = [_sense(fields, at, content.label) for at in range(2, end)]
        largest = max((weight for _, weight in senses if weight is not None), default=1.0)
        rows += [Row(fields[0], fields[1], name, number) for name, _ in senses]
        weights += [largest if weight is None else weight for _, weight in senses]
    if not rows:
        raise BadData(files.no_data(content.label))
    made = table_of_rows(rows, content.label, "key")
    return replace(made, frame=made.frame.with_columns(pl.Series(WEIGHT, weights, dtype=pl.Float64)))


def _sense(fields: Fields, at: int, label: str) -> tuple[str, float | None]:
    """The name of a sense and its weight, which follows a slash."""
    name, slash, text = fields[at].rpartition("/")
    if not slash:
        return fields[at], None
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not name or not isfinite(weight) or weight <= 0:
        raise BadData(clusterings.bad_weight(fields.place(label, at), fields[at]))
    return name, weight
