"""compare() from every kind of scores: tables, options, draws and the gate."""

from __future__ import annotations

import inspect
import re
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest, fisher_exact, ttest_ind
from scipy.stats import t as student

import plumbline
from plumbline import BadUsage, Comparison, PlumblineError
from plumbline.comparison.combining import combined
from plumbline.comparison.significance.correction import corrected, corrected_together
from plumbline.comparison.significance.draws import needed_resamples
from plumbline.comparison.significance.registry import all_tests, find_test
from plumbline.comparison.unanimity.interval import interval
from tests.helpers.score_cubes import cube_of
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
        comparison = plumbline.compare(source)
        assert comparison.unanimity.equals(first.unanimity)
        assert comparison.leaderboard.equals(first.leaderboard)
        assert comparison.significance.equals(first.significance)


def test_scores_of_evaluate_and_saved_ones(tmp_path: Path) -> None:
    gold = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1}, "q3": {"c": 1, "d": 1}}
    runs = {"x": {q: {d: -at for at, d in enumerate("abcd")} for q in gold}, "y": {q: dict.fromkeys("dcba", 1.0) for q in gold}}
    scores = plumbline.evaluate(gold, runs, ["AP", "P@2", "RR"])
    scores.save(tmp_path / "saved.parquet")
    comparison = plumbline.compare(scores)
    assert comparison.cube.metrics == ("AP", "P@2", "RR")
    saved = plumbline.compare(tmp_path / "saved.parquet")
    assert saved.leaderboard.equals(comparison.leaderboard)
    assert saved.unanimity.equals(comparison.unanimity)
    assert plumbline.compare(scores, ["RR", "map"]).cube.metrics == ("RR", "AP")


def test_the_name_is_the_function_and_the_package() -> None:
    """Once a module of the package is imported, Python binds its name to the package."""
    for _ in range(2):
        assert isinstance(plumbline.compare(made()), Comparison)
        assert list(inspect.signature(plumbline.compare).parameters)[:3] == ["scores", "systems", "metrics"]


# --- tables -------------------------------------------------------------------------------------------------------------


def test_unanimity_has_its_columns() -> None:
    table = plumbline.compare(made()).unanimity
    assert table.columns[:7] == ["a", "b", "uir", "a_ge_b", "b_ge_a", "biased", "cases"]
    assert len(table) == 4 * 3


def test_eps_reaches_every_table_of_unanimity() -> None:
    scores = nested(P={"a": [0.5, 0.6], "b": [0.45, 0.6]}, R={"a": [0.5, 0.6], "b": [0.55, 0.6]})
    assert plumbline.compare(scores).unanimity["biased"].to_list() == [1, 1]
    comparison = plumbline.compare(scores, eps=0.05)
    assert comparison.unanimity["biased"].to_list() == [0, 0]
    assert comparison.intervals["low"].to_list() == interval(comparison.improvements)[0][[0, 1], [1, 0]].tolist()


@pytest.mark.parametrize("test", all_tests())
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "benjamini_hochberg", "none"])
def test_significance_is_that_of_the_test_and_its_correction(test: str, correction: str) -> None:
    comparison = plumbline.compare(made(), test=test, correction=correction)
    tests = [find_test(test)(values) for values in comparison.cube.signed]
    p = corrected_together([one.p for one in tests], correction, familywise=tests[0].familywise)
    assert len(comparison.significance) == 12
    for row in comparison.significance.iter_rows(named=True):
        a, b = comparison.systems.index(row["a"]), comparison.systems.index(row["b"])
        at = comparison.cube.metrics.index(row["metric"])
        values = comparison.cube.values[at]
        assert row["difference"] == pytest.approx(np.mean(values[a] - values[b]))
        assert row["relative"] == pytest.approx(np.mean(values[a] - values[b]) / np.mean(values[b]))
        assert (row["p"], row["corrected"], row["units"]) == (tests[at].p[a, b], p[at][a, b], 25)
        assert row["low"] <= row["difference"] <= row["high"]
        assert (row["winner"] is not None) == (row["corrected"] < 0.05 and not row["low"] <= 0 <= row["high"])


