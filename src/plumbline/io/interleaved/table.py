"""Logs as tables: a row for each item shown, or a row for each event, as Wikimedia has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, interleaving
from plumbline.errors.base import listing
from plumbline.io.columns.text import NO, YES, id_text, single_values
from plumbline.io.interleaved.log import (
    CASE,
    CLICKED,
    DWELL,
    EVENT,
    ITEM,
    LAST_POSITION,
    POSITION,
    ROW,
    SESSION,
    SHOWN_AS,
    SHOWN_EVENTS,
    TEAM,
    USER,
    WEIGHT,
    WHEN,
    Log,
    meaning_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Origin

_MISSING = ("", "NA", "NaN", "nan", "null", "None")
_OF_SESSION = (USER, CASE, SHOWN_AS)


def read_table(
    frame: pl.DataFrame, label: str, origin: Origin, columns: Mapping[str, str], actions: Sequence[str], first: int
) -> Log:
    """Impressions if a column says what was clicked, events if one names them."""
    column_of = meaning_of(frame.columns, columns)
    if SESSION not in column_of:
        raise BadData(interleaving.no_column(origin.places([-1], SESSION)[0], "session", frame.columns))
    table = pl.DataFrame([_column(frame[column], meaning, origin) for meaning, column in column_of.items()])
    table = table.with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64))
    if CLICKED in column_of:
        return _impressions(table, label, origin, first)
    if EVENT in column_of:
        return _events(table, label, origin, actions, first)
    raise BadData(interleaving.no_column(origin.places([-1], CLICKED)[0], "clicked or event", frame.columns))


def _column(values: pl.Series, meaning: str, origin: Origin) -> pl.Series:
    """A column as text, numbers, truth values or seconds."""
    values = single_values(values, meaning)
    if meaning == SESSION:
        return _without_gaps(id_text(values, meaning, origin), meaning, origin).alias(meaning)
    if meaning == WHEN:
        return seconds(values, origin).alias(meaning)
    if meaning in {POSITION, DWELL, WEIGHT}:
        return _numbers(values, meaning, origin).alias(meaning)
    if meaning == CLICKED:
        return _truth(values, origin).alias(meaning)
    texts = values.cast(pl.String)
    return texts.set(texts.is_in(list(_MISSING)), None).alias(meaning) if meaning == TEAM else texts.alias(meaning)


def _without_gaps(texts: pl.Series, meaning: str, origin: Origin) -> pl.Series:
    empty = texts.str.strip_chars() == ""
    if empty.any():
        raise BadData(interleaving.no_session(origin.places([int(empty.arg_max() or 0)], meaning)[0]))
    return texts


def _numbers(values: pl.Series, meaning: str, origin: Origin) -> pl.Series:
    if values.dtype.is_numeric():
        return values.cast(pl.Float64).fill_nan(None)
    texts = values.cast(pl.String).str.strip_chars()
    numbers = texts.cast(pl.Float64, strict=False)
    odd = (numbers.is_null() | ~numbers.is_finite()).fill_null(value=True) & ~texts.is_in(list(_MISSING)).fill_null(value=True)
    if odd.any():
        row = int(odd.arg_max() or 0)
        raise BadData(interleaving.not_a_number(origin.places([row], meaning)[0], meaning, texts[row]))
    return numbers.fill_nan(None)


def _truth(values: pl.Series, origin: Origin) -> pl.Series:
    """Clicked or not; a number of clicks is none of the two."""
    if values.dtype == pl.Boolean:
        return values.fill_null(value=False)
    texts = values.cast(pl.String).str.strip_chars().str.to_lowercase().str.strip_suffix(".0")
    yes, no = texts.is_in(list(YES)), texts.is_in(list(NO))
    odd = ~(yes | no).fill_null(value=False)
    if odd.any():
        row = int(odd.arg_max() or 0)
        raise BadData(interleaving.not_clicked(origin.places([row], CLICKED)[0], str(values[row])))
    return yes


def seconds(values: pl.Series, origin: Origin) -> pl.Series:
    """Seconds since any moment; dates are read as such."""
    if values.dtype.is_temporal():
        return values.cast(pl.Datetime("us")).dt.epoch("us") / 1e6
    if values.dtype.is_numeric():
        return values.cast(pl.Float64)
    texts = values.cast(pl.String)
    numbers = texts.cast(pl.Float64, strict=False)
    if not numbers.null_count():
        return numbers
    missing = texts.is_in(list(_MISSING)).fill_null(value=True)
    if missing.all():
        return numbers
    dates = texts.str.to_datetime(strict=False, time_unit="us", time_zone="UTC")
    odd = dates.is_null() & ~missing
    if odd.any():
        row = int(odd.arg_max() or 0)
        raise BadData(interleaving.not_a_moment(origin.places([row], WHEN)[0], texts[row]))
    return (dates.dt.epoch("us") / 1e6).alias(values.name)


def _impressions(table: pl.DataFrame, label: str, origin: Origin, first: int) -> Log:
    sessions, coded = _sessions(table)
    rows = coded.drop(EVENT, strict=False)
    return Log(sessions, checked_rows(rows, origin, first, sessions), label, origin, bool((~rows[CLICKED]).any()))


def _events(table: pl.DataFrame, label: str, origin: Origin, actions: Sequence[str], first: int) -> Log:
    wanted = {action.lower() for action in actions}
    names = table[EVENT].fill_null("").str.strip_chars().str.to_lowercase()
    clicks = names.is_in(list(wanted))
    others = table.filter(~clicks & ~names.is_in(list(SHOWN_EVENTS)))
    notices: list[Diagnostic] = []
    if len(others):
        counted = others[EVENT].fill_null("(none)").value_counts(sort=True)
        notices.append(interleaving.other_events(label, len(others), listing(counted[EVENT].to_list()), sorted(wanted)))
    if not clicks.any():
        raise BadData(interleaving.no_clicks(label, sorted(wanted), listing(table[EVENT].drop_nulls().unique().to_list())))
    sessions, coded = _sessions(table)
    rows = coded.filter(clicks).drop(EVENT).with_columns(pl.lit(value=True).alias(CLICKED))
    return Log(sessions, checked_rows(rows, origin, first, sessions), label, origin, shows_all=False, notices=tuple(notices))


def _sessions(table: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The sessions in the order of the log, and the rows with the number of their session."""
    kept = [name for name in _OF_SESSION if name in table.columns]
    sessions = table.group_by(SESSION, maintain_order=True).agg(pl.col(name).drop_nulls().first() for name in kept)
    numbers = sessions.select(SESSION).with_row_index("number")
    coded = table.join(numbers, on=SESSION, how="left", maintain_order="left")
    return sessions, coded.with_columns(pl.col("number").cast(pl.Int64).alias(SESSION)).drop("number", *kept)


