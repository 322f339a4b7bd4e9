"""Label files that cannot be read, and requests that labels cannot answer: each is named with a way out."""

from __future__ import annotations

from typing import Any

import pytest

import plumbline as pb
from plumbline.errors.registry import every_diagnostic
from tests.helpers.label_forms import codes, file, refusal, scored

GOLD = "a 1\nb 0\n"
UTF16 = "a\tx\nb\ty\n".encode("utf-16")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("a\tx\nb\n", "sys.txt:2: E101 1 column, expected 2 (item label); was the file cut?"),
        ("a\tx\nb\ty\tz\n", "sys.txt:2: E101 3 columns, expected 2"),
        ("a x\nb y z\n", "sys.txt:2: E101 3 columns, expected 2"),
        ("q\ta\tx\nq\tb\n", "sys.txt:2: E101 2 columns, expected 3 (case item label)"),
        ("# one\na,x\n\nb,x,y\n", "sys.txt:4: E101"),
        ("a b c d e\n", "sys.txt:1: E101 5 columns"),
        ("item,label\na,x\nb\n", "sys.txt:3: E101 1 column, expected 2"),
        ("a\tx\nb\t\x00\n", "sys.txt:2:3: E005 NUL byte"),
        ("item,label\na,x\nb,\x00\n", "sys.txt:3:3: E005 NUL byte"),
        (b"a\tx\nb\t\xff\n", "sys.txt:2: E006 not valid UTF-8"),
        (b"a\t\xe9\nb\tx\n", "sys.txt:1: E006 not valid UTF-8"),
        (b"item,label\na,x\nb,\xff\n", "sys.txt:3: E006 not valid UTF-8"),
        (UTF16, "sys.txt: E006 looks like UTF-16"),
        ("", "sys.txt: E001 sys.txt is empty"),
        ("# only\n# comments\n", "sys.txt: E002 sys.txt has no data lines"),
        ("\n \n\t\n", "sys.txt: E002"),
        ("item,label\n", "sys.txt: E002"),
        ("\tx\nb\ty\n", "sys.txt:1: E114 the item id is missing"),
        ("item,label\na,x\n,y\n", "sys.txt:3: E114 the item id is missing"),
        ("item;label\na;x\n", "sys.txt:1:1: E110 one column found: is the separator ';'"),
        ("name,label\na,x\n", "sys.txt:1: E109 no column for the item; the columns are name, label"),
        ("x\ny\n", "sys.txt: E008"),
        ('{"a": "x", "a": "y"}', "sys.txt:1: E111 not valid JSON: the key 'a' occurs twice"),
        ('{"a": "x"', "sys.txt:1:"),
        ("{}", "sys.txt: E002"),
        ('{"q": {"a": {"b": 1}}}', "sys.txt, q/a: E124 the label is a dict"),
        ('{"a": ["x", null]}', "sys.txt, whole/a: E124 the label is a list with a NoneType in it"),
        ('[{"item": "a", "label": ["x", {}]}]', "sys.txt, record 1: E124 the label is a list with a dict in it"),
        ('{"a": "\\udc80"}', "sys.txt, whole/a: E124 the label holds a lone surrogate"),
        ('{"\\udc80": "x"}', "sys.txt: E114 the item id holds a lone surrogate"),
        ('["x", "y"]', "sys.txt: E112 found a list of strs"),
        ("item,score\na,high\n", "sys.txt:2: E102 score 'high' is not a decimal number"),
        ("item,score\na,0.5\nb,nan\n", "sys.txt:3: E103 score is NaN"),
    ],
)
@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_files_that_cannot_be_read(task: str, data: bytes | str, says: str) -> None:
    with pytest.raises(pb.PlumblineError) as caught:
        pb.evaluate(file(GOLD), file(data, "sys.txt"), task=task)
    assert str(caught.value).startswith(says), str(caught.value)
    assert "help: " in str(caught.value)
    assert caught.value.code in every_diagnostic()


