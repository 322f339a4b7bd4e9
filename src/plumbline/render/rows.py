"""Scores as rows: CSV, TSV, JSON, JSON Lines and trec_eval's own layout."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors.base import without_controls
from plumbline.schema import ALL, CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def delimited(per_case: pl.DataFrame | None, mean: pl.DataFrame, separator: str) -> str:
    """`system,case,metric,value`; the mean is the row with case `all`, an undefined value is empty."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow([SYSTEM, CASE, METRIC, VALUE])
    for row in _rows(per_case, mean):
        case = f"{ALL} (case)" if row["kind"] == "case" and row[CASE] == ALL else row[CASE]
        value = "" if row[VALUE] is None else repr(row[VALUE])
        writer.writerow([harmless(row[SYSTEM]), harmless(case), row[METRIC], value])
    return out.getvalue()


def harmless(name: str) -> str:
    """A name that a spreadsheet would run as a formula gets an apostrophe in front; control characters are spelled out."""
    return f"'{without_controls(name)}" if name.startswith(_FORMULA) else without_controls(name)


def _with_reason(rows: Iterator[dict[str, Any]], reasons: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """A null says why it is null."""
    for row in rows:
        yield {**row, "reason": reasons[row[METRIC]]} if row[VALUE] is None else row


def _rows(per_case: pl.DataFrame | None, mean: pl.DataFrame) -> Iterator[dict[str, Any]]:
    for name in mean[SYSTEM].unique(maintain_order=True).to_list():
        if per_case is not None:
            for row in per_case.filter(pl.col(SYSTEM) == name).iter_rows(named=True):
                yield {"kind": "case", **row}
        for row in mean.filter(pl.col(SYSTEM) == name).iter_rows(named=True):
            yield {"kind": "summary", SYSTEM: row[SYSTEM], CASE: ALL, **row}


def json_lines(per_case: pl.DataFrame | None, mean: pl.DataFrame, reasons: Mapping[str, str]) -> str:
    """One object a line; `kind` tells cases from the summary."""
    rows = _with_reason(_rows(per_case, mean), reasons)
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def json_whole(
    per_case: pl.DataFrame | None,
    mean: pl.DataFrame,
    reasons: Mapping[str, str],
    made: dict[str, Any],
    notices: list[dict[str, Any]],
) -> str:
    """Everything in one object: numbers in full precision, an undefined value null with its reason."""
    rows = list(_with_reason(_rows(per_case, mean), reasons))
    return json.dumps({"made": made, "scores": rows, "notices": notices}, indent=1) + "\n"