@pytest.mark.parametrize("test", ["t", "tukey"])
def test_a_baseline_limits_the_family_of_tests(test: str) -> None:
    comparison = plumbline.compare(made(), test=test, baseline="s1")
    table = comparison.significance
    assert all("s1" in row[:2] for row in table.iter_rows())
    assert len(table) == 6
    others = [at for at in range(4) if at != 1]
    assert test == "tukey" or np.isnan(comparison.p[np.ix_(others, others)][~np.eye(3, dtype=np.bool_)]).all()
    if test == "t":
        assert comparison.correction_used == "Holm over 3 pairs by 2 metrics"
        assert sorted(table["corrected"]) >= sorted(table["p"])
        assert plumbline.compare(made(), test=test).correction_used == "Holm over 6 pairs by 2 metrics"


def test_level_and_threshold_decide_what_is_robust_by_the_rule_of_the_paper() -> None:
    scores = made(systems=6)
    options: dict[str, Any] = {"level": 0.6, "correction": "none", "test": "t", "rule": "unanimous"}
    comparison = plumbline.compare(scores, uir_threshold=0.1, **options)
    assert comparison.main.name == "F(P,R)"
    assert comparison.beats.any()
    expected = (comparison.differences > 0) & (comparison.improvements.uir >= 0.1) & (comparison.p < 0.6)
    assert (comparison.beats == expected).all()
    assert not plumbline.compare(scores, uir_threshold=1.0, **options).beats.any()


def test_a_gold_and_systems_can_be_compared_at_once() -> None:
    gold = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1}, "q3": {"c": 1, "d": 1}}
    runs = {"x": {q: {d: -at for at, d in enumerate("abcd")} for q in gold}, "y": {q: dict.fromkeys("dcba", 1.0) for q in gold}}
    at_once = plumbline.compare(gold, runs, ["AP", "P@2"], ties="average", test="sign")
    scores = plumbline.evaluate(gold, runs, ["AP", "P@2"], ties="average")
    assert at_once.significance.equals(plumbline.compare(scores, test="sign").significance)
    assert plumbline.compare(scores, ["AP"]).cube.metrics == plumbline.compare(scores, "AP").cube.metrics == ("AP",)
    with pytest.raises(BadUsage, match="ties"):
        plumbline.compare(scores, ties="average")


def test_a_primary_metric_is_corrected_apart_from_the_others() -> None:
    both, named = plumbline.compare(made(), test="t"), plumbline.compare(made(), test="t", primary="R")
    assert named.main.name == "R"
    assert named.leaderboard["score"].to_list() == named.leaderboard["R"].to_list()
    raw = both.measures[1].test.p
    assert named.corrected[1] == pytest.approx(corrected(raw))
    assert both.corrected[1][np.triu_indices(4, 1)].min() >= corrected(raw)[np.triu_indices(4, 1)].min()
    with pytest.raises(BadUsage, match="metric"):
        plumbline.compare(made(), primary="X")


def test_the_floor_stands_aside() -> None:
    gold = {f"c{case}": {f"i{at}": "yes" if (at + case) % 3 == 0 else "no" for at in range(12)} for case in range(10)}
    output = {case: {item: label if hash(item) % 5 else "no" for item, label in items.items()} for case, items in gold.items()}
    systems = {"good": gold, "fair": output}
    scores = plumbline.evaluate(gold, systems, ["Accuracy"], task="filtering", positive="yes", floor=True)
    comparison = plumbline.compare(scores)
    assert set(comparison.systems) == {"good", "fair"}
    assert comparison.floor is not None
    assert comparison.leaderboard.filter("floor")["system"].to_list()[0].startswith("[")
    assert comparison.correction_used == "Holm over 1 pair"


