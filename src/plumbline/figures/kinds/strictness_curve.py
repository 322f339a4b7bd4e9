"""How low other metrics score what a metric ranks at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.kinds.strictness import two_cases
from plumbline.figures.lines import end_labels, system_lines
from plumbline.figures.needs import two_metrics, two_systems
from plumbline.figures.parts import Chart, display_names, listed, number_fields, text_fields
from plumbline.figures.theme import MOST_COLOURS
from plumbline.lazily import alt
from plumbline.studies.outputs import Outputs
from plumbline.studies.strictness import curve

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 360, 280
TOP: Final = 0.2
"""The share of outputs that the description is about."""


@figure(
    "strictness_curve",
    title="How strict each metric is",
    caption="For the best share of all outputs by a metric, the lowest rank that another metric gives to one of them, as a "
    "share of outputs. A strict metric stays high: what it praises, the others praise too.",
    needs=(two_systems, two_metrics, two_cases),
    report=InReport(
        ReportSection(
            "strictness",
            55,
            "How strict are the metrics?",
            "If a metric ranks an output high, do the others? One line for each metric.",
        ),
        width=460,
        height=340,
        narrows=True,
    ),
    example="qrels.txt runs/*.run -m AP -m nDCG@10 -m P@10 -m RR -m R@10 -m ERR",
    systems_named=0,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line for each metric; those after the first few are grey."""
    cube = subject.only(options.metrics, options.systems)
    names = display_names(cube.metrics)
    table = curve(Outputs.of(cube), range(len(cube.metrics)))
    rows = [{"system": names[metric], "top": top / 100, "floor": floor} for metric, top, floor in table.iter_rows()]
    colours = {name: place for place, name in enumerate(names.values()) if place < MOST_COLOURS}
    height, unit = options.height_or(HEIGHT), alt.Scale(domain=[0, 1])
    x = alt.X("top:Q", title="best outputs by the metric", scale=unit, axis=alt.Axis(format="%"))
    y = alt.Y("floor:Q", title="lowest rank by another metric", scale=unit)
    tooltip = [*text_fields("system"), *number_fields("top", "floor", form=".2f")]
    layers = [
        *system_lines(rows, colours, tooltip=tooltip, x=x, y=y),
        *end_labels(rows, colours, along="top", value="floor", span=[0, 1], height=height, x=x, y=y),
    ]
    at_top = ", ".join(f"{row['system']} {row['floor']:.2f}" for row in rows if row["top"] == TOP)
    return alt.layer(
        *layers,
        width=options.width_or(WIDTH),
        height=height,
        description=f"Lowest rank by another metric within the best outputs by {listed(cube.metrics)}; "
        f"within the best 20 %: {at_top}",
    )
