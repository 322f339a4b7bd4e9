"""Table 3 and figure 5 of Amigo et al. 2019 found again, with every smoothing, and where the search finds otherwise."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import pytest

import plumbline
from plumbline.audits.constraints.filtering import Matrix
from plumbline.metrics.names import parse
from plumbline.metrics.registry import all_metrics
from tests.helpers.audit_cache import full_audit
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from plumbline.audits.verdict import Verdict

pytestmark = pytest.mark.slow

SMOOTHINGS = ("none", "laplace", "noninformative")
PROPERTIES = ("strict monotonicity", "absolute weighting", "fixed quality", "growing quality")
MEANS = {"F(P,R)": "F(P({0}),R({0}))", "F(Rel,Sens)": "F(Rel({0}),Sens({0}))"}
SMOOTHED = [
    metric.name
    for metric in all_metrics("filtering").values()
    if "smooth" in {parameter.name for parameter in metric.parameters}
]
"""The metrics that take it."""
ENOUGH = 1600
"""Pairs enough for all matrices with 1 to 6 items of each class."""


def spelled(name: str, smooth: str) -> str:
    """The canonical name of a metric with a smoothing."""
    arguments = f"lam=2,smooth={smooth}" if name == "WAcc" else f"smooth={smooth}"
    return parse(MEANS[name].format(arguments) if name in MEANS else f"{name}({arguments})", task="filtering").name


@cache
def verdict(name: str, smooth: str, constraint: str) -> Verdict:
    return every().verdict(spelled(name, smooth), constraint)


@cache
def every() -> plumbline.Audit:
    """All of them, with all smoothings."""
    names = [spelled(name, smooth) for name in (*SMOOTHED, *MEANS) for smooth in SMOOTHINGS]
    return plumbline.audit(names, task="filtering", constraints=PROPERTIES, budget=ENOUGH)


def kept(name: str, smooth: str) -> tuple[bool, ...]:
    return tuple(verdict(name, smooth, constraint).holds for constraint in PROPERTIES)


# --- the tables -------------------------------------------------------------------------------------------------------

UTILITY = (True, True, False, False)
INFORMATIVE = (True, False, True, False)
CLASS_ORIENTED = (True, False, False, True)
TABLE_3 = {
    "WAcc": UTILITY,
    "Utility": UTILITY,
    "Lam": (False, False, True, False),
    "Odds": (False, False, True, False),
    **dict.fromkeys(("Phi", "MAAc", "Kappa", "Chi", "MI"), INFORMATIVE),
    "F(P,R)": (False, False, False, True),
    "F(Rel,Sens)": (True, False, False, False),
}
"""Without smoothing; strict monotonicity, absolute weighting, fixed quality, growing quality."""
FIGURE_5 = {
    ("Lam", "laplace"): (True, False, False, False),
    ("Odds", "laplace"): (True, False, False, False),
    ("Lam", "noninformative"): INFORMATIVE,
    ("Odds", "noninformative"): INFORMATIVE,
    ("F(P,R)", "laplace"): (True, False, False, False),
    ("F(P,R)", "noninformative"): CLASS_ORIENTED,
}
"""What the figure has beside the table."""
DIFFERENT = {
    ("MI", "none", "strict monotonicity"): "an output that is always wrong tells as much as one that is always right",
    ("F(Rel,Sens)", "none", "strict monotonicity"): "as section 4.4.1 says: 0 as soon as no item is accepted, or all are",
    ("F(P,R)", "noninformative", "strict monotonicity"): "the zero output has 0, what accepts a wrong item only has more",
}
"""Where the search finds otherwise, and why."""


def test_table_3_and_figure_5() -> None:
    printed = {(name, "none"): row for name, row in TABLE_3.items()} | FIGURE_5
    differing = {
        (name, smooth, constraint)
        for (name, smooth), row in printed.items()
        for constraint, expected, actual in zip(PROPERTIES, row, kept(name, smooth), strict=True)
        if actual != expected
    }
    assert differing == set(DIFFERENT)


@pytest.mark.parametrize(("name", "smooth", "constraint"), DIFFERENT)
def test_each_difference_has_a_counterexample(name: str, smooth: str, constraint: str) -> None:
    example = verdict(name, smooth, constraint).counterexample
    assert example is not None
    assert example.better <= example.worse
    assert {(one.tp + one.fn, one.fp + one.tn) for one in (example.pair.better, example.pair.worse)} == {(1, 1)}


# --- all metrics, all smoothings ------------------------------------------------------------------------------------------

RATES = {"FNR", "FPR", "R", "Specificity"}
"""They look at one class of the gold."""
COMBINED = {"MeanF", "Product"}
"""Of precision and recall, as F is."""
NOT_MONOTONIC = {
    "none": RATES
    | COMBINED
    | {"PCFallout", "PCMiss"}
    | {"Jaccard", "Lam", "MI", "NPV", "NUtility", "Odds", "P", "Rel", "Sens", "F(P,R)", "F(Rel,Sens)"},
    "laplace": RATES | {"MI", "NUtility"},
    "noninformative": RATES | COMBINED | {"F(P,R)", "F(Rel,Sens)", "Jaccard", "MI", "NUtility", "Utility", "WAcc", "Sens"},
}
KEEP_A_FAMILY_WITH_LAPLACE = {
    "Utility": "what four items more earn is added to every output",
    "WAcc": "the same",
    "R": "(TP + 1) / (TP + FN + 2) grows with TP alone",
    "FNR": "the same",
}
"""Of the metrics of the paper all but these two lose the property of their family."""


@pytest.mark.parametrize("smooth", SMOOTHINGS)
def test_strict_monotonicity(smooth: str) -> None:
    broken = {name for name in (*SMOOTHED, *MEANS) if not verdict(name, smooth, "strict monotonicity").holds}
    assert broken == NOT_MONOTONIC[smooth]


def test_the_five_findings() -> None:
    """What the definitions of the project say of the metrics of the paper, for all matrices with 1 to 6 items of each class."""
    assert verdict("MI", "none", "strict monotonicity").searched.every == 6
    paper = set(TABLE_3)
    assert "F(Rel,Sens)" in NOT_MONOTONIC["none"]
    assert "MI" in NOT_MONOTONIC["none"]
    assert paper & NOT_MONOTONIC["noninformative"] == {"F(P,R)", "F(Rel,Sens)", "WAcc", "Utility", "MI"}
    assert paper - NOT_MONOTONIC["noninformative"] == {"Lam", "Odds", "MAAc", "Phi", "Kappa", "Chi"}
    assert paper & NOT_MONOTONIC["laplace"] == {"MI"}


def test_laplace_takes_the_family_from_almost_all() -> None:
    families = every().families
    assert {name for name in SMOOTHED if families[spelled(name, "laplace")]} == set(KEEP_A_FAMILY_WITH_LAPLACE)


def test_the_other_smoothing_keeps_the_family() -> None:
    """All but those of utilities: what is added depends on how many items are accepted."""
    actual = every().families
    lost = {name for name in (*SMOOTHED, *MEANS) if actual[spelled(name, "none")] != actual[spelled(name, "noninformative")]}
    assert lost == {"Utility", "WAcc"}


def test_the_known_counterexamples_are_among_those_found() -> None:
    names = {"F": "F(P,R)", "F(R,S)": "F(Rel,Sens)"}
    golden = json.loads(shared("golden", "papers.json").read_text(encoding="utf-8"))["filtering_monotonicity_counterexamples"]
    assert len(golden) == 5
    for known in golden:
        actual = verdict(names.get(known["metric"], known["metric"]), known["smooth"], "strict monotonicity")
        pairs = {(one.pair.worse, one.pair.better): [one.worse, one.better] for one in actual.broken}
        assert pairs[Matrix(*known["worse"]), Matrix(*known["better"])] == pytest.approx(known["scores"], abs=5e-5)


# --- families -----------------------------------------------------------------------------------------------------------


def test_no_metric_is_of_two_families() -> None:
    """The three properties exclude each other."""
    for audit in (full_audit("filtering"), every()):
        for metric in audit.metrics:
            assert len(set(PROPERTIES[1:]) & set(audit.held(metric))) <= 1


def test_the_parameter_that_decides_is_told() -> None:
    assert str(full_audit("filtering").verdict("WAcc(lam=2)", "absolute weighting")).endswith(
        ": lam: worse up to 0.9, better from 1.5 on"
    )
    assert full_audit("filtering").verdict("Accuracy", "absolute weighting").reason == "it has no parameter"
