"""Every file of the bad-input corpus that concerns labels, and what is said about labels that do not fit."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from tests.helpers.command_line import Outcome, plumbline
from tests.helpers.label_forms import codes, file, refusal, scored
from tests.helpers.shared import shared

CORPUS = shared("badinputs")


@dataclass(frozen=True)
class Expected:
    """How a folder is evaluated, what it scores, and what is said."""

    task: str
    values: dict[str, float | None] = field(default_factory=dict)
    says: str = ""
    options: tuple[str, ...] = ()


SPAM: Final = ("--positive", "spam")
LABELS: Final = {
    "L01_no_positive_predicted": Expected(
        "filtering", {"P": None, "R": 0.0, "F(P,R)": 0.0}, "N203 P of sys is undefined.*no positive item"
    ),
    "L02_kappa_one_class": Expected("classification", {"Accuracy": 1.0, "Kappa": None}, "N203 Kappa .*same single class"),
    "L03_mixed_types": Expected("classification", {"Accuracy": 1.0}, r'N291 1 label .*"1\.0" as "1"'),
    "L04_trailing_space": Expected("classification", {"Accuracy": 0.5}, r'N221 1 label .*"spam " \(did you mean "spam"\?\)'),
    "L05_non_binary_in_filtering": Expected(
        "filtering", {"P": None}, r"gold\.tsv: E127 filtering needs 2 classes, found 3 \(a, b, c\)\n  help: pass --positive"
    ),
    "L06_lam_zero": Expected("filtering", {"Lam": 0.0, "FPR": 0.0, "FNR": 0.5, "Odds": None}, "N203 Odds .*infinite", SPAM),
    "L07_odds_ratio_div0": Expected("filtering", {"Odds": None, "Lam": 0.0}, "N203 Odds of sys .*infinite"),
    "L08_mi_zero_cells": Expected(
        "filtering", {"MI": 0.6931471805599453}, options=("--positive", "a", "--positive", "x", "--quiet")
    ),
    "L09_item_missing_in_system": Expected("classification", {"Accuracy": 2 / 3}, r"sys\.tsv: N220 1 of 3 items .*wrong: 3"),
    "L11_dup_item": Expected(
        "classification", {"Accuracy": None}, r"sys\.tsv:2:1: E133 item 1 is labelled twice .*\(first at line 1\)"
    ),
    "L12_class_only_in_system": Expected(
        "classification",
        {"Accuracy": 2 / 3, "P": 2 / 3, "R": 0.75},
        '(?s)N221 1 label .*"z".*N224 R of sys: 1 class is undefined',
    ),
    "L13_one_item": Expected("classification", {"Accuracy": 1.0}),
    "L14_label_index_out_of_range": Expected("classification", {"Accuracy": 0.5}, 'N221 1 label .*always wrong: "5"'),
    "L15_same_basename": Expected("classification", {"Accuracy": 0.0}),
}
"""L07: the corpus would print "inf" in text; spec/definitions.md, section 3, wins: an infinite Odds is null with a reason.

