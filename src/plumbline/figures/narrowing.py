"""Figures for little room: legends below in as many columns as fit, titles in several lines, at last names that are cut."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from plumbline.figures.labels import LETTER, SHORT, clipped, expression, letters, shorter_labels, text_width

if TYPE_CHECKING:
    from collections.abc import Callable

    Spec = dict[str, Any]

SYMBOL: Final = 26
"""Pixels of a legend's symbol and of the gaps around its name."""
ENDS: Final = 30
"""Pixels of a row of a legend that its name may not take."""
AXIS_SHARE: Final = 0.4
"""The share of the room that a name beside an axis may take."""
BESIDE_SHARE: Final = 0.28
"""The share that a name beside a point may take."""
LYING: Final = 8
"""Letters of names side by side; where there is less room, they are upright."""
UPRIGHT: Final = 20
"""Letters of names that are."""
UNDER: Final = {"bottom": {"direction": "vertical", "anchor": "start", "margin": 2}}
"""How several legends lie below a drawing."""
SIDES: Final[tuple[str, ...]] = ("layer", "hconcat", "vconcat", "concat")


def narrowed(spec: Spec, room: float) -> Spec:
    """The drawing with its legends below, one under the other, and its titles in lines, for a room of so many pixels."""
    made, config = _each_view(spec, room, lambda view, width: _rearranged(view, room, width)), spec.get("config", {})
    return {**made, "config": {**config, "legend": {**config.get("legend", {}), "layout": UNDER}}}


def with_short_names(spec: Spec, room: float) -> Spec:
    """The drawing with names cut to a share of the room."""
    return _each_view(spec, room, lambda view, width: _shortened(view, room, width))


def _each_view(spec: Spec, width: float, change: Callable[[Spec, float], Spec]) -> Spec:
    """Change every area; `width` is that of the area around."""
    own = spec["width"] if isinstance(spec.get("width"), int | float) else width
    inner = {side: [_each_view(part, own, change) for part in spec[side]] for side in SIDES if side in spec}
    return change({**spec, **inner}, own)


def _rearranged(view: Spec, room: float, width: float) -> Spec:
    made = dict(view)
    if isinstance(view.get("title"), dict):
        made["title"] = {**view["title"], "text": _lines(view["title"]["text"], width)}
    if "encoding" in view:
        made["encoding"] = {name: _channel(name, one, room, width) for name, one in view["encoding"].items()}
    return made


def _channel(name: str, channel: Any, room: float, width: float) -> Any:  # noqa: ANN401 - whatever an encoding holds
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


def _named_axis(channel: Any) -> bool:  # noqa: ANN401 - whatever an encoding holds
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
    """The names that a channel tells apart."""
    domain = (channel.get("scale") or {}).get("domain", [])
    return [name for name in domain if isinstance(name, str)]


def _lines(text: str, width: float) -> str | list[str]:
    """A title in lines that fit."""
    found = wrap(text, max(int(width / LETTER), 1))
    return found if len(found) > 1 else text
