"""compare() of fewer cases than an interval needs: nothing is printed as one, and the range of cases stands there instead."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

import plumbline
from plumbline.comparison.significance.equivalence import equivalence
from plumbline.comparison.significance.registry import all_tests
from tests.helpers.score_forms import everything, nested

NEW, OLD = [0.5, 0.6, 0.4, 0.5, 0.7], [0.2, 0.4, 0.5, 0.1, 0.4]
RANGE = "-0.100 to 0.400"
REASON = "in parentheses the lowest and the highest case: fewer than 6 cases are too few for a 95 % interval"


def few(**options: object) -> plumbline.Comparison:
    return plumbline.compare(nested(AP={"new": NEW, "old": OLD}), **options)  # type: ignore[arg-type]


def test_sentences_say_the_range_of_cases() -> None:
    assert few().verdict().headline == (
        f"new and old are not shown to differ (AP +0.220 (cases from {RANGE}) or +68.7 %, p = 0.12): "
        "no difference can be significant with 5 cases, it takes 6 or more."
    )


def test_tables_say_the_range_and_why() -> None:
    text = everything(few())
    assert "-0.220 (-0.400 to 0.100)" in text, "old from new"
    assert f"difference: of AP from new; {REASON}" in text
    assert "with its 95 % interval" not in text
    pairs = repr(few().to_blocks(pairs=True)[2])
    assert f"0.220 ({RANGE})" in pairs
    assert REASON in pairs


def test_the_range_of_a_metric_that_is_better_when_lower_is_in_its_unit() -> None:
    of = plumbline.compare(nested(seconds={"new": NEW, "old": OLD}), lower="seconds").verdict().main
    assert (of.difference, of.lowest, of.highest) == pytest.approx((-0.22, -0.4, 0.1))


def test_data_have_no_interval_but_the_range() -> None:
    row = few().significance.row(0, named=True)
    assert (row["low"], row["high"]) == (None, None)
    assert (row["lowest"], row["highest"]) == pytest.approx((-0.1, 0.4))
    assert json.dumps(few().to_dict(), allow_nan=False)
    more = plumbline.compare(nested(AP={"new": [*NEW, 0.4], "old": [*OLD, 0.3]})).significance.row(0, named=True)
    assert more["low"] < more["difference"] < more["high"]
    assert (more["lowest"], more["highest"]) == (None, None)


def test_a_gate_says_the_range() -> None:
    result = few(baseline="old").gate()
    assert result.passed
    assert f"(cases from {RANGE})" in str(result)
    assert f"| +0.220 ({RANGE}) |  | 0.12 |" in result.to_markdown()
    assert result.to_dict()["checks"][0]["lowest"] == pytest.approx(-0.1)


def test_latex_says_the_range() -> None:
    assert "-0.220 (-0.400 to 0.100)" in few().to_latex()


def test_the_t_test_has_the_interval_of_t() -> None:
    """Whoever takes differences as normal has a p and an interval of three cases; so has equality within a margin."""
    values = np.array([NEW, OLD])[:, :3]
    found = plumbline.compare(nested(AP={"new": NEW[:3], "old": OLD[:3]}), test="t", margin=1.5)
    expected = stats.ttest_rel(*values).confidence_interval()
    assert (found.verdict().main.low, found.verdict().main.high) == pytest.approx((expected.low, expected.high))
    assert found.verdict().kind == "equal"
    assert equivalence(values, 1.5, normal=True).p[0, 1] < 0.025
    assert plumbline.compare(nested(AP={"new": NEW[:3], "old": OLD[:3]}), margin=1.5).verdict().kind == "open"


def test_tests_that_take_differences_as_normal_are_declared() -> None:
    assert {name for name, test in all_tests().items() if test.normal} == {"t", "tukey"}


def test_cases_none_of_which_differs_have_neither() -> None:
    scores = nested(AP={"new": [0.5] * 30, "old": [0.5] * 30}, RR={"new": [0.5, 0.7] * 15, "old": [0.4, 0.5] * 15})
    of = next(one for one in plumbline.compare(scores).verdict().findings if one.measure == "AP")
    assert str(of) == "AP 0.000 or 0.0 %, p = 1"


def test_one_case_is_no_range() -> None:
    assert str(plumbline.compare(nested(AP={"new": [0.5], "old": [0.4]})).verdict().main) == "AP +0.100 or +25.0 %, not tested"


def test_mixed_numbers_of_cases_have_both() -> None:
    """Of three systems two share enough cases; the legend explains both."""
    known = {"a": [0.1, 0.3, 0.2, 0.5, 0.4, 0.6, 0.3], "b": [0.2, 0.5, 0.1, 0.7, 0.5, 0.8, 0.5]}
    scores = nested(AP={**known, "c": [0.1, 0.2, 0.1, 0.1, float("nan"), float("nan"), float("nan")]})
    text = everything(plumbline.compare(scores))
    assert f"difference: of AP from b, with its 95 % interval; {REASON}" in text


def test_a_bound_that_says_nothing_is_not_printed_as_one() -> None:
    """Three draws of forty cases, none of which reaches the difference: p may be anything."""
    generator = np.random.default_rng(1)
    systems = {name: (generator.random(40) * 0.1 + shift).tolist() for name, shift in (("a", 0.0), ("b", 0.3), ("c", 0.6))}
    found = plumbline.compare(nested(AP=systems), test="bootstrap", resamples=2)
    assert found.verdict("a", "c").main.p == 1
    assert found.verdict("a", "c").main.chance == "too few draws for a p"
    assert "≤ 1" not in everything(found)
