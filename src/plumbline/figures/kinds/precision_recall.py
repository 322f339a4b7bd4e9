"""Precision over recall of rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.lines import end_labels, system_lines
from plumbline.figures.palette import palette
from plumbline.figures.parts import Chart, display_names, listed, number_fields, text_fields
from plumbline.lazily import alt
from plumbline.schema import METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 320, 280
POINTS: Final = {f"IPrec@{tenth / 10:g}": tenth / 10 for tenth in range(11)}
"""The eleven points of recall, by the metric that has each."""


def curves(subject: Subject) -> pl.DataFrame:
    """`system, recall, value`: the mean over cases of the interpolated precision; systems with the largest area first."""
    scores = subject.scores_by(list(POINTS))
    recall = {column.name: POINTS[column.asked] for column in scores.columns}
    means = scores.mean.drop_nulls(VALUE).select(SYSTEM, pl.col(METRIC).replace_strict(recall).alias("recall"), VALUE)
    return means.sort(pl.col(VALUE).mean().over(SYSTEM), "recall", descending=[True, False], maintain_order=True)


@figure(
    "precision_recall",
    title="Precision over recall",
    caption="The mean over cases of the interpolated precision at recall 0, 0.1, ... 1: the best precision at this recall or "
    "any higher one. With many systems, only some have a colour.",
    tasks=("ranking",),
    views=("ranked",),
    options=("systems",),
    compare_options=(),
    report=InReport(
        ReportSection(
            "curves",
            60,
            "Precision along the ranking",
            "How precise the lists still are when a given share of the relevant items has been found.",
        ),
        width=560,
        height=380,
        narrows=True,
    ),
    example="qrels.txt runs/*.run",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line for each system; with many, all but the best are grey."""
    rows = [row for row in curves(subject).iter_rows() if options.shows(row[0])]
    systems = list(dict.fromkeys(name for name, _, _ in rows))
    names = display_names(systems)
    points = [{"system": names[name], "recall": recall, "precision": value} for name, recall, value in rows]
    unit, colours, height = alt.Scale(domain=[0, 1]), palette(subject), options.height_or(HEIGHT)
    x, y = alt.X("recall:Q", title="recall", scale=unit), alt.Y("precision:Q", title="interpolated precision", scale=unit)
    tooltip = [*text_fields("system"), *number_fields("recall", form=".1f"), *number_fields("precision")]
    layers = [
        *system_lines(points, colours, tooltip=tooltip, dots=True, x=x, y=y),
        *end_labels(points, colours, along="recall", value="precision", span=[0, 1], height=height, x=x, y=y),
    ]
    description = f"Interpolated precision at eleven points of recall, the largest area first: {listed(systems)}"
    return alt.layer(*layers, width=options.width_or(WIDTH), height=height, description=description)
