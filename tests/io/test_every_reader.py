"""What holds for every reader and every writer that is declared."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.errors import BadData, BadUsage, PlumblineError
from plumbline.io.catalogue import SIGNS
from plumbline.io.paths import name_of
from plumbline.io.read import read
from plumbline.io.registry import KINDS, ROLES, Reader, Rows, Writer, readers, writers
from plumbline.io.table import ReadOptions, Role, Table
from plumbline.io.write import write
from plumbline.tasks import task_named, task_names
from tests.helpers.opened_files import counted_opens

if TYPE_CHECKING:
    from plumbline.schema import TableKind

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DOCS = (Path(__file__).parents[2] / "docs" / "reading-files.md").read_text(encoding="utf-8")
EVERY = pytest.mark.parametrize("reader", readers().values(), ids=readers())
TEXT = pytest.mark.parametrize(
    "reader",
    [reader for reader in readers().values() if reader.text],
    ids=[name for name, one in readers().items() if one.text],
)
WRITTEN = [(writer, kind) for writer in writers().values() for kind in writer.kinds]
READ_AS_LATIN1 = {"conll", "conllu", "key"}
"""Old collections of coreference and word senses are in this encoding, which is noticed."""
SOURCES: dict[TableKind, Any] = {
    "scores": {"q1": {"d1": 2.5, "007": 1.5, "NA": 0.25}, "q2": {"d1": -0.5}},
    "labels": {"q1": {"d1": "news", "007": "sports"}, "q2": {"d1": "true"}},
    "clusters": {"q1": {"x": ["d1", "007"], "y": ["NA"]}, "q2": {"x": ["d1"]}},
    "spans": {"q1": [(0, 3, "PER"), (7, 9, "007")], "q2": [(1, 2, "NA")]},
    "levels": {"q1": [[["d1", "007"]], [["NA"], ["d4"]]], "q2": [[["d1"]]]},
}


def example(reader: Reader) -> bytes:
    """The declared example, or what the writer makes of a ranking."""
    if reader.example:
        return reader.example.encode()
    frame = pl.DataFrame({"case": ["q1", "q1", "q2"], "item": ["d1", "caf\u00e9", "d1"], "score": [2.5, 1.5, 0.5]})
    file = io.BytesIO()
    writers()[reader.name](Rows(frame, "scores", "output", "example", "system"), file)
    return file.getvalue()


def table(by: Reader, data: bytes | str, role: Role = "output", **options: Any) -> Table:
    """The data as the reader reads it, if it is recognised by its content."""
    source = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return read(source, role, ReadOptions(kind=by.kinds[0], **options))


def rows(read_in: Table) -> list[tuple[Any, ...]]:
    """The rows as plain values, with labels of several as lists."""
    frame = read_in.frame.with_columns(pl.col("case").cast(pl.String))
    return [tuple(row.values()) for row in frame.select(sorted(frame.columns)).to_dicts()]


@EVERY
def test_it_says_what_it_is(reader: Reader) -> None:
    assert re.fullmatch(r"[a-z]+", reader.name)
    assert reader.about
    assert reader.sign in SIGNS
    assert reader.kinds
    assert set(reader.kinds) <= set(KINDS)
    assert reader.roles
    assert set(reader.roles) <= set(ROLES)
    assert all(suffix.startswith(".") and name_of(f"bm25{suffix}") == "bm25" for suffix in reader.suffixes)
    assert re.search(rf"^\|[^|]*`{reader.name}`", DOCS, re.MULTILINE), "it has no row on the page about reading files"


@EVERY
def test_its_example_is_recognised_and_read(reader: Reader) -> None:
    plain = table(reader, example(reader))
    assert plain.reader == reader.name
    assert len(plain.frame) > 1
    assert str(plain.notices[0]).startswith(f"<file object>: N212 read as {reader.name}: ")
    assert rows(table(reader, example(reader), reader=reader.name)) == rows(plain)
    assert rows(table(reader, example(reader), output_reader=reader.name, gold_reader="trec")) == rows(plain)


@EVERY
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd.compress], ids=["gz", "bz2", "xz", "zst"])
def test_it_reads_compressed_files(reader: Reader, pack: Any) -> None:
    assert rows(table(reader, pack(example(reader)))) == rows(table(reader, example(reader)))


@TEXT
def test_it_reads_utf8_with_and_without_a_mark(reader: Reader) -> None:
    assert "\u00e9" in reader.example, "an example has a letter that is not ASCII, so that encodings are tested"
    assert rows(table(reader, "\ufeff" + reader.example)) == rows(table(reader, reader.example))


@TEXT
def test_it_refuses_utf16(reader: Reader) -> None:
    with pytest.raises(BadData, match="UTF-16"):
        table(reader, reader.example.encode("utf-16"))


@TEXT
def test_other_encodings_are_refused_or_noticed(reader: Reader) -> None:
    data = reader.example.encode("latin-1")
    line = data[: data.index(b"\xe9")].count(b"\n") + 1
    if reader.name not in READ_AS_LATIN1:
        with pytest.raises(BadData) as caught:
            table(reader, data)
        assert caught.value.line == line
    else:
        read_in = table(reader, data)
        assert any("Latin-1" in str(notice) for notice in read_in.notices)
        assert rows(read_in) == rows(table(reader, reader.example))


@TEXT
def test_a_nul_byte_is_refused_with_its_line(reader: Reader) -> None:
    before, letter, after = reader.example.partition("\u00e9")
    with pytest.raises(BadData) as caught:
        table(reader, f"{before}{letter}\x00{after}")
    assert caught.value.line == before.count("\n") + 1


@TEXT
@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["windows", "old mac"])
def test_any_line_end_will_do(reader: Reader, end: str) -> None:
    assert rows(table(reader, reader.example.replace("\n", end))) == rows(table(reader, reader.example))


@TEXT
def test_comments_are_left_out(reader: Reader) -> None:
    lines = reader.example.splitlines()
    commented = "# a comment\n" + "\n".join(f"{line}\n# one, two, three, four" for line in lines) + "\n"
    if reader.comments:
        assert rows(table(reader, commented)) == rows(table(reader, reader.example))
        shift = len(lines) + 1
        plain = table(reader, reader.example).origin.places([0], "item")[0].line
        moved = table(reader, "# a comment\n" * shift + reader.example).origin.places([0], "item")[0].line
        assert moved == (plain or 0) + shift
    else:
        with pytest.raises(BadData):
            table(reader, commented, reader=reader.name)


@TEXT
def test_a_row_knows_its_place(reader: Reader) -> None:
    read_in = table(reader, reader.example)
    lines = reader.example.splitlines()
    places = read_in.origin.places(list(range(len(read_in.frame))), "item")
    shown = read_in.frame["value" if reader.kinds[0] == "spans" else "item"]
    for item, place in zip(shown, places, strict=True):
        if place.line is None:
            assert item in str(place)
        else:
            assert item in lines[place.line - 1] or item not in reader.example


@EVERY
def test_the_order_of_the_file_can_be_asked_for(reader: Reader) -> None:
    by_score, by_file = table(reader, example(reader)), table(reader, example(reader), order="file")
    if reader.kinds[0] != "scores":
        assert rows(by_file) == rows(by_score)
        return
    values = by_file.frame["value"].to_list()
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@EVERY
def test_the_order_of_ranks_can_be_asked_for_where_there_are_ranks(reader: Reader) -> None:
    try:
        by_rank = table(reader, example(reader), order="rank")
    except BadData as error:
        assert "no column for the rank" in str(error)  # noqa: PT017 - a format without ranks says so
    else:
        assert reader.kinds[0] != "scores" or all(value < 0 for value in by_rank.frame["value"]), "rank 1 is the best"


@EVERY
def test_a_run_tag_that_is_not_there_is_refused(reader: Reader) -> None:
    plain = table(reader, example(reader))
    with pytest.raises(BadUsage, match="no run tag 'nobody'"):
        table(reader, example(reader), tag="nobody")
    if plain.tag is not None:
        assert rows(table(reader, example(reader), tag=plain.tag)) == rows(plain)


@EVERY
def test_a_damaged_file_is_bad_data_and_nothing_else(reader: Reader) -> None:
    data = example(reader)
    for end in range(1, len(data), max(1, len(data) // 40)):
        for damaged in (data[:end], data[end:], data[:end] + b"\xff" + data[end:]):
            try:
                table(reader, damaged, reader=reader.name)
            except PlumblineError as error:
                assert error.diagnostics  # noqa: PT017 - most damage is found, and some leaves a smaller file


@pytest.mark.parametrize(("writer", "kind"), WRITTEN, ids=[f"{writer.name} {kind}" for writer, kind in WRITTEN])
@pytest.mark.parametrize("packed", ["", ".gz"], ids=["plain", "packed"])
def test_what_is_written_reads_back(writer: Writer, kind: TableKind, packed: str, tmp_path: Path) -> None:
    options = ReadOptions(kind=kind)
    source = read(SOURCES[kind], "output", options)
    for suffix in writer.suffixes:
        if writer.suffix_roles.get(suffix) == "gold":
            continue
        path = tmp_path / f"system{suffix}{packed}"
        assert write(source, path, "output", force=False) == []
        again = read(path, "output", options)
        assert again.reader == writer.name
        assert sorted(_ranked(again), key=str) == sorted(_ranked(source), key=str)


def _ranked(read_in: Table) -> list[tuple[Any, ...]]:
    """Rows that can be compared: names of the clusters of levels are not written, only which items they share."""
    if "label" not in read_in.frame.columns:
        return rows(read_in)
    level = pl.col("value").rank("dense", descending=True).over("case")
    together = read_in.frame.group_by("case", level, "label", maintain_order=True).agg(pl.col("item").sort())
    return [(str(case), level, *items) for case, level, _, items in together.rows()]


@pytest.mark.parametrize("writer", writers().values(), ids=writers())
def test_a_case_without_items_is_written_or_noticed(writer: Writer, tmp_path: Path) -> None:
    for kind in writer.kinds:
        source = read({**SOURCES[kind], "q3": [] if kind in {"levels", "spans"} else {}}, "output", ReadOptions(kind=kind))
        assert source.empty_cases == ("q3",)
        path = tmp_path / f"{kind}{writer.suffixes[0]}"
        notices = write(source, path, "output", force=False)
        again = read(path, "output", ReadOptions(kind=kind))
        assert (again.empty_cases == ("q3",)) == (kind in writer.empty_cases)
        assert ["q3" in str(notice) for notice in notices] == ([] if kind in writer.empty_cases else [True])


def test_every_writer_has_a_reader_and_no_suffix_is_that_of_two() -> None:
    assert set(writers()) <= set(readers())
    for formats in (readers(), writers()):
        suffixes = [suffix for one in formats.values() for suffix in one.suffixes]
        assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("source", [{"q1": {"d1": 1.0}}, pl.DataFrame({"case": ["q1"], "item": ["d1"], "score": [1.0]})])
def test_a_misspelt_reader_is_an_error_for_every_source(source: Any) -> None:
    for options in (ReadOptions(reader="trek"), ReadOptions(output_reader="trek")):
        with pytest.raises(BadUsage, match=r"reader = 'trek' is not known: did you mean trec\?"):
            read(source, "output", options)
    read(source, "output", ReadOptions(gold_reader="trec"))


def test_declarations_import_nothing_heavy() -> None:
    """`plumbline evaluate --help` lists the readers, and does not wait for polars."""
    code = "import sys; from plumbline.io.registry import readers; readers(); print({'polars', 'numpy'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"


@EVERY
def test_a_file_is_opened_once(reader: Reader, tmp_path: Path) -> None:
    """Also to be converted, where it is looked at before it is read."""
    path = tmp_path / "system"
    path.write_bytes(example(reader))
    with counted_opens(tmp_path) as opened:
        read(path, "output", ReadOptions(kind=reader.kinds[0]))
    assert opened == {"system": 1}
    task = next(name for name in task_names() if task_named(name).table == reader.kinds[0])
    with counted_opens(tmp_path) as opened:
        plumbline.convert(path, tmp_path / "out.csv", task=task)
    assert opened["system"] == 1


def test_standard_input_is_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(readers()["trec"].example.encode())))
    assert plumbline.convert("-", tmp_path / "out.csv").rows == 3