def test_tables_about_thresholds_of_uir() -> None:
    """Against loops over the pairs: Tables 5 and 6, and Figure 10, of the UIR paper."""
    comparison = plumbline.compare(made(systems=7))
    words = dict(zip(comparison.class_table.select("a", "b").rows(), comparison.class_table["class"], strict=True))
    gains, uirs, every, kinds = [], [], [], []
    for a, b in combinations(comparison.systems, 2):
        at, other = comparison.systems.index(a), comparison.systems.index(b)
        gain = comparison.score.means[at] - comparison.score.means[other]
        first, second, sign = (a, b, 1) if gain >= 0 else (b, a, -1)
        gains.append(abs(gain))
        uirs.append(sign * comparison.improvements.uir[at, other])
        every.append(bool(comparison.always[at, other] or comparison.always[other, at]))
        kinds.append(words.get((a, b)) or words[(b, a)])
        assert first != second
    groups = {row["pairs_are"]: row for row in comparison.threshold_groups.iter_rows(named=True)}
    chosen = [at for at, always in enumerate(every) if always]
    assert groups["better for every weighting"]["pairs"] == len(chosen)
    assert groups["better for every weighting"]["uir"] == pytest.approx(np.mean([uirs[at] for at in chosen]))
    assert groups["concordant"]["pairs"] == kinds.count("concordant")
    assert groups["opposite"]["pairs"] == kinds.count("opposite")
    row = comparison.thresholds.filter(pl.col("threshold") == 0.25).row(0, named=True)
    accepted = [at for at, value in enumerate(uirs) if abs(value) >= 0.25]
    assert row["accepted"] == pytest.approx(len(accepted) / len(uirs))
    assert row["better_score"] == pytest.approx(np.mean([uirs[at] > 0 for at in accepted]))


def test_weights_and_leads_of_two_and_three_metrics() -> None:
    two, three = plumbline.compare(made()), plumbline.compare(made(metrics=("P", "Q", "R")))
    assert two.weights.columns == ["a", "b", "low", "high", "always", "cases"]
    assert two.leads.columns == ["system", "low", "high"]
    assert (two.leads["high"] - two.leads["low"]).sum() == pytest.approx(1)
    assert three.weights.columns == ["a", "b", "share", "always", "cases"]
    assert three.leads.columns == ["system", "best", "alone", "error"]
    wins = dict(two.leaderboard.select("system", "wins").iter_rows())
    for name in two.systems:
        rows = two.leads.filter(pl.col("system") == name)
        assert wins[name] == pytest.approx((rows["high"] - rows["low"]).sum())


def test_alpha_chooses_the_score_and_is_told_where_it_has_no_effect() -> None:
    comparison = plumbline.compare(made(), alpha=0.2)
    p, r = comparison.cube.values
    assert comparison.score.name == "F(P,R,alpha=0.2)"
    assert comparison.score.values == pytest.approx(1 / (0.2 / p + 0.8 / r))
    assert [notice.code for notice in plumbline.compare(made(metrics=("P",)), alpha=0.2).notices] == ["N243"]
    assert plumbline.compare(made(), mean="geometric").score.values == pytest.approx(np.sqrt(p * r))


# --- draws --------------------------------------------------------------------------------------------------------------


def test_as_many_draws_as_the_correction_needs() -> None:
    scores = made(systems=40, cases=20, metrics=("P",))
    needed = needed_resamples("bootstrap", "holm", 780, 0.05, 20)
    assert needed > 780 / 0.05, "p is widened"
    assert plumbline.compare(scores, test="bootstrap", resamples=100).needed_draws == needed
    few = made(systems=7, cases=60, metrics=("P",))
    needed = needed_resamples("bootstrap", "holm", 21, 0.05, 60)
    assert plumbline.compare(few, test="bootstrap", resamples=needed).needed_draws is None
    assert plumbline.compare(few, test="bootstrap", resamples=needed - 1).needed_draws == needed
    assert plumbline.compare(scores).test_result.resamples == 10_000, "p below 1 / 10,001 is bounded"
    assert plumbline.compare(scores, baseline="s0").test_result.resamples == 10_000, "39 pairs need 780"
    assert plumbline.compare(scores, correction="benjamini_hochberg").test_result.resamples == 10_000
    assert plumbline.compare(scores, test="randomised_tukey").test_result.resamples == 10_000
    assert "p by 10,000 random signs" in plumbline.compare(made(systems=8)).test_remarks


