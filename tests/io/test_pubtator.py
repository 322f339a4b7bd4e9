"""Spans of PubTator: one text of title and abstract, relations left out, and lines that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

ARTICLES = (
    "7|t|Ada met Bob.\n7|a|In Caf\u00e9 Noir.\n7\t0\t3\tAda\tPER\tQ7259\n7\t8\t11\tBob\tPER\n7\t16\t25\tCaf\u00e9 Noir\tORG\n"
    "7\tmet\tQ7259\tQ1\n\n8|t|Nobody.\n8|a|\n\n"
)


def test_title_and_abstract_are_one_text(tmp_path: Path) -> None:
    gold = tmp_path / "gold.pubtator"
    gold.write_text(ARTICLES)
    output = {"7": [(0, 3, "PER"), (16, 20, "ORG")], "8": []}
    scores = plumbline.evaluate(gold, {"x": output}, ["COR", "INC", "MIS", "SPU"], task="extraction", pooled=True)
    assert scores.mean["value"].to_list() == [1, 1, 1, 0]
    assert any("1 relation" in str(notice) for notice in scores.notices)
    rows = plumbline.why(gold, {"x": output}, "P", task="extraction", case="7").rows
    assert rows["text"].to_list() == ["Ada", "Bob", "Caf\u00e9 Noir"]


def test_relations_and_what_spans_name_are_scored_if_asked_for(tmp_path: Path) -> None:
    gold = tmp_path / "gold.pubtator"
    gold.write_text(ARTICLES)
    triples = {"7": [["Q7259", "met", "Q1"], ["Q1", "met", "Q7259"]], "8": []}
    scores = plumbline.evaluate(gold, {"x": triples}, ["P", "R"], task="extraction", pooled=True, annotations="relations")
    assert scores.mean["value"].to_list() == [0.5, 1.0]
    named = {"7": [(0, 3, "Q7259")], "8": []}
    scores = plumbline.evaluate(gold, {"x": named}, ["P", "R"], task="extraction", pooled=True, annotations="attributes")
    assert scores.mean["value"].to_list() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        ("7\t0\t3\tBob\tPER", "E604", 3),
        ("7\t20\t40\tx\tPER", "E603", 3),
        ("7\t0\t3\tAda\t", "E601", 3),
        ("9\t0\t3\tAda\tPER", "E609", 3),
        ("nothing", "E609", 3),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, code: str, number: int) -> None:
    gold = tmp_path / "gold.pubtator"
    gold.write_text(f"7|t|Ada met Bob.\n7|a|In London.\n{line}\n")
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate(gold, {"x": {"7": []}}, ["P"], task="extraction")
    assert (caught.value.code, caught.value.line) == (code, number)


def test_what_has_no_such_annotations_is_refused_or_told(tmp_path: Path) -> None:
    given = {"7": [(0, 3, "PER")]}
    with pytest.raises(plumbline.BadData, match="E616 it has spans, and only relations are scored"):
        plumbline.evaluate(given, {"x": given}, ["P"], task="extraction", annotations="relations")
    with pytest.raises(plumbline.BadData, match="E616 it has fields, and only attributes are scored"):
        plumbline.evaluate({"7": {"name": "Ada"}}, {"x": given}, ["P"], task="extraction", annotations="attributes")
    gold = tmp_path / "gold.pubtator"
    gold.write_text(ARTICLES)
    scores = plumbline.evaluate(gold, {"x": {"7": [(0, 3, "Q7259")]}}, ["P"], task="extraction", annotations="attributes")
    assert [str(notice.place) for notice in scores.notices if notice.code == "N608"] == ["x"]
