"""compare() beside other packages: where the test is the same, p is the same."""

from __future__ import annotations

from itertools import combinations
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import plumbline
from plumbline.comparison.significance.friedman import friedman
from tests.helpers.made_scores import scores

if TYPE_CHECKING:
    from collections.abc import Callable


def peer(module: str) -> ModuleType:
    """A package that is compared with; the test is skipped where it is not installed."""
    package = module.partition(".")[0]
    result = pytest.importorskip(module, reason=f"{package} is not installed: pip install {package}")
    assert isinstance(result, ModuleType)
    return result


def named(values: Any) -> dict[str, list[float]]:
    """Scores `[system, case]` as `compare` takes them."""
    return {f"s{at}": row.tolist() for at, row in enumerate(values)}


def answers(items: int, classes: int) -> tuple[list[str], dict[str, list[str]]]:
    """A gold, and two classifiers of which the second errs a little less."""
    generator = np.random.default_rng(items)
    right = generator.integers(0, classes, items)

    def output(errors: float) -> list[str]:
        wrong = (right + generator.integers(1, classes, items)) % classes
        return [str(label) for label in np.where(generator.random(items) < errors, wrong, right)]

    return right.astype(str).tolist(), {"first": output(0.3), "second": output(0.22)}


# --- McNemar's exact test: accuracy on one test set ----------------------------------------------------------------------


def statsmodels_mcnemar(gold: list[str], first: list[str], second: list[str]) -> float:
    right = [np.array(output) == np.array(gold) for output in (first, second)]
    table = [[np.sum((right[0] == a) & (right[1] == b)) for b in (True, False)] for a in (True, False)]
    return float(peer("statsmodels.stats.contingency_tables").mcnemar(table, exact=True).pvalue)


def mlxtend_mcnemar(gold: list[str], first: list[str], second: list[str]) -> float:
    evaluate = peer("mlxtend.evaluate")
    table = evaluate.mcnemar_table(*(np.array(labels) for labels in (gold, first, second)))
    return float(evaluate.mcnemar(table, exact=True)[1])


@pytest.mark.parametrize("mcnemar", [statsmodels_mcnemar, mlxtend_mcnemar])
@pytest.mark.parametrize(("items", "classes"), [(30, 2), (400, 2), (3000, 4)])
def test_accuracy_on_one_test_set(mcnemar: Callable[..., float], items: int, classes: int) -> None:
    gold, systems = answers(items, classes)
    expected = mcnemar(gold, systems["first"], systems["second"])
    verdict = plumbline.compare(gold, systems, ["Accuracy"], task="classification").verdict("first", "second")
    assert verdict.p == pytest.approx(expected, rel=1e-6)
    assert not verdict.main.at_most


# --- two systems ------------------------------------------------------------------------------------------------------------


def statsmodels_t(first: Any, second: Any) -> float:
    return float(peer("statsmodels.stats.weightstats").DescrStatsW(first - second).ttest_mean()[1])


def statsmodels_sign(first: Any, second: Any) -> float:
    return float(peer("statsmodels.stats.descriptivestats").sign_test(first - second)[1])


def autorank_two(first: Any, second: Any, mode: str) -> float:
    frame = pd.DataFrame({"first": first, "second": second})
    return float(peer("autorank").autorank(frame, force_mode=mode).pvalue)


def autorank_t(first: Any, second: Any) -> float:
    return autorank_two(first, second, "parametric")


def autorank_wilcoxon(first: Any, second: Any) -> float:
    """Of the system with the larger median only whether it is better: half of a two-sided p, if it has larger ranks too."""
    return 2.0 * autorank_two(first, second, "nonparametric")


@pytest.mark.parametrize(
    ("test", "theirs"),
    [
        ("t", statsmodels_t),
        ("t", autorank_t),
        ("sign", statsmodels_sign),
        ("wilcoxon", autorank_wilcoxon),
    ],
)
@pytest.mark.parametrize("cases", [12, 40])
def test_two_systems(test: str, theirs: Callable[..., float], cases: int) -> None:
    values = scores(2, cases, seed=cases)
    assert np.median(values[1]) > np.median(values[0])
    verdict = plumbline.compare(named(values), test=test).verdict("s0", "s1")
    assert verdict.better == "s1"
    assert verdict.p == pytest.approx(theirs(*values), rel=1e-9)


@pytest.mark.parametrize("cases", [6, 10])
def test_randomization_of_few_cases_is_scipys(cases: int) -> None:
    values = scores(2, cases)
    expected = stats.permutation_test((values[0] - values[1],), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert plumbline.compare(named(values)).verdict("s0", "s1").p == pytest.approx(expected.pvalue, rel=1e-12)


# --- many systems -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini_hochberg", "fdr_bh")])
def test_corrections_of_all_pairs_are_those_of_statsmodels(ours: str, theirs: str) -> None:
    multipletests = peer("statsmodels.stats.multitest").multipletests
    values = scores(6, 25)
    raw = [stats.ttest_rel(values[a], values[b]).pvalue for a, b in combinations(range(6), 2)]
    result = plumbline.compare(named(values), test="t", correction=ours).corrected[0]
    assert result[np.triu_indices(6, 1)] == pytest.approx(multipletests(raw, method=theirs)[1], rel=1e-9)


def test_friedman_and_the_critical_difference_are_those_of_autorank() -> None:
    autorank = peer("autorank").autorank
    values = scores(5, 120)
    result = autorank(pd.DataFrame(named(values)), force_mode="nonparametric")
    actual = friedman(values)
    assert (result.omnibus, result.posthoc) == ("friedman", "nemenyi")
    assert actual.p == pytest.approx(result.pvalue, rel=1e-9)
    assert actual.critical_difference == pytest.approx(result.cd, rel=1e-3), "theirs is interpolated in a table"
    assert actual.mean_ranks == pytest.approx([result.rankdf.loc[f"s{at}", "meanrank"] for at in range(5)])
    ranks, p = actual.mean_ranks, plumbline.compare(named(values), test="nemenyi").p
    apart = np.abs(ranks[:, None] - ranks)
    assert np.array_equal(p < actual.alpha, apart > result.cd)
    assert (apart > result.cd).any()
