"""Labels from every kind of file give the same scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline as pb
from plumbline.io.columns.names import CASES, ITEMS, LABELS, PROBABILITIES
from tests.helpers.command_line import plumbline, process
from tests.helpers.label_forms import (
    CLASSIFIED,
    FILES,
    FILTERED,
    GUESS,
    OF_ONE_CASE,
    SPAM,
    TAGGED,
    TOPICS,
    classified,
    codes,
    file,
    filtered,
    headed,
    plain,
    refusal,
    scored,
)

if TYPE_CHECKING:
    from pathlib import Path

SCORES = dict(zip("abcdef", (0.9, 0.8, 0.1, 0.7, 0.2, 0.6), strict=True))
"""Positive from 0.5 where GUESS is positive."""


@pytest.mark.parametrize("kind", FILES)
def test_every_file_of_a_filter(kind: str) -> None:
    assert filtered(file(FILES[kind](SPAM)), file(FILES[kind](GUESS))) == pytest.approx(FILTERED)


@pytest.mark.parametrize("kind", FILES)
def test_every_file_of_a_classifier(kind: str) -> None:
    assert classified(file(FILES[kind](TOPICS)), file(FILES[kind](TAGGED))) == pytest.approx(CLASSIFIED)


@pytest.mark.parametrize("kind", FILES)
def test_gold_and_output_may_be_of_different_kinds(kind: str) -> None:
    other = "two columns" if kind in OF_ONE_CASE else "tabs"
    assert filtered(file(FILES[other](SPAM)), file(FILES[kind](GUESS))) == pytest.approx(FILTERED)
    assert classified(file(FILES[kind](TOPICS)), file(FILES[other](TAGGED))) == pytest.approx(CLASSIFIED)


@pytest.mark.parametrize("kind", FILES)
def test_the_order_of_lines_does_not_matter(kind: str) -> None:
    assert filtered(file(FILES[kind](SPAM)), file(FILES[kind](GUESS[::-1]))) == pytest.approx(FILTERED)
    assert classified(file(FILES[kind](TOPICS[::-1])), file(FILES[kind](TAGGED))) == pytest.approx(CLASSIFIED)


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("name", sorted(LABELS["output"]))
def test_every_name_of_the_label(name: str, separator: str) -> None:
    gold, output = (headed(rows, ("Case", " Item", name.upper()), separator) for rows in (TOPICS, TAGGED))
    assert classified(file(gold), file(output)) == pytest.approx(CLASSIFIED)


@pytest.mark.parametrize("name", [*CASES, *ITEMS])
def test_every_name_of_case_and_item(name: str) -> None:
    names = (name, "item", "label") if name in CASES else ("case", name, "label")
    assert filtered(file(headed(SPAM, names)), file(plain(GUESS))) == pytest.approx(FILTERED)


@pytest.mark.parametrize("name", PROBABILITIES)
def test_every_name_of_the_score(name: str) -> None:
    text = f"item,{name}\n" + "".join(f"{item},{score}\n" for item, score in SCORES.items())
    gold = plain(SPAM, cases=False)
    assert filtered(file(gold), file(text)) == pytest.approx(FILTERED)
    assert codes(file(gold), file(text), ["P"], "filtering") == {"N223"}


def test_a_threshold_overrules_one_half() -> None:
    text = "item,score\n" + "".join(f"{item},{score * 10}\n" for item, score in SCORES.items())
    gold = plain(SPAM, cases=False)
    assert filtered(file(gold), file(text), threshold=6) == pytest.approx(FILTERED), "the threshold itself is positive"
    assert scored(file(gold), file(text), ["P", "R"], "filtering", threshold=7) == {"P": 2 / 3, "R": 2 / 3}
    assert codes(file(gold), file(text), ["P"], "filtering", threshold=6) == set()
    message = refusal("E128", file(gold), file(text, "sys.csv"), ["P"], "filtering")
    assert "sys.csv: E128 scores from 1 to 9" in message
    assert "threshold=NUMBER" in message


def test_labels_decide_and_scores_order() -> None:
    text = "item,label,score\na,0,0.9\nb,1,0.1\n"
    table = scored(file("a 1\nb 0\n"), file(text), ["Accuracy", "AUC"], "filtering")
    assert table == {"Accuracy": 0.0, "AUC": 1.0}
    assert scored(file("a 1\nb 0\n"), file(text), ["Accuracy"], "filtering", threshold=0.5) == {"Accuracy": 1.0}


QRELS = "q 0 a 2\nq 0 b 0\nq 0 c 1\nq 0 d 1\nq 0 e 0\nq 0 f -1\n"
RUN = "q Q0 a 1 9 t\nq Q0 b 2 7 t\nq Q0 d 3 5 t\nq Q0 f 4 3 t\n"


def test_a_trec_run_is_a_set_of_accepted_items() -> None:
    assert filtered(file(QRELS), file(RUN)) == pytest.approx(FILTERED)
    assert "N222" in codes(file(QRELS), file(RUN), ["P"], "filtering")


def test_a_trec_run_with_threshold_and_relevance_level() -> None:
    assert scored(file(QRELS), file(RUN), ["P", "R"], "filtering", threshold=5) == {"P": 2 / 3, "R": 2 / 3}
    assert scored(file(QRELS), file(RUN), ["P", "R"], "filtering", rel=2) == {"P": 1 / 4, "R": 1.0}
    assert scored(file(QRELS), file(RUN), ["P", "R"], "filtering", rel=2, threshold=8) == {"P": 1.0, "R": 1.0}
    assert "N222" not in codes(file(QRELS), file(RUN), ["P"], "filtering", threshold=5)


def test_trec_judgements_are_classes_and_runs_are_not() -> None:
    given = "q a 2\nq b 0\nq c 0\nq d 1\nq e 0\nq f -1\n"
    assert scored(file(QRELS), file(given), ["Accuracy"], "classification") == {"Accuracy": pytest.approx(5 / 6)}
    assert "E132 no column with labels, only with scores" in refusal(
        "E132", file(QRELS), file(RUN), ["Accuracy"], "classification"
    )


def test_items_alone_are_what_was_accepted() -> None:
    listed = "case,item\nm,a\nm,b\nm,d\nm,f\n"
    assert filtered(file(plain(SPAM)), file(listed)) == pytest.approx(FILTERED)
    assert "N222" in codes(file(plain(SPAM)), file(listed), ["P"], "filtering")


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        *(("1", "0"), ("true", "false"), ("True", "FALSE"), ("yes", "no"), ("y", "n"), ("T", "F"), ("+1", "-1"), ("+", "-")),
        *(("positive", "negative"), ("pos", "neg"), ("relevant", "irrelevant"), ("rel", "nonrelevant")),
    ],
)
def test_usual_words(yes: str, no: str) -> None:
    gold, output = (plain(rows).replace("1", "Y").replace("0", no).replace("Y", yes) for rows in (SPAM, GUESS))
    assert filtered(file(gold), file(output)) == pytest.approx(FILTERED)


def test_words_of_one_side_need_not_be_those_of_the_other() -> None:
    output = plain(GUESS).replace("1", "yes").replace("0", "no")
    assert filtered(file(plain(SPAM)), file(output)) == pytest.approx(FILTERED)
    assert codes(file(plain(SPAM)), file(output), ["P"], "filtering") == set()


def test_positive_words() -> None:
    gold, output = (plain(rows).replace("1", "spam").replace("0", "ham") for rows in (SPAM, GUESS))
    assert filtered(file(gold), file(output), positive="spam") == pytest.approx(FILTERED)
    assert filtered(file(gold), file(output), positive=["spam"]) == pytest.approx(FILTERED)
    turned = scored(file(gold), file(output), ["R", "Specificity"], "filtering", positive="ham")
    assert turned == {"R": pytest.approx(FILTERED["Specificity"]), "Specificity": pytest.approx(FILTERED["R"])}
    table = scored(file(plain(TOPICS)), file(plain(TAGGED)), ["P", "R"], "filtering", positive=["x", "z"])
    assert table == {"P": 4 / 5, "R": 1.0}


def test_labels_may_hold_spaces_between_tabs_and_commas() -> None:
    gold, output = "a\tnot spam\nb\tspam\n", "a,not spam\nb,not spam\n"
    assert scored(file(gold), file(output), ["Accuracy"], "classification") == {"Accuracy": 0.5}


def test_a_label_may_start_with_the_sign_of_a_comment() -> None:
    assert scored(file("a\t#x\nb\ty\n"), file("a\t#x\nb\ty\n"), ["Accuracy"], "classification") == {"Accuracy": 1.0}


def test_several_labels_on_several_rows_or_between_separators() -> None:
    names = ["Accuracy", "HammingLoss", "F(P,R,average=samples)"]
    rows = scored(file("a x\na y\nb y\n"), file("a x\nb y\n"), names, "classification", multilabel=True)
    split = scored(file("a x|y\nb y\n"), file("a x\nb y\n"), names, "classification", label_separator="|")
    spaced = scored(file("a\tx, y\nb\ty\n"), file("a\tx\nb\ty,\n"), names, "classification", label_separator=",")
    lists = scored(file('{"a": ["x", "y"], "b": ["y"]}'), file('{"a": ["x"], "b": ["y"]}'), names, "classification")
    assert rows == split == spaced == lists
    assert rows == {"Accuracy": 0.5, "HammingLoss": 0.25, "F(P,R,average=samples)": pytest.approx(5 / 6)}


def test_rows_of_one_item_need_not_stand_together() -> None:
    gold, output = "a x\nb y\na y\n", "b y\na y\na x\na x\n"
    assert scored(file(gold), file(output), ["Accuracy"], "classification", multilabel=True) == {"Accuracy": 1.0}


def test_run_tags_of_label_tables() -> None:
    two = headed(TAGGED, ("case", "item", "label")).replace("\n", ",A\n").replace("label,A", "label,system")
    two += plain(TOPICS, ",").replace("\n", ",B\n")
    gold = plain(TOPICS)
    both = pb.evaluate(file(gold), file(two), "Accuracy", task="classification")
    assert dict(both.mean.select("system", "value").iter_rows()) == {"A": pytest.approx(4 / 6), "B": 1.0}
    assert classified(file(gold), file(two), tag="A") == pytest.approx(CLASSIFIED)
    assert scored(file(gold), file(two), ["Accuracy"], "classification", tag="B") == {"Accuracy": 1.0}
    assert "no run tag 'C'" in refusal("E308", file(gold), file(two), ["Accuracy"], "classification", tag="C")


def test_two_systems_of_one_name(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "sys.tsv" for folder in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text(plain(GUESS), encoding="utf-8")
    gold = tmp_path / "gold.tsv"
    gold.write_text(plain(SPAM), encoding="utf-8")
    ended = plumbline("evaluate", gold, *paths, "--task", "filtering")
    assert ended.code == 1
    assert "E116 two systems are called sys" in ended.err
    named = plumbline("evaluate", gold, f"a={paths[0]}", f"b={paths[1]}", "--task", "filtering", "-m", "P", "--format", "csv")
    assert named.means() == {("a", "P"): 0.5, ("b", "P"): 0.5}


def test_standard_input(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text(plain(SPAM), encoding="utf-8")
    ended = process("evaluate", gold, "-", "-m", "R", "--task", "filtering", "--format", "csv", stdin=plain(GUESS))
    assert ended.means() == {("stdin", "R"): pytest.approx(2 / 3)}
