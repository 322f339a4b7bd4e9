"""Tests for folds against published values, against other libraries, and against their formulas written out."""

from __future__ import annotations

import json
import lzma
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.tree import DecisionTreeClassifier

import plumbline
from plumbline.comparison.significance import catalogue
from plumbline.comparison.significance.correlated_bayes import correlated_posterior
from plumbline.comparison.significance.registry import FoldTest, all_fold_tests, find_fold_test, paper_of_test
from plumbline.errors import BadUsage
from plumbline.reports.sections.references import entries
from tests.helpers.made_scores import scores
from tests.helpers.shared import shared

EVERY = pytest.mark.parametrize("test", all_fold_tests().values(), ids=lambda test: test.name)


def halved(systems: int = 3, seed: int = 0) -> np.ndarray:
    return scores(systems, 10, seed=seed).reshape(systems, 5, 2)


@EVERY
def test_it_is_declared_with_everything_that_is_printed_about_it(test: FoldTest) -> None:
    assert test.summary.endswith(".")
    assert not test.choose_if.endswith(".")
    assert len(entries([str(test.paper)])) == 1
    assert test.paper == paper_of_test(test.name)
    assert test.name in catalogue.fold_test_names()
    assert test.name in catalogue.test_names()


@EVERY
def test_p_is_a_symmetric_table_of_probabilities(test: FoldTest) -> None:
    values = (scores(4, 10) > 0.5).astype(float) if test.of_answers else halved(4)
    result = test(values, 1.0)
    assert np.array_equal(result.p, result.p.T)
    assert ((result.p >= 0) & (result.p <= 1)).all()
    assert (np.diag(result.p) == 1).all()
    assert result.name == test.title


def test_five_by_two_by_the_formulas() -> None:
    values = halved()
    t, f = find_fold_test("5x2t")(values, 1.0), find_fold_test("5x2f")(values, 1.0)
    for a, b in permutations(range(3), 2):
        first, squares, spread = None, 0.0, 0.0
        for repeat in range(5):
            one, other = values[a, repeat] - values[b, repeat]
            first = one if first is None else first
            mean = (one + other) / 2
            squares += one**2 + other**2
            spread += (one - mean) ** 2 + (other - mean) ** 2
        assert t.statistic[a, b] == pytest.approx(first / np.sqrt(spread / 5))
        assert t.p[a, b] == pytest.approx(2 * stats.t.sf(abs(t.statistic[a, b]), 5))
        assert abs(f.statistic[a, b]) == pytest.approx(squares / (2 * spread))
        assert f.p[a, b] == pytest.approx(stats.f.sf(squares / (2 * spread), 10, 5))


def test_five_by_two_of_mlxtend() -> None:
    """The example of its pages: logistic regression against a tree on iris."""
    evaluate = pytest.importorskip("mlxtend.evaluate")
    x, y = load_iris(return_X_y=True)
    logistic = OneVsRestClassifier(LogisticRegression(random_state=1, solver="liblinear"))  # the default of that time
    learners = logistic, DecisionTreeClassifier(random_state=1)
    values, rng = np.empty((2, 5, 2)), np.random.RandomState(1)
    for repeat in range(5):
        halves = train_test_split(x, y, test_size=0.5, random_state=rng.randint(low=0, high=32767))
        for half, (train_x, test_x, train_y, test_y) in enumerate((halves, [halves[at] for at in (1, 0, 3, 2)])):
            for at, learner in enumerate(learners):
                values[at, repeat, half] = learner.fit(train_x, train_y).score(test_x, test_y)
    golden = json.loads(shared("golden", "truth.json").read_text())["mlxtend_iris"]
    tests = {"5x2t": ("5x2cv_t", evaluate.paired_ttest_5x2cv), "5x2f": ("5x2cv_F", evaluate.combined_ftest_5x2cv)}
    for name, (key, theirs) in tests.items():
        statistic, p = theirs(*learners, x, y, random_seed=1)
        ours = find_fold_test(name)(values, 1.0)
        assert abs(ours.statistic[0, 1]) == pytest.approx(abs(statistic), rel=1e-12)
        assert ours.p[0, 1] == pytest.approx(p, rel=1e-12)
        assert (statistic, ours.p[0, 1]) == pytest.approx(tuple(golden[key]), abs=5e-4)


