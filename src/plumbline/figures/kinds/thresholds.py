"""Precision, recall and F at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.lines import system_lines
from plumbline.figures.palette import palette
from plumbline.figures.parts import Chart, Row, listed, number_fields, panels, text_fields
from plumbline.figures.scored import SCORES, VIEW, sweeps, thinned, with_scores
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.scored import Sweep
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 560, 220
MEASURES: Final = ("precision", "recall", "F1")


def at_thresholds(one: Sweep) -> list[Row]:
    """Precision, recall and F of what is accepted from each score on."""
    precision, recall = one.tp / (one.tp + one.fp), one.tp / one.positives
    f = 2 * one.tp / (one.tp + one.fp + one.positives)
    return [
        {
            "system": one.system,
            "threshold": float(one.score[at]),
            "precision": float(precision[at]),
            "recall": float(recall[at]),
            "F1": float(f[at]),
        }
        for at in thinned(len(f)).tolist()
    ]


NARROW: Final = 400
"""Below this width the panels stand one below the other."""


@figure(
    "thresholds",
    title="Precision, recall and F at every threshold",
    caption="What precision, recall and their harmonic mean would be, if items were accepted from this score on; items of all "
    "cases together. The description names the threshold of the best F of each system.",
    needs=with_scores,
    tasks=("filtering",),
    views=(VIEW,),
    options=("systems",),
    compare_options=(),
    report=InReport(SCORES, order=4, width=760, stacks=True),
    example="mail.tsv chances/*.tsv --positive spam --threshold 0.5",
    example_metrics=("AUC",),
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A panel for each of the three measures."""
    curves, colours = sweeps(subject, options), palette(subject)
    rows = [row for one in curves for row in at_thresholds(one)]
    tooltip = [*text_fields("system"), *number_fields("threshold", *MEASURES, form=".4g")]
    x = alt.X("threshold:Q", title="threshold", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4))
    drawn = [
        alt.layer(
            *system_lines(
                rows,
                colours,
                tooltip=tooltip,
                x=x,
                y=alt.Y(f"{measure}:Q", title=measure, scale=alt.Scale(domain=[0, 1])),
            ),
            height=options.height_or(HEIGHT),
        )
        for measure in MEASURES
    ]
    best = []
    for one in curves:
        f = 2 * one.tp / (one.tp + one.fp + one.positives)
        best.append(f"{one.system} {one.score[int(np.argmax(f))]:.4g} (F {f.max():.3f})")
    names, width = listed(one.system for one in curves), options.width_or(WIDTH)
    return panels(
        drawn,
        width,
        len(MEASURES) if width >= NARROW else 1,
        description=f"Precision, recall and F at every threshold of {names}; best thresholds: {', '.join(best[:8])}",
    )
