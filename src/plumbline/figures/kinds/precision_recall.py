"""Precision over recall of rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.evaluation.evaluate import evaluate
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.parts import Chart, lines, numbers, shown, texts, told
from plumbline.figures.reasons import without_outputs
from plumbline.figures.theme import MOST_COLOURS
from plumbline.schema import METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 320, 280
POINTS: Final = {f"IPrec@{tenth / 10:g}": tenth / 10 for tenth in range(11)}
"""The eleven points of recall, by the metric that has each."""


def reason(subject: Subject, _: Asked) -> str | None:
    """The rankings themselves are needed."""
    return without_outputs(subject, ("ranking",))


def curves(subject: Subject) -> pl.DataFrame:
    """`system, recall, value`: the mean over cases of the interpolated precision; systems with the largest area first."""
    scores = evaluate(subject.gold, subject.systems, list(POINTS), task="ranking", **subject.options)
    recall = {column.name: POINTS[column.asked] for column in scores.columns}
    found = scores.mean.drop_nulls(VALUE).select(SYSTEM, pl.col(METRIC).replace_strict(recall).alias("recall"), VALUE)
    return found.sort(pl.col(VALUE).mean().over(SYSTEM), "recall", descending=[True, False], maintain_order=True)


def make(subject: Subject, asked: Asked) -> Chart:
    """A line for each system; with many, all but the best are grey."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    found = [row for row in curves(subject).iter_rows() if asked.shows(row[0])]
    systems = list(dict.fromkeys(name for name, _, _ in found))
    names = shown(systems)
    points = [{"system": names[name], "recall": recall, "precision": value} for name, recall, value in found]
    whole = alt.Scale(domain=[0, 1])
    layers = lines(
        points,
        [names[name] for name in systems[:MOST_COLOURS]],
        tooltip=[*texts("system"), *numbers("recall", form=".1f"), *numbers("precision")],
        dots=True,
        x=alt.X("recall:Q", title="recall", scale=whole),
        y=alt.Y("precision:Q", title="interpolated precision", scale=whole),
    )
    description = f"Interpolated precision at eleven points of recall, the largest area first: {told(systems)}"
    return alt.layer(*layers).properties(width=asked.wide(WIDTH), height=asked.high(HEIGHT), description=description)


FIGURE: Final = Figure(
    "precision_recall",
    "Precision over recall",
    "The mean over cases of the interpolated precision at recall 0, 0.1, ... 1: the best precision at this recall or "
    "any higher one. With many systems, all but those with the largest area are grey.",
    reason,
    make,
    takes=("systems",),
    compared_by=(),
)
