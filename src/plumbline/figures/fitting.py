"""Fit a figure to a width: legends go below in as many columns as fit, titles are wrapped, and at last long names are cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from plumbline.figures.labels import LETTER, SHORT, clipped, expression, letters, shorter_labels, text_width
from plumbline.figures.saving import as_svg, spec_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Spec = dict[str, Any]

_WIDTH: Final = re.compile(r'<svg[^>]*\swidth="([\d.]+)"')
_TRIES: Final = 4
_SPARE: Final = 1
"""The aim is so many pixels below the requested width: panels side by side have whole pixels each."""
_LEAST_RATE: Final = 0.25
"""The least width that a figure is assumed to lose for each pixel of its area, since names may take up free room."""
SYMBOL: Final = 26
"""Pixels of a legend's symbol and of the gaps around its name."""
ENDS: Final = 30
"""Pixels of a row of a legend that its name may not take."""
AXIS_SHARE: Final = 0.4
"""The share of the room that a name beside an axis may take."""
BESIDE_SHARE: Final = 0.28
"""The share that a name beside a point may take."""
LYING: Final = 8
"""Letters of names side by side; with less room, they are upright."""
UPRIGHT: Final = 20
"""Letters of upright names."""
UNDER: Final = {"bottom": {"direction": "vertical", "anchor": "start", "margin": 2}}
"""How several legends lie below a drawing."""
SIDES: Final[tuple[str, ...]] = ("layer", "hconcat", "vconcat", "concat")


@dataclass(frozen=True)
class Fitted:
    """A figure that was fitted to a width."""

    chart: Any
    """An Altair chart or its specification."""
    width: float
    """The width of the whole figure in pixels: more than requested if axes and names need it."""
    cut: bool
    """Whether long names are cut."""


def fitted(draw: Callable[[int], Any], width: int) -> Fitted:
    """The figure whose width, with axes and legends, is the requested one.

    If the panels would have too little room, legends go below; if that does not help, long names are cut.
    """
    drawn = cache(draw)
    for least, arranged in _STAGES:
        chart, total = _adjusted(lambda area, to=arranged: to(drawn(area), width), width, round(least * width))  # type: ignore[misc]
        if total <= width:
            break
    return Fitted(chart, total, arranged is _with_cut_names)


def _unchanged(chart: Any, _: int) -> Any:
    return chart


def _with_legends_below(chart: Any, width: int) -> dict[str, Any]:
    return narrowed(spec_of(chart), width)


def _with_cut_names(chart: Any, width: int) -> dict[str, Any]:
    return with_short_names(narrowed(spec_of(chart), width), width)


_STAGES: Final[tuple[tuple[float, Callable[[Any, int], Any]], ...]] = (
    (0.4, _unchanged),
    (0.25, _with_legends_below),
    (0.1, _with_cut_names),
)
"""The least share of the width that the panels may have, and how the figure is changed."""


def _adjusted(draw: Callable[[int], Any], width: int, least: int) -> tuple[Any, float]:
    """The figure and its width, which is at most the requested one unless the panels would become narrower than `least`."""
    inner, rate = width, 1.0
    tried: list[tuple[int, Any, float]] = []
    for _ in range(_TRIES):
        chart = draw(inner)
        total = _total_width(chart)
        if tried:
            rate = min(max((total - tried[-1][2]) / (inner - tried[-1][0]), _LEAST_RATE), 1.0)
        tried.append((inner, chart, total))
        inner = max(round(inner - (total - width + _SPARE) / rate), least)
        if -2 * _SPARE <= total - width <= 0 or inner == tried[-1][0]:
            break
    fit = [one for one in tried if one[2] <= width]
    _, chart, total = max(fit, key=lambda one: one[2]) if fit else tried[-1]
    return chart, total


def _total_width(chart: Any) -> float:
    match = _WIDTH.search(as_svg(chart))
    return float(match[1]) if match else 0.0


