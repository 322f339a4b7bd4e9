"""One metric against another, a dot for each output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors.base import plural
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.intervals import means_of
from plumbline.figures.noninformative import ignoring
from plumbline.figures.parts import Chart, Row, coloured, numbers, rows, shown, texts, told
from plumbline.figures.reasons import TWO, without_two_metrics
from plumbline.figures.theme import MOST_COLOURS

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

SIZE: Final = 320
MOST: Final = 2000
"""More dots are a blot, and a heavy file: so many are drawn at random, always the same."""
CROSS: Final = "M-1,-1L1,1M-1,1L1,-1"


def _chosen(subject: Subject, asked: Asked) -> tuple[str, str]:
    first, second = (asked.metrics or subject.cube.metrics)[:TWO]
    return first, second


def _rows(subject: Subject, asked: Asked) -> tuple[list[Row], int]:
    """The dots that are drawn, and how many there are."""
    cube, marked = subject.only(_chosen(subject, asked), asked.systems), ignoring(subject)
    names, cases = shown(cube.systems), shown(cube.cases)
    everything = np.argwhere(cube.known)
    kept = np.random.default_rng(0).permutation(len(everything))[:MOST]
    drawn = [
        {
            "system": names[cube.systems[system]],
            "case": cases[cube.cases[case]],
            "x": float(cube.values[0, system, case]),
            "y": float(cube.values[1, system, case]),
            "ignores": cube.systems[system] in subject.floor or (cube.systems[system], cube.cases[case]) in marked,
        }
        for system, case in everything[np.sort(kept)].tolist()
    ]
    return drawn, len(everything)


def make(subject: Subject, asked: Asked) -> Chart:
    """Circles for outputs, crosses for those that tell nothing about the gold."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    (found, total), pair, means = _rows(subject, asked), _chosen(subject, asked), means_of(subject)
    across, up = (means.heading(means.metrics.index(name)) for name in pair)
    scale = alt.Scale(zero=False, nice=True)
    x, y = alt.X("x:Q", title=across, scale=scale), alt.Y("y:Q", title=up, scale=scale)
    tooltip = [*texts("system", "case"), *numbers(x="horizontal", y="vertical")]
    layers = [*_dots([row for row in found if not row["ignores"]]), *_crosses([row for row in found if row["ignores"]])]
    outputs = (
        plural(total, "output") if len(found) == total else f"{len(found):,} of {plural(total, 'output')}, drawn at random"
    )
    ignoring_gold = sum(row["ignores"] for row in found)
    marked = f"; {ignoring_gold} of them {'ignores' if ignoring_gold == 1 else 'ignore'} the gold" if ignoring_gold else ""
    systems = told(dict.fromkeys(row["system"] for row in found))
    description = f"{told(pair[1:])} against {told(pair[:1])}, a dot for each output: {outputs}{marked}; systems: {systems}"
    chart = alt.layer(*(layer.encode(x=x, y=y, tooltip=tooltip) for layer in layers))
    noted = chart if len(found) == total else chart.properties(title=alt.TitleParams("", subtitle=outputs))
    return noted.properties(width=asked.wide(SIZE), height=asked.high(SIZE), description=description)


def _dots(found: list[Row]) -> list[Chart]:
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    systems = list(dict.fromkeys(row["system"] for row in found))
    base = alt.Chart(rows(found))
    if len(systems) > MOST_COLOURS:
        return [base.mark_circle(style="first", size=18, opacity=0.5)]
    return [base.mark_circle(size=34, opacity=0.7).encode(color=coloured(systems))] if found else []


def _crosses(found: list[Row]) -> list[Chart]:
    """Outputs that ignore the gold, with their number in the legend."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    if not found:
        return []
    base = alt.Chart(rows({**row, "kind": f"ignores the gold ({len(found)})"} for row in found))
    shape = alt.Shape("kind:N", scale=alt.Scale(range=[CROSS]), legend=alt.Legend(title=None))
    return [base.mark_point(style="ink", size=46, opacity=0.9).encode(shape=shape)]


FIGURE: Final = Figure(
    "scatter",
    "One metric against another",
    "Each dot is an output: what one system gave in one case. Crosses are outputs that tell nothing about the gold: of "
    "filters those that accept the same share of positive and of negative items, else the baselines that ignore the "
    "gold.",
    without_two_metrics,
    make,
)
