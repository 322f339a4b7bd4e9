"""The rank of each system by each metric, as lines that cross where metrics disagree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.figures.cutting import SHORT, clipped
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.intervals import Means, means_of
from plumbline.figures.parts import Chart, Row, coloured, names_axis, numbers, row_height, rows, shown, texts, told
from plumbline.figures.reasons import TWO, without_two_metrics, without_two_systems
from plumbline.figures.theme import MOST_COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.figures.subject import Subject

WIDTH: Final = 320
EACH: Final = 110
"""The width of a metric, where there are many."""
MOST_NUMBERED: Final = 30
"""With more systems the numbers in the circles are left out."""
CIRCLE, SMALL_CIRCLE = 200, 60
LONGEST_NAME: Final = 28
"""Letters of a name."""


def reason(subject: Subject, asked: Asked) -> str | None:
    """Ranks by one metric are no news, and metrics that are neither good nor bad have none."""
    against = without_two_systems(subject, asked)
    if against is not None:
        return against
    ranking, neither = _split(subject, asked)
    if neither and len(ranking) < TWO:
        return f"it needs two metrics, and {_nobody(neither)}"
    return without_two_metrics(subject, replace(asked, metrics=ranking))


def _split(subject: Subject, asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The metrics that rank systems, and those that do not."""
    named, neither = asked.metrics or subject.cube.metrics, subject.cube.neither
    return tuple(name for name in named if name not in neither), tuple(name for name in named if name in neither)


def _nobody(neither: Sequence[str]) -> str:
    """Why metrics have no ranks."""
    return f"{told(neither)} {'ranks' if len(neither) == 1 else 'rank'} nobody: neither high nor low is better"


def _rows(means: Means, metrics: Sequence[int], systems: Sequence[int]) -> list[Row]:
    """Equal ranks stand one below the other, in the order that they have by the metric before."""
    names, headings = shown(means.systems), shown(means.metrics)
    found: list[Row] = []
    order = list(systems)
    for metric in metrics:
        ranks = dict(zip(order, means.ranks(metric, order), strict=True))
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

    means, (ranking, neither) = means_of(subject), _split(subject, asked)
    chosen = [means.metrics.index(name) for name in ranking]
    found = _rows(means, chosen, [at for at, name in enumerate(means.systems) if asked.shows(name)])
    metrics, last = list(dict.fromkeys(row["metric"] for row in found)), max(row["place"] for row in found)
    axis = names_axis(orient="top", labelAngle=0, grid=False)
    x = alt.X("metric:N", scale=alt.Scale(domain=metrics), title=None, axis=axis)
    y = alt.Y("place:Q", scale=alt.Scale(domain=[0.5, last + 0.5], reverse=True, nice=False), axis=None)
    layers = [layer.encode(x=x, y=y) for layer in (*_lines(found, last), *_names(found, metrics))]
    placed = [(row["metric"], f"{row['rank']}. {row['system']}") for row in found]
    by_metric = "; ".join(f"By {name}: {told(text for metric, text in placed if metric == name)}" for name in metrics)
    description = f"Ranks of {plural(last, 'system')}. {by_metric}"
    width = asked.wide(max(WIDTH, EACH * len(metrics)))
    chart = alt.layer(*layers).properties(width=width, height=asked.high(row_height(last) + 8))
    if not neither:
        return chart.properties(description=description)
    left_out = f"Left out: {_nobody(neither)}."
    return chart.properties(title=alt.TitleParams("", subtitle=left_out), description=f"{description}. {left_out}")


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

    left, right = (
        alt.Chart(rows({**row, SHORT: clipped(row["system"], LONGEST_NAME)} for row in found if row["metric"] == end))
        for end in (metrics[0], metrics[-1])
    )
    return [
        left.mark_text(style="ink", align="right", dx=-12).encode(text=f"{SHORT}:N"),
        right.mark_text(style="ink", align="left", dx=12).encode(text=f"{SHORT}:N"),
    ]


FIGURE: Final = Figure(
    "ranks",
    "Ranks by each metric",
    "The rank of each system by the mean of each metric. Lines cross where metrics disagree about the order. Systems "
    "with equal means share a rank. With many systems, only those that are first by some metric have a colour, at most "
    f"{MOST_COLOURS}, from left to right.",
    reason,
    make,
)
