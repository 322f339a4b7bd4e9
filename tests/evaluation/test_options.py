"""Options of evaluate that belong to some tasks: elsewhere they would change nothing, and are refused."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array

import plumbline
from plumbline.cli.app import run
from plumbline.evaluation.request import request
from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.option import declared
from plumbline.tasks import task_named, task_names

GIVEN: dict[str, Any] = {
    "rel": 2.0,
    "positive": "spam",
    "threshold": 0.3,
    "classes": ["a", "b"],
    "multilabel": True,
    "label_separator": "|",
    "hierarchy": "/",
    "noise": "-1",
    "missing_items": "error",
    "on_duplicate": "first",
    "ties": "average",
    "depth": 3,
    "judged_only": True,
    "single_precision": True,
    "order": "file",
    "features": "vectors.csv",
    "distances": "distances.csv",
    "scheme": "IOB2",
    "values": "normalised",
    "annotations": "relations",
    "pooled": True,
    "floor": True,
    "floor_rate": 0.3,
}
"""A value for each option, other than the default."""
HOMES = {name: record.tasks for name, record in declared(EvaluateOptions).items() if record.tasks}
"""The tasks of each option that has only some."""


def test_every_option_that_has_a_home_is_tested() -> None:
    assert GIVEN.keys() == HOMES.keys()


def _evaluated(task: str, **options: Any) -> None:
    """What evaluate() takes beside the options of request()."""
    spans = {"a": [(0, 1, "X")]}
    gold, output = (spans, spans) if task == "extraction" else ({"a": 1, "b": 0}, {"a": 1, "b": 0})
    plumbline.evaluate(gold, {"s": output}, task=task, **{"floor": task == "filtering", **options})


@pytest.mark.parametrize("task", task_names())
@pytest.mark.parametrize("name", HOMES)
def test_an_option_is_taken_at_home_and_refused_elsewhere(name: str, task: str) -> None:
    ask = _evaluated if name.startswith("floor") else request
    if task in HOMES[name]:
        ask(task=task, **{name: GIVEN[name]})
        return
    with pytest.raises(plumbline.BadUsage, match="E325") as caught:
        ask(task=task, **{name: GIVEN[name]})
    assert all(home in str(caught.value) for home in HOMES[name])


LISTS = {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}
GRADES = pl.DataFrame({"case": ["q"] * 3, "item": ["a", "b", "c"], "grade": [2.0, 1.5, 0.0]})
OUTCOMES: dict[tuple[str, str], Any] = {
    ("rel", "ranking"): ({"q": {"a": 1, "b": 2, "c": 0}}, LISTS, "AP"),
    ("ties", "ranking"): ({"q": {"a": 0, "b": 1, "c": 0}}, LISTS, "AP"),
    ("depth", "ranking"): ({"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 4.0, "b": 3.0, "d": 2.0, "c": 1.0}}, "AP"),
    ("judged_only", "ranking"): ({"q": {"a": 1}}, {"q": {"z": 2.0, "a": 1.0}}, "AP"),
    ("single_precision", "ranking"): ({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}, "AP"),
    ("order", "ranking"): ({"q": {"a": 1, "b": 0}}, {"q": {"b": 1.0, "a": 2.0}}, "AP"),
    ("pooled", "extraction"): (
        {"a": [(0, 1, "A")], "b": [(0, 1, "A"), (2, 3, "A")]},
        {"a": [(0, 1, "A")], "b": [(0, 1, "A")]},
        "R",
    ),
    ("values", "extraction"): ({"a": {"n": "1,000"}}, {"a": {"n": 1000}}, "R"),
    ("scheme", "extraction"): ([["B-A", "O", "I-A"]], [["B-A", "O", "O"]], "R"),
    ("rel", "filtering"): (GRADES, {"q": {"a": 1, "b": 1, "c": 0}}, "P"),
    ("positive", "filtering"): ({"a": "spam", "b": "1"}, {"a": "spam", "b": "spam"}, "P"),
    ("threshold", "filtering"): ({"a": 1, "b": 0, "c": 1}, {"a": 0.9, "b": 0.4, "c": 0.2}, "P"),
    ("missing_items", "filtering"): ({"a": 1, "b": 1}, {"a": 1}, "R"),
    ("missing_items", "classification"): ({"a": "x", "b": "x", "c": "y"}, {"a": "x", "b": "x"}, "Accuracy"),
    ("missing_items", "clustering"): ({"a": "x", "b": "x", "c": "x"}, {"a": "x", "b": "x"}, "BCubedR"),
    ("noise", "clustering"): ({"a": "x", "b": "y"}, {"a": "-1", "b": "-1"}, "BCubedP"),
}
"""Gold, output and metric for which the option changes the value."""


@pytest.mark.parametrize(("name", "task"), OUTCOMES)
def test_at_home_an_option_changes_the_value(name: str, task: str) -> None:
    gold, output, metric = OUTCOMES[name, task]
    usual, changed = _value(gold, output, metric, task), _value(gold, output, metric, task, **{name: GIVEN[name]})
    assert usual != changed


def _value(gold: Any, output: Any, metric: str, task: str, **options: Any) -> float | str:
    """The mean, or what is said instead of one."""
    try:
        return float(plumbline.evaluate(gold, {"one": output}, metric, task=task, **options).mean["value"][0])
    except plumbline.PlumblineError as refused:
        return str(refused)


@pytest.mark.parametrize(("task", "rule"), [("filtering", "drop"), ("classification", "negative"), ("clustering", "wrong")])
def test_a_rule_of_another_task_is_refused_although_nothing_is_missing(task: str, rule: str) -> None:
    with pytest.raises(plumbline.BadUsage, match=rule):
        request(task=task, missing_items=rule)  # type: ignore[arg-type]  # any of the words


def test_lengths_that_no_metric_reads_are_refused() -> None:
    with pytest.raises(plumbline.BadUsage, match="E338"):
        request("AP", lengths={"a": 3})
    assert request("Rel(discount=time)", lengths={"a": 3}).options["lengths"] == {"a": 3}


def test_the_rate_of_a_random_filter_needs_a_floor() -> None:
    with pytest.raises(plumbline.BadUsage, match="E339"):
        _evaluated("filtering", floor=False, floor_rate=0.2)


@pytest.mark.parametrize(
    "typed",
    [["evaluate", "g", "s", "--floor-rate"], ["meta", "s", "--level"], ["weights", "--w"], ["elsewhere", "s", "--alpha"]],
)
def test_what_is_no_number_is_refused(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*typed, "nan"]) == 2
    assert "not a finite number" in capsys.readouterr().err


def test_defaults_may_be_said_in_every_task() -> None:
    message: dict[str, Any] = {
        "ties": "id",
        "on_duplicate": "error",
        "judged_only": False,
        "multilabel": False,
        "order": "score",
        "positive": (),
    }
    for task in task_names():
        assert request(task=task, **message) == request(task=task)


@pytest.fixture
def labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a gold and two outputs."""
    monkeypatch.chdir(tmp_path)
    Path("gold.tsv").write_text("a x\nb x\nc y\n", encoding="utf-8")
    Path("one.tsv").write_text("a x\nb y\nc y\n", encoding="utf-8")
    Path("other.tsv").write_text("a y\nb y\nc y\n", encoding="utf-8")


