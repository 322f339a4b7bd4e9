"""Where Reliability and Sensitivity were lost, by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.figures.figure import Asked, Figure
from plumbline.figures.parts import Chart, Row, names_axis, numbers, panels, row_height, rows, shown, texts, told
from plumbline.figures.reasons import without_outputs
from plumbline.schema import METRIC, SYSTEM
from plumbline.tools.losses import CAUSE, LOST, losses

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH: Final = 520
COLUMNS: Final = 2
FEWEST: Final = 1e-12
"""Less than this is nothing but rounding."""


def reason(subject: Subject, _: Asked) -> str | None:
    """The outputs themselves are needed."""
    return without_outputs(subject, ("ranking", "organization"))


def lost(subject: Subject, asked: Asked) -> pl.DataFrame:
    """`system, metric, cause, lost`: what each cause took from the chosen systems, in the mean over cases."""
    task, metrics = subject.task or "organization", asked.metrics or None
    found = losses(subject.gold, subject.systems, metrics, task=task, **subject.options_for(asked.metrics)).mean
    wanted = pl.col(SYSTEM).is_in(asked.systems) if asked.systems else pl.lit(value=True)
    return found.filter(wanted).select(SYSTEM, METRIC, CAUSE, LOST)


def _panel(found: list[Row], title: str, systems: list[str], causes: list[str], most: float, *, named: bool) -> Chart:
    """What each system lost of one metric."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    legend = alt.Legend(title=None, orient="bottom", columns=4)
    return (
        alt.Chart(rows(found))
        .mark_bar(style="cell")
        .encode(
            x=alt.X("lost:Q", stack="zero", title=title, scale=alt.Scale(domain=[0, most]), axis=alt.Axis(tickCount=4)),
            y=alt.Y("system:N", scale=alt.Scale(domain=systems), axis=names_axis(title=None) if named else None),
            color=alt.Color("cause:N", scale=alt.Scale(domain=causes), legend=legend),
            order=alt.Order("order:Q"),
            tooltip=[*texts("system", "cause"), *numbers("lost")],
        )
    )


def make(subject: Subject, asked: Asked) -> Chart:
    """A bar for each system, as long as what it lost; panels are metrics with the same scale."""
    found = lost(subject, asked)
    metrics = found[METRIC].unique(maintain_order=True).to_list()
    causes = found.filter(pl.col(LOST) > FEWEST)[CAUSE].unique(maintain_order=True).to_list()
    total = found.group_by(SYSTEM, maintain_order=True).agg(pl.col(LOST).sum()).sort(LOST, maintain_order=True)
    order, most = total[SYSTEM].to_list(), found.group_by(SYSTEM, METRIC).agg(pl.col(LOST).sum())[LOST].to_list()
    names = shown(order)
    columns, drawn = min(COLUMNS, len(metrics)), []
    for number, metric in enumerate(metrics):
        cells = [
            {"system": names[name], "cause": cause, "lost": amount, "order": causes.index(cause)}
            for name, _, cause, amount in found.filter(pl.col(METRIC) == metric).iter_rows()
            if amount > FEWEST
        ]
        title, longest, named = f"lost {told([metric])}", max(most, default=0.0) or 1.0, number % columns == 0
        drawn.append(_panel(cells, title, list(names.values()), causes, longest, named=named))
    height = asked.high(row_height(len(order)))
    description = f"What was lost of {told(metrics)}, by cause ({told(causes)}); least first: {told(order)}"
    sized = [panel.properties(height=height) for panel in drawn]
    return panels(sized, asked.wide(WIDTH), columns).properties(description=description)


FIGURE: Final = Figure(
    "losses",
    "Where Reliability and Sensitivity were lost",
    "What is missing to 1, by cause, in the mean over cases: shorter bars are better. Systems that lost least come first.",
    reason,
    make,
    compared_by=(),
)
