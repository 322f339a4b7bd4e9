"""The effect of each arm on each metric, as a whole and by segment, with its confidence interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
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
from plumbline.figures.users import EXPERIMENT, only_experiment
from plumbline.lazily import alt
from plumbline.truth.experiments.result import Experiment

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH: Final = 420
MOST: Final = 60
"""Effects that are drawn, those of all units first."""
SURE: Final = frozenset({"better", "worse", "equivalent"})


def _named(row: dict[str, Any], *, several: bool) -> str:
    """The metric, the arm where there are several, and the segment."""
    parts = [row["metric"], *([row["arm"]] if several else []), *([f"{row['by']} {row['segment']}"] if "by" in row else [])]
    return ", ".join(parts)


def _rows(result: Experiment) -> tuple[list[Row], bool]:
    """What is drawn, and whether effects are relative: shares of the control, unless no metric has any."""
    tables = [result.effects, *([] if result.segments.is_empty() else [_by_metric(result.segments)])]
    relative = result.effects["relative_low"].null_count() < len(result.effects)
    names = ("relative", "relative_low", "relative_high") if relative else ("difference", "low", "high")
    several = result.effects["arm"].n_unique() > 1
    known = [row for table in tables for row in table.drop_nulls(list(names)).iter_rows(named=True)][:MOST]
    shown = display_names(dict.fromkeys(_named(row, several=several) for row in known))
    rows: list[Row] = [
        {
            "effect": shown[_named(row, several=several)],
            "change": row[names[0]],
            "low": row[names[1]],
            "high": row[names[2]],
            "p": row["p_corrected"],
            "units": row["n"] + row["n_control"],
            "verdict": row["verdict"],
            "sure": row["verdict"] in SURE,
        }
        for row in known
    ]
    return rows, relative


def _by_metric(segments: pl.DataFrame) -> pl.DataFrame:
    """The segments of one metric below each other."""
    return pl.concat(segments.partition_by("metric", "arm", "by", maintain_order=True))


@figure(
    "effects",
    title="Effects with their intervals",
    caption="The effect of each arm on each metric as a share of the control, of all units and then of each segment, with its "
    "confidence interval. Filled dots have a verdict after correction, hollow ones are open. Metrics whose control is not "
    f"above 0 have no relative effect, and are left out. At most {MOST} effects are drawn.",
    needs=only_experiment,
    options=(),
    compare_options=(),
    report=InReport(EXPERIMENT, order=1, width=520),
    example="experiment.parquet",
    of=Experiment,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A dot and a line for each effect, below each other; the line at 0 is the control."""
    result = subject.result
    assert isinstance(result, Experiment)
    rows, relative = _rows(result)
    control = listed([result.made.get("control", "control")])
    heading = f"change from {control}" if relative else f"difference from {control}"
    form = ".1%" if relative else ".4f"
    axis = alt.Axis(tickCount=6, format="+%") if relative else alt.Axis(tickCount=6)
    y = alt.Y("effect:N", scale=alt.Scale(domain=[row["effect"] for row in rows]), axis=name_axis(title=None))
    tooltip = [
        *text_fields("effect", "verdict"),
        *number_fields("change", "low", "high", form=form),
        *number_fields("p"),
        *number_fields("units", form=","),
    ]
    base = alt.Chart(inline_data(rows)).encode(y=y, tooltip=tooltip)
    x = alt.X("change:Q", title=heading, axis=axis)
    zero = alt.Chart(inline_data([{"change": 0.0}])).mark_rule(style="ink", strokeDash=[3, 3]).encode(x=x)
    lines = base.mark_rule(style="first", strokeWidth=1.5).encode(x=alt.X("low:Q", title=heading), x2=alt.X2("high:Q"))
    dots = [
        base.transform_filter(f"{'' if sure else '!'}datum.sure")
        .mark_point(filled=sure, size=60, opacity=1, style="first")
        .encode(x=x)
        for sure in (True, False)
    ]
    sure = sum(bool(row["sure"]) for row in rows)
    return alt.layer(
        zero,
        lines,
        *dots,
        width=options.width_or(WIDTH),
        height=options.height_or(row_height(len(rows))),
        description=f"{plural(len(rows), 'effect')} against {control} with confidence intervals, {sure} with a verdict: "
        f"{listed(str(row['effect']) for row in rows)}",
    )
