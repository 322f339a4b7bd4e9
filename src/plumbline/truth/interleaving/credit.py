"""Which clicks count, and how much: all of them, the first or the last, satisfied ones, or by a weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import BadData, interleaving
from plumbline.io.interleaved.log import CLICKED, DWELL, POSITION, SESSION, WEIGHT, WHEN

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.io.interleaved.log import Log


def credited(log: Log, credit: str, satisfied_after: float) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """The clicks that count, each with its `amount`."""
    clicks = log.rows.filter(pl.col(CLICKED))
    if clicks.is_empty():
        raise BadData(interleaving.no_clicks(log.label, ["click"], ""))
    notices: list[Diagnostic] = []
    amount = pl.lit(1.0)
    if credit in {"first", "last"}:
        clicks = _one_of_each(log, clicks, credit)
    elif credit == "weighted":
        if WEIGHT not in clicks.columns or clicks[WEIGHT].null_count():
            raise BadData(interleaving.no_credit(log.label, credit, "a weight of every click"))
        amount = pl.col(WEIGHT)
    elif credit == "satisfied":
        clicks, notices = _satisfied(log, clicks, satisfied_after)
    if clicks.is_empty():
        raise BadData(interleaving.no_clicks(log.label, [f"{credit} click"], ""))
    return clicks.with_columns(amount.alias("amount")), notices


def _one_of_each(log: Log, clicks: pl.DataFrame, credit: str) -> pl.DataFrame:
    """The first or the last click of each session, by time; by position where the log has no times."""
    by = next((name for name in (WHEN, POSITION) if name in clicks.columns and not clicks[name].null_count()), None)
    if by is None:
        raise BadData(interleaving.no_credit(log.label, credit, "a time or a position of every click"))
    ordered = clicks.sort(SESSION, by, maintain_order=True)
    return ordered.unique(SESSION, keep="first" if credit == "first" else "last", maintain_order=True)


def _satisfied(log: Log, clicks: pl.DataFrame, after: float) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """Clicks with enough seconds on the item; without such a column, until the next click of the session."""
    if DWELL in clicks.columns and clicks[DWELL].null_count() < len(clicks):
        return clicks.filter(pl.col(DWELL) >= after), []
    if WHEN not in clicks.columns or clicks[WHEN].null_count():
        raise BadData(interleaving.no_credit(log.label, "satisfied", "the seconds on an item, or a time of every click"))
    ordered = clicks.sort(SESSION, WHEN, maintain_order=True)
    stayed = (pl.col(WHEN).shift(-1) - pl.col(WHEN)).over(SESSION)
    kept = ordered.filter(stayed.is_null() | (stayed >= after))
    return kept, [interleaving.dwell_from_moments(log.label)]
