"""Fields of records and relations: an oracle that tries every assignment, normalisation, forms of files, and bad inputs."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.io.slots.normalising import normalised

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = ("name", "year", "tags")
Record = dict[str, list[str]]


def drawn_records(draw: random.Random, most: int) -> list[Record]:
    """Some records with some fields, each of one value or several."""
    made = []
    for _ in range(draw.randint(0, most)):
        fields = {field: [draw.choice("uvw") for _ in range(draw.randint(1, 3))] for field in FIELDS if draw.random() < 0.7}
        made.append(fields or {"name": ["u"]})
    return made


def equal_values(gold: Record, output: Record) -> int:
    """Values that both have, field by field; a value that occurs twice counts twice."""
    return sum(sum((Counter(gold[field]) & Counter(output[field])).values()) for field in gold.keys() & output.keys())


def most_equal(gold: list[Record], output: list[Record]) -> int:
    """By the best assignment of records to records."""
    shorter, longer = sorted((gold, output), key=len)
    return max(
        sum(equal_values(one, other) for one, other in zip(shorter, chosen, strict=True))
        for chosen in permutations(longer, len(shorter))
    )


def size(records: list[Record]) -> int:
    return sum(len(values) for record in records for values in record.values())


@pytest.mark.parametrize("seed", range(60))
def test_records_are_assigned_so_that_most_values_are_equal(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - no secret
    gold = {f"d{at}": drawn_records(draw, 4) for at in range(4)} | {"last": [{"name": ["u"]}]}
    output = {case: drawn_records(draw, 4) for case in gold}
    scores = plumbline.evaluate(gold, {"x": output}, ["COR", "INC", "MIS", "SPU", "P", "R"], task="extraction", values="exact")
    results = {(case, metric): value for case, metric, value in scores.per_case.select("case", "metric", "value").iter_rows()}
    for case, records in gold.items():
        right, wanted, given = most_equal(records, output[case]), size(records), size(output[case])
        assert results[case, "COR"] == right
        assert results[case, "COR"] + results[case, "INC"] + results[case, "MIS"] == wanted
        assert results[case, "COR"] + results[case, "INC"] + results[case, "SPU"] == given
        assert results[case, "P"] == (right / given if given else None)
        assert results[case, "R"] == (right / wanted if wanted else None)


def test_records_that_share_no_field_are_assigned_by_their_places() -> None:
    gold, output = {"a": [{"name": "u"}, {"name": "v"}]}, {"a": [{"year": "1"}, {"year": "2"}, {"year": "3"}]}
    scores = plumbline.evaluate(gold, {"x": output}, ["COR", "MIS", "SPU"], task="extraction")
    assert scores.mean["value"].to_list() == [0, 2, 3]


def test_a_wrong_value_is_one_error_of_its_field() -> None:
    gold = {"a": {"name": "Ada", "born": 1815, "city": {"name": "London"}}}
    output = {"a": {"name": "Ada", "born": 1816, "died": 1852}}
    rows = plumbline.why(gold, {"x": output}, "P", task="extraction").rows
    assert sorted(rows.rows()) == [
        ("correct", "name=Ada", "name=Ada"),
        ("missed", "city.name=London", None),
        ("spurious", None, "died=1852"),
        ("wrong value", "born=1815", "born=1816"),
    ]
    one = plumbline.why(gold, {"x": output}, "P", task="extraction", item="born").rows
    assert one["verdict"].to_list() == ["wrong value"]
    losses = plumbline.losses(gold, {"x": output}, "R", task="extraction").mean
    assert dict(zip(losses["cause"], losses["lost"], strict=True)) == pytest.approx({"wrong value": 1 / 3, "missed": 1 / 3})


SPELLINGS = [
    ("1,000.0", "1000", "1'000", "+1000", "1000.00"),
    ("March 5, 2024", "5 March 2024", "2024-03-05", "2024/3/5", "05.03.2024", "5th of March 2024", "Mar 5 2024"),
    ("New  YORK", "new york", " New York. "),
    ("$5", "5$", "$5.00"),
    ("-3", "\u22123", "-3.0"),
    ("1.234.567,5", "1,234,567.5"),
    ("12%", "12 %"),
]


@pytest.mark.parametrize("spellings", SPELLINGS, ids=lambda one: one[0])
def test_spellings_of_one_value(spellings: tuple[str, ...]) -> None:
    assert len({normalised(text) for text in spellings}) == 1
    assert normalised(normalised(spellings[0])) == normalised(spellings[0])
    metrics = ["P"]
    gold = {"a": {"field": spellings[0]}}
    for other in spellings[1:]:
        output = {"x": {"a": {"field": other}}}
        assert plumbline.evaluate(gold, output, metrics, task="extraction", values="normalised").mean["value"][0] == 1
        assert plumbline.evaluate(gold, output, metrics, task="extraction").mean["value"][0] == 0


def test_different_values_stay_different() -> None:
    values = [
        "1.5",
        "15",
        "-1.5",
        "1.5%",
        "$1.5",
        "2024-03-05",
        "2024-05-03",
        "03/05/2024",
        "2024",
        "a",
        "b",
        "1-5",
        "2024-02-31",
    ]
    assert len({normalised(value) for value in values}) == len(values)


def test_the_same_slots_in_every_form(tmp_path: Path) -> None:
    gold = {"a": {"name": "Ada", "year": 1815}, "b": {"name": "Bob"}}
    output = {"a": {"name": "Ada", "year": 1816}, "b": {"name": "Bob", "year": 3}}
    wanted = plumbline.evaluate(gold, {"x": output}, ["P", "R"], task="extraction").per_case.rows()

    def written(data: dict[str, Any], form: str, role: str) -> Path:
        path = tmp_path / role / f"x.{form}"
        path.parent.mkdir(exist_ok=True)
        if form == "json":
            path.write_text(json.dumps(data))
        elif form == "jsonl":
            path.write_text("".join(json.dumps({"id": case, **fields}) + "\n" for case, fields in data.items()))
        elif form == "slots.jsonl":
            path.write_text("".join(json.dumps({"id": case, "slots": fields}) + "\n" for case, fields in data.items()))
        else:
            rows = [(case, field, str(value)) for case, fields in data.items() for field, value in fields.items()]
            frame = pl.DataFrame(rows, schema=["case", "field", "value"], orient="row")
            frame.write_csv(path) if form == "csv" else frame.write_parquet(path)
        return path

    for form in ("json", "jsonl", "slots.jsonl", "csv", "parquet"):
        files = [written(data, form, role) for data, role in ((gold, "gold"), (output, "out"))]
        table_rows = plumbline.evaluate(files[0], {"x": files[1]}, ["P", "R"], task="extraction").per_case.rows()
        assert table_rows == wanted, form


def test_records_in_a_table(tmp_path: Path) -> None:
    gold, output = tmp_path / "gold.csv", tmp_path / "x.csv"
    gold.write_text("case,record,field,value\na,1,item,tea\na,1,price,3\na,2,item,milk\na,2,price,2\n")
    output.write_text("case,record,field,value\na,r,item,milk\na,r,price,2\na,s,item,tea\na,s,price,4\n")
    scores = plumbline.evaluate(gold, output, ["COR", "INC"], task="extraction")
    assert scores.mean["value"].to_list() == [3, 1]


RELATIONS = {"a": [["Ada Lovelace", "met", "Charles Babbage"], ["Ada", "born in", "London"]]}
FOUND = {"a": [["Ada", "met", "Babbage"], ["Ada", "died in", "London"], ["Bob", "met", "Ada"]]}


@pytest.mark.parametrize("form", ["triples", "objects", "table"])
def test_relations_strict_and_relaxed(form: str) -> None:
    def shaped(data: dict[str, list[list[str]]]) -> Any:
        if form == "triples":
            return data
        names = ("head", "relation", "tail")
        objects = {case: [dict(zip(names, one, strict=True)) for one in some] for case, some in data.items()}
        rows = [{"case": case, **one} for case, some in objects.items() for one in some]
        return objects if form == "objects" else pl.DataFrame(rows)

    metrics = ["P", "P(match=boundary)", "P(match=type)", "COR", "INC", "MIS", "SPU"]
    scores = plumbline.evaluate(shaped(RELATIONS), {"x": shaped(FOUND)}, metrics, task="extraction")
    assert scores.mean["value"].to_list() == pytest.approx([0, 1 / 3, 1 / 3, 0, 2, 0, 1])
    assert plumbline.evaluate(shaped(RELATIONS), {"x": shaped(RELATIONS)}, ["P", "R"], task="extraction").mean[
        "value"
    ].to_list() == [1, 1]


def test_ends_of_relations_can_be_offsets() -> None:
    gold = {"a": [[[0, 12], "met", [17, 32]]]}
    for end, strict, relaxed in (([17, 32], 1, 1), ([25, 32], 0, 1), ([32, 40], 0, 0)):
        scores = plumbline.evaluate(gold, {"x": {"a": [[[0, 12], "met", end]]}}, ["R", "R(match=type)"], task="extraction")
        assert scores.mean["value"].to_list() == [strict, relaxed]


def test_two_relations_near_one_of_the_gold_are_two() -> None:
    output = {"a": [["Ada", "met", "Babbage"], ["Ada", "met", "Charles"]]}
    scores = plumbline.evaluate({"a": [RELATIONS["a"][0]]}, {"x": output}, ["P(match=type)", "SPU"], task="extraction")
    assert scores.mean["value"].to_list() == [0.5, 1]


@pytest.mark.parametrize(
    ("gold", "output", "code"),
    [
        ({"a": {"n": 1}}, {"a": [["u", "r", "v"]]}, "E614"),
        ({"a": {"n": 1}}, {"a": [(0, 3, "PER")]}, "E614"),
        ({"a": {"n": 1}}, {"a": [{"n": 1}, 3]}, "E613"),
        ({"a": {"n": 1}}, {"a": {"": 1}}, "E613"),
        ({"a": {"n": 1}}, {"a": {"n": object()}}, "E613"),
        ({"a": [["u", "r", "v"]]}, {"a": [["u", " ", "v"]]}, "E613"),
        ({"a": [["u", "r", "v"]]}, {"a": [["u", "r", []]]}, "E613"),
    ],
)
def test_bad_slots(gold: Any, output: Any, code: str) -> None:
    with pytest.raises(plumbline.PlumblineError, match=code):
        plumbline.evaluate(gold, {"x": output}, ["P"], task="extraction")


@pytest.mark.parametrize("match", ["overlap", "positions"])
def test_slots_have_no_offsets(match: str) -> None:
    with pytest.raises(plumbline.BadUsage, match="E615"):
        plumbline.evaluate({"a": {"n": 1}}, {"x": {"a": {"n": 1}}}, [f"P(match={match})"], task="extraction")


def test_a_line_with_a_wrong_record_is_named(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"id": "a", "n": 1}\n{"id": "b", "n": 2}\n{"id": "a", "n": 2}\n')
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate(gold, {"x": gold}, ["P"], task="extraction")
    assert caught.value.line == 3


def test_comparing_works_by_documents_and_by_items() -> None:
    gold = {f"d{at}": {"x": at, "y": at % 7, "z": at % 3} for at in range(40)}
    good = {case: {**fields, "y": 9 if case == "d3" else fields["y"]} for case, fields in gold.items()}
    poor = {case: {**fields, "x": -1, "y": -1} for case, fields in gold.items()}
    options: list[dict[str, Any]] = [{}, {"units": "items"}]
    for one in options:
        comparison = plumbline.compare(gold, {"good": good, "poor": poor}, ["F(P,R)"], task="extraction", **one)
        assert comparison.significance["p"][0] < 0.01


def test_the_floor_of_slots_is_nothing() -> None:
    gold = {"a": {"name": "Ada"}, "b": {"name": "Bob"}}
    scores = plumbline.evaluate(gold, {"x": gold}, ["P", "R"], task="extraction", floor=True)
    assert scores.floor == ("[nothing]",)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    "data", [{"a": [{"n": "1"}, {"n": "2", "m": "u"}], "b": {"n": "3"}}, RELATIONS], ids=["slots", "relations"]
)
def test_what_was_converted_is_read_as_the_same(tmp_path: Path, data: Any, ending: str) -> None:
    first, second = tmp_path / "x.json", tmp_path / f"y.{ending}"
    first.write_text(json.dumps(data))
    plumbline.convert(first, second, task="extraction")
    for gold, output in ((first, second), (second, first)):
        assert plumbline.evaluate(gold, {"x": output}, ["P", "R"], task="extraction").mean["value"].to_list() == [1, 1]


ENDS = ["Ada", "Ada Lovelace", "Bob", "Bob Lovelace", "Lovelace", "Ada Bob"]
OF_RELATIONS = [f"{name}(match={way},average=none)" for way in ("partial", "type") for name in ("COR", "PAR", "SPU", "MIS")]


@pytest.mark.parametrize("seed", range(40))
def test_relations_of_a_document_have_the_same_scores_alone(seed: int) -> None:
    """Whatever other documents and systems there are: several relations of the gold may fit equally."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    sides = [
        [(draw.choice("pq"), draw.choice(ENDS), draw.choice("abc"), draw.choice(ENDS)) for _ in range(14)] for _ in range(3)
    ]
    for rows in sides:
        rows += [(case, "Ada", "a", "Bob") for case in "pq"]

    def values(rows: list[list[tuple[str, str, str, str]]]) -> dict[tuple[str, ...], float | None]:
        gold, *outputs = (pl.DataFrame(one, schema=["case", "head", "relation", "tail"], orient="row") for one in rows)
        scores = plumbline.evaluate(gold, dict(zip("xy", outputs, strict=False)), OF_RELATIONS, task="extraction")
        return {row[:3]: row[3] for row in scores.per_case.iter_rows()}

    together = values(sides)
    for case in "pq":
        alone = values([[row for row in rows if row[0] == case] for rows in sides[:2]])
        assert alone.items() <= {key: value for key, value in together.items() if key in alone}.items()


def nested(depth: int) -> object:
    return {"field": nested(depth - 1)} if depth else "x"


def test_objects_within_objects_have_a_limit() -> None:
    assert plumbline.evaluate({"a": nested(21)}, {"a": nested(21)}, ["P"], task="extraction").mean["value"].to_list() == [1.0]
    with pytest.raises(plumbline.BadData, match=r"E613.*more than 20 times"):
        plumbline.evaluate({"a": nested(22)}, {"a": nested(22)}, ["P"], task="extraction")


def test_a_number_is_one_value_however_it_is_given() -> None:
    output = {"a": {"x": 3.0, "y": "2.5", "z": 2.5}}
    scores = plumbline.evaluate({"a": {"x": 3, "y": 2.5, "z": 2}}, output, ["P"], task="extraction")
    assert scores.mean["value"].to_list() == [pytest.approx(2 / 3)]


def test_an_output_of_documents_without_fields_in_the_gold_is_one_output() -> None:
    scores = plumbline.evaluate({"a": {}, "b": {"x": "1"}}, {"a": {"x": "2"}}, ["P"], task="extraction")
    assert scores.mean["system"].to_list() == ["system"]