def test_degenerate_folds_have_an_answer() -> None:
    same = np.tile(np.array([0.5, 0.6]), (2, 5, 1))
    apart = same - np.array([0.0, 0.1])[:, None, None]
    lacking = apart.copy()
    lacking[0, 3, 1] = np.nan
    for name in ("5x2t", "5x2f"):
        test = find_fold_test(name)
        assert test(same, 1.0).p[0, 1] == 1
        constant = test(apart, 1.0)
        assert (constant.p[0, 1], constant.statistic[0, 1]) == (0, np.inf)
        assert np.isnan(test(lacking, 1.0).p[0, 1])
        assert "no p" in test(lacking, 1.0).note


def test_mcnemar_by_scipy() -> None:
    right = np.array([[1, 1, 1, 0, 1, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1, 0, 1, 0]], dtype=float)
    result = find_fold_test("mcnemar")(right, 1.0)
    assert result.p[0, 1] == pytest.approx(stats.binomtest(1, 6).pvalue)
    assert (result.statistic[0, 1], result.statistic[1, 0]) == (5, 1)


# --- Bayesian -----------------------------------------------------------------------------------------------------------------


def of_data_set(learner: str, name: str) -> np.ndarray:
    """The accuracies of a learner in ten times ten folds, in per cent."""
    lines = lzma.decompress(shared("data", "baycomp", "accuracies.txt.xz").read_bytes()).decode().splitlines()
    block = lines[lines.index(learner) + 1 :]
    return np.array(next(line.split()[1:] for line in block if line.split()[:1] == [name]), dtype=float)


def test_the_example_of_baycomp() -> None:
    """Naive Bayes and a tree on the first ten folds of sonar: the probability that its pages print, and those with a region."""
    values = np.stack([of_data_set(learner, "sonar")[:10] for learner in ("nbc", "j48")])
    plain, region = correlated_posterior(values, 1 / 9), correlated_posterior(values, 1 / 9, 0.5)
    golden = json.loads(shared("golden", "truth.json").read_text())["baycomp_sonar_first_10"]
    assert golden["p_first_better"] == 0.4145119975061462
    assert (plain.better[0, 1], plain.worse[0, 1]) == pytest.approx((golden["p_first_better"], golden["p_second_better"]))
    assert (region.better[0, 1], region.equal[0, 1], region.worse[0, 1]) == pytest.approx(tuple(golden["rope_0.5"]))


def test_the_posterior_is_that_of_baycomp() -> None:
    baycomp = pytest.importorskip("baycomp")
    for seed in range(3):
        values = scores(2, 20, seed=seed)
        for rope in (0.0, 0.05):
            ours = correlated_posterior(values, 1 / 9, rope)
            first, *middle, second = baycomp.two_on_single(values[0], values[1], rope=rope, runs=2)
            assert (ours.better[0, 1], ours.worse[0, 1]) == pytest.approx((first, second), abs=1e-9)
            assert ours.equal[0, 1] == pytest.approx(middle[0] if middle else 0.0, abs=1e-9)


def test_the_posterior_by_the_formula() -> None:
    values = scores(3, 10, missing=0.1)
    result = correlated_posterior(values, 0.25, 0.02)
    for a, b in permutations(range(3), 2):
        d = (values[a] - values[b])[~np.isnan(values[a] - values[b])]
        of = stats.t(len(d) - 1, d.mean(), np.sqrt((1 / len(d) + 0.25) * d.var(ddof=1)))
        assert result.better[a, b] == pytest.approx(of.sf(0.02))
        assert result.worse[a, b] == pytest.approx(of.cdf(-0.02))
        assert result.equal[a, b] == pytest.approx(of.cdf(0.02) - of.cdf(-0.02))


