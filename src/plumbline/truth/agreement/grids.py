"""Tables about judges as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plumbline.render.frame import frame_grid
from plumbline.render.grid import Cell, Grid, number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

MOST_DISPUTED: Final = 25
"""Disputed items that people are shown."""


def table_grid(name: str, frame: pl.DataFrame, title: str) -> Grid:
    """The table of this name: some columns of wide ones, all of others."""
    if name == "leaderboards":
        return _leaderboards(frame, title)
    if name == "disputed":
        more = len(frame) - MOST_DISPUTED
        return frame_grid(frame.head(MOST_DISPUTED), title + (f"; {more:,} more items" if more > 0 else ""))
    return _estimates(frame, title) if name == "estimates" else frame_grid(frame, title)


def _leaderboards(frame: pl.DataFrame, title: str) -> Grid:
    """Each two judges: how much their leaderboards agree, and what becomes of significant differences."""
    heading = ("judges", "metric", "tau", "tau AP", "RBO", "top", "drop", "stay", "vanish", "reversed")
    rows = tuple(
        (
            Cell(f"{row['a']}, {row['b']}"),
            Cell(row["metric"]),
            *(Cell(number(row[name], 2)) for name in ("tau", "tau_ap", "rbo", "tau_top")),
            *(Cell(f"{row[name]:,}") for name in ("largest_drop", "stay", "vanish", "turn_round")),
        )
        for row in frame.iter_rows(named=True)
    )
    return Grid(heading, rows, f"{title}; top: tau of the best systems; drop: the most places that a system loses")


def _estimates(frame: pl.DataFrame, title: str) -> Grid:
    """Each system, and each difference of two."""
    heading = ("judge", "metric", "system", "estimate", "reference alone", "cases", "worth")
    rows = tuple(
        (
            Cell(row["judge"]),
            Cell(row["metric"]),
            Cell(row["system"] if row["minus"] is None else f"{row['system']} - {row['minus']}"),
            Cell(_with_interval(row, "estimate", "")),
            Cell(_with_interval(row, "mean", "mean_")),
            Cell(f"{row['cases']:,}"),
            Cell("" if row["worth"] is None else f"{row['worth']:.0f}"),
        )
        for row in frame.iter_rows(named=True)
    )
    return Grid(heading, rows, f"{title}; worth: cases of the reference alone that would give the same certainty")


def _with_interval(row: Mapping[str, Any], name: str, prefix: str) -> str:
    if row[name] is None:
        return number(None)
    return f"{number(row[name], 3)} [{number(row[f'{prefix}low'], 3)}, {number(row[f'{prefix}high'], 3)}]"
