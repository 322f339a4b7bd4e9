"""Repeated pairs of case and item: refused, or resolved by the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.align.keys import may_repeat
from plumbline.errors import BadData, Diagnostic, labelling, notices, table
from plumbline.errors.base import MOST_SHOWN, counted
from plumbline.lazily import pl
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from plumbline.errors import Place
    from plumbline.io.table import Origin, Role, Settled, Table
    from plumbline.options.evaluation import Duplicates

_ROW: Final = "row"
"""The number of a row in the table that was read."""


def without_duplicates(
    frame: pl.DataFrame, pair_keys: NDArray[np.uint64], read: Table, role: Role, rule: Duplicates, what: str = "grade"
) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """The frame with one row per case and item; it has case codes and, unless all rows are there, a column `row`."""
    if read.settled is not None:
        return frame, _of_settled(read, read.settled, role, rule, what)
    if not may_repeat(pair_keys, frame[CASE].to_numpy()):
        return frame, []
    numbered = frame if _ROW in frame.columns else frame.with_row_index(_ROW)
    clash, dropped = clash_and_rest(numbered, role, rule)
    if not clash.is_empty():
        raise BadData(*_named(clash, read, role, what))
    if dropped.is_empty():
        return frame, []
    kept = numbered.join(dropped.select(_ROW), on=_ROW, how="anti", maintain_order="left").drop(_ROW)
    row = int(dropped[_ROW].to_numpy().min())
    return kept, [_notice(read, len(dropped), read.origin.places([row], "item")[0], role, rule, what)]


def clash_and_rest(numbered: pl.DataFrame, role: Role, rule: Duplicates) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of items that may not be repeated, and otherwise those that are left out; `row` is the number of a row."""
    repeated = numbered.filter(pl.struct(CASE, ITEM).is_duplicated())
    if rule == "error":
        clash = repeated if role == "output" else repeated.filter(pl.col(VALUE).n_unique().over(CASE, ITEM) > 1)
        if not clash.is_empty():
            return clash, repeated.clear()
    return repeated.clear(), repeated.join(_chosen(repeated, rule), on=_ROW, how="anti")


def _of_settled(read: Table, settled: Settled, role: Role, rule: Duplicates, what: str) -> list[Diagnostic]:
    """The same of a table whose repeated rows were settled before."""
    if settled.clash is not None and len(settled.clash):
        raise BadData(*_messages(settled.clash, settled.clash[CASE].to_list(), settled.origin, role, what, settled.clashes))
    if not settled.repeated:
        return []
    return [_notice(read, settled.repeated, settled.origin.places([min(settled.examples)], "item")[0], role, rule, what)]


def _notice(read: Table, dropped: int, example: Place, role: Role, rule: Duplicates, what: str) -> Diagnostic:
    kind, reason = ("judgement", f"same {what}") if role == "gold" else ("item", f"kept the {rule}")
    return notices.repeated(read.label, dropped, kind, example, f"kept the {rule}" if rule != "error" else reason)


def _chosen(repeated: pl.DataFrame, rule: Duplicates) -> pl.DataFrame:
    ordered = repeated.sort(VALUE, descending=True, maintain_order=True) if rule == "best" else repeated
    return ordered.unique([CASE, ITEM], keep="last" if rule == "last" else "first", maintain_order=True).select(_ROW)


def _named(clash: pl.DataFrame, read: Table, role: Role, what: str) -> list[Diagnostic]:
    again = repeats(clash)
    cases = read.frame[CASE].cast(pl.String).gather(again[_ROW].head(MOST_SHOWN)).to_list()
    return _messages(again, cases, read.origin, role, what, len(again))


def repeats(clash: pl.DataFrame) -> pl.DataFrame:
    """The rows that repeat an item, each with the first row of the item."""
    first = pl.col(_ROW).first().over(CASE, ITEM)
    return clash.with_columns(first.alias("first")).filter(pl.col(_ROW) != pl.col("first"))


def _messages(again: pl.DataFrame, cases: list[str], origin: Origin, role: Role, what: str, count: int) -> list[Diagnostic]:
    shown = again.head(MOST_SHOWN)
    places = origin.places(shown[_ROW].to_list(), "item")
    firsts = origin.places(shown["first"].to_list(), "item")
    made = table.duplicate_item if role == "output" else table.duplicate_judgement
    if what == "label":
        made = labelling.duplicate_label
    named = [
        made(place, item, case, first)
        for place, item, case, first in zip(places, shown[ITEM].to_list(), cases[:MOST_SHOWN], firsts, strict=True)
    ]
    return counted(named, count)
