"""Organizations written as JSON with levels, or as tables of case, item, level and cluster."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, organizations
from plumbline.io.formats.write import ending_of, write_packed
from plumbline.schema import CASE, ITEM, LABEL, VALUE

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table

_LEVEL: Final = "level"
_CLUSTER: Final = "cluster"
_NESTED: Final = (".json", ".jsonl")
_TABLES: Final = (".csv", ".tsv", ".parquet", ".arrow")


def write_organization(read: Table, path: Path, *, force: bool) -> list[Diagnostic]:
    """Write levels from 1, the best; the format is told by the ending, and what could not be written is said."""
    ending = ending_of(path, (*_NESTED, *_TABLES))
    frame = read.frame.select(
        pl.col(CASE).cast(pl.String),
        ITEM,
        pl.col(VALUE).rank("dense", descending=True).over(CASE).cast(pl.Int64).alias(_LEVEL),
        pl.col(LABEL).alias(_CLUSTER),
    )
    if ending in _NESTED:
        text = _text(_objects(frame, read.empty_cases, str(path)), ending)
        write_packed(lambda file: file.write(text), path, force=force)
        return []
    write_packed(lambda file: _write_table(frame, ending, file), path, force=force)
    return [organizations.cases_not_written(str(path), list(read.empty_cases))] if read.empty_cases else []


def _write_table(frame: pl.DataFrame, ending: str, file: IO[bytes]) -> None:
    if ending in {".csv", ".tsv"}:
        frame.write_csv(file, separator="," if ending == ".csv" else "\t")
    elif ending == ".parquet":
        frame.write_parquet(file)
    else:
        frame.write_ipc(file)


def _text(objects: list[dict[str, Any]], ending: str) -> bytes:
    lines = [json.dumps(one, ensure_ascii=False) for one in objects]
    whole = "\n".join(lines) if ending == ".jsonl" else "[" + ",\n ".join(lines) + "]"
    return f"{whole}\n".encode()


def _objects(frame: pl.DataFrame, empty_cases: tuple[str, ...], path: str) -> list[dict[str, Any]]:
    """An object for each case, those with nothing prioritised last."""
    _refuse_spanning(frame, path)
    cases = frame.partition_by(CASE, maintain_order=True, as_dict=True)
    filled = [{"case": case, "levels": _levels(part)} for (case,), part in cases.items()]
    return [*filled, *({"case": case, "levels": []} for case in empty_cases)]


def _levels(part: pl.DataFrame) -> list[list[list[str]]]:
    """Clusters in the order of their first item; an item without a cluster is alone in its own."""
    levels: list[dict[str | int, list[str]]] = [{} for _ in range(part[_LEVEL].n_unique())]
    for row, (item, level, cluster) in enumerate(part.select(ITEM, _LEVEL, _CLUSTER).iter_rows()):
        levels[level - 1].setdefault(row if cluster is None else cluster, []).append(item)
    return [list(level.values()) for level in levels]


def _refuse_spanning(frame: pl.DataFrame, path: str) -> None:
    """In JSON clusters live inside levels."""
    named = frame.filter(pl.col(_CLUSTER).is_not_null())
    counts = named.group_by(CASE, _CLUSTER, maintain_order=True).agg(pl.col(_LEVEL).n_unique())
    wide = counts.filter(pl.col(_LEVEL) > 1).head(1)
    if len(wide):
        raise BadData(organizations.spans_levels(path, *wide.row(0)))
