"""Time-biased gain: a second time, and by hand."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.draw import draw, score
from tests.helpers.ranking_oracles import Listed, Value, is_relevant, oracle


@oracle("TBG")
def time_biased_gain(case: Listed, *, words: float, half: float, rel: float) -> Value:
    """A clock runs while a user goes down the list."""
    if not case.relevant(rel):
        return None
    clock = saved = 0.0
    for grade in case.shown:
        opened = 0.64 if is_relevant(grade, rel) else 0.39
        saved += 0.64 * 0.77 * 0.5 ** (clock / half) if is_relevant(grade, rel) else 0.0
        clock += 4.4 + opened * (0.018 * words + 7.8)
    return saved


def test_the_first_item_is_reached_at_once() -> None:
    assert score("TBG(words=1000)", draw("R")) == pytest.approx(0.64 * 0.77)
    assert score("TBG(words=0,half=10)", draw("N R")) == pytest.approx(0.64 * 0.77 * 0.5 ** ((4.4 + 0.39 * 7.8) / 10))


def test_the_length_of_an_item_has_to_be_given() -> None:
    with pytest.raises(plumbline.BadUsage, match="words"):
        plumbline.parse("TBG")
