"""How well the differences in one collection predict what holds in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.generalise.elsewhere import Elsewhere
from plumbline.comparison.generalise.forecast import CURVES, forecast
from plumbline.errors import BadUsage, figures
from plumbline.figures.figure import DrawOptions, figure
from plumbline.figures.kinds.strictness import two_cases
from plumbline.figures.labels import clipped
from plumbline.figures.needs import two_systems
from plumbline.figures.parts import Chart, Row, display_names, inline_data, listed, number_fields, panels, text_fields
from plumbline.lazily import alt

if TYPE_CHECKING:
    import polars as pl

    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 360, 280
WIDE: Final = 640
"""The width of several panels."""
COLUMNS: Final = 2
MOST_POINTS: Final = 400
"""Of a longer curve only so many points are drawn."""
FEW_POINTS: Final = 40
"""Points of shorter curves are marked."""


def _curves(subject: Subject, options: DrawOptions) -> pl.DataFrame:
    """The curves of a result, or those of the halves of the cases."""
    if not isinstance(subject.result, Elsewhere):
        return forecast(subject.only(options.metrics, options.systems), splits=CURVES).curves()
    if options.metrics or options.systems:
        raise BadUsage(figures.cannot_draw("prediction", "it shows the metrics and systems that elsewhere() was given"))
    return subject.result.curves


def drawn_points(count: int, most: int = MOST_POINTS) -> list[int]:
    """Which points of a curve are drawn: all, or fewer and fewer from the strictest threshold on; always both ends."""
    if count <= most:
        return list(range(count))
    return sorted({round(float(place)) - 1 for place in np.geomspace(1, count, most)})


def _rows(curves: pl.DataFrame, names: dict[str, str]) -> dict[str, list[Row]]:
    """The points of each reference, predictor by predictor; without a recall there is nothing to draw."""
    rows: dict[str, list[Row]] = {}
    for (reference, predictor), points in curves.drop_nulls(["recall", "precision"]).group_by(
        ["reference", "predictor"], maintain_order=True
    ):
        some = points[drawn_points(len(points))].iter_rows(named=True)
        curve = rows.setdefault(names[str(reference)], [])
        curve += [
            {
                "predictor": predictor,
                "recall": row["recall"],
                "precision": row["precision"],
                "accepted": row["accepted"],
                "order": place,
            }
            for place, row in enumerate(some)
        ]
    return rows


def _panel(rows: list[Row], title: str, predictors: list[str]) -> Chart:
    """The curves from one reference."""
    unit = alt.Scale(domain=[0, 1])
    marked = len(rows) <= FEW_POINTS * len(predictors)
    counted = number_fields(form="d", accepted="accepted pairs") if rows[0]["accepted"] is not None else []
    return (
        alt.Chart(inline_data(rows))
        .mark_line(point=alt.OverlayMarkDef(size=22) if marked else False)
        .encode(
            x=alt.X("recall:Q", title=title, scale=unit),
            y=alt.Y("precision:Q", title="precision", scale=unit),
            color=alt.Color("predictor:N", scale=alt.Scale(domain=predictors), legend=alt.Legend(title=None, orient="bottom")),
            order=alt.Order("order:Q"),
            tooltip=[*text_fields("predictor"), *number_fields("recall", "precision", form=".2f"), *counted],
        )
    )


@figure(
    "prediction",
    title="What predicts the differences that hold elsewhere",
    caption="Of the pairs that a predictor accepts in one collection, the share that has the same winner in all (precision), "
    "and the share of all such pairs that it accepts (recall), from the strictest threshold to none; a higher line predicts "
    "better. With one collection, one half of its cases predicts both, as the mean of 20 random splits. Like Figures 11 to 13 "
    "of the UIR paper.",
    needs=(two_systems, two_cases),
    example="tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR",
    systems_named=0,
    of=Elsewhere,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A panel for each reference with a line for each predictor."""
    curves = _curves(subject, options)
    names = display_names(curves["reference"].unique(maintain_order=True)) if len(curves) else {}
    rows = _rows(curves, names)
    if not rows:
        raise BadUsage(figures.cannot_draw("prediction", "no pair of systems has the same winner throughout"))
    predictors = list(dict.fromkeys(row["predictor"] for points in rows.values() for row in points))
    drawn = [_panel(points, f"recall, from {clipped(name)}", predictors) for name, points in rows.items()]
    columns, single = min(COLUMNS, len(drawn)), len(drawn) == 1
    description = f"Precision and recall with which {listed(predictors)} predict the pairs that hold, from {listed(names)}"
    width, height = options.width_or(WIDTH if single else WIDE), options.height_or(HEIGHT)
    return panels(drawn, width, columns, height=height, description=description)
