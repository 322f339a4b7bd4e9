"""Every system on every case, as a heat map: the hardest cases first."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import mean_of_known
from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.needs import TWO, scores
from plumbline.figures.parts import Chart, display_names, inline_data, listed, name_axis, number_fields, row_height, text_fields
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube
    from plumbline.figures.subject import Subject

WIDTH: Final = 480
MOST_NAMED: Final = 60
"""With more cases their names are left to the tooltips."""
LONGEST_CASE: Final = 12
"""Letters of the name of a case."""
MOST_COLUMNS: Final = 1000
"""More columns than that cannot be told apart on a screen."""
MOST_SYSTEMS: Final = 60
"""Systems of which a page shows every case."""


def several_cases(subject: Subject, _: DrawOptions) -> str | None:
    """Two cases are needed, and a value."""
    if len(subject.cube.cases) < TWO:
        return "it needs two cases"
    return "there are no values" if np.isnan(subject.cube.means).all() else None


def by_difficulty(cube: Cube) -> list[int]:
    """The cases that have a value of the first metric, hardest first: by the mean over systems, of which higher is better."""
    known = ~np.isnan(cube.signed[0])
    counts = known.sum(axis=0)
    means = np.where(known, cube.signed[0], 0.0).sum(axis=0) / np.maximum(counts, 1)
    return [at for at in np.argsort(means, kind="stable").tolist() if counts[at]]


def _columns(cube: Cube) -> dict[str, list[int]]:
    """The cases of each column by its name, hardest first; of very many cases neighbours share a column."""
    ordered = by_difficulty(cube)
    if len(ordered) <= MOST_COLUMNS:
        names = display_names(cube.cases)
        return {names[cube.cases[at]]: [at] for at in ordered}
    ends = [round(at * len(ordered) / MOST_COLUMNS) for at in range(MOST_COLUMNS + 1)]
    return {f"cases {start + 1:,} to {end:,}": ordered[start:end] for start, end in pairwise(ends)}


@figure(
    "heatmap",
    title="Every system on every case",
    caption="The value of the first metric for each system, best first, on each case, hardest first: cases are sorted by their "
    "mean over systems. A row that is dark where others are light belongs to a system that solves what is hard for the others.",
    needs=(scores, several_cases),
    report=InReport(
        ReportSection(
            "difficulty",
            45,
            "Which cases are hard?",
            "Columns are cases, the hardest on the left. Stripes mean that cases differ more than systems do.",
        ),
        width=760,
        narrows=True,
        most_systems=MOST_SYSTEMS,
    ),
    example="qrels.txt runs/*.run -m AP",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Rows are systems, columns are cases; empty where there is no value."""
    cube, means = subject.only(options.metrics[:1] or subject.cube.metrics[:1], options.systems), subject.means
    order = [means.systems[at] for at in means.best_first(means.metrics.index(cube.metrics[0]))]
    names, columns = display_names(cube.systems), _columns(cube)
    cells = [
        {"system": names[system], "case": called, "value": value}
        for called, cases in columns.items()
        for system, value in zip(cube.systems, mean_of_known(cube.values[0][:, cases]).tolist(), strict=True)
        if not np.isnan(value)
    ]
    few, total = len(columns) <= MOST_NAMED, sum(map(len, columns.values()))
    axis = name_axis(LONGEST_CASE, labelAngle=-90) if few else alt.Axis(labels=False, ticks=False)
    metric = means.heading(means.metrics.index(cube.metrics[0]))
    chart = alt.Chart(inline_data(cells)).mark_rect()
    legend = alt.Legend(title=metric, orient="top", gradientLength=180)
    by_case = alt.Scale(domain=list(columns))
    rows = [names[name] for name in order if name in names]
    chart = chart.encode(
        x=alt.X("case:N", scale=by_case, axis=axis, title="case, hardest first"),
        y=alt.Y("system:N", scale=alt.Scale(domain=rows), axis=name_axis(title=None)),
        color=alt.Color("value:Q", scale=alt.Scale(range="heatmap"), legend=legend),
        tooltip=[*text_fields("system", "case"), *number_fields(value=listed(cube.metrics))],
    ).properties(
        width=options.width_or(WIDTH),
        height=options.height_or(row_height(len(rows))),
        description=f"{listed(cube.metrics)} of {plural(len(rows), 'system')} on {plural(total, 'case')}, "
        f"the hardest case first: {listed(columns)}; systems, best first: {listed(rows)}",
    )
    together = f"{len(columns):,} columns of {plural(total, 'case')}: each is the mean of neighbouring cases"
    return chart if len(columns) == total else chart.properties(title=alt.TitleParams("", subtitle=together))
