"""Precision over recall of filters at every threshold, without interpolation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.lines import end_labels, system_lines
from plumbline.figures.palette import palette
from plumbline.figures.parts import Chart, Row, listed, number_fields, text_fields
from plumbline.figures.scored import SCORES, VIEW, sweeps, thinned, with_scores
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

SIZE: Final = 320


@figure(
    "precision_recall_raw",
    title="Precision over recall at every threshold",
    caption="Precision against recall of the items of all cases together, from the strictest threshold to the loosest, as it "
    "is: without interpolation, it goes up and down.",
    needs=with_scores,
    tasks=("filtering",),
    views=(VIEW,),
    options=("systems",),
    compare_options=(),
    report=InReport(SCORES, order=2, width=420, height=380, narrows=True),
    example="mail.tsv chances/*.tsv --positive spam --threshold 0.5",
    example_metrics=("AUC",),
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line for each system that gives scores."""
    rows: list[Row] = []
    for one in sweeps(subject, options):
        recall, precision = one.tp / one.positives, one.tp / (one.tp + one.fp)
        rows += [
            {
                "system": one.system,
                "recall": float(recall[at]),
                "precision": float(precision[at]),
                "threshold": float(one.score[at]),
                "place": at,
            }
            for at in thinned(len(recall)).tolist()
        ]
    unit, colours, height = alt.Scale(domain=[0, 1]), palette(subject), options.height_or(SIZE)
    x, y = alt.X("recall:Q", title="recall", scale=unit), alt.Y("precision:Q", title="precision", scale=unit)
    tooltip = [*text_fields("system"), *number_fields("threshold", "recall", "precision", form=".4g")]
    lines = system_lines(rows, colours, tooltip=tooltip, x=x, y=y)
    layers = [
        *(line.encode(order=alt.Order("place:Q")) for line in lines),
        *end_labels(rows, colours, along="place", value="precision", span=[0, 1], height=height, at="recall", x=x, y=y),
    ]
    names = listed(dict.fromkeys(row["system"] for row in rows))
    return alt.layer(
        *layers,
        width=options.width_or(SIZE),
        height=height,
        description=f"Precision against recall at every threshold of {names}",
    )
