"""Relations between spans in records of Prodigy and doccano."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

ADA, BOB = {"start": 0, "end": 3, "label": "PER"}, {"start": 8, "end": 11, "label": "PER"}
PRODIGY: dict[str, Any] = {
    "id": "a",
    "text": "Ada met Bob.",
    "spans": [ADA, BOB],
    "relations": [{"head": 0, "child": 2, "head_span": ADA, "child_span": BOB, "label": "met"}],
}
DOCCANO: dict[str, Any] = {
    "id": "a",
    "text": "Ada met Bob.",
    "entities": [
        {"id": 4, "start_offset": 0, "end_offset": 3, "label": "PER"},
        {"id": 5, "start_offset": 8, "end_offset": 11, "label": "PER"},
    ],
    "relations": [{"id": 1, "from_id": 4, "to_id": 5, "type": "met"}],
}
NAMED = PRODIGY | {"relations": [{"head": "0-3", "relation": "met", "tail": [8, 11]}]}


@pytest.mark.parametrize("record", [PRODIGY, DOCCANO, PRODIGY | {"relations": [["0-3", "met", "8-11"]]}, NAMED])
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_relations_of_records_are_scored_if_asked_for(tmp_path: Path, record: dict[str, Any], ending: str) -> None:
    gold = tmp_path / f"gold.{ending}"
    empty = record | {"id": "b", "relations": []}
    gold.write_text(json.dumps([record, empty]) if ending == "json" else f"{json.dumps(record)}\n{json.dumps(empty)}\n")
    output = {"x": {"a": [["0-3", "met", "8-11"], ["8-11", "met", "0-3"]], "b": []}}
    scores = plumbline.evaluate(gold, output, ["P", "R"], task="extraction", pooled=True, annotations="relations")
    assert scores.mean["value"].to_list() == [0.5, 1.0]
    spans = {"x": {"a": [(0, 3, "PER")], "b": []}}
    scores = plumbline.evaluate(gold, spans, ["COR", "MIS"], task="extraction", pooled=True)
    assert scores.mean["value"].to_list() == [1, 3]
    assert [str(notice.message) for notice in scores.notices if notice.code == "N606"] == [
        "left out, since only spans are scored: 1 relation"
    ]


@pytest.mark.parametrize(
    "relation",
    [
        *(3, [], {}, {"from_id": 4, "to_id": 9, "type": "met"}, {"from_id": 4, "to_id": [], "type": "met"}),
        *({"from_id": 4, "to_id": 5}, {"head_span": ADA, "label": "met"}, {"head_span": 3, "child_span": BOB, "label": "met"}),
    ],
)
def test_what_is_no_relation_is_named_with_its_line(tmp_path: Path, relation: Any) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps(DOCCANO) + "\n" + json.dumps(DOCCANO | {"id": "b", "relations": [relation]}))
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate(gold, {"x": {"a": []}}, ["P"], task="extraction", annotations="relations")
    assert caught.value.line == 2
    assert caught.value.code in {"E606", "E613"}