def test_a_posterior_without_spread() -> None:
    apart = correlated_posterior([[0.3, 0.4], [0.2, 0.3]], 0.5, 0.01)
    assert (apart.better[0, 1], apart.equal[0, 1], apart.worse[0, 1]) == (1, 0, 0)
    same = correlated_posterior([[0.3, 0.4], [0.3, 0.4]], 0.5, 0.01)
    assert (same.better[0, 1], same.equal[0, 1]) == (0, 1)
    without = correlated_posterior([[0.3, 0.4], [0.3, 0.4]], 0.5)
    assert (without.better[0, 1], without.equal[0, 1]) == (0.5, 0)
    assert np.isnan(correlated_posterior([[0.3, np.nan], [0.2, np.nan]], 0.5).better[0, 1])


# --- compare() ----------------------------------------------------------------------------------------------------------------


def table(values: np.ndarray) -> pl.DataFrame:
    """`model, repeat, fold, Accuracy`."""
    rows = [
        (f"s{at}", repeat, fold, float(values[at, repeat, fold]))
        for at in range(values.shape[0])
        for repeat in range(values.shape[1])
        for fold in range(values.shape[2])
    ]
    return pl.DataFrame(rows, schema=["model", "repeat", "fold", "Accuracy"], orient="row")


@pytest.mark.parametrize("name", ["corrected", "5x2t", "5x2f"])
def test_compare_uses_the_test_that_is_chosen(name: str) -> None:
    values = halved(2, seed=4)
    comparison = plumbline.compare(table(values), folds="fold", runs="repeat", test=name)
    expected = find_fold_test(name)(values, 1.0)
    assert comparison.test_result.p == pytest.approx(expected.p)
    assert comparison.test_result.name == find_fold_test(name).title


def test_the_default_is_the_corrected_test() -> None:
    made = plumbline.compare(table(halved(2)), folds="fold", runs="repeat")
    assert made.test_result.name == "corrected resampled t test"
    assert made.test == "corrected"


def test_a_share_of_test_items_changes_the_correction() -> None:
    values = halved(2).reshape(2, 1, 10)
    half = plumbline.compare(table(values), folds="fold", runs="repeat", test_share=0.5)
    assert half.test_result.p == pytest.approx(find_fold_test("corrected")(values, 1.0).p)
    assert half.overlap == 1.0


def test_a_plain_test_of_folds_is_refused_with_the_reason() -> None:
    for name in ("t", "wilcoxon"):
        with pytest.raises(BadUsage, match=r"E398 .*share training data"):
            plumbline.compare(table(halved(2)), folds="fold", runs="repeat", test=name)
    with pytest.raises(BadUsage, match=r"E399 .*here there is 1 repeat of 6 folds"):
        plumbline.compare(table(scores(2, 6).reshape(2, 1, 6)), folds="fold", runs="repeat", test="5x2f")
    with pytest.raises(BadUsage, match="E402"):
        plumbline.compare(table(halved(2)), folds="fold", runs="repeat", test="mcnemar")
    for options in ({"test": "5x2f"}, {"test_share": 0.2}):
        with pytest.raises(BadUsage, match="E3"):
            plumbline.compare({"a": [0.1, 0.2], "b": [0.2, 0.2]}, **options)


def test_right_and_wrong_answers_of_a_table() -> None:
    right = {"a": [1, 1, 1, 0, 1, 1, 1, 0], "b": [0, 0, 1, 0, 0, 1, 0, 1]}
    rows = [(name, f"i{at}", at % 2, value) for name, values in right.items() for at, value in enumerate(values)]
    frame = pl.DataFrame(rows, schema=["system", "case", "fold", "Accuracy"], orient="row")
    made = plumbline.compare(frame, folds="fold", test="mcnemar")
    assert made.test_result.p[0, 1] == pytest.approx(stats.binomtest(1, 5).pvalue)


