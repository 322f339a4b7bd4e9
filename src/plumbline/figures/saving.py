"""Figures as files: SVG, PNG, PDF or the Vega-Lite specification, without a browser and without a network."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, figures, usage
from plumbline.io.bytes.atomic import write_atomically
from plumbline.lazily import alt

if TYPE_CHECKING:
    import os

FORMATS: Final = (".svg", ".png", ".pdf", ".json")
INCH: Final = 96.0
"""Pixels of an inch, as browsers have it."""
UNITS: Final = {"": 1.0, "px": 1.0, "in": INCH, "pt": INCH / 72, "mm": INCH / 25.4, "cm": INCH / 2.54}
POINT: Final = 72 / INCH
"""Points of a pixel."""
SCALE: Final = 3.0
"""Dots of a PNG for each pixel: 288 an inch."""
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)$")
_SIDES: Final = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
_LEAST, _MOST = 40.0, 10_000.0
"""Pixels that a figure may have."""


def pixels(size: str) -> int:
    """`600`, `3.3in` or `84mm` in pixels."""
    match = _SIZE.match(size.strip().lower())
    if match is None or match[2] not in UNITS:
        raise BadUsage(figures.bad_size(size))
    size_in_pixels = float(match[1]) * UNITS[match[2]]
    if not _LEAST <= size_in_pixels <= _MOST:
        raise BadUsage(figures.bad_size(size))
    return round(size_in_pixels)


def check_format(path: str | os.PathLike[str]) -> None:
    """Refuse a file whose ending says nothing, before any work is done."""
    if Path(path).suffix.lower() not in FORMATS:
        raise BadUsage(figures.unknown_format(str(path), list(FORMATS)))


def save(chart: Any, path: str | os.PathLike[str], *, scale: float = SCALE, force: bool = False) -> None:
    """Write a figure to a file, without a browser and without a network.

    Args:
        chart: A chart, as `plumbline.plot` returns it, or its Vega-Lite specification as a dict.
        path: The file to write. Its extension selects the format: .svg, .png, .pdf or .json.
        scale: For PNG, the number of dots for each pixel.
        force: Whether to overwrite an existing file.

    Raises:
        BadUsage: If the format is unknown, the file exists, or the extra `report` is not installed.

    Example:
        >>> import plumbline
        >>> chart = plumbline.plot("bars", "benchmark_wide.csv")
        >>> plumbline.save(chart, "bars.svg")
    """
    check_format(path)
    written = content(chart, Path(path).suffix.lower(), scale)
    with write_atomically(Path(path), force=force) as file:
        file.write(written)


def content(chart: Any, ending: str, scale: float = SCALE) -> bytes:
    """What a file with this ending holds."""
    if ending == ".json":
        spec = chart if isinstance(chart, dict) else chart.to_dict()
        return f"{json.dumps(spec, indent=1, sort_keys=True)}\n".encode()
    if ending == ".svg":
        return as_svg(chart).encode()
    converter = _converter()
    if ending == ".png":
        return bytes(converter.vegalite_to_png(spec_of(chart), scale=scale, allowed_base_urls=[]))
    return bytes(converter.svg_to_pdf(_SIDES.sub(_in_points, as_svg(chart), count=1)))


def _in_points(sides: re.Match[str]) -> str:
    """The sides of a picture such that a PDF, which counts a pixel as a point, has its true size on paper."""
    return f'width="{float(sides[1]) * POINT:g}" height="{float(sides[2]) * POINT:g}"'


def as_svg(chart: Any) -> str:
    """The figure as SVG."""
    return str(_converter().vegalite_to_svg(spec_of(chart), allowed_base_urls=[]))


def spec_of(chart: Any) -> dict[str, Any]:
    """The specification, of which Altair need not look at every row again."""
    if isinstance(chart, dict):
        return chart
    with alt.utils.schemapi.debug_mode(arg=False):
        return dict(chart.to_dict(validate=False))


def _converter() -> Any:
    try:
        import vl_convert  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadUsage(usage.needs_extra("a file with a figure", "report")) from None
    return vl_convert
