"""Fields and relations on their way to a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.io.documents import Documents
from plumbline.io.slots.normalising import normalised
from plumbline.io.spans.rows import DocumentOrigin
from plumbline.io.table import Table
from plumbline.schema import CASE, FILLER, HEAD, RECORD, TAIL, VALUE

if TYPE_CHECKING:
    from plumbline.errors import Place
    from plumbline.io.table import ReadOptions


@dataclass(frozen=True)
class SlotRows:
    """The columns of fields, or of relations, one value at a time."""

    document: list[int] = field(default_factory=list)
    record: list[int] = field(default_factory=list)
    kind: list[str] = field(default_factory=list)
    """The field, or the relation."""
    filler: list[str] = field(default_factory=list)
    """The value, or the tail."""
    head: list[str] = field(default_factory=list)
    """Of relations only."""

    def add_slot(self, document: int, record: int, kind: str, filler: str) -> None:
        """One value of a field."""
        self.document.append(document)
        self.record.append(record)
        self.kind.append(kind)
        self.filler.append(filler)

    def add_relation(self, document: int, head: str, kind: str, tail: str) -> None:
        """One thing that is related to another."""
        self.add_slot(document, 0, kind, tail)
        self.head.append(head)


def slot_frame(cases: pl.Series, record: pl.Series, kind: pl.Series, filler: pl.Series, options: ReadOptions) -> pl.DataFrame:
    """The columns of a table of slots."""
    columns = [cases.cast(pl.Categorical).alias(CASE), record.cast(pl.Int64).alias(RECORD), kind.alias(VALUE)]
    return pl.DataFrame([*columns, compared(filler, options).alias(FILLER)])


def relation_frame(cases: pl.Series, head: pl.Series, kind: pl.Series, tail: pl.Series, options: ReadOptions) -> pl.DataFrame:
    """The columns of a table of relations."""
    ends = [compared(end, options).alias(name) for end, name in ((head, HEAD), (tail, TAIL))]
    return pl.DataFrame([cases.cast(pl.Categorical).alias(CASE), *ends, kind.alias(VALUE)])


def compared(values: pl.Series, options: ReadOptions) -> pl.Series:
    """Values as they are compared."""
    if options.values == "exact":
        return values
    distinct = values.unique()
    spelled = pl.Series([normalised(value) for value in distinct], dtype=pl.String)
    return values.replace_strict(distinct, spelled, return_dtype=pl.String)


def slots_table(rows: SlotRows, names: list[str], places: list[Place], label: str, reader: str, options: ReadOptions) -> Table:
    """The table of these rows, with the documents that have none as empty cases."""
    document = np.array(rows.document, dtype=np.int64)
    cases = pl.Series(names, dtype=pl.String).gather(pl.Series(document, dtype=pl.UInt32))
    kind, filler, head = (pl.Series(column, dtype=pl.String) for column in (rows.kind, rows.filler, rows.head))
    if rows.head:
        frame = relation_frame(cases, head, kind, filler, options)
    else:
        frame = slot_frame(cases, pl.Series(rows.record, dtype=pl.Int64), kind, filler, options)
    filled = np.zeros(len(names), dtype=np.bool_)
    filled[document] = True
    empty = tuple(names[at] for at in np.flatnonzero(~filled).tolist())
    origin = DocumentOrigin(label, lambda at: places[at], document)
    return Table(frame, label, reader, origin, empty_cases=empty, documents=Documents(names, of_row=document))
