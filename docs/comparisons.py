"""Drawings of the page about improvements: curves over the weight, and the order that is left when only robust wins count."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from drawing import svg, text

from plumbline.comparison.compare import compare
from plumbline.comparison.leaderboard import closest
from plumbline.comparison.weighting.crossings import crossings
from plumbline.comparison.weighting.weighting import f_curves
from plumbline.demo.tweets import write_tweets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline import Comparison

STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #333 }
.axis { stroke: #888; stroke-width: 1; fill: none }
.grid { stroke: #888; stroke-width: 1; stroke-opacity: 0.25 }
.line { fill: none; stroke-width: 2 }
.cross { fill: none; stroke: #333; stroke-width: 1.5 }
.box { fill: none; stroke: #0072b2; stroke-width: 1.5 }
.arrow { stroke: #888; stroke-width: 1.5; fill: none }
.head { fill: #888 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .cross { stroke: #ddd } .box { stroke: #56b4e9 } }
"""
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
DASHES: Final = ("none", "7 3", "2 3", "9 3 2 3", "4 2")
ALPHAS: Final = np.linspace(0.0, 1.0, 101)
LOWEST: Final = 0.4


def tweets() -> Comparison:
    """The groupings of the demo, compared."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tweets(folder)
        systems = sorted((folder / "grouped").glob("*.tsv"))
        metrics = ["BCubedP", "BCubedR"]
        return compare(folder / "tweets.tsv", systems, metrics, task="clustering", rule="unanimous")


def curves(comparison: Comparison) -> str:
    """F of every system for every weight of precision, with a ring where two curves cross."""
    parts = list(_axes(comparison.cube.metrics[0]))
    values = f_curves(comparison.cube, ALPHAS).values
    for place, system in enumerate(comparison.systems):
        path = " ".join(f"{_x(alpha):.1f},{_y(value):.1f}" for alpha, value in zip(ALPHAS, values[place], strict=True))
        look = f'class="line" stroke="{COLOURS[place]}" stroke-dasharray="{DASHES[place]}"'
        parts.append(f'<polyline {look} points="{path}"/>')
        parts.append(f'<line {look} x1="486" x2="516" y1="{50 + 20 * place}" y2="{50 + 20 * place}"/>')
        parts.append(text(522, 54 + 20 * place, system))
    meetings = []
    for place, (a, b, alpha, _) in enumerate(crossings(comparison.cube).table().iter_rows()):
        height = float(f_curves(comparison.cube, [alpha]).values[comparison.systems.index(a), 0])
        parts.append(f'<circle class="cross" cx="{_x(alpha):.1f}" cy="{_y(height):.1f}" r="6"/>')
        parts.append(text(_x(alpha), _y(height) + (20 if place % 2 else -12), f"{alpha:.2f}", "middle"))
        meetings.append(f"{a} and {b} at {alpha:.3f}")
    known = f"Curves cross: {'; '.join(meetings)}. The others do not cross."
    return svg(600, 330, "F for every weight of precision", known, STYLE, parts)


def _x(alpha: float) -> float:
    return 60 + 400 * alpha


def _y(value: float) -> float:
    return 280 - 260 * (value - LOWEST) / (1 - LOWEST)


def _axes(first: str) -> Iterable[str]:
    for tenth in range(4, 11):
        yield f'<line class="grid" x1="60" x2="460" y1="{_y(tenth / 10):.1f}" y2="{_y(tenth / 10):.1f}"/>'
        yield text(52, _y(tenth / 10) + 4, f"{tenth / 10:g}", "end")
    for alpha in (0, 0.25, 0.5, 0.75, 1):
        yield text(_x(alpha), 298, f"{alpha:g}", "middle")
    yield '<path class="axis" d="M60 20V280H460"/>'
    yield text(260, 320, f"alpha, the weight of {first}", "middle")


def order(comparison: Comparison) -> str:
    """The tiers from the best down, with arrows for robust wins; those that follow from others are left out."""
    rows: dict[int, list[str]] = {}
    for tier, system in comparison.leaderboard.select("tier", "system").iter_rows():
        rows.setdefault(tier, []).append(system)
    places = {
        system: (140.0 + 160 * column, 40.0 + 80 * (tier - 1))
        for tier, systems in rows.items()
        for column, system in enumerate(systems)
    }
    tip = '<path class="head" d="M0 0L8 4L0 8z"/>'
    arrow = f'<marker id="head" orient="auto" markerWidth="8" markerHeight="8" refX="7" refY="4">{tip}</marker>'
    parts = [f"<defs>{arrow}</defs>", *(text(16, 80 * tier - 36, f"tier {tier}") for tier in rows)]
    edges = [(comparison.systems[a], comparison.systems[b]) for a, b in np.argwhere(closest(comparison.beats))]
    for a, b in edges:
        (x, y), (to_x, to_y) = places[a], places[b]
        parts.append(f'<path class="arrow" marker-end="url(#head)" d="M{x:.1f} {y + 16:.1f}L{to_x:.1f} {to_y - 16:.1f}"/>')
    for system, (x, y) in places.items():
        parts += [
            f'<rect class="box" x="{x - 45:.1f}" y="{y - 16:.1f}" width="90" height="32" rx="6"/>',
            text(x, y + 4, system, "middle"),
        ]
    description = f"Robust wins: {', '.join(f'{a} over {b}' for a, b in edges)}. What follows from these is not drawn."
    return svg(380, 80 * len(rows), "Tiers and robust wins", description, STYLE, parts)
