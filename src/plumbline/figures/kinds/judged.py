"""What is judged of each system, rank by rank, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, display_names, inline_data, listed, name_axis, number_fields, row_height, text_fields
from plumbline.figures.pools import POOL, VIEWS, inspection_of, pooled, whole_ticks
from plumbline.lazily import alt
from plumbline.schema import RANK, SYSTEM
from plumbline.truth.pools.inspection import Inspection

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH: Final = 480
MOST: Final = 60
"""Systems that are drawn unless some are named."""


def least_judged(inspection: Inspection, options: DrawOptions) -> list[str]:
    """The systems to draw, those with the smallest judged share first."""
    ordered = inspection.systems.sort("judged", SYSTEM, nulls_last=True)[SYSTEM].to_list()
    return [name for name in ordered if options.shows(name)][: None if options.systems else MOST]


@figure(
    "judged",
    title="What is judged, rank by rank",
    caption="The share of lists whose item at this rank was judged. Systems with the fewest judged items come first: their "
    f"scores say the least. Unless systems are named, at most {MOST} are drawn.",
    needs=pooled,
    tasks=("ranking",),
    views=VIEWS,
    options=("systems",),
    compare_options=(),
    report=InReport(POOL, width=700, narrows=True),
    example="qrels.txt runs/*.run",
    of=Inspection,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Rows are systems, columns are ranks."""
    inspection = inspection_of(subject)
    chosen = least_judged(inspection, options)
    names = display_names(chosen)
    shares = inspection.by_rank.filter(pl.col(SYSTEM).is_in(chosen)).select(SYSTEM, RANK, "judged", "lists")
    cells = [
        {"system": names[system], "rank": rank, "judged": share, "lists": lists}
        for system, rank, share, lists in shares.iter_rows()
    ]
    deepest = max((row["rank"] for row in cells), default=1)
    ticks = alt.Axis(values=[1, *whole_ticks(deepest)[1:]], labelAngle=0, labelOverlap=True)
    legend = alt.Legend(title="judged", orient="top", gradientLength=180, format="%")
    tooltip = [*text_fields("system"), *number_fields("rank", "lists", form=","), *number_fields("judged", form=".1%")]
    return (
        alt.Chart(inline_data(cells))
        .mark_rect()
        .encode(
            x=alt.X("rank:O", axis=ticks, scale=alt.Scale(domain=list(range(1, deepest + 1)), paddingInner=0)),
            y=alt.Y("system:N", scale=alt.Scale(domain=list(names.values())), axis=name_axis(title=None)),
            color=alt.Color("judged:Q", scale=alt.Scale(domain=[0, 1], range="heatmap"), legend=legend),
            tooltip=tooltip,
        )
        .properties(
            width=options.width_or(WIDTH),
            height=options.height_or(row_height(len(names))),
            description=f"Share of lists whose item is judged, at ranks 1 to {deepest}, of {plural(len(names), 'system')}, "
            f"the least judged first: {listed(names.values())}",
        )
    )