@pytest.mark.usefixtures("labelled")
@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "gold.tsv", "one.tsv", "--task", "clustering"],
        ["compare", "gold.tsv", "one.tsv", "other.tsv", "--task", "clustering"],
        ["why", "BCubedP", "gold.tsv", "one.tsv", "--task", "clustering"],
        ["confusion", "gold.tsv", "one.tsv"],
        ["sweep", "gold.tsv", "1=one.tsv", "2=other.tsv"],
    ],
)
def test_what_is_typed_is_refused_where_it_changes_nothing_and_a_setting_is_left_out(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--depth", "3"]) == 2
    assert "E325 --depth has no meaning" in capsys.readouterr().err
    monkeypatch.setenv(f"PLUMBLINE_{command[0]}_DEPTH".upper(), "3")
    assert run(command) == 0
    Path("pyproject.toml").write_text(f"[tool.plumbline.{command[0]}]\ndepth = 3\n", encoding="utf-8")
    monkeypatch.delenv(f"PLUMBLINE_{command[0]}_DEPTH".upper())
    assert run(command) == 0


@pytest.mark.usefixtures("labelled")
def test_an_option_is_refused_by_the_name_that_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "gold.tsv", "one.tsv", "other.tsv", "--task", "clustering", "--positive-from", "3"]) == 2
    message = capsys.readouterr().err
    assert "N270 --positive-from is now --threshold" in message
    assert "E325 --threshold has no meaning" in message


