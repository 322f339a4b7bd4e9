"""How soon each order of judging finds the relevant items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.judgements import JUDGING, only_replay
from plumbline.figures.parts import Chart, Row, inline_data, listed, number_fields, text_fields
from plumbline.lazily import alt
from plumbline.truth.pools.result import Replay

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 480, 300
MOST_POINTS: Final = 200
"""Points of a line; the eye sees no more."""


@figure(
    "judging",
    title="Relevant items found by each order of judging",
    caption="The share of the relevant items of the pool that are found after a number of judgements in each case. The higher "
    "a line is at the left, the sooner judging can stop.",
    needs=only_replay,
    options=(),
    compare_options=(),
    report=InReport(JUDGING, width=640),
    example="replay.parquet",
    systems_named=0,
    of=Replay,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line for each order, with its name where it ends."""
    result = subject.result
    assert isinstance(result, Replay)
    rows: list[Row] = []
    orders = result.curve["order"].unique(maintain_order=True).to_list()
    for _, curve in result.curve.group_by("order", maintain_order=True):
        step = max(curve.height // MOST_POINTS, 1)
        chosen = [at for at in range(curve.height) if at % step == 0 or at == curve.height - 1]
        rows += curve[chosen].select("order", "per_case", "judged", "relevant", "share").to_dicts()
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X("per_case:Q", title="judgements in each case"),
        y=alt.Y("share:Q", title="share of the relevant items", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
        color=alt.Color("order:N", sort=orders, legend=alt.Legend(title="order", orient="bottom")),
        tooltip=[
            *text_fields("order"),
            *number_fields("per_case", "judged", "relevant", form=","),
            *number_fields("share", form=".1%"),
        ],
    )
    return base.mark_line().properties(
        width=options.width_or(WIDTH),
        height=options.height_or(HEIGHT),
        description=f"Share of {plural(result.relevant, 'relevant item')} found after so many judgements in each of "
        f"{plural(result.cases, 'case')}, by the orders {listed(orders)}",
    )
