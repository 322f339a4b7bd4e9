"""Two metrics as a trade-off: a point for each system, and lines of equal F."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.labels import SHORT, clipped
from plumbline.figures.lines import system_colour
from plumbline.figures.needs import metric_pair, pair_of, too_few_dots
from plumbline.figures.palette import palette
from plumbline.figures.parts import Chart, Row, display_names, inline_data, listed, number_fields, text_fields
from plumbline.figures.theme import MOST_COLOURS
from plumbline.large import extent
from plumbline.lazily import alt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.figures.subject import Subject

SIZE: Final = 320
LEVELS: Final = tuple(tenth / 10 for tenth in range(1, 10))
"""The values of F whose lines are drawn."""
STEPS: Final = 60
NAME_WIDTH: Final = 0.3
"""The width of a name, as a share of the width of the chart."""
LEFT_FROM: Final = 0.7
"""From here on, names stand to the left of their points."""
NAME_HEIGHT: Final = 0.042
"""The height of a name, as a share of the height of the chart."""


def between_zero_and_one(subject: Subject, options: DrawOptions) -> str | None:
    """Both metrics must lie between 0 and 1 and be better when higher."""
    cube = subject.only(_pair(subject, options))
    ends = [extent(values) for values in cube.values]
    fits = not cube.lower.any() and min(low for low, _ in ends) >= 0 and 0 <= max(high for _, high in ends) <= 1
    return None if fits else f"F is for metrics between 0 and 1 that are better when higher, and {listed(cube.metrics)} are not"


def _pair(subject: Subject, options: DrawOptions) -> tuple[str, ...]:
    return pair_of(options.metrics or subject.cube.metrics) or ()


def best_at_both(one: NDArray[np.float64], other: NDArray[np.float64]) -> list[int]:
    """Of systems with two ranks, those than which none is as good by both and better by one; without a rank, none."""
    known = np.flatnonzero(~np.isnan(one + other)).tolist()
    worse = (((one <= one[at]) & (other <= other[at]) & ((one < one[at]) | (other < other[at]))).any() for at in known)
    return [at for at, is_worse in zip(known, worse, strict=True) if not is_worse]


def _equal_f() -> list[Row]:
    """Points of F = 2xy / (x + y), solved for y."""
    return [
        {"level": f"F {level:.1f}", "x": x, "y": min(level * x / (2 * x - level), 1.0)}
        for level in LEVELS
        for x in np.linspace(level / (2 - level), 1, STEPS).tolist()
    ]


def _points(subject: Subject, options: DrawOptions) -> list[Row]:
    """Means of the systems: the second metric to the right, the first upwards, as precision over recall."""
    means, names = subject.means, display_names(subject.cube.systems)
    metrics = [means.metrics.index(name) for name in _pair(subject, options)]
    y, x = means.value[metrics]
    drawn = [at for at, name in enumerate(means.systems) if options.shows(name) and not np.isnan(x[at] + y[at])]
    by_each = (np.array(means.ranks(metric, drawn), dtype=np.float64) for metric in metrics)
    front = {drawn[place] for place in best_at_both(*by_each)}
    made = [{"system": names[means.systems[at]], "x": float(x[at]), "y": float(y[at]), "front": at in front} for at in drawn]
    return sorted(made, key=lambda row: (row["x"], -row["y"]))


def few_systems(subject: Subject) -> str | None:
    """Why a page leaves the figure out."""
    rows, (first, second) = _points(subject, DrawOptions()), _pair(subject, DrawOptions())
    return too_few_dots(np.array([[row[axis] for row in rows] for axis in "xy"]), listed([second]), listed([first]))


@figure(
    "tradeoff",
    title="Two metrics as a trade-off",
    caption="Means of two metrics, such as precision and recall. Dashed lines join points of equal F. The step line joins the "
    "systems that no other system beats by both metrics: which of them is best depends on the weight.",
    needs=(metric_pair, between_zero_and_one),
    report=InReport(
        ReportSection(
            "tradeoff",
            70,
            "The trade-off between two metrics",
            "Systems that are better by one of two metrics are often worse by the other. Lines connect points of the same F.",
        ),
        width=460,
        height=420,
        narrows=True,
        says_nothing=few_systems,
    ),
    example="tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Points, the edge of those that none beats at both, and lines of equal F."""
    rows, (first, second) = _points(subject, options), _pair(subject, options)
    unit, plain = alt.Scale(domain=[0, 1]), alt.Axis(grid=False)
    x = alt.X("x:Q", title=listed([second]), scale=unit, axis=plain)
    y = alt.Y("y:Q", title=listed([first]), scale=unit, axis=plain)
    edge = alt.Chart(inline_data(row for row in rows if row["front"]))
    stairs = edge.mark_line(style="ink", strokeWidth=1, interpolate="step-before")
    tooltip = [*text_fields("system"), *number_fields(x=listed([second]), y=listed([first]))]
    layers = [*_iso_lines(), stairs, *(one.encode(tooltip=tooltip) for one in _dots(rows, palette(subject)))]
    y_of_name = alt.Y("label_y:Q", scale=unit, axis=plain, title=listed([first]))
    labels = [layer.encode(x=x, y=y_of_name) for layer in _names(rows)]
    description = (
        f"{listed([first])} against {listed([second])}, means of {plural(len(rows), 'system')}, with lines of equal F; "
        f"none is better at both than {listed(row['system'] for row in rows if row['front'])}"
    )
    return alt.layer(
        *(layer.encode(x=x, y=y) for layer in layers),
        *labels,
        width=options.width_or(SIZE),
        height=options.height_or(SIZE),
        description=description,
    )