def test_too_few_draws_are_told() -> None:
    comparison = plumbline.compare(made(systems=4), test="bootstrap", resamples=100)
    (notice,) = comparison.notices
    assert notice.code == "N242"
    assert notice.text.startswith("with 100 draws no difference can be significant at 0.05")
    needed = needed_resamples("bootstrap", "holm", 2 * 6, 0.05, len(comparison.cube.cases))
    assert str(notice.help).startswith(f"resamples={needed} would do"), "6 pairs by two metrics"
    assert not plumbline.compare(made(systems=4), test="bootstrap", resamples=needed).notices
    assert plumbline.compare(made(systems=4), test="bootstrap", resamples=needed - 1).notices
    assert not plumbline.compare(made(systems=4), resamples=100).notices, "p below 1 / 101 is bounded"
    assert plumbline.compare(made(), level=1e-6, test="randomised_tukey").test_result.resamples == 200_000
    assert [notice.code for notice in plumbline.compare(made(), level=1e-6, test="bootstrap").notices] == ["N242"]


# --- the gate -----------------------------------------------------------------------------------------------------------


def near(shift: float, cases: int = 40) -> dict[str, list[float]]:
    generator = np.random.default_rng(2)
    base = generator.uniform(0.4, 0.6, cases)
    return {"old": base.tolist(), "new": (base + shift + generator.normal(0, 0.03, cases)).tolist()}


def test_the_gate_lets_pass_who_is_not_shown_to_be_worse() -> None:
    equal = plumbline.compare(nested(P=near(0.0)), baseline="old").gate()
    assert (equal.passed, equal.condition) == (True, "not-worse")
    assert str(equal).startswith("gate passed: new is not shown to be worse than old (P ")
    worse = plumbline.compare(nested(P=near(-0.1)), baseline="old").gate()
    assert not worse.passed
    assert str(worse).startswith("gate failed: new is worse by P -0.098 [")
    assert worse.to_dict()["checks"][0]["reason"] == "is worse"
    assert "| new | P | -0.098 |" in worse.to_markdown()


def test_a_gate_needs_p_and_interval() -> None:
    """Nine losses and one large win: p is small, but the interval allows for more such wins."""
    lost = np.array([-0.109, 0.02, 0.069, 0.1, 0.104, 0.108, 0.127, 0.14, 0.144, 0.163])
    scores = nested(P={"old": [0.5] * 10, "new": (0.5 - lost).tolist()})
    compared = plumbline.compare(scores, baseline="old")
    assert compared.gate().passed
    assert "(P -0.087 [-0.140, 0.062]" in str(compared.gate())
    assert str(compared.gate()).endswith(", p = 0.016, but the interval includes 0).")
    assert compared.gate().to_dict()["checks"][0]["remark"] == "worse by p, but the interval includes 0"
    assert "| passed (worse by p, but the interval includes 0) |" in compared.gate().to_markdown()
    better = plumbline.compare(scores, baseline="new").gate("better")
    assert not better.passed
    assert "old is not shown to be better by P +0.087 [" in str(better)
    assert not plumbline.compare(scores, baseline="old", margin=0.01).gate().passed, "the margin holds as before"


def test_an_equally_good_system_passes_the_gate() -> None:
    """0.4935 after 0.4938, p = 0.93: lower by chance, as every second equally good system is."""
    noise = np.random.default_rng(0).normal(0, 0.076, 500)
    base = np.full(500, 0.4938)
    scores = nested(P={"old": base.tolist(), "new": (base - 0.0003 + noise - noise.mean()).tolist()})
    gate = plumbline.compare(scores, baseline="old").gate()
    assert gate.passed
    check = gate.to_dict()["checks"][0]
    assert (check["p"], check["at_most"]) == (pytest.approx(0.93, abs=0.02), False)
    assert str(gate).startswith("gate passed: new is not shown to be worse than old (P 0.000 [")


def test_the_gate_can_demand_an_improvement() -> None:
    assert plumbline.compare(nested(P=near(0.1)), baseline="old").gate("better").passed
    equal = plumbline.compare(nested(P=near(0.0)), baseline="old").gate("better")
    assert not equal.passed
    assert "is not shown to be better by P" in str(equal)


