"""The Unanimous Improvement Ratio of all pairs, as a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import best_first, ranks
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.needs import two_systems
from plumbline.figures.parts import (
    Chart,
    Row,
    cell_numbers,
    display_names,
    inline_data,
    listed,
    name_axis,
    number_fields,
    numbers_fit,
    text_fields,
)
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.comparison.unanimity.unanimity import Unanimity
    from plumbline.figures.subject import Subject

CELL: Final = 40
SMALL_CELL: Final = 13
DIGITS: Final = 6
"""Of a ratio with its sign."""
MOST_WRITTEN: Final = 16
"""With more systems the numbers are left to the colours and the tooltips."""
LONGEST_ABOVE: Final = 20
"""Letters of a name above a column."""
STRONG: Final = 0.8
"""From this UIR on, the colour is so strong that its number is written in the colour of the background."""
SMALLEST: Final = 0.005
"""Ratios that are closer to 0 are written as 0.00."""
MOST_PAIRED: Final = 150
"""Systems of which a page shows all pairs; a drawing of more could neither be read nor mailed."""


def _section_title(subject: Subject) -> str:
    return "Do the metrics agree?" if len(subject.cube.metrics) > 1 else "Who beats whom?"


def _section_text(subject: Subject) -> str:
    if len(subject.cube.metrics) > 1:
        return (
            "An improvement that every metric confirms does not depend on how the metrics are weighted. The Unanimous "
            "Improvement Ratio (UIR) is the share of cases on which a system is at least as good by every metric, minus the "
            "share on which the other one is."
        )
    return (
        "There is one metric. The ratio is the share of cases on which a system is at least as good, minus the share on which "
        "the other one is: if a difference comes from a few cases, the ratio is small."
    )


def all_zero(subject: Subject) -> str | None:
    """Why a page leaves the matrix out: one case, or every ratio is written as 0.00."""
    cases, count = len(subject.cube.cases), len(subject.cube.systems)
    if cases == 1:
        return "There is one case, so every ratio would be 1, 0 or \N{MINUS SIGN}1; the matrix of ratios is left out."
    if count > MOST_PAIRED:
        return None
    ratios = np.nan_to_num(unanimity(subject.cube, subject.eps).uir)
    zero = bool((np.abs(ratios[~np.eye(count, dtype=np.bool_)]) < SMALLEST).all())
    return "Every ratio is 0.00: no system is unanimously better than another one. The matrix is left out." if zero else None


PAIRS: Final = ReportSection("unanimity", 20, _section_title, _section_text)


def _order(ratios: Unanimity) -> list[int]:
    """Systems by their mean UIR against all others, best first."""
    return best_first(ranks(np.nan_to_num(ratios.uir).sum(axis=1), scale=np.ones(len(ratios.systems))))


def _cells(ratios: Unanimity) -> list[Row]:
    names, order = display_names(ratios.systems), _order(ratios)
    return [
        {
            "better": names[ratios.systems[a]],
            "worse": names[ratios.systems[b]],
            "uir": float(ratios.uir[a, b]),
            "for": int(ratios.a_ge_b[a, b]),
            "against": int(ratios.b_ge_a[a, b]),
            "disagree": int(ratios.biased[a, b]),
            "cases": int(ratios.cases[a, b]),
            "strong": None if np.isnan(ratios.uir[a, b]) else bool(abs(ratios.uir[a, b]) >= STRONG),
        }
        for a in order
        for b in order
        if a != b
    ]


@figure(
    "unanimity",
    title="Unanimous improvements",
    caption="The Unanimous Improvement Ratio of every pair: the share of cases on which the row is at least as good by every "
    "metric, minus the share on which the column is. From 0.25 on, an improvement by several metrics hardly depends on how "
    "they are weighted.",
    needs=two_systems,
    compare_options=("lower", "eps"),
    report=InReport(PAIRS, order=1, narrows=True, most_systems=MOST_PAIRED, says_nothing=all_zero),
    example="tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Rows against columns: blue where the row improves the column, by all metrics at once."""
    ratios = unanimity(subject.only(options.metrics, options.systems), subject.eps)
    ordered = [ratios.systems[at] for at in _order(ratios)]
    domain = alt.Scale(domain=[display_names(ratios.systems)[name] for name in ordered])
    counts = {
        "for": "better or equal by all",
        "against": "worse or equal by all",
        "disagree": "metrics disagree",
        "cases": "cases",
    }
    base = alt.Chart(inline_data(_cells(ratios))).encode(
        x=alt.X("worse:N", scale=domain, title="is improved", axis=name_axis(LONGEST_ABOVE, orient="top", labelAngle=-90)),
        y=alt.Y("better:N", scale=domain, title="improves", axis=name_axis()),
        tooltip=[*text_fields("better", "worse"), *number_fields(form=".3f", uir="UIR"), *number_fields(form=",", **counts)],
    )
    scale = alt.Scale(domain=[-1, 1], domainMid=0, range="diverging")
    cells = base.mark_rect(style="cell").encode(color=alt.Color("uir:Q", scale=scale, legend=alt.Legend(title="UIR")))
    numbered = len(ordered) <= MOST_WRITTEN and numbers_fit(options.width_or(CELL * len(ordered)), len(ordered), DIGITS)
    texts = cell_numbers(base, "uir:Q", ".2f") if numbered else []
    size = len(ordered) * (CELL if texts else SMALL_CELL)
    by = listed(options.metrics or subject.cube.metrics)
    description = (
        f"Unanimous Improvement Ratio of {len(ordered)} systems by {by}; rows improve columns where it is positive. "
        f"By their mean ratio: {listed(ordered)}"
    )
    return alt.layer(cells, *texts, width=options.width_or(size), height=options.height_or(size), description=description)
