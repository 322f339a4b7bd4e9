"""Tables for narrow terminals: whole columns are left out, long names are cut in the middle, numbers are never touched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from plumbline.errors import visible
from plumbline.errors.base import listing
from plumbline.errors.faces import either, rendered

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.render.grid import Cell, Grid

_ARROWS: Final = "↑↓"
"""The arrows at the end of headings: in most tables the only characters that are not ASCII."""
_GAP: Final = 3
"""Spaces between two columns; a table has one more at each end."""
_SHORT: Final = 12
"""Columns are left out rather than names cut to fewer characters than this."""
_SHORTEST: Final = 6
_MOST_EXPLAINED: Final = 8
"""Cut names that are written out below the table."""


def text_width(text: str) -> int:
    """The width of a text in a terminal, in columns."""
    if text.rstrip(_ARROWS).isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def fitted(grid: Grid, width: int) -> Grid:
    """The table, no wider than a terminal, with a line about the columns that are left out and the names that are cut."""
    grid = grid.plain or grid
    if _total(_natural(grid)) <= width:
        return grid
    grid = grid.narrow or grid
    order = _order_of_leaving(grid)
    for least, gone in [(_SHORT, order[:count]) for count in range(len(order) + 1)] + [(_SHORTEST, order)]:
        left = [place for place in range(len(grid.heading)) if place not in gone]
        longest = max(_longest_name(grid, left), least)
        if _total(_widths(grid, left, least)) <= width or least == _SHORTEST:
            limit = max((one for one in range(least, longest + 1) if _total(_widths(grid, left, one)) <= width), default=least)
            return _narrowed(grid, left, limit)
    return grid


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1) + 2


def _natural(grid: Grid) -> list[int]:
    return [max(text_width(visible(grid.heading[place])), _content(grid, place)) for place in range(len(grid.heading))]


def _content(grid: Grid, place: int) -> int:
    return max((text_width(visible(row[place].text) + row[place].mark) for row in grid.rows), default=0)


def _widths(grid: Grid, left: Sequence[int], limit: int) -> list[int]:
    """The widths of columns if no name is longer than a limit."""
    widths = []
    for place in left:
        content = min(_content(grid, place), limit if place < grid.keep else _content(grid, place))
        room = len(grid.heading[place]) - len(grid.heading[place].rstrip())
        heading = max(map(text_width, _broken(grid.heading[place], content)))
        widths.append(max(min(heading + room, limit + room), content))
    return widths


def _longest_name(grid: Grid, left: Sequence[int]) -> int:
    headings = [max(map(text_width, _broken(grid.heading[place], _content(grid, place)))) for place in left]
    return max([*headings, *(_content(grid, place) for place in left if place < grid.keep)], default=0)


def _order_of_leaving(grid: Grid) -> list[int]:
    """The columns that may be left out, the least important one first; one column of content always stays."""
    names = [_bare(name) for name in grid.heading]
    first = [places[-1] for name in grid.drop if (places := [at for at, one in enumerate(names) if one == name])]
    others = [at for at in range(len(names) - 1, grid.keep - 1, -1) if at not in first]
    return [at for at in [*first, *others] if at >= grid.keep][: max(len(names) - grid.keep - 1, 0)]


def _bare(heading: str) -> str:
    """A heading without its arrow and without the space for marks below it."""
    return visible(heading).rstrip().rstrip(_ARROWS).rstrip()


def _broken(heading: str, width: int) -> list[str]:
    """A heading of several words in lines as wide as the column needs anyway; an arrow stays beside the last word."""
    room = len(heading) - len(heading.rstrip())
    words = visible(heading).split()
    if words and not words[-1].strip(_ARROWS) and len(words) > 1:
        words[-2:] = [f"{words[-2]} {words[-1]}"]
    lines: list[str] = []
    most = max([width - room, *map(text_width, words)])
    for word in words:
        if lines and text_width(f"{lines[-1]} {word}") <= most:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines or [""]


def _narrowed(grid: Grid, left: Sequence[int], limit: int) -> Grid:
    """Some columns of a table, with names no longer than a limit."""
    gone = [_bare(name) for place, name in enumerate(grid.heading) if place not in left]
    headings, broken = _headings(grid, left, limit)
    names = [short_names([row[place].text for row in grid.rows], limit) if place < grid.keep else {} for place in left]
    rows = tuple(tuple(_cell(row[place], known) for place, known in zip(left, names, strict=True)) for row in grid.rows)
    legend = [*_explained(headings, every=True), *(line for known in names for line in _explained(known)), *_left_out(gone)]
    deepest = max(map(len, broken))
    lines = list(zip(*([""] * (deepest - len(one)) + one for one in broken), strict=True))
    kept = [line for line in grid.legend if line.partition(":")[0] not in gone]
    return replace(grid, heading=lines[-1], above=tuple(lines[:-1]), rows=rows, legend=(*kept, *legend))


def _headings(grid: Grid, left: Sequence[int], limit: int) -> tuple[dict[str, str], list[list[str]]]:
    """The headings that are cut, and the lines of each column's heading."""
    lines = {place: _broken(grid.heading[place], _content(grid, place)) for place in left}
    long = [place for place in left if max(map(text_width, lines[place])) > limit]
    bare = {place: grid.heading[place].rstrip() for place in left}
    known = short_names([bare[place] for place in long], limit)
    rooms = {place: " " * (len(grid.heading[place]) - len(bare[place])) for place in left}
    each = {place: [known[bare[place]]] if place in long else lines[place] for place in left}
    return known, [[line + rooms[place] for line in each[place]] for place in left]


def _cell(cell: Cell, known: dict[str, str]) -> Cell:
    short = known.get(cell.text, cell.text)
    return cell if short == cell.text else replace(cell, text=short)


def _explained(names: dict[str, str], *, every: bool = False) -> list[str]:
    cut = {short: name for name, short in names.items() if short != name}
    return [f"{short}: {_bare(name)}" for short, name in cut.items()] if every or len(cut) <= _MOST_EXPLAINED else []


def _left_out(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    where = rendered(either("to_polars() has every column", "--wide shows every column"))
    return [f"left out for lack of room: {listing(list(names), _MOST_EXPLAINED)}; {where}"]


def short_names(names: Iterable[str], limit: int) -> dict[str, str]:
    """Names cut in the middle to a limit, by their full names; different names stay different.

    The cut is where all of them can be told apart: the same for all, and near the middle if it may be. Names that differ only
    inside the part that is cut get a number.
    """
    each = list(dict.fromkeys(names))
    if all(text_width(visible(name)) <= limit for name in each):
        return {name: name for name in each}
    for start in sorted(range(limit), key=lambda at: (abs(at - limit // 2), at)):
        short = {name: _cut(name, limit, start) for name in each}
        if len(set(short.values())) == len(each):
            return short
    return {
        name: name if text_width(visible(name)) <= limit else _cut(name, limit - len(f"#{at}"), limit) + f"#{at}"
        for at, name in enumerate(each, 1)
    }


def _cut(name: str, limit: int, start: int) -> str:
    """A name with a mark in place of what does not fit, after so many characters."""
    text = visible(name)
    if text_width(text) <= limit:
        return name
    head, tail = text[: min(start, limit - 1)], text[len(text) - max(limit - 1 - start, 0) :]
    while text_width(f"{head}…{tail}") > limit and (head or tail):
        head, tail = (head[:-1], tail) if text_width(head) >= text_width(tail) else (head, tail[1:])
    return f"{head}…{tail}"
