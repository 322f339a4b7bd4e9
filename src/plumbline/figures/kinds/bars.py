"""Means with confidence intervals, as bars."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.lines import outlined
from plumbline.figures.needs import scores
from plumbline.figures.palette import palette
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    fixed_x,
    inline_data,
    listed,
    name_axis,
    number_fields,
    panels,
    row_height,
    text_fields,
)
from plumbline.figures.theme import PALE
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.means import Means
    from plumbline.figures.subject import Subject

WIDTH: Final = 480
COLUMNS: Final = 3
"""Metrics side by side."""
MOST_SYSTEMS: Final = 100
"""Systems that a page shows in this section, which has a row for each: of more, the best."""


def _section_text(subject: Subject) -> str:
    if min(len(subject.cube.systems), len(subject.cube.metrics)) > 1:
        return (
            "Each metric on its own: how large the means are, how certain they are, and whether the metrics put the systems in "
            "the same order."
        )
    return "How large the means are, and how certain they are."


MEANS: Final = ReportSection("means", 10, "Metric by metric", _section_text)


def _rows(subject: Subject, means: Means, metric: int, order: list[int]) -> list[Row]:
    names, colours = display_names(means.systems), palette(subject)
    return [
        {
            "system": names[means.systems[at]],
            "value": float(means.value[metric, at]),
            "low": float(means.low[metric, at]),
            "high": float(means.high[metric, at]),
            "cases": int(means.cases[metric, at]),
            "floor": means.systems[at] in subject.floor,
            "coloured": names[means.systems[at]] in colours,
        }
        for at in order
    ]


def _limits(rows: list[Row]) -> dict[str, Any]:
    """Intervals may reach beyond what a metric can be: the axis does not, where all values keep within 0 and 1."""
    values = [row["value"] for row in rows if not isnan(row["value"])]
    highest = max((row["high"] for row in rows if not isnan(row["high"])), default=0.0)
    if min(values, default=0.0) < 0:
        return {}
    return {"domainMin": 0.0, **({"domainMax": 1.0} if max(values, default=0.0) <= 1 < highest else {})}


def _panel(rows: list[Row], title: str, colours: dict[str, int], *, named: bool) -> Chart:
    """One metric: bars, the intervals over them, and what has no value."""
    systems = alt.Scale(domain=[row["system"] for row in rows])
    y = alt.Y("system:N", scale=systems, axis=name_axis(title=None) if named else None)
    x = alt.X("value:Q", title=title, axis=alt.Axis(tickCount=4), scale=alt.Scale(**_limits(rows)))
    tooltip = [*text_fields("system"), *number_fields("value", "low", "high"), *number_fields("cases", form=",")]
    base = alt.Chart(inline_data(rows)).encode(y=y, tooltip=tooltip)
    missing = base.transform_filter("datum.value === null").mark_text(style="quiet", align="left")
    colouring = outlined([row["system"] for row in rows if row["coloured"]], colours)
    kinds = [
        base.transform_filter("datum.coloured && !datum.floor").mark_bar(fillOpacity=PALE).encode(**colouring),
        base.transform_filter("datum.coloured && datum.floor").mark_bar(fillOpacity=0, strokeDash=[3, 2]).encode(**colouring),
        base.transform_filter("!datum.coloured").mark_bar(style="quiet_bar"),
    ]
    return alt.layer(
        *(kind.encode(x=x) for kind in kinds),
        base.mark_rule(style="ink", strokeWidth=1.5, clip=True).encode(x=alt.X("low:Q", title=title), x2=alt.X2("high:Q")),
        missing.encode(x=fixed_x(4), text=alt.TextValue("no value")),
    )


@figure(
    "bars",
    title="Means with confidence intervals",
    caption="The mean of each metric over cases, with the 95 % confidence interval of the mean (t distribution). Systems are "
    "in the order of the first metric. Two intervals may overlap although the difference is significant: use the figure of "
    "differences to compare two systems.",
    needs=scores,
    report=InReport(MEANS, order=1, width=760, stacks=True, first_systems=MOST_SYSTEMS),
    example="mail.tsv filters/*.tsv --positive spam --floor -m 'F(P,R)' -m Accuracy -m Lam",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Rows are systems in the order of the first metric; panels are metrics."""
    means = subject.means
    metrics = [means.metrics.index(name) for name in options.metrics or means.metrics]
    order = [at for at in means.best_first(metrics[0]) if options.shows(means.systems[at])]
    columns, colours, height = min(COLUMNS, len(metrics)), palette(subject), options.height_or(row_height(len(order)))
    drawn = [
        _panel(_rows(subject, means, metric, order), means.heading(metric), colours, named=number % columns == 0)
        for number, metric in enumerate(metrics)
    ]
    sure = "" if np.isnan(means.low[metrics]).all() else " with 95 % confidence intervals"
    first = "highest" if means.metrics[metrics[0]] in means.neither else "best"
    description = (
        f"Means of {listed(means.metrics[metric] for metric in metrics)}{sure}, "
        f"{first} first: {listed(means.systems[at] for at in order)}"
    )
    return panels(drawn, options.width_or(WIDTH), columns, height=height, description=description)
