"""Checks of every organization that was read, whatever form it came in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, files, organizations, table
from plumbline.errors.base import MOST_SHOWN
from plumbline.io.formats.organization_forms import repeats
from plumbline.schema import CASE, ITEM, LABEL, VALUE

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table

_NOISE: Final = "-1"


def checked(read: Table, what: str = "score") -> Table:
    """Something is there, levels are finite, ids have a name, and no item is twice in one cluster; noise is noticed."""
    if read.frame.is_empty() and not read.empty_cases:
        raise BadData(files.no_data(read.label))
    wrong = _nameless(read) or _not_finite(read, what) or _twice(read)
    if wrong:
        raise BadData(*wrong)
    outside = int((read.frame[LABEL] == _NOISE).sum())
    return replace(read, notices=(*read.notices, organizations.noise(read.label, outside, _NOISE))) if outside else read


def _nameless(read: Table) -> list[Diagnostic]:
    if "" in read.empty_cases:
        return [table.bad_id(read.origin.places([-1], "case")[0], "case", "is empty")]
    wrong = []
    for what in (CASE, ITEM):
        rows = (read.frame[what] == "").arg_true().to_list()[:MOST_SHOWN]
        wrong += [table.bad_id(place, what, "is empty") for place in read.origin.places(rows, what)]
    return wrong


def _not_finite(read: Table, what: str) -> list[Diagnostic]:
    numbers = read.frame[VALUE].to_numpy()
    rows = np.flatnonzero(~np.isfinite(numbers)).tolist()[:MOST_SHOWN]
    places = read.origin.places(rows, what)
    return [table.not_finite(place, what, str(numbers[row])) for row, place in zip(rows, places, strict=True)]


def _twice(read: Table) -> list[Diagnostic]:
    frame, said = read.frame, []
    for row, first in repeats(frame, [CASE, ITEM, VALUE, LABEL]):
        place, earlier = read.origin.places([row, first], "item")
        where = f"line {earlier.line}" if earlier.line is not None else str(earlier)
        said.append(organizations.item_twice(place, frame[ITEM][row], str(frame[CASE][row]), frame[LABEL][row], where))
    return said