def test_a_margin_limits_how_much_lower_a_mean_may_be() -> None:
    noise = np.random.default_rng(3).normal(0, 0.3, 12)
    scores = nested(P={"old": [0.5] * 12, "new": (0.47 + noise - noise.mean()).tolist()})
    assert plumbline.compare(scores, baseline="old").gate().passed, "0.03 lower, and not significantly"
    assert plumbline.compare(scores, baseline="old", margin=0.05).gate().passed
    lower = plumbline.compare(scores, baseline="old", margin=0.01).gate()
    assert not lower.passed
    assert "is worse by more than 0.01 by P" in str(lower)
    assert not plumbline.compare(scores, baseline="old", margin="2%").gate().passed
    assert plumbline.compare(scores, baseline="old", margin="10%").gate().passed


def test_the_gate_looks_at_the_metrics_and_systems_that_are_named() -> None:
    worse = near(-0.1)
    comparison = plumbline.compare(nested(P=near(0.0), R=worse), baseline="old")
    assert not comparison.gate().passed
    assert comparison.gate(metrics=["P"]).passed
    assert plumbline.compare(nested(P=near(0.0), R=worse), baseline="old", primary="P").gate().passed
    for systems, metrics in (([], ["X"]), (["old"], []), (["x"], [])):
        with pytest.raises(BadUsage):
            comparison.gate(systems=systems, metrics=metrics)
    with pytest.raises(BadUsage, match="gate"):
        comparison.gate("best")  # type: ignore[arg-type]  # a slip


def test_the_gate_needs_a_baseline_and_something_to_compare() -> None:
    with pytest.raises(BadUsage, match="baseline"):
        plumbline.compare(made()).gate()
    scores = nested(P={"a": [0.5, NAN], "c": [NAN, NAN], "b": [0.4, 0.3]})
    assert "c cannot be compared" in str(plumbline.compare(scores, baseline="a").gate(systems=["c"]))


def test_the_old_form_of_the_gate_works_with_a_warning() -> None:
    comparison = plumbline.compare(nested(P=near(-0.1)), baseline="old")
    with pytest.warns(DeprecationWarning, match="gate"):
        against = comparison.at_least_as_good("new")
    assert against is not None
    assert against.better == "old"


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
        ({"margin": 0}, "E306"),
        ({"margin": "x"}, "E306"),
        ({"rule": "x"}, "E371"),
        ({"primary": "x"}, "E308"),
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
        old = plumbline.compare(made(), threshold=0.4)
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


# --- units --------------------------------------------------------------------------------------------------------------


def classified(seed: int = 1, items: int = 2000) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """A gold of two classes, and two classifiers of which the second is right more often."""
    generator = np.random.default_rng(seed)
    gold = {f"i{at}": str(label) for at, label in enumerate(generator.integers(0, 2, items))}

    def output(share: float) -> dict[str, str]:
        wrong = generator.random(items) > share
        return {item: str(1 - int(label)) if flip else label for (item, label), flip in zip(gold.items(), wrong, strict=True)}

    return gold, {"first": output(0.80), "second": output(0.845)}


def test_one_test_set_is_tested_item_by_item() -> None:
    gold, systems = classified()
    comparison = plumbline.compare(gold, systems, ["Accuracy"], task="classification")
    verdict = comparison.verdict("first", "second")
    assert (verdict.kind, verdict.better, verdict.unit, verdict.units) == ("better", "second", "item", 2000)
    right = np.array([[systems[name][item] == gold[item] for item in gold] for name in ("first", "second")])
    only = [int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum())]
    assert verdict.p == pytest.approx(binomtest(min(only), sum(only), 0.5).pvalue, rel=0.05, abs=2e-4), "McNemar's exact test"
    assert verdict.main.low is not None
    assert 0 < verdict.main.low < 0.0433 + 0.02
    assert "2,000 items" in comparison.to_markdown()
    assert plumbline.compare(gold, systems, ["Accuracy"], task="classification", units="items").p[0, 1] == comparison.p[0, 1]


