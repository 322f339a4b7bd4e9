"""The score of each system over the weight of the first metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparison.finding import weight_range
from plumbline.comparison.weighting.weighting import f_curves
from plumbline.errors.base import plural
from plumbline.figures.figure import DataTable, DrawOptions, InReport, ReportSection, figure
from plumbline.figures.lines import end_labels, nice_span, system_lines
from plumbline.figures.needs import compare_pair, metric_pair, two_systems
from plumbline.figures.palette import OTHERS, palette
from plumbline.figures.parts import Chart, Row, display_names, inline_data, listed, number_fields, text_fields
from plumbline.figures.theme import MOST_COLOURS
from plumbline.lazily import alt
from plumbline.render.grid import Cell, Grid, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 320, 260
STEPS, FEWER_STEPS = 100, 50
"""Points of a curve, and the same with many systems."""
ENDS: Final = (0.001, 0.002, 0.005)
"""Further points near both ends, where curves may be steep."""
CLOSE: Final = 0.12
"""Crossings with less between them have their numbers above and below."""
MOST_CURVES: Final = 60
"""With more systems, so many of the best are drawn."""
SAME: Final = 1e-4
"""Curves that are never further apart look like one."""
EDGE: Final = 0.12
"""So near the ends, numbers stand towards the middle."""
PLACES: Final[dict[str, dict[str, Any]]] = {
    "upper left": {"dx": -8, "dy": -9, "align": "right"},
    "upper right": {"dx": 8, "dy": -9, "align": "left"},
    "lower left": {"dx": -8, "dy": 11, "align": "right"},
    "lower right": {"dx": 8, "dy": 11, "align": "left"},
}
"""Where a number can stand beside its crossing."""


def leads_table(subject: Subject) -> list[DataTable]:
    """The alphas for which each system is the best of all."""
    comparison = subject.comparison
    if comparison is None or comparison.best_for is None:
        return []
    rows = tuple(
        (Cell(name), Cell(weight_range(low, high)), Cell(number(high - low)))
        for name, low, high in comparison.leads.iter_rows()
    )
    heading = ("system", "best for", "share of all alphas")
    return [DataTable("leads", Grid(heading, rows, f"alpha is the weight of {comparison.cube.metrics[0]}"))]


def _colours(subject: Subject, comparison: Comparison) -> dict[str, int]:
    """The colours of the systems; those that lead for some weight and have none share the last one."""
    names = display_names(comparison.systems)
    leaders = (names[name] for name in comparison.leads["system"])
    return {**dict.fromkeys(leaders, OTHERS), **palette(subject)}


def _alphas(comparison: Comparison) -> list[float]:
    """Where curves have points: without the ends, where a single metric is left, and with every change of the lead."""
    steps = STEPS if len(comparison.systems) <= MOST_COLOURS else FEWER_STEPS
    changes = {low for low in comparison.leads["low"].to_list() if low > 0}
    first, last = min(changes, default=1.0) / 2, (1 + max(changes, default=0.0)) / 2
    near = {*ENDS, *(1 - end for end in ENDS), min(ENDS[0], first), max(1 - ENDS[0], last)}
    return sorted({*(step / steps for step in range(1, steps)), *near, *changes} - {0.0, 1.0})


def _drawn(comparison: Comparison, coloured: Iterable[str]) -> list[str]:
    """The systems that are drawn: all, or of many those that lead for some weight, those with a colour and the best."""
    if len(comparison.systems) <= MOST_CURVES:
        return list(comparison.systems)
    best = np.argsort(-np.nan_to_num(comparison.score.means, nan=-np.inf), kind="stable")[:MOST_CURVES].tolist()
    named = {name: system for system, name in display_names(comparison.systems).items()}
    kept = {*comparison.leads["system"], *(named[name] for name in coloured if name in named)}
    kept |= {comparison.systems[at] for at in best}
    return [name for name in comparison.systems if name in kept]


def _curves(comparison: Comparison, drawn: Sequence[str]) -> list[Row]:
    """The points of the curves that are drawn; those that lead come last, in front of the others."""
    names, leaders = display_names(comparison.systems), set(comparison.leads["system"])
    cube = comparison.cube.only(systems=drawn)
    table = f_curves(cube, _alphas(comparison), comparison.score.mean).table().drop_nulls("value")
    ordered = table.sort(pl.col("system").is_in(leaders), maintain_order=True)
    return [
        {"system": names[system], "alpha": alpha, "value": value}
        for system, alpha, value in ordered.select("system", "alpha", "value").iter_rows()
    ]


def _changes(comparison: Comparison) -> list[Row]:
    """Where the lead changes, exactly."""
    names = display_names(comparison.systems)
    made: list[Row] = []
    for system, low, _ in comparison.leads.filter(pl.col("low") > 0).iter_rows():
        value = f_curves(comparison.cube.only(systems=[system]), [low], comparison.score.mean).values[0, 0]
        place = _place(low, made[-1] if made else None)
        made.append({"system": names[system], "alpha": low, "value": float(value), "label": f"{low:.3f}", "place": place})
    return made


def _place(alpha: float, before: Row | None) -> str:
    """Where the number of a change stands: not where that of the change before stands, and within the chart."""
    last = "" if before is None else before["place"]
    gap = 1.0 if before is None else alpha - before["alpha"]
    if gap < CLOSE and not last.startswith("lower"):
        return "lower left" if alpha > 1 - EDGE else "lower right"
    to_the_right = alpha < EDGE or (last == "lower right" and gap < 2 * CLOSE)
    return "upper right" if to_the_right else "upper left"


def _description(comparison: Comparison, grey: int) -> str:
    """The figure in words."""
    leads = "; ".join(
        f"{listed([name])} leads from {low:.3f} to {high:.3f}" for name, low, high in comparison.leads.iter_rows()
    )
    rest = f"; {plural(grey, 'other system')} in grey" if grey else ""
    return f"{listed([comparison.score.name])} over alpha, the weight of {listed(comparison.cube.metrics[:1])}; {leads}{rest}"


def one_curve(subject: Subject) -> str | None:
    """Why a page leaves the figure out: all systems have the same curve."""
    comparison = compare_pair(subject, DrawOptions())
    for systems in (comparison.systems[:MOST_CURVES], comparison.systems):
        curves = f_curves(comparison.cube.only(systems=systems), _alphas(comparison), comparison.score.mean)
        table = curves.table().drop_nulls("value")
        apart = table.group_by("alpha").agg(apart=pl.col("value").max() - pl.col("value").min())["apart"].max()
        if isinstance(apart, float) and apart > SAME:
            return None
    return "The score for every weight is left out: the curves of all systems coincide."


@figure(
    "alpha",
    title="The score for every weight",
    caption="The mean over cases of the combined score, along the weight alpha of the first metric. Rings mark where the lead "
    "changes. With many systems, only those that lead for some weight have a colour, and are in front.",
    needs=(two_systems, metric_pair),
    compare_options=("lower", "mean"),
    report=InReport(
        ReportSection(
            "weights",
            30,
            "What if the metrics had other weights?",
            "The score depends on alpha, the weight of the first metric. Where two curves cross, the order of the two systems "
            "changes.",
        ),
        width=560,
        height=340,
        narrows=True,
        says_nothing=one_curve,
        tables=leads_table,
    ),
    example="tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Curves with the points where the lead changes; with many systems, only those that lead have a colour."""
    comparison = compare_pair(subject, options)
    first, second = (listed([name]) for name in comparison.cube.metrics)
    colours, height = _colours(subject, comparison), options.height_or(HEIGHT)
    drawn = _drawn(comparison, colours)
    rows, total = _curves(comparison, drawn), len(comparison.systems)
    span = nice_span(row["value"] for row in rows)
    x = alt.X("alpha:Q", scale=alt.Scale(domain=[0, 1]), title=f"alpha, the weight of {first} against {second}")
    y = alt.Y("value:Q", title=listed([comparison.score.name]), scale=alt.Scale(domain=span, nice=False))
    tooltip = [*text_fields("system"), *number_fields("alpha", "value", form=".3f")]
    curves = system_lines(rows, colours, tooltip=tooltip, x=x, y=y)
    names = end_labels(rows, colours, along="alpha", height=height, span=span, x=x, y=y)
    changes = alt.Chart(inline_data(_changes(comparison))).encode(x=x, y=y, tooltip=tooltip)
    rings = changes.mark_point(style="ink", size=50, opacity=1)
    labels = [
        changes.transform_filter(f"datum.place == {place!r}").mark_text(style="ink", **beside).encode(text=alt.Text("label:N"))
        for place, beside in PLACES.items()
    ]
    cut = f"{len(drawn):,} of {total:,} systems: the best, and all that lead for some weight"
    title = {} if len(drawn) == total else {"title": alt.TitleParams("", subtitle=cut)}
    return alt.layer(
        *curves,
        rings,
        *labels,
        *names,
        width=options.width_or(WIDTH),
        height=height,
        description=_description(comparison, len({row["system"] for row in rows} - colours.keys())),
        **title,
    )
