"""The improvement graph: who robustly beats whom, tiers as rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.leaderboard import circles, closest
from plumbline.errors.base import plural
from plumbline.figures.cutting import clipped
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.layout import MOST_LOUD, Layout, placed
from plumbline.figures.options import COMPARED
from plumbline.figures.parts import Chart, Row, numbers, rows, shown, texts, told
from plumbline.figures.reasons import without_two_systems

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

    found: Comparison
    width: int

    @cached_property
    def names(self) -> list[str]:
        """The systems as they are drawn."""
        return list(shown(self.found.systems).values())

    @cached_property
    def drawn(self) -> NDArray[np.bool_]:
        """The edges that do not follow from others, `[better, worse]`."""
        return closest(self.found.beats)

    @cached_property
    def tiers(self) -> list[int]:
        """The tier of each system; those without a score have one of their own, below all."""
        of, without = self.found.tiers, np.isnan(self.found.score.means)
        last = int(of[~without].max(initial=0)) + 1
        return [last if lacking else int(tier) for tier, lacking in zip(of, without, strict=True)]

    @cached_property
    def layout(self) -> Layout:
        """Where the names stand."""
        return placed(self.names, self.tiers, self.drawn, self.width)

    def nodes(self) -> list[Row]:
        """The systems with their boxes."""
        at, found = self.layout, self.found
        return [
            {
                "system": name,
                "label": clipped(name),
                "tier": self.tiers[number],
                "score": float(found.score.means[number]),
                "beats": int(found.beats[number].sum()),
                "beaten": int(found.beats[:, number].sum()),
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
                "uir": float(self.found.improvements.uir[a, b]),
                "p": float(self.found.p[a, b]),
                "number": number,
                "down": down,
                "x": float(x[a] + (x[b] - x[a]) * across),
                "y": float(y[a] + HALF_ROW + (y[b] - y[a] - 2 * HALF_ROW) * down),
            }
            for number, (a, b) in enumerate(np.argwhere(self.drawn).tolist())
            for down, across in BENDS.items()
        ]

    def described(self) -> str:
        """Tiers in words, for those who do not see them."""
        of = "; ".join(
            f"tier {tier}: {told(name for name, own in zip(self.names, self.tiers, strict=True) if own == tier)}"
            for tier in sorted(set(self.tiers))
        )
        around = int(circles(self.found.beats).sum())
        circle = f"; {plural(around, 'system')} beat each other in a circle" if around else ""
        only = f"; {self.only}" if self.only else ""
        return f"Improvement graph: lines go from a system down to those that it robustly beats; {of}{circle}{only}"

    @property
    def only(self) -> str:
        """What was not tested."""
        return f"only pairs with {told([self.found.baseline])} are tested" if self.found.baseline is not None else ""


def make(subject: Subject, asked: Asked) -> Chart:
    """Names in boxes, lines from the better down to the worse; what follows from other lines is left out."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    found = subject.compared_by(asked.metrics, asked.systems)
    usual = NARROW if len(found.systems) <= FEW else WIDE
    graph = Graph(found, asked.width if isinstance(asked.width, int) else usual)
    height = graph.layout.height
    across = alt.Scale(domain=[0, graph.width], nice=False, zero=False)
    down = alt.Scale(domain=[height, 0], nice=False, zero=False)
    x, y = alt.X("x:Q", scale=across, axis=None), alt.Y("y:Q", scale=down, axis=None)
    left, top = alt.X("left:Q", scale=across, axis=None), alt.Y("top:Q", scale=down, axis=None)
    boxes, names = _nodes(graph)
    layers = [
        *_tier_lines(graph, y),
        _edges(graph).encode(x=x, y=y),
        boxes.encode(x=left, x2="right:Q", y=top, y2="bottom:Q"),
        names.encode(x=x, y=y),
    ]
    chart = alt.layer(*layers).properties(
        width=asked.wide(graph.width), height=asked.high(round(height)), description=graph.described()
    )
    return chart.properties(title=alt.TitleParams("", subtitle=f"O{graph.only[1:]}")) if graph.only else chart


def _edges(graph: Graph) -> Chart:
    """Lines that show up when the pointer is on one of their systems."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    crowded = graph.drawn.sum() > MOST_LOUD
    lines = alt.Chart(rows(graph.edges())).mark_line(style="ink", interpolate="basis", strokeWidth=0.8 if crowded else 1.2)
    return lines.encode(
        detail="number:N",
        order="down:Q",
        opacity=alt.condition(NEAR, alt.value(1), alt.value(0.35 if crowded else 0.8)),
        tooltip=[*texts("better", "worse"), *numbers(form=".2f", uir="UIR"), *numbers("p")],
    )


def _nodes(graph: Graph) -> tuple[Chart, Chart]:
    """Boxes, and the names in them."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    counts = numbers(form=",", beats="robustly beats", beaten="robustly beaten by")
    base = alt.Chart(rows(graph.nodes())).encode(tooltip=[*texts("system", "tier"), *numbers("score"), *counts])
    over = alt.selection_point(name="over", on="pointerover", clear="pointerout", fields=["system"], empty=False)
    boxes = base.mark_rect(style="card", cornerRadius=4, strokeWidth=1).add_params(over)
    return boxes, base.mark_text(style="ink").encode(text="label:N")


def _tier_lines(graph: Graph, y: Chart) -> list[Chart]:
    """Lines between tiers, and their names at the left."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    lacking = max(graph.tiers) if np.isnan(graph.found.score.means).any() else 0
    words = [
        {"y": top, "label": "no score" if tier == lacking else f"tier {tier}"}
        for tier, top in zip(sorted(set(graph.tiers)), graph.layout.tops, strict=True)
    ]
    between = alt.Chart(rows({"y": line} for line in graph.layout.lines)).mark_rule(style="faint", strokeDash=[4, 4])
    named = alt.Chart(rows(words)).mark_text(style="quiet", align="right", dx=-8)
    return [between.encode(y=y), named.encode(y=y, x=alt.value(0), text="label:N")]


FIGURE: Final = Figure(
    "graph",
    "Who robustly beats whom",
    "Tiers from top to bottom. A line goes from a system down to one that it robustly beats: better mean, unanimous "
    "enough, significant after correction. Lines that follow from others are left out. Within a tier nobody robustly beats "
    "another one, circles aside. With a baseline only the pairs with it are tested.",
    without_two_systems,
    make,
    compared_by=tuple(COMPARED),
)
