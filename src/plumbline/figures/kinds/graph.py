"""The improvement graph: who is better than whom, levels as rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.leaderboard import circles, closest, tiers
from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.graph_layout import MOST_LOUD, Layout, placed
from plumbline.figures.kinds.unanimity import MOST_PAIRED, PAIRS
from plumbline.figures.labels import clipped
from plumbline.figures.needs import only_two, two_systems
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    fixed_x,
    inline_data,
    listed,
    number_fields,
    text_fields,
    with_properties,
)
from plumbline.lazily import alt
from plumbline.options.evaluation import CompareOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.subject import Subject

NARROW, WIDE = 420, 760
FEW: Final = 8
"""Systems for which the narrow drawing is enough."""
HALF_ROW: Final = 9
"""Half the height of a name."""
BENDS: Final = {0.0: 0.0, 0.35: 0.0, 0.65: 1.0, 1.0: 1.0}
"""Points of an edge, how far down and how far across: it leaves and arrives upright."""
NEAR: Final = "isValid(over.system) && (indexof(over.system, datum.better) >= 0 || indexof(over.system, datum.worse) >= 0)"
"""Whether an edge belongs to the system under the pointer."""


@dataclass(frozen=True, eq=False)
class Graph:
    """A comparison with a place for each of its systems."""

    comparison: Comparison
    width: int

    @cached_property
    def names(self) -> list[str]:
        """The systems as they are drawn."""
        return list(display_names(self.comparison.systems).values())

    @cached_property
    def drawn(self) -> NDArray[np.bool_]:
        """The edges that do not follow from others, `[better, worse]`."""
        return closest(self.comparison.beats)

    @cached_property
    def tiers(self) -> list[int]:
        """The tier of each system; those without a score have one of their own, below all."""
        of, without = tiers(self.comparison.beats), np.isnan(self.comparison.main.means)
        last = int(of[~without].max(initial=0)) + 1
        return [last if lacking else int(tier) for tier, lacking in zip(of, without, strict=True)]

    @cached_property
    def layout(self) -> Layout:
        """Where the names stand."""
        return placed(self.names, self.tiers, self.drawn, self.width)

    def nodes(self) -> list[Row]:
        """The systems with their boxes."""
        at, comparison = self.layout, self.comparison
        return [
            {
                "system": name,
                "label": clipped(name),
                "tier": self.tiers[number],
                "score": float(comparison.main.shown_means()[number]),
                "beats": int(comparison.beats[number].sum()),
                "beaten": int(comparison.beats[:, number].sum()),
                "x": float(at.x[number]),
                "left": float(at.x[number] - at.half[number]),
                "right": float(at.x[number] + at.half[number]),
                "y": float(at.y[number]),
                "top": float(at.y[number] - HALF_ROW),
                "bottom": float(at.y[number] + HALF_ROW),
            }
            for number, name in enumerate(self.names)
        ]

    def edges(self) -> list[Row]:
        """The points of all edges."""
        x, y = self.layout.x, self.layout.y
        return [
            {
                "better": self.names[a],
                "worse": self.names[b],
                "uir": float(self.comparison.improvements.uir[a, b]),
                "p": float(self.comparison.p[a, b]),
                "number": number,
                "down": down,
                "x": float(x[a] + (x[b] - x[a]) * across),
                "y": float(y[a] + HALF_ROW + (y[b] - y[a] - 2 * HALF_ROW) * down),
            }
            for number, (a, b) in enumerate(np.argwhere(self.drawn).tolist())
            for down, across in BENDS.items()
        ]

    def description(self) -> str:
        """Levels in words, for those who do not see them."""
        of = "; ".join(
            f"level {tier}: {listed(name for name, level in zip(self.names, self.tiers, strict=True) if level == tier)}"
            for tier in sorted(set(self.tiers))
        )
        around = int(circles(self.comparison.beats).sum())
        circle = f"; {plural(around, 'system')} are better than each other in a circle" if around else ""
        only = f"; {self.only}" if self.only else ""
        return f"Improvement graph: lines go from a system down to those that it is better than; {of}{circle}{only}"

    @property
    def only(self) -> str:
        """What was not tested."""
        return (
            f"only pairs with {listed([self.comparison.baseline])} are tested" if self.comparison.baseline is not None else ""
        )


@figure(
    "graph",
    title="Who is better than whom",
    caption="A line goes from a system down to one that it is better than: significantly better by a metric and significantly "
    "worse by none, after correction. Lines that follow from others are left out. Systems on one level are not shown to be "
    "better than each other, except in a circle. With a baseline, only the pairs with it are tested.",
    needs=two_systems,
    compare_options=tuple(name for name in declared(CompareOptions) if name != "margin"),
    report=InReport(PAIRS, order=2, width=780, most_systems=MOST_PAIRED, says_nothing=only_two),
    example="tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Names in boxes, lines from the better down to the worse; what follows from other lines is left out."""
    comparison = subject.compared_by(options.metrics, options.systems)
    usual = NARROW if len(comparison.systems) <= FEW else WIDE
    graph = Graph(comparison, options.width if isinstance(options.width, int) else usual)
    height = graph.layout.height
    across = alt.Scale(domain=[0, graph.width], nice=False, zero=False)
    down = alt.Scale(domain=[height, 0], nice=False, zero=False)
    x, y = alt.X("x:Q", scale=across, axis=None), alt.Y("y:Q", scale=down, axis=None)
    left, top = alt.X("left:Q", scale=across, axis=None), alt.Y("top:Q", scale=down, axis=None)
    boxes, names = _nodes(graph)
    layers = [
        *_tier_lines(graph, y),
        _edges(graph).encode(x=x, y=y),
        boxes.encode(x=left, x2=alt.X2("right:Q"), y=top, y2=alt.Y2("bottom:Q")),
        names.encode(x=x, y=y),
    ]
    chart = alt.layer(
        *layers, width=options.width_or(graph.width), height=options.height_or(round(height)), description=graph.description()
    )
    return with_properties(chart, title=alt.TitleParams("", subtitle=f"O{graph.only[1:]}")) if graph.only else chart


