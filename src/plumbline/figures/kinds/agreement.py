"""The agreement of every two assessors, as a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.judgements import JUDGEMENTS, only_agreement
from plumbline.figures.kinds.unanimity import CELL, LONGEST_ABOVE, MOST_WRITTEN, SMALL_CELL
from plumbline.figures.parts import (
    Chart,
    Row,
    cell_numbers,
    display_names,
    inline_data,
    listed,
    name_axis,
    number_fields,
    numbers_fit,
    text_fields,
)
from plumbline.lazily import alt
from plumbline.truth.agreement.result import AssessorAgreement

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

PREFERRED: Final = ("alpha", "weighted_kappa", "kappa", "agreement")
"""The coefficient that is drawn: the first of these that there is, or the first of all."""
BESIDE: Final = frozenset({"a", "b", "items", "cases", "bias"})
DIGITS: Final = 6
STRONG: Final = 0.6
"""From this value on, the colour is so strong that its number is written in the colour of the background."""


def coefficient_of(result: AssessorAgreement) -> str:
    """The coefficient that is drawn."""
    known = [name for name, kind in result.pairs.schema.items() if name not in BESIDE and kind.is_numeric()]
    return next((name for name in PREFERRED if name in known and result.pairs[name].count()), known[0])


def nothing_paired(subject: Subject) -> str | None:
    """Why a page leaves the matrix out."""
    result = subject.result
    alone = isinstance(result, AssessorAgreement) and result.pairs.height <= 1
    return "There is one pair of assessors, whose agreement stands in the table." if alone else None


@figure(
    "agreement",
    title="How much every two assessors agree",
    caption="A coefficient of every pair: 1 is perfect agreement, 0 is that of chance. Assessors are in the order of their "
    "mean agreement with the others, so those that differ from the rest stand at the end.",
    needs=only_agreement,
    options=(),
    compare_options=(),
    report=InReport(JUDGEMENTS, order=1, narrows=True, says_nothing=nothing_paired),
    example="judges.parquet",
    systems_named=0,
    of=AssessorAgreement,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Rows against columns; the darker, the more they agree."""
    result = subject.result
    assert isinstance(result, AssessorAgreement)
    name = coefficient_of(result)
    both = pl.concat(
        [
            result.pairs.select("a", "b", "items", name),
            result.pairs.select(pl.col("b").alias("a"), pl.col("a").alias("b"), "items", name),
        ]
    )
    means = both.group_by("a").agg(pl.col(name).mean()).sort(name, "a", descending=[True, False], nulls_last=True)
    order = display_names(means["a"].to_list())
    cells: list[Row] = [
        {
            "assessor": order[a],
            "other": order[b],
            "items": items,
            "value": value,
            "label": "" if value is None else f"{value:.2f}",
            "strong": value is not None and value >= STRONG,
        }
        for a, b, items, value in both.iter_rows()
    ]
    domain = alt.Scale(domain=list(order.values()))
    base = alt.Chart(inline_data(cells)).encode(
        x=alt.X("other:N", scale=domain, title=None, axis=name_axis(LONGEST_ABOVE, orient="top", labelAngle=-90)),
        y=alt.Y("assessor:N", scale=domain, title=None, axis=name_axis()),
        tooltip=[*text_fields("assessor", "other"), *number_fields("items", form=","), *number_fields("value", form=".4f")],
    )
    legend = alt.Legend(title=name, orient="top", gradientLength=180, format=".1f")
    rects = base.mark_rect().encode(
        color=alt.Color("value:Q", scale=alt.Scale(domain=[0, 1], clamp=True, range="heatmap"), legend=legend)
    )
    count = len(order)
    numbered = count <= MOST_WRITTEN and numbers_fit(options.width_or(CELL * count), count, DIGITS)
    size = count * (CELL if numbered else SMALL_CELL)
    return alt.layer(
        rects,
        *(cell_numbers(base, "label:N") if numbered else []),
        width=options.width_or(size),
        height=options.height_or(size),
        description=f"{name} of {plural(result.pairs.height, 'pair')} of assessors, those who agree most with the "
        f"others first: {listed(order.values())}",
    )
