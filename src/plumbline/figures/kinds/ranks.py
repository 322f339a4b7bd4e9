"""The rank of each system by each metric, as lines that cross where metrics disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.figure import Asked, Figure
from plumbline.figures.intervals import Means, means_of
from plumbline.figures.parts import Chart, Row, coloured, numbers, row_height, rows, shown, texts, told
from plumbline.figures.reasons import without_two_metrics, without_two_systems
from plumbline.figures.theme import MOST_COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.figures.subject import Subject

WIDTH: Final = 320
EACH: Final = 110
"""The width of a metric, where there are many."""
MOST_NUMBERED: Final = 30
"""With more systems the numbers in the circles are left out."""
CIRCLE, SMALL_CIRCLE = 200, 60


def reason(subject: Subject, asked: Asked) -> str | None:
    """Ranks by one metric are no news."""
    return without_two_systems(subject, asked) or without_two_metrics(subject, asked)


def ranks_of(values: NDArray[np.float64], *, lower: bool) -> list[int | None]:
    """1 for the best; equal values share the better rank, and what is unknown has none."""
    signed = values if lower else -values
    return [None if np.isnan(own) else int((signed < own).sum()) + 1 for own in signed]


def _rows(means: Means, metrics: Sequence[int], systems: Sequence[int]) -> list[Row]:
    """Equal ranks stand one below the other, in the order that they have by the metric before."""
    names, headings = shown(means.systems), shown(means.metrics)
    found: list[Row] = []
    order = list(systems)
    for metric in metrics:
        ranks = dict(zip(order, ranks_of(means.value[metric, order], lower=bool(means.lower[metric])), strict=True))
        order.sort(key=lambda at: ranks[at] or len(systems) + 1)
        found += [
            {
                "system": names[means.systems[at]],
                "metric": headings[means.metrics[metric]],
                "rank": ranks[at],
                "place": place,
                "value": float(means.value[metric, at]),
            }
            for place, at in enumerate(order, 1)
            if ranks[at] is not None
        ]
    return found


def _spoken_of(found: list[Row]) -> list[str]:
    """The systems with a colour: all if they are few, else those that are first by some metric."""
    systems = list(dict.fromkeys(row["system"] for row in found))
    if len(systems) <= MOST_COLOURS:
        return systems
    return list(dict.fromkeys(row["system"] for row in found if row["rank"] == 1))[:MOST_COLOURS]


def make(subject: Subject, asked: Asked) -> Chart:
    """Metrics from left to right, ranks from top to bottom, names at both ends."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    means = means_of(subject)
    chosen = [means.metrics.index(name) for name in asked.metrics or means.metrics]
    found = _rows(means, chosen, [at for at, name in enumerate(means.systems) if asked.shows(name)])
    metrics, last = list(dict.fromkeys(row["metric"] for row in found)), max(row["place"] for row in found)
    axis = alt.Axis(orient="top", labelAngle=0, grid=False)
    x = alt.X("metric:N", scale=alt.Scale(domain=metrics), title=None, axis=axis)
    y = alt.Y("place:Q", scale=alt.Scale(domain=[0.5, last + 0.5], reverse=True, nice=False), axis=None)
    layers = [layer.encode(x=x, y=y) for layer in (*_lines(found, last), *_names(found, metrics))]
    description = f"Ranks of {last} systems. " + "; ".join(
        f"By {name}: {told(row['system'] for row in found if row['metric'] == name)}" for name in metrics
    )
    width = asked.wide(max(WIDTH, EACH * len(metrics)))
    return alt.layer(*layers).properties(width=width, height=asked.high(row_height(last) + 8), description=description)


def _lines(found: list[Row], last: int) -> list[Chart]:
    """Lines and circles with the rank in them, those that are spoken of in front."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    spoken, size = _spoken_of(found), CIRCLE if last <= MOST_NUMBERED else SMALL_CIRCLE
    tooltip = [*texts("system", "metric", "rank"), *numbers("value")]
    everyone = alt.Chart(rows(found)).encode(tooltip=tooltip)
    quiet = alt.Chart(rows(row for row in found if row["system"] not in spoken)).encode(tooltip=tooltip)
    loud = alt.Chart(rows(row for row in found if row["system"] in spoken))
    loud = loud.encode(tooltip=tooltip, color=coloured(spoken, legend=False))
    numbered = [everyone.mark_text(style="paper", fontSize=9).encode(text="rank:N")] if last <= MOST_NUMBERED else []
    return [
        quiet.mark_line(style="quiet", strokeWidth=1, opacity=0.5).encode(detail="system:N"),
        quiet.mark_circle(style="quiet", size=size, opacity=1),
        loud.mark_line(strokeWidth=2.5),
        loud.mark_circle(size=size, opacity=1),
        *numbered,
    ]


def _names(found: list[Row], metrics: list[str]) -> list[Chart]:
    """The names beside the first and the last metric."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    left, right = (alt.Chart(rows(row for row in found if row["metric"] == end)) for end in (metrics[0], metrics[-1]))
    return [
        left.mark_text(style="ink", align="right", dx=-12, limit=160).encode(text="system:N"),
        right.mark_text(style="ink", align="left", dx=12, limit=160).encode(text="system:N"),
    ]


FIGURE: Final = Figure(
    "ranks",
    "Ranks by each metric",
    "The rank of each system by the mean of each metric. Lines cross where metrics disagree about the order. Systems "
    "with equal means share a rank. With many systems, those that are first by no metric are grey.",
    reason,
    make,
)
