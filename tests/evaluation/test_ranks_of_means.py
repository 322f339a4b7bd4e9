"""Ranks of means: what differs by rounding only shares a rank, everywhere."""

from __future__ import annotations

from itertools import permutations
from math import inf, isnan, nan

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plumbline import compare, evaluate
from plumbline.average import best_first, ranks
from plumbline.figures.subject import subject_of
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.model import Table
from tests.helpers.figure_subjects import data, spec

TENTHS = (0.1, 0.2, 0.3)
ORDERS = {f"s{at}": dict(zip(("q1", "q2", "q3"), order, strict=True)) for at, order in enumerate(permutations(TENTHS))}
"""Six systems with the same three values on other cases: their means differ by rounding only."""
LOW = {"q1": 0.0, "q2": 0.1, "q3": 0.1}
SCORES = {metric: {**ORDERS, "low": LOW} for metric in ("AP", "P@10")}


@given(
    st.lists(st.one_of(st.just(nan), st.integers(-4, 4)), max_size=8),
    st.booleans(),
    st.sampled_from([1e-9, 1.0, 1e9]),
    st.randoms(use_true_random=False),
)
def test_noise_of_rounding_moves_nobody(wanted: list[float], lower: bool, unit: float, draw: np.random.RandomState) -> None:  # noqa: FBT001 - drawn
    """Whole numbers with noise of some 1e-16 rank as the whole numbers do, counted by a loop."""
    noisy = [value * unit + draw.uniform(-4, 4) * 1e-16 * unit for value in wanted]
    result = ranks(noisy, lower=lower, scale=[4 * unit] * len(noisy))
    for expected, rank in zip(wanted, result, strict=True):
        better = sum(other < expected if lower else other > expected for other in wanted)
        assert rank == (None if isnan(expected) else better + 1)
    ordered = best_first(result)
    assert sorted(ordered) == list(range(len(wanted)))
    assert [result[at] or 99 for at in ordered] == sorted(rank or 99 for rank in result)


@given(st.permutations([0.0, 3e-13, 6e-13, 9e-13, 1.0, nan]))
def test_neighbours_are_chained_in_whatever_order_they_come(means: list[float]) -> None:
    """Each of the first four is as good as equal to the next, so that all four share a rank, wherever they stand."""
    result = dict(zip(means, ranks(means, scale=np.ones(6)), strict=True))
    assert [result[value] for value in (0.0, 3e-13, 6e-13, 9e-13, 1.0)] == [2, 2, 2, 2, 1]


def test_one_very_large_mean_does_not_tie_all_others() -> None:
    """The scale is that of the two that are compared, not of a perplexity that went out of hand."""
    assert ranks([1e15, 20.0, 25.0], lower=True, scale=[1e15, 30.0, 30.0]) == [3, 1, 2]
    assert ranks([inf, 20.0, 25.0, inf], lower=True) == [3, 1, 2, 3]
    assert ranks([]) == []


def test_means_of_the_same_values_differ_by_rounding() -> None:
    """Else the tests below would test nothing."""
    assert len({sum(values.values()) / 3 for values in ORDERS.values()}) > 1


def test_the_comparison_tells_nobody_apart_by_rounding() -> None:
    comparison = compare(SCORES)
    assert comparison.leaderboard["system"].to_list() == [*ORDERS, "low"]
    assert comparison.references["system"].to_list() == [*ORDERS, "low"]
    assert [row[2].best for row in comparison.grid().rows] == [True] * 6 + [False]
    alone = compare({"AP": SCORES["AP"]})
    assert f"{', '.join(ORDERS)} have the same best AP" in repr(alone)
    assert "better than s" not in repr(alone).split("\n\n")[0]


def test_the_table_of_scores_marks_all_that_are_best() -> None:
    """Relevant items at ranks that give the same average precisions, on other topics."""
    gold = {case: {f"d{rank}": int(rank == 1) for rank in range(1, 11)} for case in ("q1", "q2", "q3")}

    def run(places: tuple[int, ...]) -> dict[str, dict[str, float]]:
        return {
            case: {"d1": 10.5 - place, **{f"d{rank}": 11.0 - rank for rank in range(2, 11)}}
            for case, place in zip(gold, places, strict=True)
        }

    places = {f"s{at}": order for at, order in enumerate(permutations((1, 3, 7)))}
    scores = evaluate(gold, {"worst": run((9, 9, 9)), **{name: run(order) for name, order in places.items()}}, ["AP"])
    assert scores.mean["value"].n_unique() == 2  # sums are exact, so that the order of topics does not matter
    assert scores.ordered_systems == [*places, "worst"]
    assert [row[1].best for row in scores.grid().rows] == [True] * 6 + [False]


def test_figures_and_the_leaderboard_give_the_same_ranks() -> None:
    subject = subject_of(SCORES)
    wanted = {**dict.fromkeys(ORDERS, 1), "low": 7}
    for metric in SCORES:
        rows = [row for row in data(spec("ranks", subject), "rank", "place") if row["metric"] == metric]
        assert {row["system"]: row["rank"] for row in rows} == wanted
    assert [row["system"] for row in data(spec("bars", subject, metrics=("AP",)), "low")] == list(wanted)
    drawn = data(spec("tradeoff", subject), "front")
    assert {row["system"] for row in drawn if row["front"]} == set(ORDERS)
    (part,) = dossier([Chapter(subject)]).parts
    board = next(block for section in part.sections for block in section.blocks if isinstance(block, Table))
    assert [row[1].text for row in board.rows] == list(wanted)
    for column in (2, 3):
        assert [(row[column].aside, row[column].best) for row in board.rows] == [("1st", True)] * 6 + [("7th", False)]
