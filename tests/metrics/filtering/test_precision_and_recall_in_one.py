"""Precision and recall in one number without a weight, and what is wrong among accepted and discarded items."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import pytest

import plumbline
from tests.helpers.filtering_oracles import Table, Value, oracle

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction


def known(rate: Callable[[], Fraction]) -> Fraction | None:
    try:
        return rate()
    except ZeroDivisionError:
        return None


@oracle("Product")
def product(table: Table) -> Value:
    """Zero as soon as one is zero."""
    precision, recall = known(table.g_if_s), known(table.s_if_g)
    if 0 in (precision, recall):
        return 0.0
    return None if precision is None or recall is None else precision * recall


@oracle("MeanF")
def mean_f(table: Table) -> Value:
    """The integral over the weight, whose antiderivative is a logarithm."""
    precision, recall = known(table.g_if_s), known(table.s_if_g)
    if 0 in (precision, recall):
        return 0.0
    if precision is None or recall is None:
        return None
    if precision == recall:
        return precision
    return float(precision * recall / (recall - precision)) * (log(recall) - log(precision))


@oracle("PCFallout")
def prediction_conditioned_fallout(table: Table) -> Value:
    """P(~G|S)."""
    return 1 - table.g_if_s()


@oracle("PCMiss")
def prediction_conditioned_miss(table: Table) -> Value:
    """P(G|~S)."""
    return table.g_if_not_s()


def test_mean_f_is_the_mean_of_f_over_many_weights() -> None:
    gold = {"a": 1, "b": 1, "c": 1, "d": 0, "e": 0, "f": 0}
    output = {"a": 1, "b": 0, "c": 0, "d": 1, "e": 0, "f": 0}
    weights = [(step + 0.5) / 50 for step in range(50)]
    names = ["MeanF", *(f"F(P,R,alpha={weight:g})" for weight in weights)]
    scores = plumbline.evaluate(gold, output, names, task="filtering")
    first, *curve = scores.mean["value"].to_list()
    assert first == pytest.approx(sum(curve) / len(curve), abs=1e-5)


@pytest.mark.parametrize(("s", "expected"), [("", 1 / 3), ("(s=2)", 2 / (2 * 3 + 2)), ("(s=100)", 100 / 106)])
def test_the_output_without_any_item_under_the_floors_of_trec_11_and_trec_7(s: str, expected: float) -> None:
    gold = dict.fromkeys("abc", 1) | dict.fromkeys("defg", 0)
    scores = plumbline.evaluate(gold, dict.fromkeys("abcdefg", 0), f"NUtility{s}", task="filtering")
    assert scores.mean["value"].to_list() == [pytest.approx(expected)]


def test_parameters_of_both_parts_are_given_once() -> None:
    assert str(plumbline.parse("F(P,R,smooth=laplace)", task="filtering")) == "F(P(smooth=laplace),R(smooth=laplace))"
    assert str(plumbline.parse("F(P@5,R@5,rel=2,alpha=0.3)")) == "F(P(rel=2)@5,R(rel=2)@5,alpha=0.3)"
    with pytest.raises(plumbline.BadUsage, match="E303"):
        plumbline.parse("F(P,R,gain=exp)", task="filtering")


def test_smoothed_cells_leave_the_marginals_alone() -> None:
    """So that Kappa, Phi, MI and Jaccard see one table, whose chance agreement is that of the counts."""
    gold = {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}
    output = {"a": 1, "b": 0, "c": 0, "d": 0, "e": 0}
    names = [f"{name}(smooth={smooth})" for name in ("Kappa", "Phi") for smooth in ("none", "cells")]
    kappa, smoothed, phi, smoothed_phi = plumbline.evaluate(gold, output, names, task="filtering").mean["value"].to_list()
    assert smoothed == pytest.approx(kappa * 5 / 6)  # one more of six items is as good as chance
    assert smoothed_phi == pytest.approx(phi * 5 / 6)
