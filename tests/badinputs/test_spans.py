"""Spans that are wrong, in files and objects: each is said with its place and a way out, or noticed."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline.io.native import SWITCH
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.label_forms import file

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Zoë and 😀 Bob"
"""A letter of two bytes and a sign of four, which is two units of UTF-16."""


def lines(*records: dict[str, Any]) -> io.BytesIO:
    return io.BytesIO("".join(f"{json.dumps(one)}\n" for one in records).encode())


def record(name: str, text: str, *spans: tuple[Any, ...]) -> dict[str, Any]:
    named = [dict(zip(("start", "end", "label", "text"), span, strict=False)) for span in spans]
    return {"id": name, "text": text, "spans": named}


def refused(source: Any, **options: Any) -> plumbline.BadData:
    with pytest.raises(plumbline.BadData) as caught:
        read(source, "gold", ReadOptions(kind="spans", **options))
    assert all(problem.help for problem in caught.value.diagnostics)
    return caught.value


def noticed(gold: Any, output: Any, **options: Any) -> dict[str, str]:
    scores = plumbline.evaluate(gold, {"one": output}, "P", task="extraction", **options)
    return {notice.code: str(notice) for notice in scores.notices}


def tags(*rows: str) -> io.BytesIO:
    return io.BytesIO("\n".join(rows).encode())


def test_an_inside_tag_without_a_beginning_is_noticed() -> None:
    gold = tags("a B-X", "b O", "c I-X", "", "d B-X")
    codes = noticed(gold, tags("a B-X", "b O", "c O", "", "d B-X"))
    assert "1 span begins with I-" in codes["N600"]
    assert "line 3" in codes["N600"]


def test_iob1_begins_spans_with_inside_tags_and_nothing_is_noticed() -> None:
    gold = "a I-X\nb B-X\nc O\nd I-Y\n"
    assert "N600" not in noticed(io.BytesIO(gold.encode()), io.BytesIO(gold.encode()))


def test_tags_that_a_scheme_leaves_out_are_noticed() -> None:
    gold, output = (tags("a B-X", "b O", "c I-X") for _ in range(2))
    assert "first in line 3" in noticed(gold, output, scheme="IOB2")["N601"]


@pytest.mark.parametrize(
    ("tag", "code"),
    [("B-", "E601"), ("X-PER", "E600"), ("PER", "E600"), ("O-PER", "E600"), ("-", "E600"), ("B-" + "x" * 300, "E600")],
)
def test_what_is_not_a_tag_is_refused_with_its_line(tag: str, code: str) -> None:
    error = refused(tags("a B-X", "b O", f"c {tag}"), reader="iob")
    assert (error.diagnostics[0].code, error.line) == (code, 3)


def test_a_tag_of_another_scheme_is_refused_with_its_line() -> None:
    error = refused(tags("a B-X", "b E-X"), scheme="IOB2")
    assert (error.diagnostics[0].code, error.line) == ("E602", 2)


@pytest.mark.parametrize(("start", "end"), [(3, 3), (5, 4), (-1, 2), (0, 99)])
def test_offsets_outside_of_the_text_are_refused_with_their_line(start: int, end: int) -> None:
    error = refused(lines(record("a", TEXT), record("b", TEXT, (start, end, "X"))))
    assert (error.diagnostics[0].code, error.line) == ("E603", 2)


def test_offsets_in_a_table_are_refused_with_their_line() -> None:
    error = refused(io.BytesIO(b"case,start,end,label\na,0,2,X\na,4,4,X\n"))
    assert (error.diagnostics[0].code, error.line) == ("E603", 3)
    error = refused(io.BytesIO(b"case,start,end,label\na,0,2,X\na,1.5,4,X\n"))
    assert (error.diagnostics[0].code, error.line) == ("E603", 3)


def test_offsets_in_bytes_and_in_units_of_utf16_are_recognised() -> None:
    start = TEXT.index("Bob")
    after_bytes, after_units = len(TEXT[:start].encode()), len(TEXT[:start].encode("utf-16-le")) // 2
    in_bytes = refused(lines(record("a", TEXT, (after_bytes, after_bytes + 3, "X")), record("b", TEXT)))
    assert "bytes of UTF-8" in str(in_bytes)
    in_units = refused(lines(record("a", TEXT, (after_units, after_units + 3, "X")), record("b", TEXT)))
    assert "UTF-16" in str(in_units)
    inside = refused(lines(record("a", f"{TEXT} and others", (after_bytes, after_bytes + 3, "X", "Bob")), record("b", "")))
    assert (inside.diagnostics[0].code, "bytes of UTF-8" in str(inside)) == ("E604", True)


def test_a_span_without_a_type_is_refused_with_its_line() -> None:
    error = refused(lines(record("a", TEXT, (0, 3, "X")), record("b", TEXT, (0, 3, " "))))
    assert (error.diagnostics[0].code, error.line) == ("E601", 2)
    error = refused(io.BytesIO(b"case,start,end,label\na,0,2,X\na,4,6,\n"))
    assert (error.diagnostics[0].code, error.line) == ("E601", 3)


def test_a_text_that_differs_is_refused() -> None:
    with pytest.raises(plumbline.BadData, match="E605") as caught:
        noticed(lines(record("a", "Ada met Bob."), record("b", "")), lines(record("a", "Ada met  Bob"), record("b", "")))
    assert "'Ada met Bob.'" in str(caught.value)
    assert caught.value.line == 1
    with pytest.raises(plumbline.BadData, match="E605") as caught:
        noticed(lines(record("b", ""), record("a", "Ada")), lines(record("b", ""), record("a", "Eve")))
    assert caught.value.line == 2


def test_another_tokenisation_is_refused() -> None:
    with pytest.raises(plumbline.BadData, match=r"2 tokens here, 3 tokens there|3 tokens") as caught:
        noticed(tags("a B-X", "b O", "c O"), tags("a B-X", "bc O"))
    assert caught.value.diagnostics[0].code == "E605"
    assert caught.value.line == 2
    with pytest.raises(plumbline.BadData, match="'bx' as token 2") as caught:
        noticed(tags("z O", "", "a B-X", "b O", "c O"), tags("z O", "", "a B-X", "bx O", "c O"))
    assert caught.value.line == 4


@pytest.mark.parametrize("native", ["0", "1"])
@pytest.mark.parametrize("word", ["Eve", "Ada-and-Eve", "twelve-bytes", "é\u00e8", "a"])
def test_another_word_of_the_same_length_is_refused(word: str, native: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, native)
    other = f"{word[:-1]}b" if word.isascii() else word[::-1]
    assert (len(other), other != word) == (len(word), True)
    right = ("Ada B-X", f"{word} O", "sleeps O")
    assert "E605" not in noticed(tags(*right), tags(*right))
    with pytest.raises(plumbline.BadData, match=f"E605.*'{other}' as token 2 here, '{word}' as token 2 there") as caught:
        noticed(tags(*right), tags("Ada B-X", f"{other} O", "sleeps O"))
    assert caught.value.line == 2


def test_a_text_of_a_folder_or_of_articles_that_differs_is_refused_with_its_place(tmp_path: Path) -> None:
    for side, text in (("gold", "Ada"), ("output", "Eve")):
        (tmp_path / side).mkdir()
        for name in "ab":
            (tmp_path / side / f"{name}.ann").write_text("T1\tPER 0 3\n")
            (tmp_path / side / f"{name}.txt").write_text(text if name == "b" else "Bob")
        (tmp_path / f"{side}.pubtator").write_text(f"1|t|Bob\n1|a|x\n1\t0\t3\tBob\tPER\n\n2|t|{text}\n2|a|x\n")
    with pytest.raises(plumbline.BadData, match=r"output/b\.ann: E605"):
        noticed(tmp_path / "gold", tmp_path / "output")
    with pytest.raises(plumbline.BadData, match=r"output\.pubtator:5: E605"):
        noticed(tmp_path / "gold.pubtator", tmp_path / "output.pubtator")


def test_an_empty_type_in_the_first_lines_of_tags_is_refused_with_its_line() -> None:
    assert (refused(tags("Ada B-PER", "Bob B-")).line, refused(tags("Ada B-PER", "Bob B-")).code) == (2, "E601")


def test_one_document_in_json_has_a_line(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record("a", "Bob", (0, 4, "PER"))))
    assert (refused(path).code, refused(path).line) == ("E603", 1)


def test_tokens_and_characters_are_not_mixed() -> None:
    with pytest.raises(plumbline.BadData, match="E610"):
        noticed(tags("a B-X", "b O"), {"1": [(0, 1, "X")]})


def test_other_columns_before_the_tag_do_not_matter() -> None:
    assert set(noticed(tags("a NN B-X", "b VB O"), tags("a B-X", "b O"))) <= {"N605", "N603", "N212"}


def test_documents_that_one_side_lacks_are_noticed() -> None:
    gold = lines(record("a", TEXT, (0, 3, "X")), record("b", TEXT, (0, 3, "X")))
    codes = noticed(gold, lines(record("b", TEXT, (0, 3, "X")), record("c", TEXT)))
    assert "a" in codes["N201"]
    gold = lines(record("a", TEXT, (0, 3, "X")), record("b", TEXT, (0, 3, "X")))
    assert "1 of 2 documents" in noticed(gold, io.BytesIO(b"case,start,end,label\na,0,3,X\n"))["N604"]


def test_repeated_spans_count_once_and_are_noticed() -> None:
    gold = {"a": [(0, 3, "X")]}
    scores = plumbline.evaluate(gold, {"one": {"a": [(0, 3, "X"), (0, 3, "X"), (5, 6, "X")]}}, "P", task="extraction")
    assert scores.mean["value"].to_list() == [0.5]
    assert [notice.code for notice in scores.notices] == ["N602"]


def test_nested_and_overlapping_spans_are_kept() -> None:
    gold = {"a": [(0, 9, "X"), (2, 4, "Y"), (3, 6, "X"), (0, 9, "Y")]}
    scores = plumbline.evaluate(gold, {"one": gold}, ["P", "R", "COR", "P(match=partial)"], task="extraction")
    assert scores.mean["value"].to_list() == [1.0, 1.0, 4.0, 1.0]


def test_a_line_of_brat_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ann"
    path.write_text("T1\tPER 0 3\tAda\nT2\tPER 9\tBob\n", encoding="utf-8")
    assert refused(path).line == 2
    path.write_text("T1\tPER 0 3\tAda\nT2\tPER 8 11\tBobby\nR1\tknows Arg1:T1 Arg2:T2\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("Ada met Bob.", encoding="utf-8")
    assert (refused(path).line, refused(path).diagnostics[0].code) == (2, "E604")


def test_what_brat_has_beside_spans_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "gold" / "a.ann"
    path.parent.mkdir()
    path.write_text("T1\tPER 0 3;8 11\tAda Bob\nR1\tknows Arg1:T1 Arg2:T1\nA1\tnegated T1\n#1\tNote T1 so\n", encoding="utf-8")
    codes = noticed(str(path.parent), str(path.parent))
    assert {"N606", "N607"} <= set(codes)
    assert "1 relation, 1 attribute" in codes["N606"]


@pytest.mark.parametrize(
    "source",
    [
        3,
        {"a": 3},
        {"a": [3]},
        {"a": ["B-X", 3]},
        {"a": [(0, 1)]},
        {"a": [("X", 0, 1)]},
        [{"text": "x"}],
        {"a": [(0, 2**70, "X")]},
    ],
    ids=str,
)
def test_objects_without_spans_are_refused(source: Any) -> None:
    with pytest.raises(plumbline.PlumblineError) as caught:
        read(source, "gold", ReadOptions(kind="spans"))
    assert caught.value.diagnostics[0].code.startswith("E")


def test_two_documents_of_one_name_are_refused() -> None:
    assert refused(lines(record("a", TEXT), record("a", TEXT))).line == 2


def test_a_short_tag_at_the_end_after_a_long_one() -> None:
    """Tags are compared eight bytes at a time, and the last one has fewer after it than the longest."""
    source = tags(f"a B-{'X' * 90}", "b O", "c B-Y")
    assert len(read(source, "output", ReadOptions(kind="spans")).frame) == 2


def test_judgements_are_no_spans(tmp_path: Path) -> None:
    path = tmp_path / "a.qrels"
    path.write_text("a 0 d1 1\na 0 d2 0\n", encoding="utf-8")
    assert refused(path).diagnostics[0].code == "E608"


def test_lists_of_tags_and_a_file_with_more_tokens() -> None:
    """Lists have no tokens to compare, so the place is that of the first token of the document."""
    output = file("Anna B-PER\nsings O\n\nToday O\nBen B-PER\nsleeps O\n", "out.iob")
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate([["B-PER", "O"], ["O", "B-PER"]], output, ["P"], task="extraction")
    assert str(caught.value).startswith(
        "out.iob:4: E605 document 2 is another text than in the gold: 3 tokens here, 2 tokens there"
    )
