"""Tables written in any of the formats that are read."""

from __future__ import annotations

import gzip
import json
from typing import IO, TYPE_CHECKING, Final, cast

import polars as pl

from plumbline.errors import BadData, BadUsage, table, usage
from plumbline.io.bytes.atomic import write_atomically
from plumbline.io.memory.systems import name_of
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from plumbline.io.table import Role, Table

TREC: Final = (".txt", ".run", ".qrels")
FORMATS: Final = (*TREC, ".csv", ".tsv", ".json", ".jsonl", ".parquet", ".arrow")


def write(read: Table, path: Path, role: Role, *, force: bool) -> None:
    """Write a table; the format is told by the ending of the name, `.gz` after it compresses."""
    ending = ending_of(path, FORMATS)
    numbers = VALUE in read.frame.columns and read.frame[VALUE].dtype.is_float()
    name = "label" if not numbers else "grade" if role == "gold" else "score"
    frame = read.frame.with_columns(pl.col(CASE).cast(pl.String)).rename({VALUE: name}, strict=False)
    if not numbers and ending in TREC:
        raise BadUsage(usage.bad_option("ending of the output", ending, [known for known in FORMATS if known not in TREC]))
    if ending in {".csv", ".tsv"} and isinstance(frame.schema.get("label"), pl.List):
        frame = frame.explode("label")
    writer = _writer(frame, ending, role, str(path), read.tag or name_of(read.label))
    write_packed(writer, path, force=force)


def ending_of(path: Path, known: tuple[str, ...]) -> str:
    """The ending that tells the format, which must be a known one."""
    ending = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if ending not in known:
        raise BadUsage(usage.bad_option("ending of the output", ending, list(known)))
    return ending


def write_packed(writer: Callable[[IO[bytes]], object], path: Path, *, force: bool) -> None:
    """Write at once or not at all; `.gz` compresses."""
    with write_atomically(path, force=force) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as zipped:
                writer(cast("IO[bytes]", zipped))
        else:
            writer(file)


def _writer(frame: pl.DataFrame, ending: str, role: Role, path: str, tag: str) -> Callable[[IO[bytes]], object]:
    if ending in TREC:
        plain = _trec(frame, role, path, tag)
        return lambda file: plain.write_csv(file, separator=" ", include_header=False, quote_style="never")
    if ending in {".csv", ".tsv"}:
        return lambda file: frame.write_csv(file, separator="," if ending == ".csv" else "\t")
    if ending == ".json":
        return lambda file: file.write(_nested(frame))
    if ending == ".jsonl":
        return frame.write_ndjson
    return frame.write_parquet if ending == ".parquet" else frame.write_ipc


def _trec(frame: pl.DataFrame, role: Role, path: str, tag: str) -> pl.DataFrame:
    for column in (CASE, ITEM):
        odd = frame[column].filter(frame[column].str.contains(r"\s|^$"))
        if len(odd):
            raise BadData(table.unwritable_id(path, column, odd[0]))
    if role == "gold":
        whole = bool((frame["grade"] == frame["grade"].floor()).all())
        return frame.select(CASE, pl.lit("0").alias("iteration"), ITEM, pl.col("grade").cast(pl.Int64) if whole else "grade")
    numbered = frame.with_row_index("place").with_columns(pl.col("place").min().over(CASE))
    ordered = numbered.sort("place", "score", ITEM, descending=[False, True, True])
    rank = pl.int_range(1, pl.len() + 1).over(CASE)
    return ordered.select(
        CASE, pl.lit("Q0").alias("Q0"), ITEM, rank.alias("rank"), "score", pl.lit("_".join(tag.split())).alias("tag")
    )


def _nested(frame: pl.DataFrame) -> bytes:
    if frame.select(pl.struct(CASE, ITEM).is_duplicated().any()).item():  # an object has one value for each key
        return json.dumps(frame.to_dicts(), ensure_ascii=False).encode() + b"\n"
    number = "label" if "label" in frame.columns else frame.columns[-1]
    whole = {
        str(case): dict(zip(part[ITEM].to_list(), part[number].to_list(), strict=True))
        for (case,), part in frame.group_by(CASE, maintain_order=True)
    }
    return json.dumps(whole, ensure_ascii=False).encode() + b"\n"
