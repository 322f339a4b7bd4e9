"""Scores as probabilities: their distance from the truth, their calibration, and areas that weigh recall."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

import plumbline
from tests.helpers.filtering_oracles import Scored, Value, auc, brier, scores_oracle


@scores_oracle("RMSE", probabilities=True)
def root_mean_squared_error(items: Scored) -> Value:
    """The root of the Brier score."""
    squared = brier(items)
    return None if squared is None else sqrt(squared)


@scores_oracle("SAR")
def sar(items: Scored) -> Value:
    """Three means, the last of which is turned; an item without a score stands below all, and has the probability 0."""
    certain = [(min(max(score, 0.0), 1.0), is_positive) for score, is_positive in items]
    area, error = auc(items), root_mean_squared_error(certain)
    if area is None or error is None:
        return None
    accuracy = sum((score >= 0.5) == is_positive for score, is_positive in certain) / len(items)
    return (accuracy + float(area) + 1 - error) / 3


@scores_oracle("CalibrationError", probabilities=True)
def calibration_error(items: Scored, *, window: int = 100) -> Value:
    """Every window by itself; an item among equal scores is positive as often as they are."""
    if not items:
        return None
    shares: dict[float, list[bool]] = {}
    for score, is_positive in items:
        shares.setdefault(score, []).append(is_positive)
    ordered = sorted((score for score, _ in items), reverse=True)
    off = [Fraction(score) - Fraction(sum(shares[score]), len(shares[score])) for score in ordered]
    width = min(window, len(off))
    windows = [off[start : start + width] for start in range(len(off) - width + 1)]
    return sum((abs(sum(one, Fraction(0))) / width for one in windows), Fraction(0)) / len(windows)


@scores_oracle("WAUC")
def weighted_area(items: Scored, *, b: float = 1.0) -> Value:
    """Gauss's quadrature on each straight piece of the curve, which is exact for such powers of recall."""
    good = [score for score, is_positive in items if is_positive]
    bad = [score for score, is_positive in items if not is_positive]
    if not good or not bad:
        return None
    nodes, weights = np.polynomial.legendre.leggauss(24)
    area = 0.0
    for threshold in set(good):
        low, high = (sum(map(chosen, good)) / len(good) for chosen in (threshold.__lt__, threshold.__le__))
        start, end = (sum(map(chosen, bad)) / len(bad) for chosen in (threshold.__lt__, threshold.__le__))
        along = (nodes + 1) / 2
        recall, alarms = low + along * (high - low), start + along * (end - start)
        area += float((weights / 2 * (b + 1) * recall**b * (1 - alarms)).sum()) * (high - low)
    return area


def test_a_window_that_moves_over_four_items() -> None:
    gold, scores = {"a": 1, "b": 0, "c": 1, "d": 0}, {"a": 0.9, "b": 0.8, "c": 0.3, "d": 0.1}
    made = plumbline.evaluate(gold, scores, ["CAL(window=2)", "CAL"], task="filtering")
    off = [-0.1, 0.8, -0.7, 0.1]
    expected = [sum(abs(off[at] + off[at + 1]) / 2 for at in range(3)) / 3, abs(sum(off)) / 4]
    assert made.mean["value"].to_list() == pytest.approx(expected)


def test_the_last_positive_item_costs_more_the_more_high_recall_weighs() -> None:
    gold, scores = {"a": 1, "b": 1, "c": 0, "d": 0}, {"a": 0.9, "b": 0.1, "c": 0.4, "d": 0.2}
    made = plumbline.evaluate(gold, scores, ["AUC", "WAUC(b=0)", "WAUC", "WAUC(b=3)"], task="filtering")
    assert made.mean["value"].to_list() == pytest.approx([0.5, 0.5, 0.25, 0.5**4])
