"""Combining functions: what each claims is what it keeps, a loop over fractions agrees, and planted faults are found."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING

import pytest

import plumbline
from plumbline import BadUsage
from plumbline.audits.combinations import COMBINATIONS
from plumbline.audits.constraints.combining import Point
from plumbline.audits.constraints.registry import constraints_of
from plumbline.audits.searching import searched
from tests.helpers.combination_oracles import AXIOMS, EXACT
from tests.helpers.command_line import plumbline as shell

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = [constraint.name for constraint in constraints_of("combining")]
ALL = set(NAMES)
FEW = 1000
DECREASING = "decreasing marginal effectiveness"


@cache
def built_in() -> plumbline.Audit:
    return plumbline.audit([*EXACT], task="combining")


# --- what is built in ---------------------------------------------------------------------------------------------------


def test_what_is_claimed_is_what_is_kept() -> None:
    actual = plumbline.audit(task="combining", budget=2 * FEW)
    assert {name: set(actual.held(name)) for name in actual.metrics} == {
        name: set(one.claims) for name, one in COMBINATIONS.items()
    }
    assert all(verdict.holds == (verdict.counterexample is None) for verdict in actual.verdicts)


@pytest.mark.parametrize("axiom", AXIOMS)
def test_a_loop_over_fractions_agrees(axiom: str) -> None:
    """It tries all points of a small size; the audit tries these and more."""
    size = 3 if axiom == "Thomsen condition" else 4
    for name, function in EXACT.items():
        verdict = built_in().verdict(name, axiom)
        assert verdict.holds == AXIOMS[axiom](function, size), name
        smallest = next((n for n in range(1, size + 1) if not AXIOMS[axiom](function, n)), None)
        example = verdict.counterexample
        assert (example.pair.size if example else None) == (smallest if axiom != "essential components" else None)


@pytest.mark.parametrize(("name", "exact"), EXACT.items(), ids=list(EXACT))
def test_every_failure_is_one_in_exact_arithmetic(name: str, exact: Callable[..., Fraction]) -> None:
    failed = [one for one in built_in().verdicts if one.metric == name and not one.holds]
    assert len(failed) == len(NAMES) - len(built_in().held(name))
    for example in (example for verdict in failed for example in verdict.broken):
        better, worse = (exact(*point) for point in (example.pair.better, example.pair.worse))
        given = [(exact(*left), exact(*right)) for left, right in example.pair.given]
        if example.names == ("then", "="):
            assert all(left == right for left, right in given)
            assert better != worse
        elif example.names == ("then", ">="):
            assert all(left >= right for left, right in given)
            assert better < worse
        else:
            assert better <= worse


def test_the_axioms_that_the_papers_grant() -> None:
    """F and the arithmetic mean have all of them, of scores above 0; only F has decreasing marginal effectiveness."""
    additive = ALL - {"independence, with zeros", DECREASING}
    assert additive <= set(built_in().held("F"))
    assert additive <= set(built_in().held("arithmetic"))
    assert DECREASING in built_in().held("F")
    assert DECREASING not in built_in().held("arithmetic")


def test_the_counterexamples_to_the_maximum() -> None:
    example = built_in().verdict("maximum", "independence").counterexample
    assert str(example) == (
        "  given   1/2, 1    1.000000\n  >=      1, 1      1.000000\n  then    1/2, 1/2  0.500000\n  >=      1, 1/2    1.000000"
    )
    (row,) = (
        built_in()
        .table.filter((built_in().table["metric"] == "maximum") & (built_in().table["constraint"] == "independence"))
        .to_dicts()
    )
    assert row["given"] == "given 1/2, 1 (1); >= 1, 1 (1)"


def test_zeros_cost_every_function_its_independence_that_a_zero_makes_zero() -> None:
    example = built_in().verdict("F", "independence, with zeros").counterexample
    assert example is not None
    assert (example.pair.better, example.pair.worse) == (Point(Fraction(0), Fraction(1)), Point(Fraction(1), Fraction(1)))


# --- worlds ---------------------------------------------------------------------------------------------------------------


def test_points_are_there_once_and_all_of_them() -> None:
    (constraint,) = constraints_of("combining", ["connectedness"])
    points = [pair.better for pair in searched(constraint).pairs]
    expected = {Point(Fraction(a, n), Fraction(b, n)) for n in range(1, 9) for a, b in product(range(n + 1), repeat=2)}
    assert set(points) == expected
    assert len(points) == len(expected)


# --- functions of one's own --------------------------------------------------------------------------------------------


def test_a_mean_without_a_value_at_zero_is_not_connected() -> None:
    def f1(first: float, second: float) -> float:
        return 2 * first * second / (first + second)

    actual = plumbline.audit(f1, budget=FEW)
    assert actual.task == "combining"
    example = actual.verdict("f1", "connectedness").counterexample
    assert example is not None
    assert example.pair.better == Point(Fraction(0), Fraction(0))
    assert set(actual.held("f1")) == set(built_in().held("F")) - {"connectedness"}


def steps(first: float, second: float) -> float:
    return round(first + second)


FAULTS: dict[str, tuple[Callable[[float, float], float], set[str]]] = {
    "one score is not looked at": (
        lambda first, second: first + 0 * second,
        {"essential components", DECREASING},
    ),
    "one score counts the wrong way": (
        lambda first, second: first - second / 2,
        {"monotonicity", DECREASING},
    ),
    "it jumps": (
        lambda first, second: first + second + (1 if first > 0.6 else 0),
        {"restricted solvability", DECREASING},
    ),
    "the scores interact": (
        lambda first, second: first * second + first**2 * second**3,
        {"independence, with zeros", "Thomsen condition"},
    ),
    "the larger score is taken above a half": (
        lambda first, second: max(first, second) if first > 0.5 else min(first, second),
        {
            "independence",
            "independence, with zeros",
            "Thomsen condition",
            "restricted solvability",
            DECREASING,
        },
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_found(fault: str) -> None:
    function, lost = FAULTS[fault]
    actual = plumbline.audit(function, task="combining", budget=FEW)
    assert ALL - set(actual.held("<lambda>")) == lost


def test_where_no_scores_are_equal_nothing_follows_from_it() -> None:
    (verdict,) = plumbline.audit(
        lambda first, second: sqrt(first) + second, task="combining", constraints="Thomsen condition"
    ).verdicts
    assert (verdict.outcome, verdict.reason) == ("undecided", "its condition is met nowhere")


def test_what_rounds_is_not_solvable_and_a_jump_is_shown() -> None:
    verdict = plumbline.audit(steps, task="combining", constraints="monotonicity").verdicts[0]
    assert not verdict.holds
    jump = plumbline.audit(FAULTS["it jumps"][0], task="combining", constraints="restricted solvability").verdicts[0]
    drawn = str(jump.counterexample).splitlines()
    assert [line.split()[0] for line in drawn] == ["above", "target", "below"]
    above, target, below = (float(line.split()[-1]) for line in drawn)
    assert above > target > below


def test_lower_is_better_if_said() -> None:
    def loss(first: float, second: float) -> float:
        return 2 - first - second

    actual = plumbline.audit(loss, task="combining", lower="loss", budget=FEW)
    assert set(actual.held("loss")) == set(built_in().held("arithmetic"))


def test_a_constant_keeps_nothing_that_needs_a_difference() -> None:
    actual = plumbline.audit(lambda first, second: 0.5 + 0 * first * second, task="combining", budget=FEW)
    assert {"monotonicity", "essential components", DECREASING} <= ALL - set(actual.held("<lambda>"))


# --- names ------------------------------------------------------------------------------------------------------------------


def test_names_alone_tell_the_task() -> None:
    assert plumbline.audit(["F", "maximum"], constraints="monotonicity").task == "combining"
    assert plumbline.audit("F(P@2,R@2)", constraints="priority", budget=10).task == "ranking"


@pytest.mark.parametrize("name", ["mean", "product(alpha=0.3)", "F(beta=2)", "F(P,R)", ""])
def test_unknown_names(name: str) -> None:
    with pytest.raises(BadUsage, match="E335"):
        plumbline.audit(name, task="combining")


@pytest.mark.parametrize("alpha", ["0", "1", "2", "nan", "x"])
def test_alpha_is_strictly_between_0_and_1(alpha: str) -> None:
    with pytest.raises(BadUsage, match="alpha"):
        plumbline.audit(f"F(alpha={alpha})", task="combining")


def test_on_the_command_line(tmp_path: Path) -> None:
    ended = shell("audit", "F", "maximum", "--task", "combining", "--format", "json", "--budget", "500")
    rows = json.loads(ended.out)["verdicts"]
    assert {row["outcome"] for row in rows if row["constraint"] == "Thomsen condition"} == {"holds", "broken"}
    assert "Thomsen condition" in shell("audit", "--task", "combining", "--list").out
    path = tmp_path / "audit.parquet"
    built_in().save(path)
    assert plumbline.load(path).to_json() == built_in().to_json()
