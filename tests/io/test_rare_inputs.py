"""Inputs that hardly anybody has: each is read as it is meant, or refused at its place."""

from __future__ import annotations

import datetime as dt
import io
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline as pb
from plumbline.io.slots.normalising import normalised
from plumbline.io.texts import read_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SPANS = '[{"document":"a","start":0,"end":3,"label":"X"},{"document":"b","start":0,"end":3,"label":"Y"}]'


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Make a file."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def extracted(gold: Any, output: Any, **options: Any) -> float:
    (value,) = pb.evaluate(gold, output, ["P"], task="extraction", **options).mean["value"]
    return float(value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("g.pubtator", "1|t|A b\n1\t0\t1\tA\tX\n\n1|t|A b\n", r"g\.pubtator:4: E138 case 1 occurs already"),
        ("g.iob", "-DOCSTART- (d1)\n\na B-X\n\n-DOCSTART- (d1)\n\nb O\n", r"g\.iob:5: E138 case d1 occurs already \(line 1\)"),
        ("g.csv", "start,end,label\n0,3,X\n5,7,\n", r"g\.csv:3: E601"),
        ("g.csv", "field,value\na,1\nb,\n", r"g\.csv:3: E613 the column value is empty"),
        ("g.csv", "head,relation,tail\na,x,1\nb,,2\n", r"g\.csv:3: E601"),
        ("g.csv", "head,relation,tail\na,x,1\n,x,2\n", r"g\.csv:3: E613 the column head is empty"),
        ("g.csv", "head,tail\na,1\n", r"g\.csv:1: E613 there is no column relation"),
    ],
)
def test_the_place_of_what_is_wrong_in_an_extraction(
    name: str, text: str, message: str, write: Callable[[str, str], Path]
) -> None:
    path = write(name, text)
    with pytest.raises(pb.BadData, match=message):
        extracted(path, path)


@pytest.mark.parametrize(
    ("gold", "output"),
    [
        ("start,end,label\n0,3,X\n5,7,Y\n", "start,end,label\n0,3,X\n5,7,Z\n"),
        ("field,value\na,1\nb,2\n", "field,value\na,1\nb,3\n"),
        ("head,relation,tail\na,r,1\nb,r,2\n", "head,relation,tail\na,r,1\nb,r,3\n"),
    ],
)
def test_without_a_column_of_documents_all_rows_are_of_one(gold: str, output: str, write: Callable[[str, str], Path]) -> None:
    assert extracted(write("gold.csv", gold), write("output.csv", output)) == 0.5


def test_rows_of_spans_in_json(write: Callable[[str, str], Path]) -> None:
    assert extracted(write("g.json", SPANS), write("o.json", SPANS.replace("Y", "Z"))) == 0.5


def test_values_within_lists_are_values_of_the_field() -> None:
    gold = {"a": {"x": ["1", 2, [3, True], 2.5, Decimal("7.5"), None, dt.date(2024, 1, 2)], "y": [[[4]]]}}
    output = {"a": {"x": ["1", "2", "3", "true", "2.5", "7.5", "2024-01-02"], "y": "4"}}
    assert extracted(gold, output) == extracted(output, gold) == 1.0
    with pytest.raises(pb.BadData, match="a complex in place of a value"):
        extracted({"a": {"x": 1j}}, output)
    deep: Any = 1
    for _ in range(21):
        deep = [deep]
    with pytest.raises(pb.BadData, match=r"E613.*more than 20 times"):
        extracted({"a": {"x": deep}}, output)


def test_digits_that_are_grouped_oddly_are_no_number() -> None:
    assert [normalised(text) for text in ("1,000.50", "1.000,5", "1,00,0")] == ["1000.5", "1000.5", "1,00,0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[{"case": "q", "item": "a", "score": 1}, {"case": "q", "item": "\\ud800", "score": 1}]',
            "record 2: E114 the item id",
        ),
        ('[{"\\ud800": 1, "case": "q", "item": "a", "score": 1}]', r"record 1: E111 .*'\\ud800' holds a lone surrogate"),
        ("[]", "E108 an empty list|empty"),
        ("[5]", "a list of ints"),
        ("5", "a single int"),
    ],
)
def test_json_that_is_no_run(text: str, message: str, write: Callable[[str, str], Path]) -> None:
    with pytest.raises(pb.BadData, match=message):
        pb.evaluate({"q": {"d": 1}}, write("run.json", text), ["AP"], reader="json")


