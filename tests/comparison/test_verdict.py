"""What is said about two systems: each kind of verdict, and sentences that are true to the numbers."""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import BadUsage, Comparison, compare
from plumbline.comparison.combining import combined
from plumbline.comparison.finding import weight_range, weight_text
from plumbline.comparison.margins import Margin
from plumbline.comparison.verdict import Verdict, alone
from plumbline.comparison.wording import summary
from tests.comparison.unanimity.test_unanimity import TABLE_3_A, TABLE_3_B
from tests.helpers.score_cubes import cube_of, drawn

NAN = float("nan")


def of(values: Any, alpha: float = 0.5, lower: list[bool] | None = None, **options: Any) -> Comparison:
    cube = cube_of(values, lower)
    return Comparison(cube, combined(cube, alpha), **options)


def noisy(shift: float, cases: int = 40, spread: float = 0.05, seed: int = 0) -> tuple[Any, Any]:
    """Scores of two systems of which the first is better by about this much."""
    generator = np.random.default_rng(seed)
    base = generator.uniform(0.3, 0.6, cases)
    return base + shift + generator.normal(0, spread, cases), base


def headline(comparison: Comparison) -> str:
    return comparison.verdict("s0", "s1").headline


# --- which systems ------------------------------------------------------------------------------------------------------


def test_names_of_systems_that_are_clear_may_be_left_out() -> None:
    two = of([noisy(0.1)])
    assert two.verdict() == two.verdict("s0") == two.verdict("s1") == two.verdict("s0", "s1")
    three = [[*noisy(0.1), noisy(0.2)[0]]]
    against = of(three, baseline="s1")
    assert against.verdict("s2") == against.verdict("s2", "s1")
    assert against.verdict("s0") != against.verdict("s2")
    for names in ((), ("s1",)):
        with pytest.raises(BadUsage, match=r"(?s)E379 there are 3 systems.*name two of s0, s1, s2"):
            against.verdict(*names)
    with pytest.raises(BadUsage, match="E379"):
        of(three).verdict("s2")
    with pytest.raises(BadUsage, match="there is no system 's9'"):
        two.verdict("s9")


# --- each kind of verdict ---------------------------------------------------------------------------------------------------


def test_one_metric_that_is_better() -> None:
    """Many users and a small difference: better by little, whatever the UIR is."""
    generator = np.random.default_rng(1)
    base = generator.uniform(0, 1, 2000)
    comparison = of([[base + generator.normal(0.02, 0.2, 2000), base]])
    verdict = comparison.verdict("s0", "s1")
    assert (verdict.kind, verdict.better) == ("better", "s0")
    assert verdict.uir is not None
    assert verdict.uir < 0.25
    assert re.fullmatch(
        r"s0 is better than s1 by m0 \(\+0\.0\d\d \[0\.0\d\d, 0\.0\d\d\] or \+\d\.\d %, p < 0\.001\)\.", verdict.headline
    )
    assert "UIR" not in str(verdict), "with one metric it is no condition"


def test_better_by_both_metrics_and_for_every_weighting() -> None:
    first, second = noisy(0.1)
    verdict = of([[first, second], [first, second]]).verdict("s1", "s0")
    amount = r"\+0\.\d+ \[0\.\d+, 0\.\d+\] or \+\d+\.\d %, p < 0\.001"
    assert re.fullmatch(
        rf"s0 is better than s1 by both metrics \(m0 {amount}; m1 {amount}\), for every weighting\.", verdict.headline
    )
    assert "unanimous for s0 in " in verdict.case_by_case
    assert "which is called unanimous (0.25 or more)" in verdict.case_by_case


def test_a_low_uir_is_no_veto() -> None:
    """Best for all weightings and significant, though unanimous in few cases."""
    generator = np.random.default_rng(5)
    base = generator.uniform(0.2, 0.6, 500)
    columns = [[base + generator.normal(0.03, 0.12, 500), base + generator.normal(0, 0.12, 500)] for _ in range(3)]
    verdict = of(columns).verdict("s0", "s1")
    assert verdict.uir is not None
    assert verdict.uir < 0.25
    assert verdict.kind == "better"
    assert verdict.headline.startswith("s0 is better than s1 by all 3 metrics (")
    assert verdict.headline.endswith(", for all 4,096 weightings drawn.")