def test_items_folds_and_groups_say_what_they_could_have_shown() -> None:
    gold, systems = classified(items=150)
    comparison = plumbline.compare(gold, systems, ["Accuracy"], task="classification")
    right = np.array([[systems[name][item] == gold[item] for item in gold] for name in ("first", "second")], dtype=float)
    by_hand = plumbline.compare({"first": right[0].tolist(), "second": right[1].tolist()}).detectable[0, 0, 1]
    assert comparison.detectable[0, 0, 1] == pytest.approx(by_hand, rel=0.06), "a paired test of 0 and 1"
    assert re.search(r": 150 items can show a difference of 0\.\d+ or more\.$", comparison.verdict("first", "second").headline)
    folds = plumbline.compare(repeated(1, 10).with_columns(P=pl.col("P") - 0.02 * (pl.col("system") == "new")), folds="fold")
    assert re.search(r": 10 folds can show a difference of 0\.\d+ or more\.$", folds.verdict("old", "new").headline)
    normal = np.random.default_rng(3).normal(0.5, 0.1, 200).tolist()
    groups = plumbline.compare(nested(P={"old": [*normal[:100], *([NAN] * 100)], "new": [*([NAN] * 100), *normal[100:]]}))
    expected = 2.8 * np.sqrt(np.var(normal[:100], ddof=1) / 100 + np.var(normal[100:], ddof=1) / 100)
    assert groups.detectable[0, 0, 1] == pytest.approx(expected, rel=0.03), "of two groups: 1.96 + 0.84 standard errors"
    assert "200 cases can show a difference of 0.0" in groups.verdict("old", "new").headline
    assert "no p" not in repr(groups), "it has one"


def test_items_that_belong_together_are_swapped_together() -> None:
    gold, systems = classified(items=600)
    users = {item: f"u{int(item[1:]) // 30}" for item in gold}
    alone = plumbline.compare(gold, systems, ["Accuracy"], task="classification")
    together = plumbline.compare(gold, systems, ["Accuracy"], task="classification", units=users)
    assert together.verdict("first", "second").units == 20
    assert alone.verdict("first", "second").units == 600


def filtered(cases: int, *, wrong: tuple[float, ...] = (0.3, 0.3, 0.3, 0.3)) -> tuple[dict[str, Any], dict[str, Any]]:
    """Gold with items in cases, and systems that answer some of them wrongly."""
    generator = np.random.default_rng(2)
    right = {f"c{case}": {f"i{item}": int(item % 3 == 0) for item in range(20)} for case in range(cases)}

    def answers(share: float) -> dict[str, dict[str, int]]:
        return {case: {item: label ^ int(generator.random() < share) for item, label in right[case].items()} for case in right}

    systems = {name: answers(share) for name, share in zip("abcd", wrong, strict=True)}
    return right, systems


def test_where_many_pairs_ask_for_more_cases_items_are_suggested() -> None:
    """Seven cases are enough for one pair, but not for six by one metric: p is 0.0156 at best."""
    right, systems = filtered(7)
    comparison = plumbline.compare(right, systems, task="filtering")
    assert 'with 7 cases, it takes 8 or more (units="items" tests item by item)' in comparison.verdict("a", "b").headline
    assert "units" not in plumbline.compare(right, dict(list(systems.items())[:2]), task="filtering").verdict("a", "b").headline


def test_where_cases_are_too_few_for_all_metrics_the_first_decides() -> None:
    """Ten cases, six pairs, six metrics: the best p is 0.002, of all 36 tests 0.07, of the six by one metric 0.012."""
    right, systems = filtered(10, wrong=(0.02, 0.45, 0.3, 0.3))
    comparison = plumbline.compare(right, systems, task="filtering")
    assert comparison.first_decides
    assert comparison.decided_by_one
    assert comparison.verdict("a", "b").kind == "better"
    named = plumbline.compare(right, systems, task="filtering", primary=comparison.cube.metrics[0])
    assert np.array_equal(comparison.corrected, named.corrected, equal_nan=True)
    words = "Holm over 6 pairs by F(P,R), which decides, as 10 cases are too few for all 6 metrics"
    assert comparison.correction_used == f"{words}; the other metrics are corrected separately"
    assert "primary=NAME lets a metric other than the first decide" in repr(comparison)
    assert "lets a metric" not in repr(named)
    gate = plumbline.compare(right, systems, task="filtering", baseline="b", correction="bonferroni", level=0.02).gate("better")
    assert len({check.finding.measure for check in gate.checks}) == 6, "a gate looks at every metric unless one was named"


