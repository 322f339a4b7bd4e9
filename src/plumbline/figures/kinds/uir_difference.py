"""UIR against the difference of the combined score, a dot for each pair of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, inline_data, listed, number_fields, text_fields
from plumbline.figures.uir_pairs import MOST_SYSTEMS, NEEDS, OPTIONS, STUDY, few_pairs, pairs, score_name
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 360, 280
THRESHOLD: Final = 0.25


@figure(
    "uir_difference",
    title="UIR and the difference of the score",
    caption="Each dot is a pair of systems, in the direction in which UIR is positive. A large difference of the combined "
    "score with a small UIR depends on how the metrics are weighted. Left of 0, the score "
    "contradicts UIR. Like Figure 5 of the UIR paper.",
    needs=NEEDS,
    compare_options=OPTIONS,
    report=InReport(STUDY, order=1, width=420, height=320, narrows=True, most_systems=MOST_SYSTEMS, says_nothing=few_pairs),
    example="qrels.txt runs/*.run -m P@10 -m R@10",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """The difference to the right, UIR upwards; a line at the usual threshold."""
    rows, score = pairs(subject, options), listed([score_name(subject, options)])
    x = alt.X("difference:Q", title=f"difference by {score}", scale=alt.Scale(zero=True))
    y = alt.Y("uir:Q", title="UIR", scale=alt.Scale(domain=[0, 1]))
    tooltip = [*text_fields("better", "worse"), *number_fields(form=".3f", uir="UIR", difference=score)]
    zero = alt.Chart(inline_data([{"difference": 0.0}])).mark_rule(style="quiet").encode(x=x)
    line = alt.Chart(inline_data([{"uir": THRESHOLD}])).mark_rule(style="quiet", strokeDash=[4, 3]).encode(y=y)
    dots = alt.Chart(inline_data(rows)).mark_circle(style="first", size=30, opacity=0.6)
    against, high = sum(row["difference"] < 0 for row in rows), sum(row["uir"] >= THRESHOLD for row in rows)
    systems = listed(dict.fromkeys(name for row in rows for name in (row["better"], row["worse"])))
    return alt.layer(
        zero,
        line,
        dots.encode(x=x, y=y, tooltip=tooltip),
        width=options.width_or(WIDTH),
        height=options.height_or(HEIGHT),
        description=f"UIR and the difference by {score} of {plural(len(rows), 'pair')}: {high} have a UIR from 0.25, "
        f"in {against} the score speaks against it; systems: {systems}",
    )
