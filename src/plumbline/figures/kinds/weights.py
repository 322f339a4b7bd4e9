"""How much the positions of a list count in Reliability and Sensitivity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage
from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.lines import system_colour
from plumbline.figures.parts import Chart, Row, inline_data, number_fields
from plumbline.lazily import alt
from plumbline.metrics.names import parse
from plumbline.tools.weights import Weights, weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.figures.subject import Subject
    from plumbline.metrics.measure import Single

WIDTH, HEIGHT = 360, 240
TASKS: Final[tuple[str, ...]] = ("organization", "ranking")
"""Those in which positions count."""


def discounts(subject: Subject, options: DrawOptions) -> list[tuple[str, int, float]]:
    """The discounts with n and w of the metrics that have them."""
    names = options.metrics or (subject.cube.metrics if subject.has_values else ("Rel",))
    tasks = TASKS if subject.task is None else [task for task in TASKS if task == subject.task]
    candidates = (_discount(part) for name in names for task in tasks for part in _parts(name, task))
    return list(dict.fromkeys(one for one in candidates if one is not None))


def _parts(name: str, task: str) -> tuple[Single, ...]:
    """The single metrics of a name; none where the task has no such metric."""
    try:
        return parse(name, None, task).parts
    except BadUsage:
        return ()


def _discount(single: Single) -> tuple[str, int, float] | None:
    bound: dict[str, Any] = dict(single.arguments)
    by_position = {"discount", "weights"} <= bound.keys() and bound["discount"] != "time" and bound["weights"] is None
    counts = by_position and bound["collection"] == "unlimited"
    return (str(bound["discount"]), int(bound["n"]), float(bound["w"])) if counts else None


def discounts_by_position(subject: Subject, options: DrawOptions) -> str | None:
    """A metric with a discount by position is needed."""
    return None if discounts(subject, options) else "no metric here weighs positions by n and w, as Rel and Sens of lists do"


def _curves(subject: Subject, options: DrawOptions) -> list[Weights]:
    """The weights to draw: those that are given, or those of the metrics."""
    if isinstance(subject.result, Weights):
        return [subject.result]
    return [weights(n, w, discounts=discount) for discount, n, w in discounts(subject, options)]


def _rows(of: Weights) -> Iterator[Row]:
    for (discount,), table in of.table.group_by("discount", maintain_order=True):
        label = f"{str(discount).replace('_', ' ')}, n = {of.n}, w = {of.w:g}"
        yield {"system": label, "position": 0, "weight": None, "reached": 0.0, "at_n": False}
        for place, weight, reached in table.select("position", "weight", "reached").iter_rows():
            yield {"system": label, "position": place, "weight": weight, "reached": reached, "at_n": place == of.n}


@figure(
    "weights",
    title="How much positions count",
    caption="The share of Reliability and Sensitivity that the first positions of a list carry together, by the discount of "
    "the metrics: the first n carry w.",
    needs=discounts_by_position,
    options=("metrics",),
    compare_options=(),
    report=InReport(
        ReportSection(
            "positions",
            100,
            "How much does each position count?",
            "Reliability and Sensitivity give more weight to the top of a list; this is the share of the score that the first "
            "positions carry.",
        ),
        width=560,
        height=320,
        narrows=True,
    ),
    example="-m 'Rel(n=10)' -m 'Rel(n=30)' -m 'Rel(n=30,discount=geometric)'",
    example_metrics=("Rel", "Sens(n=10)"),
    systems_named=0,
    of=Weights,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """What the positions so far carry together, with a mark at n; of several curves the legend tells n and w."""
    rows = [row for one in _curves(subject, options) for row in _rows(one)]
    labels = list(dict.fromkeys(row["system"] for row in rows))
    marks = [{**row, "label": f"{row['reached']:.2f} at {row['position']}"} for row in rows if row["at_n"]]
    x = alt.X("position:Q", title="position", scale=alt.Scale(nice=False))
    y = alt.Y("reached:Q", title="share of the score so far", scale=alt.Scale(domain=[0, 1]))
    tooltip = [*number_fields("position", form=","), *number_fields(weight="its own share", reached="so far")]
    points = alt.Chart(inline_data(marks))
    alone = (
        [points.mark_text(style="ink", align="left", dx=8, dy=10).encode(text=alt.Text("label:N"))] if len(labels) == 1 else []
    )
    layers = [
        alt.Chart(inline_data(rows)).mark_line().encode(color=system_colour(labels, orient="bottom")),
        points.mark_point(style="ink", size=50, opacity=1),
        *alone,
    ]
    marks_text = "; ".join(f"{row['system']}: the first {row['position']} carry {row['reached']:.2f}" for row in marks)
    description = f"How much the first positions of a list carry in Reliability and Sensitivity; {marks_text}"
    return alt.layer(
        *(layer.encode(x=x, y=y, tooltip=tooltip) for layer in layers),
        width=options.width_or(WIDTH),
        height=options.height_or(HEIGHT),
        description=description,
    )
