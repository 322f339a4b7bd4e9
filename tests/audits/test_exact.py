"""An audit against a loop over the same pairs with exact arithmetic: the same failures, the same pairs without a score."""

from __future__ import annotations

from fractions import Fraction

import pytest

import plumbline
from plumbline.audits.constraints.registry import all_constraints
from plumbline.metrics.registry import all_metrics
from tests.helpers.audit_exact import exact, looped

SMOOTHED = {metric.name for metric in all_metrics("filtering").values() if any(p.name == "smooth" for p in metric.parameters)}
FILTERS = ["WAcc(lam=2,{})", *(f"{name}({{}})" for name in sorted(SMOOTHED - {"WAcc"}))]
MEANS = ["F(P({0}),R({0}))", "F(Rel({0}),Sens({0}))"]
RANKINGS = ["P@3", "R@3", "RelativeP@3", "Success@2", "Rprec", "RprecMult@2", "SetP", "SetR", "SetF", "SetAP", "SetRelativeP"]
RANKINGS += ["Utility", "AP", "RR", "RR@2", "Bpref", "AUC", "IPrec@0.5", "11pt", "ERR", "RBP", "DCG", "nDCG", "CG", "Q", "G"]
RELATIONS = ["Rel", "Sens", "F(Rel,Sens)", "Rel(absent=tail)"]
CLUSTERINGS = ["F(BCubedP,BCubedR)", "F(Purity,InvPurity)", "F(PairP,PairR)", "Rand", "Jaccard", "ARI", "Omega", "ClusterF"]
CLUSTERINGS += ["F(Rel,Sens)", "Rel", "Sens", "LEA", "MUC", "BLANC", "VI", "NMI", "MI", "Entropy"]
LABELS = ["Accuracy", "ErrorRate", "BalancedAccuracy", "Kappa", "F(P,R)", "P", "R", "Jaccard", "HammingLoss", "ICM", "CEM"]
SETS = ["Accuracy", "F(P,R)", "P", "R", "Jaccard", "HammingLoss", "ICM"]
OVERLAPS = ["F(BCubedP,BCubedR)", "F(Purity,InvPurity)", "F(PairP,PairR)", "Rand", "Jaccard", "Omega", "F(Rel,Sens)"]


def agree(metrics: list[str], task: str, budget: int, constraints: list[str] | None = None) -> int:
    """How many verdicts were compared."""
    wanted = constraints or [one.name for one in all_constraints()[task] if one.demand in {"better", "equal", "defined"}]
    compared = plumbline.audit(metrics, task=task, budget=budget, constraints=wanted).verdicts
    for verdict in compared:
        broken, undefined = looped(verdict)
        assert [one.pair for one in verdict.broken] == broken, str(verdict)
        assert verdict.undefined == undefined, str(verdict)
        assert verdict.holds == (not broken and verdict.pairs > 0)
    return len(compared)


@pytest.mark.parametrize("smooth", ["none", "laplace", "noninformative"])
def test_filters(smooth: str) -> None:
    metrics = [name.format(f"smooth={smooth}") for name in (*FILTERS, *MEANS)]
    assert agree(metrics, "filtering", 250) == 5 * len(metrics)


def test_rankings() -> None:
    assert agree(RANKINGS, "ranking", 300) == 3 * len(RANKINGS)


def test_relations_of_rankings() -> None:
    assert agree(RELATIONS, "ranking", 60) == 3 * len(RELATIONS)


def test_clusterings() -> None:
    constraints = ["homogeneity", "completeness", "rag bag", "size versus quantity"]
    assert agree(CLUSTERINGS, "clustering", 800, constraints) == 4 * len(CLUSTERINGS)


def test_clusterings_of_which_every_matching_is_tried() -> None:
    assert agree(["CEAFe", "CEAFm"], "clustering", 60, ["homogeneity", "completeness", "rag bag"]) == 6


def test_overlapping_clusterings() -> None:
    assert agree(OVERLAPS, "clustering", 150, ["size versus quantity, overlapping"]) == len(OVERLAPS)


def test_organizations() -> None:
    assert agree(["Rel", "Sens", "F(Rel,Sens)"], "organization", 80) == 13 * 3


def test_classifiers() -> None:
    single = [one.name for one in all_constraints()["classification"] if not one.overlapping]
    assert agree(LABELS, "classification", 300, single) == 5 * len(LABELS)
    several = [one.name for one in all_constraints()["classification"] if one.overlapping]
    assert agree(SETS, "classification", 300, several) == 6 * len(SETS)


def test_fractions_are_what_is_compared() -> None:
    """Else failures by a hair could go either way on both sides."""
    world = plumbline.audit("P", task="filtering", budget=50).verdicts[0].searched.pairs[-1].better
    assert isinstance(exact("Kappa", "filtering", world), Fraction)
    assert not isinstance(exact("MI", "filtering", world), Fraction)
