"""Functions of one's own: how they are found and called, what their values mean, and what goes wrong."""

from __future__ import annotations

import sys
from math import inf, nan
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline import BadData, BadUsage, PlumblineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MODULE = """
class Group:
    @staticmethod
    def accuracy(tp, fp, fn, tn):
        return (tp + tn) / (tp + fp + fn + tn)

accuracy = Group.accuracy
number = 3
"""
FEW = 60


def accuracy(tp: int, fp: int, fn: int, tn: int) -> float:
    return (tp + tn) / (tp + fp + fn + tn)


def failing(function: Any, **options: Any) -> str:
    with pytest.raises(PlumblineError) as caught:
        plumbline.audit(function, task="filtering", budget=FEW, **options)
    return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with a module."""
    (tmp_path / "audited_module.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("audited_")]:
        del sys.modules[name]


# --- where they are -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["audited_module:accuracy", "audited_module:Group.accuracy"])
def test_a_function_of_the_current_folder_is_found(name: str) -> None:
    actual = plumbline.audit([name, "Accuracy"], task="filtering", budget=FEW)
    assert actual.metrics == (name, "Accuracy")
    assert actual.held(name) == actual.held("Accuracy")


@pytest.mark.usefixtures("folder")
def test_the_parameters_tell_the_task() -> None:
    assert plumbline.audit("audited_module:accuracy", budget=FEW).task == "filtering"
    assert plumbline.audit(lambda a, b, c, d: a + d - b - c, budget=FEW).task == "filtering"
    assert plumbline.audit(lambda grades, relevant: sum(grades) / relevant, budget=FEW).task == "ranking"
    assert plumbline.audit(lambda clusters, classes: len(clusters) / len(classes), budget=FEW).task == "clustering"
    assert plumbline.audit(lambda levels, gold: len(levels) / len(gold), budget=FEW).task == "organization"


@pytest.mark.parametrize(
    "functions", [[lambda x, y: x + y], [lambda: 1], [accuracy, lambda grades, relevant: grades[0] / relevant]]
)
def test_where_they_do_not_tell_it_one_has_to(functions: list[Any]) -> None:
    with pytest.raises(BadUsage, match="E333"):
        plumbline.audit(functions, budget=FEW)


def test_a_name_with_colons_in_parentheses_is_no_function() -> None:
    assert plumbline.audit("Rel(weights=3:2:1)", task="ranking", budget=FEW).metrics == ("Rel(weights=3:2:1)",)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("audited_nowhere:f", "No module named 'audited_nowhere'"),
        ("audited_module:f", "has no attribute 'f'"),
        ("audited_module:", "has no attribute ''"),
        (":f", "Empty module name"),
        ("audited_module:number", "it is not a function"),
    ],
)
def test_what_cannot_be_loaded(name: str, reason: str) -> None:
    message = failing(name)
    assert message.startswith("E329")
    assert reason in message
    assert "def f(tp, fp, fn, tn)" in message


@pytest.mark.parametrize(
    ("text", "reason"), [("1/0", "ZeroDivisionError"), ("import sys; sys.exit(3)", "SystemExit: 3"), ("(", "Syntax")]
)
def test_a_module_that_fails_is_told(folder: Path, text: str, reason: str) -> None:
    (folder / "audited_broken.py").write_text(text, encoding="utf-8")
    assert reason in failing("audited_broken:f")


# --- how they are called ------------------------------------------------------------------------------------------------


def test_filters_get_four_counts() -> None:
    seen = set()

    def f(*counts: int) -> float:
        seen.add(counts)
        return 1.0

    plumbline.audit(f, task="filtering", constraints="definiteness", budget=20)
    assert seen == {(0, 0, 1, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 1, 0, 0)}


def test_rankings_get_grades_and_the_number_of_relevant_items() -> None:
    seen = []

    def f(grades: list[int], relevant: int) -> float:
        seen.append((grades, relevant))
        return 0.0

    plumbline.audit(f, task="ranking", constraints="closeness threshold", budget=1)
    assert seen == [([0, 0, 1, 1], 3), ([1, 0, 0, 0], 3)]


def test_clusterings_get_lists_of_items() -> None:
    seen = []

    def f(clusters: list[list[str]], classes: list[list[str]]) -> float:
        seen.append((clusters, classes))
        return 0.0

    plumbline.audit(f, task="clustering", constraints="completeness", budget=10)
    assert seen == [([["a0", "a1"]], [["a0", "a1"]]), ([["a0"], ["a1"]], [["a0", "a1"]])]


def test_organizations_get_levels() -> None:
    seen = []

    def f(levels: Any, gold: Any) -> float:
        seen.append((levels, gold))
        return 0.0

    plumbline.audit(f, task="organization", constraints=["priority"], budget=8)
    assert seen[:2] == [([[["R0"]], [["N1"]]], [[["R0"]]]), ([[["N0"]], [["R1"]]], [[["R1"]]])]


def test_each_output_is_scored_once() -> None:
    calls: list[tuple[int, ...]] = []

    def f(*counts: int) -> float:
        calls.append(counts)
        return accuracy(*counts)

    plumbline.audit(f, task="filtering", constraints=["strict monotonicity", "definiteness", "growing quality"], budget=FEW)
    assert len(calls) == len(set(calls))


# --- what their values mean -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [lambda: None, lambda: nan, lambda: 1 / 0], ids=["None", "NaN", "1/0"])
def test_undefined(value: Callable[[], float | None]) -> None:
    def f(tp: int, fp: int, *_: int) -> float | None:
        return tp / (tp + fp) if tp + fp else value()

    actual = plumbline.audit([f, "P"], task="filtering", budget=FEW)
    for constraint in ("strict monotonicity", "definiteness", "fixed quality"):
        each, known = (actual.verdict(metric, constraint) for metric in ("f", "P"))
        assert (each.outcome, each.undefined, each.broken_at.tolist()) == (
            known.outcome,
            known.undefined,
            known.broken_at.tolist(),
        )
    assert actual.verdict("f", "definiteness").counterexample is not None


def test_nothing_can_be_told_of_what_is_never_defined() -> None:
    def f(tp: int, fp: int, fn: int, tn: int, *, lam: float = 1.0) -> None:
        del tp, fp, fn, tn, lam

    actual = plumbline.audit(f, task="filtering", budget=FEW)
    parameters = {one.constraint.name: one.outcome for one in actual.verdicts}
    assert parameters.pop("definiteness") == parameters.pop("strong definiteness") == "broken"
    assert set(parameters.values()) == {"undecided"}


@pytest.mark.parametrize("value", ["0.5", b"1", inf, -inf, [1, 2], 1j, {}], ids=repr)
def test_what_is_no_number_is_refused(value: object) -> None:
    message = failing(lambda *_: value)
    assert message.startswith("E169")
    assert repr(value) in message


def test_an_exception_is_told_with_the_output_it_came_from() -> None:
    def f(tp: int, fp: int, fn: int, tn: int) -> float:
        if tn == 1:
            raise KeyError("no \x1b[31mred")  # noqa: EM101, TRY003 - somebody else's function
        return float(tp + fp + fn)

    message = failing(f)
    assert message.startswith("E168 f fails on TP 1  FP 0  FN 0  TN 1: KeyError")
    assert "\x1b" not in message


def test_a_function_of_other_arguments() -> None:
    assert "takes 2 positional arguments but 4 were given" in failing(lambda grades, relevant: grades / relevant)


def test_lower_is_better_if_said() -> None:
    def errors(tp: int, fp: int, fn: int, tn: int) -> int:
        del tp, tn
        return fp + fn

    wrong, right = (plumbline.audit(errors, task="filtering", budget=FEW, lower=lower) for lower in ([], ["errors"]))
    assert not wrong.verdict("errors", "strict monotonicity").holds
    assert right.verdict("errors", "strict monotonicity").holds


# --- parameters -----------------------------------------------------------------------------------------------------------


def test_keywords_that_are_numbers_are_tried() -> None:
    def utility(tp: int, fp: int, fn: int, tn: int, *, gain: float = 2.0, strict: bool = False) -> float:
        assert strict is False
        del fn, tn
        return gain * tp - fp

    actual = plumbline.audit(utility, task="filtering", budget=FEW)
    assert actual.verdict("utility", "absolute weighting").reason == "gain: worse up to 0.9, better from 1.5 on"
    assert actual.families == {"utility": "utility-based"}


def test_without_such_a_keyword_there_is_no_parameter() -> None:
    actual = plumbline.audit(accuracy, task="filtering", budget=FEW)
    assert actual.verdict("accuracy", "absolute weighting").reason == "it has no parameter"
    assert plumbline.audit(min, task="filtering", budget=FEW).verdict("min", "absolute weighting").outcome == "broken"


# --- several at once --------------------------------------------------------------------------------------------------------


def test_functions_of_one_name_are_told_apart() -> None:
    def P(tp: int, fp: int, fn: int, tn: int) -> float:  # noqa: N802 - as the metric
        return tp - fp + fn - tn

    functions = [lambda tp, *_: tp, lambda tp, *_: -tp]
    actual = plumbline.audit([*functions, P, "P", "P", functions[0]], task="filtering", budget=FEW)
    assert actual.metrics == ("<lambda> (1)", "<lambda> (2)", "P (3)", "P")


def test_the_same_function_twice_is_one() -> None:
    assert plumbline.audit([accuracy, accuracy], task="filtering", budget=FEW).metrics == ("accuracy",)


def test_it_is_known_which_errors_are_whose() -> None:
    """What is asked wrongly is bad usage, what a function does is bad data."""
    with pytest.raises(BadUsage):
        plumbline.audit("audited_nowhere:f", task="filtering")
    with pytest.raises(BadData):
        plumbline.audit(lambda: 1, task="filtering")
