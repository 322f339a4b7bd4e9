"""Tables of scores that cannot be compared are refused with a code, a place and a way out; never with a traceback."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plumbline.comparison.reading import read_scores
from plumbline.errors import BadUsage, PlumblineError
from plumbline.errors.registry import every_diagnostic

if TYPE_CHECKING:
    from pathlib import Path

pd = import_module("pandas")

HEAD: Final = "system,case,metric,value\n"


def refusal(source: Any, **options: Any) -> PlumblineError:
    if isinstance(source, (str, bytes)) and (isinstance(source, bytes) or "\n" in source):
        source = io.BytesIO(source.encode() if isinstance(source, str) else source)
    with pytest.raises(PlumblineError) as caught:
        read_scores(source, **options)
    assert caught.value.code in every_diagnostic()
    assert caught.value.diagnostics[0].help
    return caught.value


@pytest.mark.parametrize(
    ("source", "code", "line", "says"),
    [
        (HEAD + "a,1,AP,1\nb,1,AP,abc\n", "E160", 3, "the score 'abc' of b in case 1 (AP) is not a number"),
        (HEAD + "a,1,AP,1\n\n\nb,1,AP,0,5\n", "E101", 5, "5 columns, expected 4"),
        (HEAD + 'a,1,AP,1\n\nb,1,AP,"0,5"\n', "E160", 4, "the score '0,5' of b"),
        (HEAD + "a,1,AP,inf\n", "E160", 2, "is infinite"),
        (HEAD + "a,1,AP,-1e999\n", "E160", 2, "is infinite"),
        (HEAD + "a,1,AP,45%\n", "E160", 2, "is not a number"),
        ("system,case,AP,RR\na,1,1,2\nb,1,2,x\n", "E160", 3, "of b in case 1 (RR)"),
        ("case,a,b\n1,0.5,0.2\n2,0.3,x\n", "E160", 3, "of b in case 2 (score)"),
        ("a,b\n0.5,0.2\n0.3,Infinity\n", "E160", 3, "of b in case 2 (score) is infinite"),
        (HEAD + "a,1,AP,1\nb,1,AP,1\na,1,AP,2\n", "E161", 4, "a in case 1 (AP) is 2.0 here and 1.0 before (line 2)"),
        (HEAD + "a,1,AP,1\n\na,1,AP,NA\n", "E161", 4, "is no value here and 1.0 before (line 2)"),
        ("case,a,b\nq1,1,2\nq1,1,3\n", "E161", 3, "b in case q1 (score) is 3.0 here and 2.0 before (line 2)"),
        (HEAD + "a,,AP,1\n", "E114", 2, "the case id is missing"),
        (HEAD + ",1,AP,1\n", "E114", 2, "the system id is missing"),
        (HEAD + "a,1,,1\n", "E114", 2, "the metric id is missing"),
        ("system,case,AP\na,1,2\nb,1\n", "E101", 3, "2 columns, expected 3"),
        ("system;case;AP\na;1;2,5\n", "E110", 1, "';'"),
        ("a,b,a\n1,2,3\n", "E159", 1, "columns of the same name: a"),
        ("model,task,dataset,metric,value\na,1,d,AP,0.5\n", "E159", 1, "2 columns could be the case: task, dataset"),
        ("0.5,0.2\n0.3,0.4\n", "E158", 1, "the first line has numbers"),
        ("a b\n0.3 0.4\n", "E158", 1, "no column has numbers"),
        ("LLM,mmlu,gsm8k\na,0.5,0.2\n", "E158", 1, "the column LLM could be the system or the case"),
        ("model,mmlu,gsm8k\na,0.5,0.2\n", "E158", 1, "are the others cases or metrics?"),
        ("model,AP\na,0.5\na,0.4\n", "E158", 1, "model a has several rows, and there is no column for the case"),
        ("model,metric,value\na,AP,0.5\na,AP,0.4\n", "E158", 1, "there is no column for the case"),
        ("case,engine,AP\n1,x,0.5\n1,y,0.4\n", "E158", 1, "the column engine could be the system or the case"),
        ("case,metric,value\n1,AP,1\n", "E158", 1, "none for the system"),
        ("system,case,metric\na,1,AP\n", "E158", 1, "none for the value"),
        (HEAD, "E002", None, "no data lines"),
        ("\n\n", "E002", None, "no data lines"),
        (HEAD + "a,1,AP,NA\n", "E163", None, "AP has no value in any case"),
        ('{"AP": {"a": {"q": 1, "r": Infinity}}}\n', "E160", None, "'inf' of a in case r (AP) is infinite"),
        ('{"AP": {"a": {"q": [1]}}}\n', "E160", None, "is not a number"),
        ('{"AP": {"a": {"q": 1, "q": 2}}}\n', "E111", 1, "the key 'q' occurs twice"),
        ('{"AP": {"a": 1}}\n', "E158", None, "dicts that are not nested"),
        ('{"a": [1, 2], "b": [1]}\n', "E158", None, "lists of different lengths"),
        ("[]\n", "E002", None, "no data lines"),
        ("[1]\n", "E158", 1, "found a int"),
        ('[{"system": "a", "case": 1, "AP": 1},\n {"system": "b", "case": 1, "AP": "x"}]\n', "E160", 2, "'x' of b"),
        ('{"system": "a", "case": 1, "AP": 1}\n{"system": "b", "case": 1, "AP": "x"}\n', "E160", 2, "'x' of b"),
        ('{"system": "a", "case": 1}\n{"system"\n', "E111", 2, "not valid JSON"),
        (b"PK\x03\x04", "E007", None, "zip"),
        (b"PAR1 and no more", "E003", None, ""),
        (b"system,case,AP\na,\xff,1\n", "E006", 2, "UTF-8"),
        (b"system,case,AP\na,\x00,1\n", "E005", 2, ""),
        (b"\r\x98\r,[", "E006", 2, "UTF-8"),
        (b"\n\nsystem\tcase\tAP\na\t1\tx\nb\t1\t1\n", "E160", 4, "'x' of a"),
        (b"a" * 200_000 + b"\n1\n", "E158", 1, "the first line is too long"),
        (b'system,case,AP\na,1,"' + b"1\n" * 100_000, "E123", 2, "does not end"),
        (b"", "E001", None, ""),
    ],
)
def test_bad_files(source: str | bytes, code: str, line: int | None, says: str) -> None:
    error = refusal(source)
    assert error.code == code
    assert error.line == line
    assert says in str(error)


def test_the_three_forms_are_shown_with_examples() -> None:
    shown = str(refusal("hello\nworld\n"))
    assert "long (system,case,metric,value / A,q1,AP,0.31)" in shown
    assert "wide (system,case,AP,P@10 / A,q1,0.31,0.4)" in shown
    assert "matrix of one metric (case,A,B / q1,0.31,0.28)" in shown


def test_the_examples_of_the_forms_are_read() -> None:
    for text in (
        "system,case,metric,value\nA,q1,AP,0.31\n",
        "system,case,AP,P@10\nA,q1,0.31,0.4\n",
        "case,A,B\nq1,0.31,0.28\n",
    ):
        cube, _ = read_scores(io.StringIO(text))
        assert cube.values[0, 0, 0] == 0.31


def test_many_wrong_scores_are_shown_in_the_order_of_lines() -> None:
    error = refusal("case,a,b\n" + "".join(f"q{number},x,y\n" for number in range(50)) + "q,1,1\n")
    assert [one.place.line for one in error.diagnostics[:4] if one.place] == [2, 2, 3, 3]
    shown = str(error).count("E160")
    assert str(error).endswith(f"and {100 - shown} more")
    assert len(str(refusal(HEAD + f"a,1,AP,{'x' * 100_000}\nb,1,AP,1\n"))) < 500


def test_wrong_scores_of_a_metric_are_found_after_many_of_another_one() -> None:
    """One table holds them all, and those of the metrics that nobody asked for come first."""
    wrong = "".join(f"a,q{case},AP,x\n" for case in range(30))
    text = HEAD + wrong + "a,q0,RR,0.5\na,q1,RR,y\nb,q0,RR,1\nb,q1,RR,1\n"
    with pytest.raises(PlumblineError) as caught:
        read_scores(io.StringIO(text), metrics=["RR"])
    (error,) = caught.value.diagnostics
    assert ("'y' of a in case q1 (RR)" in error.text, error.place and error.place.line) == (True, 33)


def test_all_scores_that_contradict_each_other_are_counted() -> None:
    rows = "".join(f"a,q{case},AP,{value}\n" for case in range(50) for value in (0, 1))
    error = refusal(HEAD + rows)
    assert str(error).endswith(f"and {50 - str(error).count('E161')} more")


def test_a_wrong_score_of_another_metric_does_not_matter() -> None:
    text = "system,case,AP,RR\na,1,x,2\nb,1,1,2\n"
    cube, _ = read_scores(io.StringIO(text), metrics=["RR"])
    assert cube.metrics == ("RR",)
    assert refusal(text, metrics=["AP", "RR"]).code == "E160"


def test_one_name_for_several_metrics(tmp_path: Path) -> None:
    for name, text in (("wide", "system,case,AP,RR\na,1,1,2\n"), ("long", HEAD + "a,1,AP,1\na,1,RR,2\n")):
        (tmp_path / name).write_text(text)
        error = refusal(f"AP={tmp_path / name}")
        assert error.code == "E165"
        assert "AP is one metric, and the file has 2: AP, RR" in str(error)


def test_matrices_of_other_cases() -> None:
    numbered, named = pl.DataFrame({"a": [1, 2], "b": [3, 4]}), pl.DataFrame({"case": ["q1", "q2"], "a": [1, 2], "b": [3, 4]})
    assert "no column for the case, and RR has one" in str(refusal({"AP": numbered, "RR": named}))
    assert refusal({"AP": numbered, "RR": numbered[:1]}).code == "E164"
    error = refusal({"AP": named, "RR": named.with_columns(case=pl.Series(["1", "2"]))})
    assert error.code == "E164"
    assert "AP and RR have no case in common: AP has q1, RR has 1" in str(error)


def test_confused_columns_do_not_fill_the_memory() -> None:
    many = [str(number) for number in range(20_000)]
    error = refusal(pl.DataFrame({"system": many, "case": many, "AP": np.ones(20_000)}))
    assert error.code == "E162"
    assert "20,000 systems, 20,000 cases, 1 metric, and only 20,000 values" in str(error)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (3, "E309"),
        ([], "E309"),
        ([3], "E309"),
        (np.ones((2, 2)), "E309"),
        ({}, "E158"),
        ({"AP": {}}, "E002"),
        ({"AP": {"a": {}}}, "E002"),
        ({"AP": 3}, "E158"),
        ({"AP": {"a": {1.5: 1}}}, "E114"),
        ({"AP": {"a": {"q": 10**400}}}, "E160"),
        ({"AP": {"a": {"q\ud800": 1}}}, "E114"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "E159"),
        (pd.DataFrame({("a", "b"): [1]}), "E309"),
        (pd.DataFrame({"system": ["a", "b"], "topic": [1.0, 2.0], "AP": [1, 2]}), "E114"),
        (pd.DataFrame({"system": ["a", None], "topic": [1, 2], "AP": [1, 2]}), "E114"),
        (pl.DataFrame({"system": ["a"], "case": ["1"], "AP": [[1.0]]}), "E158"),
        (pl.DataFrame({"system": ["a"], "case": ["1"], "AP": [np.inf]}), "E160"),
        (pl.DataFrame(), "E002"),
        ("no_such_file.csv", "E009"),
        ("AP=no_such_file.csv", "E009"),
        ("no_such_*.csv", "E009"),
    ],
)
def test_bad_objects(source: Any, code: str) -> None:
    assert refusal(source).code == code


@pytest.mark.parametrize("options", [{"metrics": ["APP"]}, {"lower": ["APP"]}, {"metrics": ["AP", "nothing"]}])
def test_names_that_are_not_there(options: dict[str, list[str]]) -> None:
    error = refusal(HEAD + "a,1,AP,1\n", **options)
    assert isinstance(error, BadUsage)
    assert error.code == "E308"
    assert "AP" in str(error.diagnostics[0].help)


def test_a_metric_asked_for_has_values() -> None:
    assert refusal("system,case,AP,RR\na,1,1,\n", metrics=["AP", "RR"]).code == "E163"


WORDS: Final = st.sampled_from(
    [
        "system",
        "case",
        "metric",
        "value",
        "AP",
        "a",
        "1",
        "0.5",
        "NA",
        "",
        "inf",
        "x",
        '"',
        "{",
        "[",
        "}",
        "]",
        ":",
        "é",
        "\t",
        ";",
    ]
)
TEXTS: Final = st.lists(st.lists(WORDS, max_size=5).map(",".join), max_size=6).map("\n".join)


@given(TEXTS)
@example('"')
@example("system,case,AP\n\n\n")
@example("system,system\na,b\n")
@example("[{}]")
@example("{}")
@example("1")
def test_no_text_makes_a_traceback(text: str) -> None:
    try:
        cube, _ = read_scores(io.StringIO(text))
    except PlumblineError as error:
        assert error.code in every_diagnostic()  # noqa: PT017 - most of them are refused, and some are fine
    else:
        assert cube.values.shape == (len(cube.metrics), len(cube.systems), len(cube.cases))
        assert not np.isinf(cube.values).any()
