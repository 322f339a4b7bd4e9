"""Scores over folds as a table: the mean over folds beside the value of all answers pooled."""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING, Any, Final

from plumbline.render.grid import Cell, Grid, number
from plumbline.schema import METRIC, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDS: Final = "folds"
"""The key of what scores remember about their folds, and of their means over folds."""
POOLED: Final = "pooled"
HEADINGS: Final = {
    FOLDS: "mean over folds",
    POOLED: "pooled answers",
    "seen": "in-sample",
    "b632": ".632",
    "b632plus": ".632+",
}


def fold_means(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What scores remember about the means over their folds; nothing without folds."""
    rows: list[dict[str, Any]] = made.get(FOLDS, {}).get("means", [])
    return rows


def fold_grid(made: Mapping[str, Any], digits: int = 4) -> Grid | None:
    """The table for people; None without folds, or if both values are the same everywhere and nothing else is known."""
    rows = fold_means(made)
    columns = [name for name in HEADINGS if rows and name in rows[0]]
    if not rows or (columns == [FOLDS, POOLED] and all(map(_alike, rows))):
        return None
    cells = tuple(
        (Cell(row[SYSTEM]), Cell(row[METRIC]), *(Cell(number(row[name], digits)) for name in columns)) for row in rows
    )
    heading = (SYSTEM, METRIC, *(HEADINGS[name] for name in columns))
    return Grid(heading, cells, "a mean of ratios is not the ratio of sums", keep=2)


def _alike(row: dict[str, Any]) -> bool:
    """Whether both values are the same but for rounding, or both are undefined."""
    folds, pooled = row[FOLDS], row[POOLED]
    if folds is None or pooled is None:
        return folds is pooled
    return isclose(folds, pooled, rel_tol=1e-9, abs_tol=1e-12)
