"""Evaluator: what evaluate() gives, from a gold that is prepared once; and plain dicts against the same rows in a file."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import plumbline
from tests.align.test_every_alignment import WORLDS
from tests.helpers.ranking_worlds import World, moderate, worlds

if TYPE_CHECKING:
    from collections.abc import Callable

METRICS = ["AP", "nDCG@10", "RR", "P@5", "ERR", "Q", "Bpref", "INST", "F(P@5,R@5)", "NumRet", "GMAP", "RelString"]
POLICIES: list[dict[str, Any]] = [
    {},
    {"ties": "average"},
    {"ties": "best"},
    {"depth": 2},
    {"judged_only": True},
    {"missing": "skip"},
    {"undefined": "zero"},
    {"as_": "trec_eval9"},
]


def same(one: plumbline.Scores, other: plumbline.Scores) -> None:
    """The same tables, the same notices, made in the same way."""
    for made, expected in ((one.per_case, other.per_case), (one.mean, other.mean), (one.texts, other.texts)):
        assert_frame_equal(made, expected, check_exact=True)
    assert one.notices == other.notices
    assert (one.columns, one.made) == (other.columns, other.made)


@pytest.mark.parametrize("task", WORLDS)
def test_every_task_scores_as_evaluate_does(task: str) -> None:
    gold, systems = WORLDS[task]
    evaluator = plumbline.Evaluator(gold, task=task)
    for some in (systems, {"x": systems["x"]}, systems):
        same(evaluator.evaluate(some), plumbline.evaluate(gold, some, task=task))


@pytest.mark.parametrize("task", WORLDS)
def test_score_is_the_mean_and_the_values(task: str) -> None:
    gold, systems = WORLDS[task]
    scores = plumbline.evaluate(gold, {"x": systems["x"]}, task=task)
    evaluator = plumbline.Evaluator(gold, task=task)
    assert evaluator.score({"x": systems["x"]}) == dict(scores.mean.select("metric", "value").iter_rows())
    by_case: dict[str, dict[str, float | None]] = {}
    for case, metric, value in scores.per_case.select("case", "metric", "value").iter_rows():
        by_case.setdefault(case, {})[metric] = value
    assert evaluator.score({"x": systems["x"]}, per_case=True) == by_case


@moderate(60)
@given(worlds(), st.sampled_from(POLICIES))
def test_any_ranking(world: World, policy: dict[str, Any]) -> None:
    try:
        expected = plumbline.evaluate(world.gold, world.run, METRICS, **policy)
    except plumbline.PlumblineError as error:
        with pytest.raises(type(error), match=re.escape(error.diagnostics[0].text[:40])):
            plumbline.Evaluator(world.gold, METRICS, **policy).evaluate(world.run)
        return
    evaluator = plumbline.Evaluator(world.gold, METRICS, **policy)
    same(evaluator.evaluate(world.run), expected)
    assert evaluator.score(world.run) == dict(expected.mean.select("metric", "value").iter_rows())


@moderate(60)
@given(worlds(), st.sampled_from(POLICIES))
def test_dicts_are_scored_as_files_are(world: World, policy: dict[str, Any]) -> None:
    """Dicts are looked up as they are, files are joined: two ways to the same values."""
    gold = {case: items for case, items in world.gold.items() if items}
    run = {case: items for case, items in world.run.items() if items}
    if not set(gold) & set(run):
        return
    qrels = "".join(f"{case} 0 {item} {grade!r}\n" for case, items in gold.items() for item, grade in items.items())
    lines = "".join(f"{case} Q0 {item} 0 {score!r} t\n" for case, items in run.items() for item, score in items.items())
    made = plumbline.evaluate(gold, {"s": run}, METRICS, **policy)
    read = plumbline.evaluate(BytesIO(qrels.encode()), {"s": BytesIO(lines.encode())}, METRICS, **policy)
    assert_frame_equal(made.per_case, read.per_case, check_exact=True)
    assert_frame_equal(made.mean, read.mean, check_exact=True)


def test_threads_share_one_evaluator() -> None:
    rng = np.random.default_rng(3)
    gold = {f"q{case}": {f"d{item}": int(item % 3) for item in range(20)} for case in range(10)}
    runs = [{f"q{case}": {f"d{item}": float(rng.integers(8)) for item in range(25)} for case in range(10)} for _ in range(8)]
    evaluator = plumbline.Evaluator(gold, METRICS, ties="average")
    alone = [plumbline.Evaluator(gold, METRICS, ties="average").score(run) for run in runs]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(evaluator.score, runs)) == alone


def test_what_is_done_to_the_gold_afterwards_is_not_noticed() -> None:
    gold, run = {"q": {"a": 1, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}}
    evaluator = plumbline.Evaluator(deepcopy(gold), "AP")
    changed = plumbline.Evaluator(gold, "AP")
    gold["q"]["b"] = 1
    gold["q"]["c"] = 1
    assert changed.score(run) == evaluator.score(run) == {"AP": 0.5}


@pytest.mark.parametrize(("task", "metric"), [("classification", "Accuracy"), ("filtering", "F1"), ("clustering", "ARI")])
@pytest.mark.parametrize(
    "change",
    [lambda gold: gold.clear(), lambda gold: gold["q"].pop("a"), lambda gold: gold["q"].update(d="1")],
)
def test_nor_if_outputs_need_a_table_of_it(task: str, metric: str, change: Callable[[dict[str, dict[str, str]]], None]) -> None:
    gold = {"q": {"a": "0", "b": "1", "c": "1"}}
    output = pl.DataFrame({"case": ["q"] * 3, "item": ["a", "b", "c"], "label": ["0", "1", "1"]})
    evaluator = plumbline.Evaluator(gold, metric, task=task)
    change(gold)
    assert list(evaluator.score(output).values()) == [1.0]


def _all_the_same(gold: Any) -> None:
    """Change the labels where they lie."""
    if isinstance(gold, pd.DataFrame):
        gold.loc[:, "label"] = 0
    else:
        gold[:] = 0


@pytest.mark.parametrize(
    "form",
    [np.array, pd.Series, lambda labels: pd.DataFrame({"item": range(len(labels)), "label": labels})],
)
def test_nor_is_what_is_done_to_its_arrays(form: Callable[[list[int]], Any]) -> None:
    labels = [0, 1] * 10_000
    gold = form(labels)
    evaluator = plumbline.Evaluator(gold, "Accuracy", task="classification")
    _all_the_same(gold)
    assert evaluator.score(form(labels)) == {"Accuracy": 1.0}


def test_a_gold_that_can_be_read_once_serves_every_output() -> None:
    evaluator = plumbline.Evaluator(BytesIO(b"q 0 a 1\nq 0 b 0\n"), "AP")
    assert [evaluator.score({"q": {"a": 1.0}}), evaluator.score({"q": {"b": 1.0}})] == [{"AP": 1.0}, {"AP": 0.0}]
    assert evaluator.notices == evaluator.evaluate({"q": {"a": 1.0}}).notices


def test_an_undefined_value_is_none() -> None:
    assert plumbline.Evaluator({"q": {"a": 0}}, "AP").score({"q": {"a": 1.0}}) == {"AP": None}


def test_score_takes_one_output() -> None:
    with pytest.raises(plumbline.BadUsage, match="2 outputs"):
        plumbline.Evaluator({"q": {"a": 1}}, "AP").score({"x": {"q": {"a": 1.0}}, "y": {"q": {"a": 1.0}}})


@pytest.mark.parametrize(
    "bad", [{"q": {"a": True}}, {"q": {"a": None}}, {"q": {"a": "1"}}, {"q": {"a": float("nan")}}, {"q": {1.5: 1}}]
)
def test_odd_dicts_are_refused_as_before(bad: dict[str, dict[Any, Any]]) -> None:
    evaluator = plumbline.Evaluator({"q": {"a": 1}}, "AP")
    with pytest.raises(plumbline.BadData):
        evaluator.score(bad)
    with pytest.raises(plumbline.BadData):
        plumbline.Evaluator(bad, "AP")
