"""Checks of every table that was read, and run tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, BadUsage, files, pools, table, usage
from plumbline.errors.base import MOST_SHOWN, counted, visible
from plumbline.errors.notices import control_characters
from plumbline.io.table import LARGEST_GRADE
from plumbline.lazily import pl
from plumbline.schema import CASE, SCORE, TAG, VALUE

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Origin, Role, Table

ANY_TAG: Final = "any"
"""The word of the option `tag` that reads all rows as one run."""


def check(read: Table, role: Role) -> Table:
    """The table, if it has rows, its numbers are finite and its grades are not too large; otherwise each problem is named."""
    if read.names_of_cases is not None:
        return read  # its numbers were looked at before
    if not read.rows and not read.empty_cases:
        raise BadData(files.no_data(read.label))
    kinds = read.frame.schema if read.numbered is None else {column.name: column.dtype for column in read.numbered}
    numbers = next((name for name in (SCORE, VALUE) if name in kinds and kinds[name].is_float()), None)
    wrong = [] if numbers is None else _not_finite(read, role, numbers) if role == "output" else _out_of_range(read)
    if wrong:
        raise BadData(*wrong)
    return read


def check_probabilities(values: pl.Series, origin: Origin) -> pl.Series:
    """The probabilities at which items were judged, if each is above 0 and at most 1."""
    wrong = np.flatnonzero(~((values > 0) & (values <= 1)).fill_null(value=False).to_numpy())
    if len(wrong):
        places = origin.places(wrong[:MOST_SHOWN].tolist(), "probability")
        shown = [pools.bad_probability(place, f"{values[int(row)]}") for place, row in zip(places, wrong, strict=False)]
        raise BadData(*counted(shown, len(wrong)))
    return values


def _not_finite(read: Table, role: Role, column: str = VALUE) -> list[Diagnostic]:
    what = "score" if role == "output" else "grade"
    numbers = read.frame[column]
    odd = ~np.isfinite(numbers.to_numpy())
    if not odd.any():
        return []
    rows = np.flatnonzero(odd & numbers.is_not_null().to_numpy()).tolist()
    places = read.origin.places(rows[:MOST_SHOWN], what)
    texts = [str(abs(numbers[row])) for row in rows]
    shown = [table.not_finite(place, what, text) for place, text in zip(places, texts, strict=False)]
    return counted(shown, len(rows))


def _out_of_range(read: Table) -> list[Diagnostic]:
    if wrong := _not_finite(read, "gold"):
        return wrong
    far = np.flatnonzero(np.abs(read.frame[VALUE].to_numpy()) > LARGEST_GRADE).tolist()
    places = read.origin.places(far[:MOST_SHOWN], "grade")
    shown = [table.grade_out_of_range(place, f"{read.frame[VALUE][row]:.0f}") for place, row in zip(places, far, strict=False)]
    return counted(shown, len(far))


def check_tags(frame: pl.DataFrame, label: str, wanted: str | None) -> tuple[pl.DataFrame, str | None]:
    """One file is one system: keep the wanted tag, refuse several."""
    kept, tags = keep_tag(frame, wanted)
    return kept, only_tag(tags, label, wanted)


def keep_tag(frame: pl.DataFrame, wanted: str | None) -> tuple[pl.DataFrame, list[str]]:
    """The rows with the wanted tag, or all rows, without the column of tags; and all tags of the file."""
    column = frame[TAG].drop_nulls()
    tags = column.head(1) if len(column) and (column == column[0]).all() else column.unique(maintain_order=True)
    kept = frame if wanted in {None, ANY_TAG} else frame.filter(pl.col(TAG) == wanted)
    return kept.drop(TAG), tags.to_list()


def only_tag(tags: list[str], label: str, wanted: str | None) -> str | None:
    """The wanted tag, or the only one in the file."""
    if wanted is None and len(tags) > 1:
        raise BadData(table.several_tags(label, tags))
    if wanted == ANY_TAG and ANY_TAG in tags and len(tags) > 1:
        raise BadUsage(usage.tag_named_any(label, ANY_TAG))
    if wanted == ANY_TAG:
        return tags[0] if len(tags) == 1 else None
    if wanted is not None and wanted not in tags:
        raise BadUsage(usage.unknown_name("run tag", wanted, tags[:3]))
    return wanted or next(iter(tags), None)


def name_notices(read: Table) -> list[Diagnostic]:
    """Case ids that would act on a terminal."""
    cases = read.names_of_cases
    names = read.frame[CASE].unique().cast(pl.String).to_list() if cases is None else cases
    together = "".join(names)
    odd = 0 if together.isascii() and together.isprintable() else sum(name != visible(name) for name in names)
    return [control_characters(read.label, odd)] if odd else []
