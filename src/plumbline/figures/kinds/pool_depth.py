"""The pool that each depth would have made: how much of it is judged, and how many relevant items it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, inline_data, number_fields, panels
from plumbline.figures.pools import POOL, VIEWS, inspection_of, pooled, whole_ticks
from plumbline.figures.scored import thinned
from plumbline.lazily import alt
from plumbline.truth.pools.inspection import Inspection

if TYPE_CHECKING:
    from plumbline.figures.parts import Row
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 560, 200
COLUMNS: Final = 2


def depths(inspection: Inspection) -> list[Row]:
    """`depth, pooled, judged, share, relevant` of the depths that are drawn: all if they are few."""
    table = inspection.depths.select("depth", "pooled", "judged", "share", "relevant")
    return table[thinned(len(table)).tolist()].to_dicts() if len(table) else []


@figure(
    "pool_depth",
    title="What each depth adds",
    caption="Left: how much is judged of the items that the systems have down to each depth. Right: how many of them are known "
    "to be relevant; a line that still rises at the depth of the pool (dashed) means that relevant items are missing.",
    needs=pooled,
    tasks=("ranking",),
    views=VIEWS,
    options=(),
    compare_options=(),
    report=InReport(POOL, order=1, width=640, height=220),
    example="qrels.txt runs/*.run",
    systems_named=0,
    of=Inspection,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Two lines over depth, and the depth of the pool."""
    inspection = inspection_of(subject)
    rows = depths(inspection)
    share = alt.Y("share:Q", title="judged", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    ticks = alt.Axis(values=whole_ticks(rows[-1]["relevant"] if rows else 0), format=",d")
    relevant = alt.Y("relevant:Q", title="relevant items", scale=alt.Scale(zero=True), axis=ticks)
    height = options.height_or(HEIGHT)
    both = [_over_depth(rows, y, inspection.depth) for y in (share, relevant)]
    last = rows[-1] if rows else {"depth": 0, "judged": 0, "pooled": 0, "relevant": 0}
    deep = "no depth can be read off" if inspection.depth is None else f"the pool is {inspection.depth} deep"
    description = (
        f"Pools of depth 1 to {last['depth']}: {deep}; down to the last depth, {last['judged']:,} of {last['pooled']:,} "
        f"items are judged, and {last['relevant']:,} are relevant"
    )
    return panels(both, options.width_or(WIDTH), COLUMNS, gap=40, height=height, description=description)


def _over_depth(rows: list[Row], y: alt.Y, depth: int | None) -> Chart:
    ticks = whole_ticks(rows[-1]["depth"] if rows else 0)
    x = alt.X("depth:Q", title="depth", axis=alt.Axis(values=ticks, format="d", labelOverlap=True))

    tooltip = [*number_fields("depth", "pooled", "judged", "relevant", form=","), *number_fields("share", form=".1%")]
    line = alt.Chart(inline_data(rows)).mark_line(point=len(rows) == 1).encode(x=x, y=y, tooltip=tooltip)
    if depth is None:
        return alt.layer(line)
    mark = alt.Chart(inline_data([{"depth": depth}])).mark_rule(style="quiet", strokeDash=[4, 3]).encode(x=x)
    return alt.layer(line, mark)
