"""Calibration: how often items with a probability are positive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.lines import end_labels, system_lines
from plumbline.figures.palette import palette
from plumbline.figures.parts import Chart, Row, inline_data, listed, number_fields, text_fields
from plumbline.figures.scored import SCORES, VIEW, probabilities, sweeps, with_scores
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.scored import Sweep
    from plumbline.figures.subject import Subject

SIZE: Final = 320
BINS: Final = 10


def bins(one: Sweep) -> list[Row]:
    """The mean score and the share of positive items of each tenth of the scale that has items."""
    positives = np.diff(one.tp, prepend=0.0)
    items = positives + np.diff(one.fp, prepend=0.0)
    tenth = np.minimum((one.score * BINS).astype(np.intp), BINS - 1)
    count, hits, total = (np.bincount(tenth, weights, BINS) for weights in (items, positives, one.score * items))
    return [
        {"system": one.system, "score": total[at] / count[at], "share": hits[at] / count[at], "items": int(count[at])}
        for at in range(BINS)
        if count[at]
    ]


@figure(
    "calibration",
    title="Calibration",
    caption="Items are grouped by tenths of their score. On the diagonal, the share of positive items is what the scores "
    "promise; below it, the scores are too high. Large dots stand for many items.",
    needs=(with_scores, probabilities),
    tasks=("filtering",),
    views=(VIEW,),
    options=("systems",),
    compare_options=(),
    report=InReport(SCORES, order=3, width=420, height=380, narrows=True),
    example="mail.tsv chances/*.tsv --positive spam --threshold 0.5",
    example_metrics=("AUC",),
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line of dots for each system whose scores lie between 0 and 1."""
    within = [one for one in sweeps(subject, options) if one.score.min() >= 0 and one.score.max() <= 1]
    rows = [row for one in within for row in bins(one)]
    unit, colours, height = alt.Scale(domain=[0, 1]), palette(subject), options.height_or(SIZE)
    x, y = alt.X("score:Q", title="mean score", scale=unit), alt.Y("share:Q", title="share of positive items", scale=unit)
    tooltip = [*text_fields("system"), *number_fields("score", "share"), *number_fields("items", form=",")]
    right = alt.Chart(inline_data([{"score": 0.0, "share": 0.0}, {"score": 1.0, "share": 1.0}]))
    lines = system_lines(rows, colours, tooltip=tooltip, x=x, y=y)
    size = alt.Size("items:Q", scale=alt.Scale(range=[12, 160]), legend=None)
    dots = [line.mark_circle(opacity=0.9).encode(size=size) for line in lines]
    layers = [
        right.mark_line(style="quiet", strokeWidth=1, strokeDash=[4, 3]).encode(x=x, y=y),
        *lines,
        *dots,
        *end_labels(rows, colours, along="score", value="share", span=[0, 1], height=height, x=x, y=y),
    ]
    names = listed(dict.fromkeys(row["system"] for row in rows))
    return alt.layer(
        *layers,
        width=options.width_or(SIZE),
        height=height,
        description=f"Share of positive items by tenths of the score: {names}",
    )
