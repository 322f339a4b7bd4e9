"""A table with a row for each unit, such as a user: read lazily, so that large files never have to fit into memory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, BadUsage, Place, usage
from plumbline.errors import experiments as problems
from plumbline.io.bytes.content import SMALL, load
from plumbline.io.columns.text import is_single, of_several
from plumbline.io.features.files import matrix_or_frame
from plumbline.io.formats.delimited.reading import DelimitedOrigin, delimited_frame
from plumbline.io.memory.frames import dict_frame, is_frame, polars_frame
from plumbline.io.scanned import scanned
from plumbline.io.table import FrameOrigin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import Origin

VARIANTS: Final = ("variant", "group", "arm", "bucket", "treatment", "version", "experiment_group", "test_group")
UNITS: Final = ("unit", "user", "user_id", "userid", "client_id", "client", "cookie", "visitor", "visitor_id", "customer_id")
CONTROLS: Final = ("control", "a", "0", "false", "baseline", "old", "off", "placebo")
BEFORE: Final = ("_before", "_covariate", "_pre")
"""Endings of columns from before the start."""
SAMPLE: Final = 1_000
"""Rows that are looked at to see what a column holds."""
LARGE: Final = 1_000_000
"""Rows from which a table is read piece by piece."""
_YES: Final = ("true", "yes", "t", "y")
_NO: Final = ("false", "no", "f", "n")
_MISSING: Final = ("", "na", "n/a", "nan", "null", "none", "-")


@dataclass(frozen=True, eq=False)
class UnitTable:
    """A table of units, or of counted sums, that can be read again and again."""

    label: str
    rows: pl.LazyFrame
    schema: dict[str, pl.DataType]
    head: pl.DataFrame
    origin: Origin
    is_large: bool
    """Whether rows are read piece by piece, which adds numbers up in an order that differs from run to run."""

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return list(self.schema)

    def column(self, name: str | None, usual: Sequence[str], what: str) -> str:
        """The column that is named, or one with a usual name."""
        match = self.find(name, usual)
        if match is None:
            raise BadUsage(problems.no_column(self.label, what, self.columns))
        return match

    def find(self, name: str | None, usual: Sequence[str]) -> str | None:
        """The same, or None where no column has a usual name."""
        if name is not None and name not in self.schema:
            raise BadUsage(problems.unknown_column(name, self.columns))
        plain = {column.strip().lower().replace(" ", "_"): column for column in reversed(self.columns)}
        return name or next((plain[one] for one in usual if one in plain), None)

    def holds_numbers(self, name: str) -> bool:
        """Whether a column has numbers, or yes and no, as far as the first rows tell."""
        kind = self.schema[name]
        if kind != pl.String:
            return kind.is_numeric() or kind == pl.Boolean
        texts = self.head[name].drop_nulls().str.strip_chars().str.to_lowercase()
        texts = texts.filter(~texts.is_in(_MISSING))
        return len(texts) > 0 and (_are_words(texts) or texts.cast(pl.Float64, strict=False).null_count() == 0)

    def number(self, name: str) -> pl.Expr:
        """The values of a column as numbers; yes is 1 and no is 0, and what is missing is null."""
        kind = self.schema[name]
        column = pl.col(name)
        if kind == pl.String:
            texts = column.str.strip_chars().str.to_lowercase()
            sample = self.head[name].drop_nulls().str.strip_chars().str.to_lowercase()
            if len(sample) and _are_words(sample.filter(~sample.is_in(_MISSING))):
                return pl.when(texts.is_in(_YES)).then(1.0).when(texts.is_in(_NO)).then(0.0)
            return column.str.strip_chars().cast(pl.Float64, strict=False).fill_nan(None)
        if not (kind.is_numeric() or kind == pl.Boolean):
            raise BadUsage(problems.not_numbers(self.label, name, str(kind)))
        number = column.cast(pl.Float64)
        return number.fill_nan(None) if kind.is_float() else number

    def is_wrong(self, name: str) -> pl.Expr | None:
        """Whether a cell holds something else than a number; None if the type of the column leaves no room for it."""
        if self.schema[name] != pl.String:
            return None
        known = pl.col(name).is_not_null() & ~pl.col(name).str.strip_chars().str.to_lowercase().is_in(_MISSING)
        return known & self.number(name).is_null()

    def looks_binary(self, name: str) -> bool:
        """Whether the first rows of a column are all 0 or 1."""
        values = self.head.select(self.number(name)).to_series().drop_nulls()
        return len(values) > 0 and bool(values.is_in([0.0, 1.0]).all())

    def text(self, name: str) -> pl.Expr:
        """A column as text, such as the names of arms."""
        kind = self.schema[name]
        column = pl.col(name)
        if kind == pl.String:
            return column.str.strip_chars().replace("", None) if self._has_space(name) else column
        if not is_single(kind):
            raise BadUsage(of_several(name, kind))
        return (column.fill_nan(None) if kind.is_float() else column).cast(pl.String)

    def _has_space(self, name: str) -> bool:
        sample = self.head[name].drop_nulls()
        return bool((sample != sample.str.strip_chars()).any())

    def collected(self, query: pl.LazyFrame) -> pl.DataFrame:
        """The result of a query, piece by piece over a large table; a file that cannot be read is looked at line by line."""
        try:
            return query.collect(engine="streaming" if self.is_large else "in-memory")
        except PolarsError as error:
            if isinstance(self.origin, DelimitedOrigin):
                delimited_frame(self.origin.content)
            raise BadData(problems.unreadable_rows(self.label, str(error).splitlines()[0])) from None

    def place(self, row: int, column: str = "") -> Place:
        """Where a row stands in the file."""
        return self.origin.places([row], column)[0]


def _are_words(texts: pl.Series) -> bool:
    return len(texts) > 0 and bool(texts.is_in([*_YES, *_NO]).all())


def read_units(source: Any) -> UnitTable:
    """The table of a file, a data frame, or a dict of columns."""
    if isinstance(source, UnitTable):
        return source
    if isinstance(source, pl.LazyFrame):
        return _table("units", source, FrameOrigin("units"))
    if isinstance(source, dict):
        return _table("units", dict_frame(source, "units"), FrameOrigin("units"))
    if is_frame(source):
        return _table("units", polars_frame(source, "units"), FrameOrigin("units"))
    if not isinstance(source, (str, os.PathLike)):
        raise BadUsage(usage.bad_object(f"a {type(source).__name__}", "a path, a data frame or a dict of columns"))
    content = load(source)
    large = _scanned(content)
    if large is not None:
        return large
    frame, origin = matrix_or_frame(content)
    if not isinstance(frame, pl.DataFrame):
        raise BadData(problems.no_header(content.label))
    return _table(content.label, frame, origin)


def _scanned(content: Content) -> UnitTable | None:
    """A large file that polars reads piece by piece; None for small ones, and for those that it cannot read in one way."""
    scan = scanned(content, SMALL)
    try:
        return None if scan is None else _table(content.label, *scan)
    except (PolarsError, OSError):
        return None


def _table(label: str, table: pl.DataFrame | pl.LazyFrame, origin: Origin) -> UnitTable:
    schema = dict(table.lazy().collect_schema())
    head = table.lazy().head(SAMPLE).collect()
    if head.is_empty():
        raise BadData(problems.no_units(label))
    return UnitTable(label, table.lazy(), schema, head, origin, isinstance(table, pl.LazyFrame) or table.height > LARGE)
