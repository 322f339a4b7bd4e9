"""Organizations that are broken: named with their file and line, and with a way out."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plumbline.errors import BadData, BadUsage, PlumblineError
from plumbline.errors.registry import every_diagnostic
from plumbline.io.memory.compose import Composed
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.io.table import Role

OPTIONS = ReadOptions(kind="levels")
CORPUS = shared("badinputs")
FINE = '{"case": "q1", "levels": [[["d1"]]]}\n'
HEADER = "case,item,level,cluster\n"


def refused(source: Any, role: Role = "output", options: ReadOptions = OPTIONS) -> str:
    """What is said about a source that is refused, with a way out and a code that can be explained."""
    with pytest.raises((BadData, BadUsage)) as caught:
        read(source, role, options)
    assert all(message.help for message in caught.value.diagnostics)
    assert caught.value.code in every_diagnostic()
    return str(caught.value)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


LEVELS = [
    ('[[["a", "a"]]]', "E146 item a occurs twice in cluster 1.1 of case q (first at line 2)"),
    ('[["a", "a"]]', "E146 item a occurs twice at one level of case q (first at line 2)"),
    ('[["a"], []]', "E148 level 2 of case q is empty"),
    ('[["a", []]]', "E149 cluster 2 at level 1 of case q is empty"),
    ('["a"]', "E150 level 1 of case q is the text 'a', expected a list of clusters"),
    ("[[[1]], 2]", "E150 level 2 of case q is the number 2, expected a list of clusters"),
    ('[["a"], null]', "E150 level 2 of case q is nothing (null), expected a list of clusters"),
    ("[[1.5]]", "E150 cluster 1 at level 1 of case q is the number 1.5, expected a list of items"),
    ("[[true]]", "E150 cluster 1 at level 1 of case q is a truth value, expected a list of items"),
    ('[[{"a": 1}]]', "E150 cluster 1 at level 1 of case q is an object, expected a list of items"),
    ('[[["a", ["b"]]]]', "E150 an item in cluster 1 at level 1 of case q is a list, expected text"),
    ("[[[2.5]]]", "E114 the item id 2.5 in cluster 1 at level 1 of case q is the number 2.5"),
    ("[[[null]]]", "E114 the item id None in cluster 1 at level 1 of case q is nothing (null)"),
    ('[[[""]]]', "E114 the item id in cluster 1 at level 1 of case q is empty"),
    ('[["\\ud800"]]', "E114 the item id in cluster 1 at level 1 of case q holds a lone surrogate"),
    ("3", "E150 the value of levels in case q is the number 3, expected a list of levels"),
    ('{"1": ["a"]}', "E150 the value of levels in case q is an object, expected a list of levels"),
    ("[[NaN]]", "E111 not valid JSON: NaN is not a JSON number"),
    ("[[", "E111 not valid JSON"),
    ('[["a"]], "levels": []', "E111 not valid JSON: the key 'levels' occurs twice in one object"),
]


@pytest.mark.parametrize(("levels", "message"), LEVELS)
def test_broken_levels_are_named_with_their_line(levels: str, message: str, tmp_path: Path) -> None:
    lines = write(tmp_path, "bad.jsonl", f'{FINE}{{"case": "q", "levels": {levels}}}\n{FINE.replace("q1", "q3")}')
    assert re.match(rf"{re.escape(str(lines))}:2(:\d+)?: ", refused(lines))
    assert message in refused(lines)


@pytest.mark.parametrize(("levels", "message"), [row for row in LEVELS if "E111" not in row[1]])
def test_broken_levels_of_json_have_lines_too(levels: str, message: str, tmp_path: Path) -> None:
    listed = write(tmp_path, "list.json", f'[\n{{"case": "q", "levels": {levels}}},\n{FINE}]')
    keyed = write(tmp_path, "dict.json", f'{{\n  "q": {levels},\n  "r": [["a"]]}}')
    for path in (listed, keyed):
        assert f"{path}:2: {message}" in refused(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"case": "q1", "levels": []}', "E138 case q1 occurs already (line 1)"),
        ('{"case": 1, "levels": []}\n{"case": "1", "levels": []}', "E138 case 1 occurs already (line 2)"),
        ('{"levels": []}', "E151 no case, and there are several objects"),
        ('{"case": "q2"}', "E151 no levels; the keys are case"),
        ('{"case": "q2", "level": []}', "E151 no levels; the keys are case, level"),
        ('{"case": "q2", "levels": [], "items": []}', "E151 unknown key items"),
        ('{"case": "q2", "levels": [], "query": "q2"}', "E151 unknown key query"),
        ('{"case": null, "levels": []}', "E114 the case id None is a NoneType"),
        ('{"case": 1.5, "levels": []}', "E114 the case id 1.5 is a float"),
        ('{"case": "", "levels": []}', "E114 the case id is empty"),
        ('{"case": "q2", "levels": []}\n[1]', "E112 found a line that is not one object"),
    ],
)
def test_broken_objects_are_named_with_their_line(line: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, "bad.jsonl", f"{FINE}{line}\n")
    number = 3 if "\n" in line else 2
    assert f"{path}:{number}: {message}" in refused(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("q1,d1,1,x", "E146 item d1 occurs twice in cluster x of case q1 (first at line 2)"),
        ("q1,d9,first,x", "E102 level 'first' is not a decimal number"),
        ("q1,d9,0x1,x", "E102 level '0x1' is not a decimal number"),
        ("q1,d9,nan,x", "E103 level is NaN; NaN has no order"),
        ("q1,d9,-inf,x", "E103 level is infinite or too large (-inf)"),
        ("q1,d9,1e999,x", "E103 level is infinite or too large (1e999)"),
        ("q1,d9,,x", "E153 the level is missing"),
        ("q1,,1,x", "E114 the item id is missing"),
        (",d9,1,x", "E114 the case id is missing"),
        ("q1,d9,1", "E101 3 columns, expected 4"),
    ],
)
def test_broken_rows_are_named_with_their_line(row: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, "bad.csv", f"{HEADER}q1,d1,1,x\nq1,d1,2,x\n{row}\nq1,d8,1,\n")
    assert f"{path}:4: {message}" in refused(path)


def test_every_broken_number_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "bad.tsv", "item\tscore\n" + "".join(f"d{row}\tx\n" for row in range(30)))
    message = refused(path)
    assert f"{path}:2: E102 score 'x' is not a decimal number" in message
    assert message.endswith(f"and {30 - message.count('E102')} more")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("case,item\nq1,d1\n", ":1: E152 no column for the priority and none for the cluster; the columns are case, item"),
        ("case,level\nq1,1\n", ":1: E109 no column for the item; the columns are case, level"),
        ("item,label\nd1,yes\nd2,\n", ":3: E124 the label is missing"),
        ("item,label\nd1,yes\nd1,no\n", ":3: E147 item d1 is listed twice in case whole (first at line 2)"),
        ("system,item,level\nA,d1,1\nB,d1,1\n", ": E107 2 run tags in one file (A, B)"),
        ("d1 x\nd1 x\n", ":2:1: E146 item d1 occurs twice in cluster x of case whole (first at line 1)"),
        ("d1 yes\nd1 no\n", ":2:1: E147 item d1 is listed twice"),
        ("q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n", ":2:7: E147 item d1 is listed twice in case q1 (first at line 1)"),
        ("q1 Q0 d1 1 2 t\nq1 Q0 d2 2 nan t\n", ":2:12: E103 score is NaN; NaN has no order"),
        ("q1 Q0 d1 1 2 t\nq1 Q0 d2 2 x t\n", ":2:12: E102 score 'x' is not a decimal number"),
        ("q1 0 d1 1\nq1 0 d1 2\n", ":2:6: E147 item d1 is listed twice in case q1 (first at line 1)"),
        ("q1 0 d1 1\nq1 0 d2\n", ":2: E101 3 columns, expected 4"),
        ("item;level\nd1;1\n", ":1:1: E110"),
        ("# nothing\n", "has no data lines"),
        (HEADER, "has no data lines"),
        ("", "is empty"),
        ("[]", "E002"),
        ("{}", "E002"),
        ("[3, 4]", "E150 level 1 of case whole is the number 3"),
        ('["a"]', "E150 level 1 of case whole is the text 'a'"),
        ('{"q1": {"a": 1}, "q2": 3}', "E150 the value of case q2 is not an object"),
        ('{"q1": {"a": 1, "b": "x"}}', "E113 the score of item b in case q1 is 'x', not a number"),
        ('{"q1": {"a": 1, "b": null}}', "E113 the score of item b in case q1 is null"),
        ('{"q1": {"x": ["a"], "b": "y"}}', "E134 q1/x has a list, like a cluster"),
        ('{"q1": {"x": ["a", "a"]}}', "E146 item a occurs twice in cluster x of case q1"),
        ('{"q1": {"": 1}}', "E114 the item id is empty"),
        ('[{"item": "a", "level": 1}, {"item": "b"}]', "record 2: E153 the level is missing"),
        ('{"item": "a", "cluster": "x"}\n{"item": "b", "level": 1}\n', ":1: E153 the level is missing"),
        ('{"cluster": "x", "items": ["a"]}\n{"cluster": "y", "items": []}\n', ":2: E149 the list of items is empty"),
        ('{"item": "a", "level": 1}\n{"item": "b", "level": {"x": 1}}\n', ":2: E112 found a dict in field 'level'"),
        ('<clustering name="x"><entity id="1"></clustering>', "E135 not readable XML"),
    ],
)
def test_broken_files(text: str, message: str, tmp_path: Path) -> None:
    assert message in refused(write(tmp_path, "bad", text))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (3, "E309 cannot read the output: a int"),
        ({"q1": [["a"], []]}, "output, q1: E148 level 2 of case q1 is empty"),
        ({"q1": [[(1.5,)]]}, "E114 the item id 1.5 in cluster 1 at level 1 of case q1"),
        ({(1, 2): [["a"]]}, "E114 the case id (1, 2) is a tuple"),
        ({1: [["a"]], "1": [["a"]]}, "E138 case 1 occurs already"),
        ({"q1": {"a": float("nan")}}, "E103 score is NaN"),
        ([{"case": "q1", "levels": []}, 3], "output, record 2: E151 no object, as the others are"),
        (pl.DataFrame({"item": ["a"], "level": [[1]]}), "E309 cannot read a level of type List(Int64)"),
        (pl.DataFrame({"item": ["a"], "level": [True]}), "E309 cannot read a level that is true or false"),
        (pl.DataFrame({"item": ["a", ""], "level": [1, 1]}), "output:2: E114 the item id is empty"),
        (pl.DataFrame({"item": [1.5], "level": [1]}), "output:1: E114 the item id is a decimal number"),
        (pl.DataFrame({"item": [], "level": []}, schema={"item": pl.String, "level": pl.Int64}), "E002"),
    ],
)
def test_broken_objects(source: Any, message: str) -> None:
    assert message in refused(source)


def test_broken_compositions(tmp_path: Path) -> None:
    run = write(tmp_path, "run.txt", "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
    clusters = write(tmp_path, "clusters.tsv", "a\tx\nb\tx\n")
    twice = write(tmp_path, "twice.tsv", "a\tx\nb\tx\na\tx\n")
    assert f"{twice}:3:1: E146 item a occurs twice in cluster x of case whole (first at line 1)" in refused(
        Composed(run, twice)
    )
    assert f"{clusters}: E155 has clusters of its own, and {clusters} was given" in refused(Composed(clusters, clusters))
    others = write(tmp_path, "others.tsv", "c\tx\nd\tx\n")
    assert f"{others}: E125 no item in common: {run} has a, b; {others} has c, d" in refused(Composed(run, others))
    cases = write(tmp_path, "cases.tsv", "q9\ta\tx\nq9\tb\tx\n")
    assert "E125" in refused(Composed(run, cases))
    assert "nowhere.tsv" in refused(Composed(run, tmp_path / "nowhere.tsv"))
    assert f"{run}: E155 has numbers, as a ranking has, and was given for clusters" in refused(Composed(run, run))
    assert "E155" in refused(Composed({"a": 1, "b": 2}, [0.5, 0.7]))


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("item,cluster\nd1,caf\xe9\nd2,caf\xe9\n".encode("latin-1"))
    result = read(path, "output", OPTIONS)
    assert [message.code for message in result.notices] == ["N212", "N231"]
    nested = tmp_path / "latin.json"
    nested.write_bytes('{"q": [["caf\xe9"]]}'.encode("latin-1"))
    assert f"{nested}:1: E006" in refused(nested)


def test_packed_files(tmp_path: Path) -> None:
    path = tmp_path / "packed.jsonl.gz"
    path.write_bytes(gzip.compress((FINE + '{"case": "q2", "levels": [[]]}').encode()))
    assert f"{path}:2: E148" in refused(path)


CORPUS_FILES = [
    path for path in sorted(CORPUS.glob("*/*")) if path.is_file() and path.name not in {"EXPECTED.txt", "expected.json"}
]


@pytest.mark.parametrize("path", CORPUS_FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.parametrize("role", ["gold", "output"])
def test_no_file_of_the_corpus_breaks_the_reader(path: Path, role: Role) -> None:
    try:
        result = read(path, role, OPTIONS)
    except PlumblineError as error:
        assert error.code in every_diagnostic()  # noqa: PT017 - most of them are refused, and some are fine
    else:
        assert result.frame.columns == ["case", "item", "value", "label"]
        assert result.frame["value"].is_finite().all()


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from("abc"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["case", "levels", "item", "a"]), inner),
    max_leaves=12,
)


@given(NESTED)
@example({"case": False, "levels": 0.0})
def test_anything_nested_is_read_or_refused(data: Any) -> None:
    for source in (data, {"q1": data}, {"case": "q1", "levels": data}):
        try:
            read(source, "output", OPTIONS)
        except PlumblineError as error:
            assert error.code in every_diagnostic()  # noqa: PT017 - as above


@given(NESTED)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = tmp_path_factory.mktemp("json") / "any.json"
    for text in (json.dumps(data), json.dumps({"q1": data}, indent=1), f"{FINE}{json.dumps(data)}\n"):
        path.write_text(text, encoding="utf-8")
        try:
            read(path, "gold", OPTIONS)
        except PlumblineError as error:
            assert error.code in every_diagnostic()  # noqa: PT017 - as above
