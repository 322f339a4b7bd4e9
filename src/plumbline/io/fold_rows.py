"""Folds as rows: which item is tested in which fold of which repeat, and which ones its learner has seen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from plumbline.errors import BadData, BadUsage, Place, folds, table, usage
from plumbline.errors.faces import option
from plumbline.io.bytes.content import load
from plumbline.io.columns.text import single_texts
from plumbline.io.features.files import matrix_or_frame
from plumbline.io.memory.frames import dict_frame, is_frame, polars_frame
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
    rows = source.to_polars() if hasattr(source, "to_polars") and hasattr(source, "indices") else source
    frame, label = read_table(rows, "folds")
    key = ITEM if ITEM in frame.columns else CASE
    for name in (key, FOLD):
        if name not in frame.columns:
            raise BadData(folds.no_column(label, ITEM if name == CASE else name, frame.columns))
    text = frame.select(
        _names(frame, REPEAT, label) if REPEAT in frame.columns else pl.lit("1").alias(REPEAT),
        _names(frame, FOLD, label),
        _names(frame, key, label).alias(KEY),
        parts_of(frame, label).alias(PART),
        *([pl.col("times").cast(pl.Int64, strict=False)] if "times" in frame.columns else []),
    )
    return FoldRows(label, text, of_cases=key == CASE)


def _names(frame: pl.DataFrame, column: str, label: str) -> pl.Series:
    """A column as text, of which no cell is empty."""
    names = single_texts(frame[column], column)
    row = (names.fill_null("") == "").arg_max()
    if row is not None and not names[row]:
        raise BadData(table.bad_id(Place(label), column, f"is missing in row {row + 1}"))
    return names


def parts_of(frame: pl.DataFrame, label: str) -> pl.Series:
    """Whether each row is tested or trained on; without such a column all are tests."""
    if PART not in frame.columns:
        return pl.repeat(TEST, len(frame), dtype=pl.String, eager=True)
    parts = single_texts(frame[PART], PART)
    row = (~parts.is_in([TEST, TRAIN])).fill_null(value=True).arg_max()
    if row is not None and parts[row] not in {TEST, TRAIN}:
        raise BadData(folds.unknown_part(label, row + 1, parts[row]))
    return parts


def read_table(source: Any, label: str) -> tuple[pl.DataFrame, str]:  # noqa: ANN401 - a path, a frame or a sequence of names
    """The table, and what messages call it; a dict has columns, and a sequence is a table of items."""
    if is_frame(source):
        return polars_frame(source, label), label
    if isinstance(source, (str, os.PathLike)):
        content = load(source)
        frame, _ = matrix_or_frame(content)
        if not isinstance(frame, pl.DataFrame):
            raise BadData(folds.no_column(content.label, option("item"), []))
        return frame, content.label
    if isinstance(source, Mapping):
        return dict_frame(source, label), label
    if isinstance(source, (bytes, bytearray, memoryview, type)) or not hasattr(source, "__iter__"):
        raise BadUsage(usage.bad_object(f"the {label}: a {type(source).__name__}", "a path, a data frame, or names"))
    return pl.DataFrame({ITEM: [str(one) for one in source]}), label
