"""Figures as files: SVG, PNG, PDF or the Vega-Lite specification, without a browser and without a network."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, figures, usage
from plumbline.figures.narrowing import narrowed, with_short_names
from plumbline.io.bytes.atomic import write_atomically

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

FORMATS: Final = (".svg", ".png", ".pdf", ".json")
INCH: Final = 96.0
"""Pixels of an inch, as browsers have it."""
UNITS: Final = {"": 1.0, "px": 1.0, "in": INCH, "pt": INCH / 72, "mm": INCH / 25.4, "cm": INCH / 2.54}
POINT: Final = 72 / INCH
"""Points of a pixel."""
SCALE: Final = 3.0
"""Dots of a PNG for each pixel: 288 an inch."""
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)$")
_WIDTH: Final = re.compile(r'<svg[^>]*\swidth="([\d.]+)"')
_SIDES: Final = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
_TRIES: Final = 4
_SPARE: Final = 1
"""Pixels below the width that is asked for at which is aimed: areas side by side have whole pixels each."""
_LEAST_RATE: Final = 0.25
"""Pixels that a figure is taken to lose for each pixel of its area: names at its ends may take what is left free."""
_LEAST, _MOST = 40.0, 10_000.0
"""Pixels that a figure may have."""


def pixels(size: str) -> int:
    """`600`, `3.3in` or `84mm` in pixels."""
    match = _SIZE.match(size.strip().lower())
    if match is None or match[2] not in UNITS:
        raise BadUsage(figures.bad_size(size))
    found = float(match[1]) * UNITS[match[2]]
    if not _LEAST <= found <= _MOST:
        raise BadUsage(figures.bad_size(size))
    return round(found)


def check_format(path: str | os.PathLike[str]) -> None:
    """Refuse a file whose ending says nothing, before any work is done."""
    if Path(path).suffix.lower() not in FORMATS:
        raise BadUsage(figures.unknown_format(str(path), list(FORMATS)))


@dataclass(frozen=True)
class Fitted:
    """A figure made for a width."""

    chart: Any
    """An Altair chart or its specification."""
    width: float
    """The whole of it, in pixels: more than was asked for where axes and names need it."""
    cut: bool
    """Whether long names are cut."""


def fitted(draw: Callable[[int], Any], width: int) -> Fitted:
    """The figure whose whole width, with axes and legends, is the one that was asked for.

    Where the drawing itself would have too little room, legends go below; where that does not help, long names are cut.
    """
    for least, arranged in _STAGES:
        chart, whole = _adjusted(lambda area, to=arranged: to(draw(area), width), width, round(least * width))  # type: ignore[misc]
        if whole <= width:
            break
    return Fitted(chart, whole, arranged is _cut)


def _plain(chart: Any, _: int) -> Any:  # noqa: ANN401 - an Altair chart
    return chart


def _rearranged(chart: Any, width: int) -> dict[str, Any]:  # noqa: ANN401 - an Altair chart
    return narrowed(_spec(chart), width)


def _cut(chart: Any, width: int) -> dict[str, Any]:  # noqa: ANN401 - an Altair chart
    return with_short_names(narrowed(_spec(chart), width), width)


_STAGES: Final[tuple[tuple[float, Callable[[Any, int], Any]], ...]] = ((0.4, _plain), (0.25, _rearranged), (0.1, _cut))
"""The least share of the width that the drawing itself may have, and what is done to it."""


def _adjusted(draw: Callable[[int], Any], width: int, least: int) -> tuple[Any, float]:
    """The drawing with its whole width, which is at most the one asked for if its area needs not be narrower than the least."""
    inner, rate = width, 1.0
    tried: list[tuple[int, Any, float]] = []
    for _ in range(_TRIES):
        chart = draw(inner)
        whole = _whole_width(chart)
        if tried:
            rate = min(max((whole - tried[-1][2]) / (inner - tried[-1][0]), _LEAST_RATE), 1.0)
        tried.append((inner, chart, whole))
        inner = max(round(inner - (whole - width + _SPARE) / rate), least)
        if -2 * _SPARE <= whole - width <= 0 or inner == tried[-1][0]:
            break
    fit = [one for one in tried if one[2] <= width]
    _, chart, whole = max(fit, key=lambda one: one[2]) if fit else tried[-1]
    return chart, whole


def _whole_width(chart: Any) -> float:  # noqa: ANN401 - an Altair chart or its specification
    found = _WIDTH.search(as_svg(chart))
    return float(found[1]) if found else 0.0


def save(chart: Any, path: str | os.PathLike[str], *, scale: float = SCALE, force: bool = False) -> None:  # noqa: ANN401 - an Altair chart or its specification
    """Write a figure; the ending of the name says in which format. `scale` is for PNG: dots for each pixel."""
    check_format(path)
    written = content(chart, Path(path).suffix.lower(), scale)
    with write_atomically(Path(path), force=force) as file:
        file.write(written)


def content(chart: Any, ending: str, scale: float = SCALE) -> bytes:  # noqa: ANN401 - an Altair chart or its specification
    """What a file with this ending holds."""
    if ending == ".json":
        whole = chart if isinstance(chart, dict) else chart.to_dict()
        return f"{json.dumps(whole, indent=1, sort_keys=True)}\n".encode()
    if ending == ".svg":
        return as_svg(chart).encode()
    converter = _converter()
    if ending == ".png":
        return bytes(converter.vegalite_to_png(_spec(chart), scale=scale, allowed_base_urls=[]))
    return bytes(converter.svg_to_pdf(_SIDES.sub(_in_points, as_svg(chart), count=1)))


def _in_points(sides: re.Match[str]) -> str:
    """The sides of a picture such that a PDF, which counts a pixel as a point, has its true size on paper."""
    return f'width="{float(sides[1]) * POINT:g}" height="{float(sides[2]) * POINT:g}"'


def as_svg(chart: Any) -> str:  # noqa: ANN401 - an Altair chart or its specification
    """The figure as SVG."""
    return str(_converter().vegalite_to_svg(_spec(chart), allowed_base_urls=[]))


def _spec(chart: Any) -> dict[str, Any]:  # noqa: ANN401 - an Altair chart or its specification
    """The specification, of which Altair need not look at every row again."""
    from altair.utils.schemapi import debug_mode  # noqa: PLC0415 - an extra, and slow to import

    if isinstance(chart, dict):
        return chart
    with debug_mode(arg=False):
        return dict(chart.to_dict(validate=False))


def _converter() -> Any:  # noqa: ANN401 - a module
    try:
        import vl_convert  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadUsage(usage.needs_extra("a file with a figure", "report")) from None
    return vl_convert
