"""TREC runs and judgements, written."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, table
from plumbline.schema import CASE, ITEM, SUBTOPIC

if TYPE_CHECKING:
    from plumbline.io.registry import Rows


def write_trec(rows: Rows, file: IO[bytes]) -> None:
    """Write judgements or a run; the items of a run are ordered by score, and equal scores by item."""
    for column in (name for name in (CASE, ITEM, SUBTOPIC) if name in rows.frame.columns):
        odd = rows.frame[column].filter(rows.frame[column].cast(pl.String).str.contains(r"\s|^$"))
        if len(odd):
            raise BadData(table.unwritable_id(rows.path, column, odd[0]))
    lines = _judgements(rows.frame) if rows.role == "gold" else _run(rows.frame, rows.tag)
    lines.write_csv(file, separator=" ", include_header=False, quote_style="never")


def _judgements(frame: pl.DataFrame) -> pl.DataFrame:
    all_integers = bool((frame["grade"] == frame["grade"].floor()).all())
    grade = pl.col("grade").cast(pl.Int64) if all_integers else pl.col("grade")
    second = pl.col(SUBTOPIC) if SUBTOPIC in frame.columns else pl.lit("0").alias("iteration")
    return frame.select(CASE, second, ITEM, grade)


def _run(frame: pl.DataFrame, tag: str) -> pl.DataFrame:
    numbered = frame.with_row_index("place").with_columns(pl.col("place").min().over(CASE))
    ordered = numbered.sort("place", "score", ITEM, descending=[False, True, True])
    rank = pl.int_range(1, pl.len() + 1).over(CASE)
    return ordered.select(
        CASE, pl.lit("Q0").alias("Q0"), ITEM, rank.alias("rank"), "score", pl.lit("_".join(tag.split())).alias("tag")
    )
