"""The outputs that two metrics see differently: ranks against loops, facts and reasons by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import plumbline
from plumbline import BadUsage
from plumbline.studies import tables as describing
from tests.helpers.examples import some_of
from tests.helpers.filters_by_counts import Counts, filters
from tests.helpers.score_worlds import Block, blocks, flat, nested
from tests.helpers.study_oracles import mean_rank

SYSTEMS: dict[str, dict[str, Counts]] = {
    "zero": {"rare": (0, 0, 2, 48), "some": (0, 0, 10, 40), "half": (0, 0, 25, 25)},
    "all": {"rare": (2, 48, 0, 0), "some": (10, 40, 0, 0), "half": (25, 25, 0, 0)},
    "lot": {"rare": (1, 24, 1, 24), "some": (2, 8, 8, 32), "half": (10, 10, 15, 15)},
    "good": {"rare": (2, 1, 0, 47), "some": (9, 3, 1, 37), "half": (22, 4, 3, 21)},
    "sure": {"rare": (1, 0, 1, 48), "some": (3, 0, 7, 40), "half": (5, 0, 20, 25)},
}


@pytest.fixture(scope="module")
def actual() -> plumbline.Study:
    """Five filters on three cases."""
    gold, systems = filters(SYSTEMS)
    return plumbline.meta(
        gold=gold, systems=systems, metrics=["Accuracy", "Lam", "F(P,R)", "MI"], task="filtering", undefined="zero"
    )


def reasons(study: plumbline.Study, a: str, b: str) -> dict[tuple[str, str], str]:
    """The reasons by system and case."""
    rows = study.disagreements(a, b, top=100).iter_rows(named=True)
    return {(row["system"], row["case"]): row["reason"] for row in rows}


@given(blocks())
@settings(max_examples=some_of(30), deadline=None)
def test_the_greatest_differences_of_ranks_come_first(block: Block) -> None:
    study = plumbline.meta(nested(block), splits=1, resamples=1)
    values = flat(block)
    cases = len(block[0][0])
    size = len(values["m0"])
    table = study.disagreements("m0", "m1", top=4)
    every = sorted((abs(mean_rank(values["m0"], at) - mean_rank(values["m1"], at)) for at in range(size)), reverse=True)
    assert table["difference"].abs().to_list() == pytest.approx([float(value / size) for value in every[:4]], abs=1e-12)
    for row in table.iter_rows(named=True):
        at = int(row["system"][1:]) * cases + int(row["case"][1:])
        assert row["value_a"] == values["m0"][at] / 10
        assert row["rank_b"] == pytest.approx(float(mean_rank(values["m1"], at) / size), abs=1e-12)


def test_counts_and_kinds_are_those_of_the_outputs(actual: plumbline.Study) -> None:
    kinds = {"zero": "zero", "all": "placebo", "lot": "non-informative", "good": None, "sure": None}
    table = actual.disagreements("Accuracy", "Lam", top=100)
    assert len(table) == 15
    for row in table.iter_rows(named=True):
        tp, fp, fn, tn = SYSTEMS[row["system"]][row["case"]]
        assert row["output"] == f"TP {tp} FP {fp} FN {fn} TN {tn}"
        assert row["kind"] == kinds[row["system"]]


def test_reasons_of_outputs_that_know_nothing(actual: plumbline.Study) -> None:
    parameters = reasons(actual, "Accuracy", "Lam")
    assert parameters["zero", "rare"].startswith(
        "nothing selected; Lam gives all 3 such outputs the same value (0.5000); "
        "Accuracy gives them 0.5000 to 0.9600, here 0.9600: it is the share of negative items, here 96%"
    )
    assert parameters["all", "some"].startswith(
        "everything selected; Lam gives all 3 such outputs the same value (0.5000); "
        "Accuracy gives them 0.0400 to 0.5000, here 0.2000: it is the share of positive items"
    )
    assert parameters["lot", "half"].startswith(
        "40% of the positive and of the negative items selected, as if by lot; Lam gives all 3"
    )
    assert reasons(actual, "MI", "Lam")["zero", "rare"].startswith(
        "nothing selected; MI and Lam give all 3 such outputs the same"
    )


def test_what_follows_the_share_of_negatives_is_said_to_only_if_it_does(actual: plumbline.Study) -> None:
    """F of a placebo is 2 G / (1 + G): it falls with the negative items, and is not their share."""
    parameters = reasons(actual, "F(P,R)", "Lam")["all", "rare"]
    assert "F(P,R) gives them 0.0769 to 0.6667, here 0.0769: it falls with the share of negative items, here 96%" in parameters


def test_what_only_tends_to_follow_is_not_said_to() -> None:
    """Nothing is selected; `mine` goes up and down along the share of negative items, with a correlation of 0.5."""
    gold, systems = filters(SYSTEMS)
    values = {"half": 0.1, "some": 0.3, "rare": 0.2}
    scores = {"mine": dict.fromkeys(SYSTEMS, values), "flat": dict.fromkeys(SYSTEMS, dict.fromkeys(values, 0.4))}
    study = plumbline.meta(scores, gold=gold, systems=systems, task="filtering")
    parameters = reasons(study, "mine", "flat")["zero", "rare"]
    assert parameters.startswith(
        "nothing selected; flat gives all 3 such outputs the same value (0.4000); mine gives them 0.1000 to 0.3000"
    )
    assert "share of negative" not in parameters


def test_reasons_of_other_outputs_are_counts(actual: plumbline.Study) -> None:
    parameters = reasons(actual, "Accuracy", "Lam")
    assert parameters["sure", "some"].startswith(
        "nothing wrong is selected, and 7 of 10 positives are missed; 20% of the items are positive"
    )
    assert "Lam gives its best value, as it does to " in parameters["sure", "some"]
    assert parameters["good", "rare"].startswith("no positive is missed, and 1 of 3 selected items are wrong")
    assert parameters["good", "half"].startswith("precision 0.85, recall 0.88, 50% of the items are positive")


def test_a_missing_output_is_told() -> None:
    gold, systems = filters(SYSTEMS)
    del systems["good"]["rare"]
    study = plumbline.meta(gold=gold, systems=systems, metrics=["Accuracy", "Lam"], task="filtering")
    row = study.disagreements("Accuracy", "Lam", 100).filter(system="good", case="rare").row(0, named=True)
    assert row["output"] == "no output"
    assert row["kind"] is None
    assert row["reason"].startswith("the system has no output here")


def test_one_class_only() -> None:
    gold, systems = filters({"a": {"q": (0, 2, 0, 3), "r": (1, 0, 1, 2)}, "b": {"q": (0, 1, 0, 4), "r": (2, 1, 0, 1)}})
    study = plumbline.meta(gold=gold, systems=systems, metrics=["Accuracy", "Utility"], task="filtering")
    parameters = study.disagreements("Accuracy", "Utility", 100)
    assert parameters.filter(case="q")["kind"].to_list() == ["one class", "one class"]
    assert parameters.filter(system="a", case="q")["reason"][0].startswith("all items are negative")
    del systems["b"]["q"]
    silent = plumbline.meta(gold=gold, systems=systems, metrics=["Accuracy", "Utility"], task="filtering")
    assert silent.disagreements("Accuracy", "Utility", 100).filter(system="b", case="q")["kind"].to_list() == [None]


def test_a_gold_of_one_class_is_no_lack_of_knowledge() -> None:
    """On `none` all items are negative and on `every` all are positive; `right` is perfect there, `wrong` turns it round."""
    gold, systems = filters(
        {
            "right": {"none": (0, 0, 0, 10), "more": (0, 0, 0, 5), "every": (10, 0, 0, 0), "both": (5, 0, 0, 5)},
            "wrong": {"none": (0, 10, 0, 0), "more": (0, 5, 0, 0), "every": (0, 0, 10, 0), "both": (0, 0, 5, 5)},
        }
    )
    study = plumbline.meta(gold=gold, systems=systems, metrics=["Accuracy", "Utility"], task="filtering")
    kinds = {(row[0], row[1]): row[2] for row in study.disagreements("Accuracy", "Utility", 9)["system", "case", "kind"].rows()}
    single = {(system, case): "one class" for system in systems for case in ("none", "more", "every")}
    assert kinds == {**single, ("right", "both"): None, ("wrong", "both"): "zero"}
    grid, _ = describing.disagreement(study, "Accuracy", "Utility", 9)
    assert "; 1 of these 8 and 1 of all 8 know nothing of the gold; the gold of 6 of all has one class" in grid.caption


def test_golds_of_one_class_are_alike_if_it_is_the_same_class() -> None:
    gold, systems = filters(
        {"a": {"none": (0, 0, 0, 9), "more": (0, 0, 0, 5), "every": (3, 0, 6, 0), "many": (1, 0, 4, 0), "both": (2, 1, 1, 2)}}
        | {"b": {"none": (0, 3, 0, 6), "more": (0, 1, 0, 4), "every": (9, 0, 0, 0), "many": (5, 0, 0, 0), "both": (3, 0, 0, 3)}}
    )
    mine = {case: float(case in {"every", "many"}) for case in gold}
    scores = {
        "mine": dict.fromkeys(systems, mine),
        "yours": {name: {case: len(name + case) / 10 for case in gold} for name in systems},
    }
    parameters = reasons(plumbline.meta(scores, gold=gold, systems=systems, task="filtering", splits=1), "mine", "yours")
    assert parameters["a", "none"].startswith("all items are negative; mine and yours give all 4 such outputs the same value")
    assert parameters["b", "every"].startswith("all items are positive; mine gives all 4 such outputs the same value (1.0000)")


def ranking() -> plumbline.Study:
    """One relevant item at the top, or three of twelve further down; `few` has three relevant items."""
    gold = {"many": {f"d{at}": int(at < 12) for at in range(30)}, "few": {f"d{at}": int(at < 3) for at in range(30)}}
    orders = {"top": [0, *range(12, 30)], "deep": [12, 13, 0, 1, 2, *range(14, 30)], "none": list(range(12, 30))}
    systems: dict[str, Any] = {
        name: {case: {f"d{item}": -place for place, item in enumerate(order)} for case in gold}
        for name, order in orders.items()
    }
    return plumbline.meta(gold=gold, systems=systems, metrics=["RR", "P@5", "P@3"])


def test_ranks_of_relevant_items() -> None:
    study = ranking()
    table = study.disagreements("RR", "P@5", 100)
    row = table.filter(system="deep", case="few").row(0, named=True)
    assert row["output"] == "relevant at 3, 4, 5 (of 3), 21 shown"
    assert row["reason"].startswith(
        "3 of 3 relevant items shown, the first at rank 3; RR looks at the first one only; "
        "P@5 looks at the first 5, which have 3 of 3; P@5 cannot be above 0.6000 here"
    )
    lost = table.filter(system="none", case="many").row(0, named=True)
    assert lost["output"] == "relevant: none of 12, 18 shown"
    assert lost["reason"].startswith(
        "no relevant item among the 18 shown; RR gives its worst value, as it does to 1 other output"
    )
    exact = study.disagreements("RR", "P@3", 100).filter(system="deep", case="few")["reason"][0]
    assert "P@3 looks at the first 3, which have 1 of 3" in exact
    assert "cannot be above" not in exact
    gold = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
    gap = plumbline.meta(gold=gold, systems={"x": gold, "y": {"q": gold["q"]}}, metrics=["AP", "RR"])
    silent = gap.disagreements("AP", "RR", 9).filter(system="y", case="r").row(0, named=True)
    assert silent["output"] == "no output"
    assert silent["reason"].startswith("the system has no output here")
    assert "cannot be above" not in table.filter(system="top", case="many")["reason"][0]


def test_it_may_be_the_case() -> None:
    """On c1 all systems are low by B, whatever A says."""
    block = np.array([[[6, 5, 4], [7, 6, 5], [8, 7, 6]], [[60, 2, 40], [70, 1, 50], [80, 3, 59]]])
    study = plumbline.meta(nested(block.tolist(), ["A", "B"]))
    parameters = reasons(study, "A", "B")
    assert "it is the case: all 3 systems rank higher there by A than by B" in parameters["s1", "c1"]
    assert "it is the case" not in parameters["s1", "c0"]


def test_it_is_not_the_case_if_one_output_stands_out() -> None:
    """On c0 all systems rank higher by A, but only s0 by much."""
    block = [[[9, 1, 2], [5, 3, 4], [7, 6, 8]], [[1, 2, 9], [3, 4, 5], [6, 7, 8]]]
    study = plumbline.meta(nested(block, ["A", "B"]))
    here = study.disagreements("A", "B", 9).filter(case="c0")["difference"].to_list()
    assert min(here) > 0
    assert sum(here) / 3 < max(here) / 2
    assert "it is the case" not in reasons(study, "A", "B")["s0", "c0"]


def test_without_outputs_nothing_is_made_up() -> None:
    study = plumbline.meta(nested([[[1, 2, 3], [3, 5, 4]], [[3, 2, 2], [1, 5, 4]]]))
    table = study.disagreements("m0", "m1")
    assert table["output"].to_list() == [None] * 6
    assert "there are only values" in table.filter(system="s1", case="c2")["reason"][0]


def test_facts_are_joined_to_a_table_of_scores() -> None:
    gold, systems = filters(SYSTEMS)
    scores = {"mine": {name: {case: at / 10 for at, case in enumerate(cases)} for name, cases in SYSTEMS.items()}}
    scores["yours"] = {name: {case: len(name) / 10 for case in cases} for name, cases in SYSTEMS.items()}
    scores["yours"]["other"] = scores["mine"]["other"] = {"rare": 0.5}
    study = plumbline.meta(scores, gold=gold, systems=systems, task="filtering")
    table = study.disagreements("mine", "yours", 100)
    assert table.filter(system="lot", case="some")["output"].to_list() == ["TP 2 FP 8 FN 8 TN 32"]
    assert table.filter(system="other")["output"].to_list() == [None]
    assert "N253" in {notice.code for notice in study.notices}


def test_a_metric_cannot_disagree_with_itself(actual: plumbline.Study) -> None:
    with pytest.raises(BadUsage, match="E330"):
        actual.disagreements("Lam", "lam")
    with pytest.raises(BadUsage, match="E308"):
        actual.disagreements("Lam", "Nonsense")
