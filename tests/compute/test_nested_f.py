"""F of F: the weighted harmonic mean of means, on every task, and wherever an F is taken apart."""

from __future__ import annotations

from typing import Any

import pytest

import plumbline
from plumbline.studies.smoothing import with_smoothing

KINDS = [f"F(Rel(over={over}),Sens(over={over}))" for over in ("priority", "related")]
LEVELS: dict[str, Any] = {"q": [[["a"], ["b", "c"]], [["d"]]]}
OUTPUT: dict[str, Any] = {"q": [[["a", "b"]], [["c"], ["d"]], [["e"]]]}
LABELS = {"a": "x", "b": "x", "c": "y", "d": "y"}
GUESSES = {"a": "x", "b": "y", "c": "y", "d": "x"}
WORLDS: dict[str, tuple[Any, ...]] = {
    "organization": (LEVELS, OUTPUT, *KINDS, "0.7"),
    "ranking": ({"q": {"a": 2, "b": 1, "c": 0}}, {"q": {"b": 3.0, "c": 2.0, "a": 1.0}}, "F(P@2,R@2)", "F(AP,nDCG)", "0.3"),
    "filtering": (LABELS, GUESSES, "F(P,R,alpha=0.1)", "F(Rel,Sens)", "0.6"),
    "clustering": (LABELS, GUESSES, "F(BCubedP,BCubedR)", "F(Purity,InvPurity)", "0.2"),
    "classification": (LABELS, GUESSES, "Accuracy", "F(P,R)", "0.9"),
}


def options(task: str) -> dict[str, Any]:
    """What a task needs to be told."""
    return {"task": task, "positive": "x"} if task == "filtering" else {"task": task}


@pytest.mark.parametrize("task", WORLDS)
def test_it_is_the_mean_of_its_parts(task: str) -> None:
    gold, output, first, second, alpha = WORLDS[task]
    names = [f"F({first},{second},alpha={alpha})", first, second]
    scores = plumbline.evaluate(gold, {"s": output}, names, **options(task))
    both, *parts = scores.mean["value"]
    assert all(0 < part < 1 for part in parts)
    assert both == pytest.approx(1 / (float(alpha) / parts[0] + (1 - float(alpha)) / parts[1]))
    assert scores.mean["metric"][0] == names[0]


@pytest.mark.parametrize(("output", "expected"), [({"q": {"x": 1.0}}, 0.0), ({"q": {"a": 1.0}}, 1.0)])
def test_one_part_0_is_0(output: dict[str, dict[str, float]], expected: float) -> None:
    """Of the wrong item both inner means are 0."""
    scores = plumbline.evaluate({"q": {"a": 1}}, {"s": output}, "F(F(P@1,R@1),F(AP,RR))")
    assert scores.mean["value"][0] == expected


def test_why_goes_down_to_the_single_metrics() -> None:
    explained = plumbline.why(LEVELS, OUTPUT, f"F({KINDS[0]},{KINDS[1]},alpha=0.7)", task="organization")
    assert [part.measure for part in explained.parts] == KINDS
    assert [len(part.parts) for part in explained.parts] == [2, 2]


def test_an_audit_changes_the_outer_weight() -> None:
    """Whether F keeps absolute weighting depends on its own alpha, not on those inside."""
    verdict = plumbline.audit("F(F(P,R),F(P,R))", task="filtering", constraints=["growing quality", "absolute weighting"])
    plain = plumbline.audit("F(P,R)", task="filtering", constraints=["growing quality", "absolute weighting"])
    assert [one.holds for one in verdict.verdicts] == [one.holds for one in plain.verdicts]


def test_smoothing_reaches_every_part() -> None:
    measure = plumbline.parse("F(F(P,R),F(Rel,Sens))", task="filtering")
    smoothed = with_smoothing(measure, "laplace")
    assert smoothed is not None
    assert {dict(part.arguments)["smooth"] for part in smoothed.parts} == {"laplace"}
    assert with_smoothing(plumbline.parse("F(F(P,R),AP)", task="filtering"), "laplace") is None
