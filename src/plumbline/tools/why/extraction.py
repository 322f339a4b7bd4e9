"""Extractors: every span with its verdict, and the text that it covers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.compute.extraction import matching_of
from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.schema import ITEM
from plumbline.views.verdicts import judged_spans

if TYPE_CHECKING:
    from plumbline.align.extraction import AlignedSpans
    from plumbline.metrics.measure import Single
    from plumbline.tools.why.result import Why


def explain_spans(aligned: AlignedSpans, measure: Single, number: int, plain: Why, item: str | None) -> Why:
    """A row for each span of the gold and of the output, those that answer each other in one."""
    system, case = divmod(number, len(aligned.cases))
    documents = np.flatnonzero(aligned.case_of == case)
    rows = judged_spans(aligned, system, documents, matching_of(measure))
    names = pl.Series(aligned.gold.documents, dtype=pl.String).gather(rows["document"]) if aligned.pooled else None
    table = rows.drop("document", "credit") if names is None else rows.drop("credit").with_columns(names.alias("document"))
    if item is not None:
        table = _of_item(table, item, "=" if aligned.shape == "slots" else " ")
    credit = float(rows["credit"].sum())
    wanted, given = (int(rows[name].is_not_null().sum()) for name in ("gold", "output"))
    over = {"P": given, "R": wanted}.get(measure.metric.name)
    if over is None or dict(measure.arguments).get("class") is not None or dict(measure.arguments)["average"] != "micro":
        return replace(plain, rows=table)
    if matching_of(measure).match == "positions":
        return replace(plain, rows=table)
    return replace(plain, rows=table, filled=f"{credit:g} / {over}")


def _of_item(table: pl.DataFrame, item: str, separator: str) -> pl.DataFrame:
    """The rows of a span, which is named by its place, such as 17-32; those of a field, which has a name."""
    places = [pl.col(side).str.split(separator).list.first() for side in ("gold", "output")]
    rows = table.filter(pl.any_horizontal(place == item for place in places))
    if rows.is_empty():
        known = table.select(pl.coalesce(places)).to_series().to_list()
        raise BadUsage(usage.unknown_name(ITEM, item, nearest(item, known, n=2)))
    return rows
