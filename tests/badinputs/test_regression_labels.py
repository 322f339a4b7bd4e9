"""Bugs of label metrics that users of other tools reported, named by their number in the shared list and their source."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline
from tests.helpers.label_forms import codes, refusal, scored
from tests.helpers.shared import shared

RECORDS: Final[dict[str, dict[str, Any]]] = {
    record["id"]: record for record in json.loads(shared("badinputs", "regression_cases.json").read_text(encoding="utf-8"))
}


def given(number: str, source: str) -> Any:
    """The input of a record, which must be the one of this source."""
    assert source in RECORDS[number]["source"]
    return RECORDS[number]["input"]


def classified(gold: Any, output: Any, *names: str, **options: Any) -> dict[str, float | None]:
    return scored(gold, output, list(names), "classification", **options)


def filtered(gold: Any, output: Any, *names: str, **options: Any) -> dict[str, float | None]:
    return scored(gold, output, list(names), "filtering", **options)


def test_g15_pyevall_gold_and_system_of_one_base_name(tmp_path: Any) -> None:
    folder = shared("badinputs", given("G15", "PyEvALL"))
    paths = [tmp_path / role / "data.tsv" for role in ("gold", "sys")]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes((folder / f"{path.parent.name}__data.tsv").read_bytes())
    ended = plumbline("evaluate", *paths, "--task", "classification", "-m", "Accuracy", "--format", "csv")
    assert ended.means() == {("data", "Accuracy"): 0.0}


@pytest.mark.parametrize("undefined", ["skip", "zero", "one"])
def test_g20_scikit_learn_26965_no_hit_is_0_whatever_undefined_counts_as(undefined: str) -> None:
    data = given("G20", "#26965")
    assert filtered(data["gold"], data["sys"], "F(P,R)", undefined=undefined) == {"F(P,R)": RECORDS["G20"]["expected"]}
    assert classified(data["gold"], data["sys"], "F(P,R)", undefined=undefined) == {"F(P,R)": RECORDS["G20"]["expected"]}


@pytest.mark.parametrize("undefined", ["skip", "one"])
def test_g21_scikit_learn_27577_macro_f_of_104_classes(undefined: str) -> None:
    gold, output = list(range(104)), [*range(100), *range(101, 105)]
    wanted = RECORDS["G21"]["expected"]
    assert classified(gold, output, "F(P,R)", undefined=undefined) == {"F(P,R)": pytest.approx(wanted, abs=1e-6)}


def test_g22_scikit_learn_31052_f_comes_from_counts_not_from_an_undefined_precision() -> None:
    data = given("G22", "#31052")
    assert filtered(data["gold"], data["sys"], "F(P,R)", "P", "R") == {"F(P,R)": 0.0, "P": None, "R": 0.0}
    assert classified(data["gold"], data["sys"], "F(P,R,class=1)", "P(class=1)") == {"F(P,R,class=1)": 0.0, "P(class=1)": None}


def test_g23_scikit_learn_9624_kappa_of_one_class_is_undefined() -> None:
    data = given("G23", "#9624")
    assert classified(data["gold"], data["sys"], "Kappa", "Accuracy") == {"Kappa": None, "Accuracy": 1.0}
    assert filtered(data["gold"], data["sys"], "Kappa") == {"Kappa": None}
    assert codes(data["gold"], data["sys"], ["Kappa"], "classification") == {"N203"}


def test_g25_scikit_learn_6377_ap_of_equal_scores_is_the_share_of_positives() -> None:
    gold = [1] + [0] * 9_999
    assert filtered(gold, [0.0] * 10_000, "AP", threshold=0.5) == {"AP": pytest.approx(RECORDS["G25"]["expected"])}


def test_g26_scikit_learn_9618_ap_is_not_interpolated() -> None:
    data = given("G26", "#9618")
    assert filtered(data["y"], data["s"], "AP") == {"AP": RECORDS["G26"]["expected"]}


@pytest.mark.parametrize(("number", "source"), [("G27", "#8245"), ("G40", "torchmetrics#2507")])
def test_g27_g40_scikit_learn_8245_torchmetrics_2507_ap_without_positives_is_undefined(number: str, source: str) -> None:
    data = given(number, source)
    gold = data["y"] if isinstance(data, dict) else [0, 0]
    assert filtered(gold, [0.1] * len(gold), "AP", "AUC") == {"AP": None, "AUC": None}
    assert "N203" in codes(gold, [0.1] * len(gold), ["AP"], "filtering")


def test_g34_scikit_learn_12855_a_single_item() -> None:
    assert given("G34", "#12855") == {"n": 1}
    assert classified(["a"], ["a"], "Accuracy", "Kappa", "MCC") == {"Accuracy": 1.0, "Kappa": None, "MCC": None}
    assert filtered([1], [1], "Phi", "Lam", "Specificity") == {"Phi": None, "Lam": None, "Specificity": None}


def test_g35_scikit_learn_9786_auc_is_at_most_1() -> None:
    assert given("G35", "#9786")
    for seed in range(20):
        scores = np.random.default_rng(seed).random(50)
        best = filtered((scores >= 0.3).tolist(), scores, "AUC")["AUC"]
        assert best == 1.0


def test_g36_torchmetrics_295_absent_classes_are_left_out_and_told() -> None:
    data = given("G36", "torchmetrics#295")
    classes = [str(number) for number in range(data["classes"])]
    result = classified(data["gold"], data["sys"], "P", "R", "F(P,R)", classes=classes)
    assert result == {"P": 1.0, "R": 1.0, "F(P,R)": 1.0}
    assert codes(data["gold"], data["sys"], ["P"], "classification", classes=classes) == {"N224"}


def test_g38_torchmetrics_230_auc_of_many_items_is_exact() -> None:
    """Two thirds of the negatives lie below: the sum of ranks does not fit into single precision."""
    assert "AUROC" in RECORDS["G38"]["title"]
    items = np.arange(300_000)
    result = filtered((items % 2).tolist(), items / 300_000, "AUC")["AUC"]
    half = 150_000
    assert result == (half * (half + 1) / 2) / half**2


def test_g39_torchmetrics_1919_probabilities_keep_double_precision() -> None:
    assert RECORDS["G39"]["expected"] == "float64 all through"
    close = 1e-9
    assert filtered([1], [1 - close], "BrierScore")["BrierScore"] == pytest.approx(close**2, rel=1e-6)


def test_g42_torchmetrics_3227_nothing_passes_the_threshold() -> None:
    assert RECORDS["G42"]["expected"] == "n/a not 0/1"
    assert filtered([1, 0], [0.4, 0.3], "P", "R", threshold=0.9) == {"P": None, "R": 0.0}


def test_g43_torchmetrics_a_label_out_of_range_hits_nothing() -> None:
    data = given("G43", "torchmetrics 1.9.0")
    classes = [str(number) for number in range(data["classes"])]
    result = classified(data["gold"], data["sys"], "Accuracy", "P(class=2)", classes=classes)
    assert result == {"Accuracy": 0.5, "P(class=2)": None}
    assert "N221" in codes(data["gold"], data["sys"], ["Accuracy"], "classification", classes=classes)


@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_g44_scikit_learn_nothing_is_an_error(task: str) -> None:
    data = given("G44", "scikit-learn 1.9.1")
    refusal("E002", data["a"], data["b"], ["Accuracy"], task)
    assert pb.evaluate([1, 0], [1, 0], task=task).mean["value"].null_count() == 0