def _iso_lines() -> list[Chart]:
    """Lines of equal F with their values at the right."""
    points = _equal_f()
    lines = alt.Chart(inline_data(points)).mark_line(style="quiet", strokeWidth=0.75, opacity=0.6, strokeDash=[2, 2])
    ends = alt.Chart(inline_data(row for row in points if row["x"] == 1.0))
    labels = ends.mark_text(style="quiet", align="left", dx=3, fontSize=9).encode(text=alt.Text("level:N"))
    return [lines.encode(detail=alt.Detail("level:N")), labels]


def _dots(rows: list[Row], colours: dict[str, int]) -> list[Chart]:
    """A colour for each system that has one; the others are grey and behind."""
    behind = alt.Chart(inline_data(row for row in rows if row["system"] not in colours))
    coloured = [row for row in rows if row["system"] in colours]
    points = alt.Chart(inline_data(coloured)).mark_circle(size=80, opacity=1)
    colour = system_colour([row["system"] for row in coloured], palette=colours, legend=False)
    return [behind.mark_circle(style="quiet", size=30, opacity=0.7), points.encode(color=colour)]


def _names(rows: list[Row]) -> list[Chart]:
    """The names beside the points: of all systems if they are few, else of those that none beats at both."""
    named = [row for row in rows if row["front"] or len(rows) <= MOST_COLOURS]
    heights = spread([(row["x"], row["y"]) for row in named])
    texts = [{**row, "label_y": height, SHORT: clipped(row["system"])} for row, height in zip(named, heights, strict=True)]
    to_the_left, to_the_right = (
        alt.Chart(inline_data(row for row in texts if (row["x"] > LEFT_FROM) is left)) for left in (True, False)
    )
    return [
        to_the_left.mark_text(style="ink", align="right", dx=-8).encode(text=alt.Text(f"{SHORT}:N")),
        to_the_right.mark_text(style="ink", align="left", dx=8).encode(text=alt.Text(f"{SHORT}:N")),
    ]


def spread(points: Sequence[tuple[float, float]]) -> list[float]:
    """Heights for the names of points on axes from 0 to 1, such that no name covers another one.

    A name stands at the height of its point, or below the names of higher points nearby.
    """
    placed: list[tuple[float, float]] = []
    heights = [0.0] * len(points)
    for at in sorted(range(len(points)), key=lambda number: (-points[number][1], points[number][0])):
        x, height = points[at]
        near = sorted((other for where, other in placed if _side_by_side(where, x)), reverse=True)
        for other in near:
            if abs(other - height) < NAME_HEIGHT:
                height = other - NAME_HEIGHT
        placed.append((x, height))
        heights[at] = height
    return heights


def _side_by_side(one: float, other: float) -> bool:
    """Whether the names of points at these places would cover each other at one height."""
    left, right = sorted((one, other))
    towards = left <= LEFT_FROM < right
    return right - left < (2 * NAME_WIDTH if towards else NAME_WIDTH)
