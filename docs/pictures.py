"""The figures of the pages: their data as CSV files and their drawings as SVG, into docs/data.

python docs/pictures.py
"""

from __future__ import annotations

import csv
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import comparisons
import organizations
from drawing import svg, text

import plumbline
from plumbline.figures.saving import save

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDER: Final = Path(__file__).parent / "data"

ITEMS: Final = 200
POSITIVE: Final = tuple(range(20, ITEMS, 20))
"""The positive items of a case: shares of 0.1 to 0.9."""
ACCEPTED: Final = tuple(range(0, ITEMS + 1, 10))
"""The accepted items of a case: shares of 0 to 1."""

METRICS: Final = ("Accuracy", "Utility", "1 - Lam", "smoothed 1 - Lam", "F(P,R)", "smoothed F(P,R)", "smoothed F(Rel,Sens)")
BASELINES: Final = ("random", "zero output", "placebo")
PUBLISHED: Final = """
LSIR.EPFL 1,0.83,0.64,0.71,0.72,0.63,0.63,0.25
ITC-UT 1,0.75,0.52,0.63,0.64,0.49,0.49,0.2
ITC-UT 3,0.67,0.41,0.6,0.61,0.41,0.4,0.18
UVA 1,0.56,0.22,0.54,0.53,0.36,0.36,0.17
random,0.5,0.21,0.46,0.49,0.38,0.38,0.15
KALMAR 4,0.46,0.34,0.57,0.56,0.46,0.46,0.15
ITC-UT 2,0.73,0.53,0.64,0.63,0.51,0.51,0.15
ITC-UT 4,0.64,0.42,0.61,0.6,0.43,0.42,0.14
KALMAR 5,0.44,0.35,0.58,0.56,0.47,0.47,0.13
KALMAR 2,0.44,0.29,0.55,0.54,0.43,0.43,0.13
KALMAR 3,0.4,0.26,0.56,0.55,0.39,0.39,0.12
SINAI 1,0.63,0.37,0.64,0.64,0.29,0.29,0.11
KALMAR 1,0.48,0.31,0.56,0.52,0.42,0.42,0.1
SINAI 3,0.46,0.31,0.5,0.5,0.36,0.36,0
SINAI 5,0.51,0.32,0.5,0.5,0.28,0.28,0
SINAI 4,0.61,0.3,0.5,0.5,0.17,0.17,0
SINAI 2,0.56,0.19,0.5,0.5,0,0,0
zero output,0.57,0.19,0.5,0.5,0,0,0
placebo,0.43,0.4,0.5,0.5,0.53,0.53,0
"""
"""Amigó and others (2019), figure 12: the filters of WePS-3. Lam is turned round there, so that higher is better throughout."""

SHOWN: Final = ("inverse_square", "geometric", "logarithmic", "uniform")
"""The discounts of the picture of weights."""


class Point(NamedTuple):
    """A point of figure 4."""

    positive: float
    accepted: float
    value: float


class Cell(NamedTuple):
    """A cell of figure 12; `beats` is yes, no or, for the baselines themselves, baseline."""

    system: str
    metric: str
    value: float
    beats: str


def figure_4() -> list[Point]:
    """F(Rel,Sens) of outputs that ignore the gold: each class has the same share of accepted items."""
    cases = {f"{positive} {accepted}": (positive, accepted) for positive in POSITIVE for accepted in ACCEPTED}
    gold = {case: {str(item): int(item < positive) for item in range(ITEMS)} for case, (positive, _) in cases.items()}
    output = {case: _independent(positive, accepted / ITEMS) for case, (positive, accepted) in cases.items()}
    scores = plumbline.evaluate(gold, {"any": output}, "F(Rel,Sens)", task="filtering")
    value_of = dict(scores.per_case.select("case", "value").iter_rows())
    return [Point(positive / ITEMS, accepted / ITEMS, round(value_of[case], 6)) for case, (positive, accepted) in cases.items()]


def _independent(positive: int, share: float) -> dict[str, int]:
    """An output that accepts the same share of both classes."""
    within = [*range(positive), *range(ITEMS - positive)]
    sizes = [positive] * positive + [ITEMS - positive] * (ITEMS - positive)
    return {str(item): int(place < round(share * size)) for item, (place, size) in enumerate(zip(within, sizes, strict=True))}


def figure_12() -> list[Cell]:
    """The published values, with a mark at those that are above all three baselines."""
    rows = [line.split(",") for line in PUBLISHED.strip().split("\n")]
    values = {(row[0], metric): float(text) for row in rows for metric, text in zip(METRICS, row[1:], strict=True)}
    highest = {metric: max(values[name, metric] for name in BASELINES) for metric in METRICS}
    return [
        Cell(name, metric, value, "baseline" if name in BASELINES else "yes" if value > highest[metric] else "no")
        for (name, metric), value in values.items()
    ]


STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #333 }
.axis { stroke: #888; stroke-width: 1; fill: none }
.grid { stroke: #888; stroke-width: 1; stroke-opacity: 0.25 }
.line { fill: none; stroke-width: 2 }
.yes { fill: #0072b2 }
.no { fill: none; stroke: #888; stroke-width: 1.5 }
.floor { stroke: #d55e00; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .yes { fill: #56b4e9 } }
"""
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
DASHES: Final = ("none", "7 3", "2 3", "9 3 2 3", "4 2")


def draw_4(points: Sequence[Point]) -> str:
    """Curves by the share of positive items; a share and its complement have the same one."""
    parts = list(_axes())
    for place, positive in enumerate((0.5, 0.4, 0.3, 0.2, 0.1)):
        line = [point for point in points if point.positive == positive]
        path = " ".join(f"{_x(point.accepted):.1f},{_y(point.value):.1f}" for point in line)
        look = f'class="line" stroke="{COLOURS[place]}" stroke-dasharray="{DASHES[place]}"'
        name = "0.5" if positive == 1 - positive else f"{positive:g} or {1 - positive:g}"
        parts.append(f'<polyline {look} points="{path}"/>')
        parts.append(f'<line {look} x1="456" x2="486" y1="{50 + 20 * place}" y2="{50 + 20 * place}"/>')
        parts.append(text(492, 54 + 20 * place, name))
    parts.append(text(456, 30, "share of positive items"))
    most = max(points, key=lambda point: point.value)
    description = (
        f"Every curve is 0 where nothing or everything is accepted and highest where half of the items are. The highest value, "
        f"{most.value:g}, is that of half the items accepted where half of them are positive; it is "
        f"{max(point.value for point in points if point.positive == POSITIVE[0] / ITEMS):.2f} where a tenth is positive."
    )
    return svg(620, 320, "F(Rel,Sens) of outputs that ignore the gold", description, STYLE, parts)


def _x(share: float) -> float:
    return 60 + 380 * share


def _y(value: float) -> float:
    return 270 - 960 * value


def _axes() -> Iterable[str]:
    for value in (0, 0.05, 0.1, 0.15, 0.2, 0.25):
        yield f'<line class="grid" x1="60" x2="440" y1="{_y(value):.1f}" y2="{_y(value):.1f}"/>'
        yield text(52, _y(value) + 4, f"{value:g}", "end")
    for share in (0, 0.25, 0.5, 0.75, 1):
        yield text(_x(share), 288, f"{share:g}", "middle")
    yield '<path class="axis" d="M60 20V270H440"/>'
    yield text(250, 310, "share of accepted items", "middle")


def draw_12(cells: Sequence[Cell]) -> str:
    """A row of dots for each metric, with the best baseline as a stroke."""
    parts = [text(160 + 400 * tenth / 10, 265, f"{tenth / 10:g}", "middle") for tenth in range(0, 10, 2)]
    counts = []
    for place, metric in enumerate(METRICS):
        height = 50 + 30 * place
        of_metric = [cell for cell in cells if cell.metric == metric]
        floor = max(cell.value for cell in of_metric if cell.beats == "baseline")
        parts.append(text(152, height + 4, metric, "end"))
        parts.append(f'<line class="grid" x1="160" x2="520" y1="{height}" y2="{height}"/>')
        parts += [_dot(cell, height) for cell in of_metric if cell.beats != "baseline"]
        parts.append(f'<path class="floor" d="M{160 + 400 * floor:.1f} {height - 9}v18"/>')
        counts.append(f"{metric} {sum(cell.beats == 'yes' for cell in of_metric)}")
    parts += ['<circle class="yes" cx="168" cy="20" r="5"/>', text(180, 24, "beats every baseline")]
    parts += ['<circle class="no" cx="318" cy="20" r="5"/>', text(330, 24, "does not")]
    parts += ['<path class="floor" d="M408 11v18"/>', text(418, 24, "best baseline")]
    systems = len({cell.system for cell in cells}) - len(BASELINES)
    return svg(
        620, 280, "Filters of WePS-3 that beat every baseline", f"Of {systems} filters, by {', '.join(counts)}.", STYLE, parts
    )


def _dot(cell: Cell, height: int) -> str:
    title = f"<title>{escape(cell.system)} {cell.value:g}</title>"
    return f'<circle class="{cell.beats}" cx="{160 + 400 * cell.value:.1f}" cy="{height}" r="5">{title}</circle>'


def _csv(path: Path, rows: Sequence[Point] | Sequence[Cell]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0]._fields)
        writer.writerows(rows)


def make(folder: Path) -> None:
    """Write data and drawings of all figures."""
    folder.mkdir(exist_ok=True)
    points, cells = figure_4(), figure_12()
    _csv(folder / "figure-4.csv", points)
    _csv(folder / "figure-12.csv", cells)
    (folder / "figure-4.svg").write_text(draw_4(points), encoding="utf-8")
    (folder / "figure-12.svg").write_text(draw_12(cells), encoding="utf-8")
    for name in organizations.TITLES:
        (folder / f"table9-{name}.svg").write_text(organizations.draw(name), encoding="utf-8")
    compared = comparisons.tweets()
    (folder / "alpha-curves.svg").write_text(comparisons.curves(compared), encoding="utf-8")
    (folder / "tiers.svg").write_text(comparisons.order(compared), encoding="utf-8")
    save(plumbline.weights(30, 0.8).plot.weights(), folder / "weights.svg", force=True)
    save(plumbline.weights(30, 0.8, discounts=SHOWN).plot.weights(), folder / "discounts.svg", force=True)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
