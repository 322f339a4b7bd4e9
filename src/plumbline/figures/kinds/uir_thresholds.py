"""Which pairs a threshold of UIR accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.lines import end_labels, system_lines
from plumbline.figures.parts import Chart, number_fields, text_fields
from plumbline.figures.uir_pairs import MOST_SYSTEMS, NEEDS, STUDY, few_pairs
from plumbline.lazily import alt
from plumbline.options.evaluation import CompareOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 380, 280
SHARES: Final = {
    "accepted": "accepted",
    "every_weighting": "for every weighting",
    "concordant": "concordant",
    "opposite": "opposite",
    "better_score": "better score",
}
UNUSED: Final = frozenset({"margin", "uir_threshold", "primary", "rule", "baseline", "resamples", "test", "alpha"})


@figure(
    "uir_thresholds",
    title="What a threshold of UIR accepts",
    caption="The share of pairs with a UIR of at least the threshold, and of these the shares that are better for every "
    "weighting, significantly better by all metrics that differ, significantly better by some and worse by others, and better "
    "by the combined score. Like Figure 10 of the UIR paper, which chooses 0.25.",
    needs=NEEDS,
    compare_options=tuple(name for name in declared(CompareOptions) if name not in UNUSED),
    report=InReport(STUDY, order=3, width=460, height=320, narrows=True, most_systems=MOST_SYSTEMS, says_nothing=few_pairs),
    example="qrels.txt runs/*.run -m P@10 -m R@10",
    systems_named=0,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line for each share."""
    comparison = subject.compared_by(options.metrics, options.systems)
    rows = [
        {"system": text, "threshold": row["threshold"], "value": row[name]}
        for name, text in SHARES.items()
        for row in comparison.thresholds.iter_rows(named=True)
        if row[name] is not None
    ]
    colours, height = {text: place for place, text in enumerate(SHARES.values())}, options.height_or(HEIGHT)
    x = alt.X("threshold:Q", title="threshold of UIR", scale=alt.Scale(domain=[0, 0.8]))
    y = alt.Y("value:Q", title="share of pairs", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    tooltip = [*text_fields("system"), *number_fields("threshold", "value", form=".2f")]
    layers = [
        *system_lines(rows, colours, tooltip=tooltip, x=x, y=y),
        *end_labels(rows, colours, along="threshold", span=[0, 1], height=height, x=x, y=y),
    ]
    count = len(comparison.systems)
    at = {row["system"]: row["value"] for row in rows if row["threshold"] == 0.25}  # noqa: PLR2004 - the threshold of the paper
    shares = ", ".join(f"{text} {value:.0%}" for text, value in at.items())
    return alt.layer(
        *layers,
        width=options.width_or(WIDTH),
        height=height,
        description=f"What thresholds of UIR accept of {plural(count * (count - 1) // 2, 'pair')}; at 0.25: {shares}",
    )