def test_one_record_is_an_organization(write: Callable[[str, str], Path]) -> None:
    path = write("one.json", '{"case": "q", "item": "a", "level": 1}')
    assert pb.evaluate(path, path, ["Rel"], task="organization").per_case["case"].to_list() == ["q"]
    with pytest.raises(pb.BadData, match="E114 the case id is empty"):
        pb.evaluate({"": []}, {"q": [[["a"]]]}, ["Rel"], task="organization")


def test_an_open_file_is_called_by_its_name() -> None:
    run = io.BytesIO(b"q Q0 d 1 1 x\n")
    run.name = "runs/my.run"
    assert pb.evaluate({"q": {"d": 1}}, [run], ["AP"]).mean["system"].to_list() == ["my"]
    assert pb.evaluate({"q": {"d": 1}}, [io.BytesIO(b"q Q0 d 1 1 x\n")], ["AP"]).mean["system"].to_list() == ["system"]


def test_a_length_below_0_is_named(write: Callable[[str, str], Path]) -> None:
    wanted: Any = {"metrics": ["Rel(discount=time)"], "lengths": {"a": 2, "b": -3}}
    with pytest.raises(pb.BadData, match="lengths, /b: E157 the length is -3"):
        pb.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, **wanted)
    with pytest.raises(pb.BadData, match=r"long\.csv:3: E157 the length is -2"):
        pb.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, **{**wanted, "lengths": write("long.csv", "item,length\nb,0\na,-2\n")})


def test_features_in_json(write: Callable[[str, str], Path]) -> None:
    clusters, metric = {"a": "1", "b": "2", "c": "2"}, "CalinskiHarabasz"
    points = {"a": [1.0], "b": [2.0], "c": [2.5]}
    records = write("f.json", "[" + ",".join(f'{{"item": "{item}", "x": {x[0]}}}' for item, x in points.items()) + "]")
    expected = pb.internal(clusters, features=points, metrics=metric).mean["value"].to_list()
    assert pb.internal(clusters, features=records, metrics=metric).mean["value"].to_list() == expected
    with pytest.raises(pb.BadData, match=r"odd\.json.*record 1: E102"):
        pb.internal(clusters, features=write("odd.json", '[{"item": "a", "x": {"y": 1}}, {"item": "b", "x": 2}]'))


def test_judgements_in_other_files_than_csv(tmp_path: Path) -> None:
    rows = {"item": ["a", "b", "c"] * 2, "assessor": ["x"] * 3 + ["y"] * 3, "label": list("121122")}
    expected = pb.agree(pl.DataFrame(rows)).coefficients["value"].to_list()
    pl.DataFrame(rows).write_parquet(tmp_path / "j.parquet")
    pl.DataFrame(rows).write_json(tmp_path / "j.json")
    pl.DataFrame(rows).write_ndjson(tmp_path / "j.jsonl")
    for name in ("j.parquet", "j.json", "j.jsonl"):
        assert pb.agree(tmp_path / name).coefficients["value"].to_list() == expected


def _assessors(agreed: Any) -> set[str]:
    return {*agreed.pairs["a"], *agreed.pairs["b"]}


def test_the_first_column_of_a_matrix_may_name_the_items(write: Callable[[str, str], Path]) -> None:
    """It does if it tells all rows apart, is no number, and enough columns are left."""
    for first, items, assessors in (
        ("u v w", ["u", "v", "w"], {"ben", "cy"}),
        ("1 2 3", ["1", "2", "3"], {"thing", "ben", "cy"}),
        ("u u w", ["1", "2", "3"], {"thing", "ben", "cy"}),
    ):
        rows = "".join(f"{item},{label},z\n" for item, label in zip(first.split(), "xyx", strict=True))
        agreed = pb.agree(write("m.csv", f"thing,ben,cy\n{rows}"))
        assert _assessors(agreed) == assessors
        assert agreed.disputed["item"].sort().to_list() == items
    few = pb.agree(write("few.csv", "ann,ben\nu,x\nv,x\n"))
    assert _assessors(few) == {"ann", "ben"}


