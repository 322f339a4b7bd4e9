"""Dicts of dicts give the same scores, notices and errors with the module in C and without it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline
from plumbline.io.native import SWITCH, native_function
from tests.helpers.examples import some_of

core = pytest.importorskip("plumbline_core", reason="the module in C is not installed: pip install ./native")
pytestmark = [
    pytest.mark.skipif(native_function("rank") is None, reason=f"the module in C is turned off: {SWITCH}=0"),
]

METRICS = ["AP", "nDCG@3", "P@5", "RR", "Rprec", "Bpref", "num_ret"]


class _Text(str):
    """A text of another class, which may compare as it likes."""

    __slots__ = ()


CASES = st.sampled_from(["q1", "q2", "q3", "q\u00e9", "q\udcff", "", 5])
ITEMS = st.sampled_from([*(f"d{number}" for number in range(40)), "\u00e9", "e\u0301", "\ud800", _Text("d1"), 3])
USUAL = st.sampled_from([f"d{number}" for number in range(60)])
SCORES = st.one_of(
    st.floats(-3, 3, allow_nan=False),
    st.sampled_from([0.0, -0.0, 1, 2, True, None, "1", math.nan, math.inf, 10**400, 1e300]),
    st.sampled_from([np.float64(0.5), np.float32(0.25), np.int64(3), np.int32(2), np.float16(1.5)]),
)
ODD = st.dictionaries(CASES, st.dictionaries(ITEMS, SCORES, max_size=5), max_size=4)
PLAIN = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]), st.dictionaries(USUAL, st.floats(-9, 9), max_size=50), min_size=1
)
TIED = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(USUAL, st.integers(0, 60), max_size=45), min_size=1)
GOLD = st.dictionaries(st.sampled_from(["q3", "q1", "q2"]), st.dictionaries(USUAL, st.integers(-1, 3), max_size=20), min_size=1)


def _outcome(gold: Any, run: Any, options: dict[str, Any]) -> object:
    try:
        scores = plumbline.evaluate(gold, {"mine": run}, METRICS, **options)
    except plumbline.PlumblineError as error:
        return str(error)
    return scores.per_case.rows(), scores.mean.rows(), [str(one) for one in scores.notices]


def _both(gold: Any, run: Any, **options: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        ours = _outcome(gold, run, options)
        patch.setenv(SWITCH, "0")
        assert _outcome(gold, run, options) == ours


@settings(max_examples=some_of(150))
@given(GOLD, st.one_of(PLAIN, TIED), st.sampled_from([{}, {"ties": "average"}, {"depth": 3}, {"judged_only": True}]))
def test_scores_and_notices_are_the_same(gold: Any, run: Any, options: dict[str, Any]) -> None:
    _both(gold, run, **options)


@settings(max_examples=some_of(150))
@given(ODD, ODD)
def test_odd_dicts_have_the_same_outcome(gold: Any, run: Any) -> None:
    _both(gold, run)


@settings(max_examples=some_of(50))
@given(GOLD, PLAIN)
def test_relations_see_the_same_order(gold: Any, run: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        ours = plumbline.evaluate({**gold, "q1": {"d1": 1}}, {"mine": {**run, "q1": {"d1": 1.0}}}, ["Rel", "Sens"]).mean.rows()
        patch.setenv(SWITCH, "0")
        theirs = plumbline.evaluate({**gold, "q1": {"d1": 1}}, {"mine": {**run, "q1": {"d1": 1.0}}}, ["Rel", "Sens"])
        assert theirs.mean.rows() == ours


def _obvious(codes: list[int], values: list[float], judged: list[int]) -> tuple[int, list[int], list[float]]:
    """What `rank` says about lists, by definition; the numbers matter only where it decides."""
    changes = [code for at, code in enumerate(codes) if not at or codes[at - 1] != code]
    pairs = list(zip(codes, values, strict=True))
    if len(set(pairs)) < len(pairs):
        return -1, [], []
    if len(set(changes)) < len(changes):  # a case that comes back: all are brought together
        changes = sorted(set(changes))
    ranks = {row: 1 + sum(code == codes[row] and value > values[row] for code, value in pairs) for row in judged}
    place = {code: at for at, code in enumerate(changes)}
    order = sorted(range(len(judged)), key=lambda at: (place[codes[judged[at]]], ranks[judged[at]]))
    return int(changes == sorted(changes)), order, [float(ranks[judged[at]]) for at in order]


@settings(max_examples=some_of(300))
@given(st.data())
def test_ranks_are_those_of_the_definition(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(1, 90), max_size=4))
    codes = [code for code, length in zip(data.draw(st.permutations(range(4))), lengths, strict=False) for _ in range(length)]
    codes = data.draw(st.permutations(codes)) if data.draw(st.booleans()) else codes
    scores = st.sampled_from([-2.5, -0.0, 0.0, 1.0, 5e-324, 1e308]) if data.draw(st.booleans()) else st.floats(-1e9, 1e9)
    values = data.draw(st.lists(scores, min_size=len(codes), max_size=len(codes)))
    judged = sorted(data.draw(st.sets(st.integers(0, max(len(codes) - 1, 0)), max_size=len(codes)))) if codes else []
    given_rows, ranks = np.empty(len(judged), np.int64), np.empty(len(judged))
    outcome = core.rank(np.array(codes, np.int32), np.array(values), np.array(judged, np.int64), given_rows, ranks)
    expected = _obvious(codes, values, judged)
    assert outcome == expected[0]
    if outcome >= 0:
        assert (given_rows.tolist(), ranks.tolist()) == expected[1:]


def test_buffers_that_do_not_fit_are_refused() -> None:
    codes, values, rows = np.zeros(2, np.int32), np.zeros(2), np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="belong together"):
        core.rank(codes, values[:1], rows, rows.copy(), np.empty(1))
    assert core.rank(codes, values, np.array([7]), rows.copy(), np.empty(1)) == -1
    assert core.rank(codes, values, np.array([-1]), rows.copy(), np.empty(1)) == -1
    assert core.plain({"q": {"d": 1.0, "e": 2.0}}, (), np.empty(1)) is None
    assert core.plain({"q": {"d": 1.0}}, (), np.empty(2)) is None
    run, gold = {"q": {"d": 1.0, "e": 2.0}}, [{"e": 7}]
    one, two = np.empty(2, np.int32), np.empty(2, np.int64)
    assert core.look_up(run, {"q": 0}, gold, one, two)
    assert (one.tolist(), two.tolist()) == ([0, 0], [-1, 7])
    assert not core.look_up(run, {"q": 0}, gold, one[:1], two)
    assert not core.look_up(run, {"q": 0}, gold, one, two[:1])
    assert not core.look_up(run, {}, gold, one, two)
    with pytest.raises(IndexError):
        core.look_up(run, {"q": 1}, gold, one, two)
    with pytest.raises(TypeError):
        core.look_up(run, {"q": 0}, [{"e": "no row"}], one, two)


@pytest.mark.parametrize("scores", [{"d0": math.nan, "d1": 0.0}, {"d0": 0.0, "d1": math.nan}, {"d0": math.nan}])
def test_nan_is_refused_wherever_it_stands(scores: dict[str, float]) -> None:
    with pytest.raises(plumbline.PlumblineError, match="E103 score is NaN"):
        plumbline.evaluate({"q1": {"d1": 1}}, {"mine": {"q1": scores}}, ["AP"])
