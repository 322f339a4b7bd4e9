"""Numbers where labels are expected: scores, labels in another spelling, or an error; never a silent 0."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest

import plumbline as pb
from tests.helpers.label_forms import codes, file, refusal, scored

GOLD = "id,target\na,1\nb,0\nc,1\nd,0\n"
SCORES = {"a": 0.9, "b": 0.1, "c": 0.8, "d": 0.3}
METRICS = ["AUC", "P", "R"]


def column(name: str, scale: float = 1) -> str:
    """The scores in a column of this name; without a name, without a heading."""
    heading = f"id,{name}\n" if name else ""
    return heading + "".join(f"{item},{score * scale}\n" for item, score in SCORES.items())


@pytest.mark.parametrize("name", ["", "target", "prediction", "value", "label", "y_pred"])
def test_fractions_beside_0_and_1_are_scores(name: str) -> None:
    assert scored(file(GOLD), file(column(name)), METRICS, "filtering") == {"AUC": 1.0, "P": 1.0, "R": 1.0}
    assert codes(file(GOLD), file(column(name)), METRICS, "filtering") == {"N290", "N223"}
    cut = scored(file(GOLD), file(column(name)), METRICS, "filtering", threshold=0.85)
    assert cut == {"AUC": 1.0, "P": 1.0, "R": 0.5}


@pytest.mark.parametrize("name", ["proba", "y_score", "y_prob", "logit", "score"])
def test_a_column_of_scores_is_read_by_its_name(name: str) -> None:
    assert codes(file(GOLD), file(column(name)), METRICS, "filtering") == {"N223"}
    assert scored(file(GOLD), file(column(name)), METRICS, "filtering") == {"AUC": 1.0, "P": 1.0, "R": 1.0}


def test_fractions_under_an_unknown_name_are_not_ignored() -> None:
    assert "the columns are id, margin" in refusal("E109", file(GOLD), file(column("margin")), METRICS, "filtering")
    assert codes(file(GOLD), file("id,title\na,x\n"), METRICS, "filtering") == {"N222"}, "words say nothing about answers"


@pytest.mark.parametrize("made", [pl.DataFrame, pd.DataFrame])
def test_frames_are_read_alike(made: Any) -> None:
    gold = made({"id": list("abcd"), "y_true": [1, 0, 1, 0]})
    output = made({"id": list("abcd"), "prediction": list(SCORES.values())})
    assert scored(gold, {"mine": output}, METRICS, "filtering") == {"AUC": 1.0, "P": 1.0, "R": 1.0}


def test_right_and_predicted_labels_side_by_side() -> None:
    table = "id,y_true,y_pred,y_score\na,1,0,0.4\nb,0,1,0.9\nc,1,1,0.8\n"
    assert scored(file(table), file(table), ["Accuracy"], "filtering") == {"Accuracy": 1 / 3}
    beside_scores = "id,y_true,y_score\na,1,0.4\nb,0,0.9\nc,1,0.8\n"
    assert scored(file(beside_scores), file(beside_scores), ["Accuracy"], "filtering") == {"Accuracy": 1 / 3}


def test_numbers_beyond_probabilities_need_a_threshold_for_answers_only() -> None:
    logits = column("prediction", scale=-7)
    message = refusal("E128", file(GOLD), file(logits), METRICS, "filtering")
    assert "threshold=NUMBER" in message
    assert scored(file(GOLD), file(logits), ["AUC"], "filtering") == {"AUC": 0.0}
    scores = pb.evaluate(file(GOLD), {"mine": file(logits)}, "AUC", task="filtering")
    with pytest.raises(pb.BadData, match="E128"):
        scores.evaluation.alignment().confusion_cells()


def test_numbers_beside_words_are_an_error() -> None:
    gold = "a,spam\nb,ham\nc,spam\nd,ham\n"
    message = refusal("E195", file(gold), file(column("prediction")), METRICS, "filtering", positive="spam")
    assert "threshold=NUMBER" in message
    assert scored(file(gold), file(column("prediction")), METRICS, "filtering", positive="spam", threshold=0.5)["P"] == 1.0
    assert scored(file(gold), file(column("prediction")), ["AUC"], "filtering", positive="spam") == {"AUC": 1.0}
    message = refusal("E195", file(gold), file(column("label")), ["Accuracy"], "classification")
    assert 'read numbers as scores with task="filtering" and threshold=NUMBER' in message


@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_labels_with_nothing_in_common_are_an_error(task: str) -> None:
    options: dict[str, Any] = {"positive": "spam"} if task == "filtering" else {}
    message = refusal("E195", file("a,spam\nb,ham\n"), file("a,SPAM\nb,HAM\n"), ["Accuracy"], task, **options)
    assert "threshold" not in message


@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_1_0_is_1(task: str) -> None:
    gold, output = "a,1\nb,0\nc,1\n", "a,1.0\nb,0.0\nc,0.0\n"
    assert scored(file(gold), file(output), ["Accuracy"], task) == {"Accuracy": 2 / 3}
    assert scored(file(output), file(gold), ["Accuracy"], task) == {"Accuracy": 2 / 3}
    assert codes(file(gold), file(output), ["Accuracy"], task) == {"N291"}
    assert scored(file("a,1\nb,0\nc,1.0\n"), file("a,1.0\nb,0\nc,1\n"), ["Accuracy"], task) == {"Accuracy": 1.0}
    assert codes(file("a,1\nb,0\nc,1.0\n"), file("a,1\nb,0\nc,1\n"), ["Accuracy"], task) == {"N291"}


def test_versions_stay_classes() -> None:
    gold, output = "a,1.0\nb,1.1\nc,2.0\n", "a,1.0\nb,1.0\nc,2.0\n"
    assert scored(file(gold), file(output), ["Accuracy"], "classification") == {"Accuracy": 2 / 3}
    assert pb.confusion(file(gold), file(output)).classes == ("1.0", "1.1", "2.0")


def test_several_labels_in_another_spelling() -> None:
    gold, output = {"a": ["1", "2"], "b": ["3"]}, {"a": ["1.0", "2"], "b": ["3.0"]}
    assert scored(gold, {"mine": output}, ["Accuracy"], "classification") == {"Accuracy": 1.0}


def test_a_threshold_says_that_numbers_are_scores() -> None:
    ratings = "a,3\nb,1\nc,0\nd,2\n"
    assert codes(file(GOLD), file(ratings), ["P"], "filtering", threshold=2) == {"N290"}
    assert scored(file(GOLD), file(ratings), ["P", "R"], "filtering", threshold=2) == {"P": 0.5, "R": 0.5}


def test_a_threshold_that_changes_nothing_is_noticed() -> None:
    words = "a,yes\nb,no\nc,no\nd,no\n"
    assert codes(file(GOLD), file(words), ["P"], "filtering", threshold=0.5) == {"N292"}


def test_a_lowest_grade_reads_numbers_as_grades_or_is_noticed() -> None:
    graded = "a,3\nb,1\nc,0\nd,2\n"
    answers = "a,1\nb,0\nc,0\nd,1\n"
    assert scored(file(graded), file(answers), ["Accuracy"], "filtering", rel=2) == {"Accuracy": 1.0}
    assert codes(file("a,yes\nb,no\n"), file("a,yes\nb,no\n"), ["P"], "filtering", rel=2) == {"N293"}
    assert codes(file(graded), file("a,3\nb,1\n"), ["P"], "filtering", rel=2, positive="3") == {"N293", "N220"}


@pytest.mark.parametrize(("task", "metric"), [("filtering", "P"), ("classification", "Accuracy"), ("clustering", "ARI")])
@pytest.mark.parametrize("output", [[1, 0, 1, 1], [1]])
def test_arrays_of_different_lengths_are_an_error(output: list[int], task: str, metric: str) -> None:
    message = refusal("E181", [1, 0], output, [metric], task)
    assert f"{len(output)} value" in message
    assert "2 in the gold" in message


def test_an_output_of_grades_is_positive_from_the_same_grade_as_the_gold() -> None:
    grades = {"a": 2, "b": 0, "c": 1, "d": 0}
    for level in (1, 2):
        scores = pb.evaluate(grades, dict(grades), ["P", "R"], task="filtering", rel=level)
        assert scores.mean["value"].to_list() == [1.0, 1.0]
    answers = {"a": 1, "b": 0, "c": 0, "d": 1}  # yes and no, whatever the grades of the gold
    assert pb.evaluate(grades, answers, ["P", "R"], task="filtering", rel=2).mean["value"].to_list() == [0.5, 1.0]
