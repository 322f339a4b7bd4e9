"""Metrics themselves: strictness against robustness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, figures
from plumbline.figures.figure import DrawOptions, figure
from plumbline.figures.labels import SHORT, clipped
from plumbline.figures.needs import TWO, two_metrics, two_systems
from plumbline.figures.parts import Chart, Row, display_names, inline_data, name_legend, number_fields, text_fields
from plumbline.figures.theme import MOST_COLOURS
from plumbline.lazily import alt
from plumbline.studies.study import Study

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

SIZE: Final = 320


def two_cases(subject: Subject, options: DrawOptions) -> str | None:
    """Two cases are needed, and an output with a value of every metric."""
    if len(subject.cube.cases) < TWO:
        return "it needs two cases"
    return None if subject.only(options.metrics, options.systems).known.any() else "no output has a value of every metric"


def _rows(subject: Subject, options: DrawOptions) -> list[Row]:
    """The metrics for which both are defined."""
    cube = subject.only(options.metrics, options.systems)
    studied = subject.result if isinstance(subject.result, Study) and cube.metrics == subject.cube.metrics else None
    study, names = studied or Study(cube, cube.metrics), display_names(cube.metrics)
    values = zip(cube.metrics, study.strictness["fall"], study.robustness["robustness"], strict=True)
    return [
        {"metric": names[metric], SHORT: clipped(names[metric]), "strictness": fall, "robustness": robust}
        for metric, fall, robust in values
        if fall is not None and robust is not None
    ]


@figure(
    "strictness",
    title="What the data say about the metrics",
    caption="Each point is a metric. A metric is strict if the outputs that it scores high are scored high by all other "
    "metrics, and robust if it ranks the systems alike on all cases. `plumbline meta` names the outputs that decide it.",
    needs=(two_systems, two_metrics, two_cases),
    example="qrels.txt runs/*.run -m AP -m nDCG@10 -m P@10 -m RR -m R@10 -m ERR",
    systems_named=0,
    of=Study,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A point for each metric: strictness to the right, robustness upwards."""
    rows = _rows(subject, options)
    if not rows:
        raise BadUsage(figures.cannot_draw("strictness", "no metric has both a strictness and a robustness here"))
    near = alt.Scale(zero=False, padding=12)
    x = alt.X("strictness:Q", title="strictness (0 is strictest)", scale=near)
    y = alt.Y("robustness:Q", title="robustness", scale=near)
    base = alt.Chart(inline_data(rows)).encode(
        x=x, y=y, tooltip=[*text_fields("metric"), *number_fields("strictness", "robustness")]
    )
    layers = _few(base, [row["metric"] for row in rows]) if len(rows) <= MOST_COLOURS else _many(base)
    left_out = len(options.metrics or subject.cube.metrics) - len(rows)
    described = "; ".join(f"{row['metric']}: {row['strictness']:.3f}, {row['robustness']:.3f}" for row in rows)
    more = f"; undefined for {left_out}" if left_out else ""
    return alt.layer(
        *layers,
        width=options.width_or(SIZE),
        height=options.height_or(SIZE),
        description=f"Strictness and robustness of metrics: {described}{more}",
    )


def _few(base: Chart, metrics: list[str]) -> list[Chart]:
    """A colour and a shape for each metric."""
    domain, legend = alt.Scale(domain=metrics), name_legend()
    points = base.mark_point(size=70, filled=True, opacity=1)
    colour, shape = alt.Color("metric:N", scale=domain, legend=legend), alt.Shape("metric:N", scale=domain, legend=legend)
    return [points.encode(color=colour, shape=shape)]


def _many(base: Chart) -> list[Chart]:
    """Names beside the points."""
    labels = base.mark_text(style="ink", align="left", dx=7, dy=-5).encode(text=alt.Text(f"{SHORT}:N"))
    return [base.mark_circle(style="first", size=50, opacity=1), labels]
