"""Attributes and relations of brat, which stand where their spans stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

GOLD = """T1\tPER 0 3\tAda
T2\tPER 8 11\tBob
T3\tMeeting 4 7\tmet
E1\tMeeting:T3 Who:T1 Whom:T2
R1\tknows Arg1:T1 Arg2:T2
R2\tcauses Arg1:E1 Arg2:T2
A1\tNegation E1
A2\tCertainty T1 low
A3\tOld R1
"""
OUTPUT = GOLD.replace("A2\tCertainty T1 low", "A2\tCertainty T1 high").replace("Arg1:T1 Arg2:T2", "Arg1:T2 Arg2:T1")


def scored(folder: Path, output: str, annotations: Any, metrics: list[str]) -> tuple[list[float], plumbline.Scores]:
    for name, text in (("gold", GOLD), ("output", output)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "a.ann").write_text(text)
        (folder / name / "b.ann").write_text("T1\tPER 0 3\tEve\n")
    scores = plumbline.evaluate(
        folder / "gold", {"x": folder / "output"}, metrics, task="extraction", pooled=True, annotations=annotations
    )
    return scores.mean["value"].to_list(), scores


def test_relations_are_pairs_of_places(tmp_path: Path) -> None:
    values, scores = scored(tmp_path, OUTPUT, "relations", ["P", "R", "COR", "MIS", "SPU"])
    assert values == [0.5, 0.5, 1, 1, 1]
    assert "3 attributes" in next(str(one) for one in scores.notices if one.code == "N606")
    rows = plumbline.why(
        tmp_path / "gold", {"x": tmp_path / "output"}, "P", task="extraction", case="a", annotations="relations"
    ).rows
    assert rows["gold"].drop_nulls().sort().to_list() == ["0-3 \u2192 8-11 (knows)", "4-7 \u2192 8-11 (causes)"]


def test_ends_of_relations_may_only_overlap(tmp_path: Path) -> None:
    longer = OUTPUT.replace("Arg1:T2 Arg2:T1", "Arg1:T1 Arg2:T2").replace("PER 8 11\tBob", "PER 4 11\tmet Bob")
    values, _ = scored(tmp_path, longer, "relations", ["P", "P(match=type)"])
    assert values == [0.0, 1.0]


def test_attributes_stand_where_their_spans_and_events_stand(tmp_path: Path) -> None:
    values, scores = scored(tmp_path, OUTPUT, "attributes", ["P", "P(match=boundary)"])
    assert values == [0.5, 1.0]
    assert scores.notices


def test_documents_without_relations_are_cases_all_the_same(tmp_path: Path) -> None:
    scored(tmp_path, GOLD, "relations", ["P"])
    scores = plumbline.evaluate(
        tmp_path / "gold", {"x": tmp_path / "output"}, ["COR"], task="extraction", annotations="relations"
    )
    assert scores.per_case["value"].to_list() == [2.0, 0.0]


@pytest.mark.parametrize(
    ("line", "annotations"),
    [
        ("R3\tknows Arg1:T1 Arg2:T9", "relations"),
        ("R3\tknows T1 T2", "relations"),
        ("A4\tOld T9", "attributes"),
        ("A4\tOld", "attributes"),
    ],
)
def test_what_names_no_span_is_refused_with_its_line(tmp_path: Path, line: str, annotations: str) -> None:
    with pytest.raises(plumbline.BadData) as caught:
        scored(tmp_path, f"{GOLD}{line}\n", annotations, ["P"])
    assert (caught.value.code, caught.value.line) == ("E607", 10)
