"""Mean ranks over cases, with bars that join the systems that Nemenyi's test does not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.friedman import friedman
from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.kinds.unanimity import MOST_PAIRED, PAIRS
from plumbline.figures.labels import SHORT, clipped
from plumbline.figures.needs import TWO, only_two, two_systems
from plumbline.figures.parts import Chart, Row, display_names, fixed_x, inline_data, listed, number_fields, text_fields
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.comparison.significance.friedman import Friedman
    from plumbline.figures.subject import Subject

WIDTH: Final = 460
ROW: Final = 15
"""The height of a name."""
BAR: Final = 7
"""The height of a bar that joins systems."""
FEWEST: Final = TWO


def complete_cases(subject: Subject, options: DrawOptions) -> str | None:
    """Two cases on which every system has a value are needed."""
    cube = subject.only((options.metrics or subject.cube.metrics)[:1], options.systems)
    complete = int((~np.isnan(cube.values[0])).all(axis=0).sum())
    return None if complete >= FEWEST else "it needs two cases on which every system has a value"


def cliques(ranks: list[float], difference: float) -> list[tuple[int, int]]:
    """Of sorted mean ranks, the first and the last of every longest run within the difference; runs of one are none."""
    runs: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(at for at in range(first, len(ranks)) if ranks[at] - rank <= difference)
        if last > first and (not runs or last > runs[-1][1]):
            runs.append((first, last))
    return runs


@figure(
    "critical_difference",
    title="Mean ranks and the critical difference",
    caption="The mean rank of each system over the cases that all have, by the first metric; 1 is best. Bars join systems "
    "whose mean ranks differ by less than the critical difference of Nemenyi's test: they are not shown to differ (Demsar "
    "2006). The test looks at ranks alone, so it can differ from the leaderboard.",
    needs=(two_systems, complete_cases),
    report=InReport(PAIRS, order=3, width=560, narrows=True, most_systems=MOST_PAIRED, says_nothing=only_two),
    example="qrels.txt runs/*.run -m AP",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """An axis of ranks, names in two columns, and bars below the axis."""
    cube = subject.only((options.metrics or subject.cube.metrics)[:1], options.systems)
    test, names = friedman(cube.signed[0]), display_names(cube.systems)
    order = np.argsort(test.mean_ranks, kind="stable").tolist()
    ranks = [float(test.mean_ranks[at]) for at in order]
    runs = cliques(ranks, test.critical_difference)
    systems = [names[cube.systems[at]] for at in order]
    bars = [{"low": ranks[first], "high": ranks[last], "y": 8.0 + BAR * number} for number, (first, last) in enumerate(runs)]
    top = 8.0 + BAR * len(runs) + ROW
    lines, texts = _names(systems, ranks, top)
    height = max(row["y"] for row in texts) + ROW
    scale = alt.Scale(domain=[1, len(systems)], nice=False, zero=False)
    down = alt.Scale(domain=[0, height], reverse=True, nice=False)

    axis = alt.Axis(orient="top", grid=False, tickMinStep=1)

    def x(field: str) -> Chart:
        return alt.X(f"{field}:Q", scale=scale, axis=axis, title=f"mean rank by {listed(cube.metrics)}")

    y = alt.Y("y:Q", scale=down, axis=None)
    tooltip = [*text_fields("system"), *number_fields(rank="mean rank", form=".2f")]
    named = alt.Chart(inline_data(texts)).encode(y=y, tooltip=tooltip, text=alt.Text(f"{SHORT}:N"))
    to_names = alt.Chart(inline_data(lines)).mark_line(style="quiet", strokeWidth=1)
    layers = [
        to_names.encode(x=x("x"), y=y, detail=alt.Detail("system:N"), order=alt.Order("step:Q")),
        alt.Chart(inline_data(bars)).mark_rule(style="first", strokeWidth=4).encode(x=x("low"), x2=alt.X2("high:Q"), y=y),
        named.transform_filter("datum.left").mark_text(style="ink", align="right", dx=-4).encode(x=fixed_x(0)),
        named.transform_filter("!datum.left").mark_text(style="ink", align="left", dx=4).encode(x=fixed_x("width")),
    ]
    return alt.layer(
        *layers,
        width=options.width_or(WIDTH),
        height=options.height_or(round(height)),
        title=alt.TitleParams("", subtitle=_subtitle(test)),
        description=f"Mean ranks by {listed(cube.metrics)}, {_subtitle(test)}; best first: {listed(systems)}; not told apart: "
        f"{'; '.join(f'{systems[first]} to {systems[last]}' for first, last in runs[:8]) or 'none'}",
    )


def _subtitle(test: Friedman) -> str:
    difference = f"critical difference {test.critical_difference:.2f} at {test.alpha:g}"
    return f"{difference}, {plural(test.cases, 'case')}, Friedman p {test.p:.2g}"


def _names(systems: list[str], ranks: list[float], top: float) -> tuple[list[Row], list[Row]]:
    """Lines from the axis to the names: the better half at the left, the others at the right, the innermost lowest."""
    half, last = (len(systems) + 1) // 2, float(len(systems))
    lines, texts = [], []
    for at, (system, rank) in enumerate(zip(systems, ranks, strict=True)):
        left = at < half
        y = top + ROW * (at if left else len(systems) - 1 - at)
        for step, (x, height) in enumerate(((rank, 0.0), (rank, y), (1.0 if left else last, y))):
            lines.append({"system": system, "x": x, "y": height, "step": step})
        texts.append({"system": system, SHORT: clipped(f"{system} {rank:.2f}", 28), "rank": rank, "y": y, "left": left})
    return lines, texts