@pytest.mark.parametrize(
    "gold", ["a\tx\nb\t\n", "item,label\na,x\nb,\n", '[{"item": "a", "label": "x"}, {"item": "b", "label": null}]']
)
def test_a_gold_without_a_label(gold: str) -> None:
    assert "E124 the label is missing" in refusal("E124", file(gold, "gold.txt"), file(GOLD), ["Accuracy"], "classification")


@pytest.mark.parametrize("output", ["a\t1\nb\t\n", "item,label\na,1\nb,\n", '{"a": 1, "b": null}'])
@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_an_output_without_a_label_gives_no_answer(task: str, output: str) -> None:
    assert codes(file(GOLD), file(output), ["Accuracy"], task) == {"N220"}


def test_many_bad_lines_are_counted() -> None:
    message = refusal("E101", file(GOLD), file("a 1\n" + "b\n" * 50), ["Accuracy"], "filtering")
    assert "and 30 more" in message


def test_a_heading_with_unknown_names_is_told() -> None:
    rows = "".join(f"m{number}\t{number % 2}\n" for number in range(6))
    (notice,) = [
        notice
        for notice in pb.evaluate(file("mail\tkind\n" + rows), file(rows), task="classification").notices
        if notice.code == "N218"
    ]
    assert notice.text == "the first line was read as data: 'mail kind'"
    assert notice.help is not None
    assert "N218" not in codes(file(rows), file(rows), ["Accuracy"], "classification")


FRUIT = ("apple", "pear", "fig", "plum", "kiwi", "lime", "date", "nut", "sloe", "haw", "hip", "yam")


def headed(heading: str, separator: str, labels: str, rows: int) -> str:
    words = labels.split()
    lines = [(heading.split()), *((item, words[at % len(words)]) for at, item in enumerate(FRUIT[:rows]))]
    return "".join(f"{separator.join(line)}\n" for line in lines)


@pytest.mark.parametrize("separator", [",", "\t", " "])
@pytest.mark.parametrize(("labels", "rows"), [("good bad", 12), ("good bad", 3), ("good bad", 2), ("1 0", 12), ("0.5 1e-3", 2)])
def test_a_heading_is_told_whatever_items_are_called(separator: str, labels: str, rows: int) -> None:
    gold = headed("fruit verdict", separator, labels, rows)
    for task in ("classification", "clustering"):
        message = [one for one in pb.evaluate(file(gold), file(gold), task=task).notices if one.code == "N218"]
        assert [one.text for one in message] == ["the first line was read as data: 'fruit verdict'"] * 2
        assert [str(one.place) for one in message] == ["labels.txt:1"] * 2
    sure = pb.evaluate(file(gold), file(gold), task="classification", reader="plain")
    assert "N218" not in {one.code for one in sure.notices}
    named = gold.replace("fruit", "item").replace("verdict", "label")
    if separator != " ":
        assert "N218" not in codes(file(named), file(named), ["Accuracy"], "classification")


@pytest.mark.parametrize(
    "rows",
    [
        "apple good\npear bad\n",  # two rows tell nothing
        "apple good\npear bad\nfig good\n",  # the label comes again
        "a x\nb y\nc y\nd y\n",  # no word that names a column
        "m1 spam\nm2 ham\nm3 ham\nm4 ham\n",
        "apple one\npear two\nfig three\nplum four\n",  # every cluster has one item
        "q apple spam\nq pear ham\nq fig ham\nq plum ham\n",
        "apple one\n" + "".join(f"{word} {word}s\n" for word in FRUIT[1:]) + "cherry pears\n",
    ],
)
def test_a_first_line_of_data_is_no_heading(rows: str) -> None:
    for task in ("classification", "clustering"):
        assert "N218" not in {one.code for one in pb.evaluate(file(rows), file(rows), task=task).notices}


