"""Scores as numbers: missing values are counted, wrong ones are named."""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_NO_VALUE: Final = ("", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "+nan", "null", "none", "-", ".")
_WIDEST: Final = 40
_TRUTH: Final = {"true": "1", "false": "0"}
LARGEST: Final = 1e300
"""Sums and products of larger scores, or of differences of them, leave the range of numbers."""


@dataclass(frozen=True)
class Numbers:
    """A column of scores: null where there is no value."""

    values: pl.Series
    source: pl.Series
    """The column as it was read."""
    wrong: NDArray[np.int64]
    """The rows of those that are neither a number nor no value."""
    any_number: bool
    """Whether at least one is a number; without any, the column is text or empty."""
    any_text: bool
    """Whether at least one is neither a number nor no value."""


@dataclass(frozen=True)
class Wrong:
    """A score that cannot be used: its row in the source and in the table, how it is written, and why."""

    row: int
    place: int
    text: str
    reason: str


def what_is_wrong(number: float | None) -> str:
    """Why a score that was read as this number, or as none, cannot be used."""
    if number is None:
        return "is not a number"
    return "is infinite" if isinf(number) else f"is too large: scores lie between -{LARGEST:g} and {LARGEST:g}"


@dataclass(frozen=True)
class WrongScores:
    """All scores of a table that are no numbers, in the order of the rows of the source."""

    columns: tuple[Numbers, ...]
    column: NDArray[np.int64]
    rows: NDArray[np.int64]
    places: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    def within(self, kept: NDArray[np.bool_]) -> WrongScores:
        """Those in the rows of the table that are kept, which then are its only rows."""
        some = kept[self.places]
        places = (np.cumsum(kept) - 1)[self.places[some]]
        return WrongScores(self.columns, self.column[some], self.rows[some], places)

    def first(self, count: int) -> Iterator[Wrong]:
        """A few of them, in words."""
        for column, row, place in zip(*(each[:count].tolist() for each in (self.column, self.rows, self.places)), strict=True):
            numbers = self.columns[column]
            yield Wrong(row, place, _shortened(str(numbers.source[row])), what_is_wrong(numbers.values[row]))


def wrong_scores(columns: Iterable[Numbers] = ()) -> WrongScores:
    """Those of a table whose rows are the columns, one below the other."""
    columns = tuple(columns)
    height = len(columns[0].values) if columns else 0
    counts = [len(one.wrong) for one in columns]
    column = np.repeat(np.arange(len(columns), dtype=np.int64), counts)
    rows = np.concatenate([np.empty(0, dtype=np.int64), *(one.wrong for one in columns)])
    order = np.argsort(rows, kind="stable")
    column, rows = column[order], rows[order]
    return WrongScores(columns, column, rows, column * height + rows)


def as_numbers(values: pl.Series) -> Numbers:
    """The numbers of a column of any type; true and false are 1 and 0 where a column has nothing else."""
    if values.dtype == pl.Boolean or values.dtype.is_numeric() or values.dtype == pl.Null:
        numbers = values.cast(pl.Float64).fill_nan(None)
        odd = _too_large(numbers)
    elif values.dtype == pl.String or isinstance(values.dtype, (pl.Categorical, pl.Enum)):
        numbers, odd = _read(values.cast(pl.String))
    else:
        numbers = pl.Series(values.name, [None], dtype=pl.Float64).new_from_index(0, len(values))
        odd = values.is_not_null()
    return _checked(values, numbers, odd)


def _read(texts: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Numbers from text, and which are wrong; most columns are plain numbers, so that this is looked at first."""
    numbers = texts.cast(pl.Float64, strict=False)
    if numbers.null_count() > texts.null_count():
        lowered = texts.str.strip_chars().str.to_lowercase()
        present = lowered.is_not_null() & ~lowered.is_in(list(_NO_VALUE))
        kinds = lowered.filter(present).head(1).to_list()
        if kinds and kinds[0] in _TRUTH and lowered.filter(present).is_in(list(_TRUTH)).all():
            lowered = lowered.replace(_TRUTH)
        numbers = lowered.cast(pl.Float64, strict=False).fill_nan(None)
        return numbers, (present & numbers.is_null()) | _too_large(numbers)
    return numbers.fill_nan(None), _too_large(numbers)


def _too_large(numbers: pl.Series) -> pl.Series:
    return (numbers.fill_nan(None).abs() > LARGEST).fill_null(value=False)


def _checked(values: pl.Series, numbers: pl.Series, odd: pl.Series) -> Numbers:
    wrong = odd.arg_true().to_numpy().astype(np.int64)
    any_text = bool((odd & numbers.is_null()).any())
    return Numbers(numbers, values, wrong, numbers.null_count() < len(numbers), any_text)


def _shortened(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."


def column_of(values: list[Any]) -> pl.Series:
    """Values of records or dicts as a column: numbers where all are, truth where all are, else text."""
    kinds = set(map(type, values))
    if kinds <= {bool, type(None)}:
        return pl.Series(values, dtype=pl.Boolean)
    if kinds <= {int, type(None)}:
        return pl.Series(values, dtype=pl.Int64) if _fit(values) else _text(values)
    if kinds <= {int, float, type(None)}:
        return pl.Series(list(map(_float, values)), dtype=pl.Float64)
    return _text(values)


def _fit(values: list[Any]) -> bool:
    return all(value is None or abs(value) < 2**63 for value in values)


def _float(value: float | None) -> float | None:
    if value is None:
        return None
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _text(values: list[Any]) -> pl.Series:
    """Halves of surrogate pairs are written as question marks: such a name matches nothing else."""
    texts = [None if value is None else str(value).encode(errors="replace").decode() for value in values]
    return pl.Series(texts, dtype=pl.String)