def _edges(graph: Graph) -> Chart:
    """Lines that show up when the pointer is on one of their systems."""
    crowded = graph.drawn.sum() > MOST_LOUD
    lines = alt.Chart(inline_data(graph.edges())).mark_line(
        style="ink", interpolate="basis", strokeWidth=0.8 if crowded else 1.2
    )
    return lines.encode(
        detail=alt.Detail("number:N"),
        order=alt.Order("down:Q"),
        opacity=alt.condition(NEAR, alt.value(1), alt.value(0.35 if crowded else 0.8)),
        tooltip=[*text_fields("better", "worse"), *number_fields(form=".2f", uir="UIR"), *number_fields("p")],
    )


def _nodes(graph: Graph) -> tuple[Chart, Chart]:
    """Boxes, and the names in them."""
    counts = number_fields(form=",", beats="is better than", beaten="is worse than")
    base = alt.Chart(inline_data(graph.nodes())).encode(tooltip=[*text_fields("system"), *number_fields("score"), *counts])
    over = alt.selection_point(name="over", on="pointerover", clear="pointerout", fields=["system"], empty=False)
    boxes = base.mark_rect(style="card", cornerRadius=4, strokeWidth=1).add_params(over)
    return boxes, base.mark_text(style="ink").encode(text=alt.Text("label:N"))


def _tier_lines(graph: Graph, y: Chart) -> list[Chart]:
    """Lines between levels, and their names at the left."""
    lacking = max(graph.tiers) if np.isnan(graph.comparison.main.means).any() else 0
    labels = [
        {"y": top, "label": "no score" if tier == lacking else f"level {tier}"}
        for tier, top in zip(sorted(set(graph.tiers)), graph.layout.tops, strict=True)
    ]
    between = alt.Chart(inline_data({"y": line} for line in graph.layout.lines)).mark_rule(style="faint", strokeDash=[4, 4])
    named = alt.Chart(inline_data(labels)).mark_text(style="quiet", align="right", dx=-8)
    return [between.encode(y=y), named.encode(y=y, x=fixed_x(0), text=alt.Text("label:N"))]
