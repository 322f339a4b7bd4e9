"""The tables of a comparison as people read them: the leaderboard, the pairs, and any frame."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.comparison.tables import metric_columns
from plumbline.comparison.verdict import p_text
from plumbline.comparison.wording import caption
from plumbline.render.grid import Cell, Grid, number, percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.comparison.tables import Tables


def leaderboard_grid(comparison: Tables) -> Grid:
    """The leaderboard; row numbers of the systems that one robustly beats are raised above its score, or beside it."""
    return replace(_board(comparison, raised=True), plain=_board(comparison, raised=False))


def _board(comparison: Tables, *, raised: bool) -> Grid:
    rows = list(comparison.leaderboard.iter_rows(named=True))
    place = {row["system"]: at for at, row in enumerate(rows, 1)}
    columns = metric_columns(comparison)
    one, metrics = next(iter(columns.values())), columns if len(columns) > 1 else {}
    lines = []
    for row in rows:
        at = comparison.systems.index(row["system"])
        beaten = number_ranges(place[comparison.systems[other]] for other in np.flatnonzero(comparison.beats[at]))
        lines.append(
            (
                Cell(str(place[row["system"]])),
                Cell("" if row["tier"] is None else str(row["tier"])),
                Cell(row["system"]),
                Cell(
                    number(row["score" if metrics else one]),
                    comparison.score.ranks[at] == 1,
                    raised=beaten if raised else "",
                ),
                *(Cell(number(row[column])) for column in metrics.values()),
                *((Cell("" if row["wins"] is None else percent(row["wins"])),) if metrics else ()),
                *(() if raised else (Cell(beaten),)),
                Cell(row["reference"] or ""),
                Cell("" if row["uir"] is None else number(row["uir"], 2)),
            )
        )
    heading = (
        *("#", "tier", "system", *([comparison.score.name] if metrics else [])),
        *(f"{name} ↓" if lower else name for name, lower in zip(comparison.cube.metrics, comparison.cube.lower, strict=True)),
        *(("weightings won",) if metrics else ()),
        *(() if raised else ("beats",)),
        *("reference", "UIR"),
    )
    notes = ("raised: the rows that a system robustly beats",) if raised else ()
    return Grid(heading, tuple(lines), caption(comparison), notes)


def number_ranges(numbers: Iterable[int]) -> str:
    """`1-3,7`: numbers, with runs of them joined."""
    ordered = sorted(numbers)
    breaks = [0, *(at for at, (one, other) in enumerate(pairwise(ordered), 1) if other > one + 1), len(ordered)]
    runs = [ordered[start:stop] for start, stop in pairwise(breaks) if stop > start]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


PAIR_HEADING = (
    "better",
    "worse",
    "difference",
    "95 %",
    "p",
    "corrected",
    "UIR",
    "better or equal by all",
    "worse or equal by all",
    "biased",
    "cases",
    "for every weighting",
    "verdict",
)


def pairs_grid(comparison: Tables) -> Grid:
    """Every pair with the better one first: difference, interval, p, unanimity."""
    rows = []
    counts = comparison.improvements
    for row in comparison.significance.sort("corrected", nulls_last=True, maintain_order=True).iter_rows(named=True):
        a, b = comparison.systems.index(row["a"]), comparison.systems.index(row["b"])
        rows.append(
            (
                *(Cell(row["a"]), Cell(row["b"]), Cell(number(row["difference"]))),
                Cell(f"{number(row['low'])} to {number(row['high'])}"),
                *(Cell(p_text(row[name], comparison.level)) for name in ("p", "corrected")),
                Cell(number(None if np.isnan(counts.uir[a, b]) else float(counts.uir[a, b]), 2)),
                *(Cell(str(table[a, b])) for table in (counts.a_ge_b, counts.b_ge_a, counts.biased, counts.cases)),
                Cell("yes" if comparison.always[a, b] else ""),
                Cell("robust" if row["robust"] else ""),
            )
        )
    return Grid(PAIR_HEADING, tuple(rows), caption(comparison))


def frame_grid(frame: pl.DataFrame, title: str) -> Grid:
    """Any frame as a table for people; lists of names become text."""
    flat = frame.with_columns(pl.col(pl.List(pl.String)).list.join(" "))
    rows = tuple(tuple(Cell(_text(value)) for value in row) for row in flat.iter_rows())
    return Grid(tuple(frame.columns), rows, title)


def _text(value: object) -> str:
    return "" if value is None else number(value) if isinstance(value, float) else str(value)