def test_better_by_one_and_open_by_the_other() -> None:
    (first, second), (third, fourth) = noisy(0.1), noisy(0.0, seed=4)
    text = headline(of([[first, second], [third, fourth]]))
    assert text.startswith("s0 is better than s1 by m0 (+")
    assert "; not shown to differ by m1 (" in text


def test_a_trade_off_says_for_which_weight_to_prefer_which() -> None:
    first, second = noisy(0.1)
    verdict = of([[first, second], [second, first]]).verdict("s0", "s1")
    assert verdict.kind == "trade-off"
    winner, gain, loss = (verdict.better, "m0", "m1") if verdict.better == "s0" else (verdict.better, "m1", "m0")
    loser = verdict.worse
    assert verdict.headline.startswith(f"{winner} is better than {loser} by {gain} (+")
    assert f") but worse by {loss} (-" in verdict.headline
    assert verdict.answer.startswith(f"{winner} is better than {loser} by {gain} but worse by {loss}; prefer {winner} if ")
    assert re.search(rf"; prefer {winner} if the weight of m0 is above 0\.\d+\.$", verdict.headline)


def test_not_shown_to_differ_says_what_could_have_been_shown() -> None:
    first, second = noisy(0.0, cases=12)
    comparison = of([[first, second]])
    size = comparison.detectable[0, 0, 1]
    assert size > 0
    assert re.search(
        r"are not shown to differ \(m0 .*\): 12 cases can show a difference of 0\.\d+ or more\.$", headline(comparison)
    )
    assert f"{size:.3f}" in headline(comparison)


@pytest.mark.parametrize("cases", [2, 3, 5])
def test_too_few_cases_are_called_too_few(cases: int) -> None:
    text = headline(of([[[0.9] * cases, [0.1] * cases]]))
    assert text.endswith(f": no difference can be significant with {cases} cases, it takes 6 or more.")


def test_equal_within_a_margin_is_not_the_same_as_not_shown_to_differ() -> None:
    first, second = noisy(0.0, cases=200, spread=0.02)
    shown = of([[first, second]], margin=Margin.parse(0.01)).verdict("s0", "s1")
    assert (shown.kind, shown.margin) == ("equal", "0.01")
    assert re.fullmatch(r"s\d and s\d are equal within 0\.01 \(m0 .*\)\.", shown.headline)
    few = of([[first[:12], second[:12]]], margin=Margin.parse(0.01)).verdict("s0", "s1")
    assert few.kind == "open"
    relative = of([[first, second]], margin=Margin.parse("3%")).verdict("s0", "s1")
    assert (relative.kind, relative.margin) == ("equal", "3 %")


def test_the_same_scores_everywhere() -> None:
    assert headline(of([[[0.5, 0.6], [0.5, 0.6]]])) == "s0 and s1 have the same scores in all 2 cases."


def test_a_primary_metric_decides_and_the_others_are_told() -> None:
    (first, second), (third, fourth) = noisy(0.0, seed=4), noisy(0.1)
    values = [[first, second], [third, fourth]]
    assert of(values).verdict("s0", "s1").kind == "better"
    named = of(values, primary="m0")
    assert named.verdict("s0", "s1").kind == "open"
    text, amount = headline(named), r"\([+-].*, p [<=] 0\.\d+\)"
    assert re.fullmatch(
        rf"s\d and s\d are not shown to differ by m0 {amount}: 40 cases can .*; s\d is \w+ by m1 {amount}\.", text
    )
    assert ("s0 is better by m1" in text) != ("s1 is worse by m1" in text), "the metric that does not decide is told"
    assert of(values, primary="m1").verdict("s0", "s1").headline.startswith("s0 is better than s1 by m1 (+")


