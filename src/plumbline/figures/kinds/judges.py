"""The place of every system under each judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.judgements import JUDGEMENTS, result_needed
from plumbline.figures.kinds.unanimity import LONGEST_ABOVE
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    inline_data,
    listed,
    name_axis,
    number_fields,
    row_height,
    text_fields,
)
from plumbline.lazily import alt
from plumbline.schema import METRIC, SYSTEM
from plumbline.truth.agreement.result import AssessorAgreement

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

COLUMN: Final = 44
MOST_WRITTEN: Final = 30
"""With more judges the places are left to the colours and the tooltips."""
NARROW: Final = 14


def with_systems(subject: Subject, _: DrawOptions) -> str | None:
    """What `agree` returned with systems is needed."""
    return _without_systems(subject) or result_needed("agree --systems")


def _without_systems(subject: Subject) -> str | None:
    result = subject.result
    alone = isinstance(result, AssessorAgreement) and result.systems.is_empty()
    return "No systems were given, so there is no leaderboard to compare." if alone else None


@figure(
    "judges",
    title="The leaderboard under each judge",
    caption="The place of every system under each judge, by the first metric; systems stand in the order of their mean place, "
    "and judges in the order of how much their leaderboards agree with it. A row of one colour does not depend on the judge.",
    needs=with_systems,
    options=("systems",),
    compare_options=(),
    report=InReport(JUDGEMENTS, order=2, says_nothing=_without_systems),
    example="judges.parquet",
    of=AssessorAgreement,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Rows are systems, columns are judges, colours are places."""
    result = subject.result
    assert isinstance(result, AssessorAgreement)
    metrics = result.systems[METRIC].unique(maintain_order=True).to_list() if not result.systems.is_empty() else []
    table = result.systems.filter(pl.col(METRIC) == metrics[0]) if metrics else result.systems
    mean = table.group_by(SYSTEM).agg(pl.col("rank").mean().alias("mean")).sort("mean", SYSTEM) if metrics else table
    far = (
        table.join(mean, on=SYSTEM, maintain_order="left")
        .group_by("judge")
        .agg((pl.col("rank") - pl.col("mean")).abs().mean().alias("far"))
        .sort("far", "judge")
        if metrics
        else table
    )
    systems = display_names(name for name in (mean[SYSTEM].to_list() if metrics else []) if options.shows(name))
    judges = display_names(far["judge"].to_list() if metrics else [])
    cells: list[Row] = [
        {"system": systems[row[SYSTEM]], "judge": judges[row["judge"]], "place": row["rank"], "score": row["score"]}
        for row in table.iter_rows(named=True)
        if row[SYSTEM] in systems
    ]
    count = int(table["rank"].to_numpy().max(initial=1)) if metrics else 1
    colours = alt.Scale(domain=[1, max(count, 2)], range="heatmap", reverse=True)
    base = alt.Chart(inline_data(cells)).encode(
        x=alt.X(
            "judge:N",
            scale=alt.Scale(domain=list(judges.values())),
            title=None,
            axis=name_axis(LONGEST_ABOVE, orient="top", labelAngle=-90),
        ),
        y=alt.Y("system:N", scale=alt.Scale(domain=list(systems.values())), title=None, axis=name_axis()),
        tooltip=[*text_fields("system", "judge"), *number_fields("place", form=","), *number_fields("score", form=".4f")],
    )
    rects = base.mark_rect().encode(
        color=alt.Color("place:Q", scale=colours, legend=alt.Legend(title="place", orient="top", format=".0f"))
    )
    written = len(judges) <= MOST_WRITTEN
    texts = [
        base.transform_filter(f"datum.place {'<=' if inner else '>'} {count / 2}")
        .mark_text(style="paper" if inner else "ink")
        .encode(text=alt.Text("place:Q"))
        for inner in (True, False)
    ]
    width = len(judges) * (COLUMN if written else NARROW)
    return alt.layer(
        rects,
        *(texts if written else []),
        width=options.width_or(width),
        height=options.height_or(row_height(len(systems))),
        description=f"Places of {plural(len(systems), 'system')} under {plural(len(judges), 'judge')} by "
        f"{listed(metrics[:1])}, the best mean place first: {listed(systems.values())}",
    )
