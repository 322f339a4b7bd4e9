"""How well each click model predicts held-out sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import listing, plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, inline_data, listed, number_fields, text_fields
from plumbline.figures.users import CLICKS, only_clicks
from plumbline.lazily import alt
from plumbline.truth.clicks.result import ClickModels

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH, STEP = 480, 26
DIGITS: Final = ".4f"


@figure(
    "click_ladder",
    title="How well click models predict held-out sessions",
    caption="The mean logarithm of the probability of what happened at each place, given the clicks above; further right is "
    "better. A model for which something that happened is impossible is left out.",
    needs=only_clicks,
    options=(),
    compare_options=(),
    report=InReport(CLICKS, order=1, width=600),
    example="models.parquet",
    systems_named=0,
    of=ClickModels,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A dot for each model, the best one at the top."""
    result = subject.result
    assert isinstance(result, ClickModels)
    wanted = ("model", "log_likelihood", "perplexity", "conditional_perplexity")
    possible = result.scores.filter(pl.col("log_likelihood").is_finite())
    rows = possible.select(wanted).sort("log_likelihood", descending=True).to_dicts()
    names = [row["model"] for row in rows]
    missing = [name for name in result.models if name not in names]
    left_out = f"; left out, because something that happened is impossible: {listing(missing)}" if missing else ""
    return (
        alt.Chart(inline_data(rows))
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=alt.X("log_likelihood:Q", title="log-likelihood of a place", scale=alt.Scale(zero=False, nice=True)),
            y=alt.Y("model:N", sort=names, title=None, axis=alt.Axis(grid=True)),
            tooltip=[
                *text_fields("model"),
                *number_fields("log_likelihood", "perplexity", "conditional_perplexity", form=DIGITS),
            ],
        )
        .properties(
            width=options.width_or(WIDTH),
            height=options.height_or(STEP * max(len(rows), 1)),
            description=f"Log-likelihood of {plural(len(rows), 'click model')}, the best one first: {listed(names)}{left_out}",
        )
    )
