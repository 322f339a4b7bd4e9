"""The difference of each system from one other, with its confidence interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.verdict import finding
from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.lines import system_colour
from plumbline.figures.needs import two_systems
from plumbline.figures.palette import palette
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    fixed_x,
    inline_data,
    listed,
    name_axis,
    number_fields,
    row_height,
    text_fields,
)
from plumbline.lazily import alt
from plumbline.options.evaluation import CompareOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.subject import Subject

WIDTH: Final = 420
MOST_SYSTEMS: Final = 14
"""Systems that a page shows: the figure shares the first screen with the sentence."""
UNUSED: Final = frozenset({"margin", "uir_threshold", "eps"})
"""Options of `compare` that change neither differences nor p-values."""


def reference(comparison: Comparison, systems: tuple[str, ...] = ()) -> int:
    """The system that the others are compared with: the baseline, or the best one of those that are drawn."""
    if comparison.baseline_at is not None:
        return comparison.baseline_at
    return next(at for at in comparison.order if not systems or comparison.systems[at] in systems)


def _rows(comparison: Comparison, systems: tuple[str, ...], against: int) -> list[Row]:
    """The systems in the order of the leaderboard; the reference has no difference."""
    names, measure = display_names(comparison.systems), comparison.primary_at
    rows: list[Row] = []
    for at in comparison.order:
        if at != against and systems and comparison.systems[at] not in systems:
            continue
        result = finding(comparison, measure, at, against)
        rows.append(
            {
                "system": names[comparison.systems[at]],
                "difference": 0.0 if at == against else result.difference,
                "low": None if at == against else result.low,
                "high": None if at == against else result.high,
                "lowest": None if at == against else result.lowest,
                "highest": None if at == against else result.highest,
                "p": None if at == against else result.p,
                "band": int(comparison.bands[at]),
                "shown": "reference" if at == against else "significant" if result.winner else "not shown to differ",
            }
        )
    return rows


@figure(
    "forest",
    title="Differences with their intervals",
    caption="The difference of each system from the baseline, or from the best system, with its 95 % confidence interval. "
    "With too few cases there is none: a dotted line joins the lowest and the highest case. The diamond is the system that "
    "the others are compared with. Filled dots are significant after correction, hollow ones are not. An interval is of one "
    "difference alone, so it may exclude 0 although the corrected difference is not significant. Shading separates bands.",
    needs=two_systems,
    compare_options=tuple(name for name in declared(CompareOptions) if name not in UNUSED),
    report=InReport(
        ReportSection("verdict", 1, "Verdict", "Each system against the best one."),
        width=520,
        narrows=True,
        widens=True,
        first_systems=MOST_SYSTEMS,
    ),
    example="qrels.txt runs/*.run -m AP",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A dot and a line for each system, below each other; the line at 0 is the system that they are compared with."""
    comparison = subject.compared_by(options.metrics)
    against = reference(comparison, options.systems)
    rows, colours = _rows(comparison, options.systems, against), palette(subject)
    for row in rows:
        row["coloured"] = row["system"] in colours
    name, metric = listed([comparison.systems[against]]), listed([comparison.main.name])
    lower = " (lower is better)" if comparison.main.lower else ""
    y = alt.Y("system:N", scale=alt.Scale(domain=[row["system"] for row in rows]), axis=name_axis(title=None))
    heading = f"{metric}: difference from {name}{lower}"
    x = alt.X("difference:Q", title=heading, axis=alt.Axis(tickCount=6))
    tooltip = [
        *text_fields("system", "shown"),
        *number_fields("difference", "low", "high", "lowest", "highest", "p"),
        *text_fields("band"),
    ]
    base = alt.Chart(inline_data(rows)).encode(y=y, tooltip=tooltip)
    colour = system_colour([row["system"] for row in rows if row["system"] in colours], palette=colours, legend=False)
    kinds: list[tuple[Chart, dict[str, Any]]] = [
        (base.transform_filter("!datum.coloured"), {"style": "quiet"}),
        (base.transform_filter("datum.coloured").encode(color=colour), {}),
    ]
    shaded = alt.Chart(inline_data(row for row in rows if row["band"] % 2 == 0)).encode(y=y)
    shapes = {"significant": (True, "circle"), "not shown to differ": (False, "circle"), "reference": (True, "diamond")}
    dots = [
        kind.transform_filter(f"datum.shown == {word!r}")
        .mark_point(filled=full, shape=shape, size=90 if shape == "diamond" else 60, opacity=1, **style)
        .encode(x=x)
        for word, (full, shape) in shapes.items()
        for kind, style in kinds
    ]
    low, lowest = alt.X("low:Q", title=heading), alt.X("lowest:Q", title=heading)
    zero = alt.Chart(inline_data([{"difference": 0.0}])).mark_rule(style="ink", strokeDash=[3, 3]).encode(x=x)
    layers = [
        shaded.mark_rect(style="faint", opacity=0.55),
        zero,
        *(kind.mark_rule(strokeWidth=1.5, **style).encode(x=low, x2=alt.X2("high:Q")) for kind, style in kinds),
        *(
            kind.mark_rule(strokeWidth=1, strokeDash=[1, 3], **style).encode(x=lowest, x2=alt.X2("highest:Q"))
            for kind, style in kinds
        ),
        *dots,
        *_bands(rows, y),
    ]
    shown = sum(row["shown"] == "significant" for row in rows)
    description = (
        f"Differences by {metric} from {name}, with 95 % confidence intervals: {shown} of {plural(len(rows) - 1, 'system')} "
        f"differ significantly; in order: {listed(row['system'] for row in rows)}"
    )
    return alt.layer(
        *layers, width=options.width_or(WIDTH), height=options.height_or(row_height(len(rows))), description=description
    )


def _bands(rows: list[Row], y: Chart) -> list[Chart]:
    """The name of a band beside its first system, if there are several bands."""
    numbers = [row["band"] for row in rows]
    first = [rows[at] for at in np.unique(numbers, return_index=True)[1].tolist()] if len(set(numbers)) > 1 else []
    texts = alt.Chart(inline_data({**row, "label": f"band {row['band']}"} for row in first))
    return (
        [texts.mark_text(style="quiet", align="left", dx=6).encode(y=y, x=fixed_x("width"), text=alt.Text("label:N"))]
        if first
        else []
    )
