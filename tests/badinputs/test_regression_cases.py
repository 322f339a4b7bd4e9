"""Bugs that users of other tools reported: each must not happen here. Numbers are those of the shared list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline, write_pair
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RECORDS: dict[str, dict[str, Any]] = {
    record["id"]: record for record in json.loads(shared("badinputs", "regression_cases.json").read_text(encoding="utf-8"))
}
Numbers = dict[str, "float | None"]


def given(number: str) -> Any:
    return RECORDS[number]["input"]


def per_case(gold: object, run: object, metric: str, **options: Any) -> Numbers:
    scores = pb.evaluate(gold, {"sys": run}, metric, **options)
    return dict(scores.per_case.select("case", "value").iter_rows())


def mean(gold: object, run: object, metric: str, **options: Any) -> float | None:
    value: float | None = pb.evaluate(gold, {"sys": run}, metric, **options).mean["value"][0]
    return value


def codes(gold: object, run: object, metric: str = "AP", **options: Any) -> set[str]:
    return {notice.code for notice in pb.evaluate(gold, {"sys": run}, metric, **options).notices}


def table(rows: list[list[float]], names: str = "abc") -> dict[str, dict[str, float]]:
    """Rows of numbers as cases of items."""
    return {f"q{number}": dict(zip(names, row, strict=False)) for number, row in enumerate(rows)}


def test_g01_ties_by_id_descending() -> None:
    data = given("G01")
    assert per_case(data["qrels"], data["run"], "AP")["q1"] == 1.0
    assert per_case(data["qrels"], data["run"], "AP", ties="worst")["q1"] == pytest.approx(1 / 3)
    assert per_case(data["qrels"], data["run"], "AP", ties="average")["q1"] == pytest.approx(11 / 18)


def test_g02_equal_runs_but_for_a_name() -> None:
    data = given("G02")
    assert mean(data["qrels"], data["run1"], "nDCG") == pytest.approx(1.0)
    assert mean(data["qrels"], data["run2"], "nDCG") == pytest.approx(0.6309297535714575)
    assert "N205" in codes(data["qrels"], data["run1"])
    averages = {mean(data["qrels"], data[run], "nDCG", ties="average") for run in ("run1", "run2")}
    assert len(averages) == 1


def test_g03_scores_closer_than_single_precision() -> None:
    data = given("G03")
    assert mean(data["qrels"], data["run"], "RR") == 0.5
    assert mean(data["qrels"], data["run"], "RR", as_="trec_eval9") == 1.0


def test_g04_an_empty_judgement_set_shifts_nothing() -> None:
    data = given("G04")
    result = per_case(data["qrels"], data["run"], "AP")
    assert result == {"q1": 0.5, "q2": None, "q3": pytest.approx(0.5833333333333333)}


def test_g05_twice_the_same_answer() -> None:
    data = given("G05")
    result = [mean(data["qrels"], data["run"], "nDCG") for _ in range(2)]
    assert result == [pytest.approx(0.543643, abs=1e-6)] * 2


def test_g06_a_missing_case_counts_as_worst_and_is_told() -> None:
    data = given("G06")
    assert mean(data["qrels"], data["run"], "AP") == 0.5
    assert "N201" in codes(data["qrels"], data["run"])
    assert mean(data["qrels"], data["run"], "AP", missing="skip") == 1.0


def test_g07_no_common_case_is_an_error_and_ids_keep_their_hash(tmp_path: Path) -> None:
    gold, output = write_pair(tmp_path, "1 Q0 d3 1 3.0 sys\n")
    assert plumbline("evaluate", gold, output).code == 1
    gold, output = write_pair(tmp_path, "q1 Q0 doc_00#3_1 1 3.0 sys\n", "q1 0 doc_00#3_1 1\nq1 0 doc_00 0\n")
    assert plumbline("evaluate", gold, output, "-m", "AP", "--format", "csv").means() == {("run", "AP"): 1.0}


@pytest.mark.parametrize("rule", ["first", "last", "best"])
def test_g08_a_duplicate_is_refused_and_never_lifts_above_one(rule: str, tmp_path: Path) -> None:
    data = given("G08")
    lines = "".join(f"q Q0 {item} {rank} {-rank} s\n" for rank, item in enumerate(data["run"]))
    _, output = write_pair(tmp_path, lines)
    with pytest.raises(pb.BadData, match="E104"):
        pb.evaluate(data["qrels"], output, "nDCG")
    assert mean(data["qrels"], output, "nDCG", on_duplicate=rule) == 1.0


def test_g09_the_ideal_uses_all_judged_items() -> None:
    data = given("G09")
    assert mean(data["qrels"], data["run"], "nDCG@2") == pytest.approx(0.613147, abs=1e-6)


def test_g10_rank_two_is_discounted() -> None:
    data = given("G10")
    assert mean(data["qrels"], data["run"], "nDCG") == pytest.approx(0.630930, abs=1e-6)


@pytest.mark.parametrize("empty", ["q1", "q2", "q3", "q4"])
def test_g11_an_empty_list_corrupts_no_other(empty: str) -> None:
    data = given("G11")
    full = {case: dict.fromkeys(items, 1.0) for case, items in data["qrels"].items()}
    result = per_case(data["qrels"], {**full, empty: {}}, "P@1")
    assert result == {case: float(case != empty) for case in full}
    assert mean(data["qrels"], {**full, empty: {}}, "P@1") == 0.75
    assert "N214" in codes(data["qrels"], {**full, empty: {}})


def test_g12_bpref_without_judged_irrelevant_items() -> None:
    data = given("G12")
    assert mean(data["qrels"], data["run"], "bpref") == 1.0


def test_g13_negative_scores_are_retrieved() -> None:
    data = given("G13")
    assert mean(data["qrels"], data["run"], "RR") == 1.0


def test_g14_the_order_of_keys_does_not_matter() -> None:
    gold: Mapping[str, Mapping[str, int]] = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q2": {"x": 2.0, "b": 1.0}, "q1": {"a": 1.0, "y": 0.5}}
    assert mean(gold, run, "AP") == 0.75
    turned = {case: dict(reversed(items.items())) for case, items in reversed(run.items())}
    assert mean(gold, turned, "AP") == 0.75


def test_g15_gold_and_system_with_the_same_base_name(tmp_path: Path) -> None:
    """The reported case is a classification; a ranking must not mix up its files either."""
    gold, system = tmp_path / "a" / "data.tsv", tmp_path / "b" / "data.tsv"
    for path, row in ((gold, "case\titem\tgrade\nq\td1\t1\n"), (system, "case\titem\tscore\nq\td2\t1\n")):
        path.parent.mkdir()
        path.write_text(row, encoding="utf-8")
    assert plumbline("evaluate", gold, system, "-m", "AP", "--format", "csv").means() == {("data", "AP"): 0.0}


def test_g16_the_highest_grade_of_err_is_a_parameter() -> None:
    (grade,) = given("G16")["grades"]
    gold, run = {"q": {"a": grade}}, {"q": {"a": 1.0}}
    assert mean(gold, run, "ERR@5") == pytest.approx(31 / 32)
    assert mean(gold, run, "ERR(gmax=6)@5") == pytest.approx(31 / 64)
    with pytest.raises(pb.BadData, match=r"E119 .*grade 5, above the maximum 4"):
        pb.evaluate(gold, {"sys": run}, "ERR(gmax=4)@5")


@pytest.mark.parametrize("ties", ["id", "average", "best", "worst"])
@pytest.mark.parametrize("relevant", ["a", "b"])
def test_g17_ap_is_rr_with_one_relevant_item(ties: str, relevant: str) -> None:
    run = given("G17")["run"]
    gold = {"q": {relevant: 1}}
    assert mean(gold, run, "AP", ties=ties) == mean(gold, run, "RR", ties=ties)


def test_g18_false_ties_are_noticed() -> None:
    run = {"q": {f"d{number}": float(round(1 - number / 1e5, 3)) for number in range(100)}}
    assert "N205" in codes({"q": {"d1": 1}}, run)
    distinct = {"q": {f"d{number}": 1 - number / 1e5 for number in range(100)}}
    assert "N205" not in codes({"q": {"d1": 1}}, distinct)


def test_g24_a_perfect_ranking_has_ndcg_one_over_the_defined_cases() -> None:
    rows = table(given("G24")["y"])
    assert mean(rows, rows, "nDCG") == pytest.approx(1.0)
    assert "N203" in codes(rows, rows, "nDCG")
    assert mean(rows, rows, "nDCG", undefined="zero") == pytest.approx(0.5)


def test_g25_ap_of_a_tied_list_with_one_positive() -> None:
    """scikit-learn's AP of a tied list is the share of positives; ours is the mean over all orders, H(n)/n."""
    run = {"q": {f"d{number:05}": 0.0 for number in range(10_000)}}
    harmonic = sum(1 / rank for rank in range(1, 10_001))
    assert mean({"q": {"d00000": 1}}, run, "AP", ties="average") == pytest.approx(harmonic / 10_000)
    assert mean({"q": {"d00000": 1}}, run, "AP") == pytest.approx(0.0001), "the id comes last"


def test_g26_ap_is_not_interpolated() -> None:
    data = given("G26")
    gold, run = table([data["y"]], "abcde"), table([data["s"]], "abcde")
    assert mean(gold, run, "AP") == 0.5


def test_g27_ap_without_relevant_items_is_undefined() -> None:
    gold = table([given("G27")["y"]])
    assert mean(gold, gold, "AP") is None
    assert "N203" in codes(gold, gold)


def test_g37_ndcg_of_tied_items() -> None:
    data = given("G37")
    gold, run = table(data["gold"]), table(data["scores"])
    assert mean(gold, run, "nDCG", ties="average") == pytest.approx(0.815465, abs=1e-6)
    assert mean(gold, run, "nDCG", ties="best") == pytest.approx(1.0)
    assert mean(gold, run, "nDCG", ties="worst") == pytest.approx(0.6309297535714575)
