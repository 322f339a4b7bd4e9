"""Metrics themselves: strictness against robustness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, figures
from plumbline.figures.cutting import SHORT, clipped
from plumbline.figures.figure import Asked, Figure
from plumbline.figures.parts import Chart, Row, names_legend, numbers, rows, shown, texts
from plumbline.figures.reasons import TWO, without_two_metrics, without_two_systems
from plumbline.figures.theme import MOST_COLOURS
from plumbline.studies.study import Study

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

SIZE: Final = 320


def reason(subject: Subject, asked: Asked) -> str | None:
    """Several metrics, systems and cases are needed, with values of all of them."""
    against = without_two_systems(subject, asked) or without_two_metrics(subject, asked)
    if against is not None:
        return against
    if len(subject.cube.cases) < TWO:
        return "it needs two cases"
    return None if subject.only(asked.metrics, asked.systems).known.any() else "no output has a value of every metric"


def _rows(subject: Subject, asked: Asked) -> list[Row]:
    """The metrics for which both are defined."""
    cube = subject.only(asked.metrics, asked.systems)
    study, names = Study(cube, cube.metrics), shown(cube.metrics)
    values = zip(cube.metrics, study.strictness["fall"], study.robustness["robustness"], strict=True)
    return [
        {"metric": names[metric], SHORT: clipped(names[metric]), "strictness": fall, "robustness": robust}
        for metric, fall, robust in values
        if fall is not None and robust is not None
    ]


def make(subject: Subject, asked: Asked) -> Chart:
    """A point for each metric: strictness to the right, robustness upwards."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    found = _rows(subject, asked)
    if not found:
        raise BadUsage(figures.cannot_draw("strictness", "no metric has both a strictness and a robustness here"))
    near = alt.Scale(zero=False, padding=12)
    x = alt.X("strictness:Q", title="strictness (0 is strictest)", scale=near)
    y = alt.Y("robustness:Q", title="robustness", scale=near)
    base = alt.Chart(rows(found)).encode(x=x, y=y, tooltip=[*texts("metric"), *numbers("strictness", "robustness")])
    layers = _few(base, [row["metric"] for row in found]) if len(found) <= MOST_COLOURS else _many(base)
    left_out = len(asked.metrics or subject.cube.metrics) - len(found)
    described = "; ".join(f"{row['metric']}: {row['strictness']:.3f}, {row['robustness']:.3f}" for row in found)
    more = f"; undefined for {left_out}" if left_out else ""
    return alt.layer(*layers).properties(
        width=asked.wide(SIZE), height=asked.high(SIZE), description=f"Strictness and robustness of metrics: {described}{more}"
    )


def _few(base: Chart, metrics: list[str]) -> list[Chart]:
    """A colour and a shape for each metric."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    domain, legend = alt.Scale(domain=metrics), names_legend()
    points = base.mark_point(size=70, filled=True, opacity=1)
    colour, shape = alt.Color("metric:N", scale=domain, legend=legend), alt.Shape("metric:N", scale=domain, legend=legend)
    return [points.encode(color=colour, shape=shape)]


def _many(base: Chart) -> list[Chart]:
    """Names beside the points."""
    words = base.mark_text(style="ink", align="left", dx=7, dy=-5).encode(text=f"{SHORT}:N")
    return [base.mark_circle(style="first", size=50, opacity=1), words]


FIGURE: Final = Figure(
    "strictness",
    "What the data say about the metrics",
    "Each point is a metric. It is strict if what it praises is praised by all the others, and robust if it ranks the "
    "systems alike on all cases. Which outputs decide it is told by plumbline meta.",
    reason,
    make,
)
