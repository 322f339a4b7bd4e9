"""Tables written in any of the formats that have a writer; the ending of the file name chooses it."""

from __future__ import annotations

import gzip
from typing import IO, TYPE_CHECKING, cast

import polars as pl

from plumbline.errors import BadUsage, organizations, usage
from plumbline.io.bytes.atomic import write_atomically
from plumbline.io.paths import name_of
from plumbline.io.registry import Rows, writers
from plumbline.schema import CASE, FILLER, HEAD, ITEM, LABEL, RECORD, START, TAIL, VALUE, WEIGHT

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.errors import Diagnostic
    from plumbline.io.registry import Writer
    from plumbline.io.table import Role, Table
    from plumbline.schema import TableKind


def write(table: Table, path: Path, role: Role, *, force: bool) -> list[Diagnostic]:
    """Write a table completely or not at all; `.gz` compresses. Returns notices about what the format cannot hold."""
    rows = _rows(table, path, role)
    writer = _writer_of(path, rows.kind)
    if not writer.lists and isinstance(rows.frame.schema.get("label"), pl.List):
        rows = _rows(table, path, role, one_label_a_row=True)
    with write_atomically(path, force=force) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
                writer(rows, cast("IO[bytes]", packed))
        else:
            writer(rows, file)
    unwritten = () if rows.kind in writer.empty_cases else rows.empty_cases
    return [organizations.cases_not_written(str(path), list(unwritten))] if unwritten else []


def suffix_of(path: Path) -> str:
    """The ending of a path that chooses the format."""
    return path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix


def role_by_suffix(path: Path) -> Role | None:
    """Whether the ending of a name is one that only gold has, or only outputs."""
    roles = {suffix: role for writer in writers().values() for suffix, role in writer.suffix_roles.items()}
    return roles.get(suffix_of(path))


def _writer_of(path: Path, kind: TableKind) -> Writer:
    able = {suffix: writer for writer in writers().values() if kind in writer.kinds for suffix in writer.suffixes}
    if suffix_of(path) not in able:
        raise BadUsage(usage.bad_option("ending of the output", suffix_of(path), list(able)))
    return able[suffix_of(path)]


def _rows(table: Table, path: Path, role: Role, *, one_label_a_row: bool = False) -> Rows:
    """The rows under the names that readers understand; levels are numbered from 1, the best."""
    cases = table.frame.with_columns(pl.col(CASE).cast(pl.String))
    kind: TableKind
    if LABEL in table.frame.columns:
        kind = "levels"
        level = pl.col(VALUE).rank("dense", descending=True).over(CASE).cast(pl.Int64)
        frame = cases.select(CASE, ITEM, level.alias("level"), pl.col(LABEL).alias("cluster"))
    elif START in table.frame.columns:
        kind = "spans"
        frame = cases.rename({VALUE: "label"})
    elif FILLER in table.frame.columns:
        kind = "labels"
        frame = cases.select(CASE, RECORD, pl.col(VALUE).alias("field"), pl.col(FILLER).alias("value"))
    elif HEAD in table.frame.columns:
        kind = "labels"
        frame = cases.select(CASE, HEAD, pl.col(VALUE).alias("relation"), TAIL)
    else:
        numbers = VALUE in cases.columns and cases[VALUE].dtype.is_float()
        kind = "scores" if numbers else "labels"
        name = "label" if not numbers else "grade" if role == "gold" else "score"
        frame = cases.rename({VALUE: name}, strict=False)
        if WEIGHT in frame.columns:
            frame = frame.select(CASE, ITEM, WEIGHT, name)
    if one_label_a_row:
        frame = frame.explode("label")
    return Rows(frame, kind, role, str(path), table.tag or name_of(table.label), table.empty_cases)
