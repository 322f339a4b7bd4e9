"""Values that are not there, directions, duplicates and case sets: everything odd is counted and told."""

from __future__ import annotations

import math
from importlib import import_module

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.comparison import reading
from plumbline.comparison.reading import read_scores
from plumbline.errors import BadData
from tests.helpers.score_texts import codes, message_of, of

pd = import_module("pandas")


@pytest.mark.parametrize("word", ["", "NA", "NaN", "nan", "null", "None", "n/a", "-", " NA "])
def test_words_for_no_value(word: str) -> None:
    cube, notices = of(f"system,case,metric,value\na,1,AP,0.5\nb,1,AP,{word}\na,2,AP,1\nb,2,AP,1\n")
    np.testing.assert_array_equal(cube.values[0], [[0.5, 1.0], [np.nan, 1.0]])
    assert "1 of 4 scores is missing and left out (AP 1): b in 1" in message_of(notices, "N240")


def test_no_value_in_json_and_python() -> None:
    cube, _ = of('{"AP": {"a": {"q1": NaN, "q2": null, "q3": "NA", "q4": 0.5}}}')
    np.testing.assert_array_equal(cube.values, [[[np.nan, np.nan, np.nan, 0.5]]])
    cube, _ = read_scores({"AP": {"a": {"q1": math.nan, "q2": None, "q3": pd.NA, "q4": np.float32(0.5)}}})
    np.testing.assert_array_equal(cube.values, [[[np.nan, np.nan, np.nan, 0.5]]])


def test_true_and_false_are_one_and_zero() -> None:
    cube, _ = of("system,case,correct\na,1,True\nb,1,False\na,2,NA\nb,2,true\n")
    np.testing.assert_array_equal(cube.values, [[[1, np.nan], [0, 1]]])
    cube, _ = read_scores(pl.DataFrame({"system": ["a", "b"], "case": ["1", "1"], "correct": [True, False]}))
    assert cube.values.tolist() == [[[1], [0]]]


def test_undefined_scores_are_no_value() -> None:
    scores = plumbline.evaluate(["x", "y"], {"s": ["x", "x"]}, metrics=["P"], task="filtering", positive="y")
    with pytest.raises(BadData, match="E163 P has no value in any case"):
        read_scores(scores)


def test_directions() -> None:
    text = "system,case,AP,LogLoss,latency,mine,NumRet\na,1,1,2,3,4,5\n"
    cube, notices = of(text)
    assert cube.lower.tolist() == [False, True, False, False, False]
    unknown, count = [str(notice) for notice in notices if notice.code == "N237"]
    assert "latency, mine: higher is better assumed" in unknown
    assert 'lower="latency"' in unknown
    assert "NumRet" in count
    cube, notices = of(text, lower=["latency", "MINE", "numret", "logloss"])
    assert cube.lower.tolist() == [False, True, True, True, True]
    assert codes(notices) == []
    cube, notices = of(text, lower="AP", metrics="AP")
    assert cube.lower.tolist() == [True]
    assert "AP: lower is better, as requested" in message_of(notices, "N237")


def test_a_metric_in_another_spelling_is_assumed_aloud() -> None:
    cube, notices = of("system,case,err,err@20,logloss\na,1,1,1,2\n")
    assert cube.lower.tolist() == [False, False, True]
    message = message_of(notices, "N237")
    assert "err, err@20: higher is better assumed (spelled differently from plumbline's ERR)" in message
    assert 'lower="err" if lower is better there' in message
    _, notices = of("system,case,err\na,1,1\n", lower="err")
    assert "lower is better, as requested" in message_of(notices, "N237")


@pytest.mark.parametrize(
    "name",
    [
        "ERR@20",
        "map",
        "map_cut_10",
        "ndcg_cut_10",
        "recip_rank",
        "set_F",
        "P_10",
        "mrr",
        "precision@10",
        "c@1",
        "F(P@10,R@10)",
        "rbp",
    ],
)
def test_metrics_as_programs_spell_them_are_known(name: str) -> None:
    cube, notices = read_scores({name: {"a": {"1": 1.0}}})
    assert codes(notices) == []
    assert not cube.lower.any()


@pytest.mark.parametrize("name", ["f(P@10,R@10)", "F(p@10,R@10)", "err", "Map_cut_10", "ap"])
def test_other_spellings_are_told(name: str) -> None:
    assert "spelled differently" in message_of(read_scores({name: {"a": {"1": 1.0}}})[1], "N237")


def test_tasks_that_disagree_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_betters", lambda _: ("higher", "lower"))
    cube, notices = of("system,case,AP\na,1,1\n")
    assert cube.lower.tolist() == [False]
    assert "in both directions" in message_of(notices, "N237")


def test_metrics_are_chosen_by_any_name() -> None:
    text = "system,case,AP,P@10,bad\na,1,1,2,x\nb,1,3,4,5\n"
    for name in ("AP", "ap", "map"):
        cube, _ = of(text, metrics=[name])
        assert cube.metrics == ("AP",)
    cube, _ = of("system,case,AP,P@10\na,1,1,2\n", metrics=())
    assert cube.metrics == ("AP", "P@10")
    cube, _ = of(text, metrics=["P_10", "map", "AP"])
    assert cube.metrics == ("P@10", "AP")


def test_equal_duplicates_are_counted_once() -> None:
    cube, notices = of("system,case,metric,value\na,1,AP,0.5\na,1,AP,0.50\nb,1,AP,NA\nb,1,AP,\nb,2,AP,1\na,2,AP,1\n")
    np.testing.assert_array_equal(cube.values[0], [[0.5, 1.0], [np.nan, 1.0]])
    assert ":3: N239 2 scores occur twice with the same value and are counted once: a in case 1 (AP)" in message_of(
        notices, "N239"
    )


def test_different_case_sets_are_counted() -> None:
    cube, notices = read_scores({"AP": {"a": {"1": 1, "2": 1, "3": 1}, "b": {"1": 1, "2": 1}, "c": {"1": 2, "4": 1}}})
    assert cube.values.shape == (1, 3, 4)
    assert "3 of 3 systems lack some of the 4 cases, 1 of which all have: a 1, b 2, c 2" in message_of(notices, "N241")
    assert codes(notices) == ["N241"]


def test_a_metric_that_some_cases_lack_is_no_value_there() -> None:
    _, notices = of("system,case,metric,value\na,1,AP,1\na,1,RR,1\na,2,AP,1\nb,1,AP,1\nb,1,RR,1\nb,2,AP,1\nb,2,RR,1\n")
    assert "1 of 8 scores is missing and left out (RR 1): a in 2" in message_of(notices, "N240")


def test_what_has_no_numbers_is_left_out_and_told() -> None:
    cube, notices = of(",system,case,AP,empty,notes\n0,a,1,1,,fine\n1,b,1,2,NA,good\n")
    assert cube.metrics == ("AP",)
    message = [notice.text for notice in notices if notice.code == "N238"]
    assert message == [
        "1 column without numbers, left out: notes",
        "1 column read as row numbers, left out: (without a name)",
        "no value in any case, left out: empty",
    ]


def test_one_of_everything() -> None:
    cube, notices = of("system,case,AP\na,1,0.5\n")
    assert cube.values.tolist() == [[[0.5]]]
    assert codes(notices) == []
