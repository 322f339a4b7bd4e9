"""Checks that every reader makes on what it read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, files, table, usage
from plumbline.errors.base import MOST_SHOWN, visible
from plumbline.errors.notices import control_characters
from plumbline.schema import CASE, SCORE, TAG, VALUE

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Role, Table

LARGEST_GRADE: Final = 2**31 - 1


def check(read: Table, role: Role) -> Table:
    """No row, no finite number, no sane grade: each is named with its place."""
    if read.frame.is_empty() and not read.empty_cases:
        raise BadData(files.no_data(read.label))
    numbers = next((name for name in (SCORE, VALUE) if name in read.frame.columns and read.frame[name].dtype.is_float()), None)
    wrong = [] if numbers is None else _not_finite(read, role, numbers) if role == "output" else _out_of_range(read)
    if wrong:
        raise BadData(*wrong)
    return read


def _not_finite(read: Table, role: Role, column: str = VALUE) -> list[Diagnostic]:
    what = "score" if role == "output" else "grade"
    numbers = read.frame[column]
    rows = np.flatnonzero(~np.isfinite(numbers.to_numpy()) & numbers.is_not_null().to_numpy()).tolist()
    places = read.origin.places(rows[:MOST_SHOWN], what)
    found = [str(abs(numbers[row])) for row in rows]
    shown = [table.not_finite(place, what, text) for place, text in zip(places, found, strict=False)]
    return shown + shown[:1] * (len(rows) - len(shown))


def _out_of_range(read: Table) -> list[Diagnostic]:
    if wrong := _not_finite(read, "gold"):
        return wrong
    far = np.flatnonzero(np.abs(read.frame[VALUE].to_numpy()) > LARGEST_GRADE)[:MOST_SHOWN].tolist()
    grades = [f"{read.frame[VALUE][row]:.0f}" for row in far]
    return [table.grade_out_of_range(*pair) for pair in zip(read.origin.places(far, "grade"), grades, strict=True)]


def check_tags(frame: pl.DataFrame, label: str, wanted: str | None) -> tuple[pl.DataFrame, str | None]:
    """One file is one system: keep the wanted tag, refuse several."""
    column = frame[TAG].to_physical().to_numpy() if len(frame) else np.empty(0)
    if wanted is None and len(column) and bool(np.all(column == column[0])):
        return _without_tag(frame), str(frame[TAG][0])
    tags = [str(tag) for tag in frame[TAG].unique(maintain_order=True).drop_nulls().to_list()]
    if wanted is not None:
        if wanted not in tags:
            raise BadUsage(usage.not_there("run tag", wanted, tags[:3]))
        return _without_tag(frame.filter(pl.col(TAG) == wanted)), wanted
    if len(tags) > 1:
        raise BadData(table.several_tags(label, tags))
    return _without_tag(frame), tags[0] if tags else None


def _without_tag(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame([column for column in frame.get_columns() if column.name != TAG])


def name_notices(read: Table) -> list[Diagnostic]:
    """Case ids that would act on a terminal."""
    odd = sum(name != visible(name) for name in read.frame[CASE].unique().cast(pl.String).to_list())
    return [control_characters(read.label, odd)] if odd else []
