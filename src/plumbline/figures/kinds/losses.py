"""Where Reliability and Sensitivity were lost, by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import polars as pl

from plumbline.figures.figure import DataTable, DrawOptions, InReport, ReportSection, figure
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    inline_data,
    listed,
    name_axis,
    number_fields,
    panels,
    row_height,
    text_fields,
)
from plumbline.lazily import alt
from plumbline.render.grid import Cell, Grid, number
from plumbline.schema import METRIC, SYSTEM, VALUE
from plumbline.tools.losses import CAUSE, LOST, Losses, losses_of

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

_USUAL: Final[WeakKeyDictionary[Subject, Losses]] = WeakKeyDictionary()
"""The losses by the usual metrics, which the figure and its table share."""
WIDTH: Final = 520
COLUMNS: Final = 2
FEWEST: Final = 1e-12
"""Less than this is nothing but rounding."""


def losses_table(subject: Subject) -> list[DataTable]:
    """What each system lost by each cause."""
    means = _losses(subject, DrawOptions()).mean
    causes = means[CAUSE].unique(maintain_order=True).to_list()
    rows = []
    for (system, metric), group in means.group_by([SYSTEM, METRIC], maintain_order=True):
        by_cause = dict(group.select(CAUSE, LOST).iter_rows())
        amounts = (Cell(number(by_cause[cause]) if cause in by_cause else "") for cause in causes)
        rows.append((Cell(str(system)), Cell(str(metric)), Cell(number(group[VALUE][0])), *amounts))
    caption = "means over cases; the value and what was lost add up to 1"
    return [DataTable("lost", Grid((SYSTEM, METRIC, VALUE, *causes), tuple(rows), caption), "What was lost, in numbers")]


def _losses(subject: Subject, options: DrawOptions) -> Losses:
    """The losses that are given, or those of the gold and the outputs."""
    if isinstance(subject.result, Losses):
        return subject.result
    if options.metrics:
        return losses_of(subject.outputs, options.metrics)
    if subject not in _USUAL:
        _USUAL[subject] = losses_of(subject.outputs, subject.outputs.request.task.loss_metrics)
    return _USUAL[subject]


def lost(subject: Subject, options: DrawOptions) -> pl.DataFrame:
    """`system, metric, cause, lost`: what each cause took from the chosen systems, in the mean over cases."""
    lost_rows = _losses(subject, options).mean
    wanted = pl.col(SYSTEM).is_in(options.systems) if options.systems else pl.lit(value=True)
    return lost_rows.filter(wanted).select(SYSTEM, METRIC, CAUSE, LOST)


def _panel(lost_rows: list[Row], title: str, systems: list[str], causes: list[str], most: float, *, named: bool) -> Chart:
    """What each system lost of one metric."""
    legend = alt.Legend(title=None, orient="bottom", columns=4)
    return (
        alt.Chart(inline_data(lost_rows))
        .mark_bar(style="cell")
        .encode(
            x=alt.X("lost:Q", stack="zero", title=title, scale=alt.Scale(domain=[0, most]), axis=alt.Axis(tickCount=4)),
            y=alt.Y("system:N", scale=alt.Scale(domain=systems), axis=name_axis(title=None) if named else None),
            color=alt.Color("cause:N", scale=alt.Scale(domain=causes), legend=legend),
            order=alt.Order("order:Q"),
            tooltip=[*text_fields("system", "cause"), *number_fields("lost")],
        )
    )


@figure(
    "losses",
    title="Where Reliability and Sensitivity were lost",
    caption="What the values lack to reach 1, by cause, averaged over cases: shorter bars are better. Systems that lost least "
    "come first.",
    tasks=("ranking", "organization"),
    views=("relations",),
    compare_options=(),
    report=InReport(
        ReportSection(
            "losses",
            90,
            "Where were Reliability and Sensitivity lost?",
            "Values fall short of 1 because of wrong order, ties, missing or extra items, or split and merged clusters.",
        ),
        width=760,
        stacks=True,
        tables=losses_table,
    ),
    example="alerts.json alerts/*.json --task organization",
    of=Losses,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A bar for each system, as long as what it lost; panels are metrics with the same scale."""
    lost_rows = lost(subject, options)
    metrics = lost_rows[METRIC].unique(maintain_order=True).to_list()
    causes = lost_rows.filter(pl.col(LOST) > FEWEST)[CAUSE].unique(maintain_order=True).to_list()
    total = lost_rows.group_by(SYSTEM, maintain_order=True).agg(pl.col(LOST).sum()).sort(LOST, maintain_order=True)
    order, most = total[SYSTEM].to_list(), lost_rows.group_by(SYSTEM, METRIC).agg(pl.col(LOST).sum())[LOST].to_list()
    names = display_names(order)
    columns, drawn = min(COLUMNS, len(metrics)), []
    for place, metric in enumerate(metrics):
        cells = [
            {"system": names[name], "cause": cause, "lost": amount, "order": causes.index(cause)}
            for name, _, cause, amount in lost_rows.filter(pl.col(METRIC) == metric).iter_rows()
            if amount > FEWEST
        ]
        title, longest, named = f"lost {listed([metric])}", max(most, default=0.0) or 1.0, place % columns == 0
        drawn.append(_panel(cells, title, list(names.values()), causes, longest, named=named))
    height = options.height_or(row_height(len(order)))
    description = f"What was lost of {listed(metrics)}, by cause ({listed(causes)}); least first: {listed(order)}"
    return panels(drawn, options.width_or(WIDTH), columns, height=height, description=description)
