"""Any frame as a table for people."""

from __future__ import annotations

from typing import Final

from plumbline.errors.faces import either, rendered
from plumbline.lazily import pl
from plumbline.render.grid import Cell, Grid, number

MOST_ROWS: Final = 1_000
"""Rows of a table that people read."""


def frame_grid(frame: pl.DataFrame, title: str = "", *, keep: int | None = None, drop: tuple[str, ...] = ()) -> Grid:
    """Any frame as a table for people; lists of names become text.

    The columns of texts at its left tell the rows apart, unless `keep` says how many do.
    """
    flat = frame.head(MOST_ROWS).with_columns(pl.col(pl.List(pl.String)).list.join(" "))
    rows = tuple(tuple(Cell(_value(value)) for value in row) for row in flat.iter_rows())
    everything = rendered(either("the frame of that name has all", "--format csv has all"))
    legend = (f"the {MOST_ROWS:,} of {len(frame):,} rows that come first: {everything}",) if len(frame) > MOST_ROWS else ()
    kept = _names(frame) if keep is None else keep
    return Grid(tuple(frame.columns), rows, title, legend=legend, keep=kept, drop=drop)


def _names(frame: pl.DataFrame) -> int:
    """How many columns at the left hold texts; at least one."""
    texts = [column.dtype == pl.String for column in frame.iter_columns()]
    return max(texts.index(False) if False in texts else len(texts), 1)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else number(value) if isinstance(value, float) else str(value)
