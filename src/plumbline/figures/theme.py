"""The look of all figures: one palette that colour-blind readers can tell apart, light and dark, sizes for papers.

Colours stand here and nowhere else: a figure names a style or a range, so that the same drawing suits both backgrounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plumbline.figures.parts import with_properties

if TYPE_CHECKING:
    from plumbline.figures.parts import Chart

THEMES: Final = ("light", "dark")
LIGHT: Final = ("#0072b2", "#d08308", "#0ca85f", "#ba819f", "#6e4000", "#4b4245", "#3e23f4", "#767676")
"""Each has a contrast of 3:1 and more on white, and no two look alike to colour-blind readers."""
DARK: Final = ("#4aa8e0", "#f6a923", "#007922", "#935572", "#ffd6a0", "#e1ecfa", "#9548f8", "#9aa3ab")
"""The same for a dark background."""
PAPER: Final = {False: "#ffffff", True: "#14181c"}
"""The background, light and dark."""
INK: Final = {False: "#1b1f23", True: "#e8eaed"}
QUIET: Final = {False: "#6e757c", True: "#9aa3ab"}
"""For what is there but not spoken of."""
FAINT: Final = {False: "#d9dde1", True: "#343b42"}
"""For grids."""
QUIET_BAR: Final = {False: "#8d949b", True: "#6a727a"}
"""Bars without a colour of their own, which lines in ink can be seen on."""
PALE: Final = 0.35
"""The opacity of bars in the colours of systems: ink can be read on them, and their outline has the full colour."""
DIVERGING: Final = {
    False: ("#a63c00", "#de8148", "#f6c9a8", "#f4f4f4", "#a9cfe8", "#4a97c9", "#00568a"),
    True: ("#ffb27a", "#a85a24", "#6b3c1d", "#3a2c24", "#24282c", "#1f303c", "#1c4a69", "#2a6f9e", "#9ad2f7"),
}
"""From worse to better; the middle lies near the background."""
RAMP: Final = {
    False: ("#eef4f8", "#c3dcec", "#86b9d8", "#4390c0", "#006098", "#003c63"),
    True: ("#20272e", "#1d3848", "#1f4f6b", "#25658a", "#3b90c8", "#c4e5fb"),
}
"""From few to many."""
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
MOST_COLOURS: Final = len(LIGHT) - 1
"""Systems that can be told apart by colour; the last colour is for all others."""
FONT: Final = "Liberation Sans, Arial, Helvetica, sans-serif"
LONGEST: Final = 220
"""Pixels of a name before it is cut; tooltips and tables have all of it."""
SMALL: Final = 11
"""Pixels; 8 points in a figure that is printed at its own size."""


def config(*, dark: bool = False) -> dict[str, Any]:
    """The Vega-Lite configuration of all figures."""
    ink, quiet = INK[dark], QUIET[dark]
    text_style = {
        "labelColor": ink,
        "titleColor": ink,
        "labelFontSize": SMALL,
        "titleFontSize": SMALL,
        "titleFontWeight": "normal",
    }
    lines = {"gridColor": FAINT[dark], "domainColor": quiet, "tickColor": quiet}
    return {
        "background": PAPER[dark],
        "font": FONT,
        "view": {"stroke": None},
        "axis": {**text_style, **lines, "labelLimit": LONGEST, "titleLimit": 3 * LONGEST},
        "axisX": {"labelFlush": False},
        "axisY": {"titleLimit": LONGEST},
        "legend": {**text_style, "labelLimit": LONGEST, "symbolStrokeWidth": 2},
        "title": {"color": ink, "subtitleColor": quiet, "fontSize": SMALL + 1, "subtitleFontSize": SMALL},
        "text": {"fontSize": SMALL},
        "line": {"strokeWidth": 2},
        "range": {
            "category": list(DARK if dark else LIGHT),
            "diverging": list(DIVERGING[dark]),
            "heatmap": list(RAMP[dark]),
            "symbol": list(SHAPES),
        },
        "style": _styles(dark=dark),
    }


def _styles(*, dark: bool) -> dict[str, Any]:
    """Names for what figures are made of."""
    paper = PAPER[dark]
    return {
        "ink": {"color": INK[dark]},
        "quiet": {"color": QUIET[dark]},
        "faint": {"color": FAINT[dark]},
        "paper": {"color": paper},
        "first": {"color": (DARK if dark else LIGHT)[0]},
        "quiet_bar": {"color": QUIET_BAR[dark]},
        "cell": {"stroke": paper, "strokeWidth": 1},
        "card": {"color": paper, "stroke": QUIET[dark]},
    }


def themed(chart: Chart, theme: str | None) -> Chart:
    """The chart with the look of a background, `light` or `dark`; as it is without one, for pages that bring their own."""
    return chart if theme is None else with_properties(chart, config=config(dark=theme == "dark"))
