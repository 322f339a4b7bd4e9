"""The differences of two systems on each case, sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from plumbline.comparison.unanimity.unanimity import allowance
from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.labels import UNLIMITED, clipped, short_labels
from plumbline.figures.lines import colour_domain
from plumbline.figures.needs import TWO, two_systems
from plumbline.figures.palette import OTHERS, palette
from plumbline.figures.parts import (
    Chart,
    Row,
    display_names,
    inline_data,
    listed,
    name_axis,
    number_fields,
    signed,
    text_fields,
)
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, HEIGHT = 480, 220
MOST_NAMED: Final = 40
"""With more cases their names are left to the tooltips."""
LONGEST_CASE, LONGEST_LABEL, LONGEST_NAME = 15, 48, 14
"""Letters of the name of a case, of a line of the legend, and of a system beside the axis."""
FIRST, SECOND, NEITHER = 1, -1, 0
"""Which system is better on a case; numbers, since every word may be the name of a system."""


def shared_cases(subject: Subject, options: DrawOptions) -> str | None:
    """Two systems with cases in common are needed."""
    if options.systems and len(options.systems) != TWO:
        return f"it shows two systems, and {len(options.systems)} are named"
    metric, one, other = chosen(subject, options)
    both = ~np.isnan(subject.only((metric,), (one, other)).values[0]).any(axis=0)
    return None if both.any() else f"{listed([one])} and {listed([other])} share no case with a value of {listed([metric])}"


def chosen(subject: Subject, options: DrawOptions) -> tuple[str, str, str]:
    """The metric and the two systems: those that were named, else the first metric and its two best systems."""
    metric = (options.metrics or subject.cube.metrics)[0]
    if options.systems:
        return metric, options.systems[0], options.systems[1]
    means = subject.means
    ordered = [means.systems[at] for at in means.best_first(means.metrics.index(metric))]
    ordered.sort(key=lambda name: name in subject.floor)
    return metric, ordered[0], ordered[1]


def _rows(subject: Subject, metric: str, one: str, other: str) -> list[Row]:
    """Every case that both have, from the one that speaks most for the first system to the other end."""
    cube = subject.only((metric,), (one, other))
    cases = display_names(cube.cases)
    first, second = cube.values[0]
    gain = cube.signed[0, 0] - cube.signed[0, 1]
    equal = np.abs(gain) <= allowance(cube, subject.eps)[0].max(axis=0)
    return [
        {
            "case": cases[cube.cases[at]],
            "difference": float(first[at] - second[at]),
            "first": float(first[at]),
            "second": float(second[at]),
            "better": NEITHER if equal[at] else FIRST if gain[at] > 0 else SECOND,
        }
        for at in np.argsort(-gain, kind="stable").tolist()
        if not np.isnan(gain[at])
    ]


@figure(
    "differences",
    title="Differences case by case",
    caption="The difference of two systems on every case that both have, sorted. A mean can come from many small differences "
    "or from a few large ones. The dashed line is the mean difference. Differences up to eps count as none, and are grey.",
    needs=(two_systems, shared_cases),
    compare_options=("lower", "eps"),
    report=InReport(
        ReportSection(
            "cases",
            40,
            "Case by case",
            "A mean hides on which cases a system wins. Choose two systems and a metric: each bar is a case.",
        ),
        width=720,
        height=260,
        narrows=True,
    ),
    example="tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR --system strict --system words",
    systems_named=2,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A bar for each case; a line at the mean difference."""
    metric, one, other = chosen(subject, options)
    first, second = display_names([one, other]).values()
    rows = _rows(subject, metric, one, other)
    within = f"equal within {subject.eps:g}" if subject.eps else "equal"
    texts = {FIRST: f"{first} is better", SECOND: f"{second} is better", NEITHER: within}
    labels = {side: f"{plural(sum(row['better'] == side for row in rows), 'case')}: {text}" for side, text in texts.items()}
    mean = float(np.mean([row["difference"] for row in rows]))
    heading = f"{listed([metric])}: {clipped(first, LONGEST_NAME)} \N{MINUS SIGN} {clipped(second, LONGEST_NAME)}"
    y = alt.Y("difference:Q", title=heading, axis=alt.Axis(titleLimit=UNLIMITED))
    lower = bool(subject.only((metric,)).lower[0])
    colours = palette(subject)
    places = {labels[FIRST]: colours.get(first, OTHERS), labels[SECOND]: colours.get(second, OTHERS)}
    layers = [*_bars(rows, labels, places, (first, second)), *_mean(mean, at_end=(mean < 0) == lower)]
    description = (
        f"Differences of {first} and {second} by {listed([metric])} on {plural(len(rows), 'case')}, sorted; "
        f"{'; '.join(labels.values())}; mean {signed(mean, 4)}"
    )
    return alt.layer(
        *(layer.encode(y=y) for layer in layers),
        width=options.width_or(WIDTH),
        height=options.height_or(HEIGHT),
        description=description,
    )


def _bars(rows: list[Row], labels: dict[int, str], places: dict[str, int], systems: tuple[str, str]) -> list[Chart]:
    """Colours tell which system is better, grey that none is, and the legend how often."""
    few = len(rows) <= MOST_NAMED
    axis = name_axis(LONGEST_CASE, labelAngle=-90, title=None) if few else None
    cases = alt.Scale(domain=[row["case"] for row in rows], paddingInner=0.15 if few else 0)
    values = number_fields(first=systems[0], second=systems[1])
    decided, equal = (
        inline_data({**row, "better": labels[row["better"]]} for row in rows if (row["better"] == NEITHER) == tied)
        for tied in (False, True)
    )
    better = alt.Scale(domain=colour_domain(places))
    neither = alt.Scale(domain=[labels[NEITHER]], range=[1.0])
    legend = alt.Legend(title=None, orient="top", **short_labels(LONGEST_LABEL))
    both = alt.Legend(title=None, orient="top", values=list(places), **short_labels(LONGEST_LABEL))
    layers = [
        alt.Chart(decided).mark_bar().encode(color=alt.Color("better:N", scale=better, legend=both)),
        alt.Chart(equal).mark_bar(style="quiet_bar").encode(opacity=alt.Opacity("better:O", scale=neither, legend=legend)),
    ]
    x = alt.X("case:N", scale=cases, axis=axis)
    return [
        one.encode(x=x, tooltip=[*text_fields("case"), *number_fields("difference", form="+.4f"), *values]) for one in layers
    ]


def _mean(mean: float, *, at_end: bool) -> list[Chart]:
    """Lines at 0 and at the mean, which is written at the end and on the side where no bar reaches it."""
    zero = alt.Chart(inline_data([{"difference": 0.0}])).mark_rule(style="quiet")
    line = alt.Chart(inline_data([{"difference": mean, "label": f"mean {signed(mean, 3)}"}]))
    baseline: Literal["top", "bottom"] = "top" if mean < 0 else "bottom"
    align: Literal["right", "left"] = "right" if at_end else "left"
    label = line.mark_text(style="ink", align=align, baseline=baseline, dy=4 if mean < 0 else -3)
    end = alt.value("width" if at_end else 0)
    return [zero, line.mark_rule(style="ink", strokeDash=[4, 3]), label.encode(text=alt.Text("label:N"), x=end)]
