"""The rank of each system by each metric, as lines that cross where metrics disagree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.kinds.bars import MEANS, MOST_SYSTEMS
from plumbline.figures.labels import SHORT, clipped
from plumbline.figures.lines import system_colour
from plumbline.figures.needs import TWO, two_metrics, two_systems
from plumbline.figures.palette import palette
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    inline_data,
    listed,
    name_axis,
    number_fields,
    row_height,
    text_fields,
    with_properties,
)
from plumbline.lazily import alt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.figures.means import Means
    from plumbline.figures.subject import Subject

WIDTH: Final = 240
EACH: Final = 110
"""The width of a metric, where there are many."""
MOST_NUMBERED: Final = 30
"""With more systems the numbers in the circles are left out."""
CIRCLE, SMALL_CIRCLE = 200, 60
LONGEST_NAME: Final = 28
"""Letters of a name."""


def two_ranking_metrics(subject: Subject, options: DrawOptions) -> str | None:
    """Two metrics are needed that are better when higher or when lower: the others give no ranks."""
    ranking, neither = _split(subject, options)
    if neither and len(ranking) < TWO:
        return f"it needs two metrics, and {_nobody(neither)}"
    return two_metrics(subject, replace(options, metrics=ranking))


def _split(subject: Subject, options: DrawOptions) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The metrics that rank systems, and those that do not."""
    named, neither = options.metrics or subject.cube.metrics, subject.cube.neither
    return tuple(name for name in named if name not in neither), tuple(name for name in named if name in neither)


def _nobody(neither: Sequence[str]) -> str:
    """Why metrics have no ranks."""
    return f"{listed(neither)} {'ranks' if len(neither) == 1 else 'rank'} nobody: neither high nor low is better"


def _rows(means: Means, metrics: Sequence[int], systems: Sequence[int]) -> list[Row]:
    """Equal ranks stand one below the other, in the order that they have by the metric before."""
    names, headings = display_names(means.systems), display_names(means.metrics)
    rows: list[Row] = []
    order = list(systems)
    for metric in metrics:
        ranks = dict(zip(order, means.ranks(metric, order), strict=True))
        order.sort(key=lambda at: ranks[at] or len(systems) + 1)
        rows += [
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
    return rows


@figure(
    "ranks",
    title="Ranks by each metric",
    caption="The rank of each system by the mean of each metric, among the systems that are drawn. Lines cross where metrics "
    "disagree about the order. Systems with equal means share a rank. With many systems, only some have a colour.",
    needs=(two_systems, two_ranking_metrics),
    report=InReport(MEANS, order=2, narrows=True, first_systems=MOST_SYSTEMS),
    example="qrels.txt runs/*.run",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Metrics from left to right, ranks from top to bottom, names at both ends."""
    means, (ranking, neither) = subject.means, _split(subject, options)
    chosen = [means.metrics.index(name) for name in ranking]
    rows = _rows(means, chosen, [at for at, name in enumerate(means.systems) if options.shows(name)])
    metrics, last = list(dict.fromkeys(row["metric"] for row in rows)), max(row["place"] for row in rows)
    axis = name_axis(orient="top", labelAngle=0, grid=False)
    x = alt.X("metric:N", scale=alt.Scale(domain=metrics, padding=0), title=None, axis=axis)
    y = alt.Y("place:Q", scale=alt.Scale(domain=[0.5, last + 0.5], reverse=True, nice=False), axis=None)
    layers = [layer.encode(x=x, y=y) for layer in (*_lines(rows, last, palette(subject)), *_names(rows, metrics))]
    placed = [(row["metric"], f"{row['rank']}. {row['system']}") for row in rows]
    by_metric = "; ".join(f"By {name}: {listed(text for metric, text in placed if metric == name)}" for name in metrics)
    description = f"Ranks of {plural(last, 'system')}. {by_metric}"
    width = options.width_or(max(WIDTH, EACH * len(metrics)))
    chart = alt.layer(*layers, width=width, height=options.height_or(row_height(last) + 8))
    if not neither:
        return with_properties(chart, description=description)
    left_out = f"Left out: {_nobody(neither)}."
    return with_properties(chart, title=alt.TitleParams("", subtitle=left_out), description=f"{description}. {left_out}")


def _lines(rows: list[Row], last: int, colours: dict[str, int]) -> list[Chart]:
    """Lines and circles with the rank in them, the highlighted ones in front."""
    highlighted = [name for name in dict.fromkeys(row["system"] for row in rows) if name in colours]
    size = CIRCLE if last <= MOST_NUMBERED else SMALL_CIRCLE
    tooltip = [*text_fields("system", "metric", "rank"), *number_fields("value")]
    everyone = alt.Chart(inline_data(rows)).encode(tooltip=tooltip)
    quiet = alt.Chart(inline_data(row for row in rows if row["system"] not in highlighted)).encode(tooltip=tooltip)
    loud = alt.Chart(inline_data(row for row in rows if row["system"] in highlighted))
    loud = loud.encode(tooltip=tooltip, color=system_colour(highlighted, palette=colours, legend=False))
    numbered = [everyone.mark_text(style="paper", fontSize=9).encode(text=alt.Text("rank:N"))] if last <= MOST_NUMBERED else []
    return [
        quiet.mark_line(style="quiet", strokeWidth=1, opacity=0.5).encode(detail=alt.Detail("system:N")),
        quiet.mark_circle(style="quiet", size=size, opacity=1),
        loud.mark_line(strokeWidth=2.5),
        loud.mark_circle(size=size, opacity=1),
        *numbered,
    ]


def _names(rows: list[Row], metrics: list[str]) -> list[Chart]:
    """The names beside the first and the last metric."""
    left, right = (
        alt.Chart(inline_data({**row, SHORT: clipped(row["system"], LONGEST_NAME)} for row in rows if row["metric"] == end))
        for end in (metrics[0], metrics[-1])
    )
    return [
        left.mark_text(style="ink", align="right", dx=-12).encode(text=alt.Text(f"{SHORT}:N")),
        right.mark_text(style="ink", align="left", dx=12).encode(text=alt.Text(f"{SHORT}:N")),
    ]
