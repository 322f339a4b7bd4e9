"""What must hold of a table on a terminal of any width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plumbline.render.fitting import fitted, text_width
from plumbline.render.terminal import plain

if TYPE_CHECKING:
    from plumbline.render.grid import Grid

WIDTHS = (60, 80, 100, 160)
_LEFT_OUT = re.compile(r"left out for lack of room: (?P<names>.*?)(?: and (?P<more>\d+) more)?; ")


def check_narrow(grid: Grid, width: int) -> Grid:
    """The table as a terminal of this width has it, after checking that nothing is squeezed or lost without a word."""
    full = grid.plain or grid
    narrow = fitted(grid, width)
    lines = plain(narrow, width).split("\n")[: len(narrow.above) + len(narrow.rows) + 2]
    assert all(text_width(line) <= width for line in lines), lines
    if narrow is full:
        return narrow
    source = full.narrow or full
    places = _places(source, narrow)
    for before, after in zip(source.rows, narrow.rows, strict=True):
        assert [before[place].text for place in places[source.keep :]] == [cell.text for cell in after[source.keep :]]
        assert all(len(cell.text) <= len(before[at].text) for at, cell in enumerate(after[: source.keep]))
    keys = [tuple(cell.text for cell in row[: source.keep]) for row in source.rows]
    short = [tuple(cell.text for cell in row[: source.keep]) for row in narrow.rows]
    assert len(set(zip(keys, short, strict=True))) == len(set(keys)) == len(set(short)), "two names became one"
    match = _LEFT_OUT.search("\n".join(narrow.legend))
    count = 0 if match is None else match["names"].count(", ") + 1 + int(match["more"] or 0)
    assert count >= len(source.heading) - len(places) > -1
    assert (match is None) == (len(source.heading) == len(places))
    return narrow


def _places(source: Grid, narrow: Grid) -> list[int]:
    """Which columns of the table are left, by their content."""
    left, start = [], 0
    for column in range(len(narrow.heading)):
        cells = [row[column].text for row in narrow.rows]
        later = range(start, len(source.heading))
        same = (place for place in later if [row[place].text for row in source.rows] == cells)
        left.append(column if column < source.keep else next(same))
        start = left[-1] + 1
    return left
