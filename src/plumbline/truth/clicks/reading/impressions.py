"""Shown places with their clicks, as forms of logs give them, and the checks that all of them share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, clicks
from plumbline.io.columns.text import single_texts
from plumbline.schema import CASE, ITEM
from plumbline.truth.clicks.log import CLICKED, POSITION, SESSION

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic, Place
    from plumbline.io.table import Origin

WHEN: Final = "when"
ROW: Final = "row"
COLUMNS: Final = (SESSION, CASE, ITEM, POSITION, CLICKED)
DEEPEST: Final = 1000
"""Lists of more ranks are no result pages."""


@dataclass(frozen=True, eq=False)
class Impressions:
    """`session, case, item, position, clicked`, and perhaps `when` and `row`: a row for each result that was shown."""

    frame: pl.DataFrame
    label: str
    origin: Origin
    notices: tuple[Diagnostic, ...] = ()
    gaps: int = 0
    """How many pages have a position where nothing was shown, above others."""


def checked_impressions(given: Impressions, positions_from: int) -> Impressions:
    """Positions from 1, every item once on a page, every position once; gaps are counted."""
    origin, frame = given.origin, given.frame
    if frame.is_empty():
        raise BadData(clicks.no_impressions(given.label))
    frame = frame if ROW in frame.columns else frame.with_row_index(ROW)
    low = frame[POSITION] < positions_from
    if low.any():
        row = frame.filter(low).row(0, named=True)
        raise BadData(clicks.position_too_low(_place(origin, row, POSITION), row[POSITION], positions_from))
    frame = frame.with_columns((pl.col(POSITION) - positions_from + 1).cast(pl.Int64))
    deep = frame[POSITION] > DEEPEST
    if deep.any():
        row = frame.filter(deep).row(0, named=True)
        raise BadData(clicks.too_deep(_place(origin, row, POSITION), row[POSITION], DEEPEST))
    for what, problem in ((ITEM, clicks.item_twice), (POSITION, clicks.position_twice)):
        again = ~frame.select(SESSION, CASE, what).is_unique()
        if again.any():
            rows = frame.filter(again)
            first = rows.row(0, named=True)
            second = rows.filter(
                (pl.col(SESSION) == first[SESSION]) & (pl.col(CASE) == first[CASE]) & (pl.col(what) == first[what])
            ).row(1, named=True)
            raise BadData(problem(_place(origin, second, what), str(first[what]), first[SESSION]))
    gaps = frame.group_by(SESSION, CASE).agg((pl.col(POSITION).max() > pl.len()).alias("gap"))["gap"].sum()
    return replace(given, frame=frame, gaps=int(gaps))


def _place(origin: Origin, row: dict[str, Any], column: str) -> Place:
    return origin.places([int(row[ROW])], column)[0]


def of_lists(sessions: pl.DataFrame, label: str, origin: Origin, notices: tuple[Diagnostic, ...] = ()) -> Impressions:
    """From a row for each page with the lists `shown` and `clicks` of items, and `session`, `case`, perhaps `when`.

    Repeated clicks on an item count once; clicks on what was not shown are dropped, with a notice.
    """
    pages = sessions.with_row_index(ROW)
    shown = (
        pages.drop("clicks")
        .explode("shown", empty_as_null=False)
        .rename({"shown": ITEM})
        .with_columns((pl.int_range(pl.len(), dtype=pl.Int64).over(ROW) + 1).alias(POSITION))
    )
    clicked = pages.select(ROW, pl.col("clicks").alias(ITEM)).explode(ITEM, empty_as_null=False).unique(maintain_order=True)
    clicked = clicked.drop_nulls()
    joined_rows = shown.join(
        clicked.with_columns(pl.lit(value=True).alias(CLICKED)), on=[ROW, ITEM], how="left", maintain_order="left"
    )
    frame = joined_rows.with_columns(pl.col(CLICKED).fill_null(value=False))
    lost = len(clicked.join(shown.select(ROW, ITEM), on=[ROW, ITEM], how="anti"))
    remarks = (*notices, clicks.clicks_on_unseen(label, lost)) if lost else notices
    return Impressions(frame, label, origin, remarks)


def clicks_as_flags(values: pl.Series, origin: Origin) -> pl.Series:
    """0 and 1, false and true."""
    if values.dtype == pl.Boolean:
        flags = values
    else:
        words = single_texts(values, CLICKED).str.to_lowercase().str.strip_chars()
        known = {"0": False, "1": True, "false": False, "true": True, "0.0": False, "1.0": True}
        flags = words.replace_strict(known, default=None, return_dtype=pl.Boolean)
    if flags.null_count():
        row = int(np.flatnonzero(flags.is_null().to_numpy())[0])
        raise BadData(clicks.not_a_click(origin.places([row], CLICKED)[0], str(values[row])))
    return flags
