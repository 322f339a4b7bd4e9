"""Every kind of file and object gives the same table."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import plumbline as pb
from plumbline.errors import BadData
from plumbline.io.read import read
from plumbline.io.table import ReadOptions, Role, Table

if TYPE_CHECKING:
    from collections.abc import Callable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROWS = [("q1", "007", 2.5), ("q1", "NA", 1.5), ("q2", "null", 0.5), ("q2", "1e3", -0.5)]
"""Ids that a careless reader turns into numbers or nothing."""
TREC = "".join(f"{case} Q0 {item} {rank} {score} tag\n" for rank, (case, item, score) in enumerate(ROWS, 1))


def rows(table: Table) -> list[tuple[str, str, float]]:
    return table.frame.with_columns(pl.col("case").cast(pl.String)).select("case", "item", "value").rows()


def from_bytes(data: bytes | str, role: Role = "output", **options: Any) -> Table:
    return read(io.BytesIO(data.encode() if isinstance(data, str) else data), role, ReadOptions(**options))


def delimited(separator: str, heading: tuple[str, str, str], *, quoted: bool = False) -> str:
    mark = '"' if quoted else ""
    lines = [separator.join(heading)] + [
        separator.join((f"{mark}{case}{mark}", f"{mark}{item}{mark}", str(score))) for case, item, score in ROWS
    ]
    return "\n".join(lines) + "\n"


NESTED = {
    case: {item: score for other, item, score in ROWS if other == case} for case in dict.fromkeys(case for case, _, _ in ROWS)
}
RECORDS = [{"case": case, "item": item, "score": score} for case, item, score in ROWS]


@pytest.mark.parametrize(
    "text",
    [
        TREC,
        TREC.replace(" ", "\t"),
        TREC.replace(" ", "   "),
        TREC.replace(" ", " \t "),
        TREC.replace("\n", "\r\n"),
        TREC.replace("\n", "\r"),
        TREC.replace("\n", " \n"),
        TREC.replace("\n", "\n\n"),
        "\n  \n" + TREC,
        TREC.rstrip("\n"),
        TREC.rstrip("\n") + " ",
        "  " + TREC.replace("\n", "\n  "),
        "\ufeff" + TREC,
        "# a comment\n" + TREC + "# another one with six words\n",
        "#\n" + TREC.replace("\n", "\n#x y\n"),
        TREC.replace(" tag", "\ttag"),
    ],
    ids=[
        "plain",
        "tabs",
        "spaces",
        "mixed",
        "crlf",
        "cr",
        "trailing",
        "blank lines",
        "blank start",
        "no newline",
        "space at the end",
        "leading",
        "bom",
        "comments",
        "many comments",
        "one tab",
    ],
)
def test_trec_runs_in_any_white_space(text: str) -> None:
    table = from_bytes(text)
    assert rows(table) == ROWS
    assert (table.reader, table.tag) == ("trec", "tag")


@pytest.mark.parametrize("score", ["5e-1", ".5", "+5.E-1", "1"])
@pytest.mark.parametrize("rank", ["1", "x"])
def test_a_line_of_a_run_is_no_heading_whatever_its_numbers_look_like(score: str, rank: str) -> None:
    table = from_bytes(f"q1\tQ0\td1\t{rank}\t{score}\ttag\n")
    assert rows(table) == [("q1", "d1", float(score))]


@pytest.mark.parametrize("separator", [" ", "\t", "  "])
def test_trec_judgements(separator: str) -> None:
    text = "".join(f"{case} 0 {item} {int(grade)}\n" for case, item, grade in ROWS).replace(" ", separator)
    assert [row[2] for row in rows(from_bytes(text, "gold"))] == [2.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("line", [0, 1, 3])
@pytest.mark.parametrize("separator", [" ", "\t", "  "])
@pytest.mark.parametrize("comment", ["", "# six words that are no data\n"])
def test_text_after_the_last_column_is_never_ignored_in_silence(line: int, separator: str, comment: str) -> None:
    lines = TREC.splitlines()
    lines[line] += " extra"
    text = comment + "\n".join(lines).replace(" ", separator)
    with pytest.raises(BadData, match="E101 7 columns, expected 6") as caught:
        from_bytes(text)
    assert caught.value.line == line + 1 + bool(comment)
    table = from_bytes(text, extra_columns=True)
    assert rows(table) == ROWS
    assert [notice.code for notice in table.notices] == ["N212", "N215"]


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize(
    "heading",
    [
        ("query_id", "doc_id", "score"),
        ("qid", "docno", "score"),
        ("q_id", "doc_id", "score"),
        ("query", "doc", "score"),
        ("topic", "docid", "similarity"),
        ("Case", "Item", "Score"),
    ],
    ids=["ir_measures", "PyTerrier", "ranx", "short", "old", "ours"],
)
def test_delimited(heading: tuple[str, str, str], separator: str, quoted: bool) -> None:  # noqa: FBT001 - a case of the table
    table = from_bytes(delimited(separator, heading, quoted=quoted))
    assert rows(table) == ROWS
    assert table.reader == ("csv" if separator == "," else "tsv")


@pytest.mark.parametrize("name", ["relevance", "rel", "label", "grade", "score"])
def test_delimited_judgements(name: str) -> None:
    assert [row[2] for row in rows(from_bytes(delimited(",", ("query_id", "doc_id", name)), "gold"))] == [2.5, 1.5, 0.5, -0.5]


def test_quoted_fields_with_separators_quotes_and_line_ends() -> None:
    text = 'case,item,score\n"q,1","d ""1""\n2",1\nq2,d2,2\n'
    assert rows(from_bytes(text)) == [("q,1", 'd "1"\n2', 1.0), ("q2", "d2", 2.0)]


def test_a_long_field_that_is_never_closed_is_explained() -> None:
    text = 'case,item,score\nq1,"d1,1\n' + "q1,d2,1\n" * 40_000
    with pytest.raises(BadData):
        from_bytes(text)


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        (json.dumps(NESTED), "json"),
        (json.dumps(NESTED, indent=2), "json"),
        ("\n " + json.dumps(NESTED), "json"),
        ("\ufeff" + json.dumps(NESTED), "json"),
        (json.dumps(RECORDS), "json"),
        (json.dumps(RECORDS, indent=2), "json"),
        ("".join(json.dumps(record) + "\n" for record in RECORDS), "jsonl"),
        ("\r\n".join(json.dumps(record) for record in RECORDS), "jsonl"),
        ("\n\n".join(json.dumps(record) for record in RECORDS), "jsonl"),
    ],
)
def test_json(text: str, reader: str) -> None:
    table = from_bytes(text)
    assert rows(table) == ROWS
    assert table.reader == reader


def test_json_numbers_as_ids_are_text() -> None:
    records = [{"qid": 7, "docid": 1, "score": 1}, {"qid": "7", "docid": "x", "score": 0.5}]
    assert rows(from_bytes(json.dumps(records))) == [("7", "1", 1.0), ("7", "x", 0.5)]


@pytest.mark.parametrize("as_json", [False, True])
def test_evall_values_of_a_system_are_ranks(as_json: bool) -> None:  # noqa: FBT001 - a case of the table
    ranked = [("T1", "A", 1), ("T1", "B", 2), ("T2", "C", 1)]
    if as_json:
        text = json.dumps([{"test_case": case, "id": item, "value": rank} for case, item, rank in ranked])
    else:
        text = "test_case\tid\tvalue\n" + "".join(f"{case}\t{item}\t{rank}\n" for case, item, rank in ranked)
    table = from_bytes(text)
    assert table.reader == "evall"
    assert rows(table) == [("T1", "A", -1.0), ("T1", "B", -2.0), ("T2", "C", -1.0)]
    assert [row[2] for row in rows(from_bytes(text, "gold"))] == [1.0, 2.0, 1.0]


def to_parquet(frame: pl.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def to_ipc(frame: pl.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.write_ipc(out)
    return out.getvalue()


FRAME = pl.DataFrame(ROWS, schema=["query_id", "doc_id", "score"], orient="row")


@pytest.mark.parametrize(("write", "reader"), [(to_parquet, "parquet"), (to_ipc, "arrow")])
def test_columnar(write: Callable[[pl.DataFrame], bytes], reader: str) -> None:
    table = from_bytes(write(FRAME))
    assert rows(table) == ROWS
    assert table.reader == reader
    with pytest.raises(BadData, match=f"E003 .*{reader} data are damaged"):
        from_bytes(write(FRAME)[:-20])


@pytest.mark.parametrize(
    "source",
    [
        NESTED,
        FRAME,
        FRAME.lazy(),
        FRAME.to_pandas(),
        FRAME.to_arrow(),
        FRAME.with_columns(pl.col("query_id").cast(pl.Categorical)),
        FRAME.with_columns(pl.col("score").cast(pl.Float32)),
        pd.DataFrame(RECORDS),
        pa.table({"q_id": [row[0] for row in ROWS], "doc_id": [row[1] for row in ROWS], "score": [row[2] for row in ROWS]}),
    ],
    ids=["dict", "polars", "lazy", "pandas", "arrow", "categorical", "float32", "records", "pyarrow"],
)
def test_objects(source: object) -> None:
    assert rows(read(source, "output")) == ROWS
    assert pb.evaluate({"q1": {"007": 1}}, source, "RR").mean["value"].to_list() == [1.0]


@pytest.mark.parametrize("source", ["text", "path", "binary file", "text file"])
def test_places_to_read_from(source: str, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text(TREC, encoding="utf-8")
    if source in {"text", "path"}:
        assert rows(read(str(path) if source == "text" else path, "output")) == ROWS
        return
    with path.open("rb") if source == "binary file" else path.open(encoding="utf-8") as file:
        table = read(file, "output")
    assert rows(table) == ROWS
    assert Path(table.label).name == "run.txt"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd.compress])
@pytest.mark.parametrize("text", [TREC, json.dumps(NESTED)])
def test_compression_is_recognised_by_content(pack: Callable[[bytes], bytes], text: str) -> None:
    assert rows(from_bytes(pack(text.encode()))) == ROWS


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd.compress])
def test_compressed_files_of_several_members(pack: Callable[[bytes], bytes]) -> None:
    half = len(TREC) // 2
    assert rows(from_bytes(pack(TREC[:half].encode()) + pack(b"") + pack(TREC[half:].encode()))) == ROWS


def test_many_gzip_members_and_padding() -> None:
    packed = b"".join(gzip.compress(line.encode()) for line in TREC.splitlines(keepends=True) * 1)
    assert rows(from_bytes(packed + b"\x00" * 512)) == ROWS
    with pytest.raises(BadData, match="E003"):
        from_bytes(packed + b"\x00" * 10 + b"garbage")


def test_garbage_after_a_member_is_no_wrong_checksum() -> None:
    with pytest.raises(BadData, match=r"E003 .*header") as caught:
        from_bytes(gzip.compress(TREC.encode()) + b"garbage")
    assert "CRC" not in str(caught.value)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd.compress])
def test_cut_compression_is_refused(pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(BadData, match=r"E003 .*ends early"):
        from_bytes(pack(TREC.encode() * 50)[:-9])


def test_an_empty_file_in_a_compressed_one() -> None:
    with pytest.raises(BadData, match="E001"):
        from_bytes(gzip.compress(b""))


def test_the_only_record_of_a_file_is_in_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"case": "q", "item": "d", "score": "x"}')
    with pytest.raises(pb.BadData, match=r"run\.json:1: E102"):
        pb.evaluate({"q": {"d": 1}}, path, ["AP"])
