"""Tables of judgements: a row for each judgement, or a row for each item with a column for each assessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, judgements
from plumbline.io.columns.text import id_text, single_texts, single_values
from plumbline.io.judgements.names import meaning_of
from plumbline.io.judgements.part import ASSESSOR, COLUMNS, ROW, SECONDS, Opened, Part, judgement_form
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from plumbline.io.table import Origin

FEWEST = 2


def is_table(opened: Opened) -> bool:
    """Whether it is a data frame, and no form of a tool."""
    return isinstance(opened.data, pl.DataFrame)


def is_matrix(opened: Opened) -> bool:
    """Whether a frame names neither assessors nor labels, so that its columns are the assessors."""
    if not isinstance(opened.data, pl.DataFrame):
        return False
    column_of = meaning_of(opened.data.columns, opened.columns)
    others = [name for name in opened.data.columns if name not in column_of.values()]
    plain = all(not opened.data[name].dtype.is_nested() for name in others)
    return plain and ASSESSOR not in column_of and LABEL not in column_of and len(others) >= FEWEST


@judgement_form("matrix", fits=is_matrix)
def read_matrix(opened: Opened) -> Part:
    """A row for each item, a column for each assessor; an empty cell is no judgement."""
    frame: pl.DataFrame = opened.data
    column_of = {
        meaning: column for meaning, column in meaning_of(frame.columns, opened.columns).items() if meaning in {CASE, ITEM}
    }
    assessors = [name for name in frame.columns if name not in column_of.values()]
    kept = [id_text(frame[column], meaning, opened.origin).alias(meaning) for meaning, column in column_of.items()] or [
        pl.Series(ITEM, range(1, len(frame) + 1)).cast(pl.String)
    ]
    if ITEM not in column_of and CASE not in column_of:
        first = frame.columns[0]
        kept, assessors = _unnamed(frame, first, assessors, opened.origin)
    wide = pl.DataFrame(kept).with_row_index(ROW)
    rows = wide.hstack([frame[name].cast(pl.String).alias(f"{place}") for place, name in enumerate(assessors)])
    long = rows.unpivot(
        on=[f"{place}" for place in range(len(assessors))], index=wide.columns, variable_name=ASSESSOR, value_name=LABEL
    )
    names = pl.Series(assessors, dtype=pl.String)
    long = long.with_columns(names.gather(long[ASSESSOR].cast(pl.Int64)).alias(ASSESSOR), pl.col(ROW).cast(pl.Int64))
    return Part(long.filter(pl.col(LABEL).is_not_null()), opened.label, opened.name, opened.origin)


def _unnamed(frame: pl.DataFrame, first: str, assessors: list[str], origin: Origin) -> tuple[list[pl.Series], list[str]]:
    """Items by their row, unless the first column tells every row apart and is no number."""
    texts = frame[first].cast(pl.String)
    named = texts.null_count() == 0 and texts.n_unique() == len(frame) and texts.cast(pl.Float64, strict=False).null_count() > 0
    if named and len(assessors) > FEWEST:
        return [id_text(frame[first], ITEM, origin).alias(ITEM)], [name for name in assessors if name != first]
    return [pl.Series(ITEM, range(1, len(frame) + 1)).cast(pl.String)], assessors


@judgement_form("table", fits=is_table)
def read_table(opened: Opened) -> Part:
    """A row for each judgement: item, assessor and label, and perhaps case, seconds, when, batch and gold."""
    frame: pl.DataFrame = opened.data
    column_of = meaning_of(frame.columns, opened.columns)
    lacking = next((meaning for meaning in (ITEM, LABEL) if meaning not in column_of), None)
    if lacking is not None:
        raise BadData(judgements.no_column(opened.origin.places([-1], lacking)[0], lacking, frame.columns))
    chosen = [
        _column(frame[column_of[meaning]], meaning, opened.origin).alias(meaning) for meaning in COLUMNS if meaning in column_of
    ]
    rows = pl.DataFrame(chosen).with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64))
    return Part(rows, opened.label, opened.name, opened.origin)


def _column(values: pl.Series, meaning: str, origin: Origin) -> pl.Series:
    if meaning in {CASE, ITEM, ASSESSOR}:
        return id_text(values, meaning, origin)
    if meaning == SECONDS:
        return single_values(values, meaning).cast(pl.Float64, strict=False)
    if meaning == LABEL and values.dtype == pl.List:
        return values.cast(pl.List(pl.String))
    if values.dtype == pl.Boolean:
        return values.cast(pl.Int64).cast(pl.String)
    return single_texts(values, meaning)
