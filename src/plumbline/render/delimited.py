"""CSV and TSV: one table, in which no name acts as a formula of a spreadsheet."""

from __future__ import annotations

from csv import writer
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors.base import without_controls
from plumbline.render.formats import output_format

if TYPE_CHECKING:
    import polars as pl

    from plumbline.render.document import Document

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


@output_format("csv", suffixes=(".csv",), one_table=True)
def csv(document: Document) -> str:
    """One table with commas and full precision; an undefined value is empty."""
    return _text(document, ",")


@output_format("tsv", suffixes=(".tsv", ".tab"), one_table=True)
def tsv(document: Document) -> str:
    """One table with tabs and full precision; an undefined value is empty."""
    return _text(document, "\t")


def _text(document: Document, separator: str) -> str:
    rows = document.plain_rows
    return delimited(document.rows, separator) if rows is None else _joined_rows(rows, separator)


def _joined_rows(rows: list[tuple[Any, ...]], separator: str) -> str:
    """Rows as the same text, without a frame."""
    file = StringIO()
    write = writer(file, delimiter=separator, lineterminator="\n")
    write.writerows([_field(value) for value in row] for row in rows)
    return file.getvalue()


def _field(value: str | float | None) -> str | float | None:
    """A name that does no harm, or a number in as few digits as tell it from its neighbours."""
    if isinstance(value, float):
        digits, _, exponent = repr(value).partition("e")
        if exponent == "-05":  # Python writes 1e-05 where others write 0.00001
            return f"{value:.{len(digits.replace('-', '').replace('.', '')) + 4}f}"
        return f"{digits}e{int(exponent):+d}" if exponent else digits
    return harmless(value) if isinstance(value, str) else value


def delimited(frame: pl.DataFrame, separator: str) -> str:
    """A frame as text; lists of names become one text with spaces."""
    columns = [_harmless(_joined(series)).rename(harmless(series.name)) for series in frame.iter_columns()]
    return type(frame)(columns).write_csv(separator=separator) if columns else "\n"


def _joined(series: pl.Series) -> pl.Series:
    return series.list.join(" ") if str(series.dtype) == "List(String)" else series


def _harmless(series: pl.Series) -> pl.Series:
    """The texts of a column, none of which acts as a formula."""
    if str(series.dtype) != "String":
        return series
    names = {name: harmless(name) for name in series.unique().drop_nulls()}
    changed = {name: safe for name, safe in names.items() if safe != name}
    return series.replace(changed) if changed else series


def harmless(name: str) -> str:
    """A name that a spreadsheet would run as a formula gets an apostrophe in front; control characters are spelled out."""
    return f"'{without_controls(name)}" if name.startswith(_FORMULA) else without_controls(name)
