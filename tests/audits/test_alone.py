"""A verdict does not depend on which other constraints are asked for, nor on the unit of a metric."""

from __future__ import annotations

import pytest

import plumbline
from plumbline.audits.constraints.registry import all_constraints
from tests.audits.test_own_functions import accuracy
from tests.helpers.functions_to_audit import kappa

METRICS = {
    "filtering": ["Kappa", "Phi", "MI", "Odds", "Utility", "F(P,R)"],
    "ranking": ["AP", "DCG", "RR"],
    "clustering": ["ARI", "MI", "F(BCubedP,BCubedR)"],
}
BUDGET = 300


@pytest.mark.parametrize("task", METRICS)
def test_a_constraint_alone_and_among_all_others(task: str) -> None:
    together = plumbline.audit(METRICS[task], task=task, budget=BUDGET)
    for constraint in all_constraints()[task]:
        alone = plumbline.audit(METRICS[task], task=task, budget=BUDGET, constraints=[constraint.name])
        for verdict in alone.verdicts:
            assert str(verdict) == str(together.verdict(verdict.metric, constraint.name))


@pytest.mark.parametrize("metric", ["Kappa", "Phi", "MI", kappa])
def test_scores_that_are_all_zero_but_for_rounding_are_equal(metric: object) -> None:
    (verdict,) = plumbline.audit(metric, task="filtering", constraints="fixed quality").verdicts
    assert verdict.holds


def test_one_huge_score_does_not_make_others_equal() -> None:
    def steep(tp: int, fp: int, fn: int, tn: int) -> float:
        return float(1000 ** (10 * accuracy(tp, fp, fn, tn)))

    actual = plumbline.audit([accuracy, steep], task="filtering", constraints="strict monotonicity", budget=BUDGET)
    assert actual.held("steep") == actual.held("accuracy") == ("strict monotonicity",)
