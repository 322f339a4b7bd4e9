"""Planted bugs: a right function that is changed in one place loses a constraint, or it is said why none can see it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

import plumbline
from tests.helpers import functions_to_audit
from tests.helpers.mutants import Guarded, mutants

pytestmark = pytest.mark.slow


class Subject(NamedTuple):
    """A function, and the metric that it should be."""

    task: str
    metric: str
    budget: int
    lower: bool = False


SUBJECTS = {
    "wacc": Subject("filtering", "WAcc(lam=2)", 600),
    "kappa": Subject("filtering", "Kappa", 600),
    "maac": Subject("filtering", "MAAc", 600),
    "ap": Subject("ranking", "AP", 400),
    "dcg": Subject("ranking", "DCG", 400),
    "rbp": Subject("ranking", "RBP", 400),
    "bcubed": Subject("clustering", "F(BCubedP,BCubedR)", 1200),
    "vi": Subject("clustering", "VI", 1200, lower=True),
    "macro_f": Subject("classification", "F(P,R)", 600),
    "macro_recall": Subject("classification", "BalancedAccuracy", 600),
}
CONSTRAINTS = {
    "clustering": ["homogeneity", "completeness", "rag bag", "size versus quantity"],
    "classification": ["strict monotonicity", "definiteness", "robustness to imbalance", "exchange of classes"],
}
SCALED = "outputs of one gold keep their order: what is added or multiplied depends on the gold alone"
VALUE = "another value of the parameter, for which it holds as well"
SAME_ZERO = "what is divided is 0 for all that know nothing, and grows faster than what divides it"
LATER = "places are counted from another number, and their worth still falls"
ONE_MORE = "as if there were an item more that is always right, or always wrong"
OTHER_MEAN = "another mean of both, which grows with both"
UNWEIGHTED = "every cell of the table counts once, whatever its size; that falls in the same pairs"
MORE = "it is another metric, which keeps more"
SAME_LENGTH = "gold and answers are of one length"
SMOOTHED = "as if every class had an item more, which changes all F alike"
FALLS_TOO = "what is right of a class is set against something else that errors do not lower"
_VI, _BOTH = "n, total = (sum((len(one) for one in classes)), {})", "total = total - {}"
_PARTS = "(log(both / len(cluster)) + log(both / len(one)))"
UNSEEN: dict[str, dict[str, str]] = {
    "wacc": {
        "def wacc(tp: int, fp: int, fn: int, tn: int, *, lam: float=3.0) -> float:": VALUE,
        "def wacc(tp: int, fp: int, fn: int, tn: int, *, lam: float=1.0) -> float:": VALUE,
        "return (lam * tp + tn) * (lam * (tp + fn) + (fp + tn))": SCALED,
        "return lam * tp + tn - (lam * (tp + fn) + (fp + tn))": SCALED,
        "return (lam * tp + tn) / (lam + (tp + fn) + (fp + tn))": SCALED,
        "return (lam * tp + tn) / (lam + 0 + (fp + tn))": SCALED,
        "return (lam * tp + tn) / (0 + (tp + fn) + (fp + tn))": SCALED,
    },
    "kappa": {
        "return (agreed - chance) / (1 + chance)": MORE,
        "return (agreed - chance) / (1 + 0)": MORE,
        "return (agreed - chance) / (2 - chance)": MORE,
        "return (agreed - chance) / (0 + chance)": SAME_ZERO,
    },
    "maac": {
        "return (tp / (tp + fn) + tn / (tn + fp)) * 2": SCALED,
        "return tp / (tp + fn) + tn / (tn + fp) - 2": SCALED,
        "return (tp / (tp + fn) + tn / (tn + fp)) / 3": SCALED,
        "return (tp / (tp + fn) + tn / (tn + fp)) / 1": SCALED,
    },
    "ap": {
        "return total * relevant": SCALED,
        "return total - relevant": SCALED,
        "total, hits = (1.0, 0)": SCALED,
        "total, hits = (-1.0, 0)": SCALED,
        "hits = hits + 2": SCALED,
        "for rank, grade in enumerate(grades, 2):": LATER,
        "total, hits = (0.0, 1)": MORE,
        "return total / rank": MORE,
        "hits = rank + 1": MORE,
    },
    "dcg": {"total = 1.0": SCALED, "total = -1.0": SCALED, "total = total + grade / log2(rank + 2)": LATER},
    "rbp": {
        "return total + (1 - p)": SCALED,
        "return total / (1 - p)": SCALED,
        "return total + 0": SCALED,
        "total, p = (1.0, 0.8)": SCALED,
        "total, p = (-1.0, 0.8)": SCALED,
        "return total * (1 + p)": SCALED,
        "return total * (1 + 0)": SCALED,
        "return total * (0 + p)": SCALED,
        "return total * (2 - p)": SCALED,
        "for rank, grade in enumerate(grades, 2):": SCALED,
        "for rank, grade in enumerate(grades, 0):": SCALED,
        "total = total + grade * p ** (rank + 1)": SCALED,
        "total = total + grade * p ** (rank + 0)": SCALED,
        "total = total + grade * p ** (rank - 2)": SCALED,
        "total = total + grade * p ** (rank - 0)": SCALED,
    },
    "bcubed": {
        "return 2 * precision * recall * ((precision + recall) * n)": OTHER_MEAN,
        "return 2 * precision * recall / (precision + recall + n)": OTHER_MEAN,
        "return 2 * precision * recall / (0 + n)": OTHER_MEAN,
        "return 2 * precision * recall / ((precision + recall) / n)": SCALED,
        "return 2 * precision * recall / (precision + recall + 0)": SCALED,
        "return (0 + precision) * recall / ((precision + recall) * n)": SCALED,
        "return 3 * precision * recall / ((precision + recall) * n)": SCALED,
        "return 1 * precision * recall / ((precision + recall) * n)": SCALED,
        "n, precision, recall = (1, 0.0, 0.0)": SCALED,
        "n, precision, recall = (-1, 0.0, 0.0)": SCALED,
        "n, precision, recall = (0, 1.0, 0.0)": ONE_MORE,
        "n, precision, recall = (0, -1.0, 0.0)": ONE_MORE,
        "n, precision, recall = (0, 0.0, 1.0)": ONE_MORE,
        "n, precision, recall = (0, 0.0, -1.0)": ONE_MORE,
    },
    "vi": {
        "return total * n": SCALED,
        "return total - n": SCALED,
        _VI.format("1.0"): SCALED,
        _VI.format("-1.0"): SCALED,
        _BOTH.format("both * (log(both / len(cluster)) + log(both * len(one)))"): SCALED,
        _BOTH.format(f"(both + {_PARTS})"): UNWEIGHTED,
        _BOTH.format(f"(0 + {_PARTS})"): UNWEIGHTED,
    },
    "macro_f": {
        "return total * count": SCALED,
        "return total - count": SCALED,
        "total, count = (1.0, 0)": SCALED,
        "total, count = (-1.0, 0)": SCALED,
        "total, count = (0.0, 1)": SCALED,
        "total, count = (0.0, -1)": SCALED,
        "count = 0 + 1": SCALED,
        "count = count + 2": SCALED,
        "total = total + (0 + both) / (of_class + called)": SCALED,
        "total = total + 3 * both / (of_class + called)": SCALED,
        "total = total + 1 * both / (of_class + called)": SCALED,
        "both, of_class, called = (1, 0, 0)": SMOOTHED,
        "both, of_class, called = (0, 1, 0)": SMOOTHED,
        "both, of_class, called = (0, 0, 1)": SMOOTHED,
        "called = 0 + (given == label)": FALLS_TOO,
        "called = of_class + (given == label)": FALLS_TOO,
        "of_class = of_class + (right != label)": FALLS_TOO,
        "total = total + (2 * both - (of_class + called))": FALLS_TOO,
        "called = called * (given == label)": MORE,
        "called = called + 0": MORE,
        "called = called + (right == label)": MORE,
        "total = total + 2 * both / (of_class + 0)": MORE,
        "total = total + 2 * both / (of_class + of_class)": MORE,
        "for right, given in zip(gold, answers, strict=2):": SAME_LENGTH,
        "for right, given in zip(gold, answers, strict=0):": SAME_LENGTH,
    },
    "macro_recall": {
        "return total * count": SCALED,
        "return total - count": SCALED,
        "total, count = (1.0, 0)": SCALED,
        "total, count = (-1.0, 0)": SCALED,
        "total, count = (0.0, 1)": SCALED,
        "total, count = (0.0, -1)": SCALED,
        "count = 0 + 1": SCALED,
        "count = count + 2": SCALED,
        "for right, given in zip(gold, answers, strict=2):": SAME_LENGTH,
        "for right, given in zip(gold, answers, strict=0):": SAME_LENGTH,
    },
}
"""The mutants that lose nothing, and why."""
SHARE_CAUGHT = 0.75


def held(one: Subject, functions: list[object]) -> dict[str, set[str]]:
    names = [str(getattr(function, "__name__", function)) for function in functions]
    lower = names if one.lower else []
    actual = plumbline.audit(functions, task=one.task, budget=one.budget, lower=lower, constraints=CONSTRAINTS.get(one.task))
    return {name: set(actual.held(name)) for name in actual.metrics}


@cache
def kept(name: str) -> set[str]:
    """What the right function keeps."""
    return held(SUBJECTS[name], [getattr(functions_to_audit, name)])[name]


@cache
def survivors(name: str) -> tuple[dict[str, set[str]], int]:
    """The mutants that keep all that the right function keeps, with what they keep; and how many mutants there are."""
    guarded = [Guarded(mutant, parameters) for parameters, mutant in mutants(getattr(functions_to_audit, name)).items()]
    actual = held(SUBJECTS[name], [*guarded])
    crashed = {one.__name__ for one in guarded if one.crashed}
    return {parameters: each for parameters, each in actual.items() if kept(name) <= each and parameters not in crashed}, len(
        guarded
    )


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_right_function_keeps_what_the_metric_keeps(name: str) -> None:
    one = SUBJECTS[name]
    assert held(one, [one.metric]) == {one.metric: kept(name)}
    assert kept(name)


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_mutant_is_caught_unless_it_is_said_why_not(name: str) -> None:
    survived, made = survivors(name)
    assert set(survived) == set(UNSEEN[name])
    assert made >= 20


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_keeps_more_would_be_seen_as_a_claim_that_is_missing(name: str) -> None:
    survived, _ = survivors(name)
    assert {parameters for parameters, each in survived.items() if each > kept(name)} == {
        parameters for parameters, why in UNSEEN[name].items() if why == MORE
    }


def test_most_are_caught() -> None:
    actual = [survivors(name) for name in SUBJECTS]
    made = sum(count for _, count in actual)
    assert made > 300
    assert 1 - sum(len(survived) for survived, _ in actual) / made > SHARE_CAUGHT
