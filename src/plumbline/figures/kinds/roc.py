"""ROC curves: true against false positives at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.lines import end_labels, system_lines
from plumbline.figures.palette import palette
from plumbline.figures.parts import Chart, Row, inline_data, listed, number_fields, text_fields
from plumbline.figures.scored import SCORES, VIEW, sweeps, thinned, with_scores
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

SIZE: Final = 320


@figure(
    "roc",
    title="ROC curves",
    caption="The share of positive items that are accepted against the share of negative ones, from the strictest threshold "
    "to the loosest. The diagonal is guessing; the area below a curve is AUC. Equal scores are accepted together.",
    needs=with_scores,
    tasks=("filtering",),
    views=(VIEW,),
    options=("systems",),
    compare_options=(),
    report=InReport(SCORES, order=1, width=420, height=380, narrows=True),
    example="mail.tsv chances/*.tsv --positive spam --threshold 0.5",
    example_metrics=("AUC",),
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line for each system that gives scores."""
    rows: list[Row] = []
    areas = []
    for one in sweeps(subject, options):
        x, y = np.r_[0.0, one.fp / one.negatives], np.r_[0.0, one.tp / one.positives]
        areas.append(f"{one.system} {float((np.diff(x) * (y[1:] + y[:-1]) / 2).sum()):.3f}")
        thresholds = np.r_[np.nan, one.score]
        rows += [
            {"system": one.system, "false": float(x[at]), "true": float(y[at]), "threshold": float(thresholds[at])}
            for at in thinned(len(x)).tolist()
        ]
    unit, colours, height = alt.Scale(domain=[0, 1]), palette(subject), options.height_or(SIZE)
    across = alt.X("false:Q", title="false positive rate", scale=unit)
    up = alt.Y("true:Q", title="true positive rate", scale=unit)
    tooltip = [*text_fields("system"), *number_fields("threshold", form=".4g", false="false positive rate", true="recall")]
    guessing = alt.Chart(inline_data([{"false": 0.0, "true": 0.0}, {"false": 1.0, "true": 1.0}]))
    layers = [
        guessing.mark_line(style="quiet", strokeWidth=1, strokeDash=[4, 3]).encode(x=across, y=up),
        *system_lines(rows, colours, tooltip=tooltip, x=across, y=up),
        *end_labels(rows, colours, along="false", value="true", span=[0, 1], height=height, x=across, y=up),
    ]
    return alt.layer(
        *layers,
        width=options.width_or(SIZE),
        height=height,
        description=f"ROC curves of {listed(dict.fromkeys(row['system'] for row in rows))}; areas: {', '.join(areas[:8])}",
    )
