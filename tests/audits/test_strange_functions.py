"""What functions of strangers do: odd parameters, prints, exits, units; and where a threshold cannot be told."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import plumbline
from plumbline import BadUsage
from tests.audits.test_own_functions import FEW, accuracy, failing


def test_parameters_with_a_default_are_settings_wherever_they_stand() -> None:
    def weighted(tp: int, fp: int, fn: int, tn: int, lam: float = 2.0) -> float:
        return (lam * tp + tn) / (lam * (tp + fn) + tn + fp)

    actual = plumbline.audit(weighted, budget=200)
    assert actual.task == "filtering"
    assert actual.families == {"weighted": "utility-based"}


def test_values_that_a_function_does_not_take_are_not_tried() -> None:
    def rounded(tp: int, fp: int, fn: int, tn: int, *, digits: int = 3, least: float = 2.0) -> float:
        if least < 1:
            raise ValueError
        return round(accuracy(tp, fp, fn, tn), digits)

    assert "definiteness" in plumbline.audit(rounded, budget=FEW).held("rounded")


@pytest.mark.parametrize("lower", ["error", ["error"]])
def test_lower_may_be_one_name(lower: Any) -> None:
    def error(tp: int, fp: int, fn: int, tn: int) -> float:
        return 1 - accuracy(tp, fp, fn, tn)

    assert "strict monotonicity" in plumbline.audit(error, lower=lower, budget=FEW).held("error")
    with pytest.raises(BadUsage, match="E334"):
        plumbline.audit([error, "MI"], lower=[*lower, "MI"], budget=FEW, task="filtering")


def test_what_a_function_prints_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    def loud(tp: int, fp: int, fn: int, tn: int) -> float:
        print("hello")  # noqa: T201 - what is tested
        return accuracy(tp, fp, fn, tn)

    plumbline.audit(loud, budget=FEW)
    message = capsys.readouterr()
    assert (message.out, "hello" in message.err) == ("", True)


@pytest.mark.parametrize("value", [10**400, 1 + 2j], ids=["too large", "complex"])
def test_what_is_no_real_number(value: Any) -> None:
    assert failing(lambda tp, fp, fn, tn: value).startswith("E169")  # noqa: ARG005 - what a metric is called with


def test_a_function_that_leaves_the_program_fails() -> None:
    assert failing(lambda tp, fp, fn, tn: sys.exit(0)).startswith("E168")  # noqa: ARG005 - what a metric is called with


def test_the_unit_of_a_metric_does_not_matter() -> None:
    def tiny(tp: int, fp: int, fn: int, tn: int) -> float:
        return 1e-10 * accuracy(tp, fp, fn, tn)

    actual = plumbline.audit([accuracy, tiny], budget=FEW)
    assert actual.held("tiny") == actual.held("accuracy")


def test_a_threshold_cannot_be_told_where_its_end_is_undefined_or_not_reached() -> None:
    def short(grades: list[int], relevant: int) -> float | None:
        return sum(grades) / relevant if len(grades) <= 3 else None

    undefined = plumbline.audit(short, constraints=["deepness threshold"]).verdicts[0]
    assert (undefined.outcome, undefined.reason) == ("undecided", "the score is undefined at the largest n")
    reached = plumbline.audit("AP", constraints=["deepness threshold"], budget=1).verdicts[0]
    assert (reached.outcome, reached.reason) == ("undecided", "the budget does not reach n = 100")