def checked_rows(rows: pl.DataFrame, origin: Origin, first: int, sessions: pl.DataFrame) -> pl.DataFrame:
    """Positions from 1, no negative time, no item twice on a page."""
    if DWELL in rows.columns and (negative := (rows[DWELL] < 0).fill_null(value=False)).any():
        row = int(negative.arg_max() or 0)
        raise BadData(interleaving.negative_dwell(origin.places([rows[ROW][row]], DWELL)[0], rows[DWELL][row]))
    if POSITION in rows.columns:
        wrong = (
            (rows[POSITION] < first) | (rows[POSITION] > LAST_POSITION) | (rows[POSITION] != rows[POSITION].floor())
        ).fill_null(value=False)
        if wrong.any():
            row = int(wrong.arg_max() or 0)
            raise BadData(interleaving.bad_position(origin.places([rows[ROW][row]], POSITION)[0], rows[POSITION][row], first))
        rows = rows.with_columns((pl.col(POSITION) - first + 1).cast(pl.Int64))
    return _without_repeated_items(rows, origin, sessions)


def _without_repeated_items(rows: pl.DataFrame, origin: Origin, sessions: pl.DataFrame) -> pl.DataFrame:
    """An item stands once on a page; a second click on it is no second item."""
    if ITEM not in rows.columns or rows[CLICKED].all():
        return rows
    twice = rows.select(SESSION, ITEM).is_duplicated() & rows[ITEM].is_not_null()
    again = rows.filter(twice)
    if (
        POSITION in rows.columns
        and again.group_by(SESSION, ITEM).agg(pl.col(POSITION).n_unique()).filter(pl.col(POSITION) > 1).height
    ):
        row = int((twice & ~rows.select(pl.struct(SESSION, ITEM).is_first_distinct()).to_series()).arg_max() or 0)
        where = origin.places([rows[ROW][row]], ITEM)[0]
        raise BadData(interleaving.item_twice(where, rows[ITEM][row], sessions[SESSION][rows[SESSION][row]]))
    if not len(again):
        return rows
    alone = rows.sort(CLICKED, descending=True, maintain_order=True).unique([SESSION, ITEM], keep="first", maintain_order=True)
    return alone.sort(ROW)