@pytest.mark.parametrize(
    ("cases", "systems", "metrics", "options", "first"),
    [
        (5, 2, 2, {}, False),
        (6, 2, 2, {}, True),
        (7, 2, 2, {}, False),
        (10, 4, 6, {}, True),
        (11, 4, 6, {}, False),
        (10, 4, 1, {}, False),
        (10, 4, 6, {"primary": "m1"}, False),
        (10, 4, 6, {"correction": "none"}, False),
        (10, 4, 6, {"test": "t"}, False),
        (10, 4, 6, {"baseline": "s1"}, False),
        (9, 4, 6, {"baseline": "s1"}, True),
        (4, 3, 4, {"test": "randomised_tukey"}, False),
    ],
)
def test_whether_the_first_decides_depends_on_counts_alone(
    cases: int, systems: int, metrics: int, options: dict[str, Any], *, first: bool
) -> None:
    for seed in range(3):
        values = np.random.default_rng(seed).random((metrics, systems, cases))
        cube = cube_of(values)
        names = {"m1": cube.metrics[min(1, metrics - 1)], "s1": cube.systems[1]}
        given = {key: names.get(value, value) for key, value in options.items()}
        assert Comparison(cube, combined(cube), **given).first_decides is first


def test_two_groups_of_successes_and_failures_are_dealt_even_if_t_was_asked_for() -> None:
    first, second = [1.0] * 17 + [0.0] * 13, [1.0] * 9 + [0.0] * 21
    table = nested(P={"old": [*second, *([NAN] * 30)], "new": [*([NAN] * 30), *first]})
    comparison = plumbline.compare(table, test="t")
    assert "compared as two groups of cases by Welch's t in all ways to deal the scores to both" in repr(comparison)
    assert comparison.p[0, 1] == pytest.approx(fisher_exact([[17, 13], [9, 21]]).pvalue)
    assert comparison.p[0, 1] > ttest_ind(first, second, equal_var=False).pvalue
    assert not comparison.main.at_most[0, 1]


def test_where_items_are_no_units_that_is_said() -> None:
    gold = {"q1": {"a": 1, "b": 0, "c": 1}}
    runs = {"x": {"q1": {"a": 3.0, "b": 2.0}}, "y": {"q1": {"b": 3.0, "c": 2.0}}}
    comparison = plumbline.compare(gold, runs, ["AP"])
    assert "1 case cannot be tested (one ranking is one observation: " in comparison.verdict("x", "y").headline
    with pytest.raises(BadUsage, match="one observation"):
        plumbline.compare(gold, runs, ["AP"], units="items")
    with pytest.raises(BadUsage, match="only scores"):
        plumbline.compare(made(), units="items")


def test_a_column_of_the_gold_names_the_units(tmp_path: Path) -> None:
    gold, systems = classified(items=300)
    rows = "".join(f"{item},{label},u{int(item[1:]) // 30}\n" for item, label in gold.items())
    (tmp_path / "gold.csv").write_text(f"item,label,user_id\n{rows}", encoding="utf-8")
    for name, answers in systems.items():
        text = "".join(f"{item},{label}\n" for item, label in answers.items())
        (tmp_path / f"{name}.csv").write_text(f"item,label\n{text}", encoding="utf-8")
    files = [tmp_path / f"{name}.csv" for name in systems]
    comparison = plumbline.compare(tmp_path / "gold.csv", files, ["Accuracy"], task="classification", units="user_id")
    assert comparison.verdict("first", "second").units == 10


