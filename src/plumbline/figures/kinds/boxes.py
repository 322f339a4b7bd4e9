"""The values of all cases, as a box and dots for each system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.kinds.bars import MEANS, MOST_SYSTEMS
from plumbline.figures.kinds.heatmap import several_cases
from plumbline.figures.lines import outlined, system_colour
from plumbline.figures.needs import scores
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
)
from plumbline.figures.theme import PALE
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH: Final = 480
MOST_DOTS: Final = 3000
"""With more values only the boxes are drawn."""
QUARTERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
FIELDS: Final = ("lowest", "first_quarter", "median", "third_quarter", "highest")


def _boxes(subject: Subject, metric: str, systems: tuple[str, ...]) -> tuple[list[Row], list[Row]]:
    """The five numbers of each system, and its values unless there are too many of them."""
    cube = subject.only((metric,), systems)
    names, cases, colours = display_names(cube.systems), display_names(cube.cases), palette(subject)
    boxes, dots = [], []
    few = sum(int(np.count_nonzero(~np.isnan(row))) for row in cube.values[0]) <= MOST_DOTS
    for row, system in enumerate(cube.systems):
        system_fields = {"system": names[system], "coloured": names[system] in colours}
        known = ~np.isnan(cube.values[0, row])
        if known.any():
            five = np.quantile(cube.values[0, row, known], QUARTERS).tolist()
            boxes.append({**system_fields, **dict(zip(FIELDS, five, strict=True)), "cases": int(known.sum())})
        dots += [
            {**system_fields, "case": cases[cube.cases[at]], "value": float(cube.values[0, row, at])}
            for at in np.flatnonzero(known & few).tolist()
        ]
    return boxes, dots


@figure(
    "boxes",
    title="The values of all cases",
    caption="The value of the first metric on each case, as dots. The box holds the middle half of the cases, the line in it "
    "is the median, and the thin line reaches from the lowest to the highest value. Systems are in the order of their means, "
    "which hide how far apart cases are.",
    needs=(scores, several_cases),
    report=InReport(MEANS, order=3, width=560, narrows=True, widens=True, first_systems=MOST_SYSTEMS),
    example="qrels.txt runs/*.run -m AP",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A box for each system, best first, with a dot for each case."""
    metric, means = (options.metrics or subject.cube.metrics)[0], subject.means
    boxes, dots = _boxes(subject, metric, options.systems)
    names, shown = display_names(means.systems), {row["system"] for row in boxes}
    order = [names[means.systems[at]] for at in means.best_first(means.metrics.index(metric))]
    rows = [name for name in order if name in shown]
    y = alt.Y("system:N", scale=alt.Scale(domain=rows), axis=name_axis(title=None))
    heading = means.heading(means.metrics.index(metric))

    def x(field: str) -> Chart:
        return alt.X(f"{field}:Q", title=heading, scale=alt.Scale(zero=False, nice=True))

    titled = {name: name.replace("_", " ") for name in FIELDS}
    tooltip = [*text_fields("system"), *number_fields(**titled), *number_fields("cases", form=",")]
    base = alt.Chart(inline_data(boxes)).encode(y=y, tooltip=tooltip)
    points = alt.Chart(inline_data(dots))
    points = points.encode(y=y, x=x("value"), tooltip=[*text_fields("system", "case"), *number_fields(value=listed([metric]))])
    coloured, colours = [row["system"] for row in boxes if row["coloured"]], palette(subject)
    middle = base.encode(x=x("first_quarter"), x2=alt.X2("third_quarter:Q"))
    of_own, of_none = "datum.coloured", "!datum.coloured"
    layers = [
        base.mark_rule(style="quiet").encode(x=x("lowest"), x2=alt.X2("highest:Q")),
        middle.transform_filter(of_none).mark_bar(style="quiet_bar", height=9, opacity=0.55),
        middle.transform_filter(of_own).mark_bar(height=9, fillOpacity=PALE).encode(**outlined(coloured, colours)),
        points.transform_filter(of_none).mark_circle(style="quiet", size=14, opacity=0.8),
        points.transform_filter(of_own)
        .mark_circle(size=14, opacity=0.8)
        .encode(color=system_colour(coloured, palette=colours, legend=False)),
        base.mark_tick(style="ink", thickness=2, size=13).encode(x=x("median")),
    ]
    medians = ", ".join(f"{row['system']} {row['median']:.3f}" for row in boxes[:8])
    return alt.layer(
        *layers,
        width=options.width_or(WIDTH),
        height=options.height_or(row_height(len(rows))),
        description=f"{listed([metric])} of every case; systems by their means: {listed(rows)}; medians: {medians}",
    )
