"""How probably each rank is examined, by each click model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, inline_data, listed, number_fields, text_fields
from plumbline.figures.pools import whole_ticks
from plumbline.figures.users import CLICKS, only_clicks
from plumbline.lazily import alt
from plumbline.truth.clicks.result import ClickModels

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 480, 300
WITHOUT_USERS: Final = ("ctr", "rank-ctr", "item-ctr")
"""Models that say nothing about examination."""


@figure(
    "examination",
    title="How probably each rank is examined",
    caption="The mean over sessions by each click model, before any click is known; the share of shown items that were clicked "
    "is drawn in grey. Bars are intervals, where the model has a parameter for each rank.",
    needs=only_clicks,
    options=(),
    compare_options=(),
    report=InReport(CLICKS, order=2, width=640),
    example="models.parquet",
    systems_named=0,
    of=ClickModels,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line for each model over the ranks."""
    result = subject.result
    assert isinstance(result, ClickModels)
    table = result.positions.filter(pl.col("shown") > 0)
    users = table.filter(~pl.col("model").is_in(WITHOUT_USERS))
    rows = users.select("model", "rank", "examination", "low", "high").to_dicts()
    models = users["model"].unique(maintain_order=True).to_list()
    rates = table.unique("rank", keep="first", maintain_order=True).select("rank", "rate").to_dicts()
    last = max((row["rank"] for row in rates), default=1)
    ticks = [tick for tick in whole_ticks(last) if tick > 0]
    x = alt.X("rank:Q", title="rank", axis=alt.Axis(values=ticks, format="d"), scale=alt.Scale(domain=[1, max(last, 2)]))
    y = alt.Y("examination:Q", title="examined", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    tooltip = [
        *text_fields("model"),
        *number_fields("rank", form="d"),
        *number_fields("examination", "low", "high", form=".3f"),
    ]
    colour = alt.Color("model:N", sort=models, legend=alt.Legend(title="model", orient="bottom"))
    base = alt.Chart(inline_data(rows)).encode(x=x, color=colour)
    clicked = alt.Chart(inline_data(rates)).encode(x=x, y=alt.Y("rate:Q"), tooltip=number_fields("rank", "rate", form=".3f"))
    layers = [
        clicked.mark_line(style="quiet", strokeDash=[4, 3]),
        base.mark_rule().encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")).transform_filter("isValid(datum.low)"),
        base.mark_line(point=True).encode(y=y, tooltip=tooltip),
    ]
    return alt.layer(
        *layers,
        width=options.width_or(WIDTH),
        height=options.height_or(HEIGHT),
        description=f"Examination of {plural(last, 'rank')} by the models {listed(models) or 'that say nothing about it'}, "
        "and the share of shown items that were clicked",
    )
