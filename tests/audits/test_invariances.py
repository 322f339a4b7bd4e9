"""Invariances and axioms of filtering metrics against algebra, a loop over fractions, and what the papers say of them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import plumbline
from plumbline.audits.categories import DECISIONS, ORDER, PROBABILITIES, category
from plumbline.audits.constraints.filtering import Matrix
from plumbline.audits.constraints.registry import constraints_of
from plumbline.audits.searching import searched
from plumbline.metrics.registry import all_metrics
from tests.helpers.audit_exact import exact, looped

INVARIANCES = [one.name for one in constraints_of("filtering", ["invariances"])]
UNIFORM = "uniform scaling"
KEPT = {
    "Accuracy": {"exchange of classes", UNIFORM},
    "P": {"more true negatives", "more false negatives", UNIFORM, "scaling of answers"},
    "R": {"more true negatives", "more false positives", UNIFORM, "scaling of classes"},
    "F(P,R)": {"more true negatives", UNIFORM},
    "Specificity": {"more true positives", "more false negatives", UNIFORM, "scaling of classes"},
    "MAAc": {"exchange of classes", UNIFORM, "scaling of classes"},
    "Jaccard": {"more true negatives", UNIFORM},
    "Phi": {"exchange of classes", UNIFORM},
    "Kappa": {"exchange of classes", UNIFORM},
    "MI": {"exchange of classes", UNIFORM},
    "Odds": {"exchange of classes", UNIFORM, "scaling of answers", "scaling of classes"},
    "Lam": {"exchange of classes", UNIFORM, "scaling of answers", "scaling of classes"},
    "Utility": {"more true negatives", "more false negatives"},
}
"""Accuracy to MAAc as in Sokolova and Lapalme (2009), where MAAc is called AUC; the others follow from their formulas."""
AXIOMS = {
    "Accuracy": {"fixed range", "differentiability"},
    "F(P,R)": {"fixed range", "differentiability"},
    "MAAc": {"fixed range", "robustness to imbalance", "differentiability"},
    "MI": {"robustness to imbalance"},
    "Utility": {"differentiability"},
    "NUtility": set(),
}


@cache
def audited(group: str, names: tuple[str, ...]) -> plumbline.Audit:
    return plumbline.audit(names, task="filtering", constraints=[group], budget=1500)


@pytest.mark.parametrize("metric", KEPT)
def test_invariances(metric: str) -> None:
    assert set(audited("invariances", tuple(KEPT)).held(metric)) == KEPT[metric]


@pytest.mark.parametrize("metric", AXIOMS)
def test_axioms(metric: str) -> None:
    assert set(audited("axioms", tuple(AXIOMS)).held(metric)) == AXIOMS[metric]


def test_a_loop_over_fractions_agrees() -> None:
    names = ["Accuracy", "P", "R", "F(P,R)", "MAAc", "Kappa", "Odds"]
    wanted = [*INVARIANCES, "fixed range", "robustness to imbalance"]
    for verdict in plumbline.audit(names, task="filtering", constraints=wanted, budget=120).verdicts:
        broken, undefined = looped(verdict)
        assert [one.pair for one in verdict.broken] == broken, str(verdict)
        assert verdict.undefined == undefined


def test_pairs_are_what_their_names_say() -> None:
    by_name = {name: searched(constraints_of("filtering", [name])[0], 300).pairs for name in INVARIANCES}
    assert all(
        pair.better == (pair.worse.tn, pair.worse.fn, pair.worse.fp, pair.worse.tp) for pair in by_name["exchange of classes"]
    )
    for name, at in (("true positives", 0), ("false positives", 1), ("false negatives", 2), ("true negatives", 3)):
        changes = {tuple(a - b for a, b in zip(pair.better, pair.worse, strict=True)) for pair in by_name[f"more {name}"]}
        assert changes == {tuple(int(place == at) for place in range(4))}
    rows, columns = by_name["scaling of classes"], by_name["scaling of answers"]
    for pair in rows:
        assert exact("R", "filtering", pair.better) == exact("R", "filtering", pair.worse)
    for pair in columns:
        assert exact("P", "filtering", pair.better) == exact("P", "filtering", pair.worse)


def test_two_sentences_of_the_paper_that_the_search_contradicts() -> None:
    """Of classification scaling it says that only precision has it, of the exchange that informativeness-based ones lack it."""
    assert {name for name, kept in KEPT.items() if "scaling of answers" in kept} == {"P", "Odds", "Lam"}
    one = Matrix(3, 1, 2, 4)
    scaled = Matrix(2 * 3, 2 * 1, 5 * 2, 5 * 4)
    assert exact("Odds", "filtering", one) == exact("Odds", "filtering", scaled) == Fraction(3 * 4, 1 * 2)
    informative = {"MAAc", "Phi", "Kappa", "MI", "Odds", "Lam"}
    assert all("exchange of classes" in KEPT[name] for name in informative)


# --- differentiability --------------------------------------------------------------------------------------------------------


def smooth(function: object) -> bool:
    return plumbline.audit(function, task="filtering", constraints="differentiability").verdicts[0].holds


def test_corners_jumps_holes_and_steep_edges_are_found() -> None:
    assert smooth(lambda tp, fp, fn, tn: (tp + tn) ** 2 / (tp + fp + fn + tn))
    assert not smooth(lambda tp, fp, fn, tn: abs(tp - fp) + fn * tn)
    assert not smooth(lambda tp, fp, fn, tn: (tp > fp) + 0 * fn * tn)
    assert not smooth(lambda tp, fp, fn, tn: tp / (tp + fp) + 0 * fn * tn)
    assert not smooth(lambda tp, fp, fn, tn: tp**0.5 + 0 * fn * tn * fp)


def test_points_in_a_row_stay_within_the_gold() -> None:
    (constraint,) = constraints_of("filtering", ["differentiability"])
    for pair in searched(constraint).pairs:
        ((middle, _),) = pair.given
        for matrix in (pair.better, middle, pair.worse):
            assert min(matrix) >= 0
        moved = [b - a for a, b in zip(pair.better, pair.worse, strict=True)]
        assert sorted(round(abs(move), 9) for move in moved) == [0, 0, 2e-4, 2e-4]


# --- categories -----------------------------------------------------------------------------------------------------------


def test_categories_of_known_metrics() -> None:
    metrics = all_metrics("filtering")
    expected = {
        "Accuracy": DECISIONS,
        "Lam": DECISIONS,
        "AUC": ORDER,
        "EER": ORDER,
        "LogLoss": PROBABILITIES,
        "BrierScore": PROBABILITIES,
    }
    assert {name: category(metrics[name]) for name in expected} == expected


def test_other_tasks_have_none() -> None:
    for task, name in product(("ranking", "clustering"), ("AP", "ARI")):
        if name in all_metrics(task):
            assert category(all_metrics(task)[name]) is None
