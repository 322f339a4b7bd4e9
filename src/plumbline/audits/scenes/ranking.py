"""Small outputs of rankings: lists of relevant and other items."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.audits.scenes.scene import Scene, by_evaluation, numbered
from plumbline.errors.base import plural
from plumbline.schema import CASE, GRADE, ITEM, SCORE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.audits.constraints.ranking import Listed

LONG: Final = 12
"""Lists up to this length are drawn item by item."""


def tables(worlds: Sequence[Listed]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """All shown items are judged; hidden ones are relevant and judged too."""
    lengths = np.array([len(world.shown) for world in worlds])
    cases, places = numbered(lengths)
    grades = (np.frombuffer("".join(world.shown for world in worlds).encode(), np.uint8) == ord("R")).astype(np.int64)
    of_hidden, number = numbered(np.array([world.hidden for world in worlds]))
    shown = pl.DataFrame({CASE: cases, ITEM: places, GRADE: grades}).with_columns(pl.format("shown{}", ITEM).alias(ITEM))
    hidden = pl.DataFrame({CASE: of_hidden, ITEM: number}).with_columns(
        pl.format("hidden{}", ITEM).alias(ITEM), pl.lit(1, pl.Int64).alias(GRADE)
    )
    gold = pl.concat([shown, hidden]).with_columns(pl.col(CASE).cast(pl.String))
    listed = shown.select(pl.col(CASE).cast(pl.String), ITEM).with_columns(pl.Series(SCORE, -places.astype(np.float64)))
    return gold, listed


def drawn(world: Listed) -> str:
    """R and N in their order, long runs counted."""
    runs = [(letter, len(list(run))) for letter, run in groupby(world.shown)]
    if len(world.shown) <= LONG:
        return " ".join(world.shown)
    return " ".join(letter if count == 1 else f"{letter} x {count}" for letter, count in runs)


def hidden(world: Listed) -> str:
    """How many relevant items there are, and how many of them are not shown."""
    relevant = world.shown.count("R") + world.hidden
    unseen = f", {world.hidden} not shown" if world.hidden else ""
    return f"{plural(relevant, 'relevant item')}{unseen}"


def arguments(world: Listed) -> tuple[list[int], int]:
    """The grades of the list, best first, and how many relevant items there are."""
    grades = [int(letter == "R") for letter in world.shown]
    return grades, sum(grades) + world.hidden


SCENE: Final = Scene("ranking", by_evaluation("ranking", tables), drawn, hidden, arguments, ("grades", "relevant"))
