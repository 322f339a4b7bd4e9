"""Repeated pairs of case and item: refused, or resolved by the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.align.keys import may_repeat
from plumbline.errors import BadData, Diagnostic, labelling, notices, table
from plumbline.errors.base import MOST_SHOWN
from plumbline.lazily import pl
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from plumbline.io.table import Role, Table
    from plumbline.options.evaluation import Duplicates

_ROW: Final = "row"
"""The number of a row in the table that was read."""


def without_duplicates(
    frame: pl.DataFrame, pair_keys: NDArray[np.uint64], read: Table, role: Role, rule: Duplicates, what: str = "grade"
) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """The frame with one row per case and item; it has case codes and, unless all rows are there, a column `row`."""
    if not may_repeat(pair_keys, frame[CASE].to_numpy()):
        return frame, []
    numbered = frame if _ROW in frame.columns else frame.with_row_index(_ROW)
    repeated = numbered.filter(pl.struct(CASE, ITEM).is_duplicated())
    if repeated.is_empty():
        return frame, []
    differing = repeated.filter(pl.col(VALUE).n_unique().over(CASE, ITEM) > 1)
    clash = repeated if role == "output" else differing
    if rule == "error" and not clash.is_empty():
        raise BadData(*_named(clash, read, role, what))
    chosen = _chosen(repeated, rule)
    dropped = repeated.join(chosen, on=_ROW, how="anti")
    kept = numbered.join(dropped.select(_ROW), on=_ROW, how="anti", maintain_order="left").drop(_ROW)
    kind, reason = ("judgement", f"same {what}") if role == "gold" else ("item", f"kept the {rule}")
    row = int(dropped[_ROW].to_numpy().min())
    example = read.origin.places([row], "item")[0]
    reason = f"kept the {rule}" if rule != "error" else reason
    return kept, [notices.repeated(read.label, len(dropped), kind, example, reason)]


def _chosen(repeated: pl.DataFrame, rule: Duplicates) -> pl.DataFrame:
    ordered = repeated.sort(VALUE, descending=True, maintain_order=True) if rule == "best" else repeated
    return ordered.unique([CASE, ITEM], keep="last" if rule == "last" else "first", maintain_order=True).select(_ROW)


def _named(clash: pl.DataFrame, read: Table, role: Role, what: str) -> list[Diagnostic]:
    first = pl.col(_ROW).first().over(CASE, ITEM)
    again = clash.with_columns(first.alias("first")).filter(pl.col(_ROW) != pl.col("first"))
    shown = again.head(MOST_SHOWN)
    places = read.origin.places(shown[_ROW].to_list(), "item")
    firsts = read.origin.places(shown["first"].to_list(), "item")
    cases = read.frame[CASE].cast(pl.String).gather(shown[_ROW]).to_list()
    made = table.duplicate_item if role == "output" else table.duplicate_judgement
    if what == "label":
        made = labelling.duplicate_label
    named = [
        made(place, item, case, first)
        for place, item, case, first in zip(places, shown[ITEM].to_list(), cases, firsts, strict=True)
    ]
    return named + named[-1:] * (len(again) - len(named))
