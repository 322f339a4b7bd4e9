"""Scores as numbers: missing values are counted, wrong ones are named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from plumbline.errors.base import MOST_SHOWN

_NO_VALUE: Final = ("", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "+nan", "null", "none", "-", ".")
_WIDEST: Final = 40
_TRUTH: Final = {"true": "1", "false": "0"}


@dataclass(frozen=True)
class Wrong:
    """A score that is not a number: its row, how it is written, and whether it is only infinite."""

    row: int
    text: str
    infinite: bool


@dataclass(frozen=True)
class Numbers:
    """A column of scores: null where there is no value."""

    values: pl.Series
    wrong: tuple[Wrong, ...]
    """The first few that are neither a number nor no value."""
    any_number: bool
    """Whether at least one is a number; without any, the column is text or empty."""
    any_text: bool
    """Whether at least one is neither a number nor no value."""


def as_numbers(values: pl.Series) -> Numbers:
    """The numbers of a column of any type; true and false are 1 and 0 where a column has nothing else."""
    if values.dtype == pl.Boolean or values.dtype.is_numeric() or values.dtype == pl.Null:
        numbers = values.cast(pl.Float64).fill_nan(None)
        odd = numbers.is_infinite().fill_null(value=False)
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
        return numbers, (present & numbers.is_null()) | numbers.is_infinite().fill_null(value=False)
    return numbers.fill_nan(None), numbers.is_infinite().fill_null(value=False)


def _checked(values: pl.Series, numbers: pl.Series, odd: pl.Series) -> Numbers:
    rows = odd.arg_true().head(MOST_SHOWN + 1).to_list() if odd.any() else []
    wrong = tuple(Wrong(row, _shortened(str(values[row])), numbers[row] is not None) for row in rows)
    any_text = bool((odd & numbers.is_null()).any()) if rows else False
    return Numbers(numbers, wrong, numbers.null_count() < len(numbers), any_text)


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
