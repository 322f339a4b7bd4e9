"""Two metrics as a trade-off: a point for each system, and lines of equal F."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors.base import plural
from plumbline.figures.cutting import SHORT, clipped
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.intervals import means_of
from plumbline.figures.labels import spread
from plumbline.figures.pairs import pair_of, without_pair
from plumbline.figures.parts import COLUMNS, Chart, Row, coloured, names_legend, numbers, rows, shown, texts, told
from plumbline.figures.theme import MOST_COLOURS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.figures.subject import Subject

SIZE: Final = 320
LEVELS: Final = tuple(tenth / 10 for tenth in range(1, 10))
"""The values of F whose lines are drawn."""
STEPS: Final = 60


def reason(subject: Subject, asked: Asked) -> str | None:
    """Two metrics between 0 and 1 are needed, higher is better."""
    against = without_pair(subject, asked)
    if against is not None:
        return against
    cube = subject.only(_pair(subject, asked))
    known = cube.values[~np.isnan(cube.values)]
    fits = known.size > 0 and not cube.lower.any() and known.min() >= 0 and known.max() <= 1
    return None if fits else f"F is for metrics between 0 and 1 that are better when higher, and {told(cube.metrics)} are not"


def _pair(subject: Subject, asked: Asked) -> tuple[str, ...]:
    return pair_of(asked.metrics or subject.cube.metrics) or ()


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


def _points(subject: Subject, asked: Asked) -> list[Row]:
    """Means of the systems: the second metric to the right, the first upwards, as precision over recall."""
    means, names = means_of(subject), shown(subject.cube.systems)
    metrics = [means.metrics.index(name) for name in _pair(subject, asked)]
    y, x = means.value[metrics]
    drawn = [at for at, name in enumerate(means.systems) if asked.shows(name) and not np.isnan(x[at] + y[at])]
    by_each = (np.array(means.ranks(metric, drawn), dtype=np.float64) for metric in metrics)
    front = {drawn[place] for place in best_at_both(*by_each)}
    made = [{"system": names[means.systems[at]], "x": float(x[at]), "y": float(y[at]), "front": at in front} for at in drawn]
    return sorted(made, key=lambda row: (row["x"], -row["y"]))


def make(subject: Subject, asked: Asked) -> Chart:
    """Points, the edge of those that none beats at both, and lines of equal F."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    found, (first, second) = _points(subject, asked), _pair(subject, asked)
    whole, plain = alt.Scale(domain=[0, 1]), alt.Axis(grid=False)
    x = alt.X("x:Q", title=told([second]), scale=whole, axis=plain)
    y = alt.Y("y:Q", title=told([first]), scale=whole, axis=plain)
    edge = alt.Chart(rows(row for row in found if row["front"]))
    stairs = edge.mark_line(style="ink", strokeWidth=1, interpolate="step-before")
    few = len(found) <= MOST_COLOURS
    layers = [*_iso_lines(), stairs, *(_few(found) if few else _many(found))]
    words = [] if few else [_names(found).encode(x=x, y=alt.Y("label_y:Q", scale=whole, axis=plain, title=told([first])))]
    description = (
        f"{told([first])} against {told([second])}, means of {plural(len(found), 'system')}, with lines of equal F; "
        f"none is better at both than {told(row['system'] for row in found if row['front'])}"
    )
    return alt.layer(*(layer.encode(x=x, y=y) for layer in layers), *words).properties(
        width=asked.wide(SIZE), height=asked.high(SIZE), description=description
    )


def _iso_lines() -> list[Chart]:
    """Lines of equal F with their values at the right."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    points = _equal_f()
    lines = alt.Chart(rows(points)).mark_line(style="quiet", strokeWidth=0.75, opacity=0.6, strokeDash=[2, 2])
    ends = alt.Chart(rows(row for row in points if row["x"] == 1.0))
    words = ends.mark_text(style="quiet", align="left", dx=3, fontSize=9).encode(text="level:N")
    return [lines.encode(detail="level:N"), words]


def _few(found: list[Row]) -> list[Chart]:
    """A colour and a shape for each system."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    systems = sorted(row["system"] for row in found)
    points = alt.Chart(rows(found)).mark_point(size=70, filled=True, opacity=1)
    legend = names_legend(orient="bottom", columns=COLUMNS)
    shape = alt.Shape("system:N", scale=alt.Scale(domain=systems), legend=legend)
    return [points.encode(color=coloured(systems, orient="bottom"), shape=shape, tooltip=_tooltip())]


def _many(found: list[Row]) -> list[Chart]:
    """Those that none beats at both; the others are grey."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    base = alt.Chart(rows(found)).encode(tooltip=_tooltip())
    front = base.transform_filter("datum.front")
    return [
        base.transform_filter("!datum.front").mark_circle(style="quiet", size=30, opacity=0.7),
        front.mark_circle(style="first", size=50, opacity=1),
    ]


def _names(found: list[Row]) -> Chart:
    """The names of those that none beats at both."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    front = [row for row in found if row["front"]]
    heights = spread([(row["x"], row["y"]) for row in front])
    named = ({**row, "label_y": height, SHORT: clipped(row["system"])} for row, height in zip(front, heights, strict=True))
    return alt.Chart(rows(named)).mark_text(style="ink", align="left", dx=7, dy=-5).encode(text=f"{SHORT}:N")


def _tooltip() -> list[Chart]:
    return [*texts("system"), *numbers(x="horizontal", y="vertical")]


FIGURE: Final = Figure(
    "tradeoff",
    "Two metrics as a trade-off",
    "Means of two metrics, such as precision and recall. Dashed lines join points of equal F. The step line joins the "
    "systems than which none is better at both: which of them is best depends on the weight.",
    reason,
    make,
)