def test_systems_without_a_common_case_are_compared_as_two_groups() -> None:
    generator = np.random.default_rng(7)
    first, second = generator.normal(0.7, 0.05, 15), generator.normal(0.5, 0.05, 15)
    scores = nested(P={"old": [*second, *([NAN] * 15)], "new": [*([NAN] * 15), *first]})
    verdict = plumbline.compare(scores).verdict("old", "new")
    assert (verdict.kind, verdict.better, verdict.units) == ("better", "new", 30)
    assert verdict.headline.endswith(", compared as two groups of cases, since they have none in common.")
    assert verdict.difference == pytest.approx(first.mean() - second.mean())
    dealt = "compared as two groups of cases by Welch's t in 10,000 random ways to deal the scores to both (seed 0)"
    assert dealt in repr(plumbline.compare(scores))


@pytest.mark.parametrize("test", ["t", "randomization"])
def test_a_group_of_one_case_is_not_said_to_be_tested(test: str) -> None:
    comparison = plumbline.compare(nested(P={"old": [0.5, *([NAN] * 4)], "new": [NAN, 0.4, 0.6, 0.7, 0.8]}), test=test)
    assert comparison.verdict("old", "new").kind == "nothing"
    assert "and a single case of one system, which cannot be tested" in repr(comparison)
    assert "compared as two groups" not in repr(comparison)


@pytest.mark.parametrize("test", ["t", "sign"])
def test_two_groups_by_welch_and_by_chance_that_is_only_bounded(test: str) -> None:
    generator = np.random.default_rng(7)
    first, second = generator.normal(0.7, 0.05, 15), generator.normal(0.5, 0.02, 12)
    comparison = plumbline.compare(nested(P={"old": [*second, *([NAN] * 15)], "new": [*([NAN] * 12), *first]}), test=test)
    if test == "t":
        assert comparison.p[0, 1] == pytest.approx(ttest_ind(first, second, equal_var=False).pvalue)
        assert "compared as two groups of cases by Welch's t test" in repr(comparison)
    assert comparison.main.at_most[0, 1] == (test == "sign")


def repeated(runs: int, folds: int) -> pl.DataFrame:
    generator = np.random.default_rng(9)
    rows = [
        {"system": system, "seed": f"s{run}", "fold": f"f{fold}", "case": f"f{fold}c{case}", "P": value}
        for system, level in (("old", 0.5), ("new", 0.52))
        for run in range(runs)
        for fold in range(folds)
        for case, value in enumerate(generator.normal(level, 0.05, 4))
    ]
    return pl.DataFrame(rows)


def test_runs_of_a_system_are_averaged_and_their_spread_is_told() -> None:
    frame = repeated(3, 5).drop("fold")
    comparison = plumbline.compare(frame, runs="seed")
    assert comparison.systems == ("old", "new")
    assert len(comparison.cube.cases) == 20
    of_runs = frame.filter(system="old").group_by("seed").agg(pl.col("P").mean())["P"]
    assert f"old {of_runs.std():.4f} over 3 runs" in repr(comparison)


def test_folds_are_tested_with_the_corrected_resampled_t_test() -> None:
    frame = repeated(1, 10).drop("seed")
    comparison = plumbline.compare(frame, folds="fold")
    of_folds = frame.group_by("system", "fold").agg(pl.col("P").mean()).pivot(on="system", index="fold", values="P")
    apart = (of_folds["new"] - of_folds["old"]).to_numpy()
    t = apart.mean() / np.sqrt((1 / 10 + 1 / 9) * apart.var(ddof=1))
    verdict = comparison.verdict("old", "new")
    assert (verdict.unit, verdict.units) == ("fold", 10)
    assert verdict.p == pytest.approx(2 * student.sf(abs(t), 9))
    assert verdict.main.low == pytest.approx(apart.mean() - student.ppf(0.975, 9) * apart.mean() / t)
    twice = plumbline.compare(repeated(2, 10), folds="fold", runs="seed")
    assert twice.verdict("old", "new").units == 20
    with pytest.raises(BadUsage, match="the folds are the units"):
        plumbline.compare(frame, folds="fold", units="items")
    with pytest.raises(BadUsage, match="one fold"):
        plumbline.compare(frame.with_columns(fold=pl.lit("f0")), folds="fold")
