"""What is said about several metrics is true of each of them."""

from __future__ import annotations

import numpy as np
import pytest

import plumbline
from tests.helpers.score_worlds import Nested, nested

STEADY = [[1, 2, 3, 4, 5, 6, 7, 8], [2, 3, 4, 5, 6, 7, 8, 9], [3, 4, 5, 6, 7, 8, 9, 10]]
BLOCK = np.random.default_rng(11).integers(0, 100, (3, 4, 6)).tolist()
MANY_PAIRS = 15


def line(values: Nested, arguments: str, pairs: int | None = None) -> str:
    """The one sentence with these words."""
    (actual,) = [
        parameters
        for parameters in repr(plumbline.meta(values, pairs=pairs)).split("\n\n")[0].split("\n")
        if arguments in parameters
    ]
    return actual


def one_lacks_cases() -> Nested:
    """A and B are perfectly steady, but B lacks two cases; C is turned round on every other case."""
    turned = [[value * (-1) ** case for case, value in enumerate(row)] for row in STEADY]
    values = nested([STEADY, STEADY, turned], ["A", "B", "C"])
    values["B"]["s0"]["c0"] = values["B"]["s0"]["c1"] = float("nan")
    return values


def test_counts_of_tied_metrics_are_given_if_they_are_the_same() -> None:
    values = one_lacks_cases()
    del values["B"]
    values["B"] = values["A"]
    assert "A, B are most robust: the mean Spearman correlation of systems is 1.00 over 28 pairs of cases." in line(
        values, "robust"
    )
    assert "A, B discriminate most: 3 of 3 pairs of systems (100%) differ" in line(values, "discriminate")


def test_counts_of_tied_metrics_are_left_out_if_they_differ() -> None:
    values = one_lacks_cases()
    assert line(values, "robust").endswith("systems is 1.00 over pairs of cases.")
    for case in values["B"]["s2"]:
        values["B"]["s2"][case] = float("nan")
    assert "A, B discriminate most: 100% of the pairs of systems differ significantly" in line(values, "discriminate")


def test_equal_halves_are_told_of_all_metrics_or_of_none() -> None:
    """By A two systems are equal on all cases; by B none are; neither swaps any."""
    equal = [STEADY[0], STEADY[0], STEADY[2]]
    noise = np.random.default_rng(5).integers(0, 100, (3, 8)).tolist()
    actual = nested([equal, STEADY, noise], ["A", "B", "C"])
    assert line(actual, "swap rate") == (
        "A, B have the lowest swap rate: 0% of the pairs change order from one half of the cases to the other."
    )
    both = nested([equal, equal, noise], ["A", "B", "C"])
    assert line(both, "swap rate").endswith("to the other, and 33% are equal in one of the two.")


@pytest.mark.parametrize("requested", [MANY_PAIRS - 1, MANY_PAIRS, MANY_PAIRS + 1])
def test_all_pairs_of_cases_are_not_said_to_be_drawn(requested: int) -> None:
    values = nested(BLOCK, ["A", "B", "C"])
    actual = plumbline.meta(values, pairs=requested, splits=5)
    all_taken = requested >= MANY_PAIRS
    assert ("drawn with seed" in line(values, "most robust", pairs=requested)) != all_taken
    assert ("over all pairs of cases;" in actual.grid().caption) == all_taken
    assert (f"over {requested} pairs of cases (seed 0)" in actual.grid().caption) != all_taken


def test_fewer_pairs_of_some_metrics_are_told() -> None:
    values = nested(BLOCK, ["A", "B", "C"])
    for case in ("c0", "c1", "c2"):
        values["B"]["s0"][case] = float("nan")
    assert "robustness over at most 9 pairs of cases (seed 0)" in plumbline.meta(values, pairs=9).grid().caption


def test_the_metrics_that_strictness_looks_at_are_named() -> None:
    values = nested(BLOCK, ["A", "B", "C"])
    assert "every other metric" in repr(plumbline.meta(values))
    one = plumbline.meta(values, against="A")
    assert "of the outputs by A." in repr(one)
    assert "every other metric" not in repr(one)
    same = plumbline.meta(nested([BLOCK[0], BLOCK[0], BLOCK[1]], ["A", "B", "C"]), against=["A", "B"])
    assert "A, B are strictest" in repr(same)
    assert "by the metrics they are held against" in repr(same)


def test_one_strictness_is_not_the_strictest() -> None:
    actual = plumbline.meta(nested(BLOCK[:2], ["A", "B"]), against="A")
    assert actual.table["fall"].count() == 1
    assert repr(actual).startswith("By B, no output falls further than ")
    assert "strictest" not in repr(actual)
    assert not any(cell.best for row in actual.grid().rows for cell in row[1:3])


def test_no_power_is_not_the_best() -> None:
    """Three cases can show nothing."""
    actual = plumbline.meta(nested(np.array(BLOCK)[:, :, :3].tolist()))
    assert actual.table["power"].to_list() == [0.0] * 3
    assert not any(row[4].best for row in actual.grid().rows)
    assert any(row[3].best for row in actual.grid().rows)


def test_one_metric_with_a_value_is_the_most_of_nothing() -> None:
    """By B all systems are equal on every case, so that it has no robustness."""
    flat = [[1] * 8] * 3
    actual = plumbline.meta(nested([STEADY, flat], ["A", "B"]))
    assert actual.table["robustness"].null_count() == 1
    parameters = line(nested([STEADY, flat], ["A", "B"]), "Spearman correlation")
    assert parameters == "By A, the mean Spearman correlation of systems is 1.00 over 28 pairs of cases."
    board = actual.grid()
    at = board.heading.index("robustness ↑")
    assert not any(row[at].best for row in board.rows)


def test_metrics_that_are_all_alike_are_not_called_the_strictest() -> None:
    message = repr(plumbline.meta(nested([STEADY, STEADY], ["A", "B"]))).split("\n\n")[0]
    assert "By every metric, no output falls further than" in message
    assert "strictest" not in message
