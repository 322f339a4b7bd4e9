"""A small p is not enough: the interval and the direction of the test have to agree with it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from plumbline.comparison.finding import decimals, signed
from plumbline.comparison.gate import gate
from plumbline.comparison.significance.registry import all_tests
from tests.comparison.test_verdict import headline, noisy, of

UNEVEN = np.array([-0.109, 0.02, 0.069, 0.1, 0.104, 0.108, 0.127, 0.14, 0.144, 0.163])
"""Nine wins and a large loss: p is 0.016, and the interval includes 0."""


def test_a_small_p_is_not_enough_where_the_interval_includes_0() -> None:
    """As the gate: no sentence calls a system better with an interval that says it may be worse."""
    comparison = of([[0.5 + UNEVEN, np.full(10, 0.5)]])
    verdict = comparison.verdict("s0", "s1")
    assert (verdict.kind, verdict.significant, verdict.main.winner) == ("open", True, 0)
    assert re.match(
        r"s0 and s1 are not shown to differ \(m0 \+0\.087 \[-.*\] or .*, p = 0\.016, but the interval includes 0\): ",
        verdict.headline,
    )
    assert not comparison.wins.any()
    assert comparison.significance["winner"].to_list() == [None]
    assert "but" not in headline(of([[0.5 + np.abs(UNEVEN), np.full(10, 0.5)]]))


def test_cases_that_all_differ_by_the_same_amount_are_the_clearest_wins_and_losses() -> None:
    base = np.linspace(0.2, 0.6, 20)
    comparison = of([[base + 0.05, base]], baseline="s1")
    assert re.match(r"s0 is better than s1 by m0 \(\+0\.050 \[0\.0\d+, 0\.050\] or \+12\.5 %, p < 0\.001", headline(comparison))
    assert gate(comparison, "better").passed
    worse = gate(of([[base - 0.05, base]], baseline="s1"), "not-worse")
    assert [(check.passed, check.reason) for check in worse.checks] == [(False, "is worse")]
    few = of([[base[:5] + 0.05, base[:5]]])
    assert "(m0 +0.050 or +20.7 %, p = 0.062): no difference" in headline(few), "no range from 0.050 to 0.050"


def test_the_interval_has_the_level_of_the_test() -> None:
    """With 10 % a p of 0.06 is significant, though the interval of 95 % that is printed includes 0."""
    noise = np.random.default_rng(6).normal(size=40)
    steps = (noise - noise.mean()) / noise.std(ddof=1) + 1.9 / np.sqrt(40)
    strict, lax = (of([[0.5 + 0.05 * steps, np.full(40, 0.5)]], test="t", level=level) for level in (0.05, 0.1))
    assert strict.p[0, 1] == pytest.approx(0.065, abs=0.001)
    assert strict.verdict("s0", "s1").kind == "open"
    assert lax.verdict("s0", "s1").kind == "better"
    (low,), (high,) = (table[[0], [1]] for table in (lax.main.spread.low, lax.main.spread.high))
    assert low < 0 < high


def test_a_test_of_ranks_that_prefers_the_other_system_shows_nothing() -> None:
    """Thirty small wins and ten large losses: the sign test prefers the system with the worse mean."""
    steps = np.concatenate([np.linspace(0.01, 0.02, 30), np.linspace(-0.5, -0.4, 10)])
    comparison = of([[0.5 + steps, np.full(40, 0.5)]], test="sign")
    verdict = comparison.verdict("s0", "s1")
    assert (verdict.better, verdict.kind) == ("s1", "open")
    assert not comparison.around_zero[0, 0, 1]
    assert ", p = 0.0022, but the test prefers the other system)" in verdict.headline


@pytest.mark.parametrize("test", all_tests())
def test_every_test_prefers_who_is_better_throughout(test: str) -> None:
    first, second = noisy(0.2, cases=12)
    comparison = of([[first, second]], test=test)
    assert not comparison.opposite.any()
    assert comparison.verdict("s0", "s1").kind == "better"


def test_what_could_have_been_shown_by_each_metric() -> None:
    (first, second), (third, fourth) = noisy(0.0, seed=4), noisy(0.0, seed=8, spread=0.1)
    comparison = of([[first, second], [third, fourth]])
    least, other = (f"{comparison.detectable[at, 0, 1]:.3f}" for at in range(2))
    assert headline(comparison).endswith(f": 40 cases can show a difference of {least} or more by m0, {other} by m1.")
    constant = of([[np.full(8, 0.5)] * 2, [np.linspace(0, 1, 8), np.linspace(0.1, 0.9, 8)]])
    assert "difference of 0.000" not in headline(constant)


def test_what_has_no_mark_is_counted_below_the_table() -> None:
    """Of three systems, the first two differ by p alone."""
    comparison = of([[0.5 + UNEVEN, np.full(10, 0.5), np.linspace(0.1, 0.2, 10)]], correction="none")
    assert "; no mark despite p below 0.05: 1 difference, as the interval includes 0" in repr(comparison)
    assert comparison.bands.tolist() == [1, 1, 2]


@pytest.mark.parametrize(
    ("low", "high", "digits"), [(0.0004, 0.05, 4), (-0.05, -0.0001, 4), (0.01, 0.05, 3), (-0.0001, 0.05, 3), (1e-12, 0.05, 8)]
)
def test_an_interval_that_excludes_0_does_not_seem_to_end_there(low: float, high: float, digits: int) -> None:
    assert decimals(low, high, 1.0) == digits


@pytest.mark.parametrize(
    ("value", "text"), [(1.3e150, "+1.3e+150"), (-2.28847158e15, "-2.288e+15"), (123456789.5, "+123456789.5"), (-0.04, "0.0")]
)
def test_a_very_large_difference_has_no_digits_that_no_machine_can_tell_apart(value: float, text: str) -> None:
    assert signed(value, 1) == text


def test_a_test_that_has_no_meaning_cannot_be_made() -> None:
    for test in all_tests():
        comparison = of([[[0.5], [0.4]]], test=test)
        assert (
            headline(comparison)
            == "s0 and s1 are not shown to differ (m0 +0.100 or +25.0 %, not tested): 1 case cannot be tested."
        )
        assert comparison.significance["p"].to_list() == [None]
