"""The colours of systems, their lines, and their names where the lines end."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

from plumbline.figures.labels import SHORT, clipped
from plumbline.figures.parts import COLUMNS, Chart, Row, inline_data, name_legend, text_fields
from plumbline.figures.theme import MOST_COLOURS
from plumbline.lazily import alt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LINE: Final = 13.0
"""The height of a name beside the end of a line, in pixels."""
MOST_TICKS: Final = 6
"""Steps of an axis, between its ends."""
UNSEEN: Final = "\N{INVISIBLE SEPARATOR}"
"""No name that is drawn begins with it: control characters are spelled out."""


def colour_domain(places: Mapping[str, int]) -> list[str]:
    """A domain in which each name stands at the place of its colour; unseen names stand at the places between.

    Several names may share the last colour of the theme: colours begin again after it.
    """
    at: dict[int, str] = {}
    for name, place in places.items():
        free = place
        while free in at:
            free += MOST_COLOURS + 1
        at[free] = name
    return [at.get(place, UNSEEN * (place + 1)) for place in range(max(at, default=-1) + 1)]


def system_colour(
    names: Sequence[str], *, palette: Mapping[str, int] | None = None, orient: str = "right", legend: bool = True
) -> alt.Color:
    """A colour for each system: that of the palette, or in the order of the names if there is none."""
    places = {name: at if palette is None else palette.get(name, MOST_COLOURS) for at, name in enumerate(names)}
    values = {"values": list(names)} if names and palette is not None else {}
    beside = name_legend(orient=orient, columns=COLUMNS if orient == "bottom" else 1, **values) if legend else None
    return alt.Color("system:N", scale=alt.Scale(domain=colour_domain(places)), legend=beside)


def outlined(names: Sequence[str], palette: Mapping[str, int]) -> dict[str, Chart]:
    """The colour of each system for the inside and the outline of bars, which are pale inside."""
    colour = system_colour(names, palette=palette, legend=False)
    return {"color": colour, "stroke": alt.Stroke("system:N", scale=colour["scale"], legend=None)}


def system_lines(
    points: Sequence[Row], palette: Mapping[str, int], *, tooltip: Chart, dots: bool = False, **places: Chart
) -> list[Chart]:
    """A line for each system: in its colour, or grey and behind the others if it has none; `places` are x and y."""
    behind = [row for row in points if row["system"] not in palette]
    front = [row for row in points if row["system"] in palette]
    highlighted = list(dict.fromkeys(row["system"] for row in front))
    quiet = alt.Chart(inline_data(behind)).mark_line(style="quiet", strokeWidth=1, opacity=0.45)
    loud = alt.Chart(inline_data(front)).mark_line(point=alt.OverlayMarkDef(size=22) if dots else False)
    colour = system_colour(highlighted, palette=palette, legend=False)
    layers = [quiet.encode(detail=alt.Detail("system:N"), tooltip=tooltip, **places)] if behind else []
    return [*layers, loud.encode(color=colour, tooltip=tooltip, **places)]


def end_labels(  # noqa: PLR0913 - where the lines end, and in which room
    points: Sequence[Row],
    palette: Mapping[str, int],
    *,
    along: str,
    at: str | None = None,
    value: str = "value",
    span: Sequence[float],
    height: int,
    x: Chart,
    y: Chart,
) -> list[Chart]:
    """The names of the coloured lines where they end, such that no name covers another one.

    The last point of a line has the largest value of `along`, and stands at `at`. `span` are the ends of the vertical axis.
    """
    ends: dict[str, Row] = {}
    for row in points:
        if row["system"] in palette and (row["system"] not in ends or row[along] >= ends[row["system"]][along]):
            ends[row["system"]] = row
    rows = list(ends.values())
    per_pixel = (span[1] - span[0]) / max(height, 1) or 1.0
    heights = kept_apart([row[value] / per_pixel for row in rows], LINE, span[0] / per_pixel, span[1] / per_pixel)
    named = [
        {"system": row["system"], "end": row[at or along], "height": place * per_pixel, SHORT: clipped(row["system"])}
        for row, place in zip(rows, heights, strict=True)
    ]
    across, up = x.copy(deep=False), y.copy(deep=False)
    across.shorthand, up.shorthand = "end:Q", "height:Q"
    base = alt.Chart(inline_data(named)).encode(x=across, y=up, tooltip=text_fields("system"))
    colour = system_colour([row["system"] for row in rows], palette=palette, legend=False)
    return [
        base.mark_text(align="left", dx=6, text="\N{BLACK CIRCLE}", fontSize=9).encode(color=colour),
        base.mark_text(style="ink", align="left", dx=17).encode(text=alt.Text(f"{SHORT}:N")),
    ]


def nice_span(values: Iterable[float]) -> list[float]:
    """The ends of an axis that holds all values and begins and ends at a tick."""
    known = [value for value in values if value - value == 0.0] or [0.0, 1.0]
    low, high = min(known), max(known)
    if low == high:
        low, high = low - 0.5, high + 0.5
    power = 10.0 ** floor(log10((high - low) / MOST_TICKS))
    step = next(power * one for one in (1, 2, 5, 10) if power * one * MOST_TICKS >= high - low)
    return [round(floor(low / step) * step, 12), round(ceil(high / step) * step, 12)]


def kept_apart(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """The heights, moved as little as needed for the gap between neighbours; within the ends, if there is room for all."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    groups: list[tuple[float, int]] = []

    def first(middle: float, size: int) -> float:
        """Where a group around this middle begins, if it may not leave the ends."""
        return max(min(middle - (size - 1) * gap / 2, high - (size - 1) * gap), low)

    for at in order:  # neighbours that are too close form a group around their middle
        middle, size = heights[at], 1
        while groups and first(middle, size) < first(*groups[-1]) + groups[-1][1] * gap:
            other, count = groups.pop()
            middle, size = (other * count + middle * size) / (count + size), count + size
        groups.append((middle, size))
    placed = [first(middle, size) + number * gap for middle, size in groups for number in range(size)]
    out = [0.0] * len(heights)
    for at, height in zip(order, placed, strict=True):
        out[at] = height
    return out