@pytest.mark.parametrize("label", ["answer", "label", "class", "target", "prediction", "score"])
@pytest.mark.parametrize("separator", ["\t", ","])
def test_a_numbered_item_beside_a_column_name_is_data(label: str, separator: str) -> None:
    rows = f"utt1 {label}\nutt2 question\nutt3 {label}\n".replace(" ", separator)
    assert scored(file(rows), file(rows), ["Accuracy"], "classification") == {"Accuracy": 1.0}
    matrix = pb.confusion(file(rows), file(rows))
    assert sorted(matrix.classes) == sorted([label, "question"])


@pytest.mark.parametrize("label", ["y", "pos", "rel", "s", "q", "d"])
def test_labels_that_are_called_like_a_column_are_labels(label: str) -> None:
    rows = f"m1\t{label}\nm2\tneg\n".replace("m1", "first").replace("m2", "second")
    assert scored(file(rows), file(rows), ["Accuracy"], "classification") == {"Accuracy": 1.0}
    assert scored(file(rows), file(rows), ["R"], "filtering", positive=label) == {"R": 1.0}


@pytest.mark.parametrize(
    ("code", "gold", "output", "metric", "task", "options", "says"),
    [
        ("E309", [["a"], ["b"]], [["a"], ["b"]], "P", "filtering", {}, "several labels per item for filtering"),
        ("E309", [1, 0], [["a"], ["b"]], "P", "filtering", {}, "several labels per item for filtering"),
        ("E129", [1, 0], [3.0, -2.0], "BrierScore", "filtering", {"threshold": 0}, "BrierScore: score -2 is not between"),
        ("E129", [1, 0], [3.0, 2.0], "LogLoss", "filtering", {"threshold": 0}, "choose AUC, AP or EER"),
        ("E128", [1, 0], [3.0, -2.0], "P", "filtering", {}, "scores from -2 to 3 and no labels"),
        ("E127", ["a", "b"], ["a", "b"], "P", "filtering", {}, "needs to know the positive class, found 2 (a, b)"),
        ("E126", ["spam", "ham"], ["spam"] * 2, "P", "filtering", {"positive": "spma"}, "did you mean 'spam'?"),
        ("E313", [["a"], ["b"]], [["a"], ["b"]], "Kappa", "classification", {}, "Kappa: items have several labels"),
        ("E313", [["a"], ["b"]], [["a"], ["b"]], "MCC", "classification", {}, "MCC: items have several labels"),
        ("E314", ["a", "b"], ["a", "b"], "P(average=samples)", "classification", {}, "items have one label"),
        ("E130", ["a", "b"], ["a", "b"], "P", "classification", {"classes": ["a"]}, "not among the classes a: b"),
        ("E308", ["a", "b"], ["a", "b"], "P(class=x)", "classification", {}, "no class 'x'\n  help: did you mean a or b?"),
        ("E371", ["a", "b"], ["a", "b"], "P", "classification", {"missing_items": "no"}, "negative, wrong, singleton"),
        ("E371", [1, 0], [1, 0], "P", "tagging", {}, "ranking, filtering, classification, clustering"),
    ],
)
def test_requests_that_labels_cannot_answer(  # noqa: PLR0917 - a row of the table
    code: str, gold: Any, output: Any, metric: str, task: str, options: dict[str, Any], says: str
) -> None:
    assert says in refusal(code, gold, output, [metric], task, **options)


def test_classes_may_name_one_that_nobody_has() -> None:
    """It has neither precision nor recall, so that both averages leave it out and say so."""
    gold, output = ["a", "b"], ["a", "b"]
    result = scored(gold, output, ["Accuracy", "P", "R"], "classification", classes=["a", "b", "c"])
    assert result == {"Accuracy": 1.0, "P": 1.0, "R": 1.0}
    assert codes(gold, output, ["P", "R"], "classification", classes=["a", "b", "c"]) == {"N224"}
