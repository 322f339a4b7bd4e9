"""Confusion matrices as heat maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import plural
from plumbline.figures.cutting import clipped
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.leading import leading, words_for
from plumbline.figures.matrix_cells import fits, written
from plumbline.figures.parts import Chart, Row, names_axis, numbers, panels, rows, shown, texts, told
from plumbline.figures.reasons import without_outputs
from plumbline.schema import SYSTEM
from plumbline.tools.confusion import ConfusionMatrix, confusion

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

CELL, SMALL_CELL = 40, 22
FEW: Final = 8
"""Classes with large cells."""
COLUMNS: Final = 3
GAP: Final = 20
MOST: Final = 6
"""Matrices that are drawn unless systems are named."""
STRONG: Final = 0.7
"""From this share on the colour is so strong that its number is written in the colour of the paper."""
LONGEST_CLASS: Final = 18
"""Letters of the name of a class."""
DIGITS: Final = 3
"""Of most counts."""
MOST_WRITTEN: Final = 25
"""With more classes the numbers are left to the colours and the tooltips."""


def reason(subject: Subject, _: Asked) -> str | None:
    """One label for each item is needed."""
    several = subject.options.get("multilabel") or subject.options.get("label_separator") is not None
    return without_outputs(subject, ("classification", "filtering")) or ("items have several labels" if several else None)


def _cells(matrix: ConfusionMatrix, system: str, given: list[str]) -> list[Row]:
    """Every pair of classes with its count and its share of the gold's class."""
    summed = matrix.cells.filter(pl.col(SYSTEM) == system).group_by("gold", "given").agg(pl.col("count").sum())
    counts = {(wanted, label): int(count) for wanted, label, count in summed.iter_rows()}
    whole = {wanted: sum(counts.get((wanted, label), 0) for label in given) for wanted in matrix.classes}
    names = shown(given)
    return [
        {
            "gold": names[wanted],
            "given": names[label],
            "count": counts.get((wanted, label), 0),
            "share": counts.get((wanted, label), 0) / whole[wanted] if whole[wanted] else None,
            "strong": counts.get((wanted, label), 0) >= STRONG * whole[wanted] > 0,
        }
        for wanted in matrix.classes
        for label in given
    ]


def _panel(found: list[Row], title: str, *, numbered: bool, named: bool) -> Chart:
    """The matrix of one system."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    gold, given = (alt.Scale(domain=list(dict.fromkeys(row[side] for row in found))) for side in ("gold", "given"))
    base = alt.Chart(rows(found), title=alt.TitleParams(clipped(title))).encode(
        x=alt.X("given:N", scale=given, title="given", axis=names_axis(LONGEST_CLASS, labelAngle=-90)),
        y=alt.Y("gold:N", scale=gold, title="gold", axis=names_axis(LONGEST_CLASS) if named else None),
        tooltip=[*texts("gold", "given"), *numbers("count", form=","), *numbers("share", form=".1%")],
    )
    legend = alt.Legend(title="share of the gold's class", format="%", orient="bottom", gradientLength=140)
    colour = alt.Color("share:Q", scale=alt.Scale(domain=[0, 1], range="heatmap"), legend=legend)
    words = written(base, "count:Q", ",") if numbered else []
    return alt.layer(base.mark_rect(style="cell").encode(color=colour), *words)


def make(subject: Subject, asked: Asked) -> Chart:
    """A matrix for each system: rows are the gold's classes, columns the given ones."""
    matrix = confusion(subject.gold, subject.systems, task=subject.task or "classification", **subject.options)
    systems = asked.systems or leading(subject, matrix.systems, MOST)
    lacking = matrix.cells["given"].eq(matrix.no_answer).any()
    given = [*matrix.classes, *([matrix.no_answer] if lacking else [])]
    names, cell = shown(matrix.systems), CELL if len(given) <= FEW else SMALL_CELL
    columns, height = min(COLUMNS, len(systems)), asked.high(len(matrix.classes) * cell)
    width = asked.wide(columns * len(given) * cell + (columns - 1) * GAP)
    numbered = len(given) <= MOST_WRITTEN and fits(width, columns * len(given), DIGITS)
    drawn = [
        _panel(_cells(matrix, name, given), names[name], numbered=numbered, named=number % columns == 0)
        for number, name in enumerate(systems)
    ]
    left_out = len(matrix.systems) - len(systems)
    whose = told(systems) if asked.systems or not left_out else f"{words_for(subject, systems)} ({told(systems)})"
    more = f"; not drawn: {plural(left_out, 'more system')}" if left_out else ""
    description = f"Confusion matrices of {whose} over {len(matrix.classes)} classes: {told(matrix.classes)}{more}"
    return panels([panel.properties(height=height) for panel in drawn], width, columns, GAP).properties(description=description)


FIGURE: Final = Figure(
    "confusion",
    "Which class is taken for which",
    "Rows are the gold's classes, columns the given ones. Numbers are items of all cases, colours their share of the "
    f"gold's class. Unless systems are named, the best {MOST} are drawn, by their score; a baseline is always among them.",
    reason,
    make,
    takes=("systems",),
    task="classification",
    compared_by=("baseline", "alpha", "mean", "lower"),
)
