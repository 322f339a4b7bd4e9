"""A table of items with the columns that folds respect: classes, groups and moments as codes and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, folds
from plumbline.io.columns.text import single_texts
from plumbline.io.fold_rows import read_table
from plumbline.schema import ITEM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic

NAMES: Final = (ITEM, "id", "item_id", "doc_id", "docno", "name", "uuid")
"""Columns that name items, if no column is given."""
_SECONDS: Final = {"w": 604800.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([wdhms])")


@dataclass(frozen=True)
class Items:
    """Items in the order of their table."""

    label: str
    frame: pl.DataFrame
    names: list[str]
    named_by: str | None

    def __len__(self) -> int:
        return len(self.frame)

    def column(self, name: str) -> pl.Series:
        """A column as text."""
        if name not in self.frame.columns:
            raise BadUsage(folds.no_column(self.label, name, self.frame.columns))
        return single_texts(self.frame[name], name).fill_null("")

    def codes(self, name: str) -> tuple[NDArray[np.int64], list[str]]:
        """A number for each value of a column, in the order of their first rows, and the values."""
        values = self.column(name)
        distinct = values.unique(maintain_order=True)
        code = values.replace_strict(distinct, pl.Series(np.arange(len(distinct))), return_dtype=pl.Int64)
        return code.to_numpy(), distinct.to_list()

    def memberships(self, name: str, separator: str) -> tuple[NDArray[np.bool_], list[str]]:
        """A row for each item and a column for each of its labels."""
        parts = self.column(name).str.split(separator)
        flat = (
            pl.DataFrame({"row": np.arange(len(self)), "label": parts})
            .explode("label")
            .with_columns(pl.col("label").str.strip_chars())
        )
        flat = flat.filter(pl.col("label") != "")
        labels = flat["label"].unique(maintain_order=True).to_list()
        member = np.zeros((len(self), len(labels)), dtype=np.bool_)
        code = flat["label"].replace_strict(labels, np.arange(len(labels)), return_dtype=pl.Int64)
        member[flat["row"].to_numpy(), code.to_numpy()] = True
        return member, labels

    def moments(self, name: str) -> tuple[NDArray[np.float64], bool]:
        """Numbers, or seconds where the column has dates; and whether it has dates."""
        if name in self.frame.columns and isinstance(self.frame[name].dtype, (pl.Date, pl.Datetime)):
            return _seconds(self.frame[name].cast(pl.Datetime("us"))), True
        texts = self.column(name)
        numbers = texts.cast(pl.Float64, strict=False)
        if not numbers.null_count() and numbers.is_finite().all():
            return numbers.to_numpy(), False
        dates = (
            texts.str.to_datetime(strict=False, time_unit="us", time_zone="UTC")
            if len(texts)
            else texts.cast(pl.Datetime("us"))
        )
        if dates.null_count():
            row = int(dates.is_null().arg_max() or 0)
            raise BadData(folds.not_a_moment(self.label, row + 1, texts[row]))
        return _seconds(dates), True

    def missing_classes(
        self, column: str, parts: Iterable[tuple[int, NDArray[np.bool_], NDArray[np.bool_]]], *, stratified: bool
    ) -> Iterator[Diagnostic]:
        """A notice about classes that the training or the test of a fold lacks; parts are folds with their two sides."""
        classes, names = self.codes(column)
        missing = [
            f"{names[code]} in the {word} of fold {fold}"
            for fold, train, test in parts
            for word, chosen in (("test", test), ("training", train))
            for code in np.flatnonzero(np.bincount(classes[chosen], minlength=len(names)) == 0).tolist()
        ]
        if missing:
            yield folds.missing_class(missing, len(missing), stratified=stratified)


def _seconds(dates: pl.Series) -> NDArray[np.float64]:
    return dates.dt.epoch("us").to_numpy() / 1e6


def duration(given: str | float | None, *, dates: bool) -> float:
    """A gap in the unit of the moments."""
    if given is None:
        return 0.0
    match = _DURATION.fullmatch(str(given).strip())
    if dates and match:
        return float(match[1]) * _SECONDS[match[2]]
    try:
        if not dates and float(given) >= 0:
            return float(given)
    except ValueError:
        pass
    raise BadUsage(folds.bad_duration(str(given)))


def read_items(source: Any, name: str | None) -> Items:
    """The items of a file, a data frame, or a plain sequence, whose values are their names."""
    frame, label = read_table(source, "items")
    named_by = name or next((one for one in NAMES if one in frame.columns), None)
    if named_by is None:
        return Items(label, frame, list(map(str, range(len(frame)))), None)
    if named_by not in frame.columns:
        raise BadUsage(folds.no_column(label, named_by, frame.columns))
    names = single_texts(frame[named_by], named_by).fill_null("")
    if names.n_unique() < len(names):
        second = int(names.is_first_distinct().not_().arg_max() or 0)
        first = int((names == names[second]).arg_max() or 0)
        raise BadData(folds.item_twice(label, names[second], first + 1, second + 1))
    return Items(label, frame, names.to_list(), named_by)
