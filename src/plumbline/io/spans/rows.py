"""The spans of a file or object on their way to a table, and where each came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.errors import Place
from plumbline.io.table import Table
from plumbline.schema import CASE, END, START, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.documents import Documents
    from plumbline.io.table import Origin

    Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LinesOrigin:
    """Rows that know their line, in an array."""

    label: str
    lines: Integers

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The line of each row."""
        return [Place(self.label, int(self.lines[row]) if row >= 0 else None) for row in rows]


@dataclass(frozen=True, eq=False)
class DocumentOrigin:
    """Rows that know the place of their document: its name in an object, or the line of its record."""

    label: str
    place_of: Callable[[int], Place]
    document: Integers

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The place of the document of each row."""
        return [self.place_of(int(self.document[row])) if row >= 0 else Place(self.label) for row in rows]


@dataclass(frozen=True, eq=False)
class Spans:
    """The spans of a file or object, a value for each."""

    document: Integers
    """The number of the document."""
    start: Integers
    end: Integers
    kind: pl.Series
    """The type, as text."""

    def table(
        self, documents: Documents, label: str, reader: str, origin: Origin, notices: tuple[Diagnostic, ...] = ()
    ) -> Table:
        """The table, with the documents that have no span as empty cases."""
        names = pl.Series(documents.names, dtype=pl.String).cast(pl.Categorical)
        frame = pl.DataFrame(
            [
                names.gather(pl.Series(self.document, dtype=pl.UInt32)).alias(CASE),
                pl.Series(START, self.start, dtype=pl.Int64),
                pl.Series(END, self.end, dtype=pl.Int64),
                self.kind.alias(VALUE),
            ]
        )
        is_empty = np.ones(len(documents.names), dtype=np.bool_)
        is_empty[self.document] = False
        empty = tuple(compress(documents.names, is_empty.tolist()))
        known = replace(documents, of_row=self.document)
        return Table(frame, label, reader, origin, notices=notices, empty_cases=empty, documents=known)