def test_the_table_of_the_posterior_uses_the_margin() -> None:
    values = halved(2, seed=1)
    made = plumbline.compare(table(values), folds="fold", runs="repeat", margin=0.05)
    row = made.posterior.row(0, named=True)
    names = ["s0", "s1"]
    of = correlated_posterior(values.reshape(2, -1), 1.0, 0.05)
    a, b = names.index(row["a"]), names.index(row["b"])
    assert (row["better"], row["equal"], row["worse"], row["region"]) == pytest.approx(
        (of.better[a, b], of.equal[a, b], of.worse[a, b], 0.05)
    )
    assert "posterior" in str(made.to_markdown(show=["posterior"]))
    with pytest.raises(BadUsage, match="folds"):
        _ = plumbline.compare({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.2, 0.5]}).posterior


@pytest.mark.parametrize("form", ["wide", "long", "matrix"])
def test_folds_that_are_not_named_are_neither_cases_nor_systems_nor_metrics(form: str) -> None:
    frame = table(scores(2, 6).reshape(2, 1, 6)).drop("repeat")
    made = {
        "wide": frame,
        "long": frame.unpivot("Accuracy", index=["model", "fold"], variable_name="metric"),
        "matrix": frame.pivot("model", index="fold", values="Accuracy"),
    }[form]
    with pytest.raises(plumbline.BadData, match="E499 the column fold tells folds apart"):
        plumbline.compare(made)
    assert plumbline.compare(made, folds="fold").test_result.p == pytest.approx(
        plumbline.compare(frame, folds="fold").test_result.p
    )


def test_the_uir_of_folds_has_neither_p_nor_interval() -> None:
    """They would take folds, which depend on each other, for cases."""
    rng = np.random.default_rng(0)
    values = np.stack([0.7 + rng.random((10, 10)) / 10, 0.6 + rng.random((10, 10)) / 10])
    cases = plumbline.compare(table(values[:, :1]).drop("repeat").rename({"fold": "case"}))
    folds = plumbline.compare(table(values), folds="fold")
    for comparison, unknown in ((cases, 0), (folds, 1)):
        pair = comparison.unanimity.filter(a="s0", b="s1")
        ends = comparison.intervals.filter(a="s0", b="s1")
        assert pair["uir"].item() > 0
        assert (pair["p"].null_count(), ends["low"].null_count(), ends["high"].null_count()) == (unknown,) * 3
        verdict = comparison.verdict("s0", "s1")
        assert [one is None for one in (verdict.uir_p, verdict.uir_low, verdict.uir_high)] == [bool(unknown)] * 3


def test_unanimity_within_each_repeat() -> None:
    both = pl.concat(
        [table(halved(2, seed=seed)).rename({"Accuracy": name}) for seed, name in ((1, "P"), (2, "R"))], how="align"
    )
    comparison = plumbline.compare(both, folds="fold", runs="repeat")
    rows = comparison.uir_by_repeat.filter(a="s0", b="s1")
    assert rows["repeat"].to_list() == [1, 2, 3, 4, 5]
    assert rows["folds"].to_list() == [2] * 5
    for repeat, value in rows.select("repeat", "uir").iter_rows():
        part = both.filter(pl.col("repeat") == repeat - 1).sort("model", "fold")
        ahead = [part.filter(model=name).select("P", "R").to_numpy() for name in ("s0", "s1")]
        better, worse = ((ahead[0] >= ahead[1]).all(axis=1).sum(), (ahead[0] <= ahead[1]).all(axis=1).sum())
        assert value == pytest.approx((better - worse) / 2)
    assert rows["uir"].mean() == pytest.approx(comparison.unanimity.filter(a="s0", b="s1")["uir"].item())
