"""Labels from lists, arrays, dicts and frames give the same scores as from files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import plumbline as pb
from tests.helpers.label_forms import (
    CLASSIFIED,
    FILTERED,
    GUESS,
    SPAM,
    TAGGED,
    TOPICS,
    classified,
    codes,
    filtered,
    flat,
    frame,
    nested,
    refusal,
    scored,
)

TRUTH, GIVEN = ([int(label) for _, _, label in rows] for rows in (SPAM, GUESS))
WANTED, FOUND = ([label for _, _, label in rows] for rows in (TOPICS, TAGGED))
PROBABLE = [0.9, 0.8, 0.1, 0.7, 0.2, 0.6]
"""From 0.5 where GIVEN is 1."""

BINARY: dict[str, Any] = {
    "list": list,
    "tuple": tuple,
    "int": np.array,
    "int8": lambda labels: np.array(labels, dtype=np.int8),
    "bool": lambda labels: np.array(labels, dtype=bool),
    "list of bool": lambda labels: [bool(label) for label in labels],
    "list of NumPy bool": lambda labels: list(np.array(labels, dtype=bool)),
    "text": lambda labels: np.array(list(map(str, labels))),
    "object": lambda labels: np.array(labels, dtype=object),
    "object of bool": lambda labels: np.array(list(map(bool, labels)), dtype=object),
    "float": lambda labels: np.array(labels, dtype=float),
    "list of float": lambda labels: list(map(float, labels)),
    "polars": pl.Series,
    "polars bool": lambda labels: pl.Series(list(map(bool, labels))),
    "pandas": pd.Series,
    "pandas bool": lambda labels: pd.Series(labels, dtype=bool),
    "pandas category": lambda labels: pd.Series(labels, dtype="category"),
    "pandas text": lambda labels: pd.Series(list(map(str, labels))),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda labels: pa.chunked_array([labels[:2], labels[2:]]),
}


@pytest.mark.parametrize("kind", BINARY)
def test_every_array_of_a_filter(kind: str) -> None:
    assert filtered(BINARY[kind](TRUTH), BINARY[kind](GIVEN)) == pytest.approx(FILTERED)
    assert filtered(TRUTH, {"a": BINARY[kind](GIVEN)}) == pytest.approx(FILTERED), "a dict names systems"


@pytest.mark.parametrize("kind", ["list", "int", "text", "object", "float", "list of float", "polars", "pandas", "pyarrow"])
def test_every_array_of_a_classifier(kind: str) -> None:
    numbers = {"x": 0, "y": 1, "z": 2}
    gold, output = (BINARY[kind]([numbers[label] for label in labels]) for labels in (WANTED, FOUND))
    assert classified(gold, output) == pytest.approx(CLASSIFIED)
    assert classified([numbers[label] for label in WANTED], output) == pytest.approx(CLASSIFIED), "1.0 is the class 1"


@pytest.mark.parametrize("make", [list, np.array, pl.Series, pd.Series, lambda labels: np.array(labels, dtype=object)])
def test_words_in_arrays(make: Any) -> None:
    assert classified(make(WANTED), make(FOUND)) == pytest.approx(CLASSIFIED)


@pytest.mark.parametrize("make", [list, np.array])
def test_a_lone_surrogate_has_a_place(make: Any) -> None:
    with pytest.raises(pb.BadData, match="system:2: E124 the label holds a lone surrogate"):
        classified(["x", "y"], make(["x", "\udc80"]))


@pytest.mark.parametrize(
    "make", [list, np.array, pl.Series, pd.Series, tuple, lambda scores: np.array(scores, dtype=np.float32), pa.array]
)
def test_fractions_are_scores(make: Any) -> None:
    assert filtered(TRUTH, make(PROBABLE)) == pytest.approx(FILTERED)
    assert codes(TRUTH, make(PROBABLE), ["P"], "filtering") == {"N223"}
    assert scored(TRUTH, make(PROBABLE), ["P", "R"], "filtering", threshold=0.65) == {"P": 2 / 3, "R": 2 / 3}


def test_several_arrays_have_names() -> None:
    scores = pb.evaluate(TRUTH, {"a": GIVEN, "b": TRUTH}, "Accuracy", task="filtering")
    assert scores.mean.select("system", "value").rows() == [("a", 0.5), ("b", 1.0)]


DICTS: dict[str, Any] = {
    "flat": (flat(SPAM), flat(GUESS)),
    "nested": (nested(SPAM), nested(GUESS)),
    "flat, named": (flat(SPAM), {"a": flat(GUESS)}),
    "nested, named": (nested(SPAM), {"a": nested(GUESS)}),
    "numbers": ({item: int(label) for item, label in flat(SPAM).items()}, {k: int(v) for k, v in flat(GUESS).items()}),
    "truth values": ({item: label == "1" for item, label in flat(SPAM).items()}, flat(GUESS)),
    "scores": (flat(SPAM), dict(zip("abcdef", PROBABLE, strict=True))),
    "nested scores": (nested(SPAM), {"m": dict(zip("abcdef", PROBABLE, strict=True))}),
    "array and dict": (TRUTH, {str(place): label for place, label in enumerate(GIVEN)}),
    "frame and dict": (frame(SPAM).drop("case"), flat(GUESS)),
    "frame and named dict": (frame(SPAM), {"a": nested(GUESS)}),
    "whole numbers as keys": ({1: "1", 2: "0"} | dict(enumerate("1100", 3)), dict(enumerate("110101", 1))),
}


@pytest.mark.parametrize("kind", DICTS)
def test_every_dict(kind: str) -> None:
    gold, output = DICTS[kind]
    names = list(FILTERED)
    result = scored(gold, output, names, "filtering")
    wanted = FILTERED if kind != "whole numbers as keys" else scored(list("101100"), list("110101"), names, "filtering")
    assert result == pytest.approx(wanted)


FRAMES: dict[str, Any] = {
    "polars": lambda table: table,
    "lazy": pl.DataFrame.lazy,
    "pandas": pl.DataFrame.to_pandas,
    "pyarrow": pl.DataFrame.to_arrow,
    "whole numbers": lambda table: table.with_columns(pl.col("label").cast(pl.Int32, strict=False)),
    "categories": lambda table: table.with_columns(pl.col("label").cast(pl.Categorical)),
    "truth values": lambda table: table.with_columns(pl.col("label") == "1"),
    "no case": lambda table: table.drop("case"),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_frame(kind: str) -> None:
    make = FRAMES[kind]
    assert filtered(make(frame(SPAM)), make(frame(GUESS))) == pytest.approx(FILTERED)
    assert filtered(make(frame(SPAM)), {"a": make(frame(GUESS))}) == pytest.approx(FILTERED)
    if kind not in {"whole numbers", "truth values"}:
        assert classified(make(frame(TOPICS)), make(frame(TAGGED))) == pytest.approx(CLASSIFIED)


SETS = [["x"], ["x", "y"], []]
GUESSED = [["x"], ["y"], []]
INDICATED, OTHER = np.array([[1, 0], [1, 1], [0, 0]]), np.array([[1, 0], [0, 1], [0, 0]])


@pytest.mark.parametrize(
    ("gold", "output"),
    [
        (SETS, GUESSED),
        ([set(labels) for labels in SETS], [frozenset(labels) for labels in GUESSED]),
        (pl.Series(SETS), pl.Series(GUESSED)),
        (pa.array(SETS), pa.array(GUESSED)),
        (dict(zip("abc", SETS, strict=True)), dict(zip("abc", GUESSED, strict=True))),
        (dict(zip("abc", SETS, strict=True)), {"s": dict(zip("abc", GUESSED, strict=True))}),
        (pl.DataFrame({"item": list("abc"), "label": SETS}), pl.DataFrame({"item": list("abc"), "labels": GUESSED})),
        (INDICATED, OTHER),
        (INDICATED.astype(bool), OTHER.astype(float)),
        (sparse.csr_matrix(INDICATED), sparse.csr_matrix(OTHER)),
    ],
    ids=["lists", "sets", "polars", "pyarrow", "dict", "named dict", "frame", "matrix", "bool matrix", "sparse"],
)
def test_sets_of_labels(gold: Any, output: Any) -> None:
    names = ["Accuracy", "HammingLoss", "F(P,R)", "P(average=micro)"]
    result = scored(gold, output, names, "classification")
    wanted = {"Accuracy": 2 / 3, "HammingLoss": 1 / 6, "F(P,R)": (2 / 3 + 1) / 2, "P(average=micro)": 1.0}
    assert result == pytest.approx(wanted)


def test_one_label_goes_with_sets() -> None:
    assert scored([["x"], ["x", "y"]], ["x", "y"], ["Accuracy"], "classification") == {"Accuracy": 0.5}
    assert "several labels per item" in refusal("E309", ["x", "y"], [["x"], ["y"]], ["Accuracy"], "classification")


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
@pytest.mark.parametrize(
    "make", [list, lambda labels: np.array(labels, dtype=object), lambda labels: pd.Series(labels, dtype=object)]
)
def test_nothing_is_no_answer(make: Any, missing: object) -> None:
    assert codes(["x", "y"], make(["x", missing]), ["Accuracy"], "classification") == {"N220"}
    message = refusal("E124", make(["x", missing]), ["x", "y"], ["Accuracy"], "classification")
    assert "gold:2: E124 the label is missing" in message


def test_nothing_in_frames_is_no_answer() -> None:
    gold = pd.DataFrame({"id": [1, 2], "label": [3, 4]})
    assert codes(gold, pd.DataFrame({"id": [1, 2], "label": [3, np.nan]}), ["Accuracy"], "classification") == {"N220"}


@pytest.mark.parametrize(
    ("code", "gold", "output"),
    [
        ("E309", np.zeros((2, 2, 2)), np.zeros((2, 2, 2))),
        ("E309", np.array(1), np.array(1)),
        ("E309", np.array([[1, 2]]), np.array([[1, 0]])),
        ("E309", 3, 4),
        ("E309", pd.DataFrame({"id": [1, 2], "label": ["a", 1]}, dtype=object), ["a", "b"]),
        ("E309", pl.DataFrame({"id": [1], "label": pl.Series([object()], dtype=pl.Object)}), {"0": "a"}),
        ("E124", [b"1", b"0"], [b"1", b"0"]),
        ("E124", [{"a": 1}], [{"a": 1}]),
        ("E124", [["x", None]], [["x"]]),
        ("E124", [["x", ["y"]]], [["x"]]),
        ("E124", ["x", {"y"}], ["x", "y"]),
        ("E124", [1j, 0], [1, 0]),
        ("E124", {"a": "\udc80"}, {"a": "x"}),
        ("E124", {"a": ["\udc80"]}, {"a": ["x"]}),
        ("E114", {"\udc80": "x"}, {"a": "x"}),
        ("E114", {(1, 2): "x"}, {"a": "x"}),
        ("E002", [], []),
        ("E002", {}, {}),
        ("E002", {"q": {}}, {"q": {"a": "x"}}),
        ("E132", ["x", "y"], [0.5, 0.25]),
    ],
)
def test_objects_that_hold_no_labels(code: str, gold: Any, output: Any) -> None:
    refusal(code, gold, output, ["Accuracy"], "classification")


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_scores_that_are_no_numbers(score: float) -> None:
    assert "system:2: E103" in refusal("E103", [1, 0], [0.5, score], ["P"], "filtering")


def test_a_case_of_the_gold_without_items_is_told() -> None:
    gold = {"q": {"a": "x", "b": "y"}, "empty": {}}
    assert codes(gold, {"q": {"a": "x", "b": "y"}}, ["Accuracy"], "classification") == {"N214"}


@pytest.mark.parametrize("kind", ["Int64", "string", "boolean", "category"])
def test_labels_that_pandas_lacks_are_no_answers(kind: str) -> None:
    forms: dict[str, list[Any]] = {"Int64": [1, 0, 1], "boolean": [True, False, True]}
    labels = forms.get(kind, ["1", "0", "1"])
    gold: Any = pd.Series(labels).astype(kind)  # type: ignore[call-overload]  # any name of a type
    output: Any = pd.Series([*labels[:2], None], dtype=object).astype(kind)  # type: ignore[call-overload]  # as above
    assert scored(gold, gold, ["Accuracy"], "filtering") == {"Accuracy": 1.0}
    assert scored(gold, output, ["Accuracy"], "filtering") == {"Accuracy": 2 / 3}
    assert codes(gold, output, ["Accuracy"], "filtering") == {"N220"}
