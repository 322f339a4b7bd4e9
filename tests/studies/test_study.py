"""A study as a whole: its words, forms and refusals."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline import BadData, BadUsage
from tests.helpers.filters_by_counts import filters
from tests.helpers.score_worlds import nested

BLOCK = np.random.default_rng(11).integers(0, 100, (3, 4, 18)).tolist()
TABLES = ("strictness", "curve", "robustness", "discrimination", "asl", "swaps", "correlations", "tradeoff", "table")


def test_every_table_and_form_can_be_made() -> None:
    actual = plumbline.meta(nested(BLOCK, ["A", "B", "C"]), splits=20)
    assert all(isinstance(getattr(actual, name), pl.DataFrame) for name in TABLES)
    assert actual.table.columns == ["metric", "fall", "floor", "robustness", "power", "swap_rate"]
    assert actual.to_latex().count(r"\\") == 4
    assert actual.to_markdown().startswith("| metric |")
    assert "<table>" in actual._repr_html_()
    full = json.loads(actual.to_json())
    assert set(TABLES) < set(full)
    assert full["summary"] == repr(actual).split("\n\n")[0].split("\n")
    assert full["made"]["outputs"] == 72


def test_the_best_of_each_column_is_told_in_words() -> None:
    better = np.arange(4)[:, None] * np.array([0, 15, 60])[:, None, None]
    actual = plumbline.meta(nested((np.array(BLOCK) + better).tolist(), ["A", "B", "C"]), splits=50)
    parameters = repr(actual)
    for column, arguments, turned in (
        ("fall", "is strictest: no", False),
        ("robustness", "is most robust", False),
        ("power", "discriminates most", False),
        ("swap_rate", "has the lowest swap rate", True),
    ):
        best = actual.table.sort(column, descending=not turned)["metric"][0]
        assert any(line.startswith(best) and arguments in line for line in parameters.split("\n")), (column, best)
    least = actual.correlations.filter(over="outputs").sort("spearman").row(0, named=True)
    assert f"{least['a']} and {least['b']} agree least" in parameters


def test_the_same_seed_gives_the_same_study() -> None:
    made = [plumbline.meta(nested(BLOCK), pairs=40, splits=20, seed=seed).to_json() for seed in (3, 3, 4)]
    assert made[0] == made[1]
    assert json.loads(made[0])["robustness"] != json.loads(made[2])["robustness"]


def test_one_metric_has_no_strictness() -> None:
    actual = plumbline.meta(nested(BLOCK[:1], ["A"]))
    assert actual.table["fall"].to_list() == [None]
    assert repr(actual).startswith("Strictness needs another metric")
    assert "most robust" not in repr(actual)
    assert json.loads(actual.to_json())["nulls"]["fall, floor"]


def test_nobody_is_named_where_all_are_equal() -> None:
    block = [[[1, 2, 3], [2, 3, 4]], [[10, 20, 30], [20, 30, 40]]]
    parameters = repr(plumbline.meta(nested(block, ["A", "B"])))
    assert "By every metric, the mean Spearman correlation of systems is 1.00" in parameters
    assert "No metric tells any two systems apart significantly at 0.05" in parameters
    assert "By every metric, 0% of the pairs change order" in parameters


def test_one_case_has_neither_robustness_nor_swaps() -> None:
    actual = plumbline.meta(nested([[[1], [2], [3]], [[2], [1], [3]]]))
    assert actual.table.select("robustness", "swap_rate").rows() == [(None, None)] * 2
    assert "Robustness needs two cases" in repr(actual)
    json.loads(actual.to_json())


def test_the_figure_has_a_point_for_each_metric() -> None:
    actual = plumbline.meta(nested(BLOCK, ["A", "<b>", "C"]))
    points = [row for rows in actual.plot.strictness().to_dict()["datasets"].values() for row in rows]
    assert [row["metric"] for row in points] == ["A", "<b>", "C"]
    assert [row["strictness"] for row in points] == pytest.approx(actual.table["fall"].to_list())
    assert [row["robustness"] for row in points] == pytest.approx(actual.table["robustness"].to_list())
    with pytest.warns(DeprecationWarning, match=r"plot\.strictness"):
        assert ET.fromstring(actual.to_svg()).tag.endswith("svg")  # noqa: S314 - our own


def test_scores_of_evaluate_and_gold_with_systems_are_the_same() -> None:
    gold, systems = filters({"a": {"q": (1, 1, 2, 5), "r": (2, 3, 1, 1)}, "b": {"q": (3, 4, 0, 2), "r": (1, 1, 2, 3)}})
    metrics = ["Accuracy", "P", "Lam"]
    scores = plumbline.evaluate(gold, systems, metrics, task="filtering")
    one, other = plumbline.meta(scores), plumbline.meta(None, metrics, gold=gold, systems=systems, task="filtering")
    assert one.table.equals(other.table)
    assert one.facts is None
    assert other.smoothing.height == 12
    assert one.cube.lower.tolist() == [False, False, True]


def test_metrics_are_found_by_other_names() -> None:
    values = nested(BLOCK, ["AP", "P@10", "mine"])
    actual = plumbline.meta(values, ["map", "mine"], against="P@10")
    assert actual.metrics == ("AP", "mine", "P@10")
    assert actual.against == ("P@10",)
    assert actual.disagreements("MAP", "Mine", 3).height == 3


def test_undefined_values_are_counted() -> None:
    values = nested(BLOCK, ["A", "B", "C"])
    values["A"]["s0"]["c0"] = float("nan")
    values["B"]["s1"]["c1"] = float("nan")
    actual = plumbline.meta(values)
    assert len(actual.outputs) == 70
    assert actual.strictness["left_out"].unique().to_list() == [2]
    parameters = next(str(notice) for notice in actual.notices if notice.code == "N250")
    assert "2 of 72 outputs lack a value of a metric (A 1, B 1)" in parameters


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"against": "nonsense"}, "E308"),
        ({"level": 0}, "E306"),
        ({"top": 0}, "E371"),
        ({"top": 101}, "E371"),
        ({"pairs": 0}, "E371"),
        ({"splits": 0}, "E371"),
        ({"seed": -1}, "E306"),
        ({"test": "tukey"}, "E371"),
        ({"nonsense": 1}, "E371"),
        ({"ties": "best"}, "E339"),
        ({"gold": {"q": {"a": 1}}}, "E332"),
        ({"systems": {"q": {"a": 1}}}, "E332"),
    ],
)
def test_what_is_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(BadUsage, match=code):
        plumbline.meta(nested(BLOCK), **options)


def test_scores_that_cannot_be_studied() -> None:
    with pytest.raises(BadUsage, match="E309"):
        plumbline.meta()
    with pytest.raises(BadUsage, match="E167"):
        plumbline.meta({"A": {"x": {"q": 1.0, "r": 2.0}}})
    apart = {"A": {"x": {"q": 1.0}, "y": {"r": 2.0}}, "B": {"x": {"r": 1.0}, "y": {"q": 2.0}}}
    with pytest.raises(BadData, match="E170"):
        plumbline.meta(apart)


def test_hostile_names_do_not_act() -> None:
    evil = "\x1b[31m<script>|=1+1"
    actual = plumbline.meta(nested(BLOCK[:2], [evil, "B"]))
    for text in (repr(actual), actual._repr_html_(), actual.to_markdown(), actual.to_latex()):
        assert "\x1b" not in text
    assert "<script>" not in actual._repr_html_()
