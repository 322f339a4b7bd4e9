"""Where the columns of a file of labels are."""

from __future__ import annotations

from typing import NamedTuple


class Layout(NamedTuple):
    """Where the columns are, counted from 0; -1 for no case."""

    separator: str
    width: int
    case: int
    item: int
    label: int