def test_a_metric_that_is_better_when_lower() -> None:
    """The difference is in the unit of the metric: the better system has the lower value."""
    first, second = noisy(0.1)
    verdict = of([[first, second]], lower=[True]).verdict("s0", "s1")
    assert verdict.better == "s1"
    assert verdict.main.difference is not None
    assert verdict.main.difference < 0
    assert re.match(
        r"s1 is better than s0 by m0 \(-0\.\d+ \[-0\.\d+, -0\.\d+\] or -\d+\.\d %, p < 0\.001\)\.", verdict.headline
    )


def test_a_pair_without_the_baseline_is_not_tested() -> None:
    comparison = of(drawn(1, (2, 3, 9)).values, baseline="s0")
    text = str(comparison.verdict("s1", "s2").headline)
    assert " were not tested, since only the pairs with the baseline are (" in text


# --- properties -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("metrics", "missing"), [(1, 0.0), (2, 0.0), (2, 0.3), (3, 0.0), (3, 0.3)])
def test_the_order_of_the_names_changes_nothing(metrics: int, missing: float) -> None:
    cube = drawn(metrics, (metrics, 6, 8), levels=2, missing=missing)
    comparison = Comparison(cube, combined(cube))
    for a, b in permutations(comparison.systems, 2):
        verdict = comparison.verdict(a, b)
        assert verdict == comparison.verdict(b, a)
        row = comparison.unanimity.row(by_predicate=(pl.col("a") == verdict.better) & (pl.col("b") == verdict.worse))
        assert (verdict.uir, verdict.improves, verdict.improved, verdict.biased, verdict.cases) == row[2:7]


_AMOUNT = re.compile(r"(m\d) \(?(?P<d>[+-]?[\d.]+)(?: \[(?P<low>-?[\d.]+), (?P<high>-?[\d.]+)\])?")


def _parts(text: str) -> dict[str, str]:
    """The measures that a headline calls better, worse and open, as text."""
    if " but worse by " in text:
        won, lost = text.split(" by ", 1)[1].split(" but worse by ", 1)
        lost, _, rest = lost.split("; prefer")[0].split("; s")[0].partition(", and not shown to differ by ")
        return {"won": won, "lost": lost, "open": rest}
    if " is better than " in text:
        won, _, rest = text.split(" by ", 1)[1].partition("; not shown to differ by ")
        return {"won": won, "open": rest}
    still_open, _, decided = text.partition("; s")
    return {"open": still_open, "won" if " is better by " in decided else "lost": decided}