def narrowed(spec: Spec, room: float) -> Spec:
    """The figure with its legends below each other and its titles wrapped, for a width of so many pixels."""
    made, config = _each_view(spec, room, lambda view, width: _rearranged(view, room, width)), spec.get("config", {})
    return {**made, "config": {**config, "legend": {**config.get("legend", {}), "layout": UNDER}}}


def with_short_names(spec: Spec, room: float) -> Spec:
    """The figure with names cut to a share of the width."""
    return _each_view(spec, room, lambda view, width: _shortened(view, room, width))


def _each_view(spec: Spec, width: float, change: Callable[[Spec, float], Spec]) -> Spec:
    """Change every view; `width` is that of the surrounding view."""
    view_width = spec["width"] if isinstance(spec.get("width"), int | float) else width
    inner = {side: [_each_view(part, view_width, change) for part in spec[side]] for side in SIDES if side in spec}
    return change({**spec, **inner}, view_width)


def _rearranged(view: Spec, room: float, width: float) -> Spec:
    made = dict(view)
    if isinstance(view.get("title"), dict):
        made["title"] = {**view["title"], "text": _lines(view["title"]["text"], width)}
    if "encoding" in view:
        made["encoding"] = {name: _channel(name, one, room, width) for name, one in view["encoding"].items()}
    return made


def _channel(name: str, channel: Any, room: float, width: float) -> Any:
    if not isinstance(channel, dict):
        return channel
    if name == "x" and isinstance(channel.get("title"), str):
        return {**channel, "title": _lines(channel["title"], width)}
    return {**channel, "legend": _below(channel, room)} if isinstance(channel.get("legend"), dict) else channel


def _below(channel: Spec, room: float) -> Spec:
    """The legend of a channel, below: names in columns, or a strip of colours."""
    names = _domain(channel)
    if not names:
        return {**channel["legend"], "orient": "bottom", "gradientLength": round(room / 2)}
    longest = letters(names, room - ENDS)
    widest = max(text_width(clipped(name, longest)) for name in names) + SYMBOL
    columns = max(1, min(int(room // widest), len(names)))
    return {**shorter_labels(channel["legend"], longest), "orient": "bottom", "columns": columns}


def _shortened(view: Spec, room: float, width: float) -> Spec:
    made = dict(view)
    encoding = dict(view.get("encoding", {}))
    if encoding.get("text", {}).get("field") == SHORT:
        shorter = {"calculate": expression(int(BESIDE_SHARE * room / LETTER), SHORT), "as": SHORT}
        made["transform"] = [*view.get("transform", []), shorter]
    if _named_axis(encoding.get("y")):
        encoding["y"] = _limited(encoding["y"], AXIS_SHARE * room)
    if _named_axis(encoding.get("x")) and encoding["x"].get("axis", {}).get("labelAngle") == 0:
        encoding["x"] = _side_by_side(encoding["x"], width)
    return {**made, "encoding": encoding} if encoding else made


def _named_axis(channel: Any) -> bool:
    return isinstance(channel, dict) and channel.get("axis", {}) is not None and bool(_domain(channel))


def _side_by_side(channel: Spec, width: float) -> Spec:
    """Names below or above an axis: cut to the room of each, or upright where this is less than a few letters."""
    each = width / len(_domain(channel))
    if each >= LYING * LETTER:
        return _limited(channel, each)
    return _limited({**channel, "axis": {**channel["axis"], "labelAngle": -90}}, UPRIGHT * LETTER)


def _limited(channel: Spec, room: float) -> Spec:
    return {**channel, "axis": shorter_labels(channel.get("axis", {}), letters(_domain(channel), room))}


def _domain(channel: Spec) -> list[str]:
    """The names that a channel distinguishes."""
    domain = (channel.get("scale") or {}).get("domain", [])
    return [name for name in domain if isinstance(name, str)]


def _lines(text: str, width: float) -> str | list[str]:
    """A title in lines that fit."""
    lines = wrap(text, max(int(width / LETTER), 1))
    return lines if len(lines) > 1 else text
