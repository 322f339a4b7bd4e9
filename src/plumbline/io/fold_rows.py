"""Folds as rows: which item is tested in which fold of which repeat, and which ones its learner has seen."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from plumbline.errors import BadData, folds
from plumbline.errors.faces import option
from plumbline.io.bytes.content import load
from plumbline.io.features.files import matrix_or_frame
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.schema import CASE, FOLD, ITEM, PART, REPEAT

KEY: Final = "key"
"""The item, or the case, that is tested."""
TEST: Final = "test"
TRAIN: Final = "train"


@dataclass(frozen=True, eq=False)
class FoldRows:
    """`repeat, fold, key, part` as text, and what messages call them."""

    label: str
    rows: pl.DataFrame
    of_cases: bool = False
    """Whether whole cases are split, and not items."""

    @property
    def tests(self) -> pl.DataFrame:
        """`repeat, fold, key` of what is tested."""
        return self.rows.filter(pl.col(PART) == TEST).select(REPEAT, FOLD, KEY)

    def test_to_train(self, known: int) -> float:
        """The number of tests divided by that of training items, on average over folds; an item drawn twice counts twice.

        Args:
            known: How many items there are in all: a fold that names no training items has seen all that it does not test.
        """
        times = pl.col("times") if "times" in self.rows.columns else pl.lit(1)
        of_fold = self.rows.group_by(REPEAT, FOLD, maintain_order=True).agg(
            tested=(pl.col(PART) == TEST).sum(), trained=times.filter(pl.col(PART) != TEST).sum()
        )
        trained = pl.when(pl.col("trained") > 0).then("trained").otherwise(known - pl.col("tested"))
        return float(of_fold.select((pl.col("tested") / trained).mean()).item() or 0.0)


def read_fold_rows(source: Any) -> FoldRows:  # noqa: ANN401 - a path, a frame, or what split() returns
    """The folds of a file, a data frame, or `Split`; without `repeat` there is one, without `part` all rows are tests."""
    table = source.to_polars() if hasattr(source, "to_polars") and hasattr(source, "indices") else source
    frame, label = read_table(table, "folds")
    key = ITEM if ITEM in frame.columns else CASE
    for name in (key, FOLD):
        if name not in frame.columns:
            raise BadData(folds.no_column(label, ITEM if name == CASE else name, frame.columns))
    text = frame.select(
        (pl.col(REPEAT) if REPEAT in frame.columns else pl.lit("1")).cast(pl.String).alias(REPEAT),
        pl.col(FOLD).cast(pl.String),
        pl.col(key).cast(pl.String).alias(KEY),
        parts_of(frame, label).alias(PART),
        *([pl.col("times").cast(pl.Int64, strict=False)] if "times" in frame.columns else []),
    )
    return FoldRows(label, text, of_cases=key == CASE)


def parts_of(frame: pl.DataFrame, label: str) -> pl.Series:
    """Whether each row is tested or trained on; without such a column all are tests."""
    if PART not in frame.columns:
        return pl.repeat(TEST, len(frame), dtype=pl.String, eager=True)
    parts = frame[PART].cast(pl.String)
    row = (~parts.is_in([TEST, TRAIN])).fill_null(value=True).arg_max()
    if row is not None and parts[row] not in {TEST, TRAIN}:
        raise BadData(folds.unknown_part(label, row + 1, parts[row]))
    return parts


def read_table(source: Any, label: str) -> tuple[pl.DataFrame, str]:  # noqa: ANN401 - a path, a frame or a sequence of names
    """The table, and what messages call it; a sequence is a table of items."""
    if is_frame(source):
        return polars_frame(source, label), label
    if isinstance(source, (str, os.PathLike)):
        content = load(source)
        table, _ = matrix_or_frame(content)
        if not isinstance(table, pl.DataFrame):
            raise BadData(folds.no_column(content.label, option("item"), []))
        return table, content.label
    return pl.DataFrame({ITEM: [str(one) for one in source]}), label
