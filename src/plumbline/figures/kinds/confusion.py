"""Confusion matrices as heat maps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.average import best_first
from plumbline.comparison.combining import HALF, combined
from plumbline.errors.base import plural
from plumbline.figures.figure import DataTable, DrawOptions, InReport, ReportSection, figure
from plumbline.figures.labels import clipped
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
    panels,
    text_fields,
)
from plumbline.lazily import alt
from plumbline.schema import SYSTEM
from plumbline.tools.confusion import ConfusionMatrix, confusion_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.figures.subject import Subject

CELL, SMALL_CELL = 40, 22
FEW: Final = 8
"""Classes with large cells."""
COLUMNS: Final = 3
GAP: Final = 20
MOST: Final = 6
"""Matrices that are drawn unless systems are named."""
MOST_TABLES: Final = 12
"""Confusion matrices that a page holds as tables."""
STRONG: Final = 0.7
"""From this share on the colour is so strong that its number is written in the colour of the paper."""
LONGEST_CLASS: Final = 18
"""Letters of the name of a class."""
DIGITS: Final = 3
"""Of most counts."""
MOST_WRITTEN: Final = 25
"""With more classes the numbers are left to the colours and the tooltips."""


def one_label(subject: Subject, _: DrawOptions) -> str | None:
    """Each item must have one label."""
    options = subject.options
    several = options.get("multilabel") or any(options.get(name) is not None for name in ("label_separator", "hierarchy"))
    return "items have several labels" if several else None


def best_systems(subject: Subject, systems: Sequence[str], most: int) -> tuple[str, ...]:
    """The best of these systems, best first; a baseline is always among them."""
    ordered, baseline = _best_first(subject, systems), _baseline(subject)
    return (*ordered[: most - 1], baseline) if baseline in ordered[most:] else tuple(ordered[:most])


def _selection_text(subject: Subject, kept: Sequence[str]) -> str:
    """Which systems `best_systems` kept, in words."""
    baseline = _baseline(subject)
    best = [name for name in kept if name != baseline]
    also = "" if baseline is None or baseline not in kept else f" and {listed([baseline])}"
    return f"the best {plural(len(best), 'system')}{also}"


def _best_first(subject: Subject, systems: Sequence[str]) -> list[str]:
    """By the score of a comparison, without testing anything; systems without a score come last."""
    if not subject.has_values:
        return list(systems)
    known, by = subject.compared, subject.comparing
    score = combined(subject.cube, float(by.get("alpha", HALF)), by.get("mean")) if known is None else known.score
    place = {subject.cube.systems[at]: number for number, at in enumerate(best_first(score.ranks))}
    return sorted(systems, key=lambda name: place.get(name, len(place)))


def _baseline(subject: Subject) -> str | None:
    """The system that the others are compared with."""
    return subject.comparing.get("baseline") if subject.compared is None else subject.compared.baseline


def _matrix(subject: Subject) -> ConfusionMatrix:
    """The matrix that is given, or that of the gold and the outputs."""
    if isinstance(subject.result, ConfusionMatrix):
        return subject.result
    return confusion_of(subject.outputs)


def matrix_tables(subject: Subject) -> list[DataTable]:
    """The confusion matrix of each system, best first."""
    matrix = _matrix(subject)
    kept = best_systems(subject, matrix.systems, MOST_TABLES)
    rest = len(matrix.systems) - len(kept)
    made = [DataTable(f"confusion-{at}", matrix.grid(name), f"The counts of {name}") for at, name in enumerate(kept, 1)]
    if not rest:
        return made
    left_out = f"{plural(rest, 'more system')} {'is' if rest == 1 else 'are'} left out"
    note = f"The page has the matrices of {_selection_text(subject, kept)}, by score; {left_out}."
    return [*made[:-1], replace(made[-1], grid=replace(made[-1].grid, notes=(note,)))]


def _cells(matrix: ConfusionMatrix, system: str, given: list[str]) -> list[Row]:
    """Every pair of classes with its count and its share of the gold's class."""
    summed = matrix.cells.filter(pl.col(SYSTEM) == system).group_by("gold", "given").agg(pl.col("count").sum())
    counts = {(wanted, label): int(count) for wanted, label, count in summed.iter_rows()}
    totals = {wanted: sum(counts.get((wanted, label), 0) for label in given) for wanted in matrix.classes}
    names = display_names(given)
    return [
        {
            "gold": names[wanted],
            "given": names[label],
            "count": counts.get((wanted, label), 0),
            "share": counts.get((wanted, label), 0) / totals[wanted] if totals[wanted] else None,
            "rate": f"{counts.get((wanted, label), 0) / totals[wanted]:.0%}" if totals[wanted] else "",
            "strong": counts.get((wanted, label), 0) >= STRONG * totals[wanted] > 0,
        }
        for wanted in matrix.classes
        for label in given
    ]


