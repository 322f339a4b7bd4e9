"""compare() from every kind of scores: tables, options, draws and the gate."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline import BadUsage, Comparison, PlumblineError
from plumbline.comparison.significance.correction import corrected
from plumbline.comparison.significance.registry import all_tests, find_test
from plumbline.comparison.unanimity.interval import interval
from tests.helpers.score_forms import long, made, nested

if TYPE_CHECKING:
    from pathlib import Path

NAN = float("nan")


# --- where scores come from ---------------------------------------------------------------------------------------------


def test_every_kind_of_scores_gives_the_same(tmp_path: Path) -> None:
    scores = made()
    frame = long(scores)
    frame.write_csv(tmp_path / "long.csv")
    wide = frame.pivot(on="metric", index=["system", "case"], values="value")
    wide.write_csv(tmp_path / "wide.csv")
    matrices = {m: frame.filter(pl.col("metric") == m).pivot(on="system", index="case", values="value") for m in scores}
    for name, matrix in matrices.items():
        matrix.write_csv(tmp_path / f"{name}.csv")
    named = [f"{name}={tmp_path / name}.csv" for name in scores]
    sources: list[Any] = [scores, frame, frame.to_pandas(), wide, wide.to_pandas(), matrices, named]
    sources += [tmp_path / "long.csv", str(tmp_path / "wide.csv")]
    first = plumbline.compare(scores)
    for source in sources:
        found = plumbline.compare(source)
        assert found.unanimity.equals(first.unanimity)
        assert found.leaderboard.equals(first.leaderboard)
        assert found.significance.equals(first.significance)


def test_scores_of_evaluate_and_saved_ones(tmp_path: Path) -> None:
    gold = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1}, "q3": {"c": 1, "d": 1}}
    runs = {"x": {q: {d: -at for at, d in enumerate("abcd")} for q in gold}, "y": {q: dict.fromkeys("dcba", 1.0) for q in gold}}
    scores = plumbline.evaluate(gold, runs, ["AP", "P@2", "RR"])
    scores.save(tmp_path / "saved.parquet")
    found = plumbline.compare(scores)
    assert found.cube.metrics == ("AP", "P@2", "RR")
    saved = plumbline.compare(tmp_path / "saved.parquet")
    assert saved.leaderboard.equals(found.leaderboard)
    assert saved.unanimity.equals(found.unanimity)
    assert plumbline.compare(scores, ["RR", "map"]).cube.metrics == ("RR", "AP")


def test_the_name_is_the_function_and_the_package() -> None:
    """Once a module of the package is imported, Python binds its name to the package."""
    for _ in range(2):
        assert isinstance(plumbline.compare(made()), Comparison)
        assert list(inspect.signature(plumbline.compare).parameters)[:3] == ["scores", "metrics", "baseline"]


# --- tables -------------------------------------------------------------------------------------------------------------


def test_unanimity_has_its_columns() -> None:
    table = plumbline.compare(made()).unanimity
    assert table.columns[:7] == ["a", "b", "uir", "a_ge_b", "b_ge_a", "biased", "cases"]
    assert len(table) == 4 * 3


def test_eps_reaches_every_table_of_unanimity() -> None:
    scores = nested(P={"a": [0.5, 0.6], "b": [0.45, 0.6]}, R={"a": [0.5, 0.6], "b": [0.55, 0.6]})
    assert plumbline.compare(scores).unanimity["biased"].to_list() == [1, 1]
    found = plumbline.compare(scores, eps=0.05)
    assert found.unanimity["biased"].to_list() == [0, 0]
    assert found.intervals["low"].to_list() == interval(found.improvements)[0][[0, 1], [1, 0]].tolist()


@pytest.mark.parametrize("test", all_tests())
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "benjamini_hochberg", "none"])
def test_significance_is_that_of_the_test_and_its_correction(test: str, correction: str) -> None:
    found = plumbline.compare(made(), test=test, correction=correction)
    tested = find_test(test)(found.score.values)
    p = tested.p if tested.familywise else corrected(tested.p, correction)
    assert len(found.significance) == 6
    for row in found.significance.iter_rows(named=True):
        a, b = found.systems.index(row["a"]), found.systems.index(row["b"])
        assert row["difference"] == pytest.approx(np.mean(found.score.values[a] - found.score.values[b]))
        assert row["difference"] >= 0
        assert (row["p"], row["corrected"], row["cases"]) == (tested.p[a, b], p[a, b], 25)
        assert row["low"] <= row["difference"] <= row["high"]


@pytest.mark.parametrize("test", ["t", "tukey"])
def test_a_baseline_limits_the_family_of_tests(test: str) -> None:
    found = plumbline.compare(made(), test=test, baseline="s1")
    table = found.significance
    assert all("s1" in row[:2] for row in table.iter_rows())
    assert len(table) == 3
    others = [at for at in range(4) if at != 1]
    assert np.isnan(found.p[np.ix_(others, others)][~np.eye(3, dtype=np.bool_)]).all()
    assert not found.beats[np.ix_(others, others)].any()
    if test == "t":
        assert found.correction_used == "Holm over 3 pairs"
        assert sorted(table["corrected"]) >= sorted(table["p"])
        assert plumbline.compare(made(), test=test).correction_used == "Holm over 6 pairs"


def test_level_and_threshold_decide_what_is_robust() -> None:
    scores = made(systems=6)
    found = plumbline.compare(scores, level=0.6, uir_threshold=0.1, correction="none", test="t")
    assert found.beats.any()
    expected = (found.differences > 0) & (found.improvements.uir >= 0.1) & (found.p < 0.6)
    assert (found.beats == expected).all()
    assert not plumbline.compare(scores, level=0.6, uir_threshold=1.0, correction="none", test="t").beats.any()


def test_weights_and_leads_of_two_and_three_metrics() -> None:
    two, three = plumbline.compare(made()), plumbline.compare(made(metrics=("P", "Q", "R")))
    assert two.weights.columns == ["a", "b", "low", "high", "always", "cases"]
    assert two.leads.columns == ["system", "low", "high"]
    assert (two.leads["high"] - two.leads["low"]).sum() == pytest.approx(1)
    assert three.weights.columns == ["a", "b", "share", "always", "cases"]
    assert three.leads.columns == ["system", "best", "alone", "error"]
    wins = dict(two.leaderboard.select("system", "wins").iter_rows())
    for name in two.systems:
        own = two.leads.filter(pl.col("system") == name)
        assert wins[name] == pytest.approx((own["high"] - own["low"]).sum())


def test_alpha_chooses_the_score_and_is_told_where_it_has_no_effect() -> None:
    found = plumbline.compare(made(), alpha=0.2)
    p, r = found.cube.values
    assert found.score.name == "F(P,R,alpha=0.2)"
    assert found.score.values == pytest.approx(1 / (0.2 / p + 0.8 / r))
    assert [notice.code for notice in plumbline.compare(made(metrics=("P",)), alpha=0.2).notices] == ["N243"]
    assert plumbline.compare(made(), mean="geometric").score.values == pytest.approx(np.sqrt(p * r))


# --- draws --------------------------------------------------------------------------------------------------------------


def test_as_many_draws_as_the_correction_needs() -> None:
    scores = made(systems=40, cases=20)
    found = plumbline.compare(scores, test="bootstrap", resamples=15_600)
    assert found.needed_draws is None, "780 pairs / 0.05"
    assert plumbline.compare(scores, test="bootstrap", resamples=15_599).needed_draws == 15_600
    assert plumbline.compare(scores, test="bootstrap").test_result.resamples == 15_600
    assert plumbline.compare(scores).test_result.resamples == 10_000, "p below 1 / 10,001 is bounded"
    assert plumbline.compare(scores, baseline="s0").test_result.resamples == 10_000, "39 pairs need 780"
    assert plumbline.compare(scores, correction="benjamini_hochberg").test_result.resamples == 10_000
    assert plumbline.compare(scores, test="randomised_tukey").test_result.resamples == 10_000
    assert "p by 10000 random signs" in plumbline.compare(made(systems=8)).test_remarks


def test_too_few_draws_are_told() -> None:
    found = plumbline.compare(made(systems=7), test="bootstrap", resamples=100)
    (notice,) = found.notices
    assert notice.code == "N242"
    assert notice.text.startswith("with 100 draws no difference can be significant at 0.05")
    assert str(notice.help).startswith("resamples=420 would do")
    assert not plumbline.compare(made(systems=7), test="bootstrap", resamples=420).notices
    assert plumbline.compare(made(systems=7), test="bootstrap", resamples=419).notices
    assert not plumbline.compare(made(systems=7), resamples=100).notices, "p below 1 / 101 is bounded"
    assert plumbline.compare(made(), level=1e-6, test="randomised_tukey").test_result.resamples == 200_000
    assert [notice.code for notice in plumbline.compare(made(), level=1e-6, test="bootstrap").notices] == ["N242"]


# --- the gate -----------------------------------------------------------------------------------------------------------


def test_the_gate_lets_pass_who_is_not_worse() -> None:
    high, low = np.linspace(0.5, 0.9, 20).tolist(), np.linspace(0.4, 0.6, 20).tolist()
    found = plumbline.compare(nested(P={"old": low, "new": high, "same": low}, R={"old": low, "new": high, "same": low}))
    assert found.at_least_as_good("new", "old") is None
    assert found.at_least_as_good("same", "old") is None
    assert found.at_least_as_good("old", "old") is None
    against = found.at_least_as_good("old", "new")
    assert against is not None
    assert (against.better, against.robust) == ("new", True)


def test_the_gate_holds_who_loses_by_every_weighting_or_shares_no_case() -> None:
    scores = nested(P={"a": [0.5, 0.5, NAN], "b": [0.5, 0.4, NAN], "c": [NAN, NAN, 0.9]})
    found = plumbline.compare(scores, baseline="a")
    assert not found.verdict("a", "b").significant
    assert found.at_least_as_good("b") is not None
    assert str(found.at_least_as_good("c")) == "a and c share no case: nothing can be said."


def test_a_trade_off_passes_the_gate() -> None:
    scores = nested(P={"a": [0.9, 0.9], "b": [0.2, 0.2]}, R={"a": [0.4, 0.4], "b": [0.5, 0.5]})
    assert plumbline.compare(scores, baseline="a").at_least_as_good("b") is None


def test_the_gate_needs_a_baseline_that_was_tested() -> None:
    for found, baseline in ((plumbline.compare(made()), None), (plumbline.compare(made(), baseline="s0"), "s1")):
        with pytest.raises(BadUsage, match="baseline"):
            found.at_least_as_good("s2", baseline)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"baseline": "x"}, "E308"),
        ({"metrics": ["x"]}, "E308"),
        ({"lower": ["x"]}, "E308"),
        ({"correction": "x"}, "E371"),
        ({"test": "x"}, "E371"),
        ({"mean": "x"}, "E371"),
        ({"alpha": 2}, "E371"),
        ({"level": 0}, "E306"),
        ({"level": 1.5}, "E371"),
        ({"uir_threshold": -0.1}, "E371"),
        ({"uir_threshold": NAN}, "E371"),
        ({"eps": -1}, "E371"),
        ({"eps": NAN}, "E371"),
        ({"seed": -1}, "E371"),
        ({"resamples": 0}, "E371"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(BadUsage) as caught:
        plumbline.compare(made(), **options)
    assert caught.value.code == code


def test_the_old_name_of_the_uir_threshold_is_accepted_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="uir_threshold"):
        old = plumbline.compare(made(), threshold=0.4)  # type: ignore[call-arg]  # the old name
    assert old.uir_threshold == plumbline.compare(made(), uir_threshold=0.4).uir_threshold == 0.4


def test_results_have_the_uir_threshold_under_its_old_name_too() -> None:
    comparison = plumbline.compare(made(), uir_threshold=0.4)
    for result in (comparison, comparison.verdict(*comparison.systems[:2])):
        with pytest.warns(DeprecationWarning, match="uir_threshold"):
            assert result.threshold == 0.4


def test_one_system_is_not_enough() -> None:
    with pytest.raises(PlumblineError) as caught:
        plumbline.compare(made(systems=1))
    assert caught.value.code == "E167"
