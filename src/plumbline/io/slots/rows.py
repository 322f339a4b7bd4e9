"""Fields and relations on their way to a table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.io.documents import Documents
from plumbline.io.slots.normalising import normalised
from plumbline.io.spans.rows import DocumentOrigin
from plumbline.io.table import Table
from plumbline.schema import CASE, FILLER, HEAD, RECORD, TAIL, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.errors import Place
    from plumbline.io.table import Origin, ReadOptions


@dataclass(frozen=True)
class SlotRows:
    """The columns of fields, or of relations, one value at a time."""

    document: list[int] = field(default_factory=list)
    """Of each record; so are the next two."""
    number: list[int] = field(default_factory=list)
    """Its number in the document."""
    first: list[int] = field(default_factory=list)
    """How many values are before it."""
    kind: list[str] = field(default_factory=list)
    """The field, or the relation."""
    filler: list[str] = field(default_factory=list)
    """The value, or the tail."""
    head: list[str] = field(default_factory=list)
    """Of relations only."""

    def begin(self, document: int, record: int) -> None:
        """What follows is of this record."""
        self.document.append(document)
        self.number.append(record)
        self.first.append(len(self.kind))

    def add_slot(self, kind: str, filler: str) -> None:
        """One value of a field."""
        self.kind.append(kind)
        self.filler.append(filler)

    def add_relation(self, head: str, kind: str, tail: str) -> None:
        """One thing that is related to another."""
        self.add_slot(kind, tail)
        self.head.append(head)

    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The document and the record of each value."""
        times = np.diff(np.array([*self.first, len(self.kind)])).astype(np.int64)
        document, record = (np.repeat(np.array(one, dtype=np.int64), times) for one in (self.document, self.number))
        return document, record


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


def slots_table(
    rows: SlotRows, names: list[str], place_of: Callable[[int], Place], label: str, reader: str, options: ReadOptions
) -> Table:
    """The table of these rows, with the documents that have none as empty cases."""
    document, record = rows.columns()
    origin = DocumentOrigin(label, place_of, document)
    if rows.head:
        return relations_table(rows, Documents(names, of_row=document), label, reader, origin, options)
    kind, filler = (pl.Series(column, dtype=pl.String) for column in (rows.kind, rows.filler))
    frame = slot_frame(_cases(names, document), pl.Series(record), kind, filler, options)
    documents = Documents(names, of_row=document)
    return Table(frame, label, reader, origin, empty_cases=_without_rows(names, document), documents=documents)


def relations_table(
    rows: SlotRows, documents: Documents, label: str, reader: str, origin: Origin, options: ReadOptions
) -> Table:
    """The table of relations, also of none."""
    document, _ = rows.columns()
    head, kind, tail = (pl.Series(column, dtype=pl.String) for column in (rows.head, rows.kind, rows.filler))
    frame = relation_frame(_cases(documents.names, document), head, kind, tail, options)
    empty = _without_rows(documents.names, document)
    return Table(frame, label, reader, origin, empty_cases=empty, documents=replace(documents, of_row=document))


def _cases(names: list[str], document: NDArray[np.int64]) -> pl.Series:
    return pl.Series(names, dtype=pl.String).gather(pl.Series(document, dtype=pl.UInt32))


def _without_rows(names: list[str], document: NDArray[np.int64]) -> tuple[str, ...]:
    is_empty = np.ones(len(names), dtype=np.bool_)
    is_empty[document] = False
    return tuple(compress(names, is_empty.tolist()))
