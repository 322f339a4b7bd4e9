"""BioC: the same spans, attributes and relations in XML and JSON, and what cannot be read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>s</source><date/><key/><document><id>7</id>
<passage><infon key="type">title</infon><offset>0</offset><text>Ada met Bob &amp; Co.</text>
<annotation id="1"><infon key="type">PER</infon><infon key="identifier">Q7</infon>
<location offset="0" length="3"/><text>Ada</text></annotation>
<annotation id="2"><infon key="type">ORG</infon><location offset="8" length="8"/><text>Bob &amp; Co</text></annotation>
</passage>
<passage><offset>20</offset><sentence><offset>20</offset><text>In Caf\u00e9 Noir.</text>
<annotation id="3"><infon key="type">LOC</infon><location offset="23" length="4"/><location offset="28" length="4"/>
<text>Caf\u00e9 Noir</text></annotation>
</sentence></passage>
<relation id="R1"><infon key="type">met</infon><node refid="1" role="a"/><node refid="2" role="b"/></relation>
<relation id="R2"><infon key="type">like</infon><infon key="entity1">Q7</infon><infon key="entity2">Q8</infon></relation>
<relation id="R3"><infon key="type">all</infon><node refid="1"/><node refid="2"/><node refid="3"/></relation>
</document><document><id>8</id><passage><offset>0</offset><text>Nobody.</text></passage></document></collection>
"""


def annotation(name: str, kind: str, text: str, *places: tuple[int, int], **facts: Any) -> dict[str, Any]:
    where = [{"offset": start, "length": length} for start, length in places]
    return {"id": name, "infons": {"type": kind, **facts}, "text": text, "locations": where}


def documents() -> list[dict[str, Any]]:
    """The same in JSON."""
    first = [annotation("1", "PER", "Ada", (0, 3), identifier="Q7"), annotation("2", "ORG", "Bob & Co", (8, 8))]
    third = annotation("3", "LOC", "Caf\u00e9 Noir", (23, 4), (28, 4))
    return [
        {
            "id": "7",
            "passages": [
                {"offset": 0, "text": "Ada met Bob & Co.", "annotations": first, "relations": []},
                {"offset": 20, "text": "In Caf\u00e9 Noir.", "annotations": [third]},
            ],
            "relations": [
                {"id": "R1", "infons": {"type": "met"}, "nodes": [{"refid": "1", "role": "a"}, {"refid": "2", "role": "b"}]},
                {"id": "R2", "infons": {"type": "like", "entity1": "Q7", "entity2": "Q8"}},
                {"id": "R3", "infons": {"type": "all"}, "nodes": [{"refid": "1"}, {"refid": "2"}, {"refid": "3"}]},
            ],
        },
        {"id": 8, "passages": [{"offset": 0, "text": "Nobody.", "annotations": []}]},
    ]


FORMS = {
    "xml": XML,
    "json": json.dumps({"source": "s", "documents": documents()}),
    "list": json.dumps([{"documents": documents()}]),
    "lines": "\n".join(map(json.dumps, documents())),
    "PubTator3": json.dumps({"PubTator3": documents()}, indent=1),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_spans_attributes_and_relations(tmp_path: Path, form: str) -> None:
    gold = tmp_path / "gold"
    gold.write_text(FORMS[form], encoding="utf-8")
    wanted: dict[Any, tuple[Any, str]] = {
        "spans": ([(0, 3, "PER"), (8, 16, "ORG"), (23, 32, "LOC")], "2 relations"),
        "attributes": ([(0, 3, "identifier=Q7")], "2 relations"),
        "relations": ([["0-3", "met", "8-16"], ["Q7", "like", "Q8"]], "1 relation of other than two ends"),
    }
    for scored, (right, annotated) in wanted.items():
        output = {"x": {"7": right, "8": []}}
        scores = plumbline.evaluate(gold, output, ["COR", "MIS", "SPU"], task="extraction", pooled=True, annotations=scored)
        assert scores.mean["value"].to_list() == [len(right), 0, 0]
        assert any(notice.code == "N606" and annotated in str(notice) for notice in scores.notices)
        assert any(notice.code == "N607" for notice in scores.notices)


def test_a_wrong_name_of_an_encoding_is_no_problem_of_utf8_and_one_of_weps(tmp_path: Path) -> None:
    gold = tmp_path / "gold.xml"
    gold.write_text(XML.replace("UTF-8", "UF-8"), encoding="utf-8")
    output = {"x": {"7": [(0, 3, "PER")], "8": []}}
    assert plumbline.evaluate(gold, output, ["COR"], task="extraction", pooled=True).mean["value"].to_list() == [1]
    gold.write_text('<?xml version="1.0" encoding="UF-8"?><clustering><entity id="0"><doc rank="1"/></entity></clustering>')
    with pytest.raises(plumbline.BadData, match="unknown encoding"):
        plumbline.evaluate(gold, {"x": {"a": {"1": "0"}}}, ["BCubedP"], task="clustering")


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('"0" length="3"', '"1" length="3"', "E604", 5),
        ('"0" length="3"', '"99" length="3"', "E603", 5),
        ('"0" length="3"', '"x" length="3"', "E617", 5),
        ('<infon key="type">PER</infon>', "", "E601", 5),
        ("<id>8</id>", "<id>7</id>", "E138", 16),
        ("<id>8</id>", "", "E617", 16),
        ("<offset>20</offset><sentence><offset>20", "<offset>9</offset><sentence><offset>9", "E617", 3),
        ('SYSTEM "BioC.dtd"', '[<!ENTITY a "aaaa">]', "E135", 2),
        ("Nobody.", "&nobody;", "E135", 16),
        ("Nobody.", "<b>", "E135", 16),
        ("collection>", "set>", "E617", 3),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, old: str, new: str, code: str, line: int) -> None:
    gold = tmp_path / "gold.xml"
    gold.write_text(XML.replace(old, new), encoding="utf-8")
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate(gold, {"x": {"7": []}}, ["P"], task="extraction")
    assert (caught.value.code, caught.value.line) == (code, line)


@pytest.mark.parametrize(
    "data",
    [
        {"documents": [{"id": "7", "passages": 3}]},
        {"documents": [{"id": "7", "passages": [{"annotations": [3]}]}]},
        {"documents": [{"id": "7", "passages": [{"annotations": [{"infons": 3}]}]}]},
        {"documents": [{"id": "7", "passages": [{"text": "a", "offset": 10**15}]}]},
        {"documents": [3], "passages": 2},
        {"documents": [3], "x": ['"passages"']},
        {"documents": [{"id": "7", "passages": [{"relations": [{"infons": {"a": "b", "c": "d"}}]}]}]},
    ],
)
def test_json_of_another_shape_is_refused(tmp_path: Path, data: Any) -> None:
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(data))
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate(gold, {"x": {"7": []}}, ["P"], task="extraction", gold_reader="bioc")
    assert caught.value.code == "E617"