def _check_lines(verdict: Verdict) -> None:
    """The answer is the headline without the numbers, which stand below it, each measure in a line, and in the same words."""
    answer, *evidence = verdict.lines
    amounts = {finding.measure: finding.amount for finding in verdict.findings}
    rows = [re.fullmatch(r"  (\S+) +(.*)", line) for line in evidence]
    shown = {row[1]: row[2] for row in rows if row is not None}
    assert len(shown) == len(evidence)
    assert {name: text for name, text in shown.items() if name in amounts} == amounts
    text = verdict.headline
    for name, amount in amounts.items():
        text = text.replace(f"{name} ({amount})", name).replace(f"{name} {amount}", name)
    assert answer == re.sub(r" \(m\d(; m\d)*\)", "", text)
    sentence = verdict.case_by_case.rstrip(".").replace(f" {verdict.cases} cases", f" {verdict.cases}")
    assert shown.get("cases", "") in sentence
    assert sentence.endswith(f"; UIR {shown['UIR']}" if "UIR" in shown else shown.get("cases", ""))


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.integers(1, 3),
    st.sampled_from([8, 30]),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from([None, 0.3]),
)
def test_a_headline_can_be_read_back_into_the_numbers(
    seed: int, metrics: int, cases: int, shift: float, primary: int | None, margin: float | None
) -> None:
    generator = np.random.default_rng(seed)
    base = generator.uniform(0, 1, (1, 1, cases))
    values = base + generator.normal(0, 0.2, (metrics, 2, cases))
    values[:, 0] += generator.choice([-shift, 0, shift], metrics)[:, None]
    comparison = of(
        values,
        lower=[bool(flag) for flag in generator.integers(0, 2, metrics)],
        primary=None if primary is None else f"m{primary % metrics}",
        margin=None if margin is None else Margin.parse(margin),
    )
    verdict = comparison.verdict("s0", "s1")
    a, b = (comparison.systems.index(name) for name in (verdict.better, verdict.worse))
    seen = set()
    for kind, text in _parts(verdict.headline).items():
        for match in _AMOUNT.finditer(text):
            at = comparison.cube.metrics.index(match[1])
            measure = comparison.measures[at]
            seen.add(match[1])
            difference = measure.difference[a, b] * measure.sign
            digits = len(match["d"].partition(".")[2])
            assert float(match["d"]) == pytest.approx(difference, abs=0.51 * 10.0**-digits)
            ends = sorted([measure.spread.low[a, b] * measure.sign, measure.spread.high[a, b] * measure.sign])
            assert [float(match["low"]), float(match["high"])] == pytest.approx(ends, abs=0.51 * 10.0**-digits)
            if verdict.kind != "equal":  # a difference within the margin may be significant
                assert bool(comparison.wins[at, a, b]) == (kind == "won")
                assert bool(comparison.wins[at, b, a]) == (kind == "lost")
    assert seen == set(comparison.cube.metrics), "each metric is told, whichever decides"
    if verdict.kind == "better":
        deciding = list(range(metrics)) if primary is None else [primary % metrics]
        assert comparison.wins[deciding, a, b].any()
    if verdict.kind == "equal":
        assert all(
            abs(measure.spread.low[a, b]) < 0.3 and abs(measure.spread.high[a, b]) < 0.3 for measure in comparison.measures
        )
    _check_lines(verdict)
    assert ("for every weighting" in verdict.headline or "for all 4,096" in verdict.headline) <= bool(comparison.always[a, b])


@pytest.mark.slow
@given(st.integers(0, 999), st.integers(1, 3), st.sampled_from([0.0, 0.25]), st.sampled_from([0.0, 0.3]))
def test_the_counts_of_a_verdict_add_up(seed: int, metrics: int, eps: float, missing: float) -> None:
    cube = drawn(seed, (metrics, 2, 9), missing=missing)
    text = Comparison(cube, combined(cube), eps=eps).verdict("s0", "s1").case_by_case
    counted = re.search(
        r"(?:unanimous|better).*? in (\d+) of (\d+) cases?, .*? in (\d+)(?:, equal in (\d+))?(?:, the .* in (\d+))?[;.]", text
    )
    if counted is not None:
        won, cases, *others = (int(number or 0) for number in counted.groups())
        assert won + sum(others) == cases
    else:
        assert text == ""


# --- weightings and unanimity -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mean", ["harmonic", "geometric", "arithmetic"])
def test_a_verdict_that_depends_on_the_weight_says_where_it_holds(mean: str) -> None:
    cube = cube_of([[[0.2, 0.3], [0.4, 0.5]], [[0.9, 0.8], [0.3, 0.4]]])
    comparison = Comparison(cube, combined(cube, mean=mean))
    verdict = comparison.verdict("s0", "s1")
    ((low, high),) = verdict.intervals
    first, second = combined(cube, high if low == 0 else low, mean).means
    assert first == pytest.approx(second, abs=1e-10)


@pytest.mark.parametrize(
    ("weight", "text"), [(0.5, "0.5"), (0.99812, "0.998"), (0.99972, "0.9997"), (1 - 1e-9, "0.999999999"), (1e-7, "1e-07")]
)
def test_a_weight_below_1_is_not_told_to_be_1(weight: float, text: str) -> None:
    assert weight_text(weight) == text
    assert weight_range(weight, 1) == f"above {text}"
    assert weight_range(0, weight) == f"below {text}"


