"""Learning curves: the scores at each number of labels, and the power laws through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.figures.figure import DrawOptions, figure
from plumbline.figures.parts import Chart, display_names, inline_data, listed, name_legend, number_fields, panels, text_fields
from plumbline.lazily import alt
from plumbline.schema import METRIC, SYSTEM
from plumbline.tools.learning import LearningCurves

if TYPE_CHECKING:
    from plumbline.figures.parts import Row
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 360, 260
WIDE: Final = 640
COLUMNS: Final = 2


def only_curves(subject: Subject, _: DrawOptions) -> str | None:
    """What `learning` returns is needed."""
    return None if isinstance(subject.result, LearningCurves) else "it needs a result of learning()"


@figure(
    "learning",
    title="What more labels would bring",
    caption="Scores over the number of labels that learners were trained with, on a logarithmic scale, and a power law through "
    "those of each system, drawn up to twice the largest number. Where two curves cross, the one that comes from below is "
    "better from there on.",
    needs=only_curves,
    options=(),
    compare_options=(),
    example="curves.parquet",
    of=LearningCurves,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A panel for each metric with points and a line for each system."""
    result = subject.result
    assert isinstance(result, LearningCurves)
    names = display_names(result.curves[SYSTEM].unique(maintain_order=True))
    metrics = result.curves[METRIC].unique(maintain_order=True).to_list()
    drawn = [
        _panel(_rows(result.table, metric, names), _rows(result.lines, metric, names), metric, list(names.values()))
        for metric in metrics
    ]
    width = options.width_or(WIDTH if len(drawn) == 1 else WIDE)
    description = f"Learning curves of {listed(names)} by {listed(metrics)}"
    return panels(drawn, width, min(COLUMNS, len(drawn)), height=options.height_or(HEIGHT), description=description)


def _rows(table: pl.DataFrame, metric: str, names: dict[str, str]) -> list[Row]:
    chosen = table.filter(pl.col(METRIC) == metric).drop_nulls("value").iter_rows(named=True)
    return [{SYSTEM: names[row[SYSTEM]], "size": row["size"], "value": row["value"]} for row in chosen]


def _panel(points: list[Row], lines: list[Row], metric: str, domain: list[str]) -> Chart:
    sizes = sorted({row["size"] for row in points})
    ticks = alt.Axis(values=[*sizes, 2 * sizes[-1]], format=",d", labelOverlap=True)
    x = alt.X("size:Q", title="labels", scale=alt.Scale(type="log", nice=False, padding=8), axis=ticks)
    y = alt.Y("value:Q", title=listed([metric]), scale=alt.Scale(zero=False))
    colour = alt.Color(f"{SYSTEM}:N", scale=alt.Scale(domain=domain), legend=name_legend(orient="bottom"))
    scores = number_fields(form=".3f", value=listed([metric]))
    tooltip = [*text_fields(SYSTEM), *number_fields(form=",.0f", size="labels"), *scores]
    line = alt.Chart(inline_data(lines)).mark_line().encode(x=x, y=y, color=colour, tooltip=tooltip)
    point = alt.Chart(inline_data(points)).mark_point(filled=True, size=40).encode(x=x, y=y, color=colour, tooltip=tooltip)
    return alt.layer(line, point)
