"""Labels that look like numbers: only decimal digits of ASCII are, since other digits cannot be compared as text."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

import plumbline
from plumbline.align.label_names import are_foreign, are_numbers, plain_label, respelled


@pytest.mark.parametrize("name", ["1", "+1", "-0.5", ".5", "1e-3", "2."])
def test_numbers(name: str) -> None:
    assert are_numbers([name])


@pytest.mark.parametrize("name", ["\u0661", "\uff11", "\u00b2", "1_0", "", "1e", "nan", "0x1"])
def test_what_is_no_number_is_a_label(name: str) -> None:
    assert not are_numbers([name])
    assert plain_label(f"{name}.0") != name or name == "1e"
    scores = plumbline.evaluate(
        {"m1": name or "x", "m2": "y"}, {"s": {"m1": name or "x", "m2": "x1"}}, "Accuracy", task="classification"
    )
    assert scores.mean["value"].to_list() == [0.5]


def test_two_spellings_of_a_number_are_one_label() -> None:
    assert respelled(["1.0", "2.00", "x"], ["1", "2", "3"]) == {"1.0": "1", "2.00": "2"}


@pytest.mark.parametrize("task", ["classification", "filtering"])
def test_time_is_not_quadratic_in_labels_that_the_gold_lacks(task: str) -> None:
    """20,000 of them took ten seconds and more, as each was looked for in a list of all classes."""
    gold = {f"m{number}": f"a{number}" for number in range(20_000)}
    output = {item: label.replace("a", "b") for item, label in gold.items()} | {"m0": "a0"}
    start = process_time()
    options: Any = {"positive": "a0"} if task == "filtering" else {}
    scores = plumbline.evaluate(gold, {"s": output}, "Accuracy", task=task, **options)
    assert process_time() - start < 5
    assert "N221" in {notice.code for notice in scores.notices}


def test_a_vocabulary_is_foreign_only_if_both_sides_show_two_labels() -> None:
    assert are_foreign(["x", "y"], ["a", "b"], numbers=False)
    assert not are_foreign(["x"], ["a", "b"], numbers=False)
    assert not are_foreign(["x", "y"], ["a"], numbers=False)
    assert are_foreign(["0.5"], ["a"], numbers=True)
    assert not are_foreign([], ["a", "b"], numbers=True)