def test_an_advantage_at_the_very_end_is_told_there() -> None:
    first, second = noisy(0.00002, spread=1e-6)
    comparison = of([[first, second], [second - 0.15, first]])
    assert "above 1" not in headline(comparison)
    assert re.search(r"; prefer s0 if the weight of m0 is above 0\.9999?\d+\.$", headline(comparison))
    assert " > 0.9999" in repr(comparison)


def test_weights_in_words() -> None:
    ends = [(0.0, 0.31), (0.31, 1.0), (0.25, 0.5), (0.0, 1.0)]
    assert [weight_range(*pair) for pair in ends] == ["below 0.31", "above 0.31", "between 0.25 and 0.5", "above 0 and below 1"]


@pytest.mark.parametrize("gap", [0.0, 1e-14, 1e-6])
def test_a_metric_alone_that_contradicts_is_no_every_weighting(gap: float) -> None:
    """By the last metric alone the second is better, unless by rounding only; no weighting that is drawn is so extreme."""
    high, low = [0.9] * 8, [0.1] * 8
    comparison = of([[high, low], [high, low], [[0.5] * 8, [0.5 + gap] * 8]], primary="m0")
    verdict = comparison.verdict("s0", "s1")
    assert comparison.shares.pairs[0, 1] == 1.0
    contradicts = gap > 1e-12
    assert (verdict.for_every_weighting, verdict.contrary) == (not contradicts, ("m2",) if contradicts else ())
    assert comparison.weights["always"].to_list() == [not contradicts, False]


def test_an_end_that_contradicts_is_no_every_weighting() -> None:
    """By recall alone the second is better: a precision of 0 has no say at alpha = 0."""
    comparison = of([[[0.5, 0.5], [0.0, 0.0]], [[0.5, 0.5], [0.9, 0.9]]])
    assert comparison.verdict("s0", "s1").contrary == ("m1",)
    assert not comparison.verdict("s0", "s1").for_every_weighting


def test_metrics_alone_in_words() -> None:
    assert [alone(names) for names in (["a"], ["a", "b"])] == ["a alone", "a, b alone"]


def test_the_papers_table_3() -> None:
    """UIR 0.2 = (6 - 4) / 10 with 2 biased cases; two are equal and count for both."""
    cube = cube_of(np.array([TABLE_3_A, TABLE_3_B]).transpose(2, 0, 1))
    verdict = Comparison(cube, combined(cube), rule="unanimous", combined=True).verdict("s1", "s0")
    row = {name: getattr(verdict, name) for name in ("better", "uir", "improves", "improved", "biased", "cases")}
    assert row == {"better": "s0", "uir": pytest.approx(0.2), "improves": 6, "improved": 4, "biased": 2, "cases": 10}
    assert (
        "unanimous for s0 in 4 of 10 cases, for s1 in 2, equal in 2, the metrics disagree in 2; UIR 0.20 ["
        in verdict.case_by_case
    )


def test_of_two_metrics_one_that_alone_says_the_contrary_is_named() -> None:
    values = {
        "P": {"careful": {"q": 0.9, "r": 0.9}, "timid": {"q": 1.0, "r": NAN}},
        "R": {"careful": {"q": 0.5, "r": 0.5}, "timid": {"q": 0.1, "r": 0.0}},
    }
    comparison = compare(values, alpha=0.5)
    assert comparison.verdict("careful", "timid").contrary == ("P",)
    assert not any("the best mean for every weighting." in line for line in summary(comparison))


# --- what is refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given_margin", ["x", "0", "-1", "nan", "inf", "%", ""])
def test_a_margin_that_is_no_amount_is_refused(given_margin: str) -> None:
    with pytest.raises(BadUsage, match="margin"):
        Margin.parse(given_margin)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(BadUsage, match="no system 'x'"):
        of([[[1], [2]]]).verdict("s0", "x")


def test_a_system_against_itself_is_the_same() -> None:
    assert headline(of([[[1, 2], [2, 3]]])) != of([[[1, 2], [2, 3]]]).verdict("s0", "s0").headline
    assert of([[[1, 2], [2, 3]]]).verdict("s0", "s0").kind == "identical"
