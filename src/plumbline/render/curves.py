"""Line charts as SVG, without a plotting library: small, readable by screen readers, at home on dark pages."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from plumbline.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #333 }
.axis { stroke: #888; fill: none }
.grid { stroke: #888; stroke-opacity: 0.25 }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } }
"""
TENTHS: Final = tuple((tenth / 10, f"{tenth / 10:g}") for tenth in range(0, 11, 2))
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_LEFT, _TOP, _SIDE, _BOTTOM = 60, 40, 360, 400


@dataclass(frozen=True)
class Curve:
    """Points of one line between 0 and 1; one with a name is marked and has it beside it."""

    name: str
    points: tuple[tuple[float, float, str], ...]


def draw(
    title: str,
    x: str,
    y: str,
    curves: Sequence[Curve],
    ticks: Sequence[tuple[float, str]] = TENTHS,
    *,
    heights: Sequence[tuple[float, str]] = TENTHS,
    told: str = "",
) -> str:
    """A chart whose axes go from 0 to 1; `ticks` are places on the lower axis and what is written there, `heights` on the left.

    Curves of one point each make a scatter plot. `told` says what there is to see, by default where the marked points are.
    """
    parts = [*_axes(x, y, ticks, heights)]
    for place, curve in enumerate(curves):
        parts += _line(curve, COLOURS[place % len(COLOURS)])
        parts.append(_text(_LEFT + _SIDE + 20, _TOP + 14 + 20 * place, curve.name, "start", COLOURS[place % len(COLOURS)]))
    points = "; ".join(
        f"{curve.name}: " + ", ".join(f"{name} ({a:.3f}, {b:.3f})" for a, b, name in curve.points if name) for curve in curves
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 450" role="img"><title>{_safe(title)}</title>'
    return f"{head}<desc>{_safe(told or points)}</desc><style>{STYLE}</style>{''.join(parts)}</svg>\n"


def _at(x: float, y: float) -> tuple[float, float]:
    return _LEFT + _SIDE * x, _BOTTOM - _SIDE * y


def _axes(x: str, y: str, ticks: Sequence[tuple[float, str]], heights: Sequence[tuple[float, str]]) -> Iterator[str]:
    for share, words in heights:
        left, height = _at(0, share)
        yield f'<line class="grid" x1="{left}" x2="{left + _SIDE}" y1="{height:.1f}" y2="{height:.1f}"/>'
        yield _text(left - 8, height + 4, words, "end")
    for share, words in ticks:
        yield _text(_at(share, 0)[0], _BOTTOM + 18, words, "middle")
    yield f'<path class="axis" d="M{_LEFT} {_TOP}V{_BOTTOM}H{_LEFT + _SIDE}"/>'
    yield _text(_LEFT + _SIDE / 2, _BOTTOM + 40, x, "middle")
    yield _text(8, _TOP - 14, y)


def _line(curve: Curve, colour: str) -> Iterator[str]:
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in (_at(x, y) for x, y, _ in curve.points))
    yield f'<polyline class="line" stroke="{colour}" points="{path}"/>'
    for x, y, name in curve.points:
        a, b = _at(x, y)
        if name:
            yield f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>{_text(a + 5, b - 5, name)}'


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str | None = None) -> str:
    fill = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{_safe(text)}</text>'


def _safe(text: str) -> str:
    return escape(visible(text))
