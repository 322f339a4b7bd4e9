"""JSON and JSON Lines, written: nested objects, records, or levels of clusters."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

import polars as pl

from plumbline.errors import BadData, organizations
from plumbline.schema import CASE, END, ITEM, LABEL, SCORE, START, SUBTOPIC

if TYPE_CHECKING:
    from plumbline.io.registry import Rows


def write_json(rows: Rows, file: IO[bytes]) -> None:
    """Write `{case: {item: value}}`, or a list of records where that has no room for everything."""
    if rows.kind == "levels":
        lines = ",\n ".join(_dumped(one) for one in _organizations(rows))
        file.write(f"[{lines}]\n".encode())
    elif rows.kind == "spans":
        file.write(f"{_dumped({case: [list(one.values()) for one in spans] for case, spans in _documents(rows)})}\n".encode())
    elif _fits_nested(rows):
        nested: dict[str, dict[str, Any]] = {
            str(case): dict(zip(part[ITEM].to_list(), part[rows.value].to_list(), strict=True))
            for (case,), part in rows.frame.group_by(CASE, maintain_order=True)
        }
        file.write(f"{_dumped({**nested, **{case: {} for case in rows.empty_cases}})}\n".encode())
    else:
        file.write(f"{_dumped(rows.frame.to_dicts())}\n".encode())


def write_jsonl(rows: Rows, file: IO[bytes]) -> None:
    """Write a record a line, or the levels of a case a line."""
    if rows.kind == "levels":
        file.write("".join(f"{_dumped(one)}\n" for one in _organizations(rows)).encode())
    elif rows.kind == "spans":
        file.write("".join(f"{_dumped({'id': case, 'spans': spans})}\n" for case, spans in _documents(rows)).encode())
    else:
        rows.frame.write_ndjson(file)


def _documents(rows: Rows) -> list[tuple[str, list[dict[str, Any]]]]:
    """Every document with its spans, those without any last."""
    cases = rows.frame.partition_by(CASE, maintain_order=True, as_dict=True, include_key=False)
    filled = [(str(case), part.select(START, END, LABEL).to_dicts()) for (case,), part in cases.items()]
    return [*filled, *((case, []) for case in rows.empty_cases)]


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fits_nested(rows: Rows) -> bool:
    """Whether an object has room for all: one value for each key."""
    two_values = (rows.value != SCORE and SCORE in rows.frame.columns) or SUBTOPIC in rows.frame.columns
    return not two_values and not rows.frame.select(pl.struct(CASE, ITEM).is_duplicated().any()).item()


def _organizations(rows: Rows) -> list[dict[str, Any]]:
    """An object for each case, those without items last."""
    _refuse_spanning(rows)
    cases = rows.frame.partition_by(CASE, maintain_order=True, as_dict=True)
    filled = [{"case": case, "levels": _levels(part)} for (case,), part in cases.items()]
    return [*filled, *({"case": case, "levels": []} for case in rows.empty_cases)]


def _levels(part: pl.DataFrame) -> list[list[list[str]]]:
    """Clusters in the order of their first item; an item without a cluster is alone in a cluster."""
    levels: list[dict[str | int, list[str]]] = [{} for _ in range(part["level"].n_unique())]
    for row, (item, level, cluster) in enumerate(part.select(ITEM, "level", "cluster").iter_rows()):
        levels[level - 1].setdefault(row if cluster is None else cluster, []).append(item)
    return [list(level.values()) for level in levels]


def _refuse_spanning(rows: Rows) -> None:
    """In JSON clusters live inside levels."""
    named = rows.frame.filter(pl.col("cluster").is_not_null())
    counts = named.group_by(CASE, "cluster", maintain_order=True).agg(pl.col("level").n_unique())
    spanning = counts.filter(pl.col("level") > 1).head(1)
    if len(spanning):
        raise BadData(organizations.spans_levels(rows.path, *spanning.row(0)))
