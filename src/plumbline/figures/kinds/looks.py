"""The effect at each look of an experiment, with intervals that are right at every one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, figures
from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    inline_data,
    listed,
    name_legend,
    number_fields,
    panels,
    text_fields,
)
from plumbline.figures.users import EXPERIMENT, only_experiment
from plumbline.lazily import alt
from plumbline.truth.experiments.result import Experiment

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 480, 180
MOST: Final = 4
"""Metrics that are drawn."""
NO_LOOKS: Final = "there is one look only: peek with a column that says when units came to see all of them"


def _without_looks(subject: Subject) -> str | None:
    alone = isinstance(subject.result, Experiment) and subject.result.sequence.is_empty()
    return "There is one look at this experiment, so that there is no course to show." if alone else None


@figure(
    "looks",
    title="What each look at the experiment showed",
    caption="The difference of each arm from the control with all units so far. The band is the confidence sequence: it "
    "contains the true difference at all looks together. An effect is shown as soon as the band excludes 0. At most "
    f"{MOST} metrics are drawn.",
    needs=only_experiment,
    options=(),
    compare_options=(),
    report=InReport(EXPERIMENT, order=2, width=640, says_nothing=_without_looks),
    example="experiment.parquet",
    of=Experiment,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A panel for each metric: a line for each arm within its band."""
    result = subject.result
    assert isinstance(result, Experiment)
    if result.sequence.is_empty():
        raise BadUsage(figures.cannot_draw("looks", NO_LOOKS))
    metrics = result.sequence["metric"].unique(maintain_order=True).to_list()[:MOST]
    arms = display_names(result.sequence["arm"].unique(maintain_order=True).to_list())
    charts = []
    for metric in metrics:
        looks = result.sequence.filter(metric=metric).drop_nulls(["low", "high"])
        rows: list[Row] = [{**row, "arm": arms[row["arm"]]} for row in looks.drop("metric").iter_rows(named=True)]
        charts.append(_panel(rows, listed([metric]), list(arms.values()), options))
    control = listed([result.made.get("control", "control")])
    count = result.sequence["when"].n_unique()
    return panels(
        charts,
        options.width_or(WIDTH),
        1,
        description=f"Differences from {control} by {listed(metrics)} at each of {plural(count, 'look')}, with always valid "
        f"intervals; arms: {listed(arms.values())}",
    )


def _panel(rows: list[Row], metric: str, arms: list[str], options: DrawOptions) -> Chart:
    order = [str(when) for when in dict.fromkeys(row["when"] for row in rows)]
    x = alt.X("when:O", sort=order, title=None, axis=alt.Axis(labelOverlap="greedy", labelAngle=0))
    colour = alt.Color("arm:N", scale=alt.Scale(domain=arms), legend=name_legend(orient="bottom") if len(arms) > 1 else None)
    tooltip = [
        *text_fields("arm", "when"),
        *number_fields("n", form=","),
        *number_fields("difference", "low", "high", "p"),
    ]
    base = alt.Chart(inline_data(rows)).encode(x=x, color=colour, tooltip=tooltip)
    band = base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", title=f"difference by {metric}"), y2=alt.Y2("high:Q"))
    line = base.mark_line(point=True).encode(y=alt.Y("difference:Q", title=f"difference by {metric}"))
    zero = (
        alt.Chart(inline_data([{"difference": 0.0}])).mark_rule(style="ink", strokeDash=[3, 3]).encode(y=alt.Y("difference:Q"))
    )
    return alt.layer(band, zero, line, width=options.width_or(WIDTH), height=options.height_or(HEIGHT))