@pytest.mark.usefixtures("labelled")
def test_the_old_threshold_of_comparisons_is_taken_for_the_uir_where_no_score_can_be_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["compare", "gold.tsv", "one.tsv", "other.tsv", "--format", "json"]
    assert run([*command, "--task", "clustering", "--threshold", "0.5"]) == 0
    old = capsys.readouterr()
    assert "N270 --threshold is now --uir-threshold" in old.err
    assert run([*command, "--task", "clustering", "--uir-threshold", "0.5"]) == 0
    assert old.out == capsys.readouterr().out
    assert run([*command, "--task", "clustering", "--uir-threshold", "0.5", "--threshold", "0.5"]) == 2
    assert "E325 --threshold has no meaning" in capsys.readouterr().err


@pytest.mark.usefixtures("labelled")
def test_a_threshold_of_filters_is_one_of_scores_and_says_that_it_was_the_uir(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "gold.tsv", "one.tsv", "other.tsv", "--positive", "x", "--format", "json"]
    assert run([*command, "--threshold", "0.5"]) == 0
    result = capsys.readouterr()
    assert json.loads(result.out)["made"]["uir_threshold"] == 0.25
    assert "N271 --threshold is the score" in result.err
    assert "N270" not in result.err
    assert run([*command, "--threshold", "0.5", "--uir-threshold", "0.75"]) == 0
    result = capsys.readouterr()
    assert json.loads(result.out)["made"]["uir_threshold"] == 0.75
    assert "N271" not in result.err


@pytest.mark.usefixtures("labelled")
def test_both_old_names_of_thresholds_can_be_given_together(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "gold.tsv", "one.tsv", "other.tsv", "--positive", "x", "--format", "json"]
    assert run([*command, "--positive-from", "0.5", "--threshold", "0.75"]) == 0
    old = capsys.readouterr()
    assert "N270 --positive-from is now --threshold" in old.err
    assert "N270 --threshold is now --uir-threshold" in old.err
    assert run([*command, "--threshold", "0.5", "--uir-threshold", "0.75"]) == 0
    assert old.out == capsys.readouterr().out


@pytest.mark.usefixtures("labelled")
@pytest.mark.parametrize("setting", ["environment", "pyproject.toml"])
def test_the_old_threshold_of_comparisons_may_stand_in_the_settings(
    setting: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if setting == "environment":
        monkeypatch.setenv("PLUMBLINE_COMPARE_THRESHOLD", "0.75")
    else:
        Path("pyproject.toml").write_text("[tool.plumbline.compare]\nthreshold = 0.75\n", encoding="utf-8")
    assert run(["compare", "gold.tsv", "one.tsv", "other.tsv", "--task", "clustering", "--format", "json"]) == 0
    result = capsys.readouterr()
    assert json.loads(result.out)["made"]["uir_threshold"] == 0.75
    assert "N270 --threshold is now --uir-threshold" in result.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"thresold": 0.5}, "did you mean threshold"),
        ({"ties": "avrage"}, "average"),
        ({"depth": 0}, "a whole number from 1"),
        ({"floor_rate": 2.0, "floor": True}, "a number from 0 to 1"),
        ({"multilabel": "yes"}, "True or False"),
        ({"reader": "trek"}, "trec"),
    ],
)
def test_a_slip_in_an_option_is_answered_with_what_was_meant(options: dict[str, Any], words: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        plumbline.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, "AP", **options)
    assert words in str(caught.value)


def test_help_shows_every_option() -> None:
    known = declared(EvaluateOptions)
    shown = inspect.signature(plumbline.evaluate).parameters
    assert known.keys() <= shown.keys()
    assert all(f"{name}: {record.help}" in (plumbline.evaluate.__doc__ or "") for name, record in known.items())


@pytest.mark.usefixtures("labelled")
def test_what_is_positive_tells_that_they_are_filters(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "gold.tsv", "one.tsv", "--positive", "x"]) == 0
    assert run(["confusion", "gold.tsv", "one.tsv", "--positive", "x", "--format", "csv"]) == 0
    assert "one,whole,positive,negative,1" in capsys.readouterr().out
    assert plumbline.confusion("gold.tsv", "one.tsv", positive="x").classes == ("positive", "negative")


