"""The Unanimous Improvement Ratio of all pairs, as a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import best_first, ranks
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.matrix_cells import fits, written
from plumbline.figures.parts import Chart, Row, names_axis, numbers, rows, shown, texts, told
from plumbline.figures.reasons import without_two_systems

if TYPE_CHECKING:
    from plumbline.comparison.unanimity.unanimity import Unanimity
    from plumbline.figures.subject import Subject

CELL: Final = 34
SMALL_CELL: Final = 13
DIGITS: Final = 5
"""Of a ratio with its sign."""
MOST_WRITTEN: Final = 16
"""With more systems the numbers are left to the colours and the tooltips."""
LONGEST_ABOVE: Final = 20
"""Letters of a name above a column."""
STRONG: Final = 0.8
"""From this UIR on the colour is so strong that its number is written in the colour of the paper."""


def _order(found: Unanimity) -> list[int]:
    """Systems by their mean UIR against all others, best first."""
    return best_first(ranks(np.nan_to_num(found.uir).sum(axis=1), scale=np.ones(len(found.systems))))


def _cells(found: Unanimity) -> list[Row]:
    names, order = shown(found.systems), _order(found)
    return [
        {
            "better": names[found.systems[a]],
            "worse": names[found.systems[b]],
            "uir": float(found.uir[a, b]),
            "for": int(found.a_ge_b[a, b]),
            "against": int(found.b_ge_a[a, b]),
            "disagree": int(found.biased[a, b]),
            "cases": int(found.cases[a, b]),
            "strong": None if np.isnan(found.uir[a, b]) else bool(abs(found.uir[a, b]) >= STRONG),
        }
        for a in order
        for b in order
        if a != b
    ]


def make(subject: Subject, asked: Asked) -> Chart:
    """Rows against columns: blue where the row improves the column, by all metrics at once."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    found = unanimity(subject.only(asked.metrics, asked.systems), subject.eps)
    ordered = [found.systems[at] for at in _order(found)]
    domain = alt.Scale(domain=[shown(found.systems)[name] for name in ordered])
    counts = {
        "for": "better or equal by all",
        "against": "worse or equal by all",
        "disagree": "metrics disagree",
        "cases": "cases",
    }
    base = alt.Chart(rows(_cells(found))).encode(
        x=alt.X("worse:N", scale=domain, title="is improved", axis=names_axis(LONGEST_ABOVE, orient="top", labelAngle=-90)),
        y=alt.Y("better:N", scale=domain, title="improves", axis=names_axis()),
        tooltip=[*texts("better", "worse"), *numbers(form=".3f", uir="UIR"), *numbers(form=",", **counts)],
    )
    scale = alt.Scale(domain=[-1, 1], domainMid=0, range="diverging")
    cells = base.mark_rect(style="cell").encode(color=alt.Color("uir:Q", scale=scale, legend=alt.Legend(title="UIR")))
    numbered = len(ordered) <= MOST_WRITTEN and fits(asked.wide(CELL * len(ordered)), len(ordered), DIGITS)
    words = written(base, "uir:Q", ".2f") if numbered else []
    size = len(ordered) * (CELL if words else SMALL_CELL)
    by = told(asked.metrics or subject.cube.metrics)
    description = (
        f"Unanimous Improvement Ratio of {len(ordered)} systems by {by}; rows improve columns where it is positive. "
        f"By their mean ratio: {told(ordered)}"
    )
    return alt.layer(cells, *words).properties(width=asked.wide(size), height=asked.high(size), description=description)


FIGURE: Final = Figure(
    "unanimity",
    "Unanimous improvements",
    "The Unanimous Improvement Ratio of every pair: the share of cases on which the row is at least as good by every "
    "metric, minus the share on which the column is. From 0.25 on an improvement by several metrics hardly "
    "depends on how they are weighed.",
    without_two_systems,
    make,
    compared_by=("lower", "eps"),
)
