"""Offsets that count bytes of UTF-8 or units of UTF-16 are converted where the texts of the spans show it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.io.read import read
from plumbline.io.table import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from plumbline.io.table import Table

UNITS = {"characters": ("utf-32-le", 4), "bytes": ("utf-8", 1), "UTF-16": ("utf-16-le", 2)}
NAMES = {"bytes": "bytes of UTF-8", "UTF-16": "units of UTF-16"}
LETTERS = st.text(st.sampled_from("aZ \u00e9\u4e2d\U0001f600"), min_size=1, max_size=12).filter(
    lambda text: text.strip() == text
)


@dataclass(frozen=True)
class Spanned:
    """The parts of a document, and its spans: the part, and start and end there in characters."""

    parts: list[str]
    spans: list[tuple[int, int, int]]

    def surface(self, span: tuple[int, int, int]) -> str:
        """The text of a span."""
        return self.parts[span[0]][span[1] : span[2]]

    def begins(self, size: Callable[[str], int]) -> list[int]:
        """Where each part begins if there is one character between two."""
        return [sum(size(part) + 1 for part in self.parts[:at]) for at in range(len(self.parts))]


@st.composite
def documents(draw: st.DrawFn) -> Spanned:
    parts = draw(st.lists(LETTERS, min_size=2, max_size=2))
    spans = []
    for _ in range(draw(st.integers(1, 3))):
        part = draw(st.integers(0, len(parts) - 1))
        start = draw(st.integers(0, len(parts[part]) - 1))
        end = draw(st.integers(start + 1, len(parts[part])))
        if parts[part][start:end].strip() == parts[part][start:end]:
            spans.append((part, start, end))
    return Spanned(parts, spans)


def size_in(unit: str) -> Callable[[str], int]:
    encoding, width = UNITS[unit]
    return lambda text: len(text.encode(encoding)) // width


def bioc(spanned: Spanned, unit: str) -> str:
    size = size_in(unit)
    begins = spanned.begins(size)
    passages = [
        {"offset": begin, "text": part, "annotations": list[object]()}
        for begin, part in zip(begins, spanned.parts, strict=True)
    ]
    for number, span in enumerate(spanned.spans):
        start = begins[span[0]] + size(spanned.parts[span[0]][: span[1]])
        where = [{"offset": start, "length": size(spanned.surface(span))}]
        one = {"id": str(number), "infons": {"type": "X"}, "text": spanned.surface(span), "locations": where}
        passages[span[0]]["annotations"].append(one)  # type: ignore[attr-defined]  # a list
    return json.dumps({"documents": [{"id": "7", "passages": passages}]})


def pubtator(spanned: Spanned, unit: str) -> str:
    size = size_in(unit)
    begins = spanned.begins(size)
    rows = []
    for span in spanned.spans:
        start = begins[span[0]] + size(spanned.parts[span[0]][: span[1]])
        rows.append(f"7\t{start}\t{start + size(spanned.surface(span))}\t{spanned.surface(span)}\tX\n")
    return f"7|t|{spanned.parts[0]}\n7|a|{spanned.parts[1]}\n{''.join(rows)}"


FORMS: dict[str, Callable[[Spanned, str], str]] = {"bioc": bioc, "pubtator": pubtator}


def table_of(text: str, reader: str, annotations: str = "spans") -> Table:
    return read(io.BytesIO(text.encode()), "gold", ReadOptions(kind="spans", reader=reader, annotations=annotations))


def places(table: Table) -> list[tuple[int, ...]]:
    return sorted(table.frame.select("start", "end").rows())


def text_of(table: Table) -> str:
    known = table.documents
    assert known is not None
    assert known.text_of is not None
    return str(known.text_of(0))


def noticed(table: Table) -> list[str]:
    return [notice.message for notice in table.notices if notice.code == "N609"]


@pytest.mark.parametrize("reader", FORMS)
@pytest.mark.parametrize("unit", UNITS)
@given(spanned=documents())
def test_spans_stand_where_their_texts_are_or_the_file_is_refused(reader: str, unit: str, spanned: Spanned) -> None:
    begins = spanned.begins(len)
    right = sorted((begins[part] + start, begins[part] + end) for part, start, end in spanned.spans)
    try:
        table = table_of(FORMS[reader](spanned, unit), reader)
    except plumbline.BadData:
        assert unit != "characters", "characters are never refused"
        assert "and fit both" in str(refused(FORMS[reader](spanned, unit), reader))
        return
    text = text_of(table)
    surfaces = sorted(map(spanned.surface, spanned.spans))
    assert sorted(text[start:end] for start, end in places(table)) == surfaces
    if unit == "characters" or noticed(table):
        assert places(table) == right
        assert text.split() == " ".join(spanned.parts).split()


def refused(text: str, reader: str) -> plumbline.BadData:
    with pytest.raises(plumbline.BadData) as caught:
        table_of(text, reader)
    return caught.value


ZOE = Spanned(["Zo\u00e9 and \U0001f600 Bob", "met \u00c9va"], [(0, 10, 13), (1, 4, 7)])


@pytest.mark.parametrize("reader", FORMS)
@pytest.mark.parametrize("unit", NAMES)
def test_other_units_are_converted_with_a_notice(reader: str, unit: str) -> None:
    right, converted = table_of(FORMS[reader](ZOE, "characters"), reader), table_of(FORMS[reader](ZOE, unit), reader)
    assert places(right) == places(converted) == [(10, 13), (18, 21)]
    assert text_of(right) == text_of(converted)
    assert not noticed(right)
    assert noticed(converted) == [f"offsets count {NAMES[unit]}, as the texts of the spans show: converted to characters"]


@pytest.mark.parametrize("unit", NAMES)
def test_gold_in_characters_and_outputs_in_other_units_have_the_same_spans(tmp_path: Path, unit: str) -> None:
    for name, counted in (("gold", "characters"), ("output", unit)):
        (tmp_path / f"{name}.json").write_text(bioc(ZOE, counted), encoding="utf-8")
    (tmp_path / "output.pubtator").write_text(pubtator(ZOE, unit), encoding="utf-8")
    outputs = {"bioc": tmp_path / "output.json", "pubtator": tmp_path / "output.pubtator"}
    scores = plumbline.evaluate(tmp_path / "gold.json", outputs, ["COR", "MIS", "SPU"], task="extraction", pooled=True)
    assert scores.mean["value"].to_list() == [2, 0, 0] * 2


@pytest.mark.parametrize("unit", NAMES)
def test_the_ends_of_relations_are_converted(unit: str) -> None:
    data = json.loads(bioc(ZOE, unit))
    relation = {"infons": {"type": "met"}, "nodes": [{"refid": "0"}, {"refid": "1"}]}
    data["documents"][0]["relations"] = [relation]
    rows = table_of(json.dumps(data), "bioc", "relations").frame.select("head", "tail").rows()
    assert rows == [("10-13", "18-21")]
    for annotation in (one for passage in data["documents"][0]["passages"] for one in passage["annotations"]):
        annotation["infons"]["normal"] = annotation["text"]
    assert places(table_of(json.dumps(data), "bioc", "attributes")) == [(10, 13), (18, 21)]


@pytest.mark.parametrize("unit", NAMES)
def test_spans_and_relations_of_brat_are_converted(tmp_path: Path, unit: str) -> None:
    size, text, rows = size_in(unit), " ".join(ZOE.parts), []
    for number, (start, end) in enumerate([(10, 13), (18, 21)], 1):
        rows.append(f"T{number}\tX {size(text[:start])} {size(text[:end])}\t{text[start:end]}\n")
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    path = tmp_path / "a.ann"
    path.write_text("".join([*rows, "R1\tmet Arg1:T1 Arg2:T2\n"]), encoding="utf-8")
    table = read(path, "gold", ReadOptions(kind="spans"))
    assert places(table) == [(10, 13), (18, 21)]
    assert len(noticed(table)) == 1
    related = read(path, "gold", ReadOptions(kind="spans", annotations="relations"))
    assert related.frame.select("head", "tail").rows() == [("10-13", "18-21")]


def test_sentences_of_passages_with_a_text_are_found_in_bytes() -> None:
    sentences = [{"offset": 0, "text": "\u00c9va left."}, {"offset": 11, "text": "Bob, too."}]
    span = {"id": "1", "infons": {"type": "X"}, "text": "Bob", "locations": [{"offset": 11, "length": 3}]}
    passage = {"offset": 0, "text": "\u00c9va left. Bob, too.", "sentences": sentences, "annotations": [span]}
    table = table_of(json.dumps({"documents": [{"id": "1", "passages": [passage]}]}), "bioc")
    assert (places(table), text_of(table)) == ([(10, 13)], "\u00c9va left. Bob, too.")
    assert noticed(table)


@pytest.mark.parametrize(
    ("spans", "hint"),
    [
        ("7\t14\t17\tBob\tX\n7\t11\t14\tBob\tX\n", "count the bytes of UTF-8: convert"),  # two units
        ("7\t11\t14\t\tX\n7\t20\t24\t\tX\n", "count the bytes of UTF-8: convert"),  # no texts that could show it
    ],
)
def test_what_the_texts_do_not_settle_is_refused_with_its_line(spans: str, hint: str) -> None:
    text = f"7|t|{ZOE.parts[0]}\n7|a|{ZOE.parts[1]}\n{spans}"
    error = refused(text, "pubtator")
    assert hint in str(error), error


def test_offsets_that_fit_two_units_are_refused() -> None:
    text = "7|t|\U0001f600bbabab\n7|a|\n7\t6\t7\ta\tX\n"
    assert "and fit both" in str(refused(text, "pubtator"))
