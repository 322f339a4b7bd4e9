"""The gold as a file that `evaluate` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.io.table import FrameOrigin, Table
from plumbline.io.write import write
from plumbline.schema import CASE, ITEM, LABEL, VALUE

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.truth.crowd.result import AggregatedGold


def write_gold(result: AggregatedGold, path: Path, *, expected: bool = False, force: bool = False) -> None:
    """Write case, item and grade or label, in the format of the ending; undecided items are left out."""
    column = "expected" if expected else "grade" if "grade" in result.gold.columns else LABEL
    rows = result.gold.select(pl.col(CASE).cast(pl.Categorical), ITEM, pl.col(column).alias(VALUE)).drop_nulls()
    write(Table(rows, str(path), "judgements", FrameOrigin(str(path))), path, "gold", force=force)
