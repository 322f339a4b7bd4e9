"""The corrected p of all pairs, as a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.verdict import finding
from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.kinds.unanimity import CELL, LONGEST_ABOVE, MOST_WRITTEN, PAIRS, SMALL_CELL
from plumbline.figures.needs import TWO, only_two, two_systems
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
from plumbline.options.evaluation import CompareOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.subject import Subject

DIGITS: Final = 5
MOST_SYSTEMS: Final = 60
UNUSED: Final = frozenset({"margin", "uir_threshold", "eps", "level"})
STEPS: Final = ("p < 0.001", "p < 0.01", "p < 0.05", "larger", "not tested")
STRENGTHS: Final = dict(zip(STEPS, (1.0, 0.7, 0.4, 0.1), strict=False))
BOUNDS: Final = (0.001, 0.01, 0.05)


def step_of(p: float) -> str:
    """The step of a p-value."""
    if np.isnan(p):
        return STEPS[-1]
    return next((step for bound, step in zip(BOUNDS, STEPS, strict=False) if p < bound), STEPS[3])


def nothing_small(subject: Subject) -> str | None:
    """Why a page leaves the matrix out."""
    comparison = subject.comparison
    if comparison is None or len(comparison.systems) == TWO:
        return only_two(subject)
    if bool((np.nan_to_num(comparison.p, nan=1.0) < BOUNDS[-1]).any()):
        return None
    return f"No pair has a p below {BOUNDS[-1]} by {comparison.main.name}; the matrix of p-values is left out."


def _cells(comparison: Comparison) -> list[Row]:
    names, order = display_names(comparison.systems), comparison.order
    cells = []
    for a in order:
        for b in order:
            if a == b:
                continue
            result = finding(comparison, comparison.primary_at, a, b)
            p = float("nan") if result.p is None else result.p
            cells.append(
                {
                    "system": names[comparison.systems[a]],
                    "other": names[comparison.systems[b]],
                    "p": p,
                    "difference": result.difference,
                    "step": step_of(p),
                    "label": "" if np.isnan(p) else "<.001" if p < BOUNDS[0] else f"{p:.3f}".removeprefix("0"),
                    "strong": bool(p < BOUNDS[1]),
                }
            )
    return cells


@figure(
    "p_values",
    title="How certain each difference is",
    caption="The p-value of every pair by the metric that orders the leaderboard, after correction, in steps. Systems are in "
    "the order of the leaderboard. Large p-values do not show that two systems are equal.",
    needs=two_systems,
    compare_options=tuple(name for name in declared(CompareOptions) if name not in UNUSED),
    report=InReport(PAIRS, order=4, narrows=True, most_systems=MOST_SYSTEMS, says_nothing=nothing_small),
    example="qrels.txt runs/*.run -m AP",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Rows against columns; the darker, the smaller p."""
    comparison = subject.compared_by(options.metrics, options.systems)
    cells, names = _cells(comparison), display_names(comparison.systems)
    domain = alt.Scale(domain=[names[comparison.systems[at]] for at in comparison.order])
    base = alt.Chart(inline_data(cells)).encode(
        x=alt.X("other:N", scale=domain, title=None, axis=name_axis(LONGEST_ABOVE, orient="top", labelAngle=-90)),
        y=alt.Y("system:N", scale=domain, title=None, axis=name_axis()),
        tooltip=[*text_fields("system", "other", "step"), *number_fields("p", "difference", form=".4g")],
    )
    rects = [
        base.transform_filter(f"datum.step == {step!r}").mark_rect(style="first", opacity=strength)
        for step, strength in STRENGTHS.items()
    ]
    count = len(comparison.systems)
    numbered = count <= MOST_WRITTEN and numbers_fit(options.width_or(CELL * count), count, DIGITS)
    texts = cell_numbers(base, "label:N") if numbered else []
    size = count * (CELL if numbered else SMALL_CELL)
    small = sum(cell["step"] in STEPS[:3] for cell in cells) // 2
    description = (
        f"Corrected p-values of {plural(count * (count - 1) // 2, 'pair')} by {listed([comparison.main.name])}; "
        f"below 0.05: {small}; in the order of the leaderboard: {listed(comparison.systems[at] for at in comparison.order)}"
    )
    return alt.layer(
        *rects,
        *texts,
        width=options.width_or(size),
        height=options.height_or(size),
        title=alt.TitleParams("", subtitle="the darker, the smaller: below 0.001, 0.01, 0.05, larger"),
        description=description,
    )