L12: classes of gold and output are averaged; the recall of a class that the gold lacks is undefined, left out, and told.
"""


def policy(name: str) -> str:
    return str(json.loads((CORPUS / name / "expected.json").read_text(encoding="utf-8"))["policy"])


def evaluated(name: str, task: str, metrics: list[str], *options: str) -> Outcome:
    gold, output = (next((CORPUS / name).glob(f"{role}*.tsv")) for role in ("gold", "sys"))
    asked = [word for metric in metrics for word in ("-m", metric)]
    return plumbline("evaluate", gold, f"sys={output}", "--task", task, *asked, "--format", "csv", *options)


@pytest.mark.parametrize("name", LABELS)
def test_folder(name: str) -> None:
    wanted = LABELS[name]
    ended = evaluated(name, wanted.task, list(wanted.values), *wanted.options)
    assert "Traceback" not in ended.err
    assert re.search(wanted.says, ended.err), ended.err
    if policy(name) == "reject":
        assert (ended.code, ended.out) == (1, "")
        assert "\n  help: " in ended.err
        return
    assert ended.code == 0, ended.err
    assert {metric: value for (_, metric), value in ended.means().items()} == pytest.approx(wanted.values)
    assert bool(re.search(r"\bN2\d\d ", ended.err)) == (policy(name) == "warn"), ended.err


def test_every_folder_of_labels_is_tested() -> None:
    assert {folder.name for folder in CORPUS.iterdir() if folder.name.startswith("L")} == set(LABELS)


def test_undefined_is_null_with_its_reason_in_json() -> None:
    ended = evaluated("L07_odds_ratio_div0", "filtering", ["Odds"], "--format", "json", "--per-case")
    rows = json.loads(ended.out)["scores"]
    assert [row["value"] for row in rows] == [None, None]
    assert all("infinite" in row["reason"] for row in rows)


@pytest.mark.parametrize("given", ["ham", "spam"])
def test_opposite_infinities_of_lam_are_one_half(given: str) -> None:
    """The corpus (L06) leaves this undefined; spec/definitions.md, section 3, gives what every non-informative output has."""
    gold = {"1": "ham", "2": "ham", "3": "spam", "4": "spam"}
    result = scored(gold, dict.fromkeys(gold, given), ["Lam", "Odds"], "filtering", positive="spam")
    assert result == {"Lam": 0.5, "Odds": 1.0}


@pytest.mark.parametrize("name", sorted(folder.name for folder in CORPUS.iterdir() if folder.name.startswith("K")))
@pytest.mark.parametrize("options", [(), ("--multilabel",), ("--on-duplicate", "first"), ("--floor",)])
def test_clusterings_read_as_classes_never_crash(name: str, options: tuple[str, ...]) -> None:
    ended = evaluated(name, "classification", ["Accuracy", "F(P,R)"], *options)
    assert "Traceback" not in ended.err
    assert ended.code in {0, 1}, ended.err
    assert ended.code == 0 or re.search(r"sys\.tsv(:\d+:1: E133 item \d is labelled|: E195 no label in common)", ended.err)


GOLD: Final = "a 1\nb 0\nc 1\n"
CLASSES: Final = "a x\nb y\nc x\n"


@pytest.mark.parametrize(("rule", "wanted"), [("negative", (2 / 3, 1.0, 0.5)), ("wrong", (1 / 3, 0.5, 0.5))])
def test_missing_items_of_a_filter(rule: str, wanted: tuple[float, ...]) -> None:
    result = scored(file(GOLD), file("a 1\n"), ["Accuracy", "P", "R"], "filtering", missing_items=rule)
    assert tuple(result.values()) == pytest.approx(wanted)
    assert codes(file(GOLD), file("a 1\n"), ["P"], "filtering", missing_items=rule) == {"N220"}


@pytest.mark.parametrize("rule", [None, "wrong"])
def test_missing_items_of_a_classifier_are_wrong(rule: str | None) -> None:
    result = scored(file(CLASSES), file("a x\nb y\n"), ["Accuracy"], "classification", missing_items=rule)
    assert result == {"Accuracy": pytest.approx(2 / 3)}


@pytest.mark.parametrize(("gold", "task"), [(GOLD, "filtering"), (CLASSES, "classification")])
def test_missing_items_are_an_error_on_request(gold: str, task: str) -> None:
    answer = gold.splitlines(keepends=True)[0]
    message = refusal("E131", file(gold), file(answer, "sys.txt"), ["Accuracy"], task, missing_items="error")
    assert "sys.txt: E131 2 of 3 items without an answer: b, c" in message


@pytest.mark.parametrize(("gold", "task"), [(GOLD, "filtering"), (CLASSES, "classification")])
def test_labels_with_nothing_in_common_are_an_error(gold: str, task: str) -> None:
    message = refusal("E195", file(gold), file("a P\nb Q\n", "sys.txt"), ["Accuracy"], task)
    assert "sys.txt has P, Q" in message


def test_labels_that_are_declared_may_all_be_new() -> None:
    classes = {"classes": ["P", "Q", *dict.fromkeys(line.split()[1] for line in CLASSES.splitlines())]}
    assert scored(file(CLASSES), file("a P\nb Q\n"), ["Accuracy"], "classification", **classes) == {"Accuracy": 0.0}
    assert scored(file(GOLD), file("a P\nb Q\nc P\n"), ["P"], "filtering", positive=["1", "P"]) == {"P": 1.0}


def test_extra_items_are_ignored_and_told() -> None:
    result = scored(file(CLASSES), file(CLASSES + "d x\ne y\n"), ["Accuracy"], "classification")
    assert result == {"Accuracy": 1.0}
    assert codes(file(CLASSES), file(CLASSES + "d x\n"), ["Accuracy"], "classification") == {"N219"}


TWICE: Final = "a 1\nb 0\na 0\nc 1\n"


@pytest.mark.parametrize(("rule", "right"), [("first", 3), ("last", 2)])
@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_repeated_items(task: str, rule: str, right: int) -> None:
    assert scored(file(GOLD), file(TWICE), ["Accuracy"], task, on_duplicate=rule) == {"Accuracy": pytest.approx(right / 3)}
    assert scored(file(TWICE), file(GOLD), ["Accuracy"], task, on_duplicate=rule) == {"Accuracy": pytest.approx(right / 3)}
    assert "N208" in codes(file(GOLD), file(TWICE), ["Accuracy"], task, on_duplicate=rule)


@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_repeated_items_are_refused(task: str) -> None:
    for gold, output in ((GOLD, TWICE), (TWICE, GOLD)):
        message = refusal("E133", file(gold, "gold.txt"), file(output, "sys.txt"), ["Accuracy"], task)
        assert re.search(r"(gold|sys)\.txt:3:1: E133 item a is labelled twice .*first at line 1", message)
    refusal("E306", file(GOLD), file(TWICE), ["Accuracy"], task, on_duplicate="best")
    assert codes(file(GOLD + "a 1\n"), file(GOLD), ["Accuracy"], task) == {"N208"}, "the same label again is harmless"


CASES: Final = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
SOME: Final = {"s": {"q": {"a": 1, "b": 0}}}


@pytest.mark.parametrize("task", ["filtering", "classification"])
@pytest.mark.parametrize(("rule", "accuracy", "kappa"), [("worst", 0.5, 0.0), ("skip", 1.0, 1.0)])
def test_missing_cases(task: str, rule: str, accuracy: float, kappa: float) -> None:
    result = scored(CASES, SOME, ["Accuracy", "ErrorRate", "Kappa"], task, missing=rule)
    assert result == {"Accuracy": accuracy, "ErrorRate": pytest.approx(1 - accuracy), "Kappa": kappa}
    assert codes(CASES, SOME, ["Accuracy"], task, missing=rule) == {"N201"}
    assert "E118 1 of 2 judged cases missing: r" in refusal("E118", CASES, SOME, ["Accuracy"], task, missing="error")


@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_nothing_in_common(task: str) -> None:
    message = refusal("E125", file(GOLD, "gold.txt"), file("v 1\nw 0\n", "sys.txt"), ["Accuracy"], task)
    assert "sys.txt: E125 no item in common: gold.txt has a, b, c; sys.txt has v, w" in message
    message = refusal("E115", file("q a 1\nq b 0\n", "gold.txt"), file("Q a 1\nQ b 0\n", "sys.txt"), ["Accuracy"], task)
    assert "no case in common: gold.txt has q; sys.txt has Q" in message
    message = refusal("E115", file("q a 1\nq b 0\n", "gold.txt"), file("a 1\nb 0\n", "sys.txt"), ["Accuracy"], task)
    assert "no case in common: gold.txt has q; sys.txt has no column of cases" in message
    assert "give both files a column of cases, or neither" in message
    assert "N202" in codes(file("q a 1\nq b 0\n"), file("q a 1\nq b 0\nr a 1\n"), ["Accuracy"], task)


@pytest.mark.parametrize("native", ["0", "1"])
@pytest.mark.parametrize("task", ["filtering", "classification", "clustering"])
def test_nothing_in_common_within_cases(task: str, native: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same item stands in other cases."""
    monkeypatch.setenv("PLUMBLINE_NATIVE", native)
    metric = "Purity" if task == "clustering" else "Accuracy"
    gold = "q\ta\t1\nr\ta\t1\nr\tb\t0\n"
    message = refusal("E115", file(gold, "gold.txt"), file("x\ta\t1\ny\ta\t1\n", "sys.txt"), [metric], task)
    assert "no case in common: gold.txt has q, r; sys.txt has x, y" in message
    message = refusal("E125", file(gold, "gold.txt"), file("q\tb\t1\ny\ta\t1\n", "sys.txt"), [metric], task)
    assert "no item in common: gold.txt has a in q, a in r, b in r; sys.txt has b in q" in message


def test_labels_that_the_gold_never_has() -> None:
    gold: Any = {"a": "spam", "b": "ham"}
    for task, rule in (("filtering", "not counted as positive"), ("classification", "always wrong")):
        options = {"positive": "spam"} if task == "filtering" else {}
        ended = plumbline_notices(gold, {"a": "spam", "b": "Ham"}, task, **options)
        assert f'1 label not in the gold, {rule}: "Ham" (did you mean "ham"?)' in ended


def plumbline_notices(gold: Any, output: Any, task: str, **options: Any) -> str:
    import plumbline as pb  # noqa: PLC0415 - beside the program of the same name

    return "\n".join(map(str, pb.evaluate(gold, {"s": output}, "Accuracy", task=task, **options).notices))