@pytest.mark.parametrize("title", ["", "Of ants"])
def test_texts_in_every_form(title: str, write: Callable[[str, str], Path]) -> None:
    record = f'{{"id": "a", "title": "{title}", "text": "They walk."}}'
    expected = {"a": f"{title}\n\nThey walk." if title else "They walk."}
    frame = pl.DataFrame({"id": ["a"], "title": [title], "text": ["They walk."]})
    for source in (write("t.json", f"[{record}]"), write("t.jsonl", f"{record}\n\n5\n"), frame):
        assert read_texts(source, "item") == expected
    for name, text, place in (("b.json", "[{", r"b\.json"), ("b.jsonl", f"{record}\n{{\n", r"b\.jsonl:2")):
        with pytest.raises(pb.BadData, match=rf"{place}: E008"):
            read_texts(write(name, text), "item")
    with pytest.raises(pb.BadData, match=r"E008.*it starts with 'id, other'"):
        read_texts(write("c.jsonl", '{"id": "a", "other": "x"}\n'), "item")


def test_lists_of_one_label_are_labels() -> None:
    plain, listed = pb.agree({"a": list("xyxx"), "b": list("xyyx")}), pb.agree({"a": [*map(list, "xyxx")], "b": list("xyyx")})
    assert listed.coefficients["value"].to_list() == plain.coefficients["value"].to_list()
    sets = pb.agree({"a": [["x", "y"], ["y"], ["x"], ["x"]], "b": list("xyyx")})
    assert sets.coefficients["coefficient"].to_list() != plain.coefficients["coefficient"].to_list()


def test_criteria_that_need_features_say_so() -> None:
    distances = {"a": {"a": 0.0, "b": 1.0}, "b": {"a": 1.0, "b": 0.0}}
    with pytest.raises(pb.BadUsage, match="DaviesBouldin needs features, not distances alone"):
        pb.evaluate({"a": "1", "b": "2"}, {"a": "1", "b": "2"}, "DaviesBouldin", task="clustering", distances=distances)
    with pytest.raises(pb.BadUsage, match="DaviesBouldin needs the features of items, or their distances"):
        pb.evaluate({"a": "1", "b": "2"}, {"a": "1", "b": "2"}, "DaviesBouldin", task="clustering")


def test_documents_may_stand_in_another_order(write: Callable[[str, str], Path]) -> None:
    texts = {name: f"-DOCSTART- ({name})\n\n{word} B-X\n\n" for name, word in (("d1", "Ada"), ("d2", "Bob"), ("d3", "Cy"))}
    gold = write("gold.iob", texts["d1"] + texts["d2"])
    for names, extra in ((("d2", "d1"), []), (("d3", "d2", "d1"), ["1 case not in the gold, ignored: d3"])):
        scores = pb.evaluate(gold, write("out.iob", "".join(texts[name] for name in names)), ["P"], task="extraction")
        assert scores.mean["value"].to_list() == [1.0]
        assert [notice.text for notice in scores.notices if notice.code == "N202"] == extra


def test_decisions_that_are_not_the_default_are_kept_with_the_scores() -> None:
    gold, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    assert pb.evaluate(gold, run, "AP").to_dict()["made"]["policy"] == {}
    assert pb.evaluate(gold, run, "AP", ties="best").to_dict()["made"]["policy"] == {"ties": "best"}


@pytest.mark.parametrize("quote", ["", '"'])
def test_places_behind_a_long_field_are_named(quote: str, tmp_path: Path) -> None:
    text = f"{quote}{'word ' * 40_000}{quote}"
    (tmp_path / "a.csv").write_text(f"id,text,label\nd1,{text},yes\nd2,,no\nd2,x,no\n")
    with pytest.raises(pb.BadData, match=r"a\.csv:4: E133 item d2 is labelled twice .* line 3"):
        pb.evaluate({"d1": "yes", "d2": "no"}, tmp_path / "a.csv", task="classification")