@pytest.mark.usefixtures("labelled")
def test_a_rate_that_is_a_setting_waits_for_a_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_EVALUATE_FLOOR_RATE", "0.3")
    assert run(["evaluate", "gold.tsv", "one.tsv", "--task", "clustering"]) == 0


def test_the_positive_grade_may_be_named() -> None:
    lists = {"q": {"a": 0.9, "b": 0.9, "c": 0.9}}
    assert _value(GRADES, lists, "P", "filtering", positive="1.5") == pytest.approx(1 / 3)
    assert "E126" in str(_value(GRADES, lists, "P", "filtering", positive="spam"))


@pytest.mark.parametrize("task", task_names())
def test_a_sweep_has_precision_and_recall_of_its_task(task: str) -> None:
    assert [measure.better for measure in request(task_named(task).trade_off, task=task).measures] == ["higher"] * 2


@pytest.mark.parametrize(("metrics", "rule"), [("Rel", "with another: these items share a level"), (["Rel", "AP"], "item id")])
def test_equal_scores_are_put_in_order_only_where_a_metric_asks_for_it(metrics: Any, rule: str) -> None:
    scores = plumbline.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}, metrics, task="ranking")
    assert [rule in notice.text for notice in scores.notices if notice.code == "N205"] == [True]


@pytest.mark.usefixtures("labelled")
def test_the_layout_of_trec_eval_tells_which_of_several_systems_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    Path("qrels.txt").write_text("q 0 a 1\nq 0 b 0\n", encoding="utf-8")
    Path("x.run").write_text("q Q0 a 1 2 x\nq Q0 b 2 1 x\n", encoding="utf-8")
    Path("y.run").write_text("q Q0 b 1 2 y\nq Q0 a 2 1 y\n", encoding="utf-8")
    assert run(["evaluate", "qrels.txt", "x.run", "y.run", "-m", "map", "--format", "trec_eval"]) == 0
    message = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert message == [["runid", "all", "x"], ["map", "all", "1.0000"], ["runid", "all", "y"], ["map", "all", "0.5000"]]


def test_a_run_tag_that_a_table_cannot_have_is_refused() -> None:
    frame = pl.DataFrame({"case": ["q"], "item": ["a"], "score": [1.0]})
    with pytest.raises(plumbline.BadUsage, match="no run tag 'mine'"):
        plumbline.evaluate({"q": {"a": 1}}, {"one": frame}, "AP", tag="mine")


@pytest.mark.parametrize(
    ("setting", "value", "typed"),
    [
        ("MISSING_ITEMS", "singleton", ["--positive", "x"]),
        ("FLOOR_RATE", "0.3", ["--task", "classification", "--floor"]),
        ("FEATURES", "nowhere.csv", ["--task", "classification"]),
        ("LENGTHS", "nowhere.csv", ["--task", "clustering"]),
    ],
)
@pytest.mark.usefixtures("labelled")
def test_settings_that_fit_another_task_are_left_out(
    setting: str, value: str, typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"PLUMBLINE_EVALUATE_{setting}", value)
    assert run(["evaluate", "gold.tsv", "one.tsv", *typed]) == 0


def test_a_value_of_0_is_said_too() -> None:
    with pytest.raises(plumbline.BadUsage, match="E325"):
        request(task="clustering", threshold=0.0)
    with pytest.raises(plumbline.BadUsage, match="E325"):
        request(task="clustering", rel=0.0)


def test_labels_of_any_kind_are_remembered() -> None:
    gold, systems = {"a": "low", "b": "high"}, {"s": {"a": "low", "b": "mid"}}
    scores = plumbline.evaluate(gold, systems, "CEM", task="classification", classes=np.array(["low", "mid", "high"]))
    assert scores.made["options"]["classes"] == ["low", "mid", "high"]


@pytest.mark.parametrize("lengths", [np.ones((3, 1)), csr_array(np.ones((3, 1)))])
def test_lengths_without_items_are_refused(lengths: object) -> None:
    with pytest.raises(plumbline.BadUsage, match="the lengths: no items"):
        plumbline.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["Rel(discount=time)"], lengths=lengths)
