"""What is said about two systems."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import BadUsage, Comparison, compare
from plumbline.comparison.combining import combined
from plumbline.comparison.verdict import alone, interval, p_text
from plumbline.comparison.wording import summary
from tests.comparison.unanimity.test_unanimity import TABLE_3_A, TABLE_3_B
from tests.helpers.score_cubes import cube_of, drawn

NAN = float("nan")


def of(values: Any, alpha: float = 0.5, **options: Any) -> Comparison:
    cube = cube_of(values)
    return Comparison(cube, combined(cube, alpha), **options)


def told(found: Comparison) -> str:
    return str(found.verdict("s0", "s1"))


@pytest.mark.parametrize(("metrics", "missing"), [(1, 0.0), (2, 0.0), (2, 0.3), (3, 0.0), (3, 0.3)])
def test_the_order_of_the_names_changes_nothing_and_the_better_one_comes_first(metrics: int, missing: float) -> None:
    cube = drawn(metrics, (metrics, 6, 8), levels=2, missing=missing)
    found = Comparison(cube, combined(cube))
    for a, b in permutations(found.systems, 2):
        verdict = found.verdict(a, b)
        assert verdict == found.verdict(b, a)
        first, second = (found.systems.index(name) for name in (verdict.better, verdict.worse))
        assert not found.differences[first, second] < 0
        assert (verdict.difference is None) == bool(np.isnan(found.differences[first, second]))
        assert verdict.robust == bool(found.beats[first, second])
        row = found.unanimity.row(by_predicate=(pl.col("a") == verdict.better) & (pl.col("b") == verdict.worse))
        assert (verdict.uir, verdict.improves, verdict.improved, verdict.biased, verdict.cases) == row[2:7]


def test_better_for_every_alpha() -> None:
    high, low = [0.6] * 12, [0.5] * 12
    expected = "s0 beats s1 for every alpha; unanimous in 12 of 12 cases, the other way in 0; p = 0.000488 after Holm (Fisher's"
    assert told(of([[high, low], [high, low]])) == f"{expected} randomization test)."
    uneven = [[0.6, 0.6, 0.4], [0.5, 0.5, 0.5]], [[0.6, 0.6, 0.4], [0.5, 0.5, 0.5]]
    assert told(of(uneven)).startswith("s0 beats s1 for every alpha; unanimous in 2 of 3 cases, the other way in 1; p = ")
    assert told(of(uneven)).endswith(", which may be chance.")


@pytest.mark.parametrize("mean", ["harmonic", "geometric", "arithmetic"])
def test_a_verdict_that_depends_on_the_weight_says_where_it_holds(mean: str) -> None:
    cube = cube_of([[[0.2, 0.3], [0.4, 0.5]], [[0.9, 0.8], [0.3, 0.4]]])
    found = Comparison(cube, combined(cube, mean=mean))
    verdict = found.verdict("s0", "s1")
    ((low, high),) = verdict.intervals
    cut = high if low == 0 else low
    first, second = combined(cube, cut, mean).means
    assert first == pytest.approx(second, abs=1e-10)
    side = f"alpha {'<' if low == 0 else '>'} {cut:.3g}"
    expected = f"Whether {verdict.better} beats {verdict.worse} depends on the weight: {verdict.better} leads only for {side}; "
    assert str(verdict).startswith(f"{expected}unanimous in 0 of 2 cases, the other way in 0, the metrics disagree in 2; p = ")


def test_alphas_in_words() -> None:
    ends = [(0.0, 0.31), (0.31, 1.0), (0.25, 0.5), (0.0, 1.0)]
    assert [interval(*pair) for pair in ends] == ["alpha < 0.31", "alpha > 0.31", "0.25 < alpha < 0.5", "0 < alpha < 1"]


def test_an_end_that_contradicts_is_no_every_alpha() -> None:
    """By recall alone the second is better: a precision of 0 has no say at alpha = 0."""
    found = of([[[0.5, 0.5], [0.0, 0.0]], [[0.5, 0.5], [0.9, 0.9]]])
    assert told(found).startswith(
        "Whether s0 beats s1 depends on the weights: s0 leads for every alpha between 0 and 1, but not by m1 alone; "
    )
    turned = of([[[0.5, 0.5], [0.0, 0.0]], [[0.5, 0.5], [0.9, 0.9]]], alpha=0.0)
    assert told(turned).startswith("Whether s1 beats s0 depends on the weight: s1 leads only by F(m0,m1,alpha=0); ")


def test_one_metric_has_no_weights() -> None:
    text = told(of([[[0.6, 0.6, 0.4], [0.5, 0.5, 0.5]]]))
    assert text.startswith("s0 beats s1 by m0; better in 2 of 3 cases, worse in 1; p = ")


def test_three_metrics_say_how_many_weightings_were_looked_at() -> None:
    high, low = [0.6, 0.7], [0.5, 0.5]
    assert told(of([[high, low]] * 3)).startswith("s0 beats s1 for every one of 4,096 weightings; unanimous in 2 of 2 cases")
    text = told(of([[high, low], [high, low], [low, high]]))
    match = re.match(
        r"Whether s0 beats s1 depends on the weights: s0 leads for (\d+)% of 4,096 weightings; unanimous in 0", text
    )
    assert match
    assert 40 < int(match[1]) < 95


@pytest.mark.parametrize("gap", [0.0, 1e-14, 1e-6])
def test_a_metric_alone_that_contradicts_is_no_every_weighting(gap: float) -> None:
    """By the last metric alone the second is better, unless by rounding only; no weighting that is drawn is so extreme."""
    high, low = [0.9, 0.9], [0.1, 0.1]
    found = of([[high, low], [high, low], [[0.5, 0.5], [0.5 + gap, 0.5 + gap]]])
    verdict = found.verdict("s0", "s1")
    assert found.shares.pairs[0, 1] == 1.0
    contradicts = gap > 1e-12
    assert (verdict.for_every_weighting, verdict.contrary) == (not contradicts, ("m2",) if contradicts else ())
    assert found.weights["always"].to_list() == [not contradicts, False]
    assert (found.at_least_as_good("s1", "s0") is None) == contradicts, "a trade passes the gate"
    leads = "Whether s0 beats s1 depends on the weights: s0 leads for all 4,096 weightings drawn, but not by m2 alone; "
    assert str(verdict).startswith(leads if contradicts else "s0 beats s1 for every one of 4,096 weightings; ")


def test_metrics_alone_in_words() -> None:
    assert [alone(names) for names in ("a", "ab", "abcde")] == ["a alone", "a or b alone", "a or b or c or one of 2 more alone"]


@pytest.mark.slow
@given(st.integers(0, 999), st.integers(1, 3), st.sampled_from([0.0, 0.25]), st.sampled_from([0.0, 0.3]))
def test_the_counts_of_a_verdict_add_up(seed: int, metrics: int, eps: float, missing: float) -> None:
    cube = drawn(seed, (metrics, 2, 9), missing=missing)
    text = str(Comparison(cube, combined(cube), eps=eps).verdict("s0", "s1"))
    counted = re.search(
        r"(?:unanimous|better).*? in (\d+) of (\d+) cases?, .*? in (\d+)(?:, equal in (\d+))?(?:, the .* in (\d+))?;", text
    )
    if counted is None:
        assert "has every metric" in text or "nothing can be said" in text
    else:
        won, cases, *others = (int(number or 0) for number in counted.groups())
        assert won + sum(others) == cases


def test_ties_are_told_as_ties() -> None:
    same = [0.5, 0.5]
    expected = "unanimous for s0 in 0 of 2 cases, for s1 in 0, equal in 2; p = 1 after Holm (Fisher's randomization test)."
    assert told(of([[same, same], [same, same]])) == f"s0 and s1 have the same F(m0,m1); {expected}"
    assert told(of([[same, same]])).startswith(
        "s0 and s1 have the same m0; s0 better in 0 of 2 cases, s1 in 0, equal in 2; p = 1"
    )
    crossing = told(of([[[0.2], [0.8]], [[0.8], [0.2]]]))
    assert crossing.startswith(
        "s0 and s1 have the same F(m0,m1); s0 leads only for alpha < 0.5; unanimous for s0 in 0 of 1 case"
    )


@pytest.mark.parametrize("metrics", [1, 2, 3])
def test_without_a_shared_case_nothing_is_said(metrics: int) -> None:
    found = of([[[0.5, NAN], [NAN, 0.7]]] * metrics)
    shared = "share no case" if metrics == 1 else "have no case on which both have every metric"
    assert told(found) == f"s0 and s1 {shared}: nothing can be said."
    assert not found.verdict("s0", "s1").robust


def test_f_of_0_counts_though_a_part_is_undefined() -> None:
    text = told(of([[[0.5, 0.5], [NAN, NAN]], [[0.5, 0.5], [0.0, 0.0]]]))
    assert text.startswith("s0 beats s1 for every alpha; no case has every metric of both; p = 0.5 after Holm")


def test_a_pair_without_the_baseline_is_not_tested() -> None:
    found = of(drawn(1, (2, 3, 9)).values, baseline="s0")
    assert str(found.verdict("s1", "s2")).endswith("; not tested (only the pairs with the baseline are).")
    assert " p = " in told(found)


def test_a_test_that_has_no_meaning_is_not_possible() -> None:
    assert told(of([[[0.5], [0.4]]], test="t")).endswith("; the paired t test is not possible.")


@pytest.mark.parametrize(
    ("options", "end"),
    [
        ({"correction": "bonferroni"}, "after Bonferroni (Fisher's randomization test)."),
        ({"correction": "benjamini_hochberg", "test": "sign"}, "after Benjamini-Hochberg (sign test (exact))."),
        ({"correction": "none", "test": "t"}, "(paired t test)."),
        ({"test": "nemenyi"}, "(Nemenyi test)."),
    ],
)
def test_the_test_and_the_correction_are_named(options: dict[str, Any], end: str) -> None:
    values = np.linspace(0.1, 0.9, 12)
    text = told(of([[values + 0.05, values - 0.01 * values]], **options))
    assert text.endswith(end)
    assert ("after" in text) == ("after" in end)


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.04999, "p = 0.04999"), (0.05, "p = 0.05"), (0.0500004, "p = 0.05"), (0.0123456, "p = 0.0123"), (0.0, "p = 0")],
)
def test_p_is_told_on_its_side_of_the_level(p: float, said: str) -> None:
    found = replace(of([[[0.9, 0.8, 0.7], [0.1, 0.2, 0.9]]]).verdict("s0", "s1"), p=p, level=0.05)
    assert f"{said} after" in str(found)
    assert ("may be chance" in str(found)) == (p >= 0.05)


@pytest.mark.parametrize(
    ("p", "level", "said"),
    [
        (0.04999, 0.05, "0.04999"),
        (0.05, 0.05, "0.0500"),
        (0.0123456, 0.05, "0.0123"),
        (0.0, 0.05, "0.0000"),
        (0.00001, 0.05, "<0.0001"),
        (0.00002, 0.00001, "0.00002"),
        (None, 0.05, "n/a"),
    ],
)
def test_p_of_a_table_stays_on_its_side_of_the_level(p: float | None, level: float, said: str) -> None:
    assert p_text(p, level) == said


def test_unknown_names_are_refused() -> None:
    with pytest.raises(BadUsage, match="no system 'x'"):
        of([[[1], [2]]]).verdict("s0", "x")


def test_a_system_against_itself_is_a_tie() -> None:
    assert str(of([[[1, 2], [2, 3]]]).verdict("s0", "s0")).startswith("s0 and s0 have the same m0; ")


def test_the_papers_table_3() -> None:
    """UIR 0.2 = (6 - 4) / 10 with 2 biased cases; two are equal and count for both."""
    cube = cube_of(np.array([TABLE_3_A, TABLE_3_B]).transpose(2, 0, 1))
    verdict = Comparison(cube, combined(cube)).verdict("s1", "s0")
    row = {name: getattr(verdict, name) for name in ("better", "uir", "improves", "improved", "biased", "cases")}
    assert row == {"better": "s0", "uir": pytest.approx(0.2), "improves": 6, "improved": 4, "biased": 2, "cases": 10}
    assert "; unanimous in 4 of 10 cases, the other way in 2, equal in 2, the metrics disagree in 2; " in str(verdict)


def test_of_two_metrics_one_that_alone_says_the_contrary_is_named() -> None:
    undefined = float("nan")
    values = {
        "P": {"careful": {"q": 0.9, "r": 0.9}, "timid": {"q": 1.0, "r": undefined}},
        "R": {"careful": {"q": 0.5, "r": 0.5}, "timid": {"q": 0.1, "r": 0.0}},
    }
    found = compare(values)
    assert found.verdict("careful", "timid").contrary == ("P",)
    told = "\n".join(summary(found))
    assert "careful has the best mean for every alpha (but not by P alone)." in told
    assert "careful leads for every alpha between 0 and 1, but not by P alone" in told
