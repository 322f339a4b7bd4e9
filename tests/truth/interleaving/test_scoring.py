"""What sessions say: by arrays of all sessions, and by exact fractions list by list."""

from __future__ import annotations

import numpy as np
import pytest

from plumbline.truth.interleaving.drawing import NOBODY
from plumbline.truth.interleaving.methods.balanced import counted
from plumbline.truth.interleaving.methods.pairwise import pairwise_scores
from plumbline.truth.interleaving.methods.probabilistic import assignments, expected_winner
from plumbline.truth.interleaving.rankings import arranged
from plumbline.truth.interleaving.registry import exact_methods, interleaving_methods, names_where
from plumbline.truth.interleaving.scoring import Margins, Sessions

METHODS = interleaving_methods()


def margins(method: str, sessions: Sessions) -> Margins:
    score = METHODS[method].score
    assert score is not None
    return score(sessions, 3.0)(0, 1)


@pytest.mark.parametrize("method", names_where(lambda method: method.score is not None))
def test_arrays_say_what_the_fractions_say(method: str) -> None:
    rng = np.random.default_rng(11)
    lists = []
    for _ in range(60):
        size, number = int(rng.integers(3, 7)), int(rng.integers(2, 6))
        lists.append([[str(item) for item in rng.permutation(size + 1)[:number]] for _ in range(2)])
    rankings = arranged(lists, ("one", "two"), tuple(map(str, range(len(lists)))))
    shown = METHODS[method].draw(rankings, 5, rng, 3.0)
    clicks = ((rng.random(shown.items.shape) < 0.4) & (shown.items != NOBODY)).astype(np.float64)
    clicked = clicks.any(axis=1)
    sessions = Sessions(rankings.of(np.flatnonzero(clicked)), shown.items[clicked], clicks[clicked])
    result = margins(method, sessions)
    exact = exact_methods()[method]
    for row, case in enumerate(np.flatnonzero(clicked).tolist()):
        codes = {item: code for code, item in enumerate(rankings.items[case])}
        both = [tuple(codes[item] for item in ranking) for ranking in lists[case]]
        items = tuple(item for item in shown.items[case].tolist() if item != NOBODY)
        places = np.flatnonzero(clicks[case]).tolist()
        expected = exact.margin(both, (items, (None,) * len(items)), places)
        assert result.value[row] == pytest.approx(float(expected), abs=1e-9)
    assert ((result.win >= 0) & (result.loss >= 0) & (result.win + result.loss <= 1 + 1e-9)).all()


def session(rankings: list[list[int]], items: list[int], clicked: list[int]) -> Sessions:
    names = tuple(f"s{number}" for number in range(len(rankings)))
    made = arranged([[[str(item) for item in ranking] for ranking in rankings]], names, ("q",))
    codes = {item: code for code, item in enumerate(made.items[0])}
    clicks = np.zeros((1, len(items)))
    clicks[0, clicked] = 1
    return Sessions(made, np.array([[codes[str(item)] for item in items]]), clicks)


@pytest.mark.parametrize(
    ("clicked", "expected"),
    [([0], [0, 0, 0]), ([1], [2, 2, -2]), ([2], [-3, -3, 3])],
)
def test_the_scores_of_pairwise_preference_by_hand(clicked: list[int], expected: list[float]) -> None:
    """The values that the tests of github.com/mpkato/interleaving expect."""
    rankings = [[0, 1, 2, 3, 4], [0, 1, 2, 4, 3], [2, 1, 4, 0, 3]]
    result = pairwise_scores(session(rankings, [0, 1, 2, 3, 4], clicked))
    assert result[0].tolist() == pytest.approx(expected)


def test_balanced_counts_down_to_the_lowest_click() -> None:
    result = counted(session([[0, 1, 2, 3], [1, 2, 3, 0]], [0, 1, 2, 3], [0]))
    assert result.value.tolist() == [1.0]
    result = counted(session([[0, 1, 2, 3], [1, 2, 3, 0]], [0, 1, 2, 3], [3]))
    assert result.value.tolist() == [-1.0]


def test_assignments_are_certain_where_one_ranking_has_the_item() -> None:
    chosen = assignments(session([[0, 1], [2, 3]], [0, 2, 1], [0]), 3)
    assert chosen[0, :, :3].tolist() == [[1, 0, 1], [0, 1, 0]]


def test_several_systems_share_a_click() -> None:
    sessions = session([[0, 1], [0, 1], [1, 0]], [0, 1], [0])
    chosen = assignments(sessions, 1)
    assert chosen[0, :, 0].tolist() == pytest.approx([0.4, 0.4, 0.2])
    result = expected_winner(chosen, sessions.clicks, 0, 2)
    assert (result.win[0], result.loss[0]) == pytest.approx((0.4, 0.2))