def _rates(base: Chart, *, rated: bool) -> list[tuple[Chart, str]]:
    """The cells whose rates are written in ink, and those on strong colours."""
    sides = (("datum.strong === false", "ink"), ("datum.strong === true", "paper"))
    return [(base.transform_filter(condition), style) for condition, style in sides] if rated else []


def _panel(cells: list[Row], title: str, *, numbered: bool, named: bool, rated: bool) -> Chart:
    """The matrix of one system."""
    gold, given = (alt.Scale(domain=list(dict.fromkeys(row[side] for row in cells))) for side in ("gold", "given"))
    base = alt.Chart(inline_data(cells), title=alt.TitleParams(clipped(title))).encode(
        x=alt.X("given:N", scale=given, title="given", axis=name_axis(LONGEST_CLASS, labelAngle=-90)),
        y=alt.Y("gold:N", scale=gold, title="gold", axis=name_axis(LONGEST_CLASS) if named else None),
        tooltip=[*text_fields("gold", "given"), *number_fields("count", form=","), *number_fields("share", form=".1%")],
    )
    legend = alt.Legend(title="share of the gold's class", format="%", orient="bottom", gradientLength=140)
    colour = alt.Color("share:Q", scale=alt.Scale(domain=[0, 1], range="heatmap"), legend=legend)
    texts = cell_numbers(base, "count:Q", ",") if numbered else []
    texts += [
        part.mark_text(style=style, fontSize=8, dy=11).encode(text=alt.Text("rate:N"))
        for part, style in _rates(base, rated=rated)
    ]
    return alt.layer(base.mark_rect(style="cell").encode(color=colour), *texts)


@figure(
    "confusion",
    title="Which class is taken for which",
    caption="Rows are the gold's classes, columns the predicted ones. Numbers are items of all cases; below them, and as "
    f"colours, is their share of the gold's class. Unless systems are named, the best {MOST} are drawn, by their score; a "
    "baseline is always among them.",
    needs=one_label,
    tasks=("classification", "filtering"),
    default_task="classification",
    options=("systems",),
    compare_options=("baseline", "alpha", "mean", "lower"),
    report=InReport(
        ReportSection(
            "confusion",
            80,
            "Which class is taken for which?",
            "Rows are the classes of the gold, columns those that the systems gave.",
        ),
        tables=matrix_tables,
    ),
    example="tickets.tsv classifiers/*.tsv",
    of=ConfusionMatrix,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A matrix for each system: rows are the gold's classes, columns the given ones."""
    matrix = _matrix(subject)
    systems = options.systems or best_systems(subject, matrix.systems, MOST)
    lacking = matrix.cells["given"].eq(matrix.no_answer).any()
    given = [*matrix.classes, *([matrix.no_answer] if lacking else [])]
    names, cell = display_names(matrix.systems), CELL if len(given) <= FEW else SMALL_CELL
    columns, height = min(COLUMNS, len(systems)), options.height_or(len(matrix.classes) * cell)
    width = options.width_or(columns * len(given) * cell + (columns - 1) * GAP)
    numbered = len(given) <= MOST_WRITTEN and numbers_fit(width, columns * len(given), DIGITS)
    drawn = [
        _panel(
            _cells(matrix, name, given),
            names[name],
            numbered=numbered,
            named=number % columns == 0,
            rated=numbered and cell == CELL,
        )
        for number, name in enumerate(systems)
    ]
    left_out = len(matrix.systems) - len(systems)
    whose = listed(systems) if options.systems or not left_out else f"{_selection_text(subject, systems)} ({listed(systems)})"
    more = f"; not drawn: {plural(left_out, 'more system')}" if left_out else ""
    description = f"Confusion matrices of {whose} over {len(matrix.classes)} classes: {listed(matrix.classes)}{more}"
    return panels(drawn, width, columns, GAP, height=height, description=description)
