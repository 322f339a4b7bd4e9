"""UIR against the smallest improvement by a single metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, Row, inline_data, listed, number_fields, text_fields
from plumbline.figures.uir_pairs import MOST_SYSTEMS, NEEDS, OPTIONS, STUDY, few_pairs, pairs
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 360, 280
LARGEST: Final = 10
"""Pairs with the largest differences, which the paper looks at."""
FEWEST: Final = 3


def correlation(rows: list[Row]) -> float | None:
    """Pearson's correlation of UIR and the smallest improvement; None if one of them is the same everywhere."""
    uir, weakest = (np.array([row[field] for row in rows]) for field in ("uir", "weakest"))
    if len(rows) < FEWEST or np.ptp(uir) == 0 or np.ptp(weakest) == 0:
        return None
    return float(np.corrcoef(uir, weakest)[0, 1])


@figure(
    "uir_weakest",
    title="UIR and the weakest improvement",
    caption="Each dot is a pair of systems, in the direction in which UIR is positive; to the right is the difference by the "
    f"metric that improves least. Filled dots are the {LARGEST} pairs with the largest difference of the combined score. "
    "Like Figure 7 of the UIR paper.",
    needs=NEEDS,
    compare_options=OPTIONS,
    report=InReport(STUDY, order=2, width=420, height=320, narrows=True, most_systems=MOST_SYSTEMS, says_nothing=few_pairs),
    example="qrels.txt runs/*.run -m P@10 -m R@10",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """The smallest improvement to the right, UIR upwards."""
    rows = sorted(pairs(subject, options), key=lambda row: -row["difference"])
    x = alt.X("weakest:Q", title="smallest difference by a single metric", scale=alt.Scale(zero=True))
    y = alt.Y("uir:Q", title="UIR", scale=alt.Scale(domain=[0, 1]))
    tooltip = [*text_fields("better", "worse"), *number_fields(form=".3f", uir="UIR", weakest="smallest difference")]
    zero = alt.Chart(inline_data([{"weakest": 0.0}])).mark_rule(style="quiet").encode(x=x)
    largest, rest = (
        alt.Chart(inline_data(some)).encode(x=x, y=y, tooltip=tooltip) for some in (rows[:LARGEST], rows[LARGEST:])
    )
    coefficient = correlation(rows[:LARGEST])
    subtitle = (
        ""
        if coefficient is None
        else f"Pearson correlation of the {plural(len(rows[:LARGEST]), 'largest pair')}: {coefficient:.2f}"
    )
    systems = listed(dict.fromkeys(name for row in rows for name in (row["better"], row["worse"])))
    layers = [
        zero,
        rest.mark_point(style="first", size=24, opacity=0.6),
        largest.mark_circle(style="first", size=50, opacity=1),
    ]
    return alt.layer(
        *layers,
        width=options.width_or(WIDTH),
        height=options.height_or(HEIGHT),
        title=alt.TitleParams("", subtitle=subtitle),
        description=f"UIR and the smallest difference by a single metric of {plural(len(rows), 'pair')}. {subtitle}; "
        f"systems: {systems}",
    )
