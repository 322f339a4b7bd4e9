"""Figures for little room: legends below in as many columns as fit, titles in several lines, at last names that are cut."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from plumbline.figures.layout import LETTER

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
    widest = max((len(name) for name in names), default=0) * LETTER + SYMBOL
    columns = {"columns": max(1, min(int(room // widest), len(names)))} if names else {"gradientLength": round(room / 2)}
    return {**channel["legend"], "orient": "bottom", "labelLimit": round(room - ENDS), **columns}


def _shortened(view: Spec, room: float, width: float) -> Spec:
    made = dict(view)
    if isinstance(view.get("mark"), dict) and "limit" in view["mark"]:
        made["mark"] = {**view["mark"], "limit": min(view["mark"]["limit"], round(BESIDE_SHARE * room))}
    encoding = dict(view.get("encoding", {}))
    if _named_axis(encoding.get("y")):
        encoding["y"] = _limited(encoding["y"], round(AXIS_SHARE * room))
    if _named_axis(encoding.get("x")) and encoding["x"].get("axis", {}).get("labelAngle") == 0:
        encoding["x"] = _limited(encoding["x"], round(width / len(_domain(encoding["x"]))))
    return {**made, "encoding": encoding} if encoding else made


def _named_axis(channel: Any) -> bool:  # noqa: ANN401 - whatever an encoding holds
    return isinstance(channel, dict) and channel.get("axis", {}) is not None and bool(_domain(channel))


def _limited(channel: Spec, limit: int) -> Spec:
    axis = channel.get("axis", {})
    return {**channel, "axis": {**axis, "labelLimit": min(axis.get("labelLimit", limit), limit)}}


def _domain(channel: Spec) -> list[str]:
    """The names that a channel tells apart."""
    domain = (channel.get("scale") or {}).get("domain", [])
    return [name for name in domain if isinstance(name, str)]


def _lines(text: str, width: float) -> str | list[str]:
    """A title in lines that fit."""
    found = wrap(text, max(int(width / LETTER), 1))
    return found if len(found) > 1 else text
